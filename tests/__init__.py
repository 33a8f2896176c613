"""The tests mirror the tree; they need no network and nothing outside the repository."""

# What the app says to its libraries must be said before a bench imports them.
import app as app
