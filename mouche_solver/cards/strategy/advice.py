"""What every card strategy answers: from a situation, or from the fields of one."""

from collections.abc import Sequence

from mouche_solver.cards.referee.actions import Action, Exchange, NameTrump, Pass, Play, Stand
from mouche_solver.cards.rules.rules import CardRules
from mouche_solver.cards.strategy.results import CardChoice, Declaration
from mouche_solver.cards.strategy.situation import Declared, Situation
from mouche_solver.core.answers import Option


class Adviser:
    """A card strategy of any kind; it says how to declare, play and name trumps."""

    @property
    def rules(self) -> CardRules:
        """The rules that the strategy is for."""
        raise NotImplementedError

    def declare(self, seen: Situation) -> list[Declaration]:
        """As :meth:`declaration`."""
        raise NotImplementedError

    def choose(self, seen: Situation) -> list[CardChoice]:
        """As :meth:`play`."""
        raise NotImplementedError

    def name_trump(self, hand: int) -> int:
        """The suit that the dealer names with a hand when the Pamphile is turned up."""
        raise NotImplementedError

    def advise(self, seen: Situation) -> list[Option[Action]]:
        """Everything that the strategy knows to do, as actions of the referee.

        Parameters
        ----------
        seen : Situation
            Before all have declared it asks for a declaration, then for a card; with the Pamphile
            turned up and no suit named, for trumps.

        Returns
        -------
        list of Option
            The probabilities add up to one; values are in pots, or in points of Mushka.

        Raises
        ------
        IllegalMoveError
            When the rules do not lead to such a situation.

        Examples
        --------
        >>> from mouche_solver.cards import Abstraction, CardTrainer, start_deal
        >>> from mouche_solver.cards.train.trainer import Batch
        >>> rules = CardRules(players=2, ranks="K Q J", suits="C D", hand_size=2, reshuffle=False)
        >>> trainer = CardTrainer(Abstraction(rules, "coarse"), batch=Batch(64, 64, 2, 64))
        >>> seen = Situation.of(start_deal(rules, range(6)))
        >>> [option.action for option in trainer.strategy().advise(seen)]
        [Pass(seat=0), Stand(seat=0, swap=None), Exchange(seat=0, cards=(0,), swap=None)]
        """
        if seen.turned == self.rules.pamphile_card and seen.named is None:
            return [Option(NameTrump(seen.seat, self.name_trump(seen.hand)), 1.0)]
        declares = len(seen.declared) < self.rules.players
        found = self.declare(seen) if declares else self.choose(seen)
        return self.as_actions(seen, found)

    @staticmethod
    def as_actions(
        seen: Situation, found: Sequence[Declaration] | Sequence[CardChoice]
    ) -> list[Option[Action]]:
        """Declarations or cards of the seat that is asked, as actions of the referee."""
        return [
            Option(
                _declared(seen.seat, one)
                if isinstance(one, Declaration)
                else Play(seen.seat, one.card),
                one.probability,
                one.value,
            )
            for one in found
        ]

    def declaration(
        self,
        hand: int,
        turned: int,
        seat: int,
        declared: Sequence[Declared],
        named: int | None = None,
    ) -> list[Declaration]:
        """What to declare.

        Parameters
        ----------
        hand : int
            Bit mask of the cards held.
        turned : int
            The turn-up.
        seat : int
            0 is the first hand, the last seat the dealer.
        declared : sequence of "pass", "stand" or int
            What the seats before have said, an exchange by its number of cards.
        named : int, optional
            The suit that the dealer named, when the Pamphile is turned up.

        Returns
        -------
        list of Declaration
            Every action that the strategy knows, the probabilities adding up to one.

        Raises
        ------
        IllegalMoveError
            When the rules do not lead to such a situation.
        """
        return self.declare(Situation(hand, turned, seat, tuple(declared), named=named))

    def play(  # noqa: PLR0913  the fields of a situation, for callers who have no record
        self,
        hand: int,
        turned: int,
        seat: int,
        declared: Sequence[Declared],
        laid: int = 0,
        played: Sequence[Sequence[int]] = (),
        swapped: int | None = None,
        named: int | None = None,
        holder: int | None = None,
    ) -> list[CardChoice]:
        """Which card to play.

        Parameters
        ----------
        hand, turned, seat, declared, laid, played, swapped, named, holder
            The fields of a :class:`~mouche_solver.cards.strategy.situation.Situation`, with what
            all seats have said.

        Returns
        -------
        list of CardChoice
            The probabilities add up to one.

        Raises
        ------
        IllegalMoveError
            When the rules do not lead to such a position, or it is not this seat's turn.
        """
        tricks = tuple(tuple(trick) for trick in played)
        return self.choose(
            Situation(hand, turned, seat, tuple(declared), laid, tricks, swapped, named, holder)
        )


def _declared(seat: int, found: Declaration) -> Pass | Stand | Exchange:
    if found.action == "pass":
        return Pass(seat)
    if found.action == "stand":
        return Stand(seat, found.swap)
    return Exchange(seat, found.cards, found.swap)
