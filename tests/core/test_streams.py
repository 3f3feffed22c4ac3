"""Random streams: every purpose has its own, and what a seed trained before it trains now."""

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mouche_solver.core.random import below, next_word, uniform
from mouche_solver.core.streams import WORD, Purpose, key, stream
from mouche_solver.errors import RulesError

SEEDS = st.one_of(st.integers(0, 5), st.integers(0, WORD + 5), st.integers(0, 2**128 - 1))
COUNTS = st.one_of(st.integers(0, 5), st.integers(0, WORD - 1))


@st.composite
def names(draw: st.DrawFn) -> tuple[Purpose, int, tuple[int, ...]]:
    purpose = draw(st.sampled_from(Purpose))
    return purpose, draw(SEEDS), tuple(draw(COUNTS) for _ in purpose.counts)


def words(entropy: tuple[int, ...]) -> tuple[int, ...]:
    """What numpy mixes: 32-bit words, filled up to four with zeros."""
    assert all(0 <= number < WORD for number in entropy)
    return entropy + (0,) * (4 - len(entropy))


@given(names(), names())
def test_different_streams_have_different_keys(
    one: tuple[Purpose, int, tuple[int, ...]], two: tuple[Purpose, int, tuple[int, ...]]
) -> None:
    same = words(key(one[0], one[1], *one[2])) == words(key(two[0], two[1], *two[2]))
    assert same == (one == two)


def decode(entropy: tuple[int, ...]) -> tuple[Purpose, int, tuple[int, ...]]:
    """The stream of a key: a key that can be read back in one way only is no other's."""
    if len(entropy) == 4:
        return Purpose.DICE_TRAIN, entropy[0], entropy[1:3]
    numbers = {purpose.number: purpose for purpose in Purpose}
    seed = sum(word << (32 * i) for i, word in enumerate(entropy[:4]))
    return numbers[entropy[4]], seed, entropy[5:]


@given(names())
def test_every_key_can_be_read_back(name: tuple[Purpose, int, tuple[int, ...]]) -> None:
    purpose, seed, counts = name
    assert decode(words(key(purpose, seed, *counts))) == name


def test_no_number_is_given_twice() -> None:
    """Enum would make the second of two equal purposes an alias of the first."""
    numbers = [purpose.number for purpose in Purpose.__members__.values()]
    assert len(set(numbers)) == len(numbers)


def test_small_streams_of_all_purposes_begin_at_different_words() -> None:
    first = {}
    for purpose, seed in product(Purpose, (0, 1, 2)):
        for counts in product(range(12), repeat=len(purpose.counts)):
            first[purpose, seed, counts] = int(stream(purpose, seed, *counts)[0])
    assert len(set(first.values())) == len(first)
    assert len(first) > 1000


@pytest.mark.parametrize("seed", [0, 1, 7, 2**31 + 5])
def test_streams_of_trainings_are_those_of_earlier_versions(seed: int) -> None:
    def old(entropy: int | list[int], key: tuple[int, ...] = ()) -> int:
        return int(np.random.SeedSequence(entropy, spawn_key=key).generate_state(1, np.uint64)[0])

    assert stream(Purpose.CARD_DECLARATIONS, seed, 3, 4) == old(seed, (0, 3, 4))
    assert stream(Purpose.CARD_PLAY, seed, 3, 4) == old(seed, (1, 3, 4))
    assert stream(Purpose.CARD_DEALS, seed, 5) == old(seed, (2, 5))
    assert stream(Purpose.CARD_RESPONSE_TRAIN, seed, 5) == old(seed, (3, 5))
    assert stream(Purpose.CARD_LOOK_GUESSES, seed, 5) == old(seed, (7, 5))
    assert stream(Purpose.DICE_TRAIN, seed, 3, 1) == old([seed, 3, 1])


def test_what_could_collide_before() -> None:
    """A pot's values and a response; a batch of a training and a chunk of a tournament."""
    found = [
        int(stream(*name)[0])
        for name in (
            (Purpose.CARD_POT_VALUES, 1, 2),
            (Purpose.CARD_RESPONSE_TRAIN, 1, 2),
            (Purpose.DICE_TRAIN, 1, 2, 0),
            (Purpose.DICE_RESPONSE_TRAIN, 1, 2, 0),
            (Purpose.DICE_TOURNAMENT, 1, 2),
            (Purpose.DICE_LOOK, 1, 2),
        )
    ]
    assert all(a != b for a, b in combinations(found, 2))


@pytest.mark.parametrize("seed", [-1, 2**128, 1.5, "7", True, None])
def test_other_seeds_are_refused_in_one_line(seed: object) -> None:
    with pytest.raises(RulesError, match=r"seed .* allowed are whole numbers from 0 to 2\*\*128"):
        stream(Purpose.CARD_PLAY, seed, 0, 0)  # type: ignore[arg-type]


def test_a_count_is_never_left_out_or_too_large() -> None:
    for counts in ((), (1,), (1, 2, 3), (1, WORD), (1, -1)):
        with pytest.raises(ValueError, match="needs"):
            stream(Purpose.CARD_PLAY, 0, *counts)


def test_splitmix64_of_the_paper() -> None:
    """The published sequence of seed 1234567."""
    state = np.array([1234567], np.uint64)
    expected = [6457827717110365317, 3203168211198807973, 9817491932198370423]
    assert [int(next_word(state)) for _ in expected] == expected


def test_draws_are_in_range_and_even() -> None:
    state = stream(Purpose.CARD_PLAY, 1, 0, 0)
    rolls = np.bincount([below(state, 6) for _ in range(6000)], minlength=6)
    assert len(rolls) == 6
    assert 800 < rolls.min() <= rolls.max() < 1200
    draws = np.array([uniform(state) for _ in range(6000)])
    assert 0 <= draws.min() < 0.01
    assert 0.99 < draws.max() < 1
