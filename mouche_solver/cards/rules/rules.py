"""The rules of card Mouche as data.

Every default is the reading of the rules text (docs/rules-cards.md); an option never changes one.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, Literal, Self

from mouche_solver.cards.rules.checks import check_multiple, names_tuple
from mouche_solver.cards.rules.decks import preset_ranks
from mouche_solver.cards.rules.html import rules_html
from mouche_solver.cards.rules.pack import RANKS, SUITS, Pack
from mouche_solver.core.checks import check_bool, check_choice, check_int, plain
from mouche_solver.core.rule_data import digest, given_fields, parse_rules, to_mapping
from mouche_solver.errors import RulesError

HASHED_AS = "mouche-cards-1"
# These make a game of many deals; everything else decides the play or the payoff of one deal.
GAME_FIELDS = (
    "ante",
    "chips",
    "debts",
    "rounds",
    "first_dealer",
    "countdown_from",
    "bonus_in_turn",
)


MoucheOrder = Literal["points", "highest-card"]
AcePoints = Literal[10, 1]
Question = Literal["off", "on", "silence-is-yes"]
PaidIn = Literal["all", "largest-first", "first-in-first-out"]
OneAtATime = Literal["overall", "per-deal"]
PamphilePays = Literal["chip", "fifth"]
PamphileFrom = Literal["all", "inside"]
Scoring = Literal["chips", "countdown"]


# What is usual depends on the scoring: in Mushka nobody has to head a trick or to overtrump, and
# who cannot follow must trump even below a higher trump. Elsewhere it is the other way round.
MUSHKA_PLAY = {"must_head": False, "must_overtrump": False, "must_undertrump": True}
BY_SCORING: Any = None
# Options that came later, with what is usual.
YOUNGER: dict[str, Any] = {
    "mouche_after_swap": False,
    "sweep_alone": False,
    "pamphile_from": "all",
    "pamphile_alone": False,
    "bonus_in_turn": False,
    "one_at_a_time": "overall",
}


@dataclass(frozen=True)
class CardRules:
    """The rules of one game of card Mouche.

    Parameters
    ----------
    players : int
        Seats at the table; seat 0 is the first hand, the last seat the dealer.
    deck : str
        ``lalanne``, ``jeux-de-cartes``, ``piquet``, ``mushka``; ``custom`` when ranks are given.
    ranks, suits : tuple of str or None
        A custom deck: ranks **highest first**, suits of C D H S. None: the named deck's.
    hand_size : int
        Cards in a hand, which is also the number of tricks.
    first_dealer : int or None
        The player who deals first; None draws one.
    dealer_takes_trump : bool
        The dealer may swap the turn-up for a hand card when he stands or exchanges.
    exchange_cap : int or None
        Most cards in an exchange; None is the whole hand, 0 forbids exchanging.
    reshuffle : bool
        When the stock runs out, shuffle the cards laid aside. False: no more than the stock.
    passed_hands_return, own_discards_return : bool
        Whether passed hands, and what a player is just laying down, belong to that pile.
    mouche : bool
        Whether a hand of one suit wins without play.
    mouche_after_exchange : bool
        Whether it also counts after an exchange.
    mouche_must_stand : bool
        Whether a player who was dealt one must stand.
    losing_holders_pay, passers_pay : bool
        Whether beaten mouches, and those who passed, make the mouche when a mouche wins.
    mouche_order : {"points", "highest-card"}
        How two mouches of the same kind compare (``highest-card``: only the best card).
    ace_points : {10, 1}
        What an Ace counts in a mouche.
    question : {"off", "on", "silence-is-yes"}
        Whether a player who stood may be asked "do you have the mouche?".
    must_follow, must_head, must_trump, must_overtrump : bool
        Follow suit; beat the best card when following; trump when void; beat a trump when void.
        Without ``must_follow`` any card may be played. Left out, ``must_head`` and
        ``must_overtrump`` are true, and false under ``countdown``.
    head_when_trumped : bool
        Head the suit led even when the trick is trumped.
    must_undertrump : bool
        Trump when void even below a higher trump. Left out it is false, and true under
        ``countdown``.
    ante : int or None
        The dealer's chips, a multiple of the tricks; None is one chip a trick.
    cap : int or None
        The most that making the mouche costs, a multiple of the tricks.
    mouches_paid_in : {"all", "largest-first", "first-in-first-out"}
        All waiting mouches go into the next pot, or one a deal in the order given.
    sweep : bool
        1730: the holder of a mouche takes the waiting ones too (with one at a time).
    pamphile : bool
        The Jack of clubs is the highest trump.
    pamphile_any_suit : bool
        For a mouche it counts as any suit instead of a club.
    pamphile_pays : {"chip", "fifth"}
        What its holder gets from each other player: one chip, or what one trick is worth.
    chips : int or tuple of int
        Chips at the start, for all or for each player.
    debts : bool
        A stack may go below zero. False: who cannot pay pays what he has and is out.
    rounds : int
        The game ends when everyone has dealt so often (not under ``countdown``).
    scoring : {"chips", "countdown"}
        ``countdown``: Mushka, from ``countdown_from`` to exactly 0, with its Ace of spades.
    countdown_from : int
        Points at the start of Mushka.
    ace_instead_of_following : bool
        Mushka: the Ace of spades may be played on the led Ace of trumps even with trumps in hand.
    mouche_after_swap : bool
        The dealer's swap does not kill his mouche; with an exchange too it needs
        ``mouche_after_exchange``.
    sweep_alone : bool
        With ``sweep``: a player left alone who holds a mouche takes the waiting ones too.
    pamphile_from : {"all", "inside"}
        Who pays the Pamphile's holder: every other player, or those who are in.
    pamphile_alone : bool
        Its holder is paid also when he is left alone.
    bonus_in_turn : bool
        Mushka: at its holder's first trick the trick comes off first and then the Ace's points;
        exactly 0 in between wins.
    one_at_a_time : {"overall", "per-deal"}
        Of the waiting mouches one goes into a pot, or one of every deal that left some.

    Raises
    ------
    RulesError
        When a field is outside what is allowed or contradicts another.

    Examples
    --------
    >>> rules = CardRules(players=3)
    >>> rules.pack.size, rules.stock_size
    (28, 12)
    >>> CardRules(players=2, ranks="K Q J", suits="C D", hand_size=2).pack.size
    6
    >>> CardRules.from_json(rules.to_json()) == rules
    True
    """

    players: int = 4
    deck: str = "lalanne"
    ranks: tuple[str, ...] | None = None
    suits: tuple[str, ...] | None = None
    hand_size: int = 5
    first_dealer: int | None = None
    dealer_takes_trump: bool = False
    exchange_cap: int | None = None
    reshuffle: bool = True
    passed_hands_return: bool = True
    own_discards_return: bool = False
    mouche: bool = True
    mouche_after_exchange: bool = False
    mouche_must_stand: bool = False
    losing_holders_pay: bool = True
    passers_pay: bool = False
    mouche_order: MoucheOrder = "points"
    ace_points: AcePoints = 10
    question: Question = "off"
    must_follow: bool = True
    must_head: bool = BY_SCORING
    head_when_trumped: bool = False
    must_trump: bool = True
    must_overtrump: bool = BY_SCORING
    must_undertrump: bool = BY_SCORING
    ante: int | None = None
    cap: int | None = None
    mouches_paid_in: PaidIn = "all"
    sweep: bool = False
    pamphile: bool = False
    pamphile_any_suit: bool = False
    pamphile_pays: PamphilePays = "chip"
    chips: int | tuple[int, ...] = 50
    debts: bool = True
    rounds: int = 1
    scoring: Scoring = "chips"
    countdown_from: int = 25
    ace_instead_of_following: bool = False
    mouche_after_swap: bool = False
    sweep_alone: bool = False
    pamphile_from: PamphileFrom = "all"
    pamphile_alone: bool = False
    bonus_in_turn: bool = False
    one_at_a_time: OneAtATime = "overall"

    def __post_init__(self) -> None:
        for name, value in MUSHKA_PLAY.items():
            if getattr(self, name) is BY_SCORING:
                mushka = self.scoring == "countdown"
                object.__setattr__(self, name, value if mushka else not value)
        for field in fields(self):
            object.__setattr__(self, field.name, plain(getattr(self, field.name)))
            if field.type is bool:
                check_bool(field.name, getattr(self, field.name))
        self._check_deck()
        self._check_choices()
        self._check_money()
        self._check_variants()

    def _check_deck(self) -> None:
        check_int("players", self.players, 2, 51)
        check_int("hand_size", self.hand_size, 1, 25)
        if not isinstance(self.deck, str):
            raise RulesError(f"deck={self.deck!r}: give the name of a deck")
        if self.ranks is not None:
            object.__setattr__(self, "ranks", names_tuple("ranks", self.ranks, RANKS))
            object.__setattr__(self, "deck", "custom")
        if self.suits is not None:
            chosen = names_tuple("suits", self.suits, SUITS)
            object.__setattr__(self, "suits", tuple(s for s in SUITS if s in chosen))
        ranks, suits = len(self.pack.ranks), len(self.pack.suits)
        need = self.players * self.hand_size + 1
        if need > ranks * suits:
            raise RulesError(
                f"the deck is too small: {self.players} players x {self.hand_size} cards + the "
                f"turn-up = {need}, but {suits} suits x {ranks} ranks = {ranks * suits}"
            )
        if self.exchange_cap is not None:
            check_int("exchange_cap", self.exchange_cap, 0, self.hand_size, also="or None")

    def _check_choices(self) -> None:
        check_choice("mouche_order", self.mouche_order, MoucheOrder)
        check_choice("ace_points", self.ace_points, AcePoints)
        check_choice("question", self.question, Question)
        check_choice("mouches_paid_in", self.mouches_paid_in, PaidIn)
        check_choice("one_at_a_time", self.one_at_a_time, OneAtATime)
        check_choice("pamphile_pays", self.pamphile_pays, PamphilePays)
        check_choice("pamphile_from", self.pamphile_from, PamphileFrom)
        check_choice("scoring", self.scoring, Scoring)
        if self.first_dealer is not None:
            check_int("first_dealer", self.first_dealer, 0, self.players - 1, also="or None")
        check_int("rounds", self.rounds, 1, 10**6)
        check_int("countdown_from", self.countdown_from, 1, 10**6)

    def _check_money(self) -> None:
        if self.ante is not None:
            check_multiple("ante", self.ante, self.hand_size)
        if self.cap is not None:
            check_multiple("cap", self.cap, self.hand_size)
        if isinstance(self.chips, (tuple, list)):
            object.__setattr__(self, "chips", tuple(self.chips))
            if len(self.starting_chips) != self.players:
                raise RulesError(
                    f"chips={self.chips}: give one number, or one for each of the "
                    f"{self.players} players"
                )
        for count in self.starting_chips:
            check_int("chips", count, 0, 10**9)
        if self.sweep and self.mouches_paid_in == "all":
            raise RulesError(
                "sweep=True: no mouches wait when all are paid in at once; allowed with "
                "mouches_paid_in largest-first or first-in-first-out"
            )
        if self.one_at_a_time != "overall" and self.mouches_paid_in == "all":
            raise RulesError(
                f"one_at_a_time={self.one_at_a_time!r}: all mouches are paid in at once; allowed "
                "with mouches_paid_in largest-first or first-in-first-out"
            )
        if self.sweep_alone and not self.sweep:
            raise RulesError("sweep_alone=True: nobody sweeps; allowed with sweep=True")

    def _check_variants(self) -> None:
        if self.pamphile and "JC" not in self.pack.all_names:
            raise RulesError("pamphile=True: the deck has no Jack of clubs")
        if self.question != "off" and not self.mouche:
            raise RulesError(
                f"question={self.question!r}: without a mouche there is nothing to ask"
            )
        if self.scoring != "countdown":
            if self.bonus_in_turn:
                raise RulesError("bonus_in_turn=True: allowed with scoring countdown only")
            return
        if "AS" not in self.pack.all_names:
            raise RulesError("scoring='countdown': the deck has no Ace of spades")
        for name in ("mouche", "pamphile", "dealer_takes_trump"):
            if getattr(self, name):
                raise RulesError(f"scoring='countdown': Mushka has no {name}; set it to false")

    @classmethod
    def mushka(cls, players: int = 4, **changes: Any) -> Self:
        """The rules of Mushka for 3 to 7 players.

        Examples
        --------
        >>> CardRules.mushka(3).pack.ranks[-1]
        'A'
        """
        rules: dict[str, Any] = {
            "deck": "mushka",
            "scoring": "countdown",
            "mouche": False,
        }
        return cls(players=players, **(rules | changes))

    @cached_property
    def pack(self) -> Pack:
        """The cards in use, with their names and order."""
        high_first = self.ranks or preset_ranks(self.deck, self.players)
        return Pack(ranks=tuple(reversed(high_first)), suits=self.suits or SUITS)

    @property
    def stock_size(self) -> int:
        """Cards left after the deal and the turn-up."""
        return self.pack.size - self.players * self.hand_size - 1

    @property
    def max_exchange(self) -> int:
        """Most cards that one exchange may lay down."""
        return self.hand_size if self.exchange_cap is None else self.exchange_cap

    @property
    def ante_chips(self) -> int:
        """What the dealer puts into the pot."""
        return self.hand_size if self.ante is None else self.ante

    @property
    def starting_chips(self) -> tuple[int, ...]:
        """Chips of each player at the start."""
        return self.chips if isinstance(self.chips, tuple) else (self.chips,) * self.players

    @property
    def pamphile_card(self) -> int | None:
        """The Jack of clubs when it is the Pamphile, else None."""
        return self.pack.card("JC") if self.pamphile else None

    def debt(self, pot: int) -> int:
        """What making the mouche costs: the amount of the pot, at most the cap.

        Examples
        --------
        >>> CardRules(cap=20).debt(45)
        20
        """
        return pot if self.cap is None else min(pot, self.cap)

    def to_dict(self) -> dict[str, Any]:
        """All fields as JSON types; younger options only where they are used.

        So rules written down before there was such an option keep their text and their hashes.
        """
        return {
            key: value
            for key, value in to_mapping(self).items()
            if key not in YOUNGER or value != YOUNGER[key]
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Rules from a mapping; absent fields take their defaults, unknown ones are refused."""
        return cls(**given_fields(cls, data, "card"))

    def to_json(self) -> str:
        """One line of JSON that :meth:`from_json` reads back."""
        return json.dumps(self.to_dict())

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Rules from :meth:`to_json`'s text."""
        return cls.from_dict(parse_rules(text))

    def replace(self, **changes: Any) -> Self:
        """The same rules with some fields changed."""
        if changes.get("scoring", self.scoring) != self.scoring:
            changes = dict.fromkeys(MUSHKA_PLAY, BY_SCORING) | changes
        return replace(self, **changes)

    def _resolved(self) -> dict[str, Any]:
        """All fields with presets and defaults spelled out, so that equal games hash equally."""
        data = self.to_dict() | {
            "ranks": list(reversed(self.pack.ranks)),
            "suits": list(self.pack.suits),
            "exchange_cap": self.max_exchange,
            "ante": self.ante_chips,
            "chips": list(self.starting_chips),
        }
        del data["deck"]
        return data

    @property
    def deal_hash(self) -> str:
        """A stable hash of what decides one deal's play and payoff; it guards solutions."""
        return digest(
            HASHED_AS, {k: v for k, v in self._resolved().items() if k not in GAME_FIELDS}
        )

    @property
    def game_hash(self) -> str:
        """A stable hash of all rules; it guards games."""
        return digest(HASHED_AS, self._resolved())

    def _repr_html_(self) -> str:
        return rules_html(self)
