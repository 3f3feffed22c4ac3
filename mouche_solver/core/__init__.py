"""The theory: regret, best response, run loop. Knows no game."""
