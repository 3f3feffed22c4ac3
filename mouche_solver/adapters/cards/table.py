"""What is computed once for a game of cards: action numbers, sets of cards, lengths."""

from functools import cached_property, lru_cache
from itertools import combinations
from math import comb

from mouche_solver.adapters.cards.actions import ActionNumbers
from mouche_solver.adapters.cards.params import CardSetup

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


@lru_cache(maxsize=64)
def card_table(setup: CardSetup) -> CardTable:
    """The table of a game, shared by all its states.

    Examples
    --------
    >>> from mouche_solver.cards.rules.rules import CardRules
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
