"""Dice Mouche as a Python game of OpenSpiel."""

from collections.abc import Mapping
from typing import Any

import pyspiel

from mouche_solver.adapters.dice.observer import DiceObserver
from mouche_solver.adapters.dice.params import (
    DEFAULTS,
    MAX_PLAYERS,
    SHORT_NAME,
    parameters_from_rules,
    rules_from_parameters,
)
from mouche_solver.adapters.dice.position import Position
from mouche_solver.adapters.dice.table import dice_table
from mouche_solver.adapters.dice.text import action_text, state_text
from mouche_solver.adapters.spiel_base import MoucheGame, MoucheState, game_type

GAME_TYPE = game_type(SHORT_NAME, "Dice Mouche", True, MAX_PLAYERS, DEFAULTS)


class MoucheDiceGame(MoucheGame):
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

    def make_py_observer(
        self, iig_obs_type: Any = None, params: Mapping[str, Any] | None = None
    ) -> DiceObserver:
        """An observer of the public information and the own cup, or as the type says."""
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        return DiceObserver(self.table, kind, params)


class MoucheDiceState(MoucheState):
    """A moment of a game; ``position`` is a Position."""

    position: Position

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Rolls and their probabilities."""
        return self.position.table.rolls(self.position.dice_rolled)[1]

    def returns(self) -> list[float]:
        """Payoffs by seat, zeros before the end."""
        return self.position.returns()

    def _action_to_string(self, player: int, action: int) -> str:
        return action_text(self.position, player, action)

    def __str__(self) -> str:
        return state_text(self.position)
