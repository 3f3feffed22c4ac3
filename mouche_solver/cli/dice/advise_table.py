"""What ``mouche dice advise`` says to three players and more."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

from mouche_solver.cli.common import aligned
from mouche_solver.cli.dice.strategy import sampled_for
from mouche_solver.dice.rules.hands import Hand
from mouche_solver.dice.rules.notation import format_claims, format_hand
from mouche_solver.dice.rules.rules import Claim, DiceRules

_SCOPE = (
    "It plays every round to lose it as seldom as it can, whatever the score. With three and more "
    "players no strategy is known to be safe: it may lose to others that it was not measured "
    "against."
)
_HARDLY_MET = "Training hardly met this position: the likeliest claim stands in."


def advise_table(
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
