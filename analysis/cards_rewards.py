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
# # What the 1718 rules reward: seat, deck and pot
#
# **Question.** How much is each seat worth, where does the pot go, how large does it grow, and what
# do the deck, the number of players, the duty to head the trick and a cap change?
#
# **Method.** Sampled deals in which all play the strategy made for their rules. The number of
# players is compared with the strategies that are shipped; deck and variants with strategies
# that are trained now, all equally long as one for the usual rules, because shares and mouches move
# with the length of training. `--fast` trains less and asks of three players alone.
#
# **What it cannot say.** Standard errors are those of the sampled deals. That a strategy could be
# played better is a second error, of which single departing players measure a part. That two
# trainings end in different strategies is a third: the usual rules are trained twice, and what
# differs no more than these two does not count.

# %%
import numpy as np
import pandas as pd

from mouche_solver import CardRules
from mouche_solver.analysis import (
    Study,
    card_strategy,
    seat_chart,
    seat_table,
    suit_mouche_table,
    train_cards,
    variant_table,
)
from mouche_solver.cards import challenge, take_census

study = Study("cards-rewards", "What do the rules of 1718 reward?")
tables = (3,) if study.fast else (3, 4, 5, 6)
deals = 20_000 if study.fast else 400_000
training = 15_000 if study.fast else 1_000_000
shipped = {f"{n} players": card_strategy(CardRules(players=n)) for n in tables}


