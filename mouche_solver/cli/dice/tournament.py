"""``mouche dice tournament``."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from mouche_solver.cli.common import STDOUT, OutputFlags, Seed, Threads, Whole, aligned, emit
from mouche_solver.cli.dice.group import DEFAULT_RULES, RuleFlags
from mouche_solver.dice.people.players import PEOPLE
from mouche_solver.dice.rules.rules import DiceRules
from mouche_solver.errors import UsageError

if TYPE_CHECKING:  # loads the compiler
    from mouche_solver.dice.sample.tournament import Contestant


def tournament(
    *,
    players: Annotated[
        str,
        Parameter(
            help="One per seat, apart by commas: sampled (the strategy that the package ships), "
            "odds:THRESHOLD, random, honest, ladder, casual, bluffer, doubter, believer, or a file "
            "of mouche dice sample."
        ),
    ],
    deals: Annotated[Whole, Parameter(help="Deals, each played in all rotations.")] = 20_000,
    seed: Annotated[Seed, Parameter(help="The same seed gives the same result.")] = 0,
    threads: Annotated[
        Threads | None, Parameter(help="All processors without it; the result is the same.")
    ] = None,
    game: RuleFlags = DEFAULT_RULES,
    output: OutputFlags = STDOUT,
) -> None:
    """Play strategies against each other on the same dice in every rotation of the seats.

    Points lost a round, with 95 % intervals over deals. Somebody loses every round, so those who
    are as good as the rest of the table lose one point in as many rounds as there are players.
    """
    rules = game.read()
    names = [name.strip() for name in players.split(",")]
    if len(names) != rules.players:
        raise UsageError(
            f"--players names {len(names)}: {rules.players} seats need {rules.players}"
        )
    # What follows loads the compiler.
    from mouche_solver.dice.sample.tournament import play_tournament

    known = {name: _contestant(rules, name) for name in dict.fromkeys(names)}
    result = play_tournament(rules, [known[name] for name in names], deals, seed, threads)
    rows = result.to_records()
    document = {"deals": deals, "fair": 1 / rules.players, "players": rows}
    text = aligned(rows) + f"fair share {1 / rules.players:.6f}, {deals:,} deals\n"
    emit(output, rows, {"player": str}, document=document, table=text)


def _contestant(rules: DiceRules, name: str) -> "Contestant":
    from mouche_solver.dice.sample.tournament import (
        Contestant,
        human_player,
        odds_player,
        random_player,
        sampled_player,
    )

    if name == "random":
        return random_player(rules)
    if name in PEOPLE:
        return human_player(rules, PEOPLE[name])
    if name.startswith("odds:"):
        number = name.removeprefix("odds:")
        try:
            threshold = float(number if number.isascii() else "")
        except ValueError:
            raise UsageError(f"player {name}: write odds:0.5, a number from 0 to 1") from None
        return Contestant(name, odds_player(rules, threshold).side)
    if name != "sampled" and not name.endswith(".npz"):
        raise UsageError(
            f"player {name!r}: allowed are sampled, odds:THRESHOLD, random, "
            f"{', '.join(PEOPLE)}, and files that end in .npz"
        )
    from mouche_solver.cli.dice.strategy import sampled_for

    return sampled_player(sampled_for(rules, None if name == "sampled" else Path(name)), name)
