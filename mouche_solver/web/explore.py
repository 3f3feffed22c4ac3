"""What Advise and Explore show: mixes, values, odds, ranges, and a sentence of reason."""

import random
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mouche_solver.cards.referee.deal import Deal
from mouche_solver.cards.referee.simulate import random_order
from mouche_solver.cards.rules.rules import CardRules
from mouche_solver.cards.strategy.answers import all_answers, grouped_values, hand_shapes
from mouche_solver.cards.strategy.evidence import FEW_VISITS, histories_alike
from mouche_solver.cards.strategy.situation import Declared, Situation
from mouche_solver.cards.strategy.strategy import CardStrategy
from mouche_solver.cards.think.search import Budget
from mouche_solver.cards.think.thinker import Thinker
from mouche_solver.dice.odds import claim_probability
from mouche_solver.dice.round.strategy import HandMix, HandTable
from mouche_solver.dice.rules.hands import all_hands, matches
from mouche_solver.dice.rules.notation import DOUBT, format_hand, parse_hand, parse_history
from mouche_solver.dice.rules.rules import Claim, DiceRules
from mouche_solver.dice.sample.strategy import SampledStrategy
from mouche_solver.errors import NotationError
from mouche_solver.review.answering import DiceAnswer, card_answer, dice_answer
from mouche_solver.review.deals import follow, shown
from mouche_solver.review.tables import choices as choices_at_table
from mouche_solver.review.tables import survey, think

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
WIDE = 64  # more than there are trumps
_SHOWN = 24
THINKING = 2048  # guesses of a search, about a second


def dice_position(
    rules: DiceRules,
    history: str,
    hand: str = "",
    answer: DiceAnswer | None = None,
    values: bool = True,
) -> dict[str, Any]:
    """A position of a round, with the advice for one hand when it is given.

    Parameters
    ----------
    rules : DiceRules
    history : str
        Claims such as ``3x5,4x5``.
    hand : str
        Dice of the player to act; may be empty.
    answer : strategy, optional
        Who answers; the shipped strategy when left out.
    values : bool
        Whether values are sampled where no strategy knows them: a third of a second.

    Raises
    ------
    MoucheError
        When something cannot be read, or no strategy answers for these rules.
    """
    claims = parse_history(rules, history)
    player = len(claims) % rules.players
    answer = dice_answer(rules) if answer is None else answer
    dice = parse_hand(rules, hand, player) if hand else None
    if isinstance(answer, SampledStrategy):
        table: HandMix = answer.sound_table(claims)
        flows, reach = _flows(answer, claims)
    else:
        table = answer.table(claims)
        flows, reach = list(table.ranges), table.reach
    own = flows[player]
    mixed = own @ table.probabilities
    worth, errors, value = _worth(answer, table, own, claims, values)
    actions = [
        {
            "action": name,
            "probability": float(mixed[column]),
            "value": worth.get(name),
            "error": errors.get(name),
        }
        for column, name in enumerate(table.actions)
    ]
    order = np.argsort(-own, kind="stable")[:_SHOWN]
    found = {
        "rules": rules.to_dict(),
        "history": [str(c) for c in claims],
        "player": player,
        "reach": reach,
        "value": value,
        "actions": actions,
        "hands": [
            {
                "hand": format_hand(table.hands[n]),
                "chance": float(own[n]),
                "mix": _mix(table.actions, table.probabilities[n]),
            }
            for n in order
        ],
        "ranges": [_range(rules, place, flow) for place, flow in enumerate(flows)],
        "quality": answer.quality_text,
        "note": _note(table),
        "sampled": isinstance(answer, SampledStrategy),
    }
    if dice is not None:
        found["advice"] = _dice_advice(rules, answer, dice, claims, values)
    return found


def _worth(
    answer: DiceAnswer, table: HandMix, own: Floats, claims: tuple[Claim, ...], sample: bool
) -> tuple[dict[str, float], dict[str, float], float | None]:
    """Values of the actions over a range, their errors where sampled, and of the position."""
    if isinstance(table, HandTable):
        means = dict(zip(table.actions, (own @ table.values).tolist(), strict=True))
        return means, {}, float((own[:, None] * table.probabilities * table.values).sum())
    if not sample:
        return {}, {}, None
    assert isinstance(answer, SampledStrategy)  # the only other kind
    found = survey(answer, claims)
    return (
        dict(zip(found.actions, found.values.tolist(), strict=True)),
        dict(zip(found.actions, found.errors.tolist(), strict=True)),
        found.value,
    )


