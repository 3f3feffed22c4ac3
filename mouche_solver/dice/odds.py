"""Exact odds: how likely a claim is true, given the dice in play and perhaps one hand.

Every probability is a binomial count of unknown dice plus a known count. Numerators are whole
numbers over ``faces ** unknown``; the one rounding is the last division, so that floats are the
nearest ones.
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import accumulate
from math import comb
from typing import Literal, overload

import numpy as np
from numpy.typing import NDArray

from mouche_solver.core.checks import shown, whole
from mouche_solver.dice.rules.hands import Hand, as_hand, matches
from mouche_solver.dice.rules.notation import format_hand
from mouche_solver.dice.rules.rules import DiceRules, Truth, as_claim
from mouche_solver.errors import NotationError, RulesError

# More are a slip of the hand, and exact odds would take minutes.
MOST_DICE = 1_000


def count_numerators(dice: int, faces: int, good: int = 1) -> tuple[int, ...]:
    """Rolls of ``dice`` dice by how many of them show one of ``good`` faces.

    Parameters
    ----------
    dice : int
        Number of dice, 0 or more.
    faces : int
        Faces of a die.
    good : int
        Faces that count, 1 plain and 2 with a wild face.

    Returns
    -------
    tuple of int, length ``dice + 1``
        Ordered rolls with 0, 1, ..., ``dice`` matching dice; they add up to ``faces ** dice``.

    Raises
    ------
    RulesError
        For numbers that no dice have, or more than 1,000.

    Examples
    --------
    >>> count_numerators(2, 6)
    (25, 10, 1)
    """
    dice, faces, good = _plain(dice, faces, good)
    return _numerators(dice, faces, good)


def _plain(dice: int, faces: int, good: int) -> tuple[int, int, int]:
    """Plain ints: numpy's equal them as keys of a cache, and overflow."""
    dice, faces, good = whole("dice", dice), whole("faces", faces), whole("good", good)
    if not 0 <= dice <= MOST_DICE or not 0 <= good <= faces or not 1 <= faces <= MOST_DICE:
        raise RulesError(
            f"dice={shown(dice)}, faces={shown(faces)}, good={shown(good)}: allowed are 0 to "
            f"{MOST_DICE:,} dice of 1 to {MOST_DICE:,} faces, of which 0 to all are good"
        )
    return dice, faces, good


@cache
def _numerators(dice: int, faces: int, good: int) -> tuple[int, ...]:
    bad = faces - good
    return tuple(comb(dice, k) * good**k * bad ** (dice - k) for k in range(dice + 1))


def count_distribution(
    dice: int, faces: int, good: int = 1, at_least: bool = False
) -> tuple[float, ...]:
    """Chance of exactly, or at least, 0, 1, ..., ``dice`` matching dice, each the nearest float.

    Parameters
    ----------
    dice, faces, good : int
        As in :func:`count_numerators`.
    at_least : bool
        Chance of that many or more.

    Returns
    -------
    tuple of float, length ``dice + 1``

    Examples
    --------
    >>> count_distribution(10, 6, at_least=True)[3]
    0.22477320212874055
    """
    return _distribution(*_plain(dice, faces, good), bool(at_least))


@cache
def _distribution(dice: int, faces: int, good: int, at_least: bool) -> tuple[float, ...]:
    numerators, rolls = _numerators(dice, faces, good), faces**dice
    if at_least:
        numerators = tuple(accumulate(reversed(numerators)))[::-1]
    return tuple(ways / rolls for ways in numerators)


def quantity_probability(
    quantity: int,
    unknown: int,
    faces: int,
    *,
    good: int = 1,
    known: int = 0,
    truth: Truth = "at-least",
) -> Fraction:
    """Chance that a quantity is correct, on plain numbers.

    Parameters
    ----------
    quantity : int
        The claimed number of dice.
    unknown : int
        Dice that nobody has shown, up to 1,000.
    faces : int
        Faces of a die.
    good : int
        Faces that count, 1 plain and 2 with a wild face.
    known : int
        Matching dice that are known, beside the unknown ones.
    truth : {"at-least", "exactly"}
        When a claim is correct.

    Returns
    -------
    fractions.Fraction

    Examples
    --------
    >>> quantity_probability(1, unknown=2, faces=6)
    Fraction(11, 36)
    """
    unknown, faces, good = _plain(unknown, faces, good)
    numerators = _numerators(unknown, faces, good)
    needed = whole("quantity", quantity) - whole("known", known)
    if truth == "exactly":
        ways = numerators[needed] if 0 <= needed <= unknown else 0
    else:
        ways = sum(numerators[max(needed, 0) :])
    return Fraction(ways, faces**unknown)


