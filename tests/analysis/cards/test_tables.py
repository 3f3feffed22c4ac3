"""Tables of card strategies against the strategy asked hand by hand."""

from collections import defaultdict
from itertools import combinations

import numpy as np
import pandas as pd
import pytest

from mouche_solver.analysis import (
    card_strategy,
    discard_table,
    exchange_grid,
    kept_table,
    posterior_table,
    styled,
    train_cards,
)
from mouche_solver.analysis.cards.declarations import is_ever_said
from mouche_solver.analysis.cards.grid import grid_index, grid_keys
from mouche_solver.cards import CardRules, CardStrategy
from mouche_solver.cards.rules.pack import mask_of
from mouche_solver.cards.strategy.results import Declaration
from mouche_solver.errors import IllegalMoveError, NotationError, RulesError


def all_hands(strategy: CardStrategy, turned: int) -> list[int]:
    rules = strategy.rules
    cards = [card for card in range(rules.pack.size) if card != turned]
    return [mask_of(hand) for hand in combinations(cards, rules.hand_size)]


def situation(strategy: CardStrategy) -> tuple[int, list]:
    """The dealer after somebody has come in."""
    players = strategy.rules.players
    return players - 1, ["stand"] + ["pass"] * (players - 2)


def name_of(option: Declaration) -> str:
    return f"exchange{len(option.cards)}" if option.action == "exchange" else option.action


def left_of(option: Declaration, hand: int, turned: int) -> int:
    if option.swap is not None:
        hand ^= 1 << option.swap | 1 << turned
    return hand & ~mask_of(option.cards)


def holding_of(strategy: CardStrategy, hand: int, turned: int) -> tuple[str, str]:
    """The labels of a hand, read from the names of its cards."""
    pack = strategy.rules.pack
    trump, names = pack.name(turned)[-1], pack.mask_names(hand)
    trumps = [name for name in names if name[-1] == trump]
    order = [r + trump for r in reversed(pack.ranks) if r + trump != pack.name(turned)]
    best = min((order.index(name) + 1 for name in trumps), default=0)
    ending = {1: "st", 2: "nd", 3: "rd"}.get(best)
    plain = sorted(name[0] for name in names if name[-1] != trump and name[0] in "KQ")
    held = f"{len(trumps)}, best {best}{ending}" if trumps else "none"
    return held, " ".join(plain) or "-"


NUMBERS = ["weight", "value", "error", "visits"]


@pytest.mark.parametrize("seat", [0, None])
def test_a_grid_is_the_mean_of_its_hands(any_cards: CardStrategy, seat: int | None) -> None:
    place, declared = (0, []) if seat == 0 else situation(any_cards)
    grid = exchange_grid(any_cards, declared)
    sums, seen, found = defaultdict(float), defaultdict(float), 0
    contexts = any_cards.abstraction.contexts
    for context in contexts:
        hands = all_hands(any_cards, context.turned)
        found += len(hands)
        for hand in hands:
            cell = holding_of(any_cards, hand, context.turned)
            seen[cell] += 1
            for option in any_cards.declaration(hand, context.turned, place, declared):
                sums[(*cell, name_of(option))] += option.probability
    assert len(grid) == len(seen)
    for cell, number in seen.items():
        row = grid.loc[cell]
        assert row["weight"] == pytest.approx(number / found)
        for name in grid.columns.difference(NUMBERS):
            assert row[name] == pytest.approx(sums[(*cell, name)] / number, abs=1e-6), cell
    assert grid["weight"].sum() == pytest.approx(1)
    np.testing.assert_allclose(grid.drop(columns=NUMBERS).sum(axis=1), 1)
    assert grid["value"].dropna().between(-2, 2).all()
    known = grid["value"].notna()
    assert (grid["error"].notna() == known).all()
    assert (grid["visits"][known] > 0).any()


def test_the_order_of_a_grid(three_cards: CardStrategy) -> None:
    grid = exchange_grid(three_cards)
    holdings = list(grid.index.unique("trumps"))
    assert holdings[:2] == ["2, best 1st", "2, best 2nd"]
    assert holdings[-1] == "none"
    assert list(grid.loc["none"].index) == ["-", "Q", "Q Q", "K", "K Q", "K K"]


