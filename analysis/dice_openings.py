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
# # Opening claims at five dice
#
# **Question.** With five dice each and nothing said yet, which claims does good play open with, how
# often with hands that do not support them, and what does it cost to always say the same?
#
# **Method.** The strategies come from discounted counterfactual regret minimisation over the whole
# round; nothing is sampled and no hand is left out. Exact best responses measure their error.
# `--fast` asks the same of two dice each.

# %%
from mouche_solver import DiceRules
from mouche_solver.analysis import (
    Study,
    bluff_chart,
    bluff_table,
    claim_chart,
    dice_strategy,
    group_table,
    hand_chart,
    opening_table,
)

study = Study("dice-openings", "Which claims does good play open with?")
dice = 2 if study.fast else 5
strategy = dice_strategy(DiceRules(dice=(dice, dice)))
quality = strategy.quality
study.say(
    f"{dice} dice each, {strategy.rules.faces} faces. Measured error: exploitability "
    f"{quality.exploitability:.1e} (payoffs +1 and -1), so the starter's chance to win lies "
    f"between {(1 + quality.low) / 2:.4f} and {(1 + quality.high) / 2:.4f}."
)

# %% [markdown]
# ## The table
#
# One row per hand, hands that play alike side by side; then one row per group.

# %%
table = study.table(opening_table(strategy), "hands")
groups = study.table(group_table(strategy, tolerance=0.02), "groups")
groups

# %%
study.figure(hand_chart(strategy, tolerance=0.02), "hands")

# %% [markdown]
# ## Claims and bluffs

# %%
claims = study.table(bluff_table(strategy), "claims")
study.figure(claim_chart(strategy), "claims")
study.figure(bluff_chart(strategy), "bluffs")

# %%
used = claims[claims["chance"] >= 0.01].sort_values("chance", ascending=False)
common = used.index[0]
bluffed = float((claims["chance"] * claims["bluff"].fillna(0)).sum())
pure = groups[groups.drop(columns=["hands", "chance"]).max(axis=1) >= 0.99]
study.say(
    f"{len(used)} of {len(claims)} claims are made at least once in a hundred rounds; the "
    f"commonest is {common}, with {used['chance'].iloc[0]:.0%}. The others: "
    + ", ".join(f"{name} {chance:.1%}" for name, chance in used["chance"].iloc[1:].items())
    + "."
)
study.say(
    f"{bluffed:.0%} of all openings are bluffs: more likely wrong than right for somebody who sees "
    f"the starter's dice. Hands that hardly mix (one claim 99% of the time or more) come with "
    f"probability {pure['chance'].sum():.0%}."
)

# %% [markdown]
# ## What it costs to always say the same
#
# Against an opponent who plays well: the value of opening with one claim whatever the dice, and
# playing on well, beside the value of mixing as the table says. An opponent who knows the habit can
# do better than that; this is the least that it costs.

# %%
answers = strategy.table()
rolled = answers.ranges[0]
worth = rolled @ answers.values
mixed = float(rolled @ (answers.probabilities * answers.values).sum(axis=1))
best = int(worth.argmax())
cost = mixed - float(worth[best])
error = quality.nash_conv
study.say(
    f"Opening with {answers.actions[best]} whatever the dice is the best of such habits. It costs "
    f"{cost:.4f} a round against good play"
    + (
        f", more than the error of {error:.4f} can explain."
        if cost > error
        else f", which is within the error of {error:.4f}: nothing that we can measure."
    )
)
study.finish()