def _note(table: HandMix) -> str:
    if not isinstance(table, HandTable):
        return "Values are sampled: the round is played on in guessed deals."
    if table.assumed:
        return f"Good play hardly comes here: solved again, assumed: {table.assumed}."
    return ""


def _mix(actions: Sequence[str], row: Floats) -> list[dict[str, Any]]:
    best = np.argsort(-row, kind="stable")[:4]
    return [{"action": actions[n], "probability": float(row[n])} for n in best if row[n] >= 0.005]


def _flows(answer: SampledStrategy, claims: tuple[Claim, ...]) -> tuple[list[Floats], float]:
    """Each player's range, as rolled where nobody speaks so, and how likely the claims are."""
    rules, flows, reach = answer.rules, [], 1.0
    for dice in rules.dice:
        ways = np.array(all_hands(dice, rules.faces)[1], dtype=np.float64)
        flows.append(ways / ways.sum())
    for done, claim in enumerate(claims):
        mix = answer.table(claims[:done])
        place = done % rules.players
        new = flows[place] * mix.probabilities[:, mix.actions.index(str(claim))]
        total = float(new.sum())
        reach *= total
        if total > 0:
            flows[place] = new / total
    return flows, reach


def _range(rules: DiceRules, place: int, flow: Floats) -> dict[str, Any]:
    """A player's range: how many of each face he is expected to hold, and his likeliest hands."""
    hands = all_hands(rules.dice[place], rules.faces)[0]
    order = np.argsort(-flow, kind="stable")[:8]
    expected = [
        float(flow @ np.array([matches(h, face, rules.wild) for h in hands]))
        for face in range(1, rules.faces + 1)
    ]
    return {
        "player": place,
        "expected": expected,
        "hands": [{"hand": format_hand(hands[n]), "chance": float(flow[n])} for n in order],
    }


def _dice_advice(
    rules: DiceRules,
    answer: DiceAnswer,
    dice: tuple[int, ...],
    claims: tuple[Claim, ...],
    sample: bool,
) -> dict[str, Any]:
    value, options = hand_options(answer, dice, claims, sample)
    standing = float(claim_probability(rules, claims[-1], dice)) if claims else None
    return {
        "hand": format_hand(dice),
        "value": value,
        "options": options,
        "standing": standing,
        "reason": reason(options, standing, str(claims[-1]) if claims else ""),
    }


def hand_options(
    answer: DiceAnswer, dice: tuple[int, ...], claims: tuple[Claim, ...], sample: bool = True
) -> tuple[float | None, list[dict[str, Any]]]:
    """What one hand is worth and what each action is; sampled at tables of three and more."""
    advice = answer.policy(dice, claims)
    if not isinstance(answer, SampledStrategy) or not sample:
        return advice.value, [vars(o) for o in advice.actions]
    thought = think(answer, dice, claims)
    true = {o.action: o.true_probability for o in advice.actions}
    return thought.value, [
        vars(c) | {"true_probability": true[c.action]} for c in choices_at_table(thought)
    ]


def reason(options: list[dict[str, Any]], standing: float | None, last: str) -> str:
    """One sentence: what to do, how it compares, and how the standing claim looks.

    Examples
    --------
    >>> options = [{"action": "doubt", "probability": 0.1, "value": -0.2},
    ...            {"action": "4x5", "probability": 0.9, "value": 0.1}]
    >>> reason(options, 0.6, "3x5")
    'Say 4x5: it is worth +0.100, a doubt -0.200; with your dice 3x5 is true with a chance of 60%.'
    """
    main = max(options, key=lambda o: o["probability"])
    text = "Doubt" if main["action"] == DOUBT else f"Say {main['action']}"
    if main["value"] is not None:
        others = [o for o in options if o is not main]
        doubt = next((o for o in others if o["action"] == DOUBT), None)
        second = doubt or max(others, key=lambda o: o["value"], default=None)
        text += f": it is worth {main['value']:+.3f}"
        if second is not None:
            name = "a doubt" if second is doubt else second["action"]
            text += f", {name} {second['value']:+.3f}"
    if standing is not None:
        text += f"; with your dice {last} is true with a chance of {standing:.0%}"
    return text + "."


def card_rules(given: dict[str, Any]) -> CardRules:
    """Card rules from JSON; ``game`` may say ``mushka``."""
    fields = dict(given)
    if fields.pop("game", "mouche") == "mushka":
        return CardRules.mushka(**fields)
    return CardRules.from_dict(fields)


def declared_words(words: Sequence[Any]) -> tuple[Declared, ...]:
    """Declarations from JSON: ``pass``, ``stand``, or a number of cards."""
    found: list[Declared] = []
    for word in words:
        if word in ("pass", "stand") or type(word) is int:
            found.append(word)
        else:
            raise NotationError(f"declaration {word!r}: allowed are pass, stand and numbers")
    return tuple(found)


