"""Sampled card tables against the deals that they were made of; stands; comparisons."""

import numpy as np
import pandas as pd
import pytest

from mouche_solver.analysis import (
    hand_value_table,
    no_trick_table,
    save_table,
    seat_table,
    stand_summary,
    stand_table,
    styled,
    suit_mouche_table,
    train_cards,
    variant_table,
)
from mouche_solver.analysis.cards.grid import grid_index, keys_of
from mouche_solver.cards import CardRules, CardStrategy, Census, take_census, try_unseen_exchanges
from mouche_solver.cards.measure.census import Stands
from mouche_solver.cards.odds.mouche import is_mouche
from mouche_solver.errors import RulesError, StorageError


@pytest.fixture(scope="module")
def deals(census: Census) -> pd.DataFrame:
    """One row for each hand of the census."""
    players = census.strategy.rules.players
    keys = keys_of(census.strategy, census.context, census.dealt)
    rows = pd.DataFrame(
        {
            "seat": np.tile(np.arange(players), len(keys)),
            "said": census.said.ravel(),
            "tricks": census.tricks.ravel(),
            "value": census.values.ravel(),
            "inside": np.repeat(census.inside, players),
            "hand": census.dealt.ravel(),
        },
        grid_index(census.strategy.rules, keys.ravel()),
    )
    known = {hand: is_mouche(census.strategy.rules, int(hand)) for hand in rows["hand"].unique()}
    rows["mouche"] = rows["hand"].map(known)
    return rows


def test_values_are_means_of_the_deals(census: Census, deals: pd.DataFrame) -> None:
    table = hand_value_table(census)
    wanted = deals.set_index("seat", append=True)["value"].groupby(level=[0, 1, 2], observed=True)
    pd.testing.assert_series_equal(
        table["value"], wanted.mean().reindex(table.index), check_names=False
    )
    pd.testing.assert_series_equal(
        table["error"], wanted.sem().reindex(table.index), check_names=False
    )
    assert table["hands"].sum() == census.dealt.size
    # Over the hands and seats of a table the pot is divided.
    assert np.average(table["value"], weights=table["hands"]) == pytest.approx(1 / 3)


def test_no_trick(census: Census, deals: pd.DataFrame) -> None:
    table = no_trick_table(census)
    played = deals[deals["tricks"] >= 0]
    assert table["hands"].sum() == len(played)
    assert (table["chance"] * table["hands"]).sum() == pytest.approx((played["tricks"] == 0).sum())
    for index in table.sort_values("hands").index[-5:]:
        trumps, sides, declaration, inside = index
        said = 0 if declaration == "stand" else int(declaration.removeprefix("exchange"))
        rows = played.loc[[(trumps, sides)]]
        rows = rows[(rows["said"] == said) & (rows["inside"] == inside)]
        found = table.loc[index]
        assert found["hands"] == len(rows)
        assert found["chance"] == pytest.approx((rows["tricks"] == 0).mean())
        assert found["tricks"] == pytest.approx(rows["tricks"].mean())
        plain = np.sqrt(found["chance"] * (1 - found["chance"]) / len(rows))
        assert found["error"] == pytest.approx(plain, rel=0.2, abs=0.01)
    assert (table["error"] > 0).all()
    first = no_trick_table(census, seat=0)
    assert first["hands"].sum() == (played["seat"] == 0).sum()


def test_stands(census: Census, stands: Stands, deals: pd.DataFrame) -> None:
    table = stand_table(census, stands)
    plain = deals[~deals["mouche"]]
    asked = plain[plain["said"] >= -1]
    stood = (asked["said"] == 0).groupby(level=[0, 1], observed=True).mean()
    pd.testing.assert_series_equal(table["stand"], stood.reindex(table.index), check_names=False)
    assert table["share"].sum() == pytest.approx(1)
    assert (table["share"] * len(stands.hand)).sum() == (asked["said"] == 0).sum()
    cell = table["share"].idxmax()
    rows = plain.loc[[cell]]
    rows = rows[(rows["said"] == 0) & (rows["tricks"] >= 0)]
    assert table.loc[cell, "tricks"] == pytest.approx(rows["tricks"].mean())
    assert table.loc[cell, "equal"] == pytest.approx((2 / rows["inside"]).mean())
    assert (table["bluff"] <= table["show"]).all()
    assert (table.loc[table["show"], "gain"] > 2 * table.loc[table["show"], "error"]).all()


