"""A match of dice between a person and others; its text is the written match.

``answer`` is the strategy of a file that the match is played with, in the functions that need one;
rounds that it is not for, and matches without one, are answered by the shipped strategies.
"""

from typing import Any

import numpy as np

from mouche_solver.dice.people.players import PEOPLE
from mouche_solver.dice.round.strategy import RoundStrategy
from mouche_solver.dice.rules.match_referee import Match, PlayedRound, format_match, replay_match
from mouche_solver.dice.rules.notation import DOUBT, parse_claim
from mouche_solver.dice.rules.referee import Action, Round, roll
from mouche_solver.dice.rules.rules import DiceRules
from mouche_solver.errors import IllegalMoveError, UsageError
from mouche_solver.review.answering import DiceAnswer, check_dice_rules, dice_answer
from mouche_solver.review.dice import review_dice
from mouche_solver.review.record import Review, Told
from mouche_solver.web.explore import hand_options

KIND, STRATEGY = "dice", "strategy"
MOST_PLAYERS = 6


def players() -> list[dict[str, str]]:
    """Everybody who can sit at the table."""
    first = {"name": STRATEGY, "about": "plays the solved or trained strategy"}
    return [first, *({"name": p.name, "about": p.about} for p in PEOPLE.values())]


def new(config: dict[str, Any], answer: DiceAnswer | None = None) -> tuple[dict[str, Any], str]:
    """A match before its first claim.

    Parameters
    ----------
    config : dict
        ``rules``, ``seat`` of the person, ``players``, a name for each seat, and the ``file`` that
        the answer is from.
    answer : strategy, optional

    Returns
    -------
    tuple of dict and str
        The checked set-up, and the text.

    Raises
    ------
    MoucheError
        For impossible rules or players, or when the strategy of a table is not known.
    """
    rules = DiceRules.from_dict(config.get("rules", {}))
    if rules.players > MOST_PLAYERS:
        raise UsageError(f"{rules.players} players: at most {MOST_PLAYERS} sit here")
    seat, names = config.get("seat", 0), list(config.get("players", []))
    if type(seat) is not int or not 0 <= seat < rules.players:
        raise UsageError(f"seat {seat!r}: allowed are 0 to {rules.players - 1}")
    if len(names) != rules.players:
        raise UsageError(f"{len(names)} players named: the rules have {rules.players}")
    known = [p["name"] for p in players()]
    for place, name in enumerate(names):
        if place != seat and name not in known:
            raise UsageError(f"player {name!r}: allowed are {', '.join(known)}")
    names[seat] = "you"
    if answer is not None:
        check_dice_rules(answer, Match.start(rules).round_rules)
    elif STRATEGY in names:
        dice_answer(Match.start(rules).round_rules)
    checked = {"rules": rules.to_dict(), "seat": seat, "players": names, "file": config.get("file")}
    return checked, deal(checked, "", answer)


def _answer_for(rules: DiceRules, answer: DiceAnswer | None) -> DiceAnswer:
    """The file's strategy where it is for this round, else the shipped one."""
    if answer is not None and answer.rules.round_hash == rules.round_hash:
        return answer
    return dice_answer(rules)


def rounds(config: dict[str, Any], text: str) -> tuple[PlayedRound, ...]:
    """The match so far."""
    return replay_match(DiceRules.from_dict(config["rules"]), text)


def deal(config: dict[str, Any], text: str, answer: DiceAnswer | None = None) -> str:
    """Roll the next round and let the others speak until the person's turn or the doubt."""
    played = rounds(config, text)
    match = played[-1].after if played else Match.start(DiceRules.from_dict(config["rules"]))
    if match.winner is not None:
        raise IllegalMoveError("the match is over")
    if played and not played[-1].round.doubted:
        raise IllegalMoveError("the round is not over")
    random = np.random.default_rng()
    state = Round(match.round_rules, roll(match.round_rules, random))
    return _written(played, match, _others(config, match, state, answer))


def act(config: dict[str, Any], text: str, action: str, answer: DiceAnswer | None = None) -> str:
    """The person speaks, then the others until his next turn or the doubt."""
    played = rounds(config, text)
    match, state = played[-1].before, played[-1].round
    if state.to_act is None or match.seats[state.to_act] != config["seat"]:
        raise IllegalMoveError(f"{action}: it is not your turn")
    state = state.play(DOUBT if action == DOUBT else parse_claim(action))
    return _written(played[:-1], match, _others(config, match, state, answer))


