"""Small games as sequences: linear program, best response, regret minimisers."""
