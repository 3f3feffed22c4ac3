"""Card Mouche as a Python game of OpenSpiel."""

from collections.abc import Mapping
from typing import Any

import pyspiel

from mouche_solver.adapters.cards.observer import CardObserver
from mouche_solver.adapters.cards.params import (
    DEFAULTS,
    MAX_PLAYERS,
    SHORT_NAME,
    parameters_from_setup,
    setup_from_parameters,
)
from mouche_solver.adapters.cards.payoffs import payoff_bounds, payoffs
from mouche_solver.adapters.cards.position import CardPosition
from mouche_solver.adapters.cards.table import card_table
from mouche_solver.adapters.cards.text import action_text, state_text
from mouche_solver.adapters.spiel_base import MoucheGame, MoucheState, game_type


def cards_type(zero_sum: bool) -> Any:
    """What OpenSpiel is told of a game; whether it is zero-sum depends on the parameters."""
    return game_type(SHORT_NAME, "Card Mouche", zero_sum, MAX_PLAYERS, DEFAULTS)


class MoucheCardsGame(MoucheGame):
    """One deal or several deals of Card Mouche; load it with ``pyspiel.load_game``.

    Parameters
    ----------
    params : mapping, optional
        Game parameters, documented with the game; absent ones take their defaults.

    Attributes
    ----------
    table : CardTable
        Constants of the game; ``table.setup`` says what is played.

    Raises
    ------
    RulesError
        When a parameter is outside what is allowed.
    """

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        setup = setup_from_parameters(params or {})
        self.table = table = card_table(setup)
        self._start = CardPosition.start(setup)
        low, high = payoff_bounds(table)
        info = pyspiel.GameInfo(
            num_distinct_actions=table.numbers.count,
            max_chance_outcomes=table.most_outcomes,
            num_players=setup.rules.players,
            min_utility=low,
            max_utility=high,
            utility_sum=0.0 if setup.zero_sum else None,
            max_game_length=table.length,
        )
        # All parameters are written out, so that str(game) loads the same game.
        super().__init__(cards_type(setup.zero_sum), info, parameters_from_setup(setup))

    def new_initial_state(self) -> "MoucheCardsState":
        """The state before the first card."""
        return MoucheCardsState(self, self._start)

    def make_py_observer(
        self, iig_obs_type: Any = None, params: Mapping[str, Any] | None = None
    ) -> CardObserver:
        """An observer of the public information and the own cards, or as the type says."""
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        return CardObserver(self.table, kind, params)


class MoucheCardsState(MoucheState):
    """A moment of a game; ``position`` is a CardPosition."""

    position: CardPosition

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Outcomes of chance and their probabilities."""
        return self.position.outcomes()

    def returns(self) -> list[float]:
        """Payoffs by player, zeros before the end."""
        return list(map(float, payoffs(self.position)))

    def _action_to_string(self, player: int, action: int) -> str:
        return action_text(self.position, player, action)

    def __str__(self) -> str:
        return state_text(self.position)
