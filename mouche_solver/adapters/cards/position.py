"""A moment of a game of cards, as OpenSpiel and Gambit see it: immutable, and cheap to share."""

from collections.abc import Sequence
from dataclasses import replace as replace_fields
from typing import NamedTuple, NoReturn

from mouche_solver.adapters.cards.params import (
    CardSetup,
    parameters_from_setup,
    setup_from_parameters,
)
from mouche_solver.adapters.cards.table import CardTable, card_table, choices, even_outcomes
from mouche_solver.adapters.moments import CHANCE, TERMINAL
from mouche_solver.cards.referee.actions import Action, Exchange, Shuffle
from mouche_solver.cards.referee.deal import Deal, replace, start_deal
from mouche_solver.cards.referee.game import Game, begin_deal, new_game, next_seating
from mouche_solver.cards.referee.game import apply as apply_to_game
from mouche_solver.cards.referee.referee import apply
from mouche_solver.cards.rules.pack import cards_of, mask_of
from mouche_solver.errors import IllegalMoveError


class Ended(NamedTuple):
    """A deal that is over, the player in each seat, and what each drew from the reshuffled pile."""

    seating: tuple[int, ...]
    deal: Deal
    piled: tuple[int, ...]


class CardPosition:
    """What has been dealt, declared and played; :meth:`after` returns the next moment.

    Attributes
    ----------
    table : CardTable
        Constants of the game.
    game : Game or None
        The succession of deals; None for a single one and before the first dealer is drawn.
    seating : tuple of int
        The player in each seat of the current or last deal; none before there is one.
    turned : int or None
        The card turned up.
    hands : tuple of int
        Masks dealt so far, by seat; the last one may be incomplete.
    coming : tuple of int
        While chance deals or draws, the cards that may come, ascending.
    deal : Deal or None
        The referee's deal, once all hands are dealt. Its stock is in ascending order: what comes is
        put on top when it comes.
    drawing : Exchange or None
        An exchange whose cards are not all drawn from the stock yet.
    drawn, left : int
        Mask of the cards drawn so far at this draw, and how many are still to come.
    piled : tuple of int
        By seat, the cards of its exchange that came from the pile after the reshuffle, which all
        see happen; none before hands are dealt.
    past : tuple of Ended
        The deals before this one.
    trail : tuple of int
        The actions that lead here, those of chance included.
    player : int
        The player to act, or CHANCE or TERMINAL.

    Examples
    --------
    >>> from mouche_solver.cards.rules.rules import CardRules
    >>> position = CardPosition.start(CardSetup(CardRules(players=2)))
    >>> for _ in range(11):  # the turn-up and two hands
    ...     position = position.after(position.outcomes()[0][0])
    >>> position.player, position.deal.trump, len(position.legal_actions())
    (0, 0, 33)
    """

    __slots__ = (
        "coming",
        "deal",
        "drawing",
        "drawn",
        "game",
        "hands",
        "left",
        "past",
        "piled",
        "player",
        "seating",
        "table",
        "trail",
        "turned",
    )

    def __init__(self, table: CardTable) -> None:
        self.table = table
        self.game: Game | None = None
        self.seating: tuple[int, ...] = ()
        self.turned: int | None = None
        self.hands: tuple[int, ...] = ()
        self.coming: tuple[int, ...] = ()
        self.deal: Deal | None = None
        self.drawing: Exchange | None = None
        self.drawn = self.left = 0
        self.piled: tuple[int, ...] = ()
        self.past: tuple[Ended, ...] = ()
        self.trail: tuple[int, ...] = ()
        self.player = CHANCE

    @classmethod
    def start(cls, setup: CardSetup) -> "CardPosition":
        """The moment before the first card."""
        position = cls(card_table(setup))
        if not position.table.many:
            position._open(tuple(range(setup.rules.players)))
        elif not position.table.draws_dealer:
            assert setup.rules.first_dealer is not None
            position._first_dealer(setup.rules.first_dealer)
        return position

    def after(self, action: int) -> "CardPosition":
        """The position after an action of a player or of chance.

        Raises
        ------
        IllegalMoveError
            When the action is not possible here.
        """
        if self.player == TERMINAL:
            raise IllegalMoveError(f"action {action} is not possible: the game is over")
        if not 0 <= action < self.table.most_numbers:
            raise IllegalMoveError(f"action {action}: there is none of this number")
        if self.player != CHANCE and action not in self.legal_actions():
            self._refuse(action)
        after = self._copy(action)
        if self.player == CHANCE:
            after._chance(action)
        else:
            after._act(action)
        return after

    def legal_actions(self) -> list[int]:
        """Numbers of legal actions, ascending; none for chance and at the end."""
        if self.player < 0 or self.deal is None:
            return []
        return self.table.numbers.legal(self.deal)

    def outcomes(self) -> list[tuple[int, float]]:
        """Outcomes of chance with their probabilities; all are equally likely."""
        if self.seating and self.turned is not None and self.table.card_by_card:
            chance = 1.0 / len(self.coming)
            return [(card, chance) for card in self.coming]
        return even_outcomes(self.outcome_count())

    def outcome_count(self) -> int:
        """How many outcomes a chance node has."""
        if not self.seating:
            return self.table.rules.players
        if self.turned is None or self.table.card_by_card:
            return len(self.coming)
        return len(choices(len(self.coming), self.left))

    def outcome_cards(self, action: int) -> tuple[int, ...]:
        """The cards of an outcome of dealing, turning up or drawing."""
        if self.turned is None or self.table.card_by_card:
            if action in self.coming:
                return (action,)
        elif action < self.outcome_count():
            return tuple([self.coming[i] for i in choices(len(self.coming), self.left)[action]])
        raise IllegalMoveError(f"outcome {action} is not possible; there are {self.outcomes()}")

    def __deepcopy__(self, memo: object) -> "CardPosition":
        return self  # immutable: OpenSpiel's clone may share it

    def __reduce__(self) -> tuple[object, ...]:
        return replay, (parameters_from_setup(self.table.setup), self.trail)

    def _open(self, seating: tuple[int, ...]) -> None:
        """Take up the pack for the next deal."""
        self.seating, self.player = seating, CHANCE
        self.turned, self.hands, self.deal, self.piled = None, (), None, ()
        self.coming = self.table.pack_cards

    def _first_dealer(self, dealer: int) -> None:
        self.game = new_game(self.table.rules, dealer)
        self._open(next_seating(self.game))

    def _chance(self, action: int) -> None:
        if not self.seating:
            if action >= self.table.rules.players:
                raise IllegalMoveError(f"dealer {action}: there is no such player")
            self._first_dealer(action)
            return
        cards = self.outcome_cards(action)
        place = self.coming.index(cards[0])
        rest = self.coming[place + 1 :]
        if len(cards) > 1:
            rest = tuple([card for card in rest if card not in cards])
        self.coming = self.coming[:place] + rest
        if self.turned is None:
            self.turned, self.left = action, self.table.rules.hand_size
        elif self.deal is None:
            self._deal_cards(cards)
        else:
            self.drawn |= mask_of(cards)
            self.left -= len(cards)
            if not self.left:
                self._end_draw(self.deal)

    def _deal_cards(self, cards: tuple[int, ...]) -> None:
        size = self.table.rules.hand_size
        if self.left == size:
            self.hands = (*self.hands, 0)
        self.hands = (*self.hands[:-1], self.hands[-1] | mask_of(cards))
        self.left -= len(cards)
        if self.left:
            return
        self.left = size
        if len(self.hands) < len(self.seating):
            return
        dealt = [card for hand in self.hands for card in cards_of(hand)]
        order = (*dealt, self.turned or 0, *self.coming)
        if self.game is None:
            deal = start_deal(self.table.rules, order)
        else:
            self.game = begin_deal(self.game, order)
            assert self.game.deal is not None
            deal = self.game.deal
        self._move_to(deal)

    def _act(self, number: int) -> None:
        deal = self.deal
        assert deal is not None
        action = self.table.numbers.action(deal, number)
        if isinstance(action, Exchange) and len(action.cards) < len(deal.stock):
            self.drawing, self.player = action, CHANCE
            self._begin_draw(deal.stock, len(action.cards))
        else:
            self._apply(deal, action)

    def _begin_draw(self, cards: tuple[int, ...], count: int) -> None:
        self.coming, self.drawn, self.left = cards, 0, count

    def _end_draw(self, deal: Deal) -> None:
        """What was drawn lies on top, and the referee goes on."""
        order, drawn = (*cards_of(self.drawn), *self.coming), self.drawn
        self.drawn = 0
        if self.drawing is None:
            self._from_pile(deal, drawn)
            self._apply(deal, Shuffle(order))
        else:
            action, self.drawing = self.drawing, None
            self._apply(replace(deal, stock=order), action)

    def _apply(self, deal: Deal, action: Action) -> None:
        after = apply(deal, action)
        if after.phase == "shuffle":
            pile = cards_of(after.pile)
            if after.draws_left == len(pile):  # all of them come
                self._from_pile(after, after.pile)
                self._apply(after, Shuffle(pile))
                return
            self.deal, self.player = after, CHANCE
            self._begin_draw(pile, after.draws_left)
            return
        if after.outcome is not None and self.game is not None:
            self.game = apply_to_game(replace_fields(self.game, deal=deal), action)
        self._move_to(after)

    def _from_pile(self, deal: Deal, cards: int) -> None:
        """Keep in mind what the exchange drew from the pile."""
        seat = last_declared(deal)
        piled = list(self.piled or (0,) * deal.seats)
        piled[seat] |= cards
        self.piled = tuple(piled)

    def _refuse(self, number: int) -> NoReturn:
        """Say why an action is not legal: by the referee's reason, where it names one."""
        assert self.deal is not None
        apply(self.deal, self.table.numbers.action(self.deal, number))
        raise IllegalMoveError(
            f"action {number} is not possible; the actions are {self.legal_actions()}"
        )

    def _move_to(self, deal: Deal) -> None:
        self.deal = deal
        if deal.outcome is None:
            self.player = self.seating[deal.turn]
        elif self.game is None or self.game.over or len(self.past) + 1 == self.table.deals:
            self.player = TERMINAL
        else:
            self.past = (*self.past, Ended(self.seating, deal, self.piled))
            self._open(next_seating(self.game))

    def _copy(self, action: int) -> "CardPosition":
        copy = CardPosition.__new__(CardPosition)
        copy.table, copy.game, copy.seating = self.table, self.game, self.seating
        copy.turned, copy.hands, copy.coming = self.turned, self.hands, self.coming
        copy.deal, copy.drawing, copy.past = self.deal, self.drawing, self.past
        copy.drawn, copy.left, copy.player = self.drawn, self.left, self.player
        copy.piled = self.piled
        copy.trail = (*self.trail, action)
        return copy


def last_declared(deal: Deal) -> int:
    """The seat that has declared last."""
    return max(seat for seat, said in enumerate(deal.declared) if said is not None)


def replay(parameters: dict[str, object], actions: Sequence[int]) -> CardPosition:
    """The position after ``actions`` in the game of these parameters."""
    position = CardPosition.start(setup_from_parameters(parameters))
    for action in actions:
        position = position.after(action)
    return position
