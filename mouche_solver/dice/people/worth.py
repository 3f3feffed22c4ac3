"""What actions win from people, whichever of the six it is.

Good play is worth much the same against everybody who plays well. Off its path several actions are
often nearly as good, and people answer them very differently: most doubt a bluff at once. Here
every action is priced against each of the six human-like players, with his range after the claims
so far, and the prices are averaged. After the action the own moves are the honest player's: anybody
can make them.
"""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from mouche_solver.dice.people.fitted import opponent_range
from mouche_solver.dice.people.players import PEOPLE, Person
from mouche_solver.dice.people.sight import Floats, look, own_counts
from mouche_solver.dice.rules.claims import legal_claims
from mouche_solver.dice.rules.rules import Claim, DiceRules

Singles = NDArray[np.float32]
# Pairs of hands up to which rounds are priced: 6 v 6 has 213,444, and takes 220 MB.
PAIRS = 250_000


def worth_to_people(rules: DiceRules, history: Sequence[Claim]) -> Floats | None:
    """Mean payoff of every action of the player to act against the six human-like players.

    Parameters
    ----------
    rules : DiceRules
        Of two players.
    history : sequence of Claim
        At least one, after which a raise is legal.

    Returns
    -------
    float64 array, shape (hands, actions), or None
        Payoffs of +1 and -1, the doubt first. None for rounds of more than ``PAIRS`` pairs of
        hands.

    Examples
    --------
    >>> worth = worth_to_people(DiceRules(dice=(1, 1), faces=2), [Claim(1, 1)])
    >>> worth.round(2).tolist()  # hands 1 and 2: a doubt, 2x1, 1x2, 2x2
    [[-1.0, 0.14, 0.68, -1.0], [-0.14, -0.18, 0.14, -0.14]]
    """
    player = len(history) % 2
    sight = look(rules, history)
    if len(sight.hands) * len(own_counts(rules, 1 - player)) > PAIRS:
        return None
    his = np.stack(
        [opponent_range(person, rules, 1 - player, history) for person in PEOPLE.values()]
    )
    doubt = -_true(rules, player, history[-1]) @ his.T
    answered = _answered(rules, player)
    raised = [
        np.einsum("phg,pg->h", answered[claim].astype(np.float32), his.astype(np.float32))
        for claim in sight.raises
    ]
    return np.stack([doubt.mean(axis=1), *(each / len(his) for each in raised)], axis=1)


def _true(rules: DiceRules, player: int, claim: Claim) -> Singles:
    """+1 where a claim is true, else -1, shape (own hands, other hands)."""
    own, other = (own_counts(rules, each)[:, claim.face - 1] for each in (player, 1 - player))
    count = own[:, None] + other[None]
    true = count == claim.quantity if rules.truth == "exactly" else count >= claim.quantity
    return np.where(true, 1.0, -1.0).astype(np.float32)


@lru_cache(maxsize=4)
def _answered(rules: DiceRules, player: int) -> dict[Claim, NDArray[np.float16]]:
    """What each own claim is worth against each person, shape (people, own hands, his hands)."""
    each = [_against(rules, player, person) for person in PEOPLE.values()]
    return {claim: np.stack([one[claim] for one in each]) for claim in each[0]}


def _against(rules: DiceRules, player: int, person: Person) -> dict[Claim, NDArray[np.float16]]:
    """The same for one person: from the last claim up, his answer, then the honest player's."""
    mine: dict[Claim, Singles] = {}
    his: dict[Claim, Singles] = {}
    for claim in reversed(legal_claims(rules, None)):
        true, raises = _true(rules, player, claim), legal_claims(rules, claim)
        answer = _mix(rules, 1 - player, person, claim)
        own = _mix(rules, player, PEOPLE["honest"], claim)
        mine[claim] = true * answer[:, 0]
        his[claim] = -true * own[:, :1]
        for column, after in enumerate(raises, start=1):
            hands = np.flatnonzero(answer[:, column])
            mine[claim][:, hands] += answer[hands, column] * his[after][:, hands]
            hands = np.flatnonzero(own[:, column])
            his[claim][hands] += own[hands, column, None] * mine[after][hands]
    return {claim: worth.astype(np.float16) for claim, worth in mine.items()}


def _mix(rules: DiceRules, player: int, person: Person, last: Claim) -> Singles:
    mix = person.mix_at(rules, player, last)
    return mix.astype(np.float32)
