"""The review of a written card game, and its result as skill and luck.

Values are those of the strategy's own tables, in pots (in points for Mushka). They come from
sampling and have no interval; where training never came they are missing, and the decision says so.
"""

from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from mouche_solver.cards.referee.actions import Action, Exchange, NameTrump, Pass, Play, Shuffle
from mouche_solver.cards.referee.deal import Deal
from mouche_solver.cards.referee.game import Game
from mouche_solver.cards.referee.transcript import replay
from mouche_solver.cards.rules.pack import Pack
from mouche_solver.cards.rules.rules import CardRules
from mouche_solver.cards.strategy.answers import all_answers
from mouche_solver.cards.strategy.contexts import Frame
from mouche_solver.cards.strategy.situation import Declared, Situation
from mouche_solver.cards.strategy.strategy import CardStrategy
from mouche_solver.core.answers import Option
from mouche_solver.errors import MoucheError, UsageError
from mouche_solver.review.answering import card_answer
from mouche_solver.review.record import Choice, Decision, Review, Split, judge

Floats = NDArray[np.float64]
MUSHKA_UNIT = 5.0
_ESTIMATE = "values are the strategy's own estimates"


def review_cards(text: str, rules: CardRules | None = None, strategy: Path | None = None) -> Review:
    """Review a written game.

    Parameters
    ----------
    text : str
        As :func:`mouche_solver.cards.replay` reads it.
    rules : CardRules, optional
        Where the text names none.
    strategy : Path, optional
        The file that judges; the shipped strategy when left out.

    Returns
    -------
    Review

    Raises
    ------
    MoucheError
        When the text cannot be read, or a named file cannot be used.
    """
    record = replay(text, rules).record
    if not record.deals:
        raise UsageError("the written game holds no deal")
    answer, why = _answer(record.rules, strategy)
    decisions: list[Decision] = []
    results, lucks = np.zeros(record.rules.players), np.zeros(record.rules.players)
    games = record.steps()
    next(games)
    mushka = record.rules.scoring == "countdown"
    split = answer is not None and answer.abstraction.rules.pamphile_card is None and not mushka
    for part, deal in enumerate(record.deals, start=1):
        game = begun = next(games)
        for action in deal.actions:
            found = _decision(game, action, answer, why, record.names)
            if found is not None:
                decisions.append(found(len(decisions) + 1, part))
            game = next(games)
        assert begun.deal is not None
        ended = game.deal
        if answer is None or not split or ended is None or ended.outcome is None:
            split = False
            continue
        for seat, player in enumerate(begun.seating):
            won = ended.stacks[seat] - begun.deal.stacks[seat]
            results[player] += won / begun.deal.stake
            lucks[player] += hand_luck(answer, begun.deal.dealt[seat], begun.deal.turned, seat)
    splits = {
        name: Split(float(result), float(luck), float(result - luck))
        for name, result, luck in zip(record.names, results, lucks, strict=True)
    }
    return Review(
        "cards", record.rules.to_dict(), record.names, MUSHKA_UNIT if mushka else 1.0,
        "points" if mushka else "pots", "" if answer is None else answer.quality_text,
        tuple(decisions), splits if split else {},
    )  # fmt: skip


def _answer(rules: CardRules, strategy: Path | None) -> tuple[CardStrategy | None, str]:
    try:
        return card_answer(rules, strategy), ""
    except MoucheError as error:
        if strategy is not None:
            raise
        return None, f"not known: {error}"


