"""Programs that make what ships: run by hand, never by a test."""
