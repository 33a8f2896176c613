"""The only place where the store, the widgets and the models meet."""

__version__ = "0.1.0"
