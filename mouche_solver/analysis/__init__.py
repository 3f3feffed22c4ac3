"""Tables and charts for notebooks."""

from mouche_solver.lazy import attach

_HOME = {
    "DiceFrames": "dice_frames",
    "DiceSolution": "dice_frames",
    "load": "dice_frames",
    "solve_dice": "dice_frames",
}

__getattr__, __dir__, __all__ = attach(__name__, _HOME)
