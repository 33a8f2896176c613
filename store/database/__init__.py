"""The one file: its connections, its tables, its keys, and the log of what was decided in it."""
