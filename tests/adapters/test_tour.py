"""The text notebook runs from top to bottom, in its fast mode."""

import runpy
from pathlib import Path

import pytest

TOUR = Path(__file__).parents[2] / "analysis" / "openspiel_tour.py"


def test_the_tour(monkeypatch) -> None:
    monkeypatch.setenv("MOUCHE_FAST", "1")
    found = runpy.run_path(str(TOUR))["results"]
    assert found["cfr dice"] < 0.02
    assert found["cfr cards"] < 0.02
    assert found["mccfr dice"] < 0.3
    assert found["mccfr cards"] < 0.3
    assert found["ours"] <= 1e-4
    assert found["ours in theirs"] == pytest.approx(found["ours"], abs=1e-6)
    assert found["theirs in ours"] == pytest.approx(found["ours"], abs=1e-6)
    assert found["cards value"] == pytest.approx(found["cards exact"], abs=1e-3)
