"""What is computed once for a game of cards: action numbers, sets of cards, lengths, bounds."""

from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import combinations
from math import comb

from mouche_solver.adapters.cards_actions import ActionNumbers
from mouche_solver.adapters.cards_params import CardSetup
from mouche_solver.cards.countdown import NO_TRICK_WITH_ACE
from mouche_solver.cards.rules import CardRules

MOST_HANDS = 1000  # with more hands than this, cards come one by one
MOST_TEXTS = 10_000


class CardTable:
    """Constants of one game; use :func:`card_table`, which shares them.

    Attributes
    ----------
    setup : CardSetup
        What is played.
    rules : CardRules
        Rules of a deal; those of a fixed number of deals never end earlier by ``rounds``.
    numbers : ActionNumbers
        Numbers of the players' actions.
    card_by_card : bool
        Whether a chance node deals or draws one card instead of all.
    deals : int
        The most deals of a game.
    """

    def __init__(self, setup: CardSetup) -> None:
        self.setup = setup
        rules = setup.rules
        self.rules = rules.replace(rounds=setup.deals) if setup.deals > 1 else rules
        self.numbers = ActionNumbers(rules)
        self.card_by_card = comb(rules.pack.size, rules.hand_size) > MOST_HANDS
        self.deals = setup.deals or rules.rounds * rules.players
        self.pack_cards = tuple(range(rules.pack.size))
        self._texts: dict[int, str] = {}

    @property
    def many(self) -> bool:
        """Whether deals follow each other, with antes, turning seats and pots that carry over."""
        return self.setup.deals != 1

    def cards_text(self, mask: int) -> str:
        """Names of the cards of a mask, apart by spaces."""
        if mask not in self._texts:
            if len(self._texts) > MOST_TEXTS:
                self._texts.clear()
            self._texts[mask] = " ".join(self.rules.pack.mask_names(mask))
        return self._texts[mask]

    @property
    def draws_dealer(self) -> bool:
        """Whether chance draws the first dealer."""
        return self.many and self.rules.first_dealer is None

    @cached_property
    def most_outcomes(self) -> int:
        """The largest number of outcomes of a chance node."""
        size, players = self.rules.pack.size, self.rules.players
        hands = 0 if self.card_by_card else comb(size - 1, self.rules.hand_size)
        return max(size, hands, players if self.draws_dealer else 0)

    @cached_property
    def most_numbers(self) -> int:
        """One more than the largest number of an action or outcome."""
        return max(self.numbers.count, self.most_outcomes)

    @property
    def length(self) -> int:
        """The most actions of players: one naming of trumps, declarations and cards of all."""
        rules = self.rules
        return self.deals * (rules.pamphile + rules.players * (1 + rules.hand_size))

    @property
    def chance_length(self) -> int:
        """The most chance nodes, or a little more: see the documentation of the game."""
        rules = self.rules
        drawn = rules.players * rules.max_exchange
        if not rules.reshuffle:
            drawn = min(drawn, rules.stock_size)
        if self.card_by_card:
            nodes = 1 + rules.players * rules.hand_size + drawn
        else:
            # An exchange may be drawn from the stock and then from what was laid aside.
            each = 1 + rules.reshuffle if rules.max_exchange else 0
            nodes = 1 + rules.players + min(drawn, rules.players * each)
        return self.draws_dealer + self.deals * nodes

    def utility_bounds(self) -> tuple[float, float]:
        """Bounds of a payoff, reached or not."""
        rules, shares = self.rules, self.setup.shares
        if rules.scoring == "countdown":
            return float(-NO_TRICK_WITH_ACE * self.deals), float(rules.countdown_from)
        if not self.many:
            return _one_deal(rules, shares)
        total, kept, carried = Fraction(0), Fraction(0), Fraction(0)
        for _ in range(self.deals):
            pot = 1 + carried
            made = (rules.players - 1) * _debt(rules, pot)
            # Mouches that go in one at a time pile up; without debts odd chips stay in the basket.
            carried = made + (0 if rules.mouches_paid_in == "all" else carried)
            carried += not rules.debts
            total += pot + _pamphile(rules, pot) * (rules.players - 1)
            kept += 1 + _debt(rules, pot) + _pamphile(rules, pot)
        return float(-kept), float(total + carried)


def _one_deal(rules: CardRules, shares: tuple[Fraction, ...] | None) -> tuple[float, float]:
    """The winner of all tricks gets the pot and a share of everyone's mouche; the loser pays."""
    paid, others = _debt(rules, Fraction(1)), rules.players - 1
    chip = _pamphile(rules, Fraction(1))
    seats = shares or (Fraction(0),)
    even = Fraction(1, rules.players) if shares else Fraction(0)
    low = -max(paid * (1 - min(seats)), Fraction(0)) - chip - even
    return float(low), float(1 + others * (chip + paid * max(seats)) - even)


def _debt(rules: CardRules, pot: Fraction) -> Fraction:
    """What a mouche costs at most, in antes."""
    return pot if rules.cap is None else min(pot, Fraction(rules.cap, rules.ante_chips))


def _pamphile(rules: CardRules, pot: Fraction) -> Fraction:
    """What the Pamphile's holder gets from each other player at most, in antes."""
    if not rules.pamphile:
        return Fraction(0)
    if rules.pamphile_pays == "chip":
        return Fraction(1, rules.ante_chips)
    return pot / rules.hand_size


@lru_cache(maxsize=64)
def card_table(setup: CardSetup) -> CardTable:
    """The table of a game, shared by all its states.

    Examples
    --------
    >>> table = card_table(CardSetup(CardRules(players=4)))
    >>> table.numbers.count, table.length, table.chance_length
    (69, 24, 41)
    """
    return CardTable(setup)


@lru_cache(maxsize=256)
def choices(cards: int, count: int) -> tuple[tuple[int, ...], ...]:
    """The ways to take ``count`` of ``cards`` cards, as places in ascending order.

    Examples
    --------
    >>> choices(3, 2)
    ((0, 1), (0, 2), (1, 2))
    """
    return tuple(combinations(range(cards), count))


@lru_cache(maxsize=256)
def even_outcomes(count: int) -> list[tuple[int, float]]:
    """OpenSpiel's list of ``count`` equally likely outcomes, numbered from 0; not to be changed."""
    return [(action, 1.0 / count) for action in range(count)]
