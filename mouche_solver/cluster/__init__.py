"""Solving on several machines with Ray Core actors; needs ``mouche-solver[cluster]``."""
