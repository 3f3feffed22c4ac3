"""``mouche dice ranges``."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from mouche_solver.cli.common import STDOUT, OutputFlags, aligned, emit
from mouche_solver.cli.dice.group import DEFAULT_RULES, RuleFlags
from mouche_solver.cli.dice.strategy import advisor_for, rules_for
from mouche_solver.dice.round.strategy import all_of
from mouche_solver.dice.rules.notation import format_claims, format_hand, parse_history


def ranges(
    *,
    history: Annotated[str, Parameter(help="Claims so far, such as '3x5,4x5'.")] = "",
    solution: Annotated[Path | None, Parameter(help="File of mouche dice solve.")] = None,
    game: RuleFlags = DEFAULT_RULES,
    output: OutputFlags = STDOUT,
) -> None:
    """Which hands each player holds, given the claims so far, the likeliest first.

    Where good play never makes the claims, each player is taken to err the rather, the less it
    costs his hand; ``reach`` is zero then.
    """
    rules = rules_for(game, solution)
    claims = parse_history(rules, history)
    strategy = advisor_for(rules, solution)
    found = strategy.table(claims)
    rows: list[dict[str, object]] = []
    for player, chances in enumerate(found.ranges):
        hands = zip(all_of(rules, player), chances.tolist(), strict=True)
        rows += [
            {"player": player, "hand": format_hand(hand), "probability": chance}
            for hand, chance in sorted(hands, key=lambda each: -each[1])
        ]
    document = {
        "history": format_claims(claims),
        "reach": found.reach,
        "ranges": rows,
        "quality": strategy.quality_text,
    }
    text = aligned(rows) + f"these claims are made with probability {found.reach:.3g}\n"
    emit(output, rows, {"player": int, "hand": str}, document=document, table=text)
