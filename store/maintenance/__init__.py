"""What is done to a whole file stands on everything that is derived from it: copy, check, mend, merge, erase."""
