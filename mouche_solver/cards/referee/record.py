"""What happened in a game, as data, and running it again."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mouche_solver.cards.referee.actions import Action
from mouche_solver.cards.referee.game import Game, apply, begin_deal, new_game
from mouche_solver.cards.rules.rules import CardRules
from mouche_solver.errors import NotationError

KEYWORDS = ("rules", "players", "dealer", "deal", "hand", "turned", "stock", "shuffle")


def check_names(names: Sequence[str], count: int) -> tuple[str, ...]:
    """The names, when a transcript that holds them can be read again.

    Raises
    ------
    NotationError
        When there are not ``count`` different names, or one is no single word, holds ``#`` or
        ``;``, or begins another statement.

    Examples
    --------
    >>> check_names(["Anna", "Ben"], 2)
    ('Anna', 'Ben')
    >>> check_names(["Anna", "deal"], 2)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    mouche_solver.errors.NotationError: players: give 2 different names without spaces, ...
    """
    single = all(name.split() == [name] and not set(name) & set("#;") for name in names)
    if not single or not len(names) == len(set(names)) == count or set(names) & set(KEYWORDS):
        raise NotationError(
            f"players: give {count} different names without spaces, # and ;, "
            f"none of them {', '.join(KEYWORDS)}"
        )
    return tuple(names)


def default_names(players: int) -> tuple[str, ...]:
    """P1, P2, ... for players without names."""
    return tuple(f"P{number}" for number in range(1, players + 1))


@dataclass(frozen=True)
class RecordedDeal:
    """The order of the pack (hands in seat order, turn-up, stock) and the actions, in order."""

    order: tuple[int, ...]
    actions: tuple[Action, ...] = ()


@dataclass(frozen=True)
class Record:
    """A game from its first deal; the last deal may be unfinished."""

    rules: CardRules
    names: tuple[str, ...]
    first_dealer: int
    deals: tuple[RecordedDeal, ...] = ()

    def steps(self) -> Iterator[Game]:
        """The game at every moment, beginning before the first deal."""
        game = new_game(self.rules, self.first_dealer)
        yield game
        for deal in self.deals:
            game = begin_deal(game, deal.order)
            yield game
            for action in deal.actions:
                game = apply(game, action)
                yield game

    def final(self) -> Game:
        """The game at its last recorded moment."""
        for game in self.steps():
            last = game
        return last

    def after_deals(self) -> list[Game]:
        """The game after each deal, and at the end of an unfinished one."""
        games: list[Game] = []
        count = 0
        for game in self.steps():
            if sum(game.deals) > count:
                count += 1
                games.append(game)
            elif games:
                games[-1] = game
        return games
