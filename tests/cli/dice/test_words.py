"""What the advice says in words is true, whatever the position and the hand."""

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mouche_solver.cli.app import main
from mouche_solver.cli.dice.words import Seen, percent, sentence
from mouche_solver.core.run import Limits
from mouche_solver.dice.round.advisor import Advisor, ruled_out, without_errors
from mouche_solver.dice.round.book import trunk_lines
from mouche_solver.dice.round.solve import solve_round
from mouche_solver.dice.round.strategy import HandTable, advice
from mouche_solver.dice.rules.claims import legal_claims
from mouche_solver.dice.rules.hands import Hand, all_hands, matches
from mouche_solver.dice.rules.notation import parse_claim, parse_history
from mouche_solver.dice.rules.rules import Claim, DiceRules
from mouche_solver.storage.dice.books import embedded_book

BOOKS = [DiceRules(), DiceRules(wild=1)]
SMALL = [
    DiceRules(dice=(2, 2), faces=3),
    DiceRules(dice=(1, 2), faces=3, wild=1),
    DiceRules(dice=(2, 1), faces=3, truth="exactly"),
    DiceRules(dice=(2, 2), faces=3, raise_rule="quantity-first"),
]


def outcomes(rules: DiceRules, hand: Hand, player: int, claim: Claim) -> set[bool]:
    """Whether a claim is true, over every cup that the other can have."""
    found = set()
    for other in all_hands(rules.dice[1 - player], rules.faces)[0]:
        total = matches((*hand, *other), claim.face, rules.wild)
        exactly = rules.truth == "exactly"
        found.add(total == claim.quantity if exactly else total >= claim.quantity)
    return found


def check(rules: DiceRules, table: HandTable, rows: list[int]) -> None:
    """The mixes and the sentences of some hands, against every cup of the other."""
    for row in rows:
        hand, player = table.hands[row], table.player
        mix = dict(zip(table.actions, table.probabilities[row], strict=True))
        assert sum(mix.values()) == pytest.approx(1)
        raises = [action for action in table.actions if action != "doubt"]
        if table.history and raises:
            standing = outcomes(rules, hand, player, table.history[-1])
            if standing == {True}:
                assert mix["doubt"] == 0
            if standing == {False}:
                false = [
                    each
                    for each in raises
                    if outcomes(rules, hand, player, parse_claim(each)) == {False}
                ]
                assert all(mix[each] == 0 for each in false)
        text = sentence(table, advice(rules, table, row), Seen(rules, hand, player))
        assert "nan" not in text
        assert text.count("\n") == 0
        assert text.endswith(".")
        said = {
            r"(\d+x\d+) cannot be true": {False},
            r"your dice alone make (\d+x\d+) true": {True},
            r"your dice make (\d+x\d+) surely true": {True},
            r"(\d+x\d+) is true with a chance": {False, True},
        }
        reasons = 0
        for pattern, wanted in said.items():
            for word in re.findall(pattern, text):
                assert outcomes(rules, hand, player, parse_claim(word)) == wanted, text
                reasons += 1
        assert reasons
        assert " 0.0%" not in text.partition("Why")[2]


@pytest.mark.parametrize("rules", BOOKS, ids=["plain", "wild"])
def test_every_position_of_the_shipped_books(rules: DiceRules) -> None:
    """As the advisor leaves them: mended and without what the own dice refute."""
    book = embedded_book(rules)
    assert book is not None
    random = np.random.default_rng(1)
    lines = 0
    for numbers in trunk_lines(book.tree, np.asarray(book.trunk.expand)):
        line = [claim for number in numbers if (claim := book.tree.claims[number]) is not None]
        if book.holds(line):
            table = ruled_out(rules, without_errors(book.table(line)))
            # Hands of one face are those that refute most.
            same = [row for row, hand in enumerate(table.hands) if len(set(hand)) == 1]
            check(rules, table, [*same, *random.choice(len(table.hands), 6).tolist()])
            lines += 1
    assert lines > 50


