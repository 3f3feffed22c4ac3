"""Bluffs and doubts, counted hand by hand from the policies."""

import pandas as pd
import pytest

from mouche_solver.analysis import (
    DiceSolution,
    bluff_table,
    claim_grid,
    doubt_frontier,
    doubt_table,
)
from mouche_solver.dice import Claim, claim_probability
from mouche_solver.dice.round.strategy import RoundStrategy
from mouche_solver.dice.rules.hands import all_hands, matches
from mouche_solver.dice.rules.notation import DOUBT
from mouche_solver.errors import IllegalMoveError, RulesError


def rolled(strategy: RoundStrategy, player: int):
    hands, weights = all_hands(strategy.rules.dice[player], strategy.rules.faces)
    return zip(hands, weights, strict=True)


def of_action(strategy: RoundStrategy, hand, line, action: str) -> float:
    advice = strategy.policy(hand, line)
    return next(a.probability for a in advice.actions if a.action == action)


def test_bluffs_counted_by_hand(strategy: RoundStrategy) -> None:
    table, rules = bluff_table(strategy), strategy.rules
    assert table["chance"].sum() == pytest.approx(1)
    for word, row in table.iterrows():
        claim = strategy.read_claim(word)
        made = bluff = empty = true = 0.0
        for hand, weight in rolled(strategy, 0):
            times = weight * of_action(strategy, hand, "", word)
            chance = claim_probability(rules, claim, hand)
            made += times
            bluff += times * (chance < 0.5)
            empty += times * (matches(hand, claim.face, rules.wild) == 0)
            true += times * chance
        assert row["chance"] == pytest.approx(made / rules.faces ** rules.dice[0])
        if made:
            found = [row["bluff"], row["empty"], row["true"]]
            assert found == pytest.approx([bluff / made, empty / made, true / made])
        else:
            assert row[["bluff", "empty", "true"]].isna().all()


def test_the_grid_is_the_same_chance(strategy: RoundStrategy) -> None:
    grid, table = claim_grid(strategy), bluff_table(strategy)
    assert grid.sum().sum() == pytest.approx(1)
    for word, chance in table["chance"].items():
        claim = strategy.read_claim(word)
        assert grid.loc[claim.quantity, claim.face] == pytest.approx(chance)
    assert grid.notna().sum().sum() == len(table)


def test_doubts_counted_by_hand(strategy: RoundStrategy) -> None:
    table, rules = doubt_table(strategy), strategy.rules
    assert ((table >= 0) & (table <= 1 + 1e-9)).all(axis=None)
    for face, quantity in [table.index[0], table.index[len(table) // 2], table.index[-1]]:
        for own in table.columns:
            times = doubted = 0.0
            for hand, weight in rolled(strategy, 1):
                if matches(hand, face, rules.wild) == own:
                    times += weight
                    line = str(Claim(quantity, face))
                    doubted += weight * of_action(strategy, hand, line, DOUBT)
            assert table.loc[(face, quantity), own] == pytest.approx(doubted / times)
    assert table.loc[(rules.faces, rules.total_dice)].tolist() == [1.0] * (rules.dice[1] + 1)


def test_doubts_after_claims_weigh_the_hands_that_are_left(plain: DiceSolution) -> None:
    line = "1x1 1x2"
    table = doubt_table(plain, line)
    assert list(table.columns) == [0, 1]  # player 0 has spoken, so player 1 answers
    opposite = doubt_table(plain, "1x1")
    assert list(opposite.columns) == [0, 1, 2]
    (hands, chances) = plain.ranges("1x1 2x1")[0]
    held = {h: c for h, c in zip(hands, chances, strict=True) if h.count(1) == 1}
    mean = sum(c * of_action(plain, h, "1x1 2x1", DOUBT) for h, c in held.items())
    assert opposite.loc[(1, 2), 1] == pytest.approx(mean / sum(held.values()))


@pytest.mark.parametrize("threshold", [0.1, 0.5, 1.0])
def test_the_frontier_is_where_doubts_begin(strategy: RoundStrategy, threshold: float) -> None:
    table = doubt_table(strategy)
    frontier = doubt_frontier(strategy, threshold=threshold)
    for face, row in frontier.iterrows():
        column = table.xs(face, level="face")
        for own, lowest in row.items():
            doubts = column[own].round(9)
            if pd.isna(lowest):
                assert doubts.iloc[-1] < threshold
                continue
            assert (doubts.loc[lowest:] >= threshold).all()
            below = doubts.loc[: lowest - 1]
            assert below.empty or below.iloc[-1] < threshold
            assert lowest in doubts.index


def test_what_is_refused(plain: DiceSolution) -> None:
    for threshold in (0, 1.5, float("nan")):
        with pytest.raises(RulesError, match="above 0 and at most 1"):
            doubt_frontier(plain, threshold=threshold)
    for table in (bluff_table, doubt_table, claim_grid, doubt_frontier):
        with pytest.raises(IllegalMoveError, match="no claim can follow 3x3: legal are doubt"):
            table(plain, "3x3")
