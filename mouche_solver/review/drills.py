"""Positions to drill: drawn from play by how often they occur times how hard they are.

A dice position comes from a round between the strategy and human-like players; it is as hard as
the casual player's expected loss there. At tables of three and more values are sampled. A card
position comes from a deal of the strategy against human-like players; it is as hard as the mean
loss of the options near the best, and its values are searched. Every answer that loses no more than
a hundredth of the unit counts, and at tables of dice every one whose loss is within its error.
"""

import hashlib
import json
import random
from collections.abc import Sequence
from typing import Any

import numpy as np

from mouche_solver.cards.referee.deal import Deal, start_deal
from mouche_solver.cards.referee.referee import apply, draw_shuffle
from mouche_solver.cards.referee.simulate import random_order
from mouche_solver.cards.rules.pack import Pack
from mouche_solver.cards.rules.rules import CardRules
from mouche_solver.cards.strategy.people import PEOPLE as PEOPLE_OF_CARDS
from mouche_solver.cards.strategy.situation import Situation
from mouche_solver.cards.strategy.strategy import CardStrategy
from mouche_solver.cards.think.search import Budget
from mouche_solver.cards.think.thinker import Thinker
from mouche_solver.dice.people.players import PEOPLE
from mouche_solver.dice.round.strategy import HandTable, RoundStrategy
from mouche_solver.dice.rules.hands import Hand, all_hands
from mouche_solver.dice.rules.notation import DOUBT, format_claims, format_hand
from mouche_solver.dice.rules.referee import roll
from mouche_solver.dice.rules.rules import Claim, DiceRules
from mouche_solver.dice.sample.strategy import SampledStrategy
from mouche_solver.errors import IllegalMoveError, UsageError
from mouche_solver.review.answering import card_answer, dice_answer
from mouche_solver.review.cards import MUSHKA_UNIT, SAMPLES, position, thought_choices
from mouche_solver.review.deals import shown
from mouche_solver.review.record import CLOSE, NEAR_BEST, Choice, Decision, Review
from mouche_solver.review.tables import PRICED, think
from mouche_solver.review.tables import choices as choices_at_table

History = tuple[Claim, ...]
_CANDIDATES, _TRIES, _DEEPEST = 6, 40, 4
# Thinking at a table takes a third of a second a position, and lines have no bound but the dice.
_TABLE_CANDIDATES, _TABLE_DEEPEST = 3, 12


