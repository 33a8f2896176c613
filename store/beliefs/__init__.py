"""Claims are the log, beliefs are the fold: nothing here edits a fact, it only folds claims anew."""
