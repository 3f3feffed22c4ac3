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
# # How much do wild ones change
#
# **Question.** When ones count as every face, does starting gain or lose, do claims open higher,
# and does one doubt later?
#
# **Method.** The same rounds with and without wild ones, solved to a like error, for equal numbers
# of dice; exact odds beside them. `--fast` stops at two dice each.

# %%
import pandas as pd

from mouche_solver import DiceRules
from mouche_solver.analysis import (
    Study,
    bluff_table,
    claim_chart,
    dice_strategy,
    doubt_chart,
    doubt_frontier,
    even_chart,
    even_table,
)

study = Study("dice-wild", "How much do wild ones change?")
counts = [1, 2] if study.fast else [1, 2, 3, 5]
rounds = {
    (dice, wild): dice_strategy(DiceRules(dice=(dice, dice), wild=wild), target=5e-4)
    for dice in counts
    for wild in (None, 1)
}

# %% [markdown]
# ## Round by round
#
# `start`: the starter's chance to win. `opening`: the mean quantity of the first claim. `bluff`:
# the share of openings that are more likely wrong than right to one who sees the starter's dice.
# `doubt`: the mean over faces 2 and up of the quantity from which on an opening is doubted at least
# half of the time by a hand without a matching die.


# %%
def summary(strategy):
    claims = bluff_table(strategy)
    quantity = pd.Series([int(name.split("x")[0]) for name in claims.index], claims.index)
    return {
        "start": (1 + strategy.quality.value) / 2,
        "start_low": (1 + strategy.quality.low) / 2,
        "start_high": (1 + strategy.quality.high) / 2,
        "opening": float((claims["chance"] * quantity).sum()),
        "bluff": float((claims["chance"] * claims["bluff"].fillna(0)).sum()),
        "doubt": float(doubt_frontier(strategy)[0].loc[2:].astype("Float64").mean()),
    }


rows = {
    (dice, "plain" if wild is None else "wild"): summary(strategy)
    for (dice, wild), strategy in rounds.items()
}
table = pd.DataFrame.from_dict(rows, orient="index")
table.index = pd.MultiIndex.from_tuples(table.index, names=["dice", "ones"])
study.table(table, "rounds")

# %%
most = counts[-1]
for wild, name in ((None, "plain"), (1, "wild")):
    study.figure(claim_chart(rounds[most, wild]), f"claims-{name}")
    study.figure(doubt_chart(rounds[most, wild]), f"doubts-{name}")
odds = study.table(even_table(range(1, 21 if study.fast else 61)), "even")
study.figure(even_chart(list(odds.index)), "even")


# %%
def compare(dice):
    plain, wild = table.loc[(dice, "plain")], table.loc[(dice, "wild")]
    gain = wild["start"] - plain["start"]
    error = wild["start_high"] - wild["start_low"] + plain["start_high"] - plain["start_low"]
    if abs(gain) <= error:
        start = f"starting is worth the same within the error ({error:.4f})"
    else:
        word = "better" if gain > 0 else "worse"
        start = f"starting is {abs(gain):.4f} {word} with wild ones (error {error:.4f})"
    study.say(
        f"{dice} v {dice}: {start}, the chance to win being {plain['start']:.4f} without and "
        f"{wild['start']:.4f} with them. The mean opening goes from {plain['opening']:.2f} to "
        f"{wild['opening']:.2f} dice, bluffs from {plain['bluff']:.0%} to {wild['bluff']:.0%} of "
        f"openings, and a hand without a matching die doubts from {plain['doubt']:.1f} dice on "
        f"without wild ones and from {wild['doubt']:.1f} with them."
    )


for dice in counts:
    compare(dice)
total = 2 * most
study.say(
    f"For comparison, the highest claim that is as likely right as wrong with {total} unseen dice "
    f"is {odds.loc[total, 'plain']} without and {odds.loc[total, 'wild']} with wild ones."
)
study.finish()
