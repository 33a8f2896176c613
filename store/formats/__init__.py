"""An importer never changes what was said, never guesses a time, and says what it skipped and why."""
