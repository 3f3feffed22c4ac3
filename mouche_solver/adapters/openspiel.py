"""Mouche in OpenSpiel: importing this module registers both games.

They are ``python_mouche_dice`` and ``python_mouche_cards``.

Examples
--------
>>> import pyspiel
>>> import mouche_solver.adapters.openspiel
>>> game = pyspiel.load_game("python_mouche_dice(dice=2;1,faces=4)")
>>> game.num_players(), game.num_distinct_actions(), game.max_game_length()
(2, 13, 7)
>>> pyspiel.load_game("python_mouche_cards(players=3)").num_distinct_actions()
61
"""

from collections.abc import Sequence
from fractions import Fraction

import pyspiel

from mouche_solver.adapters.cards import params as cards_params
from mouche_solver.adapters.cards.game import MoucheCardsGame, cards_type
from mouche_solver.adapters.dice.game import GAME_TYPE, MoucheDiceGame
from mouche_solver.adapters.dice.params import SHORT_NAME, parameters_from_rules
from mouche_solver.cards.rules.objective import seat_shares
from mouche_solver.cards.rules.rules import CardRules
from mouche_solver.dice.rules.rules import DiceRules

pyspiel.register_game(GAME_TYPE, MoucheDiceGame)
pyspiel.register_game(cards_type(zero_sum=False), MoucheCardsGame)


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


def load_cards_game(
    rules: CardRules,
    deals: int = 1,
    continuation: str | Sequence[Fraction | int | str] = "none",
) -> MoucheCardsGame:
    """OpenSpiel's game of these rules.

    Parameters
    ----------
    rules : CardRules
        The rules.
    deals : int
        How many deals; 0 for a whole game.
    continuation : "none" or sequence
        The share of each seat of the deal after the last one in what is left for it.

    Examples
    --------
    >>> load_cards_game(CardRules(players=3), continuation="1/3,1/3,1/3").utility_sum()
    0.0
    """
    setup = cards_params.CardSetup(rules, deals, seat_shares(rules.players, continuation))
    parameters = cards_params.parameters_from_setup(setup)
    game: MoucheCardsGame = pyspiel.load_game(cards_params.SHORT_NAME, parameters)
    return game
