"""Human-like card players: the rule of thumb with the habits of a few described people.

The same rules play in kernels (:mod:`mouche_solver.cards.kernels.baselines`), so that tournaments
and tables with people meet the same players.
"""

from dataclasses import dataclass

from mouche_solver.cards.kernels.records import (
    BOLD_POLICY,
    CAREFUL_POLICY,
    CARELESS_POLICY,
    CONTEXT,
    STEADY_POLICY,
    THUMB_POLICY,
)
from mouche_solver.cards.rules.pack import cards_of
from mouche_solver.cards.rules.rules import CardRules
from mouche_solver.cards.strategy.advice import Adviser
from mouche_solver.cards.strategy.compile import new_table
from mouche_solver.cards.strategy.contexts import Frame
from mouche_solver.cards.strategy.results import CardChoice, Declaration
from mouche_solver.cards.strategy.situation import Situation, set_position, set_table
from mouche_solver.cards.strategy.strategy import CardStrategy
from mouche_solver.errors import UsageError


@dataclass(frozen=True)
class CardPerson:
    """A described player.

    Attributes
    ----------
    name : str
    about : str
        What he does, in a sentence.
    kind : int
        His number among policies.
    """

    name: str
    about: str
    kind: int

    def at(self, strategy: CardStrategy) -> "SeatedPerson":
        """Him at the table of a strategy, whose rules and way of naming trumps he takes."""
        return SeatedPerson(self, strategy)


PEOPLE = {
    each.name: each
    for each in (
        CardPerson(
            "thumb",
            "counts sure tricks: stays in with a good trump, stands with two tricks, and lays down "
            "what counts for nothing",
            THUMB_POLICY,
        ),
        CardPerson(
            "careful",
            "stays in only with two good trumps or so, and stands with nearly three sure tricks",
            CAREFUL_POLICY,
        ),
        CardPerson("bold", "stays in with any trump or high card, and stands early", BOLD_POLICY),
        CardPerson(
            "steady",
            "never exchanges: stands with a good hand as it was dealt, or passes",
            STEADY_POLICY,
        ),
        CardPerson(
            "careless",
            "declares by the rule of thumb, and plays the first legal card that comes to hand",
            CARELESS_POLICY,
        ),
    )
}


def card_person(name: str) -> CardPerson:
    """One of them by name.

    Raises
    ------
    UsageError
        When there is none of that name.

    Examples
    --------
    >>> card_person("steady").about.split(":")[0]
    'never exchanges'
    """
    if name not in PEOPLE:
        raise UsageError(f"player {name!r}: allowed are {', '.join(PEOPLE)}")
    return PEOPLE[name]


class SeatedPerson(Adviser):
    """A described player who answers as a strategy does.

    Parameters
    ----------
    person : CardPerson
    strategy : CardStrategy
        Of the table.
    """

    def __init__(self, person: CardPerson, strategy: CardStrategy) -> None:
        self.person, self.strategy = person, strategy

    @property
    def rules(self) -> CardRules:
        """The rules of the table."""
        return self.strategy.rules

    def name_trump(self, hand: int) -> int:
        """As the strategy: the rule is the same for everybody."""
        return self.strategy.name_trump(hand)

    def declare(self, seen: Situation) -> list[Declaration]:
        """The one declaration that he makes."""
        from mouche_solver.cards.kernels.deal import BY_HEIGHT, least
        from mouche_solver.cards.kernels.policies import person_says

        game, frame, table = (
            self.strategy.game,
            Frame(self.rules, seen.turned, seen.named),
            new_table(),
        )
        set_table(self.rules, game, table, frame, seen)
        said = int(person_says(seen.seat, self.person.kind, game, table))
        if said < 0:
            return [Declaration("pass", (), None, 1.0, None)]
        if said == 0:
            return [Declaration("stand", (), None, 1.0, None)]
        hand = table["hands"][seen.seat]
        laid = int(least(hand, said, BY_HEIGHT, table["stock"][CONTEXT], game))
        return [Declaration("exchange", cards_of(frame.outside(laid)), None, 1.0, None)]

    def choose(self, seen: Situation) -> list[CardChoice]:
        """The card that he plays; any legal one for the careless."""
        from mouche_solver.cards.kernels.tricks import person_card

        game, frame, table = (
            self.strategy.game,
            Frame(self.rules, seen.turned, seen.named),
            new_table(),
        )
        legal, place = set_position(self.rules, game, table, frame, seen)
        cards = cards_of(frame.outside(legal))
        if self.person.kind == CARELESS_POLICY:
            return [CardChoice(card, 1.0 / len(cards), None) for card in cards]
        card = int(person_card(place, legal, game, table))
        return [CardChoice(cards_of(frame.outside(1 << card))[0], 1.0, None)]
