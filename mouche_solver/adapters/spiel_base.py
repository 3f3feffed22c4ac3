"""What OpenSpiel's two games have in common: a state is one immutable position."""

from typing import Any

import pyspiel

from mouche_solver.adapters.moments import CHANCE, TERMINAL
from mouche_solver.errors import NotationError

_PSEUDO_PLAYERS = {CHANCE: pyspiel.PlayerId.CHANCE, TERMINAL: pyspiel.PlayerId.TERMINAL}


def game_type(
    short_name: str, long_name: str, zero_sum: bool, most_players: int, parameters: dict[str, Any]
) -> Any:
    """What OpenSpiel is told of a game before it is loaded."""
    utility = pyspiel.GameType.Utility
    return pyspiel.GameType(
        short_name=short_name,
        long_name=long_name,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=utility.ZERO_SUM if zero_sum else utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=most_players,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=parameters,
    )


class MoucheGame(pyspiel.Game):  # type: ignore[misc]
    """A game whose ``table`` holds its constants."""

    table: Any

    def deserialize_state(self, text: str) -> Any:
        """The state that :meth:`MoucheState.serialize` wrote, replayed with checks.

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
        return int(self.table.chance_length)


class MoucheState(pyspiel.State):  # type: ignore[misc]
    """A moment of a game.

    Attributes
    ----------
    position : Position or CardPosition
        All that has happened; the only attribute, shared by clones.
    """

    def __init__(self, game: MoucheGame, position: Any) -> None:
        super().__init__(game)
        self.position = position

    def current_player(self) -> Any:
        """The player to act, or chance or the end."""
        player = self.position.player
        return player if player >= 0 else _PSEUDO_PLAYERS[player]

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return bool(self.position.player == TERMINAL)

    def serialize(self) -> str:
        """The actions so far, one per line."""
        return "\n".join(map(str, self.history()))

    def _legal_actions(self, player: int) -> Any:
        return self.position.legal_actions()

    def _apply_action(self, action: int) -> None:
        self.position = self.position.after(action)
