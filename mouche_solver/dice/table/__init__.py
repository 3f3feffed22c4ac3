"""Rounds of more players, and the match."""
