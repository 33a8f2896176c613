"""Every verb of the command line is scriptable: data on stdout, talk on stderr, 0, 1 or 2 at the end."""
