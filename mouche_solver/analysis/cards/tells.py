"""What declarations tell of the cards: of those that are left, and of those that were dealt."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from mouche_solver.analysis.cards.declarations import (
    after,
    card_caption,
    declaration_columns,
    declaration_names,
    seat_name,
)
from mouche_solver.cards.strategy.answers import (
    Floats,
    all_answers,
    hand_shapes,
    kept_cards,
    situation_of,
)
from mouche_solver.cards.strategy.contexts import Frame
from mouche_solver.cards.strategy.situation import Declared
from mouche_solver.cards.strategy.strategy import CardStrategy
from mouche_solver.errors import IllegalMoveError


def kept_table(
    strategy: CardStrategy, declared: Sequence[Declared] | None = None, seat: int | None = None
) -> pd.DataFrame:
    """What the number exchanged says about the cards that are left, before any are drawn.

    Parameters
    ----------
    strategy : CardStrategy
    declared, seat
        As in :func:`exchange_grid`: what was said *before* the seat whose cards are asked about.

    Returns
    -------
    DataFrame
        Indexed by ``declaration`` (for ``pass`` the hand laid aside). ``chance`` of it;
        ``0 trumps``, ``1 trumps``, ...: probabilities that add up to one; ``best trump``:
        probability that the highest trump in play is kept; ``kings``: plain kings kept, a mean.
        NaN for what is never declared.

    Raises
    ------
    IllegalMoveError
        When the rules do not lead to such a situation.
    """
    rules = strategy.rules
    place, words = situation_of(rules, seat, declared)
    size, names = rules.hand_size, declaration_names(strategy)
    sums = np.zeros((len(names), size + 4))  # by trumps; then best trump, kings, all
    for found in all_answers(strategy, place, words):
        kept = kept_cards(strategy, found)
        for action, column in enumerate(declaration_columns(strategy)):
            shapes = hand_shapes(rules, found.context, kept[:, action])
            weight = found.weight * found.chances[:, action]
            sums[column, : size + 1] += np.bincount(shapes.trumps, weight, size + 1)
            extra = weight @ (shapes.best == 1), weight @ shapes.kings, weight.sum()
            sums[column, size + 1 :] += extra
    total = sums[:, -1]
    with np.errstate(invalid="ignore"):
        shares = sums[:, :-1] / total[:, None]
    columns = [*(f"{n} trumps" for n in range(size + 1)), "best trump", "kings"]
    frame = pd.DataFrame(shares, pd.Index(names, name="declaration"), columns)
    frame.insert(0, "chance", total)
    frame.attrs["caption"] = card_caption(strategy, words, place)
    frame.attrs["seat"], frame.attrs["declared"] = place, words
    return frame


def posterior_table(
    strategy: CardStrategy, declared: Sequence[Declared], turned: str = "", known: str = ""
) -> pd.DataFrame:
    """Which hands a seat was dealt that has made the last of some declarations.

    Parameters
    ----------
    strategy : CardStrategy
    declared : sequence of "pass", "stand" or int
        What the seats up to and including the one asked about have said.
    turned : str
        The turn-up, such as ``8H``; the lowest club when left out.
    known : str
        Cards that the seat cannot hold, such as one's own.

    Returns
    -------
    DataFrame
        Indexed by ``hand``, a class of hands in words (trumps with 0, 1, 2, 3+ unseen higher ones,
        plain cards with 0, 1, 2+); ``dealt`` (before the declaration), ``probability`` (given it),
        ``times`` (the second over the first). The likeliest comes first. A declaration that is
        never made tells nothing: then the hands are as dealt, and the caption says so.

    Raises
    ------
    NotationError
        When cards cannot be read.
    IllegalMoveError
        When nothing was declared or the rules do not lead there.
    """
    rules, book = strategy.rules, strategy.abstraction
    face_up = rules.pack.card(turned) if turned else book.contexts[0].turned
    hidden = rules.pack.hand(known)
    if not declared:
        raise IllegalMoveError("declared is empty: say also what the seat itself has declared")
    place, _ = situation_of(rules, len(declared) - 1, declared[:-1])
    given = strategy.posterior(face_up, declared, place, hidden)
    frame, features = Frame(rules, face_up), book.features
    classes = book.hands[frame.context]
    hands = classes.hands()
    free = hands[hands & frame.inside(hidden) == 0]
    groups = book.coarse_of[book.starts[frame.context] + classes.class_of(free)]
    dealt: Floats = np.bincount(groups, minlength=len(features)) / len(free)
    chance = np.array([given.get(feature, 0.0) for feature in features]) if given else dealt
    alive = np.flatnonzero(dealt)
    index = pd.Index([str(features[n]) for n in alive], name="hand")
    columns = {"dealt": dealt[alive], "probability": chance[alive]}
    table = pd.DataFrame(columns, index)
    table["times"] = table["probability"] / table["dealt"]
    table = table.sort_values("probability", ascending=False, kind="stable")
    who = f"hand of {seat_name(rules, place)} {after(declared)}"
    table.attrs["caption"] = f"{who}; {card_caption(strategy, declared)}"
    return table
