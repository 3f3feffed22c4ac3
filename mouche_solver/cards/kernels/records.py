"""What the strategy kernels pass around: three records, each one pointer, and a policy's tables.

Records have fixed sizes, so that every deck and number of players shares the same compiled code.
"""

from typing import Any, NamedTuple, Protocol, TypeAlias

import numpy as np
from numba import config
from numpy.typing import NDArray

Record: TypeAlias = Any  # one entry of an array of the types below

PLACES = 8  # most players at a table
SUITS = 4
CARDS = 52
CONTEXTS = 32
RENAMINGS = 24
ACTIONS = 64
TRICKS = 8  # most cards in a hand
LEVELS = 4
HISTORY_SEATS = PLACES + 1
COLUMNS = 5 * PLACES + 8 + CARDS  # of a position, see :mod:`mouche_solver.cards.kernels.view`

_INT, _FLOAT = "i8", "f8"

# The rules of a deal. The first fields are those of ``DealArrays`` and ``PlayArrays``, so that
# their kernels take a record. ``trump``, ``turned``, ``chance`` (cumulative) and ``named`` (the
# dealer names trumps; these are the last contexts, clubs first) belong to the contexts;
# ``renaming[context, i, suit]`` are the renamings of interchangeable suits. Of the
# ``actions``, 0 passes, others stand or exchange ``size[action]`` cards; ``subset[action]`` names
# them, by position when ``every`` subset is an action, else as a rule; ``swap[action]`` is -1, or
# the position of the card given for the turn-up. ``first_history[seat]`` numbers public histories,
# ``digits`` to a declaration. ``fee`` is what each pays for the Pamphile (all
# with ``fee_all``, else those in; to a lone holder with ``fee_alone``) and ``debt`` what a mouche
# costs, in pots; with ``points`` Mushka's points are paid instead.
GAME = np.dtype(
    [
        *((name, _INT) for name in (
            "players", "hand_size", "cards", "max_exchange", "reshuffle", "passed_return",
            "own_return", "dealer_takes", "mouche", "mouche_exchanged", "must_stand",
            "losers_pay", "passers_pay", "by_points", "pamphile", "any_suit", "kept",
        )),
        ("value", _INT, (CARDS,)),
        ("suits", _INT, (SUITS,)),
        ("flags", _INT),
        ("suit_of", _INT, (SUITS, CARDS)),
        ("suit_mask", _INT, (SUITS, SUITS)),
        ("above", _INT, (SUITS, CARDS)),
        ("ace", _INT, (SUITS,)),
        ("killer", _INT),
        ("ranks", _INT),
        ("suit_count", _INT),
        ("renaming", _INT, (CONTEXTS, RENAMINGS, SUITS)),
        ("renamings", _INT, (CONTEXTS,)),
        ("contexts", _INT),
        ("trump", _INT, (CONTEXTS,)),
        ("turned", _INT, (CONTEXTS,)),
        ("chance", _FLOAT, (CONTEXTS,)),
        ("named", _INT, (CONTEXTS,)),
        ("actions", _INT),
        ("size", _INT, (ACTIONS,)),
        ("subset", _INT, (ACTIONS,)),
        ("swap", _INT, (ACTIONS,)),
        ("every", _INT),
        ("first_history", _INT, (HISTORY_SEATS,)),
        ("digits", _INT),
        ("points", _INT),
        ("fee", _FLOAT),
        ("fee_all", _INT),
        ("fee_alone", _INT),
        ("mouche_swapped", _INT),
        ("debt", _FLOAT),
    ]
)  # fmt: skip

# Entries of ``stock``.
NEXT, SHUFFLED, PILE, HISTORY, SWAPPED, CONTEXT = 0, 1, 2, 3, 4, 5

# One deal in progress, and the scratch space of one chunk. ``said`` is a declaration of
# kernels.mouche; ``luck`` holds a uniform number for each seat's declaration and then for each of
# its cards; ``who[seat]`` tells which of two policies plays. ``at[d]`` are positions of the play,
# the other fields with a leading axis of that length belong to the traversal of row d.
TABLE = np.dtype(
    [
        ("order", _INT, (CARDS,)),
        ("hands", _INT, (PLACES,)),
        ("dealt", _INT, (PLACES,)),
        ("laid", _INT, (PLACES,)),
        ("said", _INT, (PLACES,)),
        ("seats", _INT, (PLACES,)),
        ("who", _INT, (PLACES,)),
        ("stock", _INT, (6,)),
        ("saved", _INT, (4, PLACES)),
        ("luck", _FLOAT, (PLACES + PLACES * TRICKS,)),
        ("chips", _FLOAT, (PLACES,)),
        ("mix", _FLOAT, (ACTIONS,)),
        ("mine", _FLOAT, (ACTIONS,)),
        ("picture", _INT, (16,)),
        ("choices", _INT),
        ("choice", _INT, (TRICKS,)),
        ("at", _INT, (TRICKS + 2, COLUMNS)),
        ("held", _INT, (TRICKS + 2, TRICKS)),
        ("weight", _FLOAT, (TRICKS + 2, TRICKS)),
        ("total", _FLOAT, (TRICKS + 2,)),
        ("number", _INT, (TRICKS + 2,)),
        ("tried", _INT, (TRICKS + 2,)),
        ("node", _INT, (TRICKS + 2,)),
    ]
)