def card_chart(
    rules: CardRules, declared: Sequence[Any], strategy: CardStrategy | None = None
) -> dict[str, Any]:
    """What the next seat declares, by trumps held and the best of them."""
    return _card_chart(strategy or card_answer(rules), declared_words(declared))


@lru_cache(maxsize=64)
def _card_chart(strategy: CardStrategy, said: tuple[Declared, ...]) -> dict[str, Any]:
    rules, seat = strategy.rules, len(said)
    found = all_answers(strategy, seat, said)
    actions = strategy.abstraction.actions
    kinds = ["pass", "stand", *(str(k) for k in range(1, rules.max_exchange + 1))]
    column = [0 if n == 0 else kinds.index(str(a[0])) if a[0] else 1 for n, a in enumerate(actions)]
    places, blocks = list[Ints](), list[Floats]()
    total = np.zeros(len(kinds))
    for each in found:
        shapes = hand_shapes(rules, each.context, each.hands)
        by_kind = np.zeros((len(each.hands), len(kinds)))
        for n, place in enumerate(column):
            by_kind[:, place] += each.chances[:, n]
        block = np.column_stack([each.weight, each.weight[:, None] * by_kind])
        total += block[:, 1:].sum(axis=0)
        places.append(shapes.trumps * WIDE + shapes.best)
        blocks.append(block)
    keys, row = np.unique(np.concatenate(places), return_inverse=True)
    sums = np.zeros((len(keys), 1 + len(kinds)))
    np.add.at(sums, row, np.concatenate(blocks))
    values = grouped_values(found, row)
    return {
        "rules": rules.to_dict(),
        "seat": seat,
        "declared": list(said),
        "kinds": kinds,
        "mean": total.tolist(),
        "histories": histories_alike(strategy, strategy.abstraction.histories.index(said)),
        "rows": [
            {
                "trumps": int(key) // WIDE,
                "best": int(key) % WIDE,
                "dealt": float(line[0]),
                "worth": None if np.isnan(value) else float(value),
                "error": None if np.isnan(error) else float(error),
                "visits": round(float(visits)),
                "few": bool(visits < FEW_VISITS),
                "mix": (line[1:] / line[0]).tolist(),
            }
            for key, line, value, error, visits in zip(keys, sums, *values, strict=True)
            if line[0] > 0
        ],
        "last": seat == rules.players - 1,
        "quality": strategy.quality_text,
    }


def card_deal(
    rules: CardRules, given: dict[str, Any], strategy: CardStrategy | None = None
) -> dict[str, Any]:
    """One deal with open cards, declarations and play: where it stands, and what the seat does.

    Parameters
    ----------
    rules : CardRules
    given : dict
        ``order`` of the pack, a random one when left out; ``line``, what was done in words;
        ``think``, whether the decision is searched instead of looked up.
    strategy : CardStrategy, optional

    Raises
    ------
    MoucheError
        When it cannot be read or the rules do not lead there.
    """
    strategy = card_answer(rules) if strategy is None else strategy
    pack, line = rules.pack, [str(words) for words in given.get("line", [])]
    order = str(given.get("order") or "")
    if not order:
        order = " ".join(pack.names(random_order(rules, random.SystemRandom())))
    deal = follow(rules, order, line)
    acts = deal.outcome is None
    options, notes, ranges = _deal_options(strategy, deal, bool(given.get("think")))
    known = [o for o in options if o["value"] is not None]
    all_known = bool(options) and len(known) == len(options)
    return {
        "rules": rules.to_dict(),
        "order": order,
        "line": line,
        "turned": pack.name(deal.turned),
        "trump": None if deal.trump is None else pack.suits[deal.trump],
        "phase": deal.phase,
        "turn": deal.turn if acts else None,
        "seats": [
            {
                "seat": seat,
                "hand": list(pack.mask_names(deal.hands[seat])),
                "laid": list(pack.mask_names(deal.laid[seat])),
                "declared": deal.declared[seat],
                "tricks": deal.tricks[seat],
            }
            for seat in range(rules.players)
        ],
        "tricks": [
            [{"seat": seat, "card": pack.name(card)} for seat, card in trick]
            for trick in (*deal.history, deal.trick)
            if trick
        ],
        "options": options,
        "value": sum(o["probability"] * o["value"] for o in known) if all_known else None,
        "error": sum(o["probability"] * (o["error"] or 0.0) for o in known) if all_known else None,
        "few": any(o["few"] and o["probability"] > 0.0 for o in known),
        "notes": notes,
        "ranges": ranges,
        "outcome": None
        if deal.outcome is None
        else {
            "how": deal.outcome.how,
            "winner": deal.outcome.winner,
            "mouches": list(deal.outcome.mouches),
        },
        "quality": strategy.quality_text,
    }


