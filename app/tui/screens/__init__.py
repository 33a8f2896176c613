"""A screen fetches in workers and hands records to widgets; it never blocks a keystroke."""
