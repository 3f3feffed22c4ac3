"""Claims and their order: what may be claimed first, and what may follow what."""

from functools import cache

from mouche_solver.dice.rules.rules import Claim, DiceRules, as_claim


def can_raise(rules: DiceRules, before: Claim, after: Claim) -> bool:
    """Whether ``after`` outbids ``before``.

    Examples
    --------
    >>> can_raise(DiceRules(), Claim(3, 5), Claim(3, 6))
    True
    >>> can_raise(DiceRules(), Claim(3, 5), Claim(5, 4))
    False
    """
    more = after.quantity > before.quantity
    if rules.raise_rule == "quantity-first":
        return more or (after.quantity == before.quantity and after.face > before.face)
    if after.face == before.face:
        return more
    if rules.raise_rule == "face-first":
        return after.face > before.face
    return after.face > before.face and after.quantity >= before.quantity


def all_claims(rules: DiceRules) -> tuple[Claim, ...]:
    """Every claim of the game, ordered so that a raise always comes later.

    Examples
    --------
    >>> [str(claim) for claim in all_claims(DiceRules(dice=(1, 1), faces=2))]
    ['1x1', '2x1', '1x2', '2x2']
    """
    claims = [
        Claim(q, f) for f in range(1, rules.faces + 1) for q in range(1, rules.total_dice + 1)
    ]
    if rules.raise_rule == "quantity-first":
        claims.sort()
    return tuple(claims)


def legal_claims(rules: DiceRules, last: Claim | None) -> tuple[Claim, ...]:
    """The claims that may follow ``last``, or open the round when it is None.

    Examples
    --------
    >>> len(legal_claims(DiceRules(), Claim(3, 5)))
    15
    """
    return _legal(rules, None if last is None else as_claim(last))


@cache
def _legal(rules: DiceRules, last: Claim | None) -> tuple[Claim, ...]:
    if last is None:
        return tuple(c for c in all_claims(rules) if c.quantity >= rules.minimum_opening)
    return tuple(claim for claim in all_claims(rules) if can_raise(rules, last, claim))


def lines_of_claims(rules: DiceRules) -> int:
    """Lines of claims, the empty one included; each but the empty one may be doubted.

    Examples
    --------
    >>> lines_of_claims(DiceRules(dice=(1, 1), faces=2))
    12
    """
    lines: dict[Claim, int] = {}
    for claim in reversed(all_claims(rules)):
        lines[claim] = 1 + sum(lines[after] for after in legal_claims(rules, claim))
    return 1 + sum(lines[first] for first in legal_claims(rules, None))
