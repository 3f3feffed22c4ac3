"""The one table of what random numbers are drawn for, and where each stream of them begins.

Work is cut into chunks and each chunk has a stream of its own, so that results do not depend on who
does the work. A stream is named by its :class:`Purpose`, the user's seed and the chunk's numbers;
no two streams begin with the same key.
"""

from enum import Enum

import numpy as np
from numpy.typing import NDArray

from mouche_solver.core.checks import check_seed

WORD = 1 << 32
_SEED_WORDS = 4


class Purpose(Enum):
    """What random numbers are drawn for: the number of the key, and what counts its streams.

    A number is never given twice, and never changes: results of a seed hang on it.
    """

    CARD_DECLARATIONS = 0, ("round", "chunk")
    CARD_PLAY = 1, ("round", "chunk")
    # Tournaments, levels and censuses of one seed are compared on the same deals.
    CARD_DEALS = 2, ("chunk",)
    CARD_RESPONSE_TRAIN = 3, ("chunk",)
    CARD_RESPONSE_TUNE = 4, ("chunk",)
    CARD_RESPONSE_TEST = 5, ("chunk",)
    CARD_LOOK_DEALS = 6, ("chunk",)
    CARD_LOOK_GUESSES = 7, ("chunk",)
    CARD_POT_VALUES = 8, ("block",)
    CARD_RANDOM_DEALS = 9, ("chunk",)
    CARD_THINK_PILOT = 10, ("stage",)
    CARD_THINK_POOLS = 11, ("stage",)
    CARD_THINK_GUESSES = 12, ("chunk",)
    CARD_THINK_DEALS = 13, ("chunk",)
    CARD_TABLE_TRAIN = 24, ("chunk",)
    CARD_TABLE_TUNE = 25, ("chunk",)
    CARD_TABLE_TEST = 26, ("chunk",)
    DICE_TRAIN = 16, ("batch", "chunk")
    DICE_RESPONSE_TRAIN = 17, ("batch", "chunk")
    DICE_TOURNAMENT = 18, ("chunk",)
    DICE_LOOK = 19, ("chunk",)
    DICE_THINK = 20, ("chunk",)
    DICE_LUCK = 21, ("event", "place")

    def __init__(self, number: int, counts: tuple[str, ...]) -> None:
        self.number, self.counts = number, counts


def stream(purpose: Purpose, seed: int, *counts: int) -> NDArray[np.uint64]:
    """The random numbers of one chunk of work.

    Parameters
    ----------
    purpose : Purpose
    seed : int
        0 to 2**128 - 1.
    counts : int
        One number from 0 to 2**32 - 1 for each of ``purpose.counts``.

    Returns
    -------
    uint64 array, shape (1,)
        What the kernels of :mod:`mouche_solver.core.random` advance.

    Raises
    ------
    RulesError
        For a seed outside its range.

    Examples
    --------
    >>> one, two = stream(Purpose.CARD_PLAY, 7, 0, 1), stream(Purpose.CARD_PLAY, 7, 1, 0)
    >>> bool(one[0] == two[0]), one.shape, one.dtype
    (False, (1,), dtype('uint64'))
    """
    word = np.random.SeedSequence(key(purpose, seed, *counts))
    return word.generate_state(1, np.uint64).astype(np.uint64)


def key(purpose: Purpose, seed: int, *counts: int) -> tuple[int, ...]:
    """What a stream is seeded by, in 32-bit words; no two streams have the same.

    Four words of seed are followed by the purpose's number and the counts. The sampled training of
    the dice game keeps the shorter key that it began with, one word of seed and the counts, where
    the seed has one word.

    Raises
    ------
    RulesError
        For a seed outside its range.
    """
    seed = check_seed(seed)  # plain: numpy's integers are too short for the shifts
    if len(counts) != len(purpose.counts) or not all(0 <= n < WORD for n in counts):
        raise ValueError(f"{purpose.name} needs {purpose.counts}, each below 2**32: {counts}")
    if purpose is Purpose.DICE_TRAIN and seed < WORD:
        # numpy fills up to four words with zeros; every other key has at least six.
        return seed, *counts, 0
    words = ((seed >> (32 * i)) % WORD for i in range(_SEED_WORDS))
    return *words, purpose.number, *counts
