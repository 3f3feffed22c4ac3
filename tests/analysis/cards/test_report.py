"""The card report's data against the strategy, and the page as a file."""

import json
import re
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

from mouche_solver.analysis import card_report_html, write_card_report
from mouche_solver.analysis.cards.report import kept_frame
from mouche_solver.analysis.cards.tree import (
    CardWalk,
    ChartBook,
    DealtHands,
    chart_numbers,
    class_numbers,
    declaration_tree,
)
from mouche_solver.cards import (
    Abstraction,
    CardRules,
    CardStrategy,
    CardTrainer,
    ExchangeChart,
    exchange_chart,
)
from mouche_solver.cards.train.trainer import Batch
from mouche_solver.cli import main
from mouche_solver.errors import IllegalMoveError, RulesError, StorageError
from mouche_solver.storage.cards.strategies import save_strategy


def whole_tree(strategy: CardStrategy, deals: int = 100) -> dict:
    book = ChartBook(strategy)
    tree = declaration_tree(book, DealtHands(strategy, deals=deals))
    charts = book.charts(threads=2)
    numbers = [chart_numbers(chart) for chart in charts]
    return tree | {"charts": numbers} | class_numbers(strategy)


def classes_of(chart: ExchangeChart) -> tuple[np.ndarray, ...]:
    return chart.trumps, chart.best, chart.kings, chart.queens, chart.longest


def said_before(tree: dict, number: int) -> tuple:
    words: list = []
    while number > 0:
        said = tree["positions"][number]["said"]
        words.append(int(said.removeprefix("exchange")) if said[0] == "e" else said)
        number = tree["positions"][number]["parent"]
    return tuple(reversed(words))


@pytest.mark.parametrize("kind", ["tiny", "exact_cards", "swapping"])
def test_every_position_is_the_chart(kind: str, request: pytest.FixtureRequest) -> None:
    strategy = request.getfixturevalue(kind)
    tree = whole_tree(strategy)
    for number, each in enumerate(tree["positions"]):
        chart = exchange_chart(strategy, declared=said_before(tree, number))
        stored = tree["charts"][each["chart"]]
        assert each["player"] == chart.seat
        assert tree["classes"] == np.stack(classes_of(chart), axis=1).tolist()
        assert np.array(tree["weights"]) / 1e6 == pytest.approx(chart.weight, abs=0.5001e-6)
        assert np.array(stored["mixes"]) / 1e4 == pytest.approx(chart.mix, abs=0.5001e-4)
        assert chart.actions[: len(each["actions"])] == tuple(each["actions"])
        assert not chart.mix[:, len(each["actions"]) :].any()  # what is not offered is never done
        known = [np.nan if value is None else value / 1e4 for value in stored["values"]]
        assert known == pytest.approx(chart.value, abs=0.5001e-4, nan_ok=True)
        assert sum(each["chances"]) == pytest.approx(1e6, abs=5)
    shares = [sum(row) for chart in tree["charts"] for row in chart["mixes"]]
    assert shares == pytest.approx([1e4] * len(shares), abs=4)
    assert sum(tree["weights"]) == pytest.approx(1e6, abs=len(tree["weights"]))


def test_a_class_of_one_hand_is_its_declaration(tiny: CardStrategy) -> None:
    """With one card in a hand, trumps and their place say which card it is."""
    tree = whole_tree(tiny)
    pack, row = tiny.rules.pack, tree["classes"].index([1, 1, 0, 0, 0])
    for number, each in enumerate(tree["positions"]):
        said = said_before(tree, number)
        options = tiny.declaration(pack.hand("KC"), pack.card("JC"), each["player"], said)
        mixed = tree["charts"][each["chart"]]["mixes"][row]
        assert [o.probability for o in options] == pytest.approx(
            [mixed[column] / 1e4 for column in range(len(options))], abs=0.5001e-4
        )


