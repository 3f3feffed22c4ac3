"""``mouche cards play``."""

import random
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from mouche_solver.cards.referee.game import Game, begin_deal, new_game
from mouche_solver.cards.referee.record import Record, RecordedDeal, default_names
from mouche_solver.cards.referee.simulate import random_order
from mouche_solver.cards.referee.transcript import replay, write
from mouche_solver.cards.rules.rules import CardRules
from mouche_solver.cli.cards.group import DEFAULT_RULES, RuleFlags
from mouche_solver.cli.common import Real, Seed, Whole
from mouche_solver.cli.dialog import LeftError, say
from mouche_solver.cli.saved_games import keep, read_game
from mouche_solver.errors import MoucheError, RulesError, StorageError, UsageError
from mouche_solver.storage.atomic import check_writable

if TYPE_CHECKING:
    from mouche_solver.cards.referee.actions import Action
    from mouche_solver.cards.strategy.advice import Adviser
    from mouche_solver.cards.strategy.strategy import CardStrategy
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
        Real, Parameter(help="Seconds for a hint; 0: hints and the review are the table's.")
    ] = 1.0,
    transcript: Annotated[
        Path | None,
        Parameter(help="File that receives the finished deals, as cards review reads them."),
    ] = None,
    save: Annotated[
        Path | None,
        Parameter(help="File that keeps the game when it is left, in the middle of a deal too."),
    ] = None,
    resume: Annotated[
        Path | None,
        Parameter(help="Go on with a game that was kept; it is kept there again without --save."),
    ] = None,
    others: Annotated[
        str,
        Parameter(
            help="Who sits there: strategy, thumb, careful, bold, steady, careless or mixed."
        ),
    ] = "strategy",
    game: RuleFlags = DEFAULT_RULES,
) -> None:
    """Play a game against the strategy, which sits in all other seats and sees its hands alone.

    The first dealer is drawn. After every deal you learn what the strategy would have done in your
    place, and what a departure cost. ``hint`` gives advice, ``undo`` takes your last decision of
    the deal back, ``help`` says what is legal; ``quit``, or the end of the input, ends the game,
    which ``--save`` keeps and ``--resume`` plays on. Nobody asks for the mouche.
    """
    from mouche_solver.cli.cards.dialog import Table
    from mouche_solver.cli.cards.strategy import strategy_for
    from mouche_solver.cli.cards.thinking import budget_of

    budget = budget_of(think, None, 1, None)
    kept = None if resume is None else _read(resume, game, seat)
    kept_at = save or resume
    if kept_at is not None:
        check_writable(kept_at)
    found = strategy_for(game, strategy) if kept is None else _its_strategy(kept, strategy)
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
    record = Record(rules, tuple(names), now.dealer)
    if kept is not None:
        record, now = kept
        rules, names = record.rules, list(record.names)
        place = names.index("You")
    table = Table(found, place, names, rng, budget, _seated(found, others))
    deals = list(record.deals)
    left = False
    try:
        say(found.quality_text)
        now = _play_game(rules, now, table, rng, deals)
        winners = ", ".join(names[player] for player in now.winners)
        how = "At 0" if now.points else "The most chips"
        say(f"\nThe game is over. {how}: {winners}.")
    except LeftError:
        left = True
    except KeyboardInterrupt:
        raise KeyboardInterrupt("the game is left") from None
    finally:
        record = replace(record, deals=tuple(deals))
        fields = {"rules": rules.to_dict(), "text": write(record)}
        keep("cards", kept_at, fields, transcript, lambda: write(_finished(record)))
    if left:
        how = "" if kept_at is None else f" mouche cards play --resume {kept_at} goes on with it."
        say(f"\nThe game is left.{how}")


def _seated(strategy: "CardStrategy", others: str) -> "list[Adviser]":
    """Who plays, by player; the person's own place is not asked."""
    from mouche_solver.cards.strategy.people import PEOPLE, card_person

    number = strategy.rules.players
    if others == "strategy":
        return [strategy] * number
    if others == "mixed":
        people = list(PEOPLE.values())
        return [people[n % len(people)].at(strategy) for n in range(number)]
    if others not in PEOPLE:
        raise UsageError(f"--others {others}: allowed are strategy, {', '.join(PEOPLE)}, mixed")
    return [card_person(others).at(strategy)] * number


def _play_game(
    rules: CardRules, now: Game, table: "Table", rng: random.Random, deals: list[RecordedDeal]
) -> Game:
    while not now.over:
        done: tuple[Action, ...] = ()
        if now.between:
            order = random_order(rules, rng)
            now = begin_deal(now, order)
        else:  # a deal that was left in the middle
            order, done = deals[-1].order, deals.pop().actions
        try:
            now = table.play_deal(now, len(deals) + 1, done)
        finally:
            deals.append(RecordedDeal(order, tuple(table.actions)))
    return now


def _finished(record: Record) -> Record:
    """The deals that were played to their end: all but perhaps the last."""
    deal = record.final().deal
    over = deal is None or deal.outcome is not None
    return record if over else replace(record, deals=record.deals[:-1])


def _read(path: Path, game: RuleFlags, seat: int | None) -> tuple[Record, Game]:
    """A game that was kept, and where it stands."""
    if game != DEFAULT_RULES or seat is not None:
        raise UsageError("--resume: the game knows its rules and your seat; leave the flags out")
    about = read_game(path, "cards", {"rules": dict, "text": str})
    try:
        found = replay(about["text"], CardRules.from_dict(about["rules"]))
    except MoucheError as error:
        raise StorageError(f"{path} is damaged: {error}") from None
    if "You" not in found.record.names:
        raise StorageError(f"{path} is damaged: nobody of its players is you")
    record = found.record
    return record, record.final()


def _its_strategy(kept: tuple[Record, Game], path: Path | None) -> "CardStrategy":
    """The strategy for the rules of a kept game."""
    from mouche_solver.storage.cards.strategies import embedded_strategy, load_strategy

    rules = kept[0].rules
    found = embedded_strategy(rules) if path is None else load_strategy(path, rules)
    if found is None:
        raise UsageError("no strategy is shipped for the rules of this game: name --strategy")
    return found
