"""The command line: a table of verbs, and what each of them is given."""
