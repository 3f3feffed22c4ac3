"""What a solved whole table and the match above it show in notebooks."""

from html import escape
from itertools import islice

from mouche_solver.core.markup import grid
from mouche_solver.dice.rules.html import ShownMix, mix_html, rules_text
from mouche_solver.dice.rules.rules import DiceRules

# Each seat's chance to win, by points and starter.
Chances = dict[tuple[tuple[int, ...], int], tuple[float, ...]]

_ROWS = 12  # a match has thousands of scores


def table_html(rules: DiceRules, known: str, opening: ShownMix) -> str:
    """The rules, what is known of the strategies in lines, and how the round is opened."""
    lines = "<br/>".join(map(escape, known.splitlines()))
    return f"<b>Dice Mouche: {escape(rules_text(rules))}</b><p>{lines}</p>{mix_html(opening)}"


def match_html(rules: DiceRules, chances: Chances, largest_gain: float | None) -> str:
    """Chances to win at the scores with the most points, from the first one on.

    ``largest_gain`` is None where the values of rounds of two are taken as given.
    """
    seats = range(rules.players)
    heads = ["points", "starter", *(f"seat {seat} wins" for seat in seats)]
    rows = [
        [", ".join(map(str, points)), str(starter), *(f"{chance:.2%}" for chance in wins)]
        for (points, starter), wins in islice(reversed(chances.items()), _ROWS)
    ]
    gain = ""
    if largest_gain is not None:
        gain = f"<p>the most that deviating in one round gains: {largest_gain:.1e}</p>"
    return (
        f"<b>Dice Mouche, the match: {escape(rules_text(rules))}</b>"
        f"{gain}{grid(heads, rows)}<p>{len(rows)} of {len(chances)} scores</p>"
    )
