"""The cards of one deal in a transcript."""

from collections.abc import Sequence

from mouche_solver.cards.rules.rules import CardRules
from mouche_solver.errors import NotationError


class DealCards:
    """The cards of one deal while they are being named."""

    def __init__(self, rules: CardRules, seats: Sequence[str]) -> None:
        self._rules, self._seats = rules, seats
        self._places: dict[str, tuple[int, ...]] = {}

    @property
    def drawable(self) -> int:
        """How many cards of the stock were named."""
        return len(self._places.get("the stock", ()))

    def read(self, word: str, text: str) -> None:
        """Take ``hand NAME CARDS``, ``turned CARD`` or ``stock CARDS``."""
        place, expected = {"turned": ("the turn-up", 1)}.get(word, ("the stock", None))
        if word == "hand":
            name, _, text = text.partition(" ")
            if name not in self._seats:
                raise NotationError(f"hand of {name!r}: this deal has {' '.join(self._seats)}")
            place, expected = f"{name}'s hand", self._rules.hand_size
        cards = self._rules.pack.cards(text)
        if place in self._places:
            raise NotationError(f"{place} is given twice")
        if expected is not None and len(cards) != expected:
            raise NotationError(f"{place} has {len(cards)} cards; it must have {expected}")
        for other, taken in self._places.items():
            for card in cards:
                if card in taken:
                    name = self._rules.pack.name(card)
                    raise NotationError(f"{place}: {name} is already in {other}")
        self._places[place] = cards

    def order(self) -> tuple[int, ...]:
        """The whole pack; cards of the stock that were not named come last, by number."""
        order: list[int] = []
        for place in [*(f"{name}'s hand" for name in self._seats), "the turn-up"]:
            if place not in self._places:
                raise NotationError(f"{place} is missing")
            order += self._places[place]
        order += self._places.get("the stock", ())
        return (*order, *(c for c in range(self._rules.pack.size) if c not in order))
