"""Tables, charts and report of the dice game."""