def test_many_trumps_and_side_cards_share_labels() -> None:
    rules = CardRules(players=3)
    context = card_strategy(rules).abstraction.contexts[0]
    texts = {
        "QC JC AC 10C 9C": ("4+, best 2nd", "-"),
        "9C KD KH KS QS": ("1, best 6th", "K K K"),
        "10C 9C QD KD QH": ("2, best 4th+", "K Q Q"),
    }
    texts["9C KD KH KS QS"] = ("1, best 4th+", "K K K")
    hands = np.array([rules.pack.hand(text) for text in texts])
    assert list(grid_index(rules, grid_keys(rules, context, hands))) == list(texts.values())


def test_discards_are_those_of_the_strategy(any_cards: CardStrategy) -> None:
    place, declared = situation(any_cards)
    table = discard_table(any_cards, declared)
    pack = any_cards.rules.pack
    assert table.groupby(level=["turned", "hand"])["chance"].sum().to_numpy() == pytest.approx(1)
    for (turned, hand), rows in table.groupby(level=["turned", "hand"]):
        up, held = pack.card(turned), pack.hand(hand)
        wanted: dict[tuple[str, frozenset, frozenset], float] = defaultdict(float)
        for option in any_cards.declaration(held, up, place, declared):
            left = left_of(option, held, up)
            laid = set(pack.names(option.cards))
            if option.action == "pass":
                left, laid = 0, set(pack.mask_names(held))
            key = name_of(option), frozenset(pack.mask_names(left)), frozenset(laid)
            wanted[key] += option.probability
        got = {
            (row.declaration, frozenset(row.kept.split()), frozenset(row.laid.split())): row.chance
            for row in rows.itertuples()
        }
        assert got == pytest.approx({k: p for k, p in wanted.items() if p > 0}, abs=1e-6)
        assert list(rows.index.get_level_values("rank")) == list(range(1, len(rows) + 1))
        assert rows["chance"].is_monotonic_decreasing
    firsts = table.xs(1, level="rank")
    assert firsts["weight"].sum() == pytest.approx(1)
    assert firsts["value"].dropna().is_monotonic_decreasing


def test_hands_with_some_cards(three_cards: CardStrategy) -> None:
    every = discard_table(three_cards)
    some = discard_table(three_cards, holding="KC")
    hands = every.index.get_level_values("hand")
    pd.testing.assert_frame_equal(some, every[hands.str.contains("KC")], check_names=False)
    with pytest.raises(NotationError, match=r"holding='KC QC JC': no hand of 2 cards"):
        discard_table(three_cards, holding="KC QC JC")
    with pytest.raises(NotationError, match=r"card '2C' is not in the pack"):
        discard_table(three_cards, holding="2C")


def test_what_is_kept(any_cards: CardStrategy) -> None:
    place, declared = situation(any_cards)
    table = kept_table(any_cards, declared)
    size = any_cards.rules.hand_size
    sums = pd.DataFrame(0.0, table.index, table.columns)
    for context in any_cards.abstraction.contexts:
        pack, up = any_cards.rules.pack, context.turned
        hands = all_hands(any_cards, up)
        trumps = [c for c in range(pack.size) if pack.suit(c) == pack.suit(up)]
        king = max(card for card in trumps if card != up)
        for hand in hands:
            for option in any_cards.declaration(hand, up, place, declared):
                left = left_of(option, hand, up)
                chance = option.probability * context.chance / len(hands)
                kept = sum(left >> card & 1 for card in trumps)
                plain = [c for c in range(pack.size) if c not in trumps and left >> c & 1]
                row = name_of(option)
                sums.loc[row, "chance"] += chance
                sums.loc[row, f"{kept} trumps"] += chance
                sums.loc[row, "best trump"] += chance * (left >> king & 1)
                sums.loc[row, "kings"] += chance * sum(pack.name(c)[0] == "K" for c in plain)
    made = sums["chance"]
    wanted = sums.div(made, axis=0).where(made > 0)
    wanted["chance"] = made
    pd.testing.assert_frame_equal(table, wanted, check_exact=False, atol=1e-6)
    rows = table.loc[made > 0, [f"{n} trumps" for n in range(size + 1)]]
    np.testing.assert_allclose(rows.sum(axis=1), 1)


