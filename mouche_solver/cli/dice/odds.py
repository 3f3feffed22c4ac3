"""``mouche dice odds``."""

from typing import Annotated

from cyclopts import Parameter

from mouche_solver.cli.common import STDOUT, OutputFlags, Rows, aligned, emit
from mouche_solver.cli.dice.group import DEFAULT_RULES, RuleFlags
from mouche_solver.dice.odds import claim_probability, claim_table
from mouche_solver.dice.rules.notation import parse_claim, parse_faces


def odds(
    claim: Annotated[str | None, Parameter(help="Such as 3x5; every claim without it.")] = None,
    /,
    *,
    hand: Annotated[
        str | None, Parameter(help="The dice under one cup, such as 5,5,2,1,6.")
    ] = None,
    game: RuleFlags = DEFAULT_RULES,
    output: OutputFlags = STDOUT,
) -> None:
    """How likely a claim is true, or every claim.

    The dice of ``--hand`` are known, all others are not. A claim above the dice in play has
    probability 0.
    """
    rules = game.read()
    known = None if hand is None else parse_faces(rules, hand)
    columns: dict[str, type] = {"quantity": int, "face": int}
    if claim is not None:
        wanted = parse_claim(claim)
        exact = claim_probability(rules, wanted, known, exact=True)
        row = {
            "quantity": wanted.quantity,
            "face": wanted.face,
            "probability": float(exact),
            "exact": f"{exact.numerator}/{exact.denominator}",
        }
        emit(output, [row], columns | {"exact": str}, document=row)
        return
    table = claim_table(rules, known).tolist()
    rows = [
        {"quantity": quantity, "face": face, "probability": chance}
        for quantity, chances in enumerate(table, start=1)
        for face, chance in enumerate(chances, start=1)
    ]
    emit(output, rows, columns, table=aligned(_by_face(table)))


def _by_face(table: list[list[float]]) -> Rows:
    return [
        {"quantity": quantity} | {f"face {f}": chance for f, chance in enumerate(chances, start=1)}
        for quantity, chances in enumerate(table, start=1)
    ]
