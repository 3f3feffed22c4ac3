"""Values at a table of three: against an exact recursion, and the same for the same seed."""

from functools import cache
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mouche_solver.dice import SampleLimits, train_sampled
from mouche_solver.dice.people.fitted import opponent_range
from mouche_solver.dice.people.players import PEOPLE
from mouche_solver.dice.people.sight import look
from mouche_solver.dice.rules.notation import parse_history
from mouche_solver.dice.rules.referee import Round
from mouche_solver.dice.rules.rules import Claim, DiceRules
from mouche_solver.dice.sample.met import met_at_table
from mouche_solver.dice.sample.strategy import SampledStrategy
from mouche_solver.dice.sample.thinking import Budget, Thinker, match_chances
from mouche_solver.errors import UsageError

RULES = DiceRules(dice=(1, 1, 1), faces=3, wild=1)


@cache
def strategy() -> SampledStrategy:
    return train_sampled(RULES, limits=SampleLimits(60_000), threads=1)


def exact(thinker: Thinker, hand: tuple[int, ...], claims: tuple[Claim, ...]) -> np.ndarray:
    """What each action is worth: every hand of the others, every way to play on."""
    me = len(claims) % RULES.players
    sight = look(RULES, claims)
    others = [seat for seat in range(RULES.players) if seat != me]
    spread = {seat: opponent_range(thinker.opponent, RULES, seat, claims) for seat in others}

    @cache
    def mixed(line: tuple[Claim, ...]) -> np.ndarray:
        return thinker.strategy.table(line).probabilities

    def after(cups: tuple[tuple[int, ...], ...], line: tuple[Claim, ...]) -> float:
        seen = look(RULES, line)
        mix = mixed(line)[seen.hands.index(cups[seen.player])]
        raised = [after(cups, (*line, claim)) for claim in seen.raises]
        return float(mix @ np.array([ended(cups, line), *raised]))

    def ended(cups: tuple[tuple[int, ...], ...], line: tuple[Claim, ...]) -> float:
        reveal = Round(RULES, cups, line, doubted=True).reveal
        assert reveal is not None
        return float(thinker.payoff[reveal.loser, me])

    values = np.zeros(len(sight.raises) + bool(claims))
    for rows in product(range(len(sight.hands)), repeat=len(others)):
        chance, cups = 1.0, [hand] * RULES.players
        for seat, row in zip(others, rows, strict=True):
            chance *= spread[seat][row]
            cups[seat] = sight.hands[row]
        found = [after(tuple(cups), (*claims, claim)) for claim in sight.raises]
        if claims:
            found.insert(0, ended(tuple(cups), claims))
        values += chance * np.array(found)
    return values


@pytest.mark.parametrize("history", ["2x3", "1x2 2x2"])
@pytest.mark.parametrize("points", [None, (1, 3, 2)])
def test_values_are_those_of_an_exact_recursion(
    history: str, points: tuple[int, ...] | None
) -> None:
    thinker = Thinker(strategy(), points)
    claims = parse_history(RULES, history)
    for hand in ((1,), (2,)):
        thought = thinker.think(hand, claims, Budget(samples=20_000))
        wanted = exact(thinker, hand, claims)
        assert np.all(np.abs(thought.values - wanted) <= 5 * thought.errors + 1e-9)
        assert thought.probabilities.sum() == pytest.approx(1.0)


@pytest.mark.parametrize("history", ["2x3", "1x2 2x2"])
def test_a_survey_is_the_exact_recursion_over_all_own_hands(history: str) -> None:
    thinker = Thinker(strategy())
    claims = parse_history(RULES, history)
    found = thinker.survey(claims, Budget(samples=20_000), least=0.0)
    table = strategy().sound_table(claims)
    assert found.actions == table.actions
    own = opponent_range(thinker.opponent, RULES, len(claims) % RULES.players, claims)
    worth = np.array([exact(thinker, hand, claims) for hand in table.hands])
    assert np.all(np.abs(found.values - own @ worth) <= 5 * found.errors + 1e-9)
    value = float((own[:, None] * table.probabilities * worth).sum())
    assert abs(found.value - value) <= 5 * found.error
    likely = thinker.survey(claims, Budget(samples=100), least=1.0)
    assert likely.actions == (table.actions[int((own @ table.probabilities).argmax())],)


def test_the_gap_to_what_is_advised_is_measured_in_the_same_deals() -> None:
    thinker = Thinker(strategy())
    thought = thinker.think((2,), "1x2", Budget(samples=400))
    payoffs = thinker.payoffs((2,), parse_history(RULES, "1x2"), Budget(samples=400))
    wanted = [np.std(payoffs[thought.main] - row, ddof=1) / 20 for row in payoffs]
    assert thought.gaps == pytest.approx(wanted)
    assert thought.gaps[thought.main] == 0
    assert thought.probabilities[thought.main] == thought.probabilities.max()


def test_a_number_of_deals_and_a_seed_give_one_answer() -> None:
    thinker = Thinker(strategy())
    one, two = (thinker.payoffs((2,), (), Budget(samples=300, seed=4)) for _ in range(2))
    assert (one == two).all()
    few = thinker.payoffs((2,), (), Budget(samples=100, seed=4))
    assert (few == one[:, :100]).all()
    assert not (one == thinker.payoffs((2,), (), Budget(samples=300, seed=5))).all()


@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_own_dice_are_never_spoken_against(data: st.DataObject) -> None:
    claims: tuple[Claim, ...] = ()
    for _ in range(data.draw(st.integers(1, 4))):
        raises = look(RULES, claims).raises
        if not raises:
            break
        claims = (*claims, data.draw(st.sampled_from(raises)))
    sight = look(RULES, claims)
    row = data.draw(st.integers(0, len(sight.hands) - 1))
    thought = Thinker(strategy()).think(sight.hands[row], claims, Budget(samples=16))
    if sight.raises and sight.standing[row] >= 1.0:
        assert thought.probabilities[0] == 0.0
    if sight.raises and sight.standing[row] <= 0.0:
        assert thought.probabilities[1:][sight.likely[row] <= 0.0].sum() == 0.0


@given(st.lists(st.integers(1, 4), min_size=2, max_size=4).map(tuple))
def test_somebody_wins_the_match(points: tuple[int, ...]) -> None:
    chances = match_chances(points)
    assert chances.sum(axis=1) == pytest.approx(np.ones(len(points)))
    for seat, have in enumerate(points):
        assert (chances[seat, seat] == 0.0) == (have == 1)
        assert all(chances[seat, seat] <= row[seat] + 1e-12 for row in chances)


def test_what_is_met_at_a_table_is_measured_by_fresh_deals() -> None:
    met = met_at_table(Thinker(strategy()), PEOPLE["honest"], 6, 1, 200)
    assert met.rounds == 6
    assert met.decisions > 0
    assert abs(met.loss) < 0.2


def test_budgets_that_cannot_be() -> None:
    for bad in ({"seconds": 0.0}, {"seconds": float("nan")}, {"samples": 3}):
        with pytest.raises(UsageError, match="allowed are"):
            Budget(**bad)
