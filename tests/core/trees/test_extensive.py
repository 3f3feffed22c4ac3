"""A game's tree becomes sequences and leaves; what forgets or is too large is refused."""

from fractions import Fraction

import pytest

from mouche_solver.core.trees import extensive
from mouche_solver.core.trees.extensive import sequence_form
from mouche_solver.core.trees.tree_size import estimate_nodes
from mouche_solver.dice import DiceRules
from mouche_solver.dice.exact import DiceRound
from mouche_solver.errors import TooLargeError


def test_kuhn_counts(kuhn):
    form = sequence_form(kuhn)
    assert form.leaves == 30
    assert form.nodes == 1 + 6 * 9
    assert len(form.owner) == 12
    assert form.sequences == 2 + 24
    assert form.zero_sum
    assert form.chances == (Fraction(1, 6),)


def test_a_set_comes_after_the_sequence_that_leads_to_it(kuhn):
    form = sequence_form(kuhn)
    assert (form.parent < form.start[:-1]).all()
    assert (form.sequence_owner[form.parent] == form.owner).all()
    call = form.index[0, (2, "pb")]
    passed = form.start[form.index[0, (2, "")]]
    assert form.parent[call] == passed


def test_behaviour_names_the_actions(kuhn):
    form = sequence_form(kuhn)
    assert form.behaviour(form.uniform(), 1, (0, "b")) == {"p": 0.5, "b": 0.5}
    with pytest.raises(KeyError):
        form.behaviour(form.uniform(), 1, (0, ""))


def test_a_key_that_forgets_own_actions_is_refused(kuhn):
    kuhn.infoset_key = lambda state: state.cards[kuhn.player(state)]
    with pytest.raises(ValueError, match="forgets"):
        sequence_form(kuhn)


def test_a_tree_beyond_the_limit_is_refused_while_walking(kuhn):
    assert sequence_form(kuhn, max_nodes=55).nodes == 55
    with pytest.raises(TooLargeError, match="at most 54 are allowed"):
        sequence_form(kuhn, max_nodes=54)


def test_a_giant_is_refused_before_walking():
    with pytest.raises(TooLargeError, match=r"about [0-9.]+e\+1[0-9] nodes"):
        sequence_form(DiceRound(DiceRules(dice=(5, 5))))


def test_what_is_surely_above_the_limit_is_refused_before_walking(monkeypatch):
    """Also where it is not ten times too large: a limit's nodes take minutes to walk."""
    monkeypatch.setattr(extensive, "_Walk", lambda *rest: pytest.fail("was walked"))
    with pytest.raises(TooLargeError, match="at most 500 are allowed"):
        sequence_form(DiceRound(DiceRules(dice=(1, 1), faces=4)), max_nodes=500)


def test_estimates_are_near_and_reproducible():
    game = DiceRound(DiceRules(dice=(1, 1), faces=3))
    nodes = sequence_form(game).nodes
    estimates = [estimate_nodes(game, walks=4000, seed=seed) for seed in (1, 1, 2)]
    assert estimates[0] == estimates[1] != estimates[2]
    assert estimates[0] == pytest.approx(nodes, rel=0.1)
