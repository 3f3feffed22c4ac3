"""What a written game cost its players: reviews, skill and luck, drills."""

from mouche_solver.lazy import attach

_HOME = {
    "Decision": "record",
    "Review": "record",
    "mark_of": "record",
    "THRESHOLDS": "record",
    "review_dice": "dice",
    "review_cards": "cards",
    "review_text": "either",
    "render": "export",
    "Box": "box",
}

__getattr__, __dir__, __all__ = attach(__name__, _HOME)
