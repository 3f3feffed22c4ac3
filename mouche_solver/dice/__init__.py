"""Dice Mouche: rules, referee, odds and the exact two-player round."""