def test_the_gain_is_measured_where_the_number_was_not_chosen(
    census: Census, stands: Stands
) -> None:
    table = stand_table(census, stands)
    cell = table["share"].idxmax()
    keys = keys_of(stands.strategy, stands.context, stands.hand)
    index = grid_index(stands.strategy.rules, keys)
    here = np.array([each == cell for each in index])
    assert table.loc[cell, "cards"] == np.nanmean(stands.gain[here], axis=0).argmax() + 1
    told = []
    for half in (0, 1):
        chosen_on, told_on = (here & (stands.deal % 2 == part) for part in (half, 1 - half))
        best = int(np.nanmean(stands.gain[chosen_on], axis=0).argmax())
        told.append(stands.gain[told_on, best])
    gains = np.concatenate(told)
    gains = gains[~np.isnan(gains)]
    assert table.loc[cell, "gain"] == pytest.approx(gains.mean())
    assert table.loc[cell, "error"] == pytest.approx(gains.std(ddof=1) / np.sqrt(len(gains)))


def test_the_share_of_bluffs(census: Census, stands: Stands, deals: pd.DataFrame) -> None:
    summary, table = stand_summary(census, stands), stand_table(census, stands)
    assert list(summary.index) == ["first hand", "seat 1", "dealer", "all"]
    stood = deals[deals["said"] == 0]
    asked = deals[deals["said"] >= -1]
    every = summary.loc["all"]
    assert every["stand"] == pytest.approx(len(stood) / len(asked))
    assert every["mouche"] == pytest.approx(stood["mouche"].mean())
    without = 1 - every["mouche"]
    assert every["bluff"] == pytest.approx(without * table.loc[table["bluff"], "share"].sum())
    assert every["show"] == pytest.approx(without * table.loc[table["show"], "share"].sum())
    first = stood[stood["seat"] == 0]
    assert summary.loc["first hand", "alone"] == pytest.approx((first["inside"] == 1).mean())
    exchanged = deals[(deals["said"] > 0) & (deals["seat"] == 2)]
    dealer = summary.loc["dealer", "alone_exchanged"]
    assert dealer == pytest.approx((exchanged["inside"] == 1).mean())
    assert summary.drop(columns="error").stack().between(0, 1).all()


def test_a_bluff_is_told_from_a_strong_hand() -> None:
    """A player who stands with everything bluffs with the worst hands and not with the best."""
    strategy = train_cards(
        CardRules(players=2, ranks="K Q J A 10", suits="C D H", hand_size=3), 500
    )
    table = np.zeros_like(strategy.tables.probability)
    table[:, 1] = 1
    changed = strategy.tables.__class__(**(vars(strategy.tables) | {"probability": table}))
    always = CardStrategy(strategy.abstraction, changed, strategy.training)
    census = take_census(always, 30_000)
    found = stand_table(census, try_unseen_exchanges(always, 30_000))
    assert (found["stand"] == 1).all()
    assert found.loc[("none", "-"), "bluff"]
    assert (
        not found.loc[("3, best 1st", "-")].empty if ("3, best 1st", "-") in found.index else True
    )
    assert not found.loc[("2, best 1st", "K"), "bluff"]


