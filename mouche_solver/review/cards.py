"""The review of a written card game, and its result as skill and luck.

Each decision is searched (:mod:`mouche_solver.cards.think`) with a fixed number of guesses, so that
the same game is priced alike everywhere; values are in pots (in points for Mushka) and have errors.
Where guesses cannot explain a deal, or none were asked for, the values are those of the strategy's
own tables, which have no interval, and the decision says so.
"""

from dataclasses import replace
from math import hypot
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mouche_solver.cards.referee.actions import Action, Exchange, Pass, Play, Stand
from mouche_solver.cards.referee.deal import Deal
from mouche_solver.cards.referee.game import Game
from mouche_solver.cards.referee.transcript import replay
from mouche_solver.cards.rules.pack import Pack
from mouche_solver.cards.rules.rules import CardRules
from mouche_solver.cards.strategy.situation import Situation
from mouche_solver.cards.strategy.strategy import CardStrategy
from mouche_solver.cards.think.search import Budget
from mouche_solver.cards.think.thinker import Thinker, Thought
from mouche_solver.core.answers import Option
from mouche_solver.core.statistics import NORMAL_95
from mouche_solver.errors import MoucheError, UsageError
from mouche_solver.review.answering import card_answer, check_card_rules
from mouche_solver.review.card_luck import deal_luck
from mouche_solver.review.deals import in_words, shown
from mouche_solver.review.record import (
    CLOSE,
    THRESHOLDS,
    Choice,
    Decision,
    Review,
    Split,
    Told,
    judge,
    mark_of,
)

Floats = NDArray[np.float64]
# Number, part, player, position, hand and action of a decision.
Given = tuple[int, int, str, str, str, str]
MUSHKA_UNIT = 5.0
SAMPLES = 2048  # guesses for a decision, about a tenth of a second
_ESTIMATE = "values are the strategy's own estimates"


