"""Tables and charts for notebooks."""

import os
import sys
from contextlib import suppress

from mouche_solver.lazy import attach

_HOME = {
    "DiceFrames": ".solutions.dice",
    "DiceSolution": ".solutions.dice",
    "load": ".solutions.files",
    "solve_dice": ".solutions.dice",
    "opening_table": "dice.tables",
    "response_table": "dice.tables",
    "group_table": "dice.tables",
    "range_table": "dice.tables",
    "bluff_table": "dice.claims",
    "claim_grid": "dice.claims",
    "doubt_table": "dice.claims",
    "doubt_frontier": "dice.claims",
    "odds_table": "dice.odds",
    "even_table": "dice.odds",
    "solve_rounds": "dice.rounds",
    "starting_table": "dice.rounds",
    "match_table": "dice.rounds",
    "match_grid": "dice.rounds",
    "RunRecord": "dice.rounds",
    "review": "review",
    "Study": "study",
    "dice_strategy": ".solutions.dice",
    "save_table": "page.output",
    "save_figure": "page.output",
    "make_folder": "page.output",
    "styled": "page.output",
    "hand_chart": "dice.charts",
    "claim_chart": "dice.charts",
    "doubt_chart": "dice.charts",
    "doubt_heatmap": "dice.charts",
    "bluff_chart": "dice.charts",
    "range_chart": "dice.charts",
    "report_html": "dice.report",
    "write_report": "dice.report",
    "card_report_html": "cards.report",
    "write_card_report": "cards.report",
    "odds_chart": "dice.charts",
    "even_chart": "dice.charts",
    "starting_chart": "dice.charts",
    "match_chart": "dice.charts",
    "convergence_chart": "dice.charts",
    "exchange_frame": ".solutions.cards",
    "card_strategy": ".solutions.cards",
    "train_cards": ".solutions.cards",
    "exchange_grid": "cards.tables",
    "discard_table": "cards.tables",
    "kept_table": "cards.tells",
    "posterior_table": "cards.tells",
    "hand_value_table": "cards.samples",
    "no_trick_table": "cards.samples",
    "stand_table": "cards.samples",
    "stand_summary": "cards.samples",
    "seat_table": "cards.compare",
    "variant_table": "cards.compare",
    "suit_mouche_table": "cards.compare",
    "exchange_grid_chart": "cards.charts",
    "exchange_page": "cards.charts",
    "hand_value_chart": "cards.charts",
    "no_trick_chart": "cards.charts",
    "stand_chart": "cards.charts",
    "kept_chart": "cards.charts",
    "seat_chart": "cards.charts",
}

__getattr__, __dir__, __all__ = attach(__name__, _HOME)


def _import_matplotlib() -> None:
    """Import matplotlib also where the environment names a backend that there is not.

    Nothing here needs one; a backend that there is stays the one of the process.
    """
    named = os.environ["MPLBACKEND"]
    os.environ["MPLBACKEND"] = "agg"
    try:
        import matplotlib
    finally:
        os.environ["MPLBACKEND"] = named
    with suppress(ValueError):
        matplotlib.rcParams["backend"] = named


if "MPLBACKEND" in os.environ and "matplotlib" not in sys.modules:
    _import_matplotlib()
