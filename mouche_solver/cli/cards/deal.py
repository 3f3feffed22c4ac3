"""``mouche cards deal``."""

from typing import Annotated

from cyclopts import Parameter

from mouche_solver.cards.referee.record import Record
from mouche_solver.cards.referee.simulate import random_game
from mouche_solver.cards.referee.transcript import replay, write
from mouche_solver.cli.cards.group import DEFAULT_RULES, RuleFlags
from mouche_solver.cli.cards.replay import summary
from mouche_solver.cli.common import STDOUT, OutputFlags, Seed, emit
from mouche_solver.errors import RulesError


def deal(
    *,
    seed: Annotated[Seed, Parameter(help="Decides the dealer, the cards and the play.")] = 0,
    game: RuleFlags = DEFAULT_RULES,
    output: OutputFlags = STDOUT,
) -> None:
    """Deal at random and play the deal out with random legal actions.

    The table format is a transcript, which ``mouche cards replay -`` reads.
    """
    rules = game.read()
    record = random_game(rules, seed, max_deals=1)
    if not record.deals:
        raise RulesError(
            f"chips={rules.chips}: the game is over before its first deal; without debts two "
            f"players must be able to pay the ante of {rules.ante_chips}"
        )
    columns = {"place": str, "cards": str}
    emit(output, _rows(record), columns, document=_document(record, seed), table=write(record))


def _document(record: Record, seed: int) -> dict[str, object]:
    """The cards of the deal, how it was played, and the transcript of both."""
    text = write(record)
    played = summary(replay(text))
    deals = played["deals"]
    assert isinstance(deals, list)
    *hands, turned, stock = _rows(record)
    pack = record.rules.pack
    return {
        "seed": seed,
        "players": played["players"],
        "hands": {str(hand["place"]): str(hand["cards"]).split() for hand in hands},
        "turned": turned["cards"],
        "trump": deals[0]["trump"],
        "stock": str(stock["cards"]).split(),
        "cards": pack.size,
        "play": deals[0],
        "transcript": text,
        "rules": record.rules.to_dict(),
    }


def _rows(record: Record) -> list[dict[str, object]]:
    """Each hand in seat order, the turn-up and the stock."""
    rules, order = record.rules, record.deals[0].order
    size, named = rules.hand_size, rules.pack.names(order)
    seats = [record.names[player] for player in record.after_deals()[0].seating]
    rows: list[dict[str, object]] = [
        {"place": name, "cards": " ".join(named[seat * size : (seat + 1) * size])}
        for seat, name in enumerate(seats)
    ]
    dealt = len(seats) * size
    rows.append({"place": "turned", "cards": named[dealt]})
    rows.append({"place": "stock", "cards": " ".join(named[dealt + 1 :])})
    return rows
