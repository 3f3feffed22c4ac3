"""Dice Mouche as a Python game of OpenSpiel."""

from collections.abc import Mapping
from typing import Any

import pyspiel

from mouche_solver.adapters.dice_observer import DiceObserver
from mouche_solver.adapters.dice_params import (
    DEFAULTS,
    MAX_PLAYERS,
    SHORT_NAME,
    parameters_from_rules,
    rules_from_parameters,
)
from mouche_solver.adapters.dice_position import CHANCE, TERMINAL, Position
from mouche_solver.adapters.dice_table import dice_table
from mouche_solver.adapters.dice_text import action_text, state_text
from mouche_solver.errors import NotationError

GAME_TYPE = pyspiel.GameType(
    short_name=SHORT_NAME,
    long_name="Dice Mouche",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=MAX_PLAYERS,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=True,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification=DEFAULTS,
)


class MoucheDiceGame(pyspiel.Game):  # type: ignore[misc]
    """One round or one match of Dice Mouche; load it with ``pyspiel.load_game``.

    Parameters
    ----------
    params : mapping, optional
        Game parameters, documented with the game; absent ones take their defaults.

    Attributes
    ----------
    table : DiceTable
        Constants of the game; ``table.rules`` are its rules.

    Raises
    ------
    RulesError
        When a parameter is outside what is allowed.
    """

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        rules = rules_from_parameters(params or {})
        match = bool((params or {}).get("match", DEFAULTS["match"]))
        self.table = table = dice_table(rules, match)
        self._start = Position.start(rules, match)
        share = 1.0 / (rules.players - 1)
        info = pyspiel.GameInfo(
            num_distinct_actions=len(table.claims) + 1,
            max_chance_outcomes=table.most_rolls,
            num_players=rules.players,
            min_utility=-share if match else -1.0,
            max_utility=1.0 if match else share,
            utility_sum=0.0,
            max_game_length=table.length,
        )
        # All parameters are written out, so that str(game) loads the same game.
        super().__init__(GAME_TYPE, info, parameters_from_rules(rules, match))

    def new_initial_state(self) -> "MoucheDiceState":
        """The state before the first roll."""
        return MoucheDiceState(self, self._start)

    def deserialize_state(self, text: str) -> "MoucheDiceState":
        """The state that :meth:`MoucheDiceState.serialize` wrote, replayed with checks.

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
        """The most rolls of a game."""
        return self.table.chance_length

    def make_py_observer(
        self, iig_obs_type: Any = None, params: Mapping[str, Any] | None = None
    ) -> DiceObserver:
        """An observer of the public information and the own cup, or as the type says."""
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        return DiceObserver(self.table, kind, params)


class MoucheDiceState(pyspiel.State):  # type: ignore[misc]
    """A moment of a game.

    Attributes
    ----------
    position : Position
        All that has happened; the only attribute, shared by clones.
    """

    def __init__(self, game: MoucheDiceGame, position: Position) -> None:
        super().__init__(game)
        self.position = position

    def current_player(self) -> Any:
        """The seat to act, or chance or the end."""
        player = self.position.player
        return player if player >= 0 else _PSEUDO_PLAYERS[player]

    def is_terminal(self) -> bool:
        """Whether the round or match is over."""
        return self.position.player == TERMINAL

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Rolls and their probabilities."""
        return self.position.table.rolls(self.position.dice_rolled)[1]

    def returns(self) -> list[float]:
        """Payoffs by seat, zeros before the end."""
        return self.position.returns()

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
