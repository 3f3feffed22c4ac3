"""The referee's actions as numbers that do not depend on the cards held."""

from mouche_solver.cards.referee.actions import Action, Exchange, NameTrump, Pass, Play, Stand
from mouche_solver.cards.referee.deal import Deal
from mouche_solver.cards.referee.declare import exchangeable, holds_mouche, kept_cards, may_swap
from mouche_solver.cards.referee.play import legal_mask
from mouche_solver.cards.referee.referee import legal_actions
from mouche_solver.cards.rules.pack import cards_of
from mouche_solver.cards.rules.rules import CardRules
from mouche_solver.errors import IllegalMoveError

PASS = 0
DECLARE = 1


class ActionNumbers:
    """Numbers of the actions of one game.

    0 is to pass. ``DECLARE + m`` lays down the set ``m`` of hand positions and draws as many, the
    empty set being to stand; bit i of ``m`` is the hand's i-th card by card number. A swap of the
    hand's i-th card comes to ``swap + (i << hand_size) + m``, with ``m`` of the hand after it. Then
    follow the suits that a dealer may name, and the cards.

    Attributes
    ----------
    swap, name, card : int
        First number of swaps, of suits to be named, of cards to be played.
    count : int
        How many numbers there are.

    Examples
    --------
    >>> numbers = ActionNumbers(CardRules(players=4))
    >>> numbers.card, numbers.count
    (33, 69)
    """

    def __init__(self, rules: CardRules) -> None:
        size, sets = rules.hand_size, 1 << rules.hand_size
        self._bits = size
        self.swap = DECLARE + sets
        self.name = self.swap + (size * sets if rules.dealer_takes_trump else 0)
        self.card = self.name + (len(rules.pack.suits) if rules.pamphile else 0)
        self.count = self.card + rules.pack.size
        self._positions = tuple(map(cards_of, range(sets)))
        self._declarations: dict[tuple[int, ...], list[int]] = {}

    def legal(self, deal: Deal) -> list[int]:
        """Numbers of the referee's legal actions, ascending; not to be changed."""
        if deal.phase == "play":
            first = self.card
            return [first + card for card in cards_of(legal_mask(deal))]
        if deal.phase == "name-trump":
            return [self.number(deal, action) for action in legal_actions(deal)]
        key = _case(deal)
        if key not in self._declarations:
            found = sorted(self.number(deal, action) for action in legal_actions(deal))
            self._declarations[key] = found
        return self._declarations[key]

    def action(self, deal: Deal, number: int) -> Action:
        """The action of a number, for the seat to act.

        Raises
        ------
        IllegalMoveError
            When the number names cards that the hand does not hold.
        """
        if not 0 <= number < self.count:
            raise IllegalMoveError(f"action {number}: there is none of this number")
        seat = deal.turn
        if number >= self.card:
            return Play(seat, number - self.card)
        if number == PASS:
            return Pass(seat)
        if number >= self.name:
            return NameTrump(seat, number - self.name)
        hand, swap = cards_of(deal.hands[seat]), None
        if number >= self.swap:
            place, chosen = divmod(number - self.swap, 1 << self._bits)
            if place >= len(hand):
                raise IllegalMoveError(f"action {number}: the hand has {len(hand)} cards")
            swap = hand[place]
            hand = tuple(sorted({*hand, deal.turned} - {swap}))
        else:
            chosen = number - DECLARE
        if not chosen:
            return Stand(seat, swap)
        if chosen >> len(hand):
            raise IllegalMoveError(f"action {number}: the hand has {len(hand)} cards")
        return Exchange(seat, tuple([hand[i] for i in self._positions[chosen]]), swap)

    def number(self, deal: Deal, action: Action) -> int:
        """The number of an action of the seat to act."""
        if isinstance(action, Pass):
            return PASS
        if isinstance(action, NameTrump):
            return self.name + action.suit
        if isinstance(action, Play):
            return self.card + action.card
        assert isinstance(action, Stand | Exchange)  # the question is off
        hand, first = cards_of(deal.hands[deal.turn]), DECLARE
        if action.swap is not None:
            first = self.swap + (hand.index(action.swap) << self._bits)
            hand = tuple(sorted({*hand, deal.turned} - {action.swap}))
        laid = action.cards if isinstance(action, Exchange) else ()
        return first + sum(1 << hand.index(card) for card in laid)


def _case(deal: Deal) -> tuple[int, ...]:
    """All on which the numbers of the legal declarations depend."""
    seat, hand = deal.turn, cards_of(deal.hands[deal.turn])
    kept = sum(1 << place for place, card in enumerate(hand) if kept_cards(deal) >> card & 1)
    stands = deal.rules.mouche_must_stand and holds_mouche(deal, seat)
    return exchangeable(deal), kept, stands, may_swap(deal, seat)
