"""``mouche cards play``."""

import random
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from mouche_solver.cards.referee.game import Game, begin_deal, new_game
from mouche_solver.cards.referee.record import Record, RecordedDeal, default_names
from mouche_solver.cards.referee.simulate import random_order
from mouche_solver.cards.referee.transcript import write
from mouche_solver.cards.rules.rules import CardRules
from mouche_solver.cli.cards.group import DEFAULT_RULES, RuleFlags
from mouche_solver.cli.common import Seed, Whole
from mouche_solver.cli.dialog import LeftError, say
from mouche_solver.errors import RulesError, UsageError
from mouche_solver.storage.atomic import atomic_path

if TYPE_CHECKING:
    from mouche_solver.cli.cards.dialog import Table


def play(
    *,
    seat: Annotated[
        Whole | None, Parameter(help="Your place, 0 to players - 1; seat 0 without it.")
    ] = None,
    seed: Annotated[
        Seed | None, Parameter(help="The same seed deals the same cards for the same moves.")
    ] = None,
    strategy: Annotated[Path | None, Parameter(help="File of mouche cards solve.")] = None,
    think: Annotated[
        float, Parameter(help="Seconds for a hint; 0: hints and the review are the table's.")
    ] = 1.0,
    transcript: Annotated[
        Path | None,
        Parameter(help="File that receives the finished deals, as cards review reads them."),
    ] = None,
    game: RuleFlags = DEFAULT_RULES,
) -> None:
    """Play a game against the strategy, which sits in all other seats and sees its hands alone.

    The first dealer is drawn. After every deal you learn what the strategy would have done in your
    place, and what a departure cost. ``hint`` gives advice, ``undo`` takes your last decision of
    the deal back, ``help`` says what is legal; ``quit``, or the end of the input, ends the game.
    Nobody asks for the mouche.
    """
    from mouche_solver.cli.cards.dialog import Table
    from mouche_solver.cli.cards.strategy import strategy_for
    from mouche_solver.cli.cards.thinking import budget_of

    budget = budget_of(think, None, 1, None)
    found = strategy_for(game, strategy)
    rules, place = found.rules, seat or 0
    if not 0 <= place < rules.players:
        raise UsageError(f"--seat {seat}: allowed are 0 to {rules.players - 1}")
    if not rules.debts:
        raise RulesError("debts=False: the strategies are for a table that stays full")
    names = list(default_names(rules.players))
    names[place] = "You"
    rng = random.Random(seed)
    drawn = rng.randrange(rules.players)
    now = new_game(rules, drawn if rules.first_dealer is None else rules.first_dealer)
    table = Table(found, place, names, rng, budget)
    record = Record(rules, tuple(names), now.dealer)
    deals: list[RecordedDeal] = []
    try:
        say(found.quality_text)
        now = _play_game(rules, now, table, rng, deals)
        winners = ", ".join(names[player] for player in now.winners)
        how = "At 0" if now.points else "The most chips"
        say(f"\nThe game is over. {how}: {winners}.")
    except LeftError:
        say("\nThe game is left.")
    except KeyboardInterrupt:
        raise KeyboardInterrupt("the game is left") from None
    finally:
        if transcript is not None:
            with atomic_path(transcript) as path:
                path.write_text(write(replace(record, deals=tuple(deals))), encoding="utf-8")


def _play_game(
    rules: CardRules, now: Game, table: "Table", rng: random.Random, deals: list[RecordedDeal]
) -> Game:
    number = 0
    while not now.over:
        number += 1
        order = random_order(rules, rng)
        now = table.play_deal(begin_deal(now, order), number)
        deals.append(RecordedDeal(order, tuple(table.actions)))
    return now
