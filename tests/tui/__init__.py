"""The interface, driven by a pilot over scripted parts: no model, no file, no clock of the machine."""
