"""The dialog of a card game between a person and a strategy, and its words."""

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from mouche_solver.cards.referee.actions import (
    Action,
    Exchange,
    NameTrump,
    Pass,
    Play,
    Shuffle,
    Stand,
)
from mouche_solver.cards.referee.deal import Deal
from mouche_solver.cards.referee.declare import exchangeable
from mouche_solver.cards.referee.game import Game
from mouche_solver.cards.referee.game import apply as apply_to_game
from mouche_solver.cards.referee.play import legal_mask
from mouche_solver.cards.referee.referee import apply, draw_shuffle, legal_actions
from mouche_solver.cards.rules.mouche import mouche_suit
from mouche_solver.cards.rules.pack import Pack
from mouche_solver.cards.rules.tricks import trick_winner
from mouche_solver.cards.strategy.advice import Adviser
from mouche_solver.cards.strategy.evidence import FEW_VISITS
from mouche_solver.cards.strategy.situation import Situation
from mouche_solver.cards.strategy.strategy import CardStrategy
from mouche_solver.cards.think.search import Budget
from mouche_solver.cards.think.thinker import Judged, Thinker
from mouche_solver.cli.cards.strategy import read_suit
from mouche_solver.cli.cards.thinking import patiently
from mouche_solver.cli.dialog import ask, mix_text, say
from mouche_solver.core.answers import Option
from mouche_solver.errors import NotationError


def read_action(words: Sequence[str], deal: Deal) -> Action:
    """The action that some words name.

    Raises
    ------
    NotationError, IllegalMoveError
        When they name none, or it is not legal.
    """
    seat = deal.turn
    if deal.phase == "play":
        cards = deal.rules.pack.cards(" ".join(words))
        if len(cards) != 1:
            raise NotationError(f"{len(cards)} cards: play one")
        action: Action = Play(seat, cards[0])
    elif deal.phase == "name-trump":
        action = NameTrump(seat, read_suit(deal.rules.pack, " ".join(words)))
    else:
        swap = None
        if len(words) > 1 and words[0].lower() == "give":
            swap, words = deal.rules.pack.card(words[1]), words[2:]
        action = _declaration(words, deal, swap)
    apply(deal, action)
    return action


def _declaration(words: Sequence[str], deal: Deal, swap: int | None) -> Action:
    word, seat = " ".join(words[:1]).lower(), deal.turn
    if word == "pass" and len(words) == 1 and swap is None:
        return Pass(seat)
    if word == "stand" and len(words) == 1:
        return Stand(seat, swap)
    if word == "exchange" and len(words) > 1:
        return Exchange(seat, deal.rules.pack.cards(" ".join(words[1:])), swap)
    raise NotationError(f"{' '.join(words)!r} is no declaration")


def describe_legal(deal: Deal) -> str:
    """What may be answered now."""
    if deal.phase == "play":
        return f"Legal: {' '.join(deal.rules.pack.mask_names(legal_mask(deal)))}"
    if deal.phase == "name-trump":
        return f"Legal: a suit, {' '.join(deal.rules.pack.suits)}"
    legal = legal_actions(deal)
    words = [w for w, kind in (("pass", Pass), ("stand", Stand)) if _any(legal, kind)]
    if _any(legal, Exchange):
        words.append(f"exchange and 1 to {exchangeable(deal)} of your cards, as exchange 9C 8D")
    text = f"Legal: {'; '.join(words)}"
    if any(isinstance(a, Stand) and a.swap is not None for a in legal):
        text += "; give and a card before stand or exchange, to take the turn-up for it"
    return text


def shown(pack: Pack, action: Action) -> str:
    """An action in full."""
    names = pack.names
    if isinstance(action, Play):
        return pack.name(action.card)
    if isinstance(action, NameTrump):
        return f"trumps {pack.suits[action.suit]}"
    swap = getattr(action, "swap", None)
    given = "" if swap is None else f"give {pack.name(swap)} "
    if isinstance(action, Exchange):
        return f"{given}exchange {' '.join(names(action.cards))}"
    return f"{given}{type(action).__name__.lower()}"


