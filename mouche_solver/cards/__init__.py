"""Card Mouche: rules, referee, deals, odds, small exact games."""
