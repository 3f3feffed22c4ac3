"""Files of the card game."""
