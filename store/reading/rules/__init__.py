"""Reading never guesses: a turn goes in, plain assertions come out, and whatever is unclear is left out."""
