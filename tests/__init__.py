"""The tests mirror the tree; they need no network and nothing outside the repository."""
