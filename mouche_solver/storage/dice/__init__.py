"""Files of the dice game."""
