"""Dice Mouche as data, its notation and its referee."""
