"""Rules to and from JSON, and the hashes that guard solutions and games."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, fields, replace
from typing import TYPE_CHECKING, Any, Self, cast

from mouche_solver.core.json_text import parse_json
from mouche_solver.errors import RulesError

if TYPE_CHECKING:
    from mouche_solver.cards.rules.rules import CardRules

# These make a game of many deals; everything else decides the play or the payoff of one deal.
GAME_FIELDS = ("ante", "chips", "debts", "rounds", "first_dealer", "countdown_from")


class RulesIO:
    """JSON, hashes and changes of a frozen dataclass of rules."""

    def to_dict(self) -> dict[str, Any]:
        """All fields as JSON types."""
        return {
            key: list(value) if isinstance(value, tuple) else value
            for key, value in asdict(cast("CardRules", self)).items()
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Rules from a mapping; absent fields take their defaults, unknown ones are refused."""
        if not isinstance(data, Mapping):
            raise RulesError(f"card rules are a JSON object, not {type(data).__name__}")
        known = [field.name for field in fields(cast("type[CardRules]", cls))]
        for key in data:
            if key not in known:
                raise RulesError(f"unknown rule {key!r}; the rules are {', '.join(known)}")
        return cls(**{k: tuple(v) if isinstance(v, list) else v for k, v in data.items()})

    def to_json(self) -> str:
        """One line of JSON that :meth:`from_json` reads back."""
        return json.dumps(self.to_dict())

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Rules from :meth:`to_json`'s text."""
        try:
            data = parse_json(text)
        except ValueError as error:
            raise RulesError(f"the rules are not valid JSON: {error}") from None
        return cls.from_dict(data)

    def replace(self, **changes: Any) -> Self:
        """The same rules with some fields changed."""
        return cast("Self", replace(cast("CardRules", self), **changes))

    def _resolved(self) -> dict[str, Any]:
        """All fields with presets and defaults spelled out, so that equal games hash equally."""
        rules = cast("CardRules", self)
        data = self.to_dict() | {
            "ranks": list(reversed(rules.pack.ranks)),
            "suits": list(rules.pack.suits),
            "exchange_cap": rules.max_exchange,
            "ante": rules.ante_chips,
            "chips": list(rules.starting_chips),
        }
        del data["deck"]
        return data

    @property
    def deal_hash(self) -> str:
        """A stable hash of what decides one deal's play and payoff; it guards solutions."""
        return _digest({k: v for k, v in self._resolved().items() if k not in GAME_FIELDS})

    @property
    def game_hash(self) -> str:
        """A stable hash of all rules; it guards games."""
        return _digest(self._resolved())


def _digest(data: Mapping[str, Any]) -> str:
    text = json.dumps(data, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(b"mouche-cards-1 " + text.encode()).hexdigest()[:16]
