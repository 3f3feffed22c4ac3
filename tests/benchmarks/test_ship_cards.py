"""Trained card strategies are measured, shipped, and then found by all that ask for them."""

import importlib.util
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette")
from starlette.testclient import TestClient

from mouche_solver.cards import CardRules
from mouche_solver.cards.strategy.levels import Abstraction
from mouche_solver.cards.strategy.strategy import CardStrategy
from mouche_solver.cards.train.trainer import Batch, CardTrainer
from mouche_solver.cli import main
from mouche_solver.review import answering
from mouche_solver.storage import shipped as shipping
from mouche_solver.storage.cards.strategies import load_strategy, save_strategy
from mouche_solver.web.app import Settings, build
from mouche_solver.web.guard import HEADER

HOST = "127.0.0.1:8718"
SCRIPT = Path(__file__).parents[2] / "benchmarks" / "ship_cards.py"
TINY = CardRules(players=2, ranks="K Q J", suits="C D", hand_size=2, reshuffle=False)
MUSHKA, PAMPHILE = CardRules.mushka(4), CardRules(players=4, pamphile=True)
NEW = {"2": (CardRules(players=2), None), "mushka4": (MUSHKA, None), "pamphile4": (PAMPHILE, 20)}


@pytest.fixture(scope="module")
def script() -> Any:
    spec = importlib.util.spec_from_file_location("ship_cards", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder of shipped files, which the package takes for its own."""
    folder = tmp_path / "package" / "data"
    folder.mkdir(parents=True)
    (folder / shipping.MANIFEST).write_text("{}")
    monkeypatch.setattr(shipping, "files", lambda _: folder.parent)
    forget()
    yield folder
    monkeypatch.undo()
    forget()


def forget() -> None:
    shipping.manifest.cache_clear()
    answering._shipped_cards.cache_clear()


def trained(rules: CardRules, pot: int | None = None, seed: int = 1) -> CardStrategy:
    trainer = CardTrainer(
        Abstraction(rules, "coarse"), seed=seed, batch=Batch(64, 64, 1, 1 << 10), pot=pot
    )
    trainer.train_round()
    trainer.close()
    return trainer.strategy()


def test_a_file_is_measured_once_and_shipped_whole(
    script: Any, data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "ship").mkdir()
    path = tmp_path / "ship" / "tiny.npz"
    save_strategy(trained(TINY), path, short=True)
    few = ["--deals", "4096", "--response-deals", "8192", "--table-deals", "0", "--play-deals", "0"]
    few += ["--think-deals", "8"]
    words = [str(tmp_path), "--data", str(data), "--threads", "1", *few]
    script.main(words)
    said = capsys.readouterr().out
    assert "shipped: none for these rules" in said
    assert "response in the declarations" in said
    assert json.loads((data / shipping.MANIFEST).read_text()) == {}  # only looked at
    script.main([*words, "--ship", "tiny"])
    forget()
    name = f"cards-{TINY.deal_hash}.npz"
    assert list(shipping.manifest()) == [name]
    assert shipping.shipped(name) is not None
    assert load_strategy(data / name, TINY).training.known_gain is not None
    save_strategy(trained(TINY, seed=2), path, short=True)
    script.main(words)
    said = capsys.readouterr().out
    assert "the new one at the shipped one's table" in said
    assert {p.name for p in data.iterdir()} == {name, shipping.MANIFEST}
    measured = (tmp_path / "measured.json").stat().st_mtime_ns
    script.main(words)
    assert (tmp_path / "measured.json").stat().st_mtime_ns == measured


def test_too_much_is_not_shipped(script: Any, data: Path, tmp_path: Path, monkeypatch: Any) -> None:
    path = tmp_path / "tiny.npz"
    save_strategy(trained(TINY), path, short=True)
    found = {"tiny": {"new": {"best": [0.1, 0.01, "thumb"]}}}
    monkeypatch.setattr(script, "MOST_BYTES", 100)
    with pytest.raises(SystemExit, match="nothing was written"):
        script.ship([path], found, data)
    assert [p.name for p in data.iterdir()] == [shipping.MANIFEST]


@pytest.mark.parametrize("name", NEW)
def test_new_rules_are_answered_once_their_file_is_there(
    script: Any,
    data: Path,
    tmp_path: Path,
    name: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rules, pot = NEW[name]
    (tmp_path / "rules.json").write_text(rules.to_json())
    flags = ["--rules", str(tmp_path / "rules.json")]
    turned = "7D" if rules is MUSHKA else "8D"
    advise = ["cards", "advise", "KS,QS,JS,KH,9C", "--turned", turned, "--seat", "0", *flags]
    assert main([*advise, "--think", "0"]) == 2
    assert "no strategy for these rules" in capsys.readouterr().err
    path = tmp_path / f"{name}.npz"
    save_strategy(trained(rules, pot), path, short=True)
    script.ship([path], {name: {"new": {"best": [0.1, 0.01, "thumb"]}}}, data)
    forget()
    for think in ("0", "0.05"):
        assert main([*advise, "--think", think, "--format", "json"]) == 0
        rows = json.loads(capsys.readouterr().out)["actions"]
        assert sum(row["probability"] for row in rows) == pytest.approx(1)
    monkeypatch.setattr("sys.stdin", io.StringIO("help\nhint\nstand\nquit\n"))
    assert main(["cards", "play", *flags, "--seed", "3", "--think", "0"]) == 0
    assert "Deal 1" in capsys.readouterr().out
    app = build(Settings("token", folder=tmp_path / "kept"))
    sure = {"host": HOST, "origin": f"http://{HOST}", HEADER: "token"}
    client = TestClient(app, base_url=f"http://{HOST}", headers=sure)
    asked = {"rules": rules.to_dict(), "hand": "KS QS JS KH 9C", "turned": turned}
    assert client.post("/api/cards/advice", json=asked).json()["options"]
    body = {"kind": "cards", "rules": rules.to_dict(), "seat": 0}
    assert client.post("/api/games", json=body).json()["seat"] == 0
