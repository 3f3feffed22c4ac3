# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Both games of Mouche in OpenSpiel
#
# CFR, external-sampling MCCFR and exploitability, with OpenSpiel's own code, on small games of dice
# and of cards, and the same strategies in this project's exact measure. Run it top to bottom; with
# `MOUCHE_FAST=1` in the environment it does a tenth of the work.

# %%
import os

import numpy as np
import pyspiel
from open_spiel.python.algorithms import cfr, exploitability, external_sampling_mccfr

import mouche_solver.adapters.openspiel  # noqa: F401  registers the games
from mouche_solver.adapters.gambit import export_cards_efg
from mouche_solver.adapters.policies import measure_openspiel_policy, to_openspiel_policy
from mouche_solver.cards.odds.exact import CardDeal
from mouche_solver.core.run import Limits
from mouche_solver.core.trees.extensive import sequence_form
from mouche_solver.core.trees.lp import solve_zero_sum
from mouche_solver.dice import DiceRules
from mouche_solver.dice.round.solve import solve_round

FAST = os.environ.get("MOUCHE_FAST") == "1"
CFR_ITERATIONS = 30 if FAST else 300
SAMPLES = 300 if FAST else 3000
np.random.seed(1)  # noqa: NPY002  OpenSpiel's samplers draw from this global stream
results = {}


# %% [markdown]
# ## The games
#
# Parameters have the names of the rules' fields. Every size follows from them.

# %%
DICE = "python_mouche_dice(dice=1;1,faces=3)"
CARDS = (
    "python_mouche_cards(players=2,ranks=K;J,suits=C;D,hand_size=1,mouche=False,reshuffle=False,"
    "pamphile=True,continuation=1/2;1/2)"
)
for name in (DICE, CARDS, "python_mouche_dice", "python_mouche_cards"):
    game = pyspiel.load_game(name)
    print(
        f"{name}: {game.num_players()} players, {game.num_distinct_actions()} actions, at most "
        f"{game.max_game_length()} moves, payoffs {game.min_utility():g} to {game.max_utility():g}"
    )

# %% [markdown]
# ## CFR
#
# Exploitability is NashConv divided by the number of players, from an exact best response.


# %%
def run_cfr(name: str) -> float:
    game = pyspiel.load_game(name)
    solver = cfr.CFRPlusSolver(game)
    for iteration in range(1, CFR_ITERATIONS + 1):
        solver.evaluate_and_update_policy()
        if iteration % (CFR_ITERATIONS // 3) == 0:
            reached = exploitability.exploitability(game, solver.average_policy())
            print(f"  {iteration:4} iterations: exploitability {reached:.6f}")
    return reached


for label, name in (("dice", DICE), ("cards", CARDS)):
    print(f"CFR+ on {label}")
    results[f"cfr {label}"] = run_cfr(name)

# %% [markdown]
# ## External-sampling MCCFR
#
# It sees one deal and one line of the others' actions at a time. Slower on games as small as these,
# it is the one that reaches large ones.


# %%
def run_mccfr(name: str) -> float:
    game = pyspiel.load_game(name)
    solver = external_sampling_mccfr.ExternalSamplingSolver(game)
    for _ in range(SAMPLES):
        solver.iteration()
    return exploitability.exploitability(game, solver.average_policy())


for label, name in (("dice", DICE), ("cards", CARDS)):
    results[f"mccfr {label}"] = run_mccfr(name)
    print(f"MCCFR on {label}: exploitability {results[f'mccfr {label}']:.4f}")

# %% [markdown]
# ## Dice: this project's solution in OpenSpiel's measure, and the other way round

# %%
rules = DiceRules(dice=(1, 1), faces=3)
solution = solve_round(rules, limits=Limits(1e-4))
game = pyspiel.load_game(DICE)
policy = to_openspiel_policy(solution, game)
results["ours in theirs"] = exploitability.exploitability(game, policy)
results["ours"] = solution.exploitability
results["theirs in ours"] = measure_openspiel_policy(policy, rules).exploitability
print(f"exploitability of our solution: {solution.exploitability:.3e} by us, ", end="")
print(f"{results['ours in theirs']:.3e} by OpenSpiel")

# %% [markdown]
# ## Cards: the value of a deal
#
# OpenSpiel's C++ solvers are fast on C++ games: written as a tree, the deal is one. The exact value
# comes from the linear program over sequences. A mouche made is shared by halves, and half the pot
# is subtracted, so the game is zero-sum. The Jack of clubs is the Pamphile, the highest trump.

# %%
game = pyspiel.load_game(CARDS)
tree = pyspiel.load_efg_game(export_cards_efg(game))
solver = pyspiel.CFRPlusSolver(tree)
for _ in range(10 * CFR_ITERATIONS):
    solver.evaluate_and_update_policy()
average = solver.average_policy()
value = pyspiel.expected_returns(tree.new_initial_state(), average, -1, True)[0]
exact = solve_zero_sum(sequence_form(CardDeal(game.table.rules, "1/2,1/2")))
results["cards value"], results["cards exact"] = value, exact.value
print(f"first hand gets {value:+.6f} antes; exactly {exact.exact}")

# %% [markdown]
# ## What was found

# %%
for name, number in results.items():
    print(f"{name:16} {number:+.6f}")