def test_seats(census: Census, deals: pd.DataFrame) -> None:
    table = seat_table({"small": census})
    np.testing.assert_array_equal(table["share"], census.shares)
    np.testing.assert_array_equal(table["error"], census.share_errors)
    for seat, name in enumerate(["first hand", "seat 1", "dealer"]):
        rows = deals[(deals["seat"] == seat) & (deals["said"] >= -1)]
        found = table.loc[("small", name)]
        assert found["pass"] == pytest.approx((rows["said"] == -1).mean())
        assert found["stand"] == pytest.approx((rows["said"] == 0).mean())
        within = rows[rows["said"] >= 0]
        assert found["exchanged"] == pytest.approx(within["said"].mean())
    again = seat_table({"small": census.strategy}, deals=40_000, seed=1)
    pd.testing.assert_frame_equal(again, table)


def test_variants(census: Census, three_cards: CardStrategy) -> None:
    capped = train_cards(three_cards.rules.replace(cap=2), deals=1000)
    table = variant_table({"base": census, "cap": capped}, deals=8000)
    base = table.loc["base"]
    assert base["first"] == pytest.approx(census.shares[0] * 3)
    assert base["mouches"] == pytest.approx(census.debts.mean())
    assert base["alone"] == pytest.approx((census.inside <= 1).mean())
    assert base["trained"] == three_cards.training.declared + three_cards.training.played
    assert table["cards"].tolist() == [12, 12]
    chance = suit_mouche_table({"base": three_cards.rules}).loc["base", "table"]
    assert base["suit_mouche"] == chance
    assert "cap: 2" in table.attrs["caption"]
    assert "base: 3 players, 12 cards" in table.attrs["caption"]


def test_exact_mouches() -> None:
    table = suit_mouche_table({f"{n}": CardRules(players=n) for n in (3, 6)})
    assert 1 / table.loc["3", "one"] == pytest.approx(1170)
    assert table.loc["6", "one"] == pytest.approx(33 / 16660)
    assert (table["two"] < table["table"]).all()
    with pytest.raises(RulesError, match="no mouche"):
        suit_mouche_table({"none": CardRules(mouche=False)})


def test_bad_input(census: Census, stands: Stands, tmp_path) -> None:
    for compare in (seat_table, variant_table, suit_mouche_table):
        with pytest.raises(RulesError, match="nothing to compare"):
            compare({})
    with pytest.raises(RulesError, match="deals=0: allowed are 1 to"):
        seat_table({"small": census.strategy}, deals=0)
    with pytest.raises(RulesError, match="seat 3: allowed are 0 to 2"):
        no_trick_table(census, seat=3)
    other = train_cards(CardRules(players=2, ranks="K Q J", suits="C D", hand_size=2), deals=500)
    with pytest.raises(RulesError, match="of different strategies"):
        stand_table(take_census(other, 4096), stands)
    with pytest.raises(StorageError, match="cannot write"):
        save_table(hand_value_table(census), tmp_path / "missing" / "values")


def test_nobody_stands(three_cards: CardStrategy) -> None:
    table = three_cards.tables.probability.copy()
    table[:, 1] = 0
    table[:, 2] += 1e-3
    changed = three_cards.tables.__class__(**(vars(three_cards.tables) | {"probability": table}))
    never = CardStrategy(three_cards.abstraction, changed, three_cards.training)
    with pytest.raises(RulesError, match="nobody stands without a mouche in 4,096 sampled deals"):
        stand_table(take_census(never, 4096), try_unseen_exchanges(never, 4096))


def test_tables_are_for_files_and_pages(census: Census, stands: Stands, tmp_path) -> None:
    tables = {
        "values": hand_value_table(census),
        "tricks": no_trick_table(census),
        "stands": stand_table(census, stands),
        "seats": seat_table({"small": census}),
        "variants": variant_table({"small": census}),
    }
    for name, table in tables.items():
        assert "3 players, 12 cards (K Q J A), 2 in a hand" in table.attrs["caption"]
        save_table(table, tmp_path / name)
        assert len(pd.read_parquet(tmp_path / f"{name}.parquet")) == len(table)
        assert table.attrs["caption"] in styled(table).to_html()
