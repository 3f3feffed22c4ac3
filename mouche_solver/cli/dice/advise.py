"""``mouche dice advise``."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from mouche_solver.cli.common import STDOUT, OutputFlags, aligned, emit
from mouche_solver.cli.dice.group import DEFAULT_RULES, RuleFlags, whole_numbers
from mouche_solver.cli.dice.strategy import rules_for, sampled_for, strategy_for, warn_if_rare
from mouche_solver.dice.round.strategy import advice as advice_of
from mouche_solver.dice.rules.hands import Hand
from mouche_solver.dice.rules.notation import format_claims, format_hand, parse_hand, parse_history
from mouche_solver.dice.rules.rules import Claim, DiceRules

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
        rows, document, text = _at_table(rules, dice, claims, solution)
        emit(output, rows, {"action": str}, document=document, table=text)
        return
    strategy = strategy_for(rules, solution)
    found = strategy.table(claims)
    advice = advice_of(rules, found, found.hands.index(dice))
    rows = [asdict(action) for action in advice.actions]
    document = {
        "hand": format_hand(dice),
        "history": format_claims(claims),
        "player": player,
        "reach": found.reach,
        "value": advice.value,
        "actions": rows,
        "quality": strategy.quality_text,
    }
    spoken = format_claims(claims) or "the start of the round"
    text = f"player {player} with {format_hand(dice)} after {spoken}: value {advice.value:+.4f}\n"
    text += aligned(rows) + f"{strategy.quality_text}\n"
    warn_if_rare(strategy, found)
    emit(output, rows, {"action": str}, document=document, table=text)


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
