"""Exact odds: every function returns :class:`fractions.Fraction`, every table floats nearest to it.

Nothing is sampled. What would need more enumeration than is sensible raises
:class:`~mouche_solver.errors.TooLargeError` with the count.
"""

from mouche_solver.cards.odds.draw import (
    Want,
    cards_out,
    improves,
    trumps_after_exchange,
    trumps_dealt,
    trumps_exchanging,
)
from mouche_solver.cards.odds.mouche import (
    mouche_at_table,
    mouche_count,
    mouche_dealt,
    mouche_elsewhere,
    mouche_given_stood,
)
from mouche_solver.cards.odds.stock import any_declaration, stock_runs_out
from mouche_solver.cards.odds.tables import (
    hit_table,
    mouche_given_range,
    out_table,
    trump_table,
)
from mouche_solver.cards.odds.unseen import Seen

__all__ = [
    "Seen",
    "Want",
    "any_declaration",
    "cards_out",
    "hit_table",
    "improves",
    "mouche_at_table",
    "mouche_count",
    "mouche_dealt",
    "mouche_elsewhere",
    "mouche_given_range",
    "mouche_given_stood",
    "out_table",
    "stock_runs_out",
    "trump_table",
    "trumps_after_exchange",
    "trumps_dealt",
    "trumps_exchanging",
]