def test_examples_are_hands_of_their_class(exact_cards: CardStrategy) -> None:
    pack, found = exact_cards.rules.pack, class_numbers(exact_cards)
    assert len(set(found["examples"])) == len(found["classes"])
    for names, (trumps, _, kings, queens, longest) in zip(
        found["examples"], found["classes"], strict=True
    ):
        cards = names.split()
        plain = [name for name in cards if name[-1] != "C"]
        assert len(pack.cards(names)) == 2
        assert len(cards) - len(plain) == trumps
        assert [sum(name[0] == rank for name in plain) for rank in "KQ"] == [kings, queens]
        assert max((sum(n[-1] == suit for n in plain) for suit in "DH"), default=0) == longest
    assert found["examples"][found["classes"].index([1, 1, 1, 0, 1])] in ("KC KD", "KC KH")


def test_all_histories_are_there_and_lead_where_they_say(exact_cards: CardStrategy) -> None:
    tree = whole_tree(exact_cards)
    # Pass, stand or exchange 1 or 2, where the stock of two cards and those laid aside allow it.
    seats = [each["player"] for each in tree["positions"]]
    assert tree["complete"]
    assert seats.count(0) == 1
    assert seats.count(1) == len(tree["positions"][0]["actions"]) == 4
    assert len({said_before(tree, n) for n in range(len(seats))}) == len(seats)
    for number, each in enumerate(tree["positions"]):
        for action, after in zip(each["actions"], each["next"], strict=True):
            alone = each["player"] == 1 and each["said"] == "pass" and action == "pass"
            assert (after == -1) == (each["player"] == 2 or alone)
            if after >= 0:
                there = tree["positions"][after]
                assert (there["parent"], there["said"]) == (number, action)


def test_chances_are_those_of_all_deals(tiny: CardStrategy) -> None:
    """Eight cards are few enough to deal all of them: three hands after a given turn-up."""
    pack, turned = tiny.rules.pack, tiny.rules.pack.card("JC")
    others = [card for card in range(pack.size) if card != turned]
    deals = list(permutations(others, 3))

    def chance(card: int, seat: int, said: list, word: str) -> float:
        options = tiny.declaration(1 << card, turned, seat, said)
        return next(o.probability for o in options if o.action == word)

    exact = np.mean([chance(a, 0, [], "exchange") * chance(b, 1, [1], "pass") for a, b, _ in deals])
    walk = CardWalk.to(DealtHands(tiny, deals=1 << 13), (1, "pass"))
    assert 0 < walk.error < 0.01
    assert walk.reach == pytest.approx(exact, abs=4 * walk.error)
    stands = [
        chance(a, 0, [], "exchange")
        * chance(b, 1, [1], "pass")
        * chance(c, 2, [1, "pass"], "stand")
        for a, b, c in deals
    ]
    assert walk.chances[1] == pytest.approx(np.mean(stands) / exact, abs=0.05)


def test_reaches_add_up(exact_cards: CardStrategy) -> None:
    tree = whole_tree(exact_cards, deals=500)
    for each in tree["positions"]:
        for chance, after in zip(each["chances"], each["next"], strict=True):
            if after >= 0:
                there = tree["positions"][after]["reach"]
                assert there == pytest.approx(each["reach"] * chance / 1e6, abs=1e-6)
    reaches = [each["reach"] for each in tree["positions"]]
    assert reaches == sorted(reaches, reverse=True)


def test_a_cut_tree_says_what_it_leaves_out(exact_cards: CardStrategy) -> None:
    hands = DealtHands(exact_cards, deals=500)
    tree = declaration_tree(ChartBook(exact_cards), hands, positions=3)
    assert len(tree["positions"]) == 3
    assert not tree["complete"]
    inside = [each for each in tree["positions"] if each["player"] == 1]
    assert tree["left_out"] > 1 - sum(each["reach"] for each in inside) - 1e-9
    assert len(declaration_tree(ChartBook(exact_cards), hands, size=3000)["positions"]) < 10
    with pytest.raises(RulesError, match="positions=0: at least 1"):
        declaration_tree(ChartBook(exact_cards), hands, positions=0)


def test_a_history_that_the_rules_forbid(exact_cards: CardStrategy) -> None:
    with pytest.raises(IllegalMoveError, match="seat 0 cannot have declared 3"):
        CardWalk.to(DealtHands(exact_cards, deals=100), (3,))