def told(pack: Pack, action: Action) -> str:
    """What the others learn of an action."""
    if isinstance(action, Play):
        return f"plays {pack.name(action.card)}"
    if isinstance(action, NameTrump):
        return f"names trumps: {pack.suits[action.suit]}"
    swap = getattr(action, "swap", None)
    given = "" if swap is None else f"gives {pack.name(swap)} for the turn-up and "
    if isinstance(action, Exchange):
        return f"{given}exchanges {len(action.cards)}"
    return f"{given}{'passes' if isinstance(action, Pass) else 'stands'}"


def _any(legal: Sequence[Action], kind: type[Action]) -> bool:
    return any(isinstance(action, kind) for action in legal)


USUAL = 0.05  # from this probability on an action is as good as the strategy's
REVIEWED = 2048  # guesses for what a departure cost


class _TakenBackError(Exception):
    """The person takes a decision back."""


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
    budget : Budget, optional
        For hints and the review of a deal; the table alone without it.
    others : sequence of Adviser, optional
        Who plays, one for each player; the strategy in all seats without it.
    """

    def __init__(
        self,
        strategy: CardStrategy,
        person: int,
        names: Sequence[str],
        rng: random.Random,
        budget: Budget | None = None,
        others: Sequence[Adviser] = (),
    ) -> None:
        self.others = tuple(others) or (strategy,) * strategy.rules.players
        self.strategy, self.person, self.names, self.rng = strategy, person, names, rng
        self.pack = strategy.rules.pack
        self.budget = budget or Budget(seconds=0.0)
        self._notes: list[str] = []
        self._before: list[tuple[Game, object, int, int]] = []  # own decisions, to be taken back
        self.actions: list[Action] = []  # of the deal

    def play_deal(self, game: Game, number: int, done: Sequence[Action] = ()) -> Game:
        """Play a deal that has begun to its end.

        Parameters
        ----------
        game : Game
            With a running deal.
        number : int
            Of the deal.
        done : sequence of Action
            What happened in it before it was left.

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
        self._before, self.actions = [], list(done)
        if done:
            said = "; ".join(
                f"you: {shown(self.pack, action)}"
                if action.seat == place
                else f"{self.names[game.seating[action.seat]]} {told(self.pack, action)}"
                for action in done
                if not isinstance(action, Shuffle | Play)
            )
            say(f"So far: {said}")
            self._say_tricks(game, deal)
        while deal.outcome is None:
            tricks = len(deal.history)
            try:
                if deal.turn == place and deal.phase != "shuffle":
                    kept = (game, self.rng.getstate(), len(self._notes), len(self.actions))
                    self._before.append(kept)
                action = self._next(game, deal, place)
                game = apply_to_game(game, action)
                self.actions.append(action)
            except _TakenBackError:
                game = self._take_back()
            deal = _running(game)
            if len(deal.history) > tricks:
                self._say_trick(game, deal)
        self._say_result(game, deal)
        for note in self._notes:
            say(note)
        return game

    def _take_back(self) -> Game:
        """The game before the person's last decision in this deal."""
        del self._before[-1]
        game, state, notes, done = self._before.pop()
        del self.actions[done:]
        self.rng.setstate(state)  # type: ignore[arg-type]
        del self._notes[notes:]
        say("Taken back.")
        return game

    def _say_tricks(self, game: Game, deal: Deal) -> None:
        """The tricks of a deal that is gone on with, the running one too."""
        for number, trick in enumerate((*deal.history, deal.trick)):
            cards = "; ".join(
                f"{self.names[game.seating[seat]]} plays {self.pack.name(card)}"
                for seat, card in trick
            )
            if cards:
                say(cards)
            if number < len(deal.history):
                self._say_trick(game, deal, number)

    def _say_trick(self, game: Game, deal: Deal, number: int = -1) -> None:
        """Who won a trick that has ended, the last one without its number."""
        trick = deal.history[number]
        assert deal.trump is not None
        at = trick_winner(deal.rules, deal.trump, [card for _, card in trick])
        seat, card = trick[at]
        name = self.names[game.seating[seat]]
        say(
            f"-- Trick {number % len(deal.history) + 1} of {deal.rules.hand_size}: {name} with "
            f"{self.pack.name(card)}; trumps are {self.pack.suits[deal.trump]} --"
        )

    def _next(self, game: Game, deal: Deal, place: int) -> Action:
        if deal.phase == "shuffle":
            say("The cards laid aside are shuffled.")
            return draw_shuffle(deal, self.rng)
        if deal.phase == "name-trump":
            return self._name_trump(game, deal, place)
        who = self.strategy if deal.turn == place else self.others[game.seating[deal.turn]]
        options = who.advise(Situation.of(deal))
        if deal.turn == place:
            if deal.phase == "play":
                say(self._hand(deal, place))
            action = self._ask(deal)
            self._note(action, deal, options)
        else:
            chances = [option.probability for option in options]
            chosen = self.rng.choices(range(len(options)), chances)[0]
            action = options[chosen].action
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

        def read(line: str) -> Action | None:
            word = line.strip().lower()
            if word == "hint" and deal.phase != "name-trump":
                self._hint(deal)
                return None
            if word == "undo":
                if len(self._before) < 2:
                    raise NotationError("there is no decision of this deal to take back")
                raise _TakenBackError
            return read_action(line.replace(",", " ").split(), deal)

        def legal() -> str:
            return f"{describe_legal(deal)}. Also: hint, undo, help"

        action = None
        while action is None:
            action = ask(f"Your {kind}", read, legal)
        return action

    def _hint(self, deal: Deal) -> None:
        """What the strategy advises after thinking, with values."""
        seen = Situation.of(deal)
        thinker = Thinker(self.strategy, self.budget)
        thought = patiently(lambda: thinker.think(seen), self.budget)
        actions = [option.action for option in thinker.as_actions(seen, thought.options)]
        for judged, action in zip(thought.choices, actions, strict=True):
            if judged.option.probability >= 0.005 or judged.option.value is not None:
                value = in_words(judged)
                say(f"  {judged.option.probability:4.0%} {shown(self.pack, action)}{value}")
        for note in thought.notes:
            say(f"  {note}")

    def _note(self, action: Action, deal: Deal, options: Sequence[Option[Action]]) -> None:
        """Keep what the strategy would have done, to be told after the deal."""
        names = [shown(self.pack, option.action) for option in options]
        mix = mix_text(zip(names, (option.probability for option in options), strict=True))
        if len(options) > 1:
            cost = self._cost(action, deal, options)
            self._notes.append(f"  you: {shown(self.pack, action)}; the strategy: {mix}{cost}")

    def _cost(self, action: Action, deal: Deal, options: Sequence[Option[Action]]) -> str:
        """What another action than the strategy's cost, after the deal's own thinking."""
        usual = {o.action: o.probability for o in options}
        if self.budget.idle or usual.get(action, 0.0) >= USUAL:
            return ""
        budget = replace(self.budget, samples=REVIEWED)
        thinker, seen = Thinker(self.strategy, budget), Situation.of(deal)
        thought = patiently(lambda: thinker.think(seen), budget)
        actions = [o.action for o in thinker.as_actions(seen, thought.options)]
        if not thought.searched or action not in actions:
            return ""
        mine = thought.choices[actions.index(action)]
        best = max(thought.choices, key=lambda judged: judged.option.probability)
        error = float(np.hypot(mine.error or 0.0, best.error or 0.0))
        gap = (best.option.value or 0.0) - (mine.option.value or 0.0)
        return f"; cost {max(gap, 0.0):.3f} +- {error:.3f}" if gap > 2 * error else ""

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


def in_words(judged: Judged[Any]) -> str:
    """The value of a hint with its error, and with its visits where they are few."""
    value, error = judged.option.value, judged.error
    if value is None:
        return ""
    if judged.source == "sure tricks":
        return f", worth at least {value:.3f}"
    text = f", worth {value:.3f}" + ("" if error is None else f" +- {error:.3f}")
    if judged.samples < FEW_VISITS:
        kind = "visits" if judged.source == "training" else "guesses"
        text += f" (only {judged.samples:.0f} {kind})"
    return text


def _running(game: Game) -> Deal:
    assert game.deal is not None
    return game.deal
