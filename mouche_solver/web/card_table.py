"""A game of cards between a person and others; its text is the transcript.

``answer`` is the strategy of a file that the game is played with; the shipped one without it.
"""

import random
from dataclasses import replace
from typing import Any

from mouche_solver.cards.referee.actions import Action, Exchange, Shuffle
from mouche_solver.cards.referee.deal import Deal
from mouche_solver.cards.referee.declare import exchangeable
from mouche_solver.cards.referee.game import Game, apply
from mouche_solver.cards.referee.play import legal_mask
from mouche_solver.cards.referee.record import Record, RecordedDeal
from mouche_solver.cards.referee.referee import draw_shuffle, legal_actions
from mouche_solver.cards.referee.simulate import random_order
from mouche_solver.cards.referee.transcript import replay, write
from mouche_solver.cards.rules.rules import CardRules
from mouche_solver.cards.strategy.people import PEOPLE, card_person
from mouche_solver.cards.strategy.situation import Situation
from mouche_solver.cards.strategy.strategy import CardStrategy
from mouche_solver.cards.think.search import Budget
from mouche_solver.cards.think.thinker import Thinker
from mouche_solver.errors import IllegalMoveError, UsageError
from mouche_solver.review.answering import card_answer, check_card_rules
from mouche_solver.review.cards import choices, review_cards, thought_choices
from mouche_solver.review.deals import read_words, shown
from mouche_solver.review.record import Review, Told

NAMES = ("Anna", "Ben", "Clara", "David", "Emma", "Felix", "Greta")
KIND, STRATEGY = "cards", "strategy"


def new(config: dict[str, Any], answer: CardStrategy | None = None) -> tuple[dict[str, Any], str]:
    """A game with its first deal; as :func:`mouche_solver.web.dice_table.new`."""
    given = dict(config.get("rules", {}))
    if given.pop("game", "mouche") == "mushka":
        rules = CardRules.mushka(**given)
    else:
        rules = CardRules.from_dict(given)
    seat = config.get("seat", 0)
    if type(seat) is not int or not 0 <= seat < rules.players:
        raise UsageError(f"seat {seat!r}: allowed are 0 to {rules.players - 1}")
    if not rules.debts:
        raise UsageError("debts=False: the strategies are for a table that stays full")
    if answer is None:
        card_answer(rules)
    else:
        check_card_rules(answer, rules)
    names = list(NAMES[: rules.players])
    names[seat] = "You"
    first = rules.first_dealer
    rng = random.SystemRandom()
    record = Record(rules, tuple(names), rng.randrange(rules.players) if first is None else first)
    kinds = list(config.get("players", [])) or [STRATEGY] * rules.players
    if len(kinds) != rules.players:
        raise UsageError(f"{len(kinds)} players named: the rules have {rules.players}")
    for place, kind in enumerate(kinds):
        if place != seat and kind not in (STRATEGY, *PEOPLE):
            allowed = ", ".join([STRATEGY, *PEOPLE])
            raise UsageError(f"player {kind!r}: allowed are {allowed}")
    kinds[seat] = "you"
    checked = {"rules": rules.to_dict(), "seat": seat, "players": names, "kinds": kinds}
    checked["file"] = config.get("file")
    return checked, deal(checked, write(record), answer)


def players() -> list[dict[str, str]]:
    """Everybody who can sit at the table."""
    first = {"name": STRATEGY, "about": "plays the trained strategy"}
    return [first, *({"name": p.name, "about": p.about} for p in PEOPLE.values())]


def _read(text: str) -> tuple[Record, Game]:
    record = replay(text).record
    return record, record.final()


def deal(config: dict[str, Any], text: str, answer: CardStrategy | None = None) -> str:
    """Deal, and let the others act until the person's turn or the end of the deal."""
    record, game = _read(text)
    if not game.between:
        raise IllegalMoveError("the game is over" if game.over else "the deal is not over")
    order = random_order(record.rules, random.SystemRandom())
    record = replace(record, deals=(*record.deals, RecordedDeal(order)))
    return _others(config, record, answer)


def act(config: dict[str, Any], text: str, action: str, answer: CardStrategy | None = None) -> str:
    """The person acts, then the others."""
    record, game = _read(text)
    running = _mine(config, game)
    return _others(config, _with(record, read_words(running, action)), answer)


def undo(config: dict[str, Any], text: str) -> str:
    """Take the person's last action in this deal back, while no card was drawn or shown since."""
    record, game = _read(text)
    running = game.deal
    if running is None or running.outcome is not None:
        raise IllegalMoveError("the deal is over: nothing can be undone")
    seat, last = game.seating.index(config["seat"]), record.deals[-1]
    own = [n for n, a in enumerate(last.actions) if getattr(a, "seat", None) == seat]
    if not own:
        raise IllegalMoveError("you have not acted in this deal")
    if isinstance(last.actions[own[-1]], Exchange):
        raise IllegalMoveError("you have seen the cards that you drew: that is not undone")
    kept = RecordedDeal(last.order, last.actions[: own[-1]])
    return write(replace(record, deals=(*record.deals[:-1], kept)))


def _with(record: Record, action: Action) -> Record:
    last = record.deals[-1]
    return replace(
        record, deals=(*record.deals[:-1], RecordedDeal(last.order, (*last.actions, action)))
    )


def _mine(config: dict[str, Any], game: Game) -> Deal:
    running = game.deal
    if running is None or running.outcome is not None or running.phase == "shuffle":
        raise IllegalMoveError("it is not your turn")
    if game.seating[running.turn] != config["seat"]:
        raise IllegalMoveError("it is not your turn")
    return running