TABLE_POLICY, RANDOM_POLICY, THUMB_POLICY = 0, 1, 2
# Human-like players, who go by the rule of thumb with other thresholds; all above THUMB_POLICY.
CAREFUL_POLICY, BOLD_POLICY, STEADY_POLICY, CARELESS_POLICY = 3, 4, 5, 6

# The small facts of a policy. Hands are numbered as HandClasses does, ``start[context]`` is a
# context's first class. A level's cell of a class and a public history is ``first[level] +
# hand_of[level, class] * histories[level] + history_of[level, history]``. ``prior`` is the number
# of visits at which a level counts as much as the coarser ones together. A level that stands
# ``beside`` the one before does not refine it: both shift what the coarser ones say.
FACTS = np.dtype(
    [
        ("kind", _INT),
        ("lossless", _INT),
        ("actions", _INT),
        ("ranks", _INT),
        ("base", _INT),
        ("shifts", _INT, (CONTEXTS, SUITS)),
        ("apart", _INT, (CONTEXTS,)),
        ("turned", _INT, (CONTEXTS,)),
        ("start", _INT, (CONTEXTS,)),
        ("levels", _INT),
        ("histories", _INT, (LEVELS,)),
        ("first", _INT, (LEVELS,)),
        ("prior", _FLOAT, (LEVELS,)),
        ("beside", _INT, (LEVELS,)),
    ]
)

# Entries of ``Policy.barred``: nothing is barred, or ``BARRED + action`` where passing is, or
# ``ONLY + action`` where everything else is.
FREE, BARRED, ONLY = 0, 1, 128

Rows = NDArray[np.float32]


class Game(Protocol):
    """What a ``GAME`` record has, for type checks: mixing records up is refused."""

    players: Any
    hand_size: Any
    cards: Any
    max_exchange: Any
    reshuffle: Any
    passed_return: Any
    own_return: Any
    dealer_takes: Any
    mouche: Any
    mouche_exchanged: Any
    must_stand: Any
    losers_pay: Any
    passers_pay: Any
    by_points: Any
    pamphile: Any
    any_suit: Any
    kept: Any
    value: Any
    suits: Any
    flags: Any
    suit_of: Any
    suit_mask: Any
    above: Any
    ace: Any
    killer: Any
    ranks: Any
    suit_count: Any
    renaming: Any
    renamings: Any
    contexts: Any
    trump: Any
    turned: Any
    chance: Any
    named: Any
    actions: Any
    size: Any
    subset: Any
    swap: Any
    every: Any
    first_history: Any
    digits: Any
    points: Any
    fee: Any
    fee_all: Any
    fee_alone: Any
    mouche_swapped: Any
    debt: Any

    def __getitem__(self, name: str) -> Any: ...

    def __setitem__(self, name: str, value: Any) -> None: ...


class Table(Protocol):
    """What a ``TABLE`` record has."""

    order: Any
    hands: Any
    dealt: Any
    laid: Any
    said: Any
    seats: Any
    who: Any
    stock: Any
    saved: Any
    luck: Any
    chips: Any
    mix: Any
    mine: Any
    picture: Any
    choices: Any
    choice: Any
    at: Any
    held: Any
    weight: Any
    total: Any
    number: Any
    tried: Any
    node: Any

    def __getitem__(self, name: str) -> Any: ...

    def __setitem__(self, name: str, value: Any) -> None: ...


class Facts(Protocol):
    """What a ``FACTS`` record has."""

    kind: Any
    lossless: Any
    actions: Any
    ranks: Any
    base: Any
    shifts: Any
    apart: Any
    turned: Any
    start: Any
    levels: Any
    histories: Any
    first: Any
    prior: Any
    beside: Any

    def __getitem__(self, name: str) -> Any: ...

    def __setitem__(self, name: str, value: Any) -> None: ...


class Policy(NamedTuple):
    """A strategy for all seats.

    ``facts`` is a FACTS record; ``key``, and ``shape[context, shape]`` with an offset, four
    strides and four runs, number hands. ``table[cell, action]`` and ``visits[cell]`` are the
    declarations; ``keys[slot]``, 0 where free, and ``play[slot, choice]`` the play.
    ``barred[cell]`` says what a cell of the last level never declares: ``FREE``, ``BARRED`` plus
    the action that takes the place of passing, or ``ONLY`` plus the one action that is left.
    """

    facts: Facts
    key: NDArray[np.int16]
    shape: NDArray[np.int64]
    hand_of: NDArray[np.int32]
    history_of: NDArray[np.int32]
    table: Rows
    visits: NDArray[np.float32]
    keys: NDArray[np.uint64]
    play: Rows
    barred: NDArray[np.uint8]


class _Interpreted(np.record):  # type: ignore[misc]  # numpy calls a base of it final
    """A record whose fields go before numpy's own attributes, as in compiled code.

    A field is called ``size``, as is an attribute of every numpy scalar.
    """

    def __getattribute__(self, name: str) -> Any:
        if name in (np.record.__getattribute__(self, "dtype").names or ()):
            return self[name]
        return super().__getattribute__(name)


_FIELDS_FIRST = _Interpreted if getattr(config, "DISABLE_JIT", False) else np.record


def new_record(kind: np.dtype[Any]) -> Record:
    """A record full of zeros; what kernels write into it stays.

    Fields are attributes in compiled code and, as a ``numpy.record`` has them, with the JIT off.
    """
    return np.zeros(1, np.dtype((_FIELDS_FIRST, kind)))[0]