@pytest.fixture(scope="module")
def advisors() -> dict[DiceRules, Advisor]:
    return {rules: Advisor(solve_round(rules, limits=Limits(1e-3), threads=1)) for rules in SMALL}


@settings(max_examples=30, deadline=None)
@given(data=st.data())
def test_any_line_of_small_rounds(advisors: dict[DiceRules, Advisor], data: st.DataObject) -> None:
    rules = data.draw(st.sampled_from(SMALL))
    line: list[Claim] = []
    for _ in range(data.draw(st.integers(0, 4))):
        raises = legal_claims(rules, line[-1] if line else None)
        if not raises:
            break
        line.append(data.draw(st.sampled_from(raises)))
    table = advisors[rules].table(line)
    check(rules, table, list(range(len(table.hands))))


@settings(max_examples=60)
@given(chance=st.floats(0, 1))
def test_a_chance_that_is_neither_0_nor_1_never_looks_so(chance: float) -> None:
    assert percent(chance) not in ("of 0.0%", "of 100.0%")


def line_of(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["dice", "advise", "5,5,2,1,6", *words]) == 0
    return capsys.readouterr().out.splitlines()[0]


def test_a_newcomer_reads_the_line(capsys: pytest.CaptureFixture[str]) -> None:
    text = line_of(capsys, "--history", "10x6")
    assert text == "Doubt. Why: with your dice 10x6 cannot be true."
    text = line_of(capsys, "--history", "1x1")
    assert re.match(r"Say 2x5 .* or others \(\d+%\)\. Why: your dice alone make 1x1 true; ", text)
    assert "your dice make 2x5 surely true" in text
    shown = [int(each) for each in re.findall(r"(\d+)%\)", text)]
    assert 98 <= sum(shown) <= 102
    for history in ("2x1", "3x6"):
        text = line_of(capsys, "--history", history)
        assert re.search(rf"may hold {history} is true with a chance of \d+\.\d%;", text)
    assert "the best raise, 4x6, is worth" in text
    assert " Assumed: hands of players who err" in text


def test_a_reply_says_what_it_knows_and_who_is_meant(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["dice", "advise", "5,5,2,1,6", "--history", "1x1", "--against", "bluffer"]) == 0
    text = capsys.readouterr().out
    assert "hands and later moves of the bluffer player" in text.splitlines()[0]
    assert re.search(r"the other doubts \dx\d (hardly ever|\d+% of the time|nearly always)", text)
    assert "if he is so, this wins +" in text or "than the usual advice, which this is" in text
    assert "the second player, with 1,2,5,5,6 after 1x1" in text


def test_a_newcomer_at_a_table_of_three(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--dice", "5,5,5", "--samples", "200"]
    text = line_of(capsys, *words, "--history", "14x6")
    assert text.startswith("Doubt. Why: a doubt is worth +0.50; of the rest, ")
    assert text.endswith("; with your dice 14x6 cannot be true.")
    text = line_of(capsys, *words, "--history", "1x1")
    assert re.match(r"Say \dx\d.* Why: \dx\d is worth [+-]0\.\d\d; of the rest, ", text)
    text = line_of(capsys, *words, "--points", "1,3,2")
    assert re.match(r"Say .* Why: \dx\d wins the match with a chance of \d+\.\d%;", text)


def test_a_claim_is_sure_by_own_dice_alone() -> None:
    """A chance that a computer rounds to one is no certainty."""
    rules = DiceRules(dice=(2, 10), faces=2)
    seen = Seen(rules, (1, 2), 0)
    assert [seen.sure(claim) for claim in parse_history(rules, "1x1 2x1 11x1 12x1")] == [
        *[True, None, None, False]
    ]
    exactly = Seen(DiceRules(dice=(2, 1), faces=3, truth="exactly"), (2, 2), 0)
    assert [exactly.sure(Claim(quantity, 2)) for quantity in (1, 2, 3)] == [False, None, None]