def _decision(
    game: Game, action: Action, answer: CardStrategy | None, why: str, names: tuple[str, ...]
) -> "_Numbered | None":
    """One decision, still without its numbers; None for chance and for questions."""
    deal = game.deal
    asked = deal is not None and deal.phase in ("declare", "play") and deal.question is None
    if deal is None or not asked or isinstance(action, Shuffle):
        return None
    pack, label = deal.rules.pack, why
    mix: tuple[Choice, ...] = ()
    done = shown(pack, action)
    if answer is not None:
        options = answer.advise(Situation.of(deal))
        mix = choices(pack, options)
        values = [o.value for o in options]
        label = _ESTIMATE if all(v is not None for v in values) else "the strategy knows no value"
        if len(options) == 1:
            label = ""
        elif done not in [c.action for c in mix]:
            label = "the strategy does not know this exchange: its value is not known"
    unit = MUSHKA_UNIT if deal.rules.scoring == "countdown" else 1.0
    hand = " ".join(pack.mask_names(deal.hands[deal.turn]))
    return _Numbered(names[game.seating[deal.turn]], position(deal), hand, done, mix, label, unit)


class _Numbered:
    """A decision that waits for its place in the game."""

    def __init__(
        self, player: str, position: str, hand: str, action: str, mix: tuple[Choice, ...],
        label: str, unit: float,
    ) -> None:  # fmt: skip
        self.given = (player, position, hand, action, mix)
        self.label, self.unit = label, unit

    def __call__(self, number: int, part: int) -> Decision:
        mix, action = self.given[4], self.given[3]
        value, top, loss, best, mark, trivial = judge(mix, action, self.unit)
        return Decision(
            number, part, *self.given, value, top, loss, best, None, mark, self.label, trivial
        )


def choices(pack: Pack, options: list[Option[Action]]) -> tuple[Choice, ...]:
    """What a strategy advises, in words."""
    return tuple(Choice(shown(pack, o.action), o.probability, o.value) for o in options)


def shown(pack: Pack, action: Action) -> str:
    """An action in full; exchanged cards in the pack's order."""
    if isinstance(action, Play):
        return pack.name(action.card)
    if isinstance(action, NameTrump):
        return f"trumps {pack.suits[action.suit]}"
    swap = getattr(action, "swap", None)
    given = "" if swap is None else f"give {pack.name(swap)} "
    if isinstance(action, Exchange):
        return f"{given}exchange {' '.join(pack.names(sorted(action.cards)))}"
    return f"{given}{'pass' if isinstance(action, Pass) else 'stand'}"


def position(deal: Deal) -> str:
    """What everybody has seen of a deal."""
    pack = deal.rules.pack
    words = []
    for said, laid in zip(deal.declared, deal.laid, strict=True):
        if said is not None:
            words.append(f"exchange{laid.bit_count()}" if said == "exchange" else said)
    tricks = [" ".join(pack.name(c) for _, c in t) for t in (*deal.history, deal.trick) if t]
    text = f"turned {pack.name(deal.turned)}; {', '.join(words) or 'nobody has spoken'}"
    return text + (f"; {' / '.join(tricks)}" if tricks else "")


def hand_luck(strategy: CardStrategy, hand: int, turned: int, seat: int) -> float:
    """The luck of a dealt hand in pots: its worth minus the exact mean over all hands of the seat.

    The worth is that of the seat's declaration when the first hand has stood and all between have
    passed, a function that was fixed before the deal.
    """
    values = _hand_values(strategy, seat)
    frame = Frame(strategy.rules, turned)
    own = strategy.abstraction.hands[frame.context].class_of([frame.inside(hand)])
    return float(values.worth[frame.context][int(own[0])]) - values.mean


class HandValues:
    """What every hand of a seat is worth, by context and class, and the mean over all deals."""

    def __init__(self, strategy: CardStrategy, seat: int) -> None:
        passed: list[Declared] = ["pass"] * (seat - 1)
        said: list[Declared] = ["stand", *passed] if seat else []
        self.worth: dict[int, Floats] = {}
        self.mean, total = 0.0, 0.0
        for found in all_answers(strategy, seat, said):
            worth = np.nan_to_num(found.worth, nan=0.0)
            self.worth[strategy.abstraction.contexts.index(found.context)] = worth
            self.mean += float(found.weight @ worth)
            total += float(found.weight.sum())
        self.mean /= total


@lru_cache(maxsize=16)
def _hand_values(strategy: CardStrategy, seat: int) -> HandValues:
    return HandValues(strategy, seat)
