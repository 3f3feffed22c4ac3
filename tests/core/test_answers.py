"""Advice reads as options and as a mapping from actions to probabilities."""

import pytest

from mouche_solver.core.answers import Advice, Option

OPTIONS = (Option("doubt", 0.25, -0.5), Option("2x2", 0.75, 0.5))


def test_advice_reads_as_a_mapping() -> None:
    advice = Advice(0.25, OPTIONS)
    assert list(advice) == ["doubt", "2x2"]
    assert advice == {"doubt": 0.25, "2x2": 0.75}
    assert advice["doubt"] == 0.25
    assert "3x2" not in advice
    with pytest.raises(KeyError, match="3x2"):
        advice["3x2"]


def test_advice_with_other_values_is_other_advice() -> None:
    same, unmeasured = Advice(0.25, OPTIONS), Advice(None, OPTIONS)
    assert Advice(0.25, OPTIONS) == same
    assert hash(Advice(0.25, OPTIONS)) == hash(same)
    assert same != unmeasured
    assert same != Advice(0.25, OPTIONS, trained=False)
