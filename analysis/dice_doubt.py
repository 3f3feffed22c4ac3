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
# # When to doubt
#
# **Question.** From which quantity on does one doubt an opening claim, and how good is the rule of
# thumb "doubt what is more likely wrong than right, by the odds of the unseen dice"?
#
# **Method.** The doubt frontier of a solved round, by the face claimed and the matching dice held.
# Then the rule of thumb is played in place of the strategy's first answer, everything else as
# solved: the difference in expected payoff is what the rule costs there. `--fast` asks the
# same of two dice each.
#
# **What it cannot say.** How to answer a claim that good play never makes is not settled by the
# measured error; two equally good strategies may differ there. The table of the rule of thumb says
# which openings are made.

# %%
import numpy as np
import pandas as pd

from mouche_solver import DiceRules
from mouche_solver.analysis import (
    Study,
    bluff_table,
    dice_strategy,
    doubt_chart,
    doubt_frontier,
    doubt_heatmap,
    doubt_table,
)
from mouche_solver.dice import claim_probability

study = Study("dice-doubt", "When does one doubt?")
dice = 2 if study.fast else 5
strategy = dice_strategy(DiceRules(dice=(dice, dice)))
faces = strategy.rules.faces
study.say(
    f"{dice} dice each, {faces} faces. Measured error: exploitability "
    f"{strategy.quality.exploitability:.1e} (payoffs +1 and -1)."
)

# %% [markdown]
# ## The frontier

# %%
doubts = study.table(doubt_table(strategy), "chances")
frontier = study.table(doubt_frontier(strategy), "frontier")
study.figure(doubt_chart(strategy), "frontier")
study.figure(doubt_heatmap(strategy, face=faces), "highest-face")
frontier


# %%
def quantities(row):
    return ", ".join(
        f"{quantity} with {own} matching" for own, quantity in row.items() if quantity is not pd.NA
    )


study.say(f"A claim on {faces}s is doubted from: {quantities(frontier.loc[faces])}.")
study.say(f"A claim on 1s is doubted from: {quantities(frontier.loc[1])}.")

# %% [markdown]
# ## The rule of thumb
#
# For every opening that is made at least once in a thousand rounds. `odds`: the chance of a doubt
# by the rule. `cost`: expected payoff lost by answering with the rule (a claim that it lets pass is
# raised as the strategy raises it, or doubted where the strategy only ever doubts).


# %%
def answered_by_rule(claim):
    answers = strategy.table(claim)
    held = answers.ranges[1]
    true = np.array(
        [claim_probability(strategy.rules, strategy.read_claim(claim), h) for h in answers.hands]
    )
    raising = answers.probabilities[:, 1:]
    share = raising.sum(axis=1)
    doubt = answers.values[:, 0]
    with np.errstate(invalid="ignore"):
        raised = (raising * answers.values[:, 1:]).sum(axis=1) / share
    rule = np.where((true < 0.5) | (share < 1e-3), doubt, raised)
    mixed = (answers.probabilities * answers.values).sum(axis=1)
    return {
        "strategy": float(held @ answers.probabilities[:, 0]),
        "odds": float(held @ (true < 0.5)),
        "cost": float(held @ (mixed - rule)),
    }


openings = bluff_table(strategy)
openings = openings[openings["chance"] >= 0.001]
rows = {claim: answered_by_rule(claim) for claim in openings.index}
rule = pd.DataFrame.from_dict(rows, orient="index")
rule.insert(0, "chance", openings["chance"])
rule.index.name = "opening"
study.table(rule, "rule-of-thumb")

# %%
share = rule["chance"] / rule["chance"].sum()
mean = (rule[["strategy", "odds", "cost"]].T * share).sum(axis=1)
often = "more" if mean["odds"] > mean["strategy"] else "less"
error = strategy.quality.nash_conv
study.say(
    f"Openings that are made are doubted {mean['strategy']:.0%} of the time; by the odds alone "
    f"they would be doubted {mean['odds']:.0%}, {often} often."
)
study.say(
    f"Answering by the odds costs {mean['cost']:.4f} a round"
    + (
        f", more than the error of {error:.4f} can explain."
        if mean["cost"] > error
        else f", which is within the error of {error:.4f}."
    )
    + f" It is dearest after {rule['cost'].idxmax()}: {rule['cost'].max():.3f} each time."
)
study.finish()
