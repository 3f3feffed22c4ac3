"""Dice Mouche in OpenSpiel."""
