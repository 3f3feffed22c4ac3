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
# # The exchange at four players
#
# **Question.** With which hands does one pass, exchange or stand at four players, which cards does
# one keep, and what does the number of cards tell the others?
#
# **Method.** The declarations of the strategy for every hand that can be dealt, so nothing is
# sampled there; what hands are worth comes from sampled deals, with standard errors. How far the
# strategy itself can be beaten is measured by single players who depart from it. `--fast` asks the
# same of three players and fewer deals.
#
# **What it cannot say.** The strategy was trained by sampling: rare hands have been met seldom, and
# where two declarations are worth the same its preference means little.

# %%
import numpy as np
import pandas as pd

from mouche_solver import CardRules
from mouche_solver.analysis import (
    Study,
    card_strategy,
    discard_table,
    exchange_grid,
    exchange_page,
    hand_value_chart,
    hand_value_table,
    kept_chart,
    kept_table,
)
from mouche_solver.cards import challenge, take_census

study = Study(
    "cards-exchange-four", "What does one declare at four players, and what does it tell?"
)
players = 3 if study.fast else 4
deals = 20_000 if study.fast else 400_000
strategy = card_strategy(CardRules(players=players))
rules = strategy.rules
best = challenge(strategy, deals=deals, seed=1)[0]
study.say(
    f"{players} players, {rules.pack.size} cards. Measured error: of the players who depart from "
    f"the strategy, the best ({best.challenger}) gains {1000 * best.gain.mean:+.1f} +- "
    f"{1000 * best.gain.margin:.1f} thousandths of a pot a deal; others might gain more."
)

# %% [markdown]
# ## What is declared
#
# A panel for each seat and what happened before; then the frequencies, given that all seats before
# have passed, and for the seat after the first hand, given what the first hand said.

# %%
study.figure(exchange_page(strategy), "page")


# %%
def frequencies(declared):
    grid = exchange_grid(strategy, declared)
    said = [name for name in grid.columns if name not in ("weight", "value", "error", "visits")]
    row = grid[said].mul(grid["weight"], axis=0).sum()
    exchanges = row.filter(like="exchange")
    numbers = np.arange(1, len(exchanges) + 1)
    row["cards"] = (exchanges * numbers).sum() / exchanges.sum()
    return row


quiet = {
    "the first hand" if seat == 0 else f"seat {seat}": frequencies(["pass"] * seat)
    for seat in range(players - 1)
}
usual = int(quiet["the first hand"].filter(like="exchange").argmax()) + 1
spoken = {
    f"seat 1 after {name}": frequencies([said])
    for name, said in {"exchange": usual, "stand": "stand"}.items()
}
seats = pd.DataFrame({**quiet, **spoken}).T
seats.index.name = "situation"
study.table(seats, "situations")

# %%
study.say(
    "While all have passed: "
    + "; ".join(
        f"{name} passes {row['pass']:.0%}, stands {row['stand']:.1%} and exchanges "
        f"{row['cards']:.1f} cards on average"
        for name, row in seats.loc[list(quiet)].iterrows()
    )
    + "."
)
before = seats.loc["seat 1", "pass"]
for said, name in ((f"an exchange of {usual}", "exchange"), ("a stand", "stand")):
    after = seats.loc[f"seat 1 after {name}", "pass"]
    study.say(
        f"After {said} by the first hand seat 1 passes {after:.0%} of its hands, "
        f"{'more' if after > before else 'less'} than after a pass ({before:.0%})."
    )

# %% [markdown]
# ## Which cards are kept
#
# Clubs stand for trumps. One row for each hand and each set that it lays down.

# %%
discards = discard_table(strategy)
study.table(discards.xs(1, level="rank"), "discards")
laid = discards[discards["declaration"].str.startswith("exchange")]
mass = laid["weight"] * laid["chance"]
top = rules.pack.ranks[-1]
trumps_go = laid["laid"].str.contains(r"C\b")
kings_go = laid["laid"].str.contains(rf"\b{top}[DHS]")
good_only = laid["kept"].str.fullmatch(rf"(?:\b(?:\w+C|{top}[DHS])\s?)*")
by_rule = ~trumps_go & ~kings_go & good_only
shares = pd.Series(
    {
        "lays a trump down": mass[trumps_go].sum() / mass.sum(),
        "lays a plain king down": mass[kings_go].sum() / mass.sum(),
        "keeps a low plain card": mass[~good_only].sum() / mass.sum(),
        "keeps trumps and kings alone": mass[by_rule].sum() / mass.sum(),
    },
    name="share",
)
study.table(shares.rename_axis("exchange").to_frame(), "kept-cards")

# %%
enough = shares["keeps trumps and kings alone"]
study.say(
    f"Of the first hand's exchanges {shares['lays a trump down']:.1%} lay a trump down and "
    f"{shares['lays a plain king down']:.1%} a plain king; {shares['keeps a low plain card']:.1%} "
    "keep a plain card below the king. "
    + ("Most follow" if enough > 0.5 else "Less than half follow")
    + f' the rule "keep the trumps and kings, change the rest": {enough:.0%}.'
)

# %% [markdown]
# ## What the number tells

# %%
told = study.table(kept_table(strategy), "kept")
study.figure(kept_chart(strategy), "kept")
numbers = [int(name.split()[0]) for name in told.columns if name.endswith(" trumps")]
mean = told[[f"{n} trumps" for n in numbers]].to_numpy() @ numbers
mean = pd.Series(mean, told.index)
made = told.index[(told["chance"] > 0.001) & (told.index != "pass")]
study.say(
    "Trumps that the first hand keeps, on average, by what it declares: "
    + ", ".join(f"{name} {mean[name]:.1f}" for name in made)
    + ". The highest trump is kept in "
    + ", ".join(f"{told.loc[name, 'best trump']:.0%} after {name}" for name in made)
    + "."
)
most = mean[made].idxmax()
study.say(
    f"The declaration that shows most trumps is {most}"
    + (
        "; it shows more than a stand does."
        if most != "stand" and mean[most] > mean["stand"] + 0.05
        else "."
    )
)

# %% [markdown]
# ## What a hand is worth

# %%
census = take_census(strategy, deals, seed=2)
values = study.table(hand_value_table(census), "values")
study.figure(hand_value_chart(census), "values")
share = values["hands"] / values.groupby(level=["trumps", "seat"], observed=True)[
    "hands"
].transform("sum")
by_holding = (values["value"] * share).groupby(level=["trumps", "seat"], observed=True).sum()
error = ((values["error"].fillna(0) * share) ** 2).groupby(
    level=["trumps", "seat"], observed=True
).sum() ** 0.5
opening = pd.DataFrame(
    {"value": by_holding.xs(0, level="seat"), "error": error.xs(0, level="seat")}
)
some = [name for name in opening.index if name.startswith(("none", "1,", "2,"))]
study.say(
    "Worth in pots to the first hand, before anybody has spoken, by trumps held and place of the "
    "best: "
    + "; ".join(
        f"{name}: {row['value']:.2f} +- {2 * row['error']:.2f}"
        for name, row in opening.loc[some].iterrows()
    )
    + " (two standard errors)."
)
gap = by_holding.xs(0, level="seat") - by_holding.xs(players - 1, level="seat")
noise = np.hypot(error.xs(0, level="seat"), error.xs(players - 1, level="seat"))
clear = gap[abs(gap) > 3 * noise]
study.say(
    f"Of {len(gap)} holdings {(clear > 0).sum()} are worth more to the first hand than to the "
    f"dealer by more than three standard errors, {(clear < 0).sum()} less; for the rest the "
    "sampled deals do not tell."
)
study.finish()
