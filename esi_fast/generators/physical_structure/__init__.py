"""What things are made like inside: what fits, how much they hold, what a cloth hides."""
