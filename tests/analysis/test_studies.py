"""The studies run from top to bottom in their fast mode, and write what they say."""

import runpy
import sys
from pathlib import Path

import jupytext
import numpy as np
import pandas as pd
import pytest

from mouche_solver.analysis import (
    Study,
    bluff_table,
    card_strategy,
    dice_strategy,
    discard_table,
    doubt_frontier,
    exchange_grid,
)
from mouche_solver.cards import CardRules
from mouche_solver.dice import DiceRules
from mouche_solver.errors import StorageError

FOLDER = Path(__file__).parents[2] / "analysis"
STUDIES = {
    "dice_openings": (["hands", "groups", "claims"], ["hands", "claims", "bluffs"]),
    "dice_wild": (["rounds", "even"], ["claims-plain", "claims-wild", "doubts-wild", "even"]),
    "dice_doubt": (["chances", "frontier", "rule-of-thumb"], ["frontier", "highest-face"]),
    "cards_exchange_four": (
        ["situations", "discards", "kept-cards", "kept", "values"],
        ["page", "kept", "values"],
    ),
    "cards_standing": (["hands", "seats", "mouches", "posterior", "kept"], ["hands"]),
    "cards_rewards": (
        ["quality", "seats", "pots", "suit-mouches", "variants"],
        ["seats", "variants"],
    ),
}


def run(name: str, out: Path, monkeypatch: pytest.MonkeyPatch) -> dict:
    monkeypatch.setattr(sys, "argv", [name, "--fast", "--out", str(out)])
    return runpy.run_path(str(FOLDER / f"{name}.py"))