def _deal_options(
    strategy: CardStrategy, deal: Deal, think: bool
) -> tuple[list[dict[str, Any]], list[str], list[dict[str, Any]]]:
    """What the seat to act may do, what is to be said of it, and the ranges of the others."""
    pack = strategy.rules.pack
    if deal.outcome is not None:
        return [], [], []
    if deal.phase == "name-trump":
        rows = [
            (shown(pack, o.action), o.probability, o.value, None, False)
            for o in strategy.advise(Situation.of(deal))
        ]
        return [dict(zip(_OPTION, row, strict=True)) for row in rows], [], []
    seen = Situation.of(deal)
    thinker = Thinker(strategy, Budget(0.0, samples=THINKING if think else None))
    thought = thinker.think(seen)
    actions = thinker.as_actions(seen, thought.options)
    found = [
        {
            "action": shown(pack, a.action),
            "probability": a.probability,
            "value": a.value,
            "error": one.error,
            "few": one.few,
        }
        for a, one in zip(actions, thought.choices, strict=True)
    ]
    return found, list(thought.notes), _card_ranges(strategy, seen)


_OPTION = ("action", "probability", "value", "error", "few")


def card_advice(
    rules: CardRules, given: dict[str, Any], strategy: CardStrategy | None = None
) -> dict[str, Any]:
    """What to declare or to play, found by a search of the decision over guessed deals.

    Parameters
    ----------
    rules : CardRules
    given : dict
        ``hand``, ``turned``, ``seat``, ``declared``, and in play ``laid`` and ``played`` (tricks of
        cards); cards by their names.

    Raises
    ------
    MoucheError
        When it cannot be read or the rules do not lead there.
    """
    pack, strategy = rules.pack, strategy or card_answer(rules)
    said = declared_words(given.get("declared", []))
    tricks = tuple(pack.cards(" ".join(t)) for t in given.get("played", []))
    seat = given.get("seat", len(said))
    seen = Situation(
        pack.hand(str(given.get("hand", ""))),
        pack.card(str(given.get("turned", ""))),
        seat,
        said,
        pack.hand(str(given.get("laid", ""))) if given.get("laid") else 0,
        tricks,
    )
    thought = Thinker(strategy, Budget(samples=THINKING)).think(seen)
    rows = []
    for one in thought.choices:
        option = one.option
        played = not hasattr(option, "action")
        cards = [option.card] if played else list(option.cards)
        word = "play" if played else option.action
        rows.append(
            {
                "action": pack.name(cards[0]) if played else " ".join([word, *pack.names(cards)]),
                "probability": option.probability,
                "value": option.value,
                "error": one.error,
                "samples": round(one.samples),
                "from": one.source,
                "few": one.few,
            }
        )
    return {
        "rules": rules.to_dict(),
        "options": rows,
        "notes": list(thought.notes),
        "reason": _card_reason(rows, "points" if rules.scoring == "countdown" else "pots"),
        "ranges": _card_ranges(strategy, seen),
        "quality": strategy.quality_text,
    }


def _card_reason(rows: list[dict[str, Any]], unit: str) -> str:
    main = max(rows, key=lambda r: r["probability"])
    if main["value"] is None:
        return f"{main['action'].capitalize() if len(rows) > 1 else 'Only ' + main['action']}."
    text = f"{main['action']} is worth {main['value']:+.3f} {unit}"
    rest = [r for r in rows if r is not main and r["value"] is not None]
    if rest:
        second = max(rest, key=lambda r: r["value"])
        text += f", the next best, {second['action']}, {second['value']:+.3f}"
    return text + "."


def _card_ranges(strategy: CardStrategy, seen: Situation) -> list[dict[str, Any]]:
    """What the declarations of the seats before tell of their hands."""
    found = []
    for seat in range(min(len(seen.declared), 7)):
        if seat == seen.seat:
            continue
        posterior = strategy.posterior(seen.turned, seen.declared, seat, seen.hand)
        trumps: dict[int, float] = {}
        for feature, chance in posterior.items():
            held = sum(feature.trumps)
            trumps[held] = trumps.get(held, 0.0) + chance
        found.append(
            {
                "seat": seat,
                "trumps": [trumps.get(n, 0.0) for n in range(strategy.rules.hand_size + 1)],
            }
        )
    return found
