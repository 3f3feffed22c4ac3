"""The report's data against the strategy, and the page as a file."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

from mouche_solver.analysis import DiceSolution, report_html, solve_dice, write_report
from mouche_solver.analysis.dice import report
from mouche_solver.analysis.dice.report import claim_tree
from mouche_solver.analysis.page.page import Section, page, sortable
from mouche_solver.cli import main
from mouche_solver.dice import DiceRules
from mouche_solver.dice.round.book import cut_book
from mouche_solver.dice.round.losses import own_losses
from mouche_solver.dice.round.strategy import RoundStrategy
from mouche_solver.dice.rules.notation import DOUBT
from mouche_solver.errors import RulesError, StorageError


def line_of(tree: dict, number: int) -> str:
    words = []
    while number > 0:
        words.append(tree["positions"][number]["said"])
        number = tree["positions"][number]["parent"]
    return " ".join(reversed(words))


def test_every_position_is_the_policy(strategy: RoundStrategy) -> None:
    tree = claim_tree(strategy, positions=12)
    assert len(tree["positions"]) == 12
    for number, each in enumerate(tree["positions"]):
        mix = strategy.mixed(line_of(tree, number))
        assert (each["player"], each["actions"]) == (mix.player, list(mix.actions))
        for row, group in enumerate(each["groups"]):
            stored = each["mixes"][group]
            for column, chance in enumerate(mix.probabilities[row]):
                assert stored.get(column, 0) / 1e4 == pytest.approx(chance, abs=0.5001e-4)


def test_reach_and_ranges(plain: DiceSolution) -> None:
    tree = claim_tree(plain, positions=25)
    for number, each in enumerate(tree["positions"]):
        table = plain.table(line_of(tree, number))
        assert each["reach"] == pytest.approx(table.reach)
        held = [share / 1e6 for share in each["held"]]
        assert held == pytest.approx(table.ranges[table.player], abs=1e-6)
        chances = table.ranges[table.player] @ table.probabilities
        assert [share / 1e6 for share in each["chances"]] == pytest.approx(chances, abs=1e-6)


def test_the_likeliest_positions_come_first(plain: DiceSolution) -> None:
    tree = claim_tree(plain, positions=30)
    reaches = [each["reach"] for each in tree["positions"]]
    assert reaches == sorted(reaches, reverse=True)
    # What leaves the positions by a claim, and what ends in them by a doubt, is everything.
    doubts = sum(
        each["reach"] * each["chances"][each["actions"].index(DOUBT)] / 1e6
        for each in tree["positions"]
        if DOUBT in each["actions"]
    )
    assert doubts + tree["left_out"] == pytest.approx(1, abs=1e-4)


def test_a_small_round_is_there_in_full(plain: DiceSolution) -> None:
    tree = claim_tree(plain)
    histories = plain.layout.histories
    assert len(tree["positions"]) == histories
    assert tree["left_out"] == 0
    for number, each in enumerate(tree["positions"]):
        for action, after in zip(each["actions"], each["next"], strict=True):
            assert (after == -1) == (action == DOUBT)
            if after >= 0:
                assert tree["positions"][after]["parent"] == number
    assert f"All {histories} positions" in report_html(plain)


def test_limits(plain: DiceSolution) -> None:
    small = claim_tree(plain, size=2000)
    assert 1 < len(small["positions"]) < 20
    # The last position is the one that went over the limit; links were filled in later.
    assert len(json.dumps(small["positions"][:-1], separators=(",", ":"))) < 2500
    with pytest.raises(RulesError, match="positions=0: at least 1"):
        claim_tree(plain, positions=0)


def test_the_page_needs_nothing_else(strategy: RoundStrategy, addresses_of) -> None:
    text = report_html(strategy)
    addresses = addresses_of(text)
    assert addresses
    assert all(each.startswith(("#", "data:image/png;base64,")) for each in addresses)
    assert "default-src 'none'" in text
    assert strategy.quality_text in text
    assert len(text) < 15e6
    data = re.search(r'<script type="application/json" id="data">(.*?)</script>', text)
    assert json.loads(data[1])["positions"][0]["parent"] == -1


def test_the_page_says_what_the_mixes_lose(plain: DiceSolution) -> None:
    assert own_losses(plain).text in report_html(plain)


def test_text_cannot_become_markup() -> None:
    frame = pd.DataFrame({"<b>": ["<i>", "</script>"], "x": [float("nan"), 0.25]})
    text = page("<t>", [Section("s", "<h>", sortable(frame, "n"))], {"d": "</script>"}, [])
    for word in ("<b>", "<i>", "<t>", "<h>", '"</script>"'):
        assert word not in text
    assert 'data-v="0.25"' in text


def test_columns_that_are_no_fractions() -> None:
    frame = pd.DataFrame({"chance": [0.5, 1.0], "value": [-0.25, float("nan")]}, index=[3, 4])
    text = sortable(frame, "n", {"value": "+.2f"})
    assert '<td class="n" data-v="0.5" style="--p:0.500">50.0%</td>' in text
    assert '<td data-v="-0.25">-0.25</td>' in text
    assert "<td>-</td>" in text


def test_the_command(plain: DiceSolution, tmp_path: Path, capsys) -> None:
    plain.save(tmp_path / "solution")
    assert main(["report", str(tmp_path / "solution"), "--out", str(tmp_path / "a.html")]) == 0
    assert (tmp_path / "a.html").read_text("utf-8") == report_html(plain)
    out, err = capsys.readouterr()
    assert out == ""
    assert re.search(r"a\.html: 0\.\d MB", err)


@pytest.mark.parametrize(
    "words, message",
    [
        (["missing", "--out", "a.html"], "cannot read .*missing"),
        (["solution", "--out", "no/a.html"], "cannot write .*no/a.html: No such file"),
        (["solution"], "--out"),
        (["solution", "--out", "."], "cannot write"),
    ],
)
def test_the_command_refuses(
    plain: DiceSolution, tmp_path: Path, capsys, monkeypatch, words: list[str], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    plain.save("solution")
    assert main(["report", *words]) == 2
    err = capsys.readouterr().err
    assert re.search(message, err)
    assert err.count("\n") == 1


def test_a_folder_that_is_not_there(plain: DiceSolution, tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="cannot write"):
        write_report(plain, tmp_path / "none" / "a.html")


def test_asking_for_help_loads_no_tables() -> None:
    code = (
        "import sys; from mouche_solver.cli import main; main(['report', '--help'])\n"
        "assert not {'pandas', 'matplotlib', 'numba'} & set(sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_book_is_resolved_below_few_rims(monkeypatch: pytest.MonkeyPatch) -> None:
    solved = solve_dice(DiceRules(dice=(2, 2), faces=3), target=1e-3, threads=1)
    whole, cut = cut_book(solved, rim=120), cut_book(solved, rim=120)
    everything = claim_tree(whole)
    monkeypatch.setattr(report, "MOST_RESOLVED", 2)
    tree = claim_tree(cut)
    assert len({line for line, _ in cut.resolved}) == 2
    assert len({line for line, _ in whole.resolved}) > 2
    assert not tree["complete"]
    # What is closed is what play leaves the page by.
    assert tree["left_out"] > everything["left_out"]
    positions = tree["positions"]
    inside = [p for p in positions if any(n >= 0 for n in p["next"])]
    assert len(positions) < len(everything["positions"])
    assert inside
    reach = sum(
        position["reach"] * position["chances"][place] / 1e6
        for position in positions
        for place, onward in enumerate(position["next"])
        if onward < 0 and position["actions"][place] != "doubt"
    )
    assert tree["left_out"] == pytest.approx(reach, abs=1e-4)
