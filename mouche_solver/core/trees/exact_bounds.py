"""Proof of a zero-sum game's value as a fraction, from strategies in floating point.

The probabilities are replaced by nearby fractions, which are strategies too, and each player's
best response to them is computed in whole numbers. The value of the game lies between the two; when
they are equal, it is proved.
"""

from fractions import Fraction
from math import lcm

from mouche_solver.core.trees.extensive import FloatArray, SequenceForm

DENOMINATORS = (60, 1_000, 30_000, 1_000_000)
# Whole numbers longer than this mean that the fractions were not the true ones.
MAX_BITS = 4096
# A probability below this is taken for zero.
TINY = 1e-9


def exact_value(form: SequenceForm, strategy: FloatArray) -> Fraction | None:
    """The value for player 0 when it can be proved, else None.

    Parameters
    ----------
    form : SequenceForm
        Two players, zero-sum.
    strategy : float64 array, shape (sequences,)
        An equilibrium up to rounding.
    """
    for denominator in DENOMINATORS:
        rounded = _rounded(form, strategy, denominator)
        low = exact_best_response(form, rounded, 1)
        high = exact_best_response(form, rounded, 0)
        if low is None or high is None:
            return None
        if -low == high:
            return high
    return None


def exact_best_response(
    form: SequenceForm, strategy: list[Fraction], player: int
) -> Fraction | None:
    """What the best response of ``player`` gets, or None when the numbers grow too long.

    Parameters
    ----------
    form : SequenceForm
        Two players.
    strategy : list of Fraction, length (sequences,)
    player : int
    """
    reach = _reach(form, strategy, 1 - player)
    scale = lcm(*(x.denominator for x in reach))
    chance_scale = lcm(*(x.denominator for x in form.chances))
    payoff_scale = lcm(*(row[player].denominator for row in form.payoffs))
    if scale.bit_length() > MAX_BITS or chance_scale.bit_length() > MAX_BITS:
        return None
    whole_reach = [int(x * scale) for x in reach]
    chances = [int(x * chance_scale) for x in form.chances]
    payoffs = [int(row[player] * payoff_scale) for row in form.payoffs]
    value = [0] * form.sequences
    own, other = form.leaf_sequence.T[[player, 1 - player]].tolist()
    rows = zip(own, other, form.leaf_chance.tolist(), form.leaf_payoff.tolist(), strict=True)
    for mine, theirs, chance, payoff in rows:
        if whole_reach[theirs]:
            value[mine] += whole_reach[theirs] * chances[chance] * payoffs[payoff]
    for infoset in range(len(form.owner) - 1, -1, -1):
        if form.owner[infoset] == player:
            first, last = form.start[infoset], form.start[infoset + 1]
            value[form.parent[infoset]] += max(value[first:last])
    return Fraction(value[player], scale * chance_scale * payoff_scale)


def _rounded(form: SequenceForm, strategy: FloatArray, denominator: int) -> list[Fraction]:
    """Nearby strategies with small denominators; probabilities still add up to one."""
    rounded = [Fraction(1)] * form.players
    for infoset in range(len(form.owner)):
        row = strategy[form.start[infoset] : form.start[infoset + 1]].tolist()
        near = [
            Fraction(p).limit_denominator(denominator) if p > TINY else Fraction(0) for p in row
        ]
        total = sum(near)
        rounded += [p / total for p in near]
    return rounded


def _reach(form: SequenceForm, strategy: list[Fraction], player: int) -> list[Fraction]:
    reach = [Fraction(0)] * form.sequences
    reach[player] = Fraction(1)
    for infoset in range(len(form.owner)):
        own = reach[form.parent[infoset]]
        if form.owner[infoset] == player and own:
            for s in range(form.start[infoset], form.start[infoset + 1]):
                reach[s] = own * strategy[s]
    return reach