def key_of(drill: dict[str, Any]) -> str:
    """A name of a position that stays the same."""
    text = json.dumps([drill[k] for k in ("game", "rules", "position", "hand")], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _drill(
    game: str,
    rules: dict[str, Any],
    where: str,
    hand: str,
    options: list[dict[str, Any]],
    unit: float = 1.0,
) -> dict[str, Any]:
    drill = {
        "game": game,
        "rules": rules,
        "position": where,
        "hand": hand,
        "options": options,
        "unit": unit,
    }
    return drill | {"key": key_of(drill)}


def dice_drill(rules: DiceRules, seed: int | None = None) -> dict[str, Any]:
    """A dice position to drill.

    Parameters
    ----------
    rules : DiceRules
        A round of two, or of more whose strategy is shipped.
    seed : int, optional

    Returns
    -------
    dict
        ``game``, ``rules``, ``position``, ``hand``, ``key``, and ``options`` with action,
        probability and value.

    Raises
    ------
    UsageError
        When no strategy is shipped for a table of three or more.
    """
    strategy = dice_answer(rules)
    random_numbers = np.random.default_rng(seed)
    if isinstance(strategy, SampledStrategy):
        return _table_drill(strategy, random_numbers)
    found: list[tuple[float, dict[str, Any]]] = []
    for _ in range(_TRIES):
        found += _dice_line(strategy, random_numbers)
        if len(found) >= _CANDIDATES:
            break
    return found[_harder([hard for hard, _ in found], random_numbers)][1]


def _harder(hard: list[float], random_numbers: np.random.Generator) -> int:
    """The place of a position, the harder the likelier."""
    weights = np.array(hard)
    if not len(weights) or weights.sum() <= 0:
        raise UsageError("no hard position was found for these rules")
    return int(random_numbers.choice(len(weights), p=weights / weights.sum()))


def _table_drill(strategy: SampledStrategy, random_numbers: np.random.Generator) -> dict[str, Any]:
    """A position of a table of three and more."""
    found: list[tuple[float, Hand, History]] = []
    for _ in range(_TRIES):
        found += _table_line(strategy, random_numbers)
        if len(found) >= _TABLE_CANDIDATES:
            break
    _, hand, history = found[_harder([hard for hard, *_ in found], random_numbers)]
    options = [vars(c) for c in choices_at_table(think(strategy, hand, history, PRICED))]
    rules = strategy.rules.to_dict()
    return _drill("dice", rules, format_claims(history), format_hand(hand), options)


def _table_line(
    strategy: SampledStrategy, random_numbers: np.random.Generator
) -> list[tuple[float, Hand, History]]:
    """Positions of one round among human-like players, each with how hard it is."""
    rules, found = strategy.rules, list[tuple[float, Hand, History]]()
    history: History = ()
    people = [PEOPLE[str(n)] for n in random_numbers.choice(list(PEOPLE), rules.players)]
    place, cups = int(random_numbers.integers(rules.players)), roll(rules, random_numbers)
    while len(history) < _TABLE_DEEPEST:
        player = len(history) % rules.players
        if player != place:
            action: Claim | str = people[player].act(rules, cups[player], history, random_numbers)
        else:
            thought = think(strategy, cups[player], history)
            row = all_hands(rules.dice[player], rules.faces)[0].index(cups[player])
            casual = PEOPLE["casual"].mix(rules, history)[row]
            hard = float(thought.values[thought.main] - casual @ thought.values)
            if len(thought.actions) > 1 and thought.trained and hard > NEAR_BEST:
                found.append((hard, cups[player], history))
            mix = thought.probabilities
            name = thought.actions[int(random_numbers.choice(len(mix), p=mix / mix.sum()))]
            action = name if name == DOUBT else RoundStrategy.read_claim(name)
        if not isinstance(action, Claim):
            break
        history = (*history, action)
    return found


def _dice_line(
    strategy: RoundStrategy, random_numbers: np.random.Generator
) -> list[tuple[float, dict[str, Any]]]:
    """Positions of one round against a human-like player, each with how hard it is."""
    rules, found = strategy.rules, list[tuple[float, dict[str, Any]]]()
    history: tuple[Claim, ...] = ()
    person = PEOPLE[str(random_numbers.choice(list(PEOPLE)))]
    place, cups = int(random_numbers.integers(2)), roll(rules, random_numbers)
    while len(history) < _DEEPEST:
        player = len(history) % 2
        if player != place:
            action: Claim | str = person.act(rules, cups[player], history, random_numbers)
        else:
            table = strategy.table(history)
            row = table.hands.index(cups[player])
            hard = _hardness(strategy, table, row, history)
            if hard > NEAR_BEST and table.reach > strategy.quality.exploitability:
                hand, where = format_hand(cups[player]), format_claims(history)
                drill = _drill("dice", rules.to_dict(), where, hand, _options(table, row))
                found.append((hard, drill))
            mix = table.probabilities[row]
            name = table.actions[int(random_numbers.choice(len(mix), p=mix / mix.sum()))]
            action = name if name == DOUBT else RoundStrategy.read_claim(name)
        if not isinstance(action, Claim):
            break
        history = (*history, action)
    return found


def _options(table: HandTable, row: int) -> list[dict[str, Any]]:
    parts = zip(
        table.actions, table.probabilities[row].tolist(), table.values[row].tolist(), strict=True
    )
    return [{"action": a, "probability": p, "value": v} for a, p, v in parts]


def _hardness(
    strategy: RoundStrategy, table: HandTable, row: int, history: tuple[Claim, ...]
) -> float:
    """What the casual player loses here on average."""
    if len(table.actions) < 2:
        return 0.0
    mix = PEOPLE["casual"].mix(strategy.rules, history)[row]
    values = table.values[row]
    return float(values.max() - mix @ values)


def card_drill(rules: CardRules, seed: int | None = None) -> dict[str, Any]:
    """A card position to drill, as :func:`dice_drill`."""
    strategy, rng = card_answer(rules), random.Random(seed)
    unit = MUSHKA_UNIT if rules.scoring == "countdown" else 1.0
    found: list[tuple[float, Deal, dict[str, Any]]] = []
    for _ in range(_TRIES):
        found += _card_line(strategy, rng, unit)
        if len(found) >= _CANDIDATES:
            break
    if not found:
        raise UsageError("no hard position was found for these rules")
    deal, words = rng.choices([f[1:] for f in found], [hard for hard, *_ in found])[0]
    seen = Situation.of(deal)
    thinker = Thinker(strategy, Budget(seconds=0.0, samples=SAMPLES))
    options = thought_choices(rules.pack, thinker, seen, thinker.think(seen))
    return _card_position(rules, deal, options, unit) | {"deal": words}


def _card_line(
    strategy: CardStrategy, rng: random.Random, unit: float
) -> list[tuple[float, Deal, dict[str, Any]]]:
    """Positions of one deal against human-like players, with how hard they are and its words."""
    rules, found = strategy.rules, list[tuple[float, Deal, dict[str, Any]]]()
    people = [rng.choice(list(PEOPLE_OF_CARDS.values())).at(strategy) for _ in range(rules.players)]
    place, order = rng.randrange(rules.players), random_order(rules, rng)
    deal, line = start_deal(rules, order), list[str]()
    while deal.outcome is None:
        if deal.phase == "shuffle":
            action: Any = draw_shuffle(deal, rng)
        else:
            mine = deal.turn == place
            options = (strategy if mine else people[deal.turn]).advise(Situation.of(deal))
            values = [o.value for o in options if o.value is not None]
            hard = _closeness(values, unit) if mine and len(values) == len(options) else 0.0
            if hard > NEAR_BEST * unit:
                words = {"order": " ".join(rules.pack.names(order)), "line": list(line)}
                found.append((hard, deal, words))
            action = rng.choices(options, [o.probability for o in options])[0].action
        line.append(shown(rules.pack, action))
        deal = apply(deal, action)
    return found


def _card_position(
    rules: CardRules, deal: Deal, options: Sequence[Choice], unit: float
) -> dict[str, Any]:
    pack: Pack = rules.pack
    listed = [
        {
            "action": c.action,
            "probability": c.probability,
            "value": c.value,
            "error": c.error,
            "few": c.few,
        }
        for c in options
    ]
    where = f"seat {deal.turn} of {rules.players}; {position(deal)}"
    hand = " ".join(pack.mask_names(deal.hands[deal.turn]))
    return _drill("cards", rules.to_dict(), where, hand, listed, unit)


def _closeness(values: list[float], unit: float) -> float:
    """The mean loss of the options within reach of the best; 0 when there is one alone."""
    near = [max(values) - v for v in values if max(values) - v <= CLOSE * unit] if values else []
    return sum(near) / len(near) if len(near) > 1 else 0.0


def grade(drill: dict[str, Any], action: str) -> dict[str, Any]:
    """Whether an answer is near the best, and what it loses.

    Raises
    ------
    IllegalMoveError
        When it is not one of the options.

    Examples
    --------
    >>> options = [{"action": "doubt", "probability": 1.0, "value": 0.2},
    ...            {"action": "3x5", "probability": 0.0, "value": -0.1}]
    >>> grade({"options": options, "unit": 1.0}, "3x5")["good"]
    False
    """
    options = {o["action"]: o for o in drill["options"]}
    if action not in options:
        raise IllegalMoveError(f"{action!r}: allowed are {', '.join(options)}")
    value = {name: float(o["value"]) for name, o in options.items()}
    # Of sampled values the largest is too large: what is advised most stands for the best.
    sampled = options[action].get("gap")
    weight = {name: o["probability"] if sampled is not None else 0.0 for name, o in options.items()}
    best = max(value, key=lambda a: (weight[a], value[a]))
    loss = max(0.0, value[best] - value[action])
    return {
        "action": action,
        "best": best,
        "loss": loss,
        "value": value[action],
        "best_value": value[best],
        "error": options[action].get("error"),
        "best_error": options[best].get("error"),
        "good": loss <= max(NEAR_BEST * drill["unit"], sampled or 0.0),
    }


def mistakes(review: Review, player: str | None = None) -> list[dict[str, Any]]:
    """The marked decisions of a review as positions to drill."""
    return [
        drill_of(review, d)
        for d in review.decisions
        if d.mark and d.loss is not None and player in (None, d.player)
    ]


def drill_of(review: Review, made: Decision) -> dict[str, Any]:
    """A decision of a review as a position to drill."""
    options = [vars(c) for c in made.mix]
    where = made.position
    rules = review.rules
    if review.game == "dice":
        # Players who are out leave fewer cups: those of the round are what was in play.
        rules = rules | {"dice": list(made.dice)} if made.dice else rules
    drill = _drill(review.game, rules, where, made.hand, options, review.unit)
    deal = review.deals[made.part - 1] if review.deals else None
    if deal is not None:
        drill["deal"] = {"order": deal["order"], "line": deal["line"][: made.step]}
    return drill | {"number": made.number}
