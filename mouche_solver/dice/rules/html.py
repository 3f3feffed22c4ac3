"""Rules, hands, positions and strategies as HTML: plain text, for notebooks and the report.

Nothing here imports what it shows: rooms above this one hand over what is to be seen.
"""

from collections.abc import Sequence
from html import escape
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from mouche_solver.core.markup import likeliest
from mouche_solver.dice.rules.hands import Hand
from mouche_solver.dice.rules.notation import format_claims, format_hand
from mouche_solver.dice.rules.rules import Claim, DiceRules


class ShownMix(Protocol):
    """What every hand does after a line of claims, as strategies in the rooms above tell it."""

    @property
    def history(self) -> Sequence[Claim]:
        """The claims so far."""

    @property
    def player(self) -> int:
        """The player to act."""

    @property
    def hands(self) -> Sequence[Hand]:
        """The player's hands."""

    @property
    def actions(self) -> Sequence[str]:
        """``doubt`` where it is allowed, then the claims."""

    @property
    def probabilities(self) -> NDArray[np.float64]:
        """Shape (hands, actions)."""


# Where a die's pips sit on a grid of three by three; faces above six show their number.
_PIPS = {
    1: [(1, 1)],
    2: [(0, 0), (2, 2)],
    3: [(0, 0), (1, 1), (2, 2)],
    4: [(0, 0), (0, 2), (2, 0), (2, 2)],
    5: [(0, 0), (0, 2), (1, 1), (2, 0), (2, 2)],
    6: [(0, 0), (0, 1), (0, 2), (2, 0), (2, 1), (2, 2)],
}
# A position shows the hands that are likeliest to be asked about, not all of them.
_ROWS = 12


def hand_svg(hand: Sequence[int], size: int = 22) -> str:
    """A hand drawn as dice.

    Parameters
    ----------
    hand : sequence of int
        Faces; those above six show their number.
    size : int
        Side of a die in pixels.

    Returns
    -------
    str
        One ``svg`` element with the hand's text as its label.

    Examples
    --------
    >>> hand_svg((1, 6)).count("<circle")
    7
    """
    step = size + 4
    dice = "".join(
        f'<g transform="translate({n * step + 1},1)">{_die(face, size)}</g>'
        for n, face in enumerate(hand)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="dice {format_hand(hand)}" '
        f'width="{max(len(hand), 1) * step}" height="{size + 2}">{dice}</svg>'
    )


def _die(face: int, size: int) -> str:
    box = f'<rect width="{size}" height="{size}" rx="{size / 5:g}" fill="#fff" stroke="#222"/>'
    if face not in _PIPS:
        return box + (
            f'<text x="{size / 2:g}" y="{size * 0.7:g}" text-anchor="middle" '
            f'font-size="{size * 0.6:g}" fill="#222">{face}</text>'
        )
    return box + "".join(
        f'<circle cx="{size * (1 + x) / 4:g}" cy="{size * (1 + y) / 4:g}" r="{size / 11:g}" '
        'fill="#222"/>'
        for x, y in _PIPS[face]
    )


def die_svg(face: int, size: int = 16) -> str:
    """One die as an ``svg`` element."""
    return f'<svg width="{size + 2}" height="{size + 2}" viewBox="-1 -1 {size + 2} {size + 2}">' + (
        f"{_die(face, size)}</svg>"
    )


def rules_text(rules: DiceRules) -> str:
    """The rules of a round in a line: what is usual stays unsaid.

    Examples
    --------
    >>> rules_text(DiceRules(dice=(2, 1), wild=1))
    '2 v 1 dice, 6 faces, 1 wild'
    """
    usual = DiceRules()
    words = [f"{' v '.join(map(str, rules.dice))} dice", f"{rules.faces} faces"]
    if rules.wild is not None:
        words.append(f"{rules.wild} wild")
    if rules.raise_rule != usual.raise_rule:
        words.append(rules.raise_rule)
    if rules.truth != usual.truth:
        words.append(rules.truth)
    if rules.minimum_opening != usual.minimum_opening:
        words.append(f"opening at {rules.minimum_opening} or more")
    return ", ".join(words)


def rules_html(rules: DiceRules) -> str:
    """A table of all rules."""
    return rules._repr_html_()


def round_html(rules: DiceRules, cups: Sequence[Hand], line: str, loser: int | None = None) -> str:
    """The cups, drawn, and the claims so far; at the end also who loses a point."""
    rows = "".join(
        f"<tr><th>player {player}</th><td>{hand_svg(hand)}</td></tr>"
        for player, hand in enumerate(cups)
    )
    end = "" if loser is None else f"<p>player {loser} loses a point</p>"
    title = f"<b>{escape(rules_text(rules))}</b>"
    return f"{title}<table>{rows}</table><p>{escape(line or 'no claim yet')}</p>{end}"


def strategy_html(rules: DiceRules, quality_text: str, opening: ShownMix) -> str:
    """The rules of a strategy, its quality, and how the round is opened."""
    return (
        f"<b>Dice Mouche: {escape(rules_text(rules))}</b>"
        f"<p>{escape(quality_text)}</p>{mix_html(opening)}"
    )


def mix_html(mix: ShownMix) -> str:
    """What hands do after a line of claims: a few rows, the likeliest actions of each."""
    said = format_claims(mix.history) or "opening"
    shown = range(0, len(mix.hands), max(1, -(-len(mix.hands) // _ROWS)))
    rows = "".join(
        f"<tr><td>{hand_svg(mix.hands[row])}</td><td>{_spoken(mix, row)}</td></tr>" for row in shown
    )
    note = f"<p>{len(shown)} of {len(mix.hands)} hands</p>" if len(shown) < len(mix.hands) else ""
    return f"<p>player {mix.player} after: {escape(said)}</p><table>{rows}</table>{note}"


def _spoken(mix: ShownMix, row: int) -> str:
    return likeliest(zip(mix.actions, mix.probabilities[row].tolist(), strict=True))