def review_cards(
    text: str,
    rules: CardRules | None = None,
    strategy: Path | CardStrategy | None = None,
    samples: int = SAMPLES,
    told: Told | None = None,
    last: bool = False,
) -> Review:
    """Review a written game.

    Parameters
    ----------
    text : str
        As :func:`mouche_solver.cards.replay` reads it.
    rules : CardRules, optional
        Where the text names none.
    strategy : Path or CardStrategy, optional
        The file or strategy that judges; the shipped strategy when left out.
    samples : int
        Guesses for each decision; 0 for the strategy's own values.
    told : callable, optional
        Receives the number of decisions that are done, and of all, before each one.
    last : bool
        Review the last deal alone.

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
    thinker = None if answer is None else Thinker(answer, _budget(samples))
    decisions: list[Decision] = []
    skipped = len(record.deals) - 1 if last else 0
    total = sum(_judged(action) for deal in record.deals[skipped:] for action in deal.actions)
    results, lucks = np.zeros(record.rules.players), np.zeros(record.rules.players)
    games = record.steps()
    next(games)
    mushka = record.rules.scoring == "countdown"
    missing = ""
    for part, deal in enumerate(record.deals, start=1):
        game = begun = next(games)
        deals = [] if game.deal is None else [game.deal]
        for step, action in enumerate(deal.actions):
            if part > skipped and _judged(action):
                if told is not None:
                    told(len(decisions), total)
                found = _decision(game, action, thinker, why, record.names)
                decisions.append(replace(found, number=len(decisions) + 1, part=part, step=step))
            game = next(games)
            if game.deal is not None:
                deals.append(game.deal)
        if part <= skipped:
            continue
        assert begun.deal is not None
        ended = game.deal
        if answer is None or ended is None or ended.outcome is None:
            missing = f"deal {part}: {why or 'it is not over'}"
            continue
        if len(begun.seating) < record.rules.players:
            missing = f"deal {part}: somebody is out, and the values are for all players"
            continue
        seats = list(begun.seating)
        results[seats] += won(begun.deal, ended)
        lucks[seats] += deal_luck(answer, deals, deal.actions)
    splits = {
        name: Split(float(result), float(luck), float(result - luck))
        for name, result, luck in zip(record.names, results, lucks, strict=True)
    }
    return Review(
        "cards",
        record.rules.to_dict(),
        record.names,
        MUSHKA_UNIT if mushka else 1.0,
        "points" if mushka else "pots",
        "" if answer is None else answer.quality_text,
        tuple(decisions),
        {} if missing else splits,
        tuple(in_words(record.rules, deal) for deal in record.deals),
        f"skill and luck are not told apart; {missing}" if missing else "",
    )


def won(begun: Deal, ended: Deal) -> Floats:
    """What each seat won in a deal: shares of its pot, for Mushka the points that came off."""
    if begun.rules.scoring == "countdown":
        return np.array(begun.points, dtype=np.float64) - ended.points
    return (np.array(ended.stacks, dtype=np.float64) - begun.stacks) / begun.stake


def _answer(
    rules: CardRules, strategy: Path | CardStrategy | None
) -> tuple[CardStrategy | None, str]:
    try:
        if isinstance(strategy, CardStrategy):
            check_card_rules(strategy, rules)
            return strategy, ""
        return card_answer(rules, strategy), ""
    except MoucheError as error:
        if strategy is not None:
            raise
        return None, f"not known: {error}"


def _budget(samples: int) -> Budget:
    return Budget(seconds=0.0, samples=samples) if samples else Budget(seconds=0.0)


def _judged(action: Action) -> bool:
    """Whether an action is a decision; naming trumps and questions are not priced."""
    return isinstance(action, Pass | Stand | Exchange | Play)


def _decision(
    game: Game, action: Action, thinker: Thinker | None, why: str, names: tuple[str, ...]
) -> Decision:
    """One decision, still without its numbers."""
    deal = game.deal
    assert deal is not None  # an action needs a deal
    pack, unit = deal.rules.pack, MUSHKA_UNIT if deal.rules.scoring == "countdown" else 1.0
    player = names[game.seating[deal.turn]]
    hand = " ".join(pack.mask_names(deal.hands[deal.turn]))
    given: Given = (0, 0, player, position(deal), hand, shown(pack, action))
    if thinker is None:
        return Decision(*given, (), None, None, None, None, None, "", why, False)
    seen = Situation.of(deal)
    thought = thinker.think(seen)
    mix = thought_choices(pack, thinker, seen, thought)
    places = {c.action: n for n, c in enumerate(mix)}
    if len(mix) < 2:
        return Decision(*given, mix, None, None, None, None, None, "", "", True)
    if given[-1] not in places:
        label = "the strategy does not know this exchange: its value is not known"
        return Decision(*given, mix, None, None, None, None, None, "", label, False)
    done = places[given[-1]]
    if thought.searched:
        return _searched(given, mix, thought, done, unit)
    value, top, loss, best, mark, trivial = judge(mix, given[-1], unit)
    label = _ESTIMATE if loss is not None else "the strategy knows no value"
    few = ["values with ~ rest on few visits of training"] if any(c.few for c in mix) else []
    label = "; ".join([label, *few, *thought.notes])
    why = "" if best is None else _reason(mix, done, places[best], unit, "")
    return Decision(*given, mix, value, top, loss, best, None, mark, label, trivial, why)


def _searched(
    given: Given, mix: tuple[Choice, ...], thought: Thought[Any], done: int, unit: float
) -> Decision:
    """A decision with what a search found of it.

    The action it is held against is the one that the search answers with, found by one half of the
    guesses and tested by the other: the largest of many noisy values would be too large.
    """
    best = max(range(len(mix)), key=lambda n: (mix[n].probability, mix[n].value or 0.0))
    if mix[done].probability >= mix[best].probability - 1e-9:
        best = done
    value, top = mix[done].value or 0.0, mix[best].value or 0.0
    errors = [thought.choices[n].error or 0.0 for n in (done, best)]
    error = 0.0 if best == done else NORMAL_95 * hypot(*errors)
    loss = max(0.0, top - value)
    sure = loss > error
    notes = list(thought.notes)
    if loss >= THRESHOLDS[-1][1] * unit and not sure:
        notes.append("the loss is within its error: no mark")
    near = sum(c.value is not None and top - c.value <= CLOSE * unit for c in mix)
    return Decision(
        *given,
        mix,
        value,
        top,
        loss,
        mix[best].action,
        error,
        mark_of(loss, unit) if sure else "",
        "; ".join(notes),
        near < 2,
        _reason(mix, done, best, unit, f", +- {error:.3f}"),
    )


def _reason(mix: tuple[Choice, ...], done: int, best: int, unit: float, error: str) -> str:
    """Why an action cost something, in one sentence."""
    mine, top = mix[done], mix[best]
    what = "points" if unit > 1 else "pots"
    if done == best or mine.value is None or top.value is None:
        return ""
    usual = ""
    if mine.probability < 0.005 and top.probability > 0.5:
        usual = f" The strategy does so {top.probability:.0%} of the time, and never what was done."
    return (
        f"Over the hands that the others may hold, {top.action} gets {top.value:+.3f} {what} and "
        f"{mine.action} {mine.value:+.3f} ({top.value - mine.value:.3f} less{error}).{usual}"
    )


def choices(pack: Pack, options: list[Option[Action]]) -> tuple[Choice, ...]:
    """What a strategy advises, in words."""
    return tuple(Choice(shown(pack, o.action), o.probability, o.value) for o in options)


def thought_choices(
    pack: Pack, thinker: Thinker, seen: Situation, thought: Thought[Any]
) -> tuple[Choice, ...]:
    """What a thinker advises, in words, with the errors of its values."""
    mix = choices(pack, thinker.as_actions(seen, thought.options))
    return tuple(
        replace(c, error=None if c.value is None else one.error, few=one.few)
        for c, one in zip(mix, thought.choices, strict=True)
    )


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
