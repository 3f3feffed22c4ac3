"""Card Mouche as a tree with exact probabilities, and how many deals it begins with."""

from fractions import Fraction
from math import comb

from mouche_solver.adapters.cards.params import DEFAULTS, CardSetup, parameters_from_setup
from mouche_solver.adapters.cards.payoffs import payoffs
from mouche_solver.adapters.cards.position import CardPosition
from mouche_solver.adapters.cards.text import action_text, information_state
from mouche_solver.adapters.moments import CHANCE
from mouche_solver.cards.rules.rules import CardRules


class CardNode:
    """A position as a node of a tree.

    Parameters
    ----------
    position : CardPosition
        The moment.
    """

    def __init__(self, position: CardPosition) -> None:
        self.position = position
        self.player = position.player

    def chances(self) -> list[Fraction]:
        """Exact probability of each outcome."""
        count = self.position.outcome_count()
        return [Fraction(1, count)] * count

    def actions(self) -> list[int]:
        """Outcomes of chance, or actions, by number."""
        if self.player == CHANCE:
            return [action for action, _ in self.position.outcomes()]
        return self.position.legal_actions()

    def after(self, action: int) -> "CardNode":
        """The next node."""
        return CardNode(self.position.after(action))

    def payoffs(self) -> list[Fraction]:
        """Payoffs by player, zeros before the end."""
        return payoffs(self.position)

    def information_state(self) -> str:
        """What the player to act has seen."""
        return information_state(self.position, self.player)

    def action_text(self, action: int) -> str:
        """The words of an action or outcome."""
        return action_text(self.position, self.player, action)


def describe_cards(setup: CardSetup) -> str:
    """A game in one line: its deck, and every parameter that is not the default.

    Examples
    --------
    >>> describe_cards(CardSetup(CardRules(players=2, ranks="K Q", suits="C D", hand_size=1)))
    'players 2, deck custom, ranks K;Q, suits C;D, hand_size 1'
    """
    values = parameters_from_setup(setup)
    shown = [name for name, value in values.items() if name == "players" or value != DEFAULTS[name]]
    return ", ".join(f"{name} {values[name]}" for name in shown)


def first_hands(rules: CardRules) -> int:
    """How many ways there are to turn a card up and deal the hands.

    Examples
    --------
    >>> first_hands(CardRules(players=2, ranks="K Q J", suits="C D", hand_size=2))
    180
    """
    left, ways = rules.pack.size - 1, rules.pack.size
    for _ in range(rules.players):
        ways *= comb(left, rules.hand_size)
        left -= rules.hand_size
    return ways
