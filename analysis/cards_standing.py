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
# # Standing without a mouche
#
# **Question.** Which hands stand without a mouche, how many of these stands are bluffs, and what is
# it worth to stand at all?
#
# **Method.** Sampled deals in which all play the strategy. Each stand is played again with cards
# exchanged that nobody sees, the others' cards, draws and luck the same: hands that gain by this
# stand for show. They bluff if they also take less than an equal share of the tricks after a
# stand. Then one player who never stands without a mouche plays against the others. `--fast` asks
# the same of three players and fewer deals.
#
# **What it cannot say.** A class of hands counts as standing for show when its gain is above two
# standard errors, so classes that stand seldom may be missed: the share of bluffs is a lower
# estimate, and grows a little with the deals sampled.

# %%
from mouche_solver import CardRules
from mouche_solver.analysis import (
    Study,
    card_strategy,
    kept_table,
    posterior_table,
    stand_chart,
    stand_summary,
    stand_table,
    suit_mouche_table,
)
from mouche_solver.cards import challenge, never_stands, take_census, try_unseen_exchanges

study = Study("cards-standing", "Who stands without a mouche?")
players = 3 if study.fast else 4
deals = 40_000 if study.fast else 1_000_000
strategy = card_strategy(CardRules(players=players))
tried = challenge(strategy, {"never stands": never_stands(strategy)}, deals=deals, seed=1)
best = tried[0]
study.say(
    f"{players} players, {strategy.rules.pack.size} cards, {deals:,} sampled deals. Measured "
    f"error: of the players who depart from the strategy, the best ({best.challenger}) gains "
    f"{1000 * best.gain.mean:+.1f} +- {1000 * best.gain.margin:.1f} thousandths of a pot a deal; "
    "others might gain more."
)

# %% [markdown]
# ## Who stands

# %%
census = take_census(strategy, deals, seed=2)
stands = try_unseen_exchanges(strategy, deals, seed=2)
table = study.table(stand_table(census, stands), "hands")
summary = study.table(stand_summary(census, stands), "seats")
study.figure(stand_chart(census, stands), "hands")
odds = study.table(suit_mouche_table({"deal": strategy.rules}), "mouches")

# %%
every = summary.loc["all"]
study.say(
    f"{every['stand']:.1%} of the hands that are asked stand. A mouche is dealt to "
    f"{odds.loc['deal', 'one']:.2%} of the hands (exact): of the stands {every['mouche']:.1%} have "
    "one, the others stand without."
)
study.say(
    f"{every['show']:.0%} of the stands are for show, {every['weak']:.0%} have less than an equal "
    f"share of the tricks when they are played out, and {every['bluff']:.0%} +- "
    f"{2 * every['error']:.1%} (two standard errors) are bluffs, both at once."
)
most = summary["bluff"].drop("all").idxmax()
least = summary["bluff"].drop("all").idxmin()
gap = summary.loc[most, "bluff"] - summary.loc[least, "bluff"]
noise = (summary.loc[most, "error"] ** 2 + summary.loc[least, "error"] ** 2) ** 0.5
study.say(
    f"Most bluffs: {most}, {summary.loc[most, 'bluff']:.0%} of the stands; fewest: {least}, "
    f"{summary.loc[least, 'bluff']:.0%}."
    if gap > 3 * noise
    else "The seats do not differ in their share of bluffs by more than three standard errors."
)

# %% [markdown]
# ## Which hands


# %%
def cards(number):
    return f"{int(number)} card{'' if number == 1 else 's'}"


bluffs = table[table["bluff"]].sort_values("share", ascending=False).head(3)
named = ", ".join(
    f"{trumps}, side cards {sides} ({row['stand']:.1%} of them stand; {cards(row['cards'])} "
    f"changed unseen would gain {row['gain']:.2f} +- {2 * row['error']:.2f} pots)"
    for (trumps, sides), row in bluffs.iterrows()
)
study.say(f"Hands that bluff most: {named}." if named else "No class of hands was seen to bluff.")
sure = table[~table["show"]].sort_values("share", ascending=False).head(3)
study.say(
    "Hands that stand most and are not seen to want other cards: "
    + ", ".join(
        f"{trumps}, side cards {sides} ({row['stand']:.0%})"
        for (trumps, sides), row in sure.iterrows()
    )
    + "."
)

# %% [markdown]
# ## What it does
#
# What a stand tells the others, and whether they go.

# %%
told = study.table(posterior_table(strategy, ["stand"]), "posterior")
kept = study.table(kept_table(strategy), "kept")
trumps = [name for name in kept.columns if name.endswith(" trumps")]
few = kept.loc["stand", trumps[:2]].sum()
study.say(f"A first hand that stands has at most one trump in {few:.0%} of the cases (exact).")

# %%
inside = census.said >= 0
others = census.inside[:, None] - inside
stood, drew = census.said == 0, census.said > 0


def others_in(chosen):
    found = others[:, 0][chosen[:, 0]]
    return found.mean(), found.std(ddof=1) / len(found) ** 0.5


after_stand, error_stand = others_in(stood)
after_draw, error_draw = others_in(drew)
fewer = after_draw - after_stand
clear = abs(fewer) > 3 * (error_stand**2 + error_draw**2) ** 0.5
study.say(
    f"After a stand by the first hand {after_stand:.2f} others come in on average, after an "
    f"exchange {after_draw:.2f}"
    + (
        f": a stand keeps {fewer:.2f} players out."
        if clear and fewer > 0
        else f": a stand brings {-fewer:.2f} players in."
        if clear
        else ", no difference that these deals could tell."
    )
    + f" Alone, with nothing to play, is who stood in {every['alone']:.1%} of the cases, who "
    f"exchanged in {every['alone_exchanged']:.1%}."
)

# %% [markdown]
# ## What it is worth

# %%
gain = next(one.gain for one in tried if one.challenger == "never stands")
size = f"{1000 * abs(gain.mean):.1f} +- {1000 * gain.margin:.1f} thousandths of a pot a deal (95%)"
if gain.high < 0:
    outcome = f"loses {size}: that is what standing is worth to him."
elif gain.low > 0:
    outcome = f"gains {size}: the strategy stands too much."
else:
    outcome = (
        f"neither loses nor gains more than these deals can tell: {size} from nothing. To a single "
        "player standing is worth next to nothing then."
    )
study.say(f"One player who never stands without a mouche, the others as ever, {outcome}")
study.finish()
