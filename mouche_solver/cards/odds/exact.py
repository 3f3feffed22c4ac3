"""Small deals of any number of players as a generic game: the ground truth of the card solvers.

The referee decides what is legal and who is paid. Nothing is merged: every hand is a hand of its
own, and an information set is all that the player has seen.
"""

from collections.abc import Hashable
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import Any, NamedTuple

from mouche_solver.cards.referee.actions import Exchange, Stand
from mouche_solver.cards.referee.deal import Deal, start_deal
from mouche_solver.cards.referee.referee import apply, legal_actions
from mouche_solver.cards.rules.objective import Continuation, seat_shares
from mouche_solver.cards.rules.pack import cards_of, mask_of
from mouche_solver.cards.rules.rules import CardRules
from mouche_solver.errors import RulesError

FAR = 10**6  # points in Mushka from which 0 is not reached


class DealState(NamedTuple):
    """A deal at one moment, chance's steps included.

    ``hands`` are masks dealt so far; ``deal`` begins when all are dealt; ``drawing`` is an exchange
    whose cards are still to be drawn.
    """

    turned: int | None = None
    hands: tuple[int, ...] = ()
    deal: Deal | None = None
    drawing: Exchange | None = None


class CardDeal:
    """Declarations and play of a deal, a :class:`mouche_solver.core.trees.game.ExtensiveGame`.

    Chance turns up a card (unless it is given), deals the hands as sets in seat order, and draws
    each exchange as a set of the stock when it happens. Payoffs are in pots: what the referee pays
    from a pot of one chip a trick, plus, for each mouche made, the seat's share of the next pot.
    With shares each player also pays 1/players for the pot, so that payoffs add up to zero.
    Under Mushka payoffs are points: what a player takes off his count, less the mean of what the
    others do; neither 0 nor the way back to 25 is ever reached.

    Parameters
    ----------
    rules : CardRules
        With ``reshuffle=False``: no exchange of more cards than the stock holds.
    continuation : "none" or sequence of Fraction or str
        What a mouche that is made is worth in the next deal: nothing, or each seat's share of it in
        the order of **that** deal's seats, such as ``"1/2,1/2"``. The first hand deals next, so
        seat s of this deal is seat s - 1 of the next, and seat 0 its last.
    turned : str, optional
        The card turned up; by default chance turns it.
    declarations : bool
        False: everybody stands, and the game is the trick play alone.

    Raises
    ------
    RulesError
        When the rules have a reshuffle, the question or no debts, when the shares do not add up to
        one, or are given for Mushka.

    Examples
    --------
    >>> from mouche_solver.core.trees.extensive import sequence_form
    >>> rules = CardRules(
    ...     players=2, ranks=("K", "Q", "J"), suits=("C", "D"), hand_size=2, reshuffle=False
    ... )
    >>> sequence_form(CardDeal(rules, turned="KC")).leaves
    374
    """

    def __init__(
        self,
        rules: CardRules,
        continuation: Continuation = "none",
        *,
        turned: str | None = None,
        declarations: bool = True,
    ) -> None:
        _check(rules)
        self.rules = rules
        self.players = rules.players
        self._mushka = rules.scoring == "countdown"
        if self._mushka and continuation != "none":
            raise RulesError(f"continuation={continuation!r}: Mushka has no pot; leave it out")
        self.shares = seat_shares(rules.players, continuation)
        self.declarations = declarations
        self._turned = None if turned is None else rules.pack.card(turned)

    def initial(self) -> DealState:
        """The pack lies ready, perhaps with the given card turned up."""
        return DealState(self._turned)

    def is_terminal(self, state: DealState) -> bool:
        """Whether the deal has been paid."""
        return state.deal is not None and state.deal.phase == "over"

    def is_chance(self, state: DealState) -> bool:
        """Whether cards are turned up, dealt or drawn."""
        return state.deal is None or state.drawing is not None

    def chance_outcomes(self, state: DealState) -> list[tuple[Hashable, Fraction]]:
        """The card turned up, a hand, or what an exchange draws; all equally likely."""
        if state.turned is None:
            return [(card, Fraction(1, self.rules.pack.size)) for card in self._unseen(state)]
        if state.drawing is not None:
            assert state.deal is not None
            cards, count = state.deal.stock, len(state.drawing.cards)
        else:
            cards, count = self._unseen(state), self.rules.hand_size
        chance = Fraction(1, comb(len(cards), count))
        return [(drawn, chance) for drawn in combinations(cards, count)]

    def _unseen(self, state: DealState) -> tuple[int, ...]:
        """Cards that are neither dealt nor turned up."""
        used = sum(state.hands) | (0 if state.turned is None else 1 << state.turned)
        return cards_of(((1 << self.rules.pack.size) - 1) & ~used)

    def player(self, state: DealState) -> int:
        """The seat that declares, names trumps or plays."""
        return _begun(state).turn

    def actions(self, state: DealState) -> list[Hashable]:
        """The referee's legal actions."""
        return list(legal_actions(_begun(state)))

    def child(self, state: DealState, action: Any) -> DealState:
        """The state after an action or a chance outcome."""
        if state.turned is None:
            return state._replace(turned=action)
        if state.deal is None:
            return self._deal_hand(state, action)
        if state.drawing is not None:
            rest = tuple(card for card in state.deal.stock if card not in action)
            ready = replace(state.deal, stock=(*action, *rest))
            return state._replace(deal=apply(ready, state.drawing), drawing=None)
        if isinstance(action, Exchange):
            return state._replace(drawing=action)
        return state._replace(deal=apply(state.deal, action))

    def _deal_hand(self, state: DealState, cards: tuple[int, ...]) -> DealState:
        state = state._replace(hands=(*state.hands, mask_of(cards)))
        if len(state.hands) < self.players:
            return state
        assert state.turned is not None
        dealt = [card for hand in state.hands for card in cards_of(hand)]
        deal = start_deal(
            self.rules,
            (*dealt, state.turned, *self._unseen(state)),
            stacks=(0,) * self.players,
            pot=self.rules.hand_size,
            points=(FAR,) * self.players if self._mushka else None,
        )
        while deal.phase == "declare" and not self.declarations:
            deal = apply(deal, Stand(deal.turn))
        return state._replace(deal=deal)

    def infoset_key(self, state: DealState) -> Hashable:
        """Own cards as dealt, laid down and held, and everything that happened in the open."""
        deal = _begun(state)
        seat = deal.turn
        numbers = tuple(
            laid.bit_count() if said == "exchange" else 0
            for laid, said in zip(deal.laid, deal.declared, strict=True)
        )
        own = (deal.dealt[seat], deal.laid[seat], deal.hands[seat])
        money = deal.points if self._mushka else deal.stacks
        table = (deal.turned, deal.face_up, deal.trump, money)
        return (own, table, deal.declared, numbers, deal.history, deal.trick)

    def utilities(self, state: DealState) -> tuple[Fraction, ...]:
        """Each seat's payoff in pots."""
        deal, pot = _begun(state), self.rules.hand_size
        if self._mushka:
            off = [Fraction(FAR - points) for points in deal.points]
            others = self.players - 1
            return tuple(own - (sum(off) - own) / others for own in off)
        chips = [Fraction(stack, pot) for stack in deal.stacks]
        if self.shares is None:
            return tuple(chips)
        mouches = Fraction(sum(deal.waiting), pot)
        return tuple(
            won + mouches * self.shares[seat - 1] - Fraction(1, self.players)
            for seat, won in enumerate(chips)
        )


def _begun(state: DealState) -> Deal:
    assert state.deal is not None, "chance has not dealt yet"
    return state.deal


def _check(rules: CardRules) -> None:
    needed = {"reshuffle": False, "question": "off", "debts": True}
    for name, value in needed.items():
        if getattr(rules, name) != value:
            raise RulesError(
                f"{name}={getattr(rules, name)!r}: the small exact games need {name}={value!r}"
            )
