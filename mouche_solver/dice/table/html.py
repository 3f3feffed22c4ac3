"""What a solved whole table and the match above it show in notebooks."""

from html import escape
from itertools import islice
from typing import TYPE_CHECKING

from mouche_solver.core.markup import grid
from mouche_solver.dice.round.strategy import HandMix
from mouche_solver.dice.rules.hands import all_hands
from mouche_solver.dice.rules.html import mix_html, rules_text
from mouche_solver.dice.rules.notation import format_hand

if TYPE_CHECKING:
    from mouche_solver.dice.table.match import MatchValues
    from mouche_solver.dice.table.solution import TableSolution

_ROWS = 12  # a match has thousands of scores


def table_html(solution: "TableSolution") -> str:
    """The rules, each player's value and possible gain, and how the round is opened."""
    rules = solution.rules
    hands = tuple(all_hands(rules.dice[0], rules.faces)[0])
    actions = tuple(solution.policy(format_hand(hands[0])))
    opening = HandMix((), 0, hands, actions, solution.probabilities().T)
    known = "<br/>".join(map(escape, solution.describe().splitlines()))
    return f"<b>Dice Mouche: {escape(rules_text(rules))}</b><p>{known}</p>{mix_html(opening)}"


def match_html(values: "MatchValues") -> str:
    """Chances to win at the scores with the most points, from the first one on."""
    seats = range(values.rules.players)
    heads = ["points", "starter", *(f"seat {seat} wins" for seat in seats)]
    rows = [
        [", ".join(map(str, points)), str(starter), *(f"{chance:.2%}" for chance in chances)]
        for (points, starter), chances in islice(reversed(values.chances.items()), _ROWS)
    ]
    return (
        f"<b>Dice Mouche, the match: {escape(rules_text(values.rules))}</b>"
        f"{_gain(values)}{grid(heads, rows)}<p>{len(rows)} of {len(values.chances)} scores</p>"
    )


def _gain(values: "MatchValues") -> str:
    if not values.rounds:  # the values of rounds of two are taken as given
        return ""
    return f"<p>the most that deviating in one round gains: {values.largest_gain:.1e}</p>"
