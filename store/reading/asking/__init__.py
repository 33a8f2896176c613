"""What is asked, and whether a turn answers it: read by an encoder that was trained for it."""
