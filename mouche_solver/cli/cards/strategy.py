"""Which card strategy answers, and reading a position from words."""

import shlex
from collections.abc import Sequence
from pathlib import Path

from mouche_solver.cards.rules.pack import Pack
from mouche_solver.cards.strategy.situation import Declared
from mouche_solver.cards.strategy.strategy import CardStrategy
from mouche_solver.cards.train.pots import MixedStrategy
from mouche_solver.cli.cards.group import RuleFlags, rule_words
from mouche_solver.errors import NotationError, UsageError
from mouche_solver.solutions.files import refuse_others
from mouche_solver.storage.cards.pots import holds_pots, load_pots
from mouche_solver.storage.cards.strategies import embedded_strategy, load_strategy

Answering = CardStrategy | MixedStrategy


def strategy_for(game: RuleFlags, file: Path | None) -> CardStrategy:
    """The strategy of a file, or the one that the package ships for these rules.

    Raises
    ------
    UsageError
        When there is neither.
    """
    if file is not None:
        refuse_others(file, "card-strategy", "card-pots")
        if holds_pots(file):
            pots = ", ".join(map(str, load_pots(file).pots))
            raise UsageError(
                f"{file} holds strategies for pots of {pots} chips: only mouche cards advise takes "
                "them, with --pot N"
            )
        return load_strategy(file, game.read() if game.any_given else None)
    rules = game.read()
    found = embedded_strategy(rules)
    if found is None:
        raise UsageError(
            "no strategy for these rules comes with the program: make one with "
            f"'mouche cards solve {shlex.join(rule_words(rules))} --out F' and give --strategy F"
        )
    return found


def strategy_at(game: RuleFlags, file: Path | None, pot: int | None) -> Answering:
    """The strategy for a pot of so many chips, or of any size where the pot does not matter.

    Raises
    ------
    UsageError
        When the size is needed and not given, or given where the strategy knows one size.
    """
    if file is not None and holds_pots(file):
        found = load_pots(file, game.read() if game.any_given else None)
        if pot is None:
            raise UsageError(f"{file} holds strategies for several pots: say how large, --pot N")
        return found.at(pot)
    strategy = strategy_for(game, file)
    trained = strategy.training.pot
    if pot is not None and trained not in (None, pot):
        raise UsageError(f"--pot {pot}: this strategy was trained for a pot of {trained} chips")
    return strategy


def read_declared(text: str) -> list[Declared]:
    """Declarations by commas: ``pass``, ``stand``, ``exchange2``.

    Examples
    --------
    >>> read_declared("pass, exchange2,stand")
    ['pass', 2, 'stand']
    """
    said: list[Declared] = []
    for word in filter(None, (w.strip().lower() for w in text.split(","))):
        number = word.removeprefix("exchange")
        if word == "pass":
            said.append("pass")
        elif word == "stand":
            said.append("stand")
        elif number != word and number.isascii() and number.isdecimal() and len(number) < 4:
            said.append(int(number))
        else:
            raise NotationError(f"declaration {word!r}: allowed are pass, stand, exchange1, ...")
    return said


def read_played(pack: Pack, text: str) -> list[tuple[int, ...]]:
    """Cards played, one group a trick with ``;`` between them.

    Examples
    --------
    >>> from mouche_solver.cards.rules.rules import CardRules
    >>> pack = CardRules(players=3).pack
    >>> [pack.names(trick) for trick in read_played(pack, "KH,10H,9H; AD")]
    [['KH', '10H', '9H'], ['AD']]
    """
    return [pack.cards(group) for group in text.split(";") if group.strip()]


def read_suit(pack: Pack, text: str) -> int:
    """The number of a suit.

    Examples
    --------
    >>> from mouche_solver.cards.rules.rules import CardRules
    >>> read_suit(CardRules(players=3).pack, "h")
    2
    """
    if text.upper() not in pack.suits:
        raise NotationError(f"suit {text!r}: allowed are {', '.join(pack.suits)}")
    return pack.suits.index(text.upper())


def spoken(declared: Sequence[Declared]) -> str:
    """The declarations in words."""
    words = [w if isinstance(w, str) else f"exchange{w}" for w in declared]
    return ", ".join(words) or "nobody has spoken"