def undo(config: dict[str, Any], text: str) -> str:
    """Take the person's last claim back; after the cups were lifted nothing can be undone."""
    played = rounds(config, text)
    match, state = played[-1].before, played[-1].round
    if state.doubted:
        raise IllegalMoveError("the cups are lifted: nothing can be undone")
    seats = match.seats
    own = [n for n in range(len(state.history)) if seats[n % len(seats)] == config["seat"]]
    if not own:
        raise IllegalMoveError("you have not spoken in this round")
    kept = Round(state.rules, state.cups, state.history[: own[-1]])
    return _written(played[:-1], match, kept)


def _written(played: tuple[PlayedRound, ...], match: Match, state: Round) -> str:
    return format_match((*played, PlayedRound(match, state, match)))


def _others(config: dict[str, Any], match: Match, state: Round, answer: DiceAnswer | None) -> Round:
    """Let everybody but the person act; without him in the match, to the end of the round."""
    random = np.random.default_rng()
    while (place := state.to_act) is not None:
        seat = match.seats[place]
        if seat == config["seat"]:
            break
        state = state.play(_choice(config["players"][seat], state, place, random, answer))
    return state


def _choice(
    name: str,
    state: Round,
    place: int,
    random: np.random.Generator,
    answer: DiceAnswer | None,
) -> Action:
    if name != STRATEGY:
        said = PEOPLE[name].act(state.rules, state.cups[place], state.history, random)
        return DOUBT if isinstance(said, str) else said
    options = _answer_for(state.rules, answer).policy(state.cups[place], state.history).actions
    chances = np.array([o.probability for o in options])
    word = options[int(random.choice(len(options), p=chances / chances.sum()))].action
    return DOUBT if word == DOUBT else RoundStrategy.read_claim(word)


def hint(config: dict[str, Any], text: str, answer: DiceAnswer | None = None) -> dict[str, Any]:
    """What the strategy would do in the person's place."""
    played = rounds(config, text)
    state = played[-1].round
    if state.to_act is None or played[-1].before.seats[state.to_act] != config["seat"]:
        raise IllegalMoveError("it is not your turn")
    asked = _answer_for(state.rules, answer)
    value, options = hand_options(asked, state.cups[state.to_act], state.history)
    return {"options": options, "value": value}


def review(
    config: dict[str, Any],
    text: str,
    told: Told | None = None,
    last: bool = False,
    answer: DiceAnswer | None = None,
) -> Review:
    """The review of all finished rounds, or of the last one alone."""
    done = [p for p in rounds(config, text) if p.round.doubted]
    if not done:
        raise UsageError("no round is over yet")
    rules = DiceRules.from_dict(config["rules"])
    known = [s for s, name in enumerate(config["players"]) if name == STRATEGY]
    first = done[-1 if last else 0].round.rules
    judge = answer if answer is not None and answer.rules.round_hash == first.round_hash else None
    return review_dice(format_match(done), rules, judge, known=known, told=told, last=last)


def finished(config: dict[str, Any], text: str) -> str:
    """The text of the finished rounds alone."""
    return format_match(p for p in rounds(config, text) if p.round.doubted)


def over(config: dict[str, Any], text: str) -> bool:
    """Whether the match has a winner."""
    return rounds(config, text)[-1].after.winner is not None


def view(config: dict[str, Any], text: str) -> dict[str, Any]:
    """What the person may see: his own cup, and all cups once they are lifted."""
    played = rounds(config, text)
    last, seat = played[-1], config["seat"]
    match, state, reveal = last.before, last.round, last.round.reveal
    after = last.after if reveal is not None else match
    open_cups = reveal is not None
    turn = None if state.to_act is None else match.seats[state.to_act]
    legal = [str(a) for a in state.legal_actions()] if turn == seat else []
    return {
        "kind": "dice",
        "rules": config["rules"],
        "players": config["players"],
        "file": config.get("file"),
        "seat": seat,
        "round": len(played),
        "points": list(after.points),
        "order": list(match.seats),
        "cups": {
            str(who): list(cup) if open_cups or who == seat else len(cup)
            for who, cup in zip(match.seats, state.cups, strict=True)
        },
        "history": [
            {"seat": match.seats[n % len(match.seats)], "claim": str(c)}
            for n, c in enumerate(state.history)
        ],
        "doubted": state.doubted,
        "turn": turn,
        "legal": legal,
        "can_undo": any(
            match.seats[n % len(match.seats)] == seat for n in range(len(state.history))
        )
        and not state.doubted,
        "reveal": None
        if reveal is None
        else {
            "claim": str(reveal.claim),
            "count": reveal.count,
            "correct": reveal.correct,
            "loser": match.seats[reveal.loser],
            "claimant": match.seats[reveal.claimant],
            "doubter": match.seats[reveal.doubter],
            "why": last.explain(),
        },
        "winner": after.winner,
        "over": after.winner is not None,
    }
