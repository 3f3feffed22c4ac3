"""``mouche dice advise``."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from mouche_solver.cli.common import STDOUT, OutputFlags, aligned, emit
from mouche_solver.cli.dice.group import DEFAULT_RULES, RuleFlags, whole_numbers
from mouche_solver.cli.dice.strategy import (
    AGAINST,
    TRUST,
    advisor_for,
    note_if_assumed,
    rules_for,
    sampled_for,
)
from mouche_solver.cli.dice.words import heading, rows_text, sentence
from mouche_solver.dice.people.fitted import Fitted, Opponent
from mouche_solver.dice.round.strategy import advice as advice_of
from mouche_solver.dice.rules.hands import Hand
from mouche_solver.dice.rules.notation import format_claims, format_hand, parse_hand, parse_history
from mouche_solver.dice.rules.rules import Claim, DiceRules
from mouche_solver.errors import UsageError

_SCOPE = (
    "It plays every round to lose it as seldom as it can, whatever the score. With three and more "
    "players no strategy is known to be safe: it may lose to others that it was not measured "
    "against."
)
_HARDLY_MET = "Training hardly met this position: the likeliest claim stands in."


def advise(
    hand: Annotated[str, Parameter(help="The dice of the player to act, such as 5,5,2,1,6.")],
    /,
    *,
    history: Annotated[str, Parameter(help="Claims so far, such as '3x5,4x5'.")] = "",
    solution: Annotated[Path | None, Parameter(help="File of mouche dice solve.")] = None,
    points: Annotated[
        str | None,
        Parameter(help="Points of a whole table in playing order; the advice does not use them."),
    ] = None,
    against: Annotated[str | None, Parameter(help=AGAINST)] = None,
    trust: Annotated[float | None, Parameter(help=TRUST)] = None,
    everything: Annotated[
        bool, Parameter(name="--all", negative="", help="Show every action, not the likeliest ten.")
    ] = False,
    game: RuleFlags = DEFAULT_RULES,
    output: OutputFlags = STDOUT,
) -> None:
    """What to do with one hand: every action, its probability and what it is worth.

    Values are expected payoffs, +1 for winning the round and -1 for losing it.
    """
    rules = rules_for(game, solution)
    if points is not None:
        rules = rules.replace(points=whole_numbers("--points", points))
    claims = parse_history(rules, history)
    player = len(claims) % rules.players
    dice = parse_hand(rules, hand, player)
    if rules.players > 2:
        if against is not None:
            raise UsageError("--against is for two players")
        at_table = _at_table(rules, dice, claims, solution)
        emit(output, at_table[0], {"action": str}, document=at_table[1], table=at_table[2])
        return
    strategy = advisor_for(rules, solution, against, trust)
    found = strategy.table(claims)
    place = found.hands.index(dice)
    advice = advice_of(rules, found, place)
    rows = [asdict(action) for action in advice.actions]
    document: dict[str, Any] = {
        "hand": format_hand(dice),
        "history": format_claims(claims),
        "player": player,
        "reach": found.reach,
        "value": advice.value,
        "actions": rows,
        "quality": strategy.quality_text,
    }
    note_if_assumed(found)
    if found.assumed:
        document["assumed"] = found.assumed
    text = f"{sentence(found, advice)}\n{heading(found, format_hand(dice), advice.value or 0.0)}"
    text += rows_text(advice, everything)
    if against is not None:
        reply = strategy.reply(claims)
        gain = float(reply.gain[place])
        document |= {"against": against, "trust": strategy.trust}
        document |= {"gain": gain, "risk": reply.risk}
        text += told_of(strategy.opponent)
        text += (
            f"if he is so, this wins {gain:+.4f} more than advice that knows nothing of him; if he "
            f"is not, it may lose {reply.risk:.4f} more\n"
        )
    text += f"{strategy.quality_text}\n"
    emit(output, rows, {"action": str}, document=document, table=text)


def told_of(opponent: Opponent | None) -> str:
    """How many rounds a fitted model rests on; nothing for a player known by name."""
    if not isinstance(opponent, Fitted):
        return ""
    return (
        f"the model of {opponent.name} rests on {opponent.rounds} rounds; nearest of the six: "
        f"{opponent.nearest.name}\n"
    )


def _at_table(
    rules: DiceRules, dice: Hand, claims: tuple[Claim, ...], solution: Path | None
) -> tuple[list[dict[str, Any]], dict[str, Any], str]:
    """Rows, document and text of the advice of a sampled strategy."""
    strategy = sampled_for(rules, solution)
    advice = strategy.policy(dice, claims)
    rows = [asdict(action) for action in advice.actions]
    player = len(claims) % rules.players
    document = {
        "hand": format_hand(dice),
        "history": format_claims(claims),
        "player": player,
        "points": list(rules.starting_points),
        "value": advice.value,
        "actions": rows,
        "trained": advice.trained,
        "quality": strategy.quality_text,
        "scope": _SCOPE,
    }
    spoken = format_claims(claims) or "the start of the round"
    text = f"player {player} with {format_hand(dice)} after {spoken}; values are not known\n"
    shown = [
        {key: row[key] for key in ("action", "probability", "true_probability")} for row in rows
    ]
    text += aligned(shown)
    text += "" if advice.trained else f"{_HARDLY_MET}\n"
    return rows, document, f"{text}{strategy.quality_text}\n{_SCOPE}\n"
