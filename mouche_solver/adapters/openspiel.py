"""Mouche in OpenSpiel: importing this module registers ``python_mouche_dice``.

Examples
--------
>>> import pyspiel
>>> import mouche_solver.adapters.openspiel
>>> game = pyspiel.load_game("python_mouche_dice(dice=2;1,faces=4)")
>>> game.num_players(), game.num_distinct_actions(), game.max_game_length()
(2, 13, 7)
"""

import pyspiel

from mouche_solver.adapters.dice_game import GAME_TYPE, MoucheDiceGame
from mouche_solver.adapters.dice_params import SHORT_NAME, parameters_from_rules
from mouche_solver.dice.rules import DiceRules

pyspiel.register_game(GAME_TYPE, MoucheDiceGame)


def load_dice_game(rules: DiceRules, match: bool = False) -> MoucheDiceGame:
    """OpenSpiel's game of these rules.

    Parameters
    ----------
    rules : DiceRules
        The rules.
    match : bool
        A whole match instead of one round.

    Examples
    --------
    >>> load_dice_game(DiceRules(dice=(1, 1))).max_chance_outcomes()
    6
    """
    game: MoucheDiceGame = pyspiel.load_game(SHORT_NAME, parameters_from_rules(rules, match))
    return game
