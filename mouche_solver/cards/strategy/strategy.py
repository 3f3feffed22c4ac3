"""Card strategies that answer: what to declare, what to play, what a declaration tells."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from mouche_solver.cards.kernels.records import HISTORY, Game, Policy
from mouche_solver.cards.rules.html import strategy_html
from mouche_solver.cards.rules.pack import cards_of
from mouche_solver.cards.rules.rules import CardRules
from mouche_solver.cards.strategy.advice import Adviser
from mouche_solver.cards.strategy.compile import compile_game, compile_policy, new_table
from mouche_solver.cards.strategy.contexts import Frame
from mouche_solver.cards.strategy.floors import barred_cells
from mouche_solver.cards.strategy.levels import Abstraction, Feature
from mouche_solver.cards.strategy.results import CardChoice, Declaration, Says, Tables, Training
from mouche_solver.cards.strategy.situation import (
    Declared,
    Situation,
    check_hand,
    said_numbers,
    set_position,
    set_table,
)
from mouche_solver.core.checks import whole
from mouche_solver.errors import IllegalMoveError

Rows = NDArray[np.float32]


class Trainer(Protocol):
    """What makes a strategy: :class:`mouche_solver.cards.train.trainer.CardTrainer`."""

    def strategy(self, seconds: float = 0.0) -> "CardStrategy":
        """The average strategy, as it is now."""
        ...


class CardStrategy(Adviser):
    """A strategy for all seats.

    Parameters
    ----------
    abstraction : Abstraction
    tables : Tables
    training : Training

    Examples
    --------
    >>> from mouche_solver.cards import CardRules, CardTrainer
    >>> from mouche_solver.cards.train.trainer import Batch
    >>> rules = CardRules(players=2, ranks="K Q J", suits="C D", hand_size=2, reshuffle=False)
    >>> trainer = CardTrainer(Abstraction(rules, "coarse"), batch=Batch(64, 64, 2, 64))
    >>> trainer.train_round()
    >>> strategy = trainer.strategy()
    >>> pack = rules.pack
    >>> actions = strategy.declaration(pack.hand("QC JD"), pack.card("KC"), seat=0, declared=[])
    >>> [a.action for a in actions], round(sum(a.probability for a in actions), 6)
    (['pass', 'stand', 'exchange'], 1.0)
    """

    def __init__(self, abstraction: Abstraction, tables: Tables, training: Training) -> None:
        self.abstraction, self.tables, self.training = abstraction, tables, training

    @classmethod
    def from_trainer(cls, trainer: "Trainer", seconds: float = 0.0) -> "CardStrategy":
        """The average strategy of a trainer, as ``trainer.strategy(seconds)``."""
        return trainer.strategy(seconds)

    def with_known(self, gain: float, margin: float, challenger: str) -> "CardStrategy":
        """The same strategy, which says what the best challenger found gains, in pots a deal."""
        training = replace(self.training, known_gain=gain, known_margin=margin, known_by=challenger)
        return CardStrategy(self.abstraction, self.tables, training)

    @property
    def rules(self) -> CardRules:
        """The rules that the strategy is for."""
        return self.abstraction.rules

    @property
    def quality_text(self) -> str:
        """What is known of the strategy's quality, in one line."""
        training = self.training
        text = (
            f"sampled strategy, continuation {training.continuation}, "
            f"{training.declared + training.played:,} deals; "
        )
        if training.known_gain is None or training.known_margin is None:
            return text + "no bound on what a better player gains"
        gain = self.in_words(training.known_gain, training.known_margin)
        return (
            f"{text}the best challenger found gains {gain} ({training.known_by}); "
            "a better one may gain more"
        )

    def in_words(self, gain: float, margin: float) -> str:
        """A gain of a deal with its interval: thousandths of the pot, or Mushka's points."""
        if self.rules.scoring == "countdown":
            return f"{gain:+.3f} +- {margin:.3f} points a deal"
        return f"{1000 * gain:+.1f} +- {1000 * margin:.1f} thousandths of the pot a deal"

    @cached_property
    def policy(self) -> Policy:
        """What kernels and tournaments take."""
        tables = self.tables
        return compile_policy(
            self.abstraction,
            tables.probability,
            tables.visits,
            tables.keys,
            tables.play_probability,
            self.abstraction.priors,
            barred_cells(self.abstraction, tables, self.game),
        )

    @cached_property
    def game(self) -> Game:
        """The rules of a deal as the kernels take them."""
        return compile_game(self.abstraction, self.training.pot)

    def declare(self, seen: Situation) -> list[Declaration]:
        """What to declare, as :meth:`declaration`."""
        from mouche_solver.cards.kernels import deal as t
        from mouche_solver.cards.kernels import lookup as k

        frame, table, seat = Frame(self.rules, seen.turned, seen.named), new_table(), seen.seat
        set_table(self.rules, self.game, table, frame, seen)
        legal = t.legal_declarations(seat, self.game, table)
        own = k.hand_class(table["hands"][seat], frame.context, self.policy)
        number = t.history(seat, self.game, table)
        k.declaration_mix(self.policy, own, number, legal, table["mix"])
        values = self._declaration_values(own, number)
        return [
            self._named(action, frame, int(table["hands"][seat]), table["mix"][action], values)
            for action in range(len(self.abstraction.actions))
            if legal >> action & 1
        ]

    def name_trump(self, hand: int) -> int:
        """The suit that the dealer names with a hand when the Pamphile is turned up.

        Raises
        ------
        IllegalMoveError
            When these rules have no Pamphile, or the hand is none.
        """
        from mouche_solver.cards.kernels.bits import Hand
        from mouche_solver.cards.kernels.deal import named_suit

        pack, turned = self.rules.pack, self.rules.pamphile_card
        if turned is None:
            raise IllegalMoveError("these rules have no Pamphile: nobody names trumps")
        hand = whole("hand", hand, IllegalMoveError)
        check_hand(self.rules, hand, turned)
        return int(named_suit(Hand(hand), turned, len(pack.suits), pack.per_suit, self.game))

    def _declaration_values(self, own: int, number: int) -> list[float] | None:
        """Blended values of all actions."""
        cells, weights = self.behind(own, number)
        if not weights.any():
            return None
        values: list[float] = (weights @ self.tables.value[cells].astype(np.float64)).tolist()
        return values

    def behind(self, own: int, number: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """The cells behind the values of a declaration, one of each level, and their weights.

        Parameters
        ----------
        own : int
            The hand class.
        number : int
            The public history.
        """
        from mouche_solver.cards.kernels.bits import HandClass
        from mouche_solver.cards.strategy.kernels_answers import value_weights

        levels = len(self.abstraction.levels)
        cells, weights = np.zeros(levels, np.int64), np.zeros(levels)
        priors = np.array(self.abstraction.learning_priors)
        value_weights(HandClass(own), number, priors, self.policy, cells, weights)
        return cells, weights

    def _named(
        self, action: int, frame: Frame, hand: int, chance: float, values: list[float] | None
    ) -> Declaration:
        from mouche_solver.cards.kernels import deal as t
        from mouche_solver.cards.kernels.bits import Hand

        size, subset, _ = self.abstraction.actions[action]
        says: Says = "pass" if action == 0 else "exchange" if size else "stand"
        game, context = self.game, frame.context
        swap, laid = -1, 0
        if action:
            swap = int(t.given_card(Hand(hand), action, context, game, self.policy))
        if swap >= 0:
            hand ^= 1 << swap | 1 << int(game["turned"][context])
        if size and self.abstraction.laying == "every":
            laid = int(t.positions(Hand(hand), subset, context, game, self.policy))
        elif size:
            laid = int(t.laid_by_rule(Hand(hand), action, context, game))
        return Declaration(
            action=says,
            cards=cards_of(frame.outside(laid)),
            swap=None if swap < 0 else cards_of(frame.outside(1 << swap))[0],
            probability=float(chance),
            value=None if values is None else values[action],
        )

    def choose(self, seen: Situation) -> list[CardChoice]:
        """Which card to play, as :meth:`play`."""
        from mouche_solver.cards.kernels import lookup as k
        from mouche_solver.cards.kernels import view as f

        frame, table = Frame(self.rules, seen.turned, seen.named), new_table()
        legal, place = set_position(self.rules, self.game, table, frame, seen)
        if legal.bit_count() == 1:
            return [CardChoice(cards_of(frame.outside(legal))[0], 1.0, None)]
        lossless = int(self.abstraction.play == "lossless")
        key = f.information(0, place, legal, frame.context, lossless, self.game, table)
        number = int(table["choices"])
        slot = int(k.play_mix(self.policy, np.uint64(key), number, table["mix"]))
        return [
            CardChoice(
                card=cards_of(frame.outside(1 << int(table["choice"][n])))[0],
                probability=float(table["mix"][n]),
                value=self._play_value(slot, n),
            )
            for n in range(number)
        ]

    def _play_value(self, slot: int, choice: int) -> float | None:
        if slot < 0 or self.tables.play_visits[slot] == 0:
            return None
        return float(self.tables.play_value[slot, choice])

    def mixes(
        self, frame: Frame, hands: NDArray[np.int64], declared: Sequence[Declared]
    ) -> NDArray[np.float64]:
        """Probabilities of all actions of the next seat, for many hands at once.

        Parameters
        ----------
        frame : Frame
            The turn-up and trumps.
        hands : int64 array, shape (hands,)
            Bit masks in the names of the frame's context.
        declared : sequence of "pass", "stand" or int
            What the seats before have said.

        Returns
        -------
        float64 array, shape (hands, actions)

        Raises
        ------
        IllegalMoveError
            When the rules do not lead to such a situation.
        """
        from mouche_solver.cards.strategy.kernels_answers import declarations_of

        table, seat = new_table(), len(declared)
        seen = Situation(frame.outside(int(hands[0])), frame.turned, seat, tuple(declared))
        set_table(self.rules, self.game, table, frame, seen)
        number = int(self.game["first_history"][seat] + table["stock"][HISTORY])
        chances: NDArray[np.float64] = np.zeros((len(hands), len(self.abstraction.actions)))
        declarations_of(hands, seat, number, self.policy, self.game, table, chances)
        return chances

    def posterior(
        self,
        turned: int,
        declared: Sequence[Declared],
        of: int,
        known: int = 0,
        named: int | None = None,
    ) -> dict[Feature, float]:
        """What a seat's declaration tells of the hand that was dealt to it.

        Parameters
        ----------
        turned : int
        declared : sequence of "pass", "stand" or int
            What the seats up to and including ``of`` have said.
        of : int
            The seat.
        known : int
            Mask of cards that the seat cannot have been dealt, such as one's own.
        named : int, optional
            The suit that the dealer named, when the Pamphile is turned up. What that tells of his
            hand is not taken into account.

        Returns
        -------
        dict
            Probability of each coarse hand class that is possible, the likeliest first. The hands
            of the seats between are not taken into account.
        """
        of, known = whole("of", of, IllegalMoveError), whole("known", known, IllegalMoveError)
        frame = Frame(self.rules, turned, named)
        said = said_numbers(self.rules, declared[: of + 1])
        if len(said) != of + 1:
            raise IllegalMoveError(f"seat {of} declares after {of} others, not {len(said) - 1}")
        classes = self.abstraction.hands[frame.context]
        hands = classes.hands()
        hands = hands[hands & frame.inside(known) == 0]
        own = classes.class_of(hands)
        ways = np.bincount(own, minlength=classes.n_classes)
        alive = np.flatnonzero(ways)
        chances = self.mixes(frame, classes.hand_of(alive), declared[:of])
        matching = [
            a
            for a, (size, _, _) in enumerate(self.abstraction.actions)
            if (a == 0 and said[of] < 0) or (a > 0 and size == said[of])
        ]
        weight = ways[alive] * chances[:, matching].sum(axis=1)
        groups = self.abstraction.coarse_of[self.abstraction.starts[frame.context] + alive]
        sums = np.bincount(groups, weight, len(self.abstraction.features))
        total = max(float(sums.sum()), 1e-300)
        order = [int(c) for c in np.argsort(-sums, kind="stable") if sums[c] > 0]
        found: dict[Feature, float] = {}
        for c in order:  # with and without a special card the same feature stands twice
            feature = self.abstraction.features[c]
            found[feature] = found.get(feature, 0.0) + float(sums[c]) / total
        return found

    def _repr_html_(self) -> str:
        return strategy_html(self)