@pytest.mark.parametrize("name", STUDIES)
def test_a_study(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = run(name, tmp_path, monkeypatch)
    prefix = name.replace("_", "-")
    tables, figures = STUDIES[name]
    for table in tables:
        stored = pd.read_parquet(tmp_path / f"{prefix}-{table}.parquet")
        assert len(stored) == len(pd.read_csv(tmp_path / f"{prefix}-{table}.csv")) > 0
    for figure in figures:
        assert (tmp_path / f"{prefix}-{figure}.pdf").stat().st_size > 1000
        assert (tmp_path / f"{prefix}-{figure}.png").stat().st_size > 1000
    words = (tmp_path / f"{prefix}.md").read_text("utf-8")
    assert words.startswith(f"# {found['study'].question}\n")
    assert "error" in words
    CHECKS[name](found, words)


def check_openings(found: dict, words: str) -> None:
    claims = bluff_table(dice_strategy(DiceRules(dice=(2, 2))))
    assert claims["chance"].idxmax() == found["common"]
    assert f"the commonest is {found['common']}, with {claims['chance'].max():.0%}" in words
    assert found["cost"] > -found["error"]  # a habit cannot beat mixing by more than the error


def check_wild(found: dict, words: str) -> None:
    table = found["table"]
    assert list(table.index) == [(d, ones) for d in (1, 2) for ones in ("plain", "wild")]
    assert (table["start_high"] - table["start_low"]).max() <= 6e-4
    wild = dice_strategy(DiceRules(dice=(2, 2), wild=1), target=5e-4)
    assert table.loc[(2, "wild"), "start"] == (1 + wild.quality.value) / 2
    assert f"{table.loc[(2, 'wild'), 'start']:.4f} with them" in words


def check_doubt(found: dict, words: str) -> None:
    frontier = doubt_frontier(dice_strategy(DiceRules(dice=(2, 2))))
    assert f"A claim on 6s is doubted from: {frontier.loc[6, 0]} with 0 matching" in words
    rule = found["rule"]
    # Departing from the strategy wins nothing but its error.
    assert (rule["chance"] * rule["cost"] > -found["error"]).all()
    assert rule["strategy"].between(0, 1).all()


def check_exchange_four(found: dict, words: str) -> None:
    strategy = card_strategy(CardRules(players=3))
    grid = exchange_grid(strategy, ["stand"])
    passes = np.dot(grid["weight"], grid["pass"])
    assert found["seats"].loc["seat 1 after stand", "pass"] == pytest.approx(passes)
    assert f"After a stand by the first hand seat 1 passes {passes:.0%} of its hands" in words
    said = found["seats"].drop(columns="cards")
    np.testing.assert_allclose(said.sum(axis=1), 1)
    # The share that follows the rule, hand by hand.
    pack, follows, total = strategy.rules.pack, 0.0, 0.0
    for row in discard_table(strategy).itertuples():
        if row.declaration.startswith("exchange"):
            good = {c for c in row.Index[1].split() if c[-1] == "C" or c[0] == pack.ranks[-1]}
            follows += row.weight * row.chance * (good == set(row.kept.split()))
            total += row.weight * row.chance
    assert found["enough"] == pytest.approx(follows / total)
    assert f'change the rest": {found["enough"]:.0%}' in words


def check_standing(found: dict, words: str) -> None:
    every, table = found["every"], found["table"]
    without = 1 - every["mouche"]
    assert every["bluff"] == pytest.approx(without * table.loc[table["bluff"], "share"].sum())
    assert f"{every['bluff']:.0%} +- {2 * every['error']:.1%}" in words
    assert found["odds"].loc["deal", "one"] == pytest.approx(1 / 1170)
    loses = found["gain"].high < 0
    assert ("that is what standing is worth" in words) == loses
    few = found["kept"].loc["stand", ["0 trumps", "1 trumps"]].sum()
    assert f"at most one trump in {few:.0%} of the cases" in words


def check_rewards(found: dict, words: str) -> None:
    seats, compared = found["seats"], found["compared"]
    assert seats["share"].sum() == pytest.approx(1)
    rows = seats.loc["3 players"]
    clear = rows["share"].max() - rows["share"].min() > 3 * np.hypot(
        rows.loc[rows["share"].idxmax(), "error"], rows.loc[rows["share"].idxmin(), "error"]
    )
    assert ("No seat is better off" in words) == (not clear)
    np.testing.assert_allclose(found["pot"][["alone", "mouche", "tricks"]].sum(axis=1), 1)
    assert compared["trained"].nunique() == 1
    assert compared["trained"].iloc[0] >= found["training"]
    assert found["pot"].loc["3 players", "mean"] > 5


CHECKS = {
    "cards_exchange_four": check_exchange_four,
    "cards_standing": check_standing,
    "cards_rewards": check_rewards,
    "dice_openings": check_openings,
    "dice_wild": check_wild,
    "dice_doubt": check_doubt,
}


@pytest.mark.parametrize("name", STUDIES)
def test_a_study_is_a_notebook_that_uses_the_public_names(name: str) -> None:
    book = jupytext.read(FOLDER / f"{name}.py")
    assert book.cells[0].cell_type == "markdown"
    assert "**Question.**" in book.cells[0].source
    assert "**Method.**" in book.cells[0].source
    assert "`--fast`" in book.cells[0].source
    code = "\n".join(cell.source for cell in book.cells if cell.cell_type == "code")
    public = {
        "mouche_solver",
        "mouche_solver.analysis",
        "mouche_solver.dice",
        "mouche_solver.cards",
    }
    imported = {line.split()[1] for line in code.splitlines() if line.startswith("from ")}
    assert imported <= public


def test_where_output_goes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    study = Study("s", "Why?", ["-f", "kernel.json"])  # as in a notebook
    assert not study.fast
    study.say("So.")
    assert study.finish().read_text("utf-8") == "# Why?\n\nSo.\n"
    assert (tmp_path / "analysis" / "output" / "s.md").is_file()
    (tmp_path / "taken").touch()
    with pytest.raises(StorageError, match="cannot make folder"):
        Study("s", "Why?", ["--out", "taken"])
