"""The app in a terminal: Textual is imported here, and in the widgets."""