def departing(strategy):
    best = challenge(strategy, deals=deals // 4, seed=1)[0]
    return {"challenger": best.challenger, "gain": best.gain.mean, "margin": best.gain.margin}


quality = pd.DataFrame.from_dict(
    {name: departing(strategy) for name, strategy in shipped.items()}, orient="index"
).rename_axis("name")
study.table(quality, "quality")
worst = quality["gain"].idxmax()
study.say(
    f"{', '.join(shipped)}; {deals:,} sampled deals each. Measured error: of the players who "
    f"depart from the strategies, the best ({quality.loc[worst, 'challenger']}, {worst}) gains "
    f"{1000 * quality.loc[worst, 'gain']:+.1f} +- {1000 * quality.loc[worst, 'margin']:.1f} "
    "thousandths of a pot a deal; others might gain more."
)

# %% [markdown]
# ## The seat

# %%
censuses = {name: take_census(strategy, deals, seed=2) for name, strategy in shipped.items()}
seats = study.table(seat_table(censuses), "seats")
study.figure(seat_chart(censuses), "seats")
for name in shipped:
    rows = seats.loc[name]
    high, low = rows["share"].idxmax(), rows["share"].idxmin()
    gap = rows.loc[high, "share"] - rows.loc[low, "share"]
    noise = np.hypot(rows.loc[high, "error"], rows.loc[low, "error"])
    shares = ", ".join(f"{seat} {share:.3f}" for seat, share in rows["share"].items())
    study.say(
        f"{name}: of one chip in the pot the seats get {shares} in the long run "
        f"(+- {2 * rows['error'].max():.3f}). "
        + (
            f"Best off: {high}, {gap / rows.loc[high, 'equal']:.1%} of an equal share above {low}."
            if gap > 3 * noise
            else "No seat is better off by more than three standard errors."
        )
    )

# %% [markdown]
# ## Where the pot goes, and how it grows
#
# A deal ends with a player alone, with a mouche shown, or with tricks. What is owed goes into the
# next pot, with the next dealer's five chips: the sampled debts in their order make a chain of
# pots.


# %%
def ends(census):
    alone = census.inside <= 1
    tricks = census.tricks.max(axis=1) >= 0
    return {"alone": alone.mean(), "mouche": (~alone & ~tricks).mean(), "tricks": tricks.mean()}


def pots(census):
    chips, found = float(census.strategy.rules.ante_chips), []
    for owed in census.debts.tolist():
        found.append(chips)
        chips = census.strategy.rules.ante_chips + owed * chips
    marks = np.quantile(found, [0.5, 0.9, 0.999])
    return {"mean": np.mean(found), "half": marks[0], "nine_tenths": marks[1], "rare": marks[2]}


pot = pd.DataFrame.from_dict(
    {name: ends(census) | pots(census) for name, census in censuses.items()}, orient="index"
).rename_axis("name")
study.table(pot, "pots")
mouches = study.table(
    suit_mouche_table({name: one.rules for name, one in shipped.items()}), "suit-mouches"
)
for name, row in pot.iterrows():
    study.say(
        f"{name}: {row['tricks']:.1%} of the deals are played out, {row['alone']:.1%} are taken "
        f"by a player alone and {row['mouche']:.1%} by a mouche (dealt to somebody in "
        f"{mouches.loc[name, 'table']:.1%}, exact). The pot has {row['mean']:.1f} chips on "
        f"average, half of the time at most {row['half']:.0f}, once in a thousand deals above "
        f"{row['rare']:.0f}."
    )

# %% [markdown]
# ## Deck and variants
#
# All trained alike; `first` and `dealer` are shares over an equal one. Half debts: a cap that makes
# the mouche cost half of the dealer's chips, solved for that pot.

# %%
base = CardRules(players=tables[0] if study.fast else 4)
other_deck = CardRules(players=base.players, deck="piquet")
variants = {
    "1718": base,
    f"{other_deck.pack.size} cards": other_deck,
    "no heading": base.replace(must_head=False, must_overtrump=False),
    "Pamphile": base.replace(pamphile=True, pamphile_pays="fifth"),
    "half debts": base.replace(ante=2 * base.hand_size, cap=base.hand_size),
}
trained = {
    name: train_cards(rules, training, seed=3, threads=2) for name, rules in variants.items()
}
trained["1718 again"] = train_cards(base, training, seed=4, threads=2)
if not study.fast:
    larger = CardRules(players=4, ranks=CardRules(players=6).pack.ranks[::-1])
    trained["52 cards"] = train_cards(larger, training, seed=3, threads=2)
compared = study.table(variant_table(trained, deals, seed=4, threads=2), "variants")
study.figure(seat_chart(trained, deals, seed=4, threads=2), "variants")


# %%
def differs(name, column):
    """How a variant compares with the base, in words."""
    gap = compared.loc[name, column] - compared.loc["1718", column]
    chance = abs(compared.loc["1718 again", column] - compared.loc["1718", column])
    noise = np.hypot(compared.loc[name, f"{column}_error"], compared.loc["1718", f"{column}_error"])
    if abs(gap) <= max(3 * noise, chance):
        return "as much, to the error"
    return f"{'more' if gap > 0 else 'less'} by {abs(gap):.3f} +- {2 * noise:.3f}"


usual, again = compared.loc["1718"], compared.loc["1718 again"]
ready = censuses[f"{base.players} players"]
trained_before = ready.strategy.training.declared + ready.strategy.training.played
study.say(
    f"The shipped strategy for {base.players} players, trained on {trained_before:,} deals, owes "
    f"{ready.debts.mean():.3f} pots a deal; the more the numbers below depart from it, the "
    "further their training is from its end."
)
study.say(
    f"Trained on {int(usual['trained']):,} deals, {base.players} players with {base.pack.size} "
    f"cards owe {usual['mouches']:.3f} +- {2 * usual['mouches_error']:.3f} pots a deal; the first "
    f"hand gets {usual['first']:.3f} of an equal share, the dealer {usual['dealer']:.3f}. Trained "
    f"again with another seed: {again['mouches']:.3f}, {again['first']:.3f}, "
    f"{again['dealer']:.3f}; a variant differs when it does so by more than this and by more than "
    "three standard errors."
)
for name in compared.index.drop(["1718", "1718 again"]):
    row = compared.loc[name]
    study.say(
        f"{name}: {row['mouches']:.3f} pots a deal are owed ({differs(name, 'mouches')}); the "
        f"first hand gets {row['first']:.3f} ({differs(name, 'first')}), the dealer "
        f"{row['dealer']:.3f} ({differs(name, 'dealer')}); {row['inside']:.2f} players are in "
        f"instead of {usual['inside']:.2f}."
    )
study.finish()
