"""``mouche dice evaluate``."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

from cyclopts import Parameter

from mouche_solver.cli.common import STDOUT, OutputFlags, Real, Seed, Whole, aligned, emit
from mouche_solver.cli.dice.group import DEFAULT_RULES, RuleFlags
from mouche_solver.cli.dice.strategy import (
    AGAINST,
    advisor_for,
    is_book,
    opponent_of,
    rules_for,
    sampled_for,
)
from mouche_solver.cli.streams import note
from mouche_solver.core.quality import Quality
from mouche_solver.dice.people.players import PEOPLE
from mouche_solver.dice.rules.rules import DiceRules
from mouche_solver.errors import UsageError
from mouche_solver.solutions.files import refuse_others

if TYPE_CHECKING:
    from mouche_solver.dice.round.book import OpeningBook
    from mouche_solver.dice.round.losses import OwnLosses
    from mouche_solver.dice.round.solution import RoundSolution

# Single precision sums differ by this much between processors.
_TOLERANCE = 1e-5


def evaluate(
    file: Annotated[
        Path | None, Parameter(help="Solution or book; the shipped book of the rules without it.")
    ] = None,
    /,
    *,
    rounds: Annotated[
        Whole | None,
        Parameter(help="Measure the advice too, in so many rounds against each human-like player."),
    ] = None,
    against: Annotated[str | None, Parameter(help=f"Against him alone. {AGAINST}")] = None,
    trust: Annotated[
        Real | None, Parameter(help="The advice knows him and trusts in that by 0 to 1.")
    ] = None,
    seed: Annotated[Seed, Parameter(help="The same seed plays the same rounds.")] = 0,
    game: RuleFlags = DEFAULT_RULES,
    output: OutputFlags = STDOUT,
) -> int:
    """Measure a solution again by both best responses, and compare with what its header says.

    The exit code is 2 when they differ. The losses are those of the stored mixes against the best
    of their own actions, over every position and every hand alike: those that good play never
    comes to as well. Of a book they alone are measured. With --rounds the advice is measured where
    people lead, too: the loss of a decision against the best action that it lists, its standard
    error, the worst, the share above 0.1, and the points won a round.
    """
    if rounds is not None or against is not None:
        return _met(file, rounds, against, trust, seed, game, output)
    if trust is not None:
        raise UsageError("--trust needs --against: it says how far the opponent is believed")
    if file is not None and game != DEFAULT_RULES:
        raise UsageError("a file holds its rules: rules are for the shipped book")
    if file is None or is_book(file):
        _evaluate_book(file, game, output)
        return 0
    from mouche_solver.dice.round.losses import own_losses
    from mouche_solver.storage.dice.solutions import load_solution

    refuse_others(file, "dice-solution", "dice-book")
    solution = load_solution(file)
    found, header = solution.measure(), solution.header
    losses = own_losses(solution)
    far = max(abs(asdict(found)[name] - stated) for name, stated in asdict(header.quality).items())
    matches = far <= _TOLERANCE
    measured = _numbers(found)
    stated = _numbers(header.quality)
    unrounded = _numbers(header.unrounded)
    rows = [
        {"number": name, "measured": value, "header": stated[name], "unrounded": unrounded[name]}
        for name, value in measured.items()
    ]
    table = f"{aligned(rows)}{losses.text}\n"
    rows += _loss_rows(losses)
    document: dict[str, Any] = {
        **measured,
        "losses": asdict(losses),
        "matches": matches,
        "header": stated,
        "unrounded": unrounded,
        "iterations": header.iterations,
        "algorithm": header.algorithm,
        "locked": header.locked,
        "rules": header.rules.to_dict(),
    }
    emit(output, rows, {"number": str}, document=document, table=table)
    if matches:
        return 0
    note(f"mouche: {file} is not as good as its header says")
    return 2


def _evaluate_book(file: Path | None, game: RuleFlags, output: OutputFlags) -> None:
    """What a book's mixes lose; its exploitability was measured before it was cut."""
    from mouche_solver.dice.round.losses import own_losses
    from mouche_solver.storage.dice.books import embedded_book, load_book

    if file is not None:
        book = load_book(file)
    else:
        rules = game.read()
        found = embedded_book(rules) if rules.players == 2 else None
        if found is None:
            raise UsageError(
                "no book is shipped for these rules: name a solution or a book to measure, or "
                "--rounds to measure the advice"
            )
        book = found
    losses, stated = own_losses(book), _numbers(book.header.quality)
    rows = [
        {"number": name, "measured": None, "header": value, "unrounded": None}
        for name, value in stated.items()
    ]
    table = f"{book.quality_text}\n{losses.text}\n"
    rows += _loss_rows(losses)
    document = {
        "losses": asdict(losses),
        "header": stated,
        "iterations": book.header.iterations,
        "algorithm": book.header.algorithm,
        "rules": book.rules.to_dict(),
    }
    emit(output, rows, {"number": str}, document=document, table=table)


