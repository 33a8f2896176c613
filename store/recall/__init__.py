"""The filter on both time axes comes before the ranking, everywhere."""
