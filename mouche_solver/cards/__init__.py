"""Card Mouche: rules, referee, deals, odds, small exact games."""

from mouche_solver.lazy import attach

_HOME = {
    "HandClasses": "compiled.hands",
    "OpenHands": "odds.open_hands",
    "sample_deals": "measure.sampled_deals",
    "CardRules": "rules.rules",
    "write": "referee.transcript",
    "replay": "referee.transcript",
    "random_game": "referee.simulate",
    "trick_winner": "rules.tricks",
    "legal_cards": "rules.tricks",
    "Game": "referee.game",
    "apply": "referee.referee",
    "legal_actions": "referee.referee",
    "start_deal": "referee.deal",
    "Deal": "referee.deal",
    "Pack": "rules.pack",
    "cards_of": "rules.pack",
    "mask_of": "rules.pack",
    "CardDeal": "odds.exact",
    "Abstraction": "strategy.levels",
    "CardTrainer": "train.trainer",
    "CardStrategy": "strategy.strategy",
    "play_duplicate": "measure.tournament",
    "ExchangeChart": "strategy.charts",
    "exchange_chart": "strategy.charts",
    "challenge": "measure.challengers",
    "Census": "measure.census",
    "take_census": "measure.census",
    "try_unseen_exchanges": "measure.census",
    "never_stands": "strategy.edit",
}

__getattr__, __dir__, __all__ = attach(__name__, _HOME)
