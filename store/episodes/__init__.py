"""No model stands on the writing path: a turn is appended, normalised, embedded, indexed and acknowledged at once."""
