"""Widgets show records and post messages; they never fetch and never write."""
