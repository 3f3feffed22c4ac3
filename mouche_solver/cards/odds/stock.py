"""Exact odds that the stock runs out, given how often the players exchange."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from mouche_solver.cards.rules.rules import CardRules
from mouche_solver.core.checks import fraction, whole
from mouche_solver.errors import RulesError

PASS = -1


def stock_runs_out(rules: CardRules, declared: Sequence[Mapping[int, Fraction]]) -> Fraction:
    """Chance that the players ask for more cards than the stock holds.

    Parameters
    ----------
    rules : CardRules
    declared : sequence of mapping
        For each seat, first hand to dealer: the chances of passing (-1), standing (0) and
        exchanging 1, 2, ... cards, independent of the other seats. The dealer is not asked if
        all others pass.

    Raises
    ------
    RulesError
        When a seat is missing or its chances are none.

    Examples
    --------
    >>> all_in = {5: Fraction(1)}
    >>> print(stock_runs_out(CardRules(players=4), [all_in] * 4))
    1
    """
    declared = [
        {whole("declared", said): fraction("chance", chance) for said, chance in each.items()}
        for each in declared
    ]
    if len(declared) != rules.players:
        raise RulesError(f"{len(declared)} seats declare: give one for each of {rules.players}")
    for seat, chances in enumerate(declared):
        known = all(PASS <= k <= rules.max_exchange and p >= 0 for k, p in chances.items())
        if not known or sum(chances.values()) != 1:
            raise RulesError(
                f"seat {seat}: give chances of -1 to {rules.max_exchange} that add up to 1"
            )
    if not rules.reshuffle:
        return Fraction(0)
    states = {(False, 0): Fraction(1)}  # whether anyone is in, cards asked for
    for seat, chances in enumerate(declared):
        following: dict[tuple[bool, int], Fraction] = {}
        for (inside, asked), reached in states.items():
            silent = seat == rules.players - 1 and not inside
            for said, chance in ({0: Fraction(1)} if silent else chances).items():
                state = (inside or said > PASS, asked + max(said, 0))
                following[state] = following.get(state, Fraction(0)) + reached * chance
        states = following
    return sum((p for (_, asked), p in states.items() if asked > rules.stock_size), Fraction(0))


def any_declaration(rules: CardRules) -> dict[int, Fraction]:
    """Every declaration equally likely: pass, stand, each number of cards."""
    return {
        said: Fraction(1, rules.max_exchange + 2) for said in range(PASS, rules.max_exchange + 1)
    }
