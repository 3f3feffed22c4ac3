"""Tables and charts for notebooks."""

from mouche_solver.lazy import attach

_HOME = {
    "DiceFrames": "dice_frames",
    "DiceSolution": "dice_frames",
    "load": "dice_frames",
    "solve_dice": "dice_frames",
    "opening_table": "dice_tables",
    "response_table": "dice_tables",
    "group_table": "dice_tables",
    "range_table": "dice_tables",
    "bluff_table": "dice_claims",
    "claim_grid": "dice_claims",
    "doubt_table": "dice_claims",
    "doubt_frontier": "dice_claims",
    "odds_table": "odds_tables",
    "even_table": "odds_tables",
    "solve_rounds": "starting",
    "starting_table": "starting",
    "match_table": "match_tables",
    "match_grid": "match_tables",
    "RunRecord": "convergence",
    "save_table": "output",
    "save_figure": "output",
    "make_folder": "output",
    "styled": "output",
    "hand_chart": "dice_charts",
    "claim_chart": "dice_charts",
    "doubt_chart": "dice_charts",
    "doubt_heatmap": "dice_charts",
    "bluff_chart": "dice_charts",
    "range_chart": "dice_charts",
    "report_html": "dice_report",
    "write_report": "dice_report",
    "odds_chart": "number_charts",
    "even_chart": "number_charts",
    "starting_chart": "number_charts",
    "match_chart": "number_charts",
    "convergence_chart": "number_charts",
}

__getattr__, __dir__, __all__ = attach(__name__, _HOME)
