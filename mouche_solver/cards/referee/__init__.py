"""Slow and readable: one deal, one game, and the written game."""
