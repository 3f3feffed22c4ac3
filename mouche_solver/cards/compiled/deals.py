"""Random deals by the hundred thousand, each logged in full."""

import numpy as np

from mouche_solver.cards.compiled.arrays import compile_deal, compile_play
from mouche_solver.cards.kernels.mouche import DealLog, Scratch
from mouche_solver.cards.kernels.sampled_deals import random_deals
from mouche_solver.cards.rules.rules import CardRules

CHUNK = 1 << 15  # deals that share one random stream


def new_log(rules: CardRules, number: int) -> DealLog:
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


def sample_deals(rules: CardRules, number: int, seed: int) -> DealLog:
    """Deals in which everybody declares and plays at random.

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

    Examples
    --------
    >>> log = sample_deals(CardRules(players=3), number=100, seed=1)
    >>> bool(((log.tricks.sum(axis=1) == 5) == (log.how == 2)).all())
    True
    """
    log = new_log(rules, number)
    deal, play = compile_deal(rules), compile_play(rules)
    starts = range(0, number, CHUNK)
    for start, seeds in zip(starts, np.random.SeedSequence(seed).spawn(len(starts)), strict=True):
        work = Scratch(
            order=np.arange(rules.pack.size),
            hands=np.zeros(rules.players, np.int64),
            seats=np.zeros(rules.players, np.int64),
            stock=np.zeros(3, np.int64),
        )
        state = np.array(seeds.generate_state(1, np.uint64), np.uint64)
        random_deals(start, min(start + CHUNK, number), deal, play, work, log, state)
    return log
