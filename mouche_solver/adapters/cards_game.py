"""Card Mouche as a Python game of OpenSpiel."""

from collections.abc import Mapping
from typing import Any

import pyspiel

from mouche_solver.adapters.cards_observer import CardObserver
from mouche_solver.adapters.cards_params import (
    DEFAULTS,
    MAX_PLAYERS,
    SHORT_NAME,
    parameters_from_setup,
    setup_from_parameters,
)
from mouche_solver.adapters.cards_payoffs import payoff_bounds, payoffs
from mouche_solver.adapters.cards_position import CardPosition
from mouche_solver.adapters.cards_table import card_table
from mouche_solver.adapters.cards_text import action_text, state_text
from mouche_solver.adapters.dice_position import CHANCE, TERMINAL
from mouche_solver.errors import NotationError


def game_type(zero_sum: bool) -> Any:
    """What OpenSpiel is told of a game; whether it is zero-sum depends on the parameters."""
    utility = pyspiel.GameType.Utility
    return pyspiel.GameType(
        short_name=SHORT_NAME,
        long_name="Card Mouche",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=utility.ZERO_SUM if zero_sum else utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=MAX_PLAYERS,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=DEFAULTS,
    )


class MoucheCardsGame(pyspiel.Game):  # type: ignore[misc]
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
        super().__init__(game_type(setup.zero_sum), info, parameters_from_setup(setup))

    def new_initial_state(self) -> "MoucheCardsState":
        """The state before the first card."""
        return MoucheCardsState(self, self._start)

    def deserialize_state(self, text: str) -> "MoucheCardsState":
        """The state that :meth:`MoucheCardsState.serialize` wrote, replayed with checks.

        Raises
        ------
        NotationError
            When a line is not a whole number.
        IllegalMoveError
            When an action is not possible.
        """
        state = self.new_initial_state()
        for number, line in enumerate(text.split(), start=1):
            if not line.isdecimal() or len(line) > 18:  # what fits into 64 bits
                raise NotationError(f"line {number}, {line!r}: a state has one action per line")
            state.apply_action(int(line))
        return state

    def max_chance_nodes_in_history(self) -> int:
        """The most chance nodes of a game, or a few more."""
        return self.table.chance_length

    def make_py_observer(
        self, iig_obs_type: Any = None, params: Mapping[str, Any] | None = None
    ) -> CardObserver:
        """An observer of the public information and the own cards, or as the type says."""
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        return CardObserver(self.table, kind, params)


class MoucheCardsState(pyspiel.State):  # type: ignore[misc]
    """A moment of a game.

    Attributes
    ----------
    position : CardPosition
        All that has happened; the only attribute, shared by clones.
    """

    def __init__(self, game: MoucheCardsGame, position: CardPosition) -> None:
        super().__init__(game)
        self.position = position

    def current_player(self) -> Any:
        """The player to act, or chance or the end."""
        player = self.position.player
        return player if player >= 0 else _PSEUDO_PLAYERS[player]

    def is_terminal(self) -> bool:
        """Whether the last deal is over."""
        return self.position.player == TERMINAL

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Outcomes of chance and their probabilities."""
        return self.position.outcomes()

    def returns(self) -> list[float]:
        """Payoffs by player, zeros before the end."""
        return list(map(float, payoffs(self.position)))

    def serialize(self) -> str:
        """The actions so far, one per line."""
        return "\n".join(map(str, self.history()))

    def _legal_actions(self, player: int) -> list[int]:
        return self.position.legal_actions()

    def _apply_action(self, action: int) -> None:
        self.position = self.position.after(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return action_text(self.position, player, action)

    def __str__(self) -> str:
        return state_text(self.position)


_PSEUDO_PLAYERS = {CHANCE: pyspiel.PlayerId.CHANCE, TERMINAL: pyspiel.PlayerId.TERMINAL}
