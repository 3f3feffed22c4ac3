"""Card Mouche as data: decks, rules, what a mouche and a trick are worth."""