@overload
def claim_probability(
    rules: DiceRules,
    claim: tuple[int, int],
    hand: Sequence[int] | None = ...,
    exact: Literal[False] = ...,
) -> float: ...
@overload
def claim_probability(
    rules: DiceRules,
    claim: tuple[int, int],
    hand: Sequence[int] | None = ...,
    *,
    exact: Literal[True],
) -> Fraction: ...
def claim_probability(
    rules: DiceRules, claim: tuple[int, int], hand: Sequence[int] | None = None, exact: bool = False
) -> float | Fraction:
    """Chance that a claim is correct.

    Parameters
    ----------
    rules : DiceRules
        Dice in play, faces, wild face and the meaning of "correct".
    claim : Claim or (quantity, face)
        The claim; a quantity above the dice in play has probability 0.
    hand : sequence of int, optional
        The faces under one cup, any player's; the other dice are unknown.
    exact : bool
        Return a Fraction, not a float.

    Returns
    -------
    float or fractions.Fraction
        The float is the one nearest to the Fraction.

    Raises
    ------
    NotationError
        When the face is not on the dice, the quantity is below 1, or the hand is nobody's.

    Examples
    --------
    >>> claim_probability(DiceRules(), (3, 5))
    0.22477320212874055
    >>> claim_probability(DiceRules(dice=(1, 1)), (2, 5), hand=[5], exact=True)
    Fraction(1, 6)
    """
    claim = as_claim(claim)
    if not 1 <= claim.face <= rules.faces:
        raise NotationError(f"claim {claim}: dice have faces 1 to {rules.faces}")
    if claim.quantity < 1:
        raise NotationError(f"claim {claim}: the quantity is 1 or more")
    known = check_hand(rules, hand)
    chance = quantity_probability(
        claim.quantity,
        rules.total_dice - len(known),
        rules.faces,
        good=good_faces(rules, claim.face),
        known=matches(known, claim.face, rules.wild),
        truth=rules.truth,
    )
    return chance if exact else float(chance)


def good_faces(rules: DiceRules, face: int) -> int:
    """Faces of a die that count as ``face``: two with a wild face, but one for the wild itself."""
    return 1 if rules.wild is None or rules.wild == face else 2


def check_hand(rules: DiceRules, hand: Sequence[int] | None) -> Hand:
    """The hand in ascending order, empty when there is none; it must be able to be some player's.

    Parameters
    ----------
    rules : DiceRules
    hand : sequence of int or None

    Returns
    -------
    tuple of int

    Raises
    ------
    NotationError
        When a face is not on the dice, or no player has that many dice.
    """
    if hand is None:
        return ()
    hand = as_hand(hand)
    for face in hand:
        if not 1 <= face <= rules.faces:
            raise NotationError(
                f"hand {format_hand(hand)}: {face} is not a die; dice have faces 1 to {rules.faces}"
            )
    if len(hand) not in rules.dice:
        counts = " or ".join(map(str, sorted(set(rules.dice))))
        raise NotationError(
            f"hand {format_hand(hand)!r} has {len(hand)} dice; a player has {counts}"
        )
    return hand


def count_table(rules: DiceRules, hand: Sequence[int] | None = None) -> NDArray[np.float64]:
    """Distribution of how many dice count as each face.

    With ``truth="at-least"`` and with ``"exactly"`` alike, the highest true claim on a face is the
    count itself. So column ``f - 1`` is also the distribution of the highest true claim on face
    ``f``; row 0 is the chance that no claim on it is true.

    Parameters
    ----------
    rules : DiceRules
        Dice in play, faces and wild face.
    hand : sequence of int, optional
        The faces under one cup, any player's.

    Returns
    -------
    ndarray of float64, shape (N + 1, F)
        Probability of count q at ``[q, face - 1]`` for N dice in play; each column adds up to 1.

    Raises
    ------
    NotationError
        When the hand is nobody's.

    Examples
    --------
    >>> count_table(DiceRules(dice=(1, 1), faces=2), hand=[2])
    array([[0.5, 0. ],
           [0.5, 0.5],
           [0. , 0.5]])
    """
    return _table(rules, hand, at_least=False)


def claim_table(rules: DiceRules, hand: Sequence[int] | None = None) -> NDArray[np.float64]:
    """Chance that each claim is correct: :func:`claim_probability` for all claims at once.

    Parameters
    ----------
    rules : DiceRules
        Dice in play, faces, wild face and the meaning of "correct".
    hand : sequence of int, optional
        The faces under one cup, any player's.

    Returns
    -------
    ndarray of float64, shape (N, F)
        Probability of claim ``QxF`` at ``[Q - 1, F - 1]`` for N dice in play.

    Raises
    ------
    NotationError
        When the hand is nobody's.

    Examples
    --------
    >>> claim_table(DiceRules(dice=(1, 1), faces=2), hand=[2])
    array([[0.5, 1. ],
           [0. , 0.5]])
    """
    return _table(rules, hand, at_least=rules.truth == "at-least")[1:]


def _table(rules: DiceRules, hand: Sequence[int] | None, at_least: bool) -> NDArray[np.float64]:
    """Chance of a count of exactly, or at least, q = 0..N for every face; shape (N + 1, F)."""
    known = check_hand(rules, hand)
    total, unknown = rules.total_dice, rules.total_dice - len(known)
    faces = range(1, rules.faces + 1)
    # Row 0 is for a plain face, row 1 for one that the wild face helps. Index ``total`` means that
    # no unknown die is needed; to its left fewer than none are.
    padded = np.zeros((2, 2 * total + 1))
    padded[:, :total] = 1.0 if at_least else 0.0
    for row, good in zip(padded, (1, 2), strict=True):
        row[total : total + unknown + 1] = count_distribution(unknown, rules.faces, good, at_least)
    helped = np.array([good_faces(rules, face) - 1 for face in faces])
    own = np.array([matches(known, face, rules.wild) for face in faces])
    needed = np.arange(total + 1)[:, None] - own
    table: NDArray[np.float64] = padded[helped, needed + total]
    return table
