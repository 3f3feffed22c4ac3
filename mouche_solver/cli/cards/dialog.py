"""The dialog of a card game between a person and a strategy."""

import random
import sys
from collections.abc import Sequence

from mouche_solver.cards.referee.actions import Action, NameTrump
from mouche_solver.cards.referee.deal import Deal
from mouche_solver.cards.referee.game import Game, apply
from mouche_solver.cards.referee.referee import draw_shuffle
from mouche_solver.cards.rules.mouche import mouche_suit
from mouche_solver.cards.strategy.results import CardChoice, Declaration
from mouche_solver.cards.strategy.strategy import CardStrategy
from mouche_solver.cli.cards.words import (
    action_of,
    advice,
    describe_legal,
    read_action,
    shown,
    told,
)
from mouche_solver.errors import IllegalMoveError, NotationError

# Actions that the strategy would take less often are not worth a word.
_SELDOM = 0.005


class LeftError(Exception):
    """The person has left the game."""


def say(text: str) -> None:
    """One line of the dialog."""
    print(text, flush=True)


class Table:
    """A person and the strategy at one table.

    Parameters
    ----------
    strategy : CardStrategy
        Sits in all seats but one.
    person : int
        The person's player number.
    names : sequence of str
        One for each player.
    rng : random.Random
        Shuffles, and draws the strategy's actions.
    """

    def __init__(
        self, strategy: CardStrategy, person: int, names: Sequence[str], rng: random.Random
    ) -> None:
        self.strategy, self.person, self.names, self.rng = strategy, person, names, rng
        self.pack = strategy.rules.pack
        self._notes: list[str] = []

    def play_deal(self, game: Game, number: int) -> Game:
        """Play a deal that has begun to its end.

        Raises
        ------
        LeftError
            When the person leaves.
        """
        deal, place = _running(game), game.seating.index(self.person)
        self._notes = []
        counts = ", ".join(
            f"{n} {c}" for n, c in zip(self.names, game.points or game.stacks, strict=True)
        )
        pot = "" if game.points else f"; the pot is {game.pot}"
        say(f"\nDeal {number}: {self.names[game.dealer]} dealt{pot}. {counts}")
        say(f"Turned up: {self.pack.name(deal.turned)}. {self._hand(deal, place)}")
        if deal.rules.mouche and mouche_suit(deal.rules, deal.trump, deal.hands[place]) is not None:
            say("It is of one suit: a mouche.")
        while deal.outcome is None:
            game = apply(game, self._next(game, deal, place))
            deal = _running(game)
        self._say_result(game, deal)
        for note in self._notes:
            say(note)
        return game

    def _next(self, game: Game, deal: Deal, place: int) -> Action:
        if deal.phase == "shuffle":
            say("The cards laid aside are shuffled.")
            return draw_shuffle(deal, self.rng)
        if deal.phase == "name-trump":
            return self._name_trump(game, deal, place)
        options = advice(self.strategy, deal)
        if deal.turn == place:
            if deal.phase == "play":
                say(self._hand(deal, place))
            action = self._ask(deal)
            self._note(action, deal, options)
        else:
            chances = [option.probability for option in options]
            chosen = self.rng.choices(range(len(options)), chances)[0]
            action = action_of(deal, options[chosen])
            say(f"{self.names[game.seating[deal.turn]]} {told(self.pack, action)}")
        return action

    def _name_trump(self, game: Game, deal: Deal, place: int) -> Action:
        best = NameTrump(deal.turn, self.strategy.name_trump(deal.hands[deal.turn]))
        if deal.turn != place:
            say(f"{self.names[game.seating[deal.turn]]} {told(self.pack, best)}")
            return best
        action = self._ask(deal)
        mine, its = shown(self.pack, action), shown(self.pack, best)
        self._notes.append(f"  you: {mine}; the strategy: {its}")
        return action

    def _ask(self, deal: Deal) -> Action:
        """The person's next action, asked for until it is a legal one."""
        kind = {"play": "card", "name-trump": "trump suit"}.get(deal.phase, "declaration")
        while True:
            print(f"Your {kind}, or quit: ", end="", flush=True)
            line = sys.stdin.readline()
            if not line:
                raise LeftError
            words = line.replace(",", " ").split()
            if line.strip().lower() in ("quit", "exit", "q"):
                raise LeftError
            try:
                return read_action(words, deal)
            except (NotationError, IllegalMoveError) as error:
                say(f"{error}. {describe_legal(deal)}" if words else describe_legal(deal))

    def _note(
        self, action: Action, deal: Deal, options: Sequence[Declaration | CardChoice]
    ) -> None:
        """Keep what the strategy would have done, to be told after the deal."""
        likely = sorted(options, key=lambda option: -option.probability)
        mix = ", ".join(
            f"{shown(self.pack, action_of(deal, option))} {option.probability:.0%}"
            for option in likely
            if option.probability >= _SELDOM
        )
        if len(options) > 1:
            self._notes.append(f"  you: {shown(self.pack, action)}; the strategy: {mix}")

    def _hand(self, deal: Deal, place: int) -> str:
        return f"Your hand: {' '.join(self.pack.mask_names(deal.hands[place]))}"

    def _say_result(self, game: Game, deal: Deal) -> None:
        outcome = deal.outcome
        assert outcome is not None
        seats = [self.names[player] for player in game.seating]
        if outcome.winner is not None and game.points:
            how = "is at 0" if outcome.how == "zero" else "is alone and scores all tricks"
            say(f"{seats[outcome.winner]} {how}.")
        elif outcome.winner is not None:
            how = "with a mouche" if outcome.how == "mouche" else "alone"
            say(f"The pot goes to {seats[outcome.winner]}, {how}.")
        else:
            tricks = ", ".join(f"{seats[seat]} {deal.tricks[seat]}" for seat in deal.inside)
            say(f"Tricks: {tricks}.")
        if outcome.mouches:
            say(f"The mouche is on {', '.join(seats[seat] for seat in outcome.mouches)}.")


def _running(game: Game) -> Deal:
    assert game.deal is not None
    return game.deal