def test_posteriors_are_those_of_the_strategy(any_cards: CardStrategy) -> None:
    turned = any_cards.rules.pack.name(any_cards.abstraction.contexts[-1].turned)
    known = "KD" if turned != "KD" else "QD"
    table = posterior_table(any_cards, ["stand"], turned, known)
    pack = any_cards.rules.pack
    wanted = any_cards.posterior(pack.card(turned), ["stand"], 0, pack.hand(known))
    found = table.loc[table["probability"] > 0, "probability"].to_dict()
    assert found == pytest.approx({str(k): p for k, p in wanted.items()})
    assert table[["dealt", "probability"]].sum().tolist() == pytest.approx([1, 1])
    np.testing.assert_allclose(table["times"], table["probability"] / table["dealt"])
    assert table["probability"].is_monotonic_decreasing


def silenced(strategy: CardStrategy) -> CardStrategy:
    """The same, but nobody ever passes."""
    table = strategy.tables.probability.copy()
    table[:, 0] = 0
    table[:, 1] += 1e-3  # rows of nothing but passes
    changed = strategy.tables.__class__(**(vars(strategy.tables) | {"probability": table}))
    return CardStrategy(strategy.abstraction, changed, strategy.training)


def test_histories_that_nobody_reaches(three_cards: CardStrategy) -> None:
    never = silenced(three_cards)
    assert not is_ever_said(never, ["pass"])
    assert is_ever_said(never, ["stand"])
    for table in (exchange_grid(never, ["pass"]), kept_table(never, ["pass"])):
        assert "probability zero" in table.attrs["caption"]
    np.testing.assert_allclose(exchange_grid(never, ["pass"]).iloc[:, 1:5].sum(axis=1), 1)
    passed = kept_table(never).loc["pass"]
    assert passed["chance"] == 0
    assert passed.drop("chance").isna().all()
    told = posterior_table(never, ["pass"])
    np.testing.assert_allclose(told["times"], 1)
    assert "probability zero" in told.attrs["caption"]
    assert "probability zero" not in exchange_grid(never, ["stand"]).attrs["caption"]


@pytest.mark.parametrize("call", [exchange_grid, discard_table, kept_table])
def test_situations_that_cannot_be(three_cards: CardStrategy, call) -> None:
    with pytest.raises(IllegalMoveError, match="the dealer is not asked"):
        call(three_cards, ["pass", "pass"])
    with pytest.raises(IllegalMoveError, match=r"seat 0 cannot have declared 9"):
        call(three_cards, [9])
    with pytest.raises(IllegalMoveError, match=r"seat 1 declares after 1 others, not 2"):
        call(three_cards, ["stand", "pass"], 1)
    with pytest.raises(IllegalMoveError, match="seat 3: the seats are 0 to 2"):
        call(three_cards, ["stand", "pass", "pass"])


def test_posteriors_that_cannot_be(three_cards: CardStrategy) -> None:
    with pytest.raises(IllegalMoveError, match="declared is empty"):
        posterior_table(three_cards, [])
    with pytest.raises(NotationError, match="card 'XX'"):
        posterior_table(three_cards, ["stand"], known="XX")


def test_styled(three_cards: CardStrategy) -> None:
    table = kept_table(three_cards)
    text = styled(table).to_html()
    assert table.attrs["caption"] in text
    assert f"{table.loc['stand', 'chance']:.1%}" in text
    assert "3 players, 12 cards (K Q J A), 2 in a hand" in text
    assert "no bound" in text


def test_strategies_shipped_and_trained() -> None:
    assert card_strategy(CardRules(players=3)).training.declared > 10_000
    rules = CardRules(players=2, ranks="K Q J", suits="C D", hand_size=2)
    trained = train_cards(rules, deals=1000, seed=4)
    again = card_strategy(rules, deals=1000, seed=4)
    np.testing.assert_array_equal(trained.tables.probability, again.tables.probability)
    with pytest.raises(RulesError, match="deals=0"):
        train_cards(rules, deals=0)
