"""``mouche cards``: its commands, and the flags that say which rules are played."""

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import App, Parameter

from mouche_solver.cards.rules.rules import CardRules
from mouche_solver.cli.common import Whole, read_text
from mouche_solver.errors import RulesError, StorageError, UsageError

# Each command is a function of its own name in the module ``cli.cards.<name>``, loaded when chosen.
COMMANDS = {
    "solve": "Train a strategy for declarations and play.",
    "advise": "What to declare or to play.",
    "chart": "What to declare with each class of hand.",
    "report": "Write one HTML file about the shipped strategy or a file's.",
    "play": "Play against the strategy.",
    "evaluate": "What challengers gain against a strategy.",
    "trim": "Make a strategy's file smaller.",
    "tournament": "Strategies and baselines against each other, the same cards in every seat.",
    "odds": "Exact odds of mouches, trumps and the stock.",
    "deal": "Deal at random and play it out with random legal actions.",
    "review": "What every decision of a written game cost.",
    "drill": "Answer hard positions; what was missed comes again.",
    "replay": "Check a written game: stacks, pot and who won what after every deal.",
    "legal": "Which cards of a hand may be played to a trick.",
}

app = App(
    name="cards", help="Card Mouche and Mushka: odds, written games, random deals and strategies."
)
for _name, _help in COMMANDS.items():
    app.command(f"mouche_solver.cli.cards.{_name}:{_name}", name=_name, help=_help)
app.command(
    "mouche_solver.cli.cards.efg:efg",
    name="export-efg",
    help="Write the tree of a small game for Gambit and OpenSpiel.",
)


@Parameter(name="*")
@dataclass(frozen=True)
class RuleFlags:
    """Rules flags, for any cards command: ``game: RuleFlags = DEFAULT_RULES``.

    Parameters
    ----------
    players
        Players at the table.
    deck
        Named deck: lalanne, jeux-de-cartes, piquet or mushka.
    game
        mouche, the game of 1718, or mushka; a deck of Mushka alone says mushka.
    rules
        JSON file with rules; a flag that is given replaces its field.
    rule
        Any other rule, as cap=20 or sweep=true, and again for the next; a wrong name lists all.
    """

    players: Whole | None = None
    deck: str | None = None
    game: Literal["mouche", "mushka"] | None = None
    rules: Path | None = None
    rule: Annotated[tuple[str, ...], Parameter(negative="", show_default=False)] = ()

    def read(self, **more: Any) -> CardRules:
        """The rules that the flags describe, and fields that are not None.

        Raises
        ------
        StorageError
            When the rules file cannot be read or holds no rules.
        RulesError
            When the rules are not possible.
        UsageError
            When a game is named beside a file.
        """
        if self.game is not None and self.rules is not None:
            raise UsageError("--game goes without --rules: the file says which game is played")
        flags = {"players": self.players, "deck": self.deck, **more}
        given = {name: value for name, value in flags.items() if value is not None}
        for name, value in map(read_rule, self.rule):
            if name in given:
                raise UsageError(f"--rule {name}: that rule is given twice")
            given[name] = value
        if self.rules is None and (self.game or given.get("deck")) == "mushka":
            return CardRules.mushka(**given)
        if self.rules is None:
            return CardRules.from_dict(given)
        try:
            rules = CardRules.from_json(read_text(self.rules))
        except RulesError as error:
            raise StorageError(f"{self.rules}: {error}") from None
        if "deck" in given:
            given = {"ranks": None, "suits": None, **given}
        return rules.replace(**given)

    @property
    def any_given(self) -> bool:
        """Whether the user named any rule."""
        return self != DEFAULT_RULES


DEFAULT_RULES = RuleFlags()


def read_rule(text: str) -> tuple[str, Any]:
    """A rule's name and value from ``name=value``; whether the value is allowed, the rules say.

    Examples
    --------
    >>> read_rule("cap=20"), read_rule("sweep=true"), read_rule("chips=50,40")
    (('cap', 20), ('sweep', True), ('chips', (50, 40)))
    """
    name, equals, value = (part.strip() for part in text.partition("="))
    known = [field.name for field in fields(CardRules)]
    if name not in known:
        raise UsageError(f"--rule {text}: no such rule; the rules are {', '.join(known)}")
    if not equals or not value:
        raise UsageError(f"--rule {text}: write name=value, such as cap=20 or sweep=true")
    if name in _TEXTS:
        return name, value
    if name == "chips" and "," in value:
        return name, tuple(_value(part.strip()) for part in value.split(","))
    return name, _value(value)


# Their values are names even where they look like numbers: one rank is called 10.
_TEXTS = ("deck", "ranks", "suits")
_WORDS = {"true": True, "false": False, "none": None}


def _value(text: str) -> Any:
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    digits = text.removeprefix("-")
    return int(text) if text.isascii() and digits.isdecimal() and len(digits) < 19 else text


def rule_words(rules: CardRules) -> list[str]:
    """The flags that lead to such rules.

    Examples
    --------
    >>> rule_words(CardRules(players=3, cap=20))
    ['--players', '3', '--rule', 'cap=20']
    """
    words = ["--players", str(rules.players)]
    usual: CardRules = CardRules()
    if rules.scoring == "countdown":
        words += ["--game", "mushka"]
        usual = CardRules.mushka()
    if rules.deck not in (usual.deck, "custom"):
        words += ["--deck", rules.deck]
    for name, value in rules.to_dict().items():
        if name in ("players", "deck") or value == getattr(usual, name):
            continue
        if isinstance(value, list):
            text = ",".join(map(str, value))
        else:
            text = "none" if value is None else str(value).lower()
        words += ["--rule", f"{name}={text.upper() if name in _TEXTS else text}"]
    return words