def test_contexts_and_swaps_are_added_up(swapping: CardStrategy) -> None:
    hands = DealtHands(swapping, deals=400)
    assert hands.number == 400
    walk = CardWalk.to(hands, ("pass", "stand"))
    assert walk.chances.sum() == pytest.approx(1)
    assert hands.mixes(("pass", "stand")).sum(axis=1) == pytest.approx(1)
    assert 'id="kept-2"' not in card_report_html(swapping)


def test_the_same_seed_draws_the_same_deals(tiny: CardStrategy) -> None:
    walks = [CardWalk.to(DealtHands(tiny, deals=300, seed=s), ("stand",)) for s in (1, 1, 2)]
    assert walks[0].reach == walks[1].reach != walks[2].reach


def test_kept_and_laid_make_the_hand(exact_cards: CardStrategy) -> None:
    frame = kept_frame(exchange_chart(exact_cards, seat=0), hand_size=2)
    assert len(frame) > 3
    for held, row in frame.iterrows():
        numbers = {"trump": 0, "king": 0, "queen": 0, "low": 0}
        for count, kind in re.findall(r"(\d) (\w+)", f"{row['laid']}, {row['kept']}"):
            numbers[kind] += int(count)
        trumps, _, kings, queens, _ = held
        assert (numbers["trump"], numbers["king"], numbers["queen"]) == (trumps, kings, queens)
        assert sum(numbers.values()) == 2
        assert 0.001 <= row["exchanges"] <= 1


def test_the_page_needs_nothing_else(exact_cards: CardStrategy, addresses_of) -> None:
    text = card_report_html(exact_cards)
    addresses = addresses_of(text)
    assert addresses
    assert all(each.startswith(("#", "data:image/png;base64,")) for each in addresses)
    assert "default-src 'none'" in text
    assert exact_cards.quality_text in text
    assert len(text) < 15e6
    data = re.search(r'<script type="application/json" id="data">(.*?)</script>', text)
    assert json.loads(data[1])["players"] == 3
    for seat in range(3):
        assert f'id="exchange-{seat}"' in text
    assert "positions of the deal are in this file" in text


def test_the_command(tiny: CardStrategy, tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    save_strategy(tiny, tmp_path / "tiny.npz")
    assert main(["report", str(tmp_path / "tiny.npz"), "--out", str(tmp_path / "a.html")]) == 0
    assert "The tree of declarations" in (tmp_path / "a.html").read_text("utf-8")
    out, err = capsys.readouterr()
    assert out == ""
    assert re.search(r"a\.html: 0\.\d MB", err)


def test_the_command_refuses(
    tiny: CardStrategy, tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    good, bad = tmp_path / "tiny.npz", tmp_path / "bad.npz"
    save_strategy(tiny, good)
    np.savez(bad, header=np.array("{}"))
    for words, message in [
        ([bad, "--out", tmp_path / "a.html"], "bad.npz is not a card strategy"),
        ([good, "--out", tmp_path / "no" / "a.html"], "cannot write .*a.html: No such file"),
        ([good, "--out", tmp_path], "cannot write"),
    ]:
        assert main(["report", *map(str, words)]) == 2
        err = capsys.readouterr().err
        assert re.search(message, err)
        assert err.count("\n") == 1
    with pytest.raises(StorageError, match="cannot write"):
        write_card_report(tiny, tmp_path / "none" / "a.html")


def test_words_of_a_file_cannot_become_markup(tiny: CardStrategy) -> None:
    training = replace(tiny.training, continuation="</script><b>")
    text = card_report_html(CardStrategy(tiny.abstraction, tiny.tables, training))
    assert "</script><b>" not in text
    assert "&lt;/script&gt;&lt;b&gt;" in text


def test_rules_with_little_to_declare() -> None:
    """Nobody may exchange: no table of what is kept, and histories of passes and stands."""
    rules = CardRules(players=2, ranks="K Q J", suits="C D", hand_size=2, exchange_cap=0)
    trainer = CardTrainer(Abstraction(rules, "coarse"), batch=Batch(64, 64, 2, 64))
    trainer.train_round()
    trainer.close()
    strategy = trainer.strategy()
    tree = whole_tree(strategy)
    assert [each["said"] for each in tree["positions"]] == ["", "stand"]
    assert tree["positions"][0]["actions"] == ["pass", "stand"]
    assert "All 2 positions of the deal" in card_report_html(strategy)
