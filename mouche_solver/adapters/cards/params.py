"""Game parameters of ``python_mouche_cards``: CardRules in the types that OpenSpiel has."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from mouche_solver.cards.referee.game import new_game
from mouche_solver.cards.rules.objective import seat_shares
from mouche_solver.cards.rules.rules import MUSHKA_PLAY, YOUNGER, CardRules
from mouche_solver.core.checks import whole
from mouche_solver.errors import RulesError

SHORT_NAME = "python_mouche_cards"
MAX_PLAYERS = 51
MAX_HAND_SIZE = 10  # an exchange is numbered by the set of its hand positions

# OpenSpiel fixes the type of each parameter by its default, and has no None and no lists.
DEFAULTS: dict[str, Any] = {
    "players": 4,
    "deck": "lalanne",
    "ranks": "",
    "suits": "",
    "hand_size": 5,
    "first_dealer": -1,
    "dealer_takes_trump": False,
    "exchange_cap": -1,
    "reshuffle": True,
    "passed_hands_return": True,
    "own_discards_return": False,
    "mouche": True,
    "mouche_after_exchange": False,
    "mouche_must_stand": False,
    "losing_holders_pay": True,
    "passers_pay": False,
    "mouche_order": "points",
    "ace_points": 10,
    "question": "off",
    "must_follow": True,
    "must_head": True,
    "head_when_trumped": False,
    "must_trump": True,
    "must_overtrump": True,
    "must_undertrump": False,
    "ante": 0,
    "cap": 0,
    "mouches_paid_in": "all",
    "sweep": False,
    "pamphile": False,
    "pamphile_any_suit": False,
    "pamphile_pays": "chip",
    "chips": "50;",
    "debts": True,
    "rounds": 1,
    "scoring": "chips",
    "countdown_from": 25,
    "ace_instead_of_following": False,
    "mouche_after_swap": False,
    "sweep_alone": False,
    "pamphile_from": "all",
    "pamphile_alone": False,
    "bonus_in_turn": False,
    "one_at_a_time": "overall",
    "deals": 1,
    "continuation": "none",
}
# What stands for None.
_NONE = {"ranks": "", "suits": "", "first_dealer": -1, "exchange_cap": -1, "ante": 0, "cap": 0}


class CardSetup(NamedTuple):
    """What is played: the rules, how many deals, and who gets what is left in the pot.

    Attributes
    ----------
    rules : CardRules
    deals : int
        1: one deal for a pot that lies there; 0: until the rules end the game.
    shares : tuple of Fraction or None
        What each seat of the deal after the last one gets of a chip left; None: it is lost.
    """

    rules: CardRules
    deals: int = 1
    shares: tuple[Fraction, ...] | None = None

    @property
    def zero_sum(self) -> bool:
        """Whether payoffs always add up to zero."""
        return self.shares is not None or self.deals == 0


def setup_from_parameters(parameters: Mapping[str, Any]) -> CardSetup:
    """What game parameters describe; absent ones take their defaults.

    Parameters
    ----------
    parameters : mapping
        Values of the types of :data:`DEFAULTS`. Lists are apart by ``;``.

    Raises
    ------
    RulesError
        When a parameter is unknown or outside what is allowed.

    Examples
    --------
    >>> setup = setup_from_parameters({"players": 2, "continuation": "0.5;0.5"})
    >>> setup.rules.pack.size, setup.shares
    (28, (Fraction(1, 2), Fraction(1, 2)))
    """
    for name in parameters:
        if name not in DEFAULTS:
            raise RulesError(f"unknown parameter {name!r}; allowed are {', '.join(DEFAULTS)}")
    values = DEFAULTS | dict(parameters)
    deals, continuation = values.pop("deals"), values.pop("continuation")
    fields: dict[str, Any] = {
        k: None if k in _NONE and v == _NONE[k] else v for k, v in values.items()
    }
    if fields["scoring"] == "countdown":  # then other play is usual, see CardRules
        fields = {k: v for k, v in fields.items() if k not in MUSHKA_PLAY or k in parameters}
    for name in ("ranks", "suits"):
        if fields[name] is not None:
            fields[name] = fields[name].rstrip(";").replace(";", " ")
    fields["chips"] = _numbers(fields["chips"])
    rules = CardRules(**fields)
    shares = seat_shares(rules.players, continuation.replace(";", ","))
    return checked(CardSetup(rules, deals, shares))


def checked(setup: CardSetup) -> CardSetup:
    """The setup, if OpenSpiel can play it; :class:`RulesError` if not."""
    rules, deals, shares = setup
    deals = whole("deals", deals)
    if rules.question != "off":
        raise RulesError(f"question={rules.question!r}: allowed is off, players move in turn")
    if rules.hand_size > MAX_HAND_SIZE:
        raise RulesError(f"hand_size={rules.hand_size}: allowed are 1 to {MAX_HAND_SIZE} here")
    setup = setup._replace(deals=deals)
    if not 0 <= deals <= 1000:
        raise RulesError(f"deals={deals}: allowed are 1 to 1000, or 0 for a whole game")
    if deals == 0 and rules.rounds * rules.players > 1000:
        raise RulesError(
            f"rounds={rules.rounds}: {rules.rounds * rules.players} deals; allowed are up to 1000"
        )
    if deals == 0 and rules.scoring == "countdown":
        raise RulesError("deals=0: a whole game of Mushka may last forever; allowed are 1 to 1000")
    if deals != 1 and any(new_game(rules, first).over for first in _first_dealers(rules)):
        raise RulesError(
            f"chips={rules.chips}: without debts two players must be able to pay the ante of "
            f"{rules.ante_chips}"
        )
    if shares is None:
        return setup
    if any(share < 0 for share in shares):
        raise RulesError(f"continuation={_text(shares)}: allowed are shares of at least 0")
    if deals == 0 or rules.scoring == "countdown":
        what = "Mushka has no pot" if deals else "the rules split what a whole game leaves"
        raise RulesError(f"continuation={_text(shares)}: {what}; allowed is none")
    if deals > 1 and not rules.debts:
        raise RulesError(
            f"continuation={_text(shares)}: without debts players may be out after the "
            "last deal; allowed is none"
        )
    return setup


def _first_dealers(rules: CardRules) -> range | tuple[int]:
    return range(rules.players) if rules.first_dealer is None else (rules.first_dealer,)


def parameters_from_setup(setup: CardSetup) -> dict[str, Any]:
    """All game parameters of a setup, for ``pyspiel.load_game``.

    Examples
    --------
    >>> parameters_from_setup(CardSetup(CardRules(players=2, ranks="K Q J A 10 9")))["ranks"]
    'K;Q;J;A;10;9'
    """
    rules = setup.rules
    fields = {k: _NONE[k] if v is None else v for k, v in (YOUNGER | rules.to_dict()).items()}
    for name in ("ranks", "suits"):
        given = getattr(rules, name)
        # A lone number would be read back as a whole number, not as text.
        fields[name] = "" if given is None else ";".join(given) + ";" * (len(given) == 1)
    shared = isinstance(rules.chips, int)
    fields["chips"] = f"{rules.chips};" if shared else ";".join(map(str, rules.starting_chips))
    return fields | {"deals": setup.deals, "continuation": _text(setup.shares)}


def _text(shares: tuple[Fraction, ...] | None) -> str:
    return "none" if shares is None else ";".join(map(str, shares))


def _numbers(text: str) -> int | tuple[int, ...]:
    parts = text.rstrip(";").split(";")
    if not all(part.isascii() and part.isdigit() for part in parts):
        raise RulesError(f"chips={text!r}: write whole numbers apart by ';', such as 50;50, or 50;")
    numbers = tuple(map(int, parts))
    return numbers[0] if len(numbers) == 1 else numbers
