"""Game parameters of ``python_mouche_dice``: DiceRules in the types that OpenSpiel has."""

from collections.abc import Mapping
from typing import Any

from mouche_solver.dice.rules.rules import DiceRules
from mouche_solver.errors import RulesError

SHORT_NAME = "python_mouche_dice"
MAX_PLAYERS = 100  # OpenSpiel wants a number; the rules have none

# OpenSpiel fixes the type of each parameter by its default, and has no None and no lists.
DEFAULTS: dict[str, Any] = {
    "dice": "5;5",
    "faces": 6,
    "wild": 0,
    "raise_rule": "face-locked",
    "truth": "at-least",
    "minimum_opening": 1,
    "points": "3;",
    "next_starter": "next-seat",
    "match": False,
}


def rules_from_parameters(parameters: Mapping[str, Any]) -> DiceRules:
    """The rules that game parameters describe; absent ones take their defaults.

    Parameters
    ----------
    parameters : mapping
        Values of the types of :data:`DEFAULTS`. ``dice`` and ``points`` hold one number per
        player apart by ``;``, or ``points`` one for all; ``wild=0`` is no wild face.

    Raises
    ------
    RulesError
        When a parameter is unknown or outside what is allowed.

    Examples
    --------
    >>> rules_from_parameters({"dice": "2;1", "faces": 4}).dice
    (2, 1)
    """
    for name in parameters:
        if name not in DEFAULTS:
            raise RulesError(f"unknown parameter {name!r}; allowed are {', '.join(DEFAULTS)}")
    fields = DEFAULTS | dict(parameters)
    del fields["match"]
    points = _numbers("points", fields["points"])
    fields["dice"] = _numbers("dice", fields["dice"])
    fields["points"] = points[0] if len(points) == 1 else points
    if not 0 <= fields["wild"] <= fields["faces"]:
        raise RulesError(
            f"wild={fields['wild']}: allowed are 1 to {fields['faces']}, or 0 for no wild face"
        )
    fields["wild"] = fields["wild"] or None
    rules = DiceRules(**fields)
    if rules.players > MAX_PLAYERS:
        raise RulesError(f"dice for {rules.players} players: OpenSpiel plays up to {MAX_PLAYERS}")
    return rules


def parameters_from_rules(rules: DiceRules, match: bool = False) -> dict[str, Any]:
    """All game parameters of these rules, for ``pyspiel.load_game``.

    Parameters
    ----------
    rules : DiceRules
        The rules.
    match : bool
        A whole match instead of one round.

    Examples
    --------
    >>> parameters_from_rules(DiceRules(dice=(2, 1), points=(1, 2)))["points"]
    '1;2'
    """
    shared = isinstance(rules.points, int)
    return rules.to_dict() | {
        "dice": ";".join(map(str, rules.dice)),
        "wild": rules.wild or 0,
        # A bare number would be read back as a whole number, not as text.
        "points": f"{rules.points};" if shared else ";".join(map(str, rules.starting_points)),
        "match": match,
    }


def _numbers(name: str, text: object) -> tuple[int, ...]:
    parts = text.rstrip(";").split(";") if isinstance(text, str) else []
    if not parts or not all(part.isascii() and part.isdigit() and len(part) < 4 for part in parts):
        raise RulesError(f"{name}={text!r}: write whole numbers apart by ';', such as 5;5")
    return tuple(map(int, parts))