def _loss_rows(losses: "OwnLosses") -> list[dict[str, Any]]:
    return [
        {"number": f"loss_{name}", "measured": float(value), "header": None, "unrounded": None}
        for name, value in asdict(losses).items()
    ]


def _met(
    file: Path | None,
    rounds: int | None,
    against: str | None,
    trust: float | None,
    seed: int,
    game: RuleFlags,
    output: OutputFlags,
) -> int:
    """Measure the advice at positions that people lead to."""
    from mouche_solver.dice.round.losses import own_losses
    from mouche_solver.dice.round.met import met_against

    number = 100 if rounds is None else rounds
    if number < 2 or seed < 0:
        raise UsageError(f"--rounds {number}, --seed {seed}: at least 2 and 0 are needed")
    rules = rules_for(game, file)
    if rules.players > 2:
        if trust is not None:
            raise UsageError("--trust is for two players")
        _at_tables(rules, file, against, number, seed, output)
        return 0
    advisor = advisor_for(rules, file, against if trust is not None else None, trust)
    advisor.notify = lambda text: None
    people = list(PEOPLE.values()) if against is None else [opponent_of(rules, against)]
    rows: list[dict[str, Any]] = []
    for opponent in people:
        rows.append(asdict(met_against(advisor, opponent, number, seed)))
        note(f"mouche: played {number} rounds against {opponent.name}")
    losses = own_losses(cast("RoundSolution | OpeningBook", advisor.strategy))
    quality = _numbers(advisor.quality)
    document = {
        **quality,
        "losses": asdict(losses),
        "people": rows,
        "rules": rules.to_dict(),
    }
    text = f"{advisor.quality_text}\n{losses.text}\n{aligned(rows)}"
    emit(output, rows, {"opponent": str}, document=document, table=text)
    return 0


# Guessed deals of each answer and of each measurement at a table of three and more.
_DEALS = 1000


def _at_tables(
    rules: DiceRules,
    file: Path | None,
    against: str | None,
    rounds: int,
    seed: int,
    output: OutputFlags,
) -> None:
    """Measure thinking at tables of one human-like player each."""
    from mouche_solver.dice.people.players import person
    from mouche_solver.dice.sample.met import met_at_table
    from mouche_solver.dice.sample.thinking import Thinker

    thinker = Thinker(sampled_for(rules, file))
    people = list(PEOPLE.values()) if against is None else [person(against)]
    rows: list[dict[str, Any]] = []
    for each in people:
        rows.append(asdict(met_at_table(thinker, each, rounds, seed, _DEALS)))
        note(f"mouche: played {rounds} rounds at a table of {each.name}")
    quality = thinker.strategy.quality_text
    document = {"quality": quality, "people": rows, "rules": rules.to_dict()}
    emit(output, rows, {"opponent": str}, document=document, table=f"{quality}\n{aligned(rows)}")


def _numbers(quality: Quality) -> dict[str, float]:
    return {
        "value": quality.value,
        "value_low": quality.low,
        "value_high": quality.high,
        "exploitability": quality.exploitability,
        "nash_conv": quality.nash_conv,
    }
