"""Who answers for some rules: a file's strategy, the shipped one, or one solved on the spot."""

from contextlib import nullcontext
from functools import lru_cache
from pathlib import Path

from mouche_solver.cards.rules.rules import CardRules
from mouche_solver.cards.strategy.strategy import CardStrategy
from mouche_solver.core.run import Report
from mouche_solver.dice.round.advisor import Advisor
from mouche_solver.dice.round.strategy import RoundStrategy
from mouche_solver.dice.rules.rules import DiceRules
from mouche_solver.dice.sample.strategy import SampledStrategy
from mouche_solver.errors import TooLargeError, UsageError
from mouche_solver.storage.folders import data_folder

DiceAnswer = RoundStrategy | SampledStrategy


_SOLVED: dict[str, DiceAnswer] = {}
_ADVISORS: dict[str, tuple[Advisor, int]] = {}
_MOST_ASKED = 1000


def dice_answer(
    rules: DiceRules, solution: Path | None = None, report: Report | None = None
) -> DiceAnswer:
    """The strategy of a file, the shipped one, or a small round solved on the spot.

    Parameters
    ----------
    rules : DiceRules
    solution : Path, optional
    report : callable, optional
        Receives the progress of a solve; what it raises ends the solve.

    Raises
    ------
    StorageError
        When the file cannot be used.
    TooLargeError
        When a round of two is too large to be solved while somebody waits.
    UsageError
        When no strategy is shipped for a table of three or more.
    """
    if solution is not None:
        return _from_file(rules, solution)
    # Points and the next starter do not change a round.
    key = rules.round_hash
    if key not in _SOLVED:
        _SOLVED[key] = _shipped_dice(rules.replace(points=3, next_starter="next-seat"), report)
    found = _SOLVED[key]
    if not isinstance(found, RoundStrategy):
        return found
    # An advisor keeps every position that it was asked for; a server asks for many.
    advisor, asked = _ADVISORS.get(key, (None, 0))
    if advisor is None or asked >= _MOST_ASKED:
        advisor, asked = Advisor(found), 0
    _ADVISORS[key] = (advisor, asked + 1)
    return advisor


def _from_file(rules: DiceRules, solution: Path) -> DiceAnswer:
    if rules.players > 2:
        from mouche_solver.storage.dice.fields import check_rules
        from mouche_solver.storage.dice.sampled import load_sampled

        found = load_sampled(solution)
        check_rules(solution, found.rules, rules)
        return found
    from mouche_solver.storage.dice.solutions import load_solution

    return Advisor(load_solution(solution, rules=rules))


def _shipped_dice(rules: DiceRules, report: Report | None) -> DiceAnswer:
    if rules.players > 2:
        from mouche_solver.storage.dice.sampled import embedded_table

        table = embedded_table(rules)
        if table is None:
            wild = f", wild {rules.wild}" if rules.wild else ""
            raise UsageError(
                f"no strategy is shipped for {rules.players} players with dice {rules.dice}{wild}; "
                "mouche dice sample trains one"
            )
        return table
    from mouche_solver.dice.sweep.estimate import checked_tree, estimate
    from mouche_solver.solutions.spot import ENTRIES, solved_on_the_spot
    from mouche_solver.storage.dice.books import embedded_book

    checked_tree(rules)
    book = embedded_book(rules)
    if book is not None:
        return book
    entries = estimate(rules).entries
    if entries > ENTRIES:
        raise TooLargeError(
            f"this round has {entries:,} entries, at most {ENTRIES:,} are solved on the spot; "
            "mouche dice solve writes a file that can be named"
        )
    return solved_on_the_spot(rules, lambda: nullcontext(report))


def card_answer(rules: CardRules, strategy: Path | None = None) -> CardStrategy:
    """The strategy of a file, or the shipped one.

    Raises
    ------
    StorageError
        When the file cannot be used.
    UsageError
        When none is shipped for these rules.
    """
    if strategy is not None:
        from mouche_solver.storage.cards.strategies import load_strategy

        return load_strategy(strategy, rules)
    found = _shipped_cards(rules.to_json()) or _trained_cards(rules)
    if found is None:
        raise UsageError(
            f"no strategy is shipped for these rules ({rules.players} players, {rules.deck}); "
            "mouche cards solve trains one, and its file can be named"
        )
    return found


def check_card_rules(strategy: CardStrategy, rules: CardRules) -> None:
    """Refuse rules that a strategy is not for.

    Raises
    ------
    UsageError
    """
    if strategy.rules.deal_hash != rules.deal_hash:
        raise UsageError(
            f"the strategy is for other rules ({strategy.rules.players} players, "
            f"{strategy.rules.deck})"
        )


def check_dice_rules(answer: DiceAnswer, rules: DiceRules) -> None:
    """As :func:`check_card_rules`."""
    if answer.rules.round_hash != rules.round_hash:
        raise UsageError(f"the strategy is for other rules (dice {answer.rules.dice})")


def trained_file(rules: CardRules) -> Path:
    """Where a strategy that the app trained for these rules is kept."""
    return data_folder() / "strategies" / f"cards-{rules.deal_hash}.npz"


def _trained_cards(rules: CardRules) -> CardStrategy | None:
    from mouche_solver.storage.cards.strategies import load_strategy

    path = trained_file(rules)
    if not path.is_file():
        return None
    when = path.stat().st_mtime_ns  # it may have been trained again
    if _TRAINED.get(str(path), (0, None))[0] != when:
        _TRAINED[str(path)] = when, load_strategy(path, rules)
    return _TRAINED[str(path)][1]


_TRAINED: dict[str, tuple[int, CardStrategy]] = {}


@lru_cache(maxsize=8)
def _shipped_cards(rules: str) -> CardStrategy | None:
    from mouche_solver.storage.cards.strategies import embedded_strategy

    return embedded_strategy(CardRules.from_json(rules))