def _others(config: dict[str, Any], record: Record, answer: CardStrategy | None) -> str:
    rng, game = random.SystemRandom(), record.final()
    strategy = answer or card_answer(record.rules)
    while game.deal is not None and game.deal.outcome is None:
        running = game.deal
        if running.phase == "shuffle":
            action: Action = draw_shuffle(running, random.Random(rng.getrandbits(64)))
        elif game.seating[running.turn] == config["seat"]:
            break
        else:
            kind = _kinds(config)[game.seating[running.turn]]
            who = strategy if kind == STRATEGY else card_person(kind).at(strategy)
            options = who.advise(Situation.of(running))
            action = rng.choices(options, [o.probability for o in options])[0].action
        game, record = apply(game, action), _with(record, action)
    return write(record)


def _kinds(config: dict[str, Any]) -> list[str]:
    """Who plays, by player; games kept by older versions name nobody."""
    return list(config.get("kinds") or [STRATEGY] * len(config["players"]))


def hint(config: dict[str, Any], text: str, answer: CardStrategy | None = None) -> dict[str, Any]:
    """What the strategy would do in the person's place."""
    record, game = _read(text)
    running = _mine(config, game)
    strategy, seen = answer or card_answer(record.rules), Situation.of(running)
    pack = record.rules.pack
    if running.phase == "name-trump":
        listed = choices(pack, strategy.advise(seen))
    else:
        thinker = Thinker(strategy, Budget(seconds=0.0))
        listed = thought_choices(pack, thinker, seen, thinker.think(seen))
    known = [c for c in listed if c.value is not None and c.probability > 0.0]
    all_known = sum(c.probability for c in known) > 1.0 - 1e-6
    return {
        "options": [vars(c) for c in listed],
        "value": sum(c.probability * (c.value or 0.0) for c in known) if all_known else None,
        "error": sum(c.probability * (c.error or 0.0) for c in known) if all_known else None,
        "few": any(c.few for c in known),
    }


def review(
    config: dict[str, Any],
    text: str,
    told: Told | None = None,
    last: bool = False,
    answer: CardStrategy | None = None,
) -> Review:
    """The review of all finished deals, or of the last one alone."""
    done = finished(config, text)
    if not replay(done).record.deals:
        raise UsageError("no deal is over yet")
    return review_cards(done, strategy=answer, told=told, last=last)


def finished(config: dict[str, Any], text: str) -> str:
    """The transcript of the finished deals alone."""
    record, game = _read(text)
    running = game.deal
    deals = record.deals if running is None or running.outcome is not None else record.deals[:-1]
    return write(replace(record, deals=deals))


def over(config: dict[str, Any], text: str) -> bool:
    """Whether the game has ended."""
    return _read(text)[1].over


def view(config: dict[str, Any], text: str) -> dict[str, Any]:
    """What the person may see: his own hand, the turn-up, what was said and played."""
    record, game = _read(text)
    running = game.deal
    assert running is not None  # a game is kept from its first deal on
    pack, person = record.rules.pack, config["seat"]
    seat = game.seating.index(person)
    done = running.outcome is not None
    waits = not done and running.phase != "shuffle" and game.seating[running.turn] == person
    declared = {
        str(game.seating[s]): (f"exchange {laid.bit_count()}" if said == "exchange" else said)
        for s, (said, laid) in enumerate(zip(running.declared, running.laid, strict=True))
        if said is not None
    }
    outcome = running.outcome
    return {
        "kind": "cards",
        "rules": config["rules"],
        "players": config["players"],
        "kinds": _kinds(config),
        "file": config.get("file"),
        "seat": person,
        "deal": len(record.deals),
        "dealer": game.seating[-1],
        "order": list(game.seating),
        "turned": pack.name(running.turned),
        "trump": None if running.trump is None else pack.suits[running.trump],
        "hand": list(pack.mask_names(running.hands[seat])),
        "phase": running.phase,
        "turn": person if waits else None,
        "declared": declared,
        "trick": [{"seat": game.seating[s], "card": pack.name(c)} for s, c in running.trick],
        "tricks": [
            [{"seat": game.seating[s], "card": pack.name(c)} for s, c in trick]
            for trick in running.history
        ],
        "taken": {str(game.seating[s]): n for s, n in enumerate(running.tricks)},
        "stacks": list(game.stacks),
        "points": list(game.points),
        "pot": running.stake,
        "waiting": sum(game.waiting),
        "legal": _legal(running) if waits else {},
        "can_undo": not done and _can_undo(config, record, game),
        "outcome": None
        if outcome is None
        else {
            "how": outcome.how,
            "winner": None if outcome.winner is None else game.seating[outcome.winner],
            "mouches": [game.seating[s] for s in outcome.mouches],
        },
        "over": game.over,
        "winners": list(game.winners),
    }


def _can_undo(config: dict[str, Any], record: Record, game: Game) -> bool:
    seat = game.seating.index(config["seat"])
    own = [a for a in record.deals[-1].actions if getattr(a, "seat", None) == seat]
    return bool(own) and not isinstance(own[-1], Exchange | Shuffle)


def _legal(running: Deal) -> dict[str, Any]:
    """What the person may do: cards to play, or words and how many cards he may exchange."""
    pack = running.rules.pack
    if running.phase == "play":
        return {"cards": list(pack.mask_names(legal_mask(running)))}
    words = {shown(pack, a).split()[0] for a in legal_actions(running)}
    if running.phase == "name-trump":
        return {"suits": list(pack.suits)}
    most = exchangeable(running) if "exchange" in words else 0
    return {"words": sorted(words - {"exchange", "give"}), "exchange": most}
