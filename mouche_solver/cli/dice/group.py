"""``mouche dice``: its commands, and the flags that say which rules are played."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import App, Parameter, Token

from mouche_solver.cli.common import Whole, read_text, whole
from mouche_solver.dice.rules.rules import DiceRules, RaiseRule, Truth
from mouche_solver.errors import NotationError, RulesError, StorageError

# Each command is a function of its own name in the module ``cli.dice.<name>``, loaded when chosen.
COMMANDS = {
    "odds": "How likely a claim is true, or every claim.",
    "solve": "Solve a round and measure how good the result is.",
    "sample": "Train a strategy for a big table by sampling.",
    "advise": "What to do with one hand.",
    "table": "The bid-probability table: every hand and every action.",
    "ranges": "Which hands the players hold, given the claims so far.",
    "evaluate": "Measure a solution again.",
    "book": "Cut the opening book out of a solution.",
    "match": "Everybody's chance to win the match from every score.",
    "tournament": "Strategies against each other on the same dice, with intervals.",
    "report": "Write one HTML file about the shipped book or a solution.",
    "play": "Play against the strategy.",
    "review": "What every decision of a written match cost.",
    "drill": "Answer hard positions; what was missed comes again.",
    "replay": "Check a written round or match, and say who loses what by which rule.",
}

app = App(name="dice", help="Dice Mouche: odds, written games and strategies.")
for _name, _help in COMMANDS.items():
    app.command(f"mouche_solver.cli.dice.{_name}:{_name}", name=_name, help=_help)
app.command(
    "mouche_solver.cli.dice.efg:efg",
    name="export-efg",
    help="Write the tree of a small game for Gambit and OpenSpiel.",
)


def _wild(kind: object, tokens: Sequence[Token]) -> int | Literal["none"]:
    return "none" if tokens[0].value == "none" else whole(kind, tokens)


@Parameter(name="*")
@dataclass(frozen=True)
class RuleFlags:
    """Rules flags, for any dice command: ``game: RuleFlags = DEFAULT_RULES``.

    Parameters
    ----------
    rules
        JSON file with rules; a flag that is given replaces its field.
    dice
        Dice under each cup in playing order, such as 5,5.
    faces
        Faces of a die.
    wild
        The face that counts as every face, or none.
    raise_rule
        Which claims outbid which.
    truth
        When a claim is correct.
    minimum_opening
        The smallest quantity that opens a round.
    """

    rules: Path | None = None
    dice: str | None = None
    faces: Whole | None = None
    wild: Annotated[int | Literal["none"] | None, Parameter(converter=_wild)] = None
    raise_rule: RaiseRule | None = None
    truth: Truth | None = None
    minimum_opening: Whole | None = None

    def read(self, **more: Any) -> DiceRules:
        """The rules that the flags describe; ``more`` are further fields, None for not given.

        Raises
        ------
        StorageError
            When the rules file cannot be read.
        RulesError
            When the rules are not possible.
        """
        fields = {
            "dice": None if self.dice is None else whole_numbers("--dice", self.dice),
            "faces": self.faces,
            "raise_rule": self.raise_rule,
            "truth": self.truth,
            "minimum_opening": self.minimum_opening,
        } | more
        given: dict[str, Any] = {name: value for name, value in fields.items() if value is not None}
        if self.wild is not None:
            given["wild"] = None if self.wild == "none" else self.wild
        if self.rules is None:
            return DiceRules.from_dict(given)
        try:
            return DiceRules.from_json(read_text(self.rules)).replace(**given)
        except RulesError as error:
            raise StorageError(f"{self.rules}: {error}") from None


DEFAULT_RULES = RuleFlags()


def whole_numbers(flag: str, text: str) -> tuple[int, ...]:
    """Read whole numbers apart by commas.

    Examples
    --------
    >>> whole_numbers("--dice", "5,5,4")
    (5, 5, 4)
    """
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isascii() and part.isdigit() and len(part) < 10 for part in parts):
        raise NotationError(f"{flag} {text}: write whole numbers apart by commas, such as 5,5")
    return tuple(map(int, parts))
