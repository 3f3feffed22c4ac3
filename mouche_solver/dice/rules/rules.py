"""The rules of Dice Mouche as data.

Every default is the reading of the rules text; an option never changes a default.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple, Self

from mouche_solver.core.checks import check_choice, check_int, whole
from mouche_solver.core.markup import all_fields
from mouche_solver.core.rule_data import digest, given_fields, parse_rules, to_mapping
from mouche_solver.errors import NotationError, RulesError

RaiseRule = Literal["face-locked", "quantity-first", "face-first"]
Truth = Literal["at-least", "exactly"]
NextStarter = Literal["next-seat", "loser", "winner", "after-loser", "doubter", "after-doubter"]

HASHED_AS = "mouche-dice-1"
# What decides one round; the rest decides how rounds make a match.
ROUND_FIELDS = ("dice", "faces", "wild", "raise_rule", "truth", "minimum_opening")


class Claim(NamedTuple):
    """A claim about all dice under all cups: ``quantity`` dice show ``face``."""

    quantity: int
    face: int

    def __str__(self) -> str:
        return f"{self.quantity}x{self.face}"


@dataclass(frozen=True)
class DiceRules:
    """The rules of one game of Dice Mouche.

    Parameters
    ----------
    dice : tuple of int
        Dice under each cup, in playing order from the round's starter; 1 to 10 each.
    faces : int
        Faces of a die, 2 to 12.
    wild : int or None
        The face that counts as every face; a claim on the wild face counts real ones only.
    raise_rule : {"face-locked", "quantity-first", "face-first"}
        ``face-locked``: the same face with a higher quantity, or a higher face with at least
        the same quantity. ``quantity-first``: a higher quantity with any face, or the same
        quantity with a higher face. ``face-first``: a higher face with any quantity, or the
        same face with a higher quantity.
    truth : {"at-least", "exactly"}
        Whether a claim is correct when at least, or exactly, that many dice show the face.
    minimum_opening : int
        The smallest quantity with which a round may be opened.
    points : int or tuple of int
        Points at the start of a match, 1 to 10; one number for all, or one per player.
    next_starter : {"next-seat", "loser", "winner", "after-loser", "doubter", "after-doubter"}
        Who starts the next round: the seat after the one that started this round, the loser or
        the winner of the doubt, the seat after the loser, the doubter, or the seat after the
        doubter. Where that player is out, the next live seat starts.

    Raises
    ------
    RulesError
        When a field is outside what is allowed; the message says what is.

    Examples
    --------
    >>> rules = DiceRules(dice=(2, 1), faces=4)
    >>> rules.players, rules.total_dice
    (2, 3)
    >>> DiceRules.from_json(rules.to_json()) == rules
    True
    """

    dice: tuple[int, ...] = (5, 5)
    faces: int = 6
    wild: int | None = None
    raise_rule: RaiseRule = "face-locked"
    truth: Truth = "at-least"
    minimum_opening: int = 1
    points: int | tuple[int, ...] = 3
    next_starter: NextStarter = "next-seat"

    def __post_init__(self) -> None:
        self._keep("dice", _int_tuple("dice", self.dice, 1, 10))
        if len(self.dice) < 2:
            raise RulesError(f"dice={self.dice}: a game has at least two players")
        self._keep("faces", check_int("faces", self.faces, 2, 12))
        if self.wild is not None:
            self._keep("wild", check_int("wild", self.wild, 1, self.faces, also="or None"))
        check_choice("raise_rule", self.raise_rule, RaiseRule)
        check_choice("truth", self.truth, Truth)
        opening = check_int("minimum_opening", self.minimum_opening, 1, self.total_dice)
        self._keep("minimum_opening", opening)
        check_choice("next_starter", self.next_starter, NextStarter)
        if hasattr(self.points, "__index__"):
            self._keep("points", check_int("points", self.points, 1, 10))
            return
        self._keep("points", _int_tuple("points", self.points, 1, 10))
        if len(self.starting_points) != self.players:
            raise RulesError(
                f"points={self.points}: {self.players} players need one number, or "
                f"{self.players} of them"
            )

    def _keep(self, name: str, value: object) -> None:
        """Set a field of the frozen rules to its plain value."""
        object.__setattr__(self, name, value)

    @property
    def players(self) -> int:
        """Number of players."""
        return len(self.dice)

    @property
    def total_dice(self) -> int:
        """Dice in play."""
        return sum(self.dice)

    @property
    def starting_points(self) -> tuple[int, ...]:
        """Points of each player at the start of the match."""
        if isinstance(self.points, int):
            return (self.points,) * self.players
        return self.points

    def is_true(self, quantity: int, count: int) -> bool:
        """Whether a claim of ``quantity`` is correct when ``count`` dice match it."""
        return count == quantity if self.truth == "exactly" else count >= quantity

    def to_dict(self) -> dict[str, Any]:
        """All fields as JSON types."""
        return to_mapping(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Rules from a mapping; absent fields take their defaults, unknown ones are refused."""
        return cls(**given_fields(cls, data, "dice"))

    def to_json(self) -> str:
        """One line of JSON that :meth:`from_json` reads back."""
        return json.dumps(self.to_dict())

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Rules from :meth:`to_json`'s text."""
        return cls.from_dict(parse_rules(text))

    @property
    def round_hash(self) -> str:
        """A stable hash of what decides one round; it guards solutions."""
        return digest(HASHED_AS, {key: self.to_dict()[key] for key in ROUND_FIELDS})

    @property
    def match_hash(self) -> str:
        """A stable hash of all rules; it guards matches."""
        return digest(HASHED_AS, self.to_dict() | {"points": list(self.starting_points)})

    def replace(self, **changes: Any) -> Self:
        """The same rules with some fields changed."""
        return replace(self, **changes)

    def _repr_html_(self) -> str:
        return f"<b>Dice Mouche</b>{all_fields(self.to_dict())}"


def as_claim(given: Iterable[int]) -> Claim:
    """A claim of plain ints, from any pair of whole numbers.

    Raises
    ------
    NotationError
        When it is not a quantity and a face, both whole.

    Examples
    --------
    >>> as_claim([3, 5])
    Claim(quantity=3, face=5)
    """
    try:
        quantity, face = given
    except (TypeError, ValueError):
        raise NotationError(f"claim {given!r}: give a quantity and a face") from None
    number = whole("claim quantity", quantity, NotationError)
    return Claim(number, whole("claim face", face, NotationError))


def _int_tuple(name: str, value: object, low: int, high: int) -> tuple[int, ...]:
    if not isinstance(value, (tuple, list)):
        raise RulesError(f"{name}={value!r}: give one whole number per player")
    return tuple(check_int(name, each, low, high) for each in value)
