"""Tables, charts and report of the card game."""
