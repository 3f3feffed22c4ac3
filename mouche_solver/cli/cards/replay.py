"""``mouche cards replay``."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from mouche_solver.cards.referee.deal import Deal
from mouche_solver.cards.referee.game import Game, next_pot
from mouche_solver.cards.referee.transcript import Replay
from mouche_solver.cards.referee.transcript import replay as read
from mouche_solver.cli.cards.group import DEFAULT_RULES, RuleFlags
from mouche_solver.cli.common import STDOUT, OutputFlags, emit, read_text


def replay(
    file: Annotated[
        Path,
        Parameter(help="The written game; - reads standard input.", allow_leading_hyphen=True),
    ],
    /,
    *,
    game: RuleFlags = DEFAULT_RULES,
    output: OutputFlags = STDOUT,
) -> None:
    """Check a written game and show stacks, pot and who won what after every deal."""
    played = read(read_text(file), game.read() if game.any_given else None)
    columns = dict.fromkeys(("dealer", "trump", "how", "winner"), str)
    emit(output, summary_rows(played), columns, document=summary(played), rest=int)


def summary(played: Replay) -> dict[str, object]:
    """The JSON document of a replayed game."""
    names, last = played.record.names, played.record.final()
    return {
        "players": list(names),
        "deals": [_deal(names, game) for game in played.games],
        "stacks": dict(zip(names, last.stacks, strict=True)),
        "points": dict(zip(names, last.points, strict=True)) if last.points else None,
        "pot": last.pot,
        "carried": sum(last.waiting),
        "next_pot": next_pot(last),
        "over": last.over,
        "winners": [names[player] for player in last.winners],
        "rules": played.record.rules.to_dict(),
    }


def _deal(names: tuple[str, ...], game: Game) -> dict[str, object]:
    """One deal: the pot it was played for, money as it is after it, and who won what."""
    deal = game.deal
    assert deal is not None
    seats = [names[player] for player in game.seating]
    outcome, trump = deal.outcome, deal.trump
    return {
        "dealer": seats[-1],
        "trump": None if trump is None else deal.rules.pack.suits[trump],
        "finished": outcome is not None,
        "how": None if outcome is None else outcome.how,
        "winner": None if outcome is None or outcome.winner is None else seats[outcome.winner],
        "tricks": {seats[seat]: deal.tricks[seat] for seat in deal.inside},
        "mouches": [] if outcome is None else [seats[seat] for seat in outcome.mouches],
        "to_act": _to_act(seats, deal),
        "stacks": dict(zip(names, game.stacks, strict=True)),
        "points": dict(zip(names, game.points, strict=True)) if game.points else None,
        "pot": deal.stake,
        "left": game.pot,
        "carried": sum(game.waiting),
        "next_pot": next_pot(game),
    }


def _to_act(seats: list[str], deal: Deal) -> str | None:
    if deal.outcome is not None or deal.phase == "shuffle":
        return None
    return seats[deal.turn if deal.question is None else deal.question]


def summary_rows(played: Replay) -> list[dict[str, object]]:
    """One row a deal, for tables."""
    rows = []
    for number, game in enumerate(played.games, start=1):
        data = _deal(played.record.names, game)
        row: dict[str, object] = {"deal": number}
        row |= {key: data[key] for key in ("dealer", "trump", "how", "winner", "pot", "carried")}
        kind, held = ("points", game.points) if game.points else ("stack", game.stacks)
        # A player may be called like one of our columns.
        names = [f"{kind} {name}" for name in played.record.names]
        rows.append(row | dict(zip(names, held, strict=True)))
    return rows
