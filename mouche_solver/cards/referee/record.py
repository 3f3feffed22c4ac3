"""What happened in a game, as data, and running it again."""

from collections.abc import Iterator
from dataclasses import dataclass

from mouche_solver.cards.referee.actions import Action
from mouche_solver.cards.referee.game import apply, begin_deal, new_game
from mouche_solver.cards.referee.game_state import Game
from mouche_solver.cards.rules.rules import CardRules


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
