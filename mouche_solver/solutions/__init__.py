"""What a notebook starts with: solve a game, open any file that this package wrote."""

from mouche_solver.lazy import attach

_HOME = {
    "DiceFrames": "dice",
    "DiceSolution": "dice",
    "DiceBook": "dice",
    "solve_dice": "dice",
    "dice_strategy": "dice",
    "CardSolution": "cards",
    "CardPots": "cards",
    "KnownGain": "cards",
    "solve_cards": "cards",
    "solve_pots": "cards",
    "exchange_frame": "cards",
    "card_strategy": "cards",
    "train_cards": "cards",
    "load": "files",
}

__getattr__, __dir__, __all__ = attach(__name__, _HOME)
