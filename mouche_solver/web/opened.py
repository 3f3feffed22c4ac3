"""Files that the server's command line opened, by name; a request can name one and no path."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from mouche_solver.cards.strategy.strategy import CardStrategy
from mouche_solver.dice.round.advisor import Advisor
from mouche_solver.errors import UsageError
from mouche_solver.review.answering import DiceAnswer
from mouche_solver.solutions.files import WORDS, kind_of


@dataclass(frozen=True)
class Opened:
    """A strategy that somebody opened.

    Attributes
    ----------
    name : str
        The file's name without its ending; with the pot where a file holds several.
    game : {"dice", "cards"}
    what : str
        What the file is, in words.
    answer : RoundStrategy, SampledStrategy or CardStrategy
    """

    name: str
    game: str
    what: str
    answer: DiceAnswer | CardStrategy

    def to_dict(self) -> dict[str, object]:
        """What clients see."""
        return {
            "name": self.name,
            "game": self.game,
            "what": self.what,
            "rules": self.answer.rules.to_dict(),
            "quality": self.answer.quality_text,
        }


def open_files(paths: Sequence[Path]) -> dict[str, Opened]:
    """Open strategies, by name.

    Raises
    ------
    StorageError
        When one cannot be read.
    UsageError
        When one holds no strategy, or two have one name.
    """
    found: dict[str, Opened] = {}
    for path in paths:
        for one in _open(path):
            if one.name in found:
                raise UsageError(f"{path}: a file of the name {one.name} is open already")
            found[one.name] = one
    return found


def _open(path: Path) -> list[Opened]:
    kind, name = kind_of(path), path.name.split(".")[0]
    what = WORDS[kind]
    if kind == "dice-solution":
        from mouche_solver.storage.dice.solutions import load_solution

        return [Opened(name, "dice", what, Advisor(load_solution(path)))]
    if kind == "dice-book":
        from mouche_solver.storage.dice.books import load_book

        return [Opened(name, "dice", what, Advisor(load_book(path)))]
    if kind == "dice-sampled":
        from mouche_solver.storage.dice.sampled import load_sampled

        return [Opened(name, "dice", what, load_sampled(path))]
    if kind == "card-strategy":
        from mouche_solver.storage.cards.strategies import load_strategy

        return [Opened(name, "cards", what, load_strategy(path))]
    if kind == "card-pots":
        from mouche_solver.storage.cards.pots import load_pots

        pots = load_pots(path)
        return [
            Opened(f"{name} (pot {pot})", "cards", what, strategy)
            for pot, strategy in zip(pots.pots, pots.strategies, strict=True)
        ]
    raise UsageError(f"{path} is {what}: it holds no strategy to show")
