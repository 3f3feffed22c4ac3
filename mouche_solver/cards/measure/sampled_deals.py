"""Random deals by the hundred thousand, each logged in full."""

import numpy as np

from mouche_solver.cards.kernels.records import CARDS, CONTEXTS
from mouche_solver.cards.measure.kernels_sampled_deals import DealLog, Names, random_deals
from mouche_solver.cards.rules.pack import cards_of
from mouche_solver.cards.rules.rules import CardRules
from mouche_solver.cards.strategy.compile import compile_game, new_table
from mouche_solver.cards.strategy.contexts import Frame
from mouche_solver.cards.strategy.levels import Abstraction
from mouche_solver.core.checks import check_int, whole
from mouche_solver.core.streams import Purpose, stream

CHUNK = 1 << 15  # deals that share one random stream


def real_names(rules: CardRules) -> Names:
    """Every turn-up, with each suit that may be named under the Pamphile, by its context."""
    names = Names(
        number=np.zeros(CONTEXTS, np.int64),
        card=np.zeros((CONTEXTS, CARDS, CARDS), np.int64),
        turned=np.zeros((CONTEXTS, CARDS), np.int64),
        trump=np.zeros((CONTEXTS, CARDS), np.int64),
    )
    for turned in range(rules.pack.size):
        suits = range(len(rules.pack.suits))
        for named in suits if turned == rules.pamphile_card else (None,):
            frame = Frame(rules, turned, named)
            n = names.number[frame.context]
            real = [cards_of(frame.outside(1 << card))[0] for card in range(rules.pack.size)]
            names.card[frame.context, n, : len(real)] = real
            names.turned[frame.context, n], names.trump[frame.context, n] = turned, frame.trump
            names.number[frame.context] += 1
    return names


def _new_log(rules: CardRules, number: int) -> DealLog:
    """An empty log for ``number`` deals; :class:`DealLog` describes its arrays."""
    seats = (number, rules.players)
    small, wide = np.int8, np.int64
    return DealLog(
        turned=np.zeros(number, small),
        trump=np.zeros(number, small),
        dealt=np.zeros(seats, wide),
        declared=np.zeros(seats, small),
        laid=np.zeros(seats, wide),
        drawn=np.zeros(seats, wide),
        swapped=np.zeros(number, small),
        played=np.full((number, rules.players * rules.hand_size), -1, small),
        how=np.zeros(number, small),
        winner=np.zeros(number, small),
        tricks=np.zeros(seats, small),
        makes=np.zeros(seats, small),
    )


MOST_DEALS = 10**9


def sample_deals(rules: CardRules, number: int, seed: int) -> DealLog:
    """Deals in which everybody declares and plays at random.

    The kernels are those of training: a deal is dealt in the names of its context and logged in
    the names of one of the real deals that the context stands for, all equally likely.
    Under ``scoring="countdown"`` every deal is played to its last trick: points are not kept.

    Parameters
    ----------
    rules : CardRules
    number : int
        How many deals.
    seed : int
        The same seed gives the same deals.

    Returns
    -------
    DealLog
        Arrays whose first axis is the deal.

    Raises
    ------
    RulesError
        For more than a thousand million deals; for more than 7 players or more than 8 cards in a
        hand, which the kernels have no room for.

    Examples
    --------
    >>> log = sample_deals(CardRules(players=3), number=100, seed=1)
    >>> bool(((log.tricks.sum(axis=1) == 5) == (log.how == 2)).all())
    True
    """
    number, seed = check_int("number", number, 0, MOST_DEALS), whole("seed", seed)
    log = _new_log(rules, number)
    game, names = compile_game(Abstraction(rules, "coarse")), real_names(rules)
    game["fee"] = 0.0
    starts = range(0, number, CHUNK)
    for chunk, start in enumerate(starts):
        state = stream(Purpose.CARD_RANDOM_DEALS, seed, chunk)
        random_deals(start, min(start + CHUNK, number), names, game, new_table(), log, state)
    return log
