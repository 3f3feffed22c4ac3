"""Which strategy answers a question, for every command that gives advice."""

import shlex
from pathlib import Path

from mouche_solver.cli.common import read_text
from mouche_solver.cli.dice.group import DEFAULT_RULES, RuleFlags
from mouche_solver.cli.streams import note
from mouche_solver.dice.people.fitted import Habit, fitted
from mouche_solver.dice.people.players import PEOPLE
from mouche_solver.dice.round.advisor import Advisor
from mouche_solver.dice.round.strategy import HandTable, RoundStrategy
from mouche_solver.dice.rules.rules import ROUND_FIELDS, DiceRules
from mouche_solver.dice.sample.strategy import SampledStrategy
from mouche_solver.dice.sweep.estimate import checked_tree, estimate
from mouche_solver.errors import StorageError, TooLargeError, UsageError
from mouche_solver.solutions.files import kind_of, refuse_others
from mouche_solver.storage.dice.books import embedded_book, load_book
from mouche_solver.storage.npz import is_archive

# What the flags about a described opponent mean, for every command that has them.
AGAINST = (
    "The other player: honest (goes by the odds), ladder (the smallest steps), casual (reckons "
    "roughly), bluffer, doubter, believer (takes claims as half true), or a file of his written "
    "rounds."
)
TRUST = "How far --against is believed, his hands and his later moves: 0 to 1; 0.5 without it."


def rules_for(game: RuleFlags, solution: Path | None) -> DiceRules:
    """The rules of the flags, or of the solution; where both are given they must agree.

    Raises
    ------
    StorageError, RulesError
        When the rules or the solution cannot be read or do not agree.
    """
    if solution is None:
        return game.read()
    refuse_others(solution, "dice-solution", "dice-sampled", "dice-book")
    if is_archive(solution):
        return _rules_of_archive(game, solution)
    from mouche_solver.storage.dice.fields import check_rules, read_rules
    from mouche_solver.storage.dice.solutions import open_solution

    rules, _ = read_rules(solution, open_solution(solution).fields)
    if game != DEFAULT_RULES:
        check_rules(solution, rules, game.read())
    return rules


def strategy_for(rules: DiceRules, solution: Path | None) -> RoundStrategy:
    """The strategy of a file, else the book that the package ships, else one solved on the spot.

    Raises
    ------
    StorageError
        When the file cannot be used for these rules.
    TooLargeError
        When solving would take longer than a person waits; with the command that solves.
    """
    if solution is not None:
        from mouche_solver.storage.dice.fields import check_rules
        from mouche_solver.storage.dice.solutions import load_solution

        refuse_others(solution, "dice-solution", "dice-book")
        if is_book(solution):
            found = load_book(solution)
            check_rules(solution, found.rules, rules)
            return found
        return load_solution(solution, rules=rules)
    checked_tree(rules)
    book = embedded_book(rules)
    if book is not None:
        return book
    from mouche_solver.solutions.spot import ENTRIES

    entries = estimate(rules).entries
    if entries > ENTRIES:
        words = ["mouche", "dice", "solve", *rule_words(rules), "--out", "FILE"]
        raise TooLargeError(
            f"this round has {entries:,} entries, too many to solve on the spot; run "
            f"{shlex.join(words)} and then add --solution FILE"
        )
    return _solved(rules)


def advisor_for(
    rules: DiceRules,
    solution: Path | None,
    against: str | None = None,
    trust: float | None = None,
) -> Advisor:
    """Advice wherever people stand, from the strategy of :func:`strategy_for`.

    Parameters
    ----------
    rules : DiceRules
    solution : Path or None
    against : str, optional
        A human-like player, or a file of his written rounds.
    trust : float, optional
        Share of the other player that is believed to be as described; one half without it.

    Raises
    ------
    UsageError
        When the opponent is unknown, or the trust is not from 0 to 1.
    """
    if trust is not None and against is None:
        raise UsageError("--trust needs --against: it says how far the opponent is believed")
    if trust is not None and not 0 <= trust <= 1:
        raise UsageError(f"--trust {trust:g}: allowed are 0 to 1")
    opponent = None if against is None else opponent_of(rules, against)
    return Advisor(strategy_for(rules, solution), opponent, 0.5 if trust is None else trust, _note)


def opponent_of(rules: DiceRules, name: str) -> Habit:
    """A human-like player by name, or the model of a file of written rounds."""
    if name in PEOPLE:
        return PEOPLE[name]
    path = Path(name)
    if not path.exists():
        raise UsageError(
            f"--against {name}: allowed are {', '.join(PEOPLE)}, and a file of written rounds"
        )
    return fitted(rules, read_text(path), name)


def note_if_assumed(found: HandTable) -> None:
    """Say on standard error whose hands were assumed where good play hardly makes the claims."""
    if found.assumed:
        _note(f"note: good play hardly makes these claims; assumed: {found.assumed}")


def _note(text: str) -> None:
    note(f"mouche: {text}")


def sampled_for(rules: DiceRules, path: Path | None) -> SampledStrategy:
    """The sampled strategy of a file, else the one that the package ships.

    Raises
    ------
    StorageError
        When the file cannot be used for these rules.
    UsageError
        When the package ships none; with the command that makes one.
    """
    from mouche_solver.storage.dice.fields import check_rules
    from mouche_solver.storage.dice.sampled import embedded_table, load_sampled

    if path is not None:
        refuse_others(path, "dice-sampled")
        strategy = load_sampled(path)
        check_rules(path, strategy.rules, rules)
        return strategy
    shipped = embedded_table(rules)
    if shipped is not None:
        return shipped
    words = ["mouche", "dice", "sample", *rule_words(rules), "--time-limit", "300"]
    raise UsageError(
        f"no strategy is shipped for these rules; run {shlex.join([*words, '--out', 'FILE.npz'])} "
        "(five minutes; longer is better) and name the file: --solution FILE.npz for advice, "
        "FILE.npz among --players of a tournament; mouche dice odds needs none"
    )


def _rules_of_archive(game: RuleFlags, path: Path) -> DiceRules:
    """The rules of a sampled strategy or a book."""
    from mouche_solver.storage.dice.fields import check_rules
    from mouche_solver.storage.dice.sampled import load_sampled

    found = load_book(path).rules if is_book(path) else load_sampled(path).rules
    if game != DEFAULT_RULES:
        check_rules(path, found, game.read())
    return found


def is_book(path: Path) -> bool:
    """Whether a file holds an opening book, by its contents whatever its name says."""
    try:
        return kind_of(path) == "dice-book"
    except StorageError:  # its reader says what is wrong
        return False


def rule_words(rules: DiceRules) -> list[str]:
    """The flags that describe the round of these rules, defaults left out.

    Examples
    --------
    >>> rule_words(DiceRules(dice=(4, 4), wild=1))
    ['--dice', '4,4', '--wild', '1']
    """
    usual, words = DiceRules(), list[str]()
    for name in ROUND_FIELDS:
        value = getattr(rules, name)
        if value != getattr(usual, name):
            text = ",".join(map(str, value)) if name == "dice" else str(value)
            words += [f"--{name.replace('_', '-')}", text]
    return words


def _solved(rules: DiceRules) -> RoundStrategy:
    from mouche_solver.cli.progress import Reporter
    from mouche_solver.solutions.spot import TARGET, solved_on_the_spot

    return solved_on_the_spot(rules, lambda: Reporter(TARGET, log=False))
