"""Matches: points, elimination, the next starter under every rule, written matches."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mouche_solver.dice import Claim, DiceRules, Match, play_match, replay_match
from mouche_solver.dice.rules.match_referee import Observation, format_match, play_round
from mouche_solver.dice.rules.referee import Action, Reveal
from mouche_solver.errors import IllegalMoveError, MoucheError, NotationError

STARTERS = ["next-seat", "loser", "winner", "after-loser", "doubter", "after-doubter"]


def reveal(claimant: int, doubter: int, correct: bool) -> Reveal:
    return Reveal(Claim(1, 1), claimant, doubter, count=1, correct=correct)


# Four seats, seat 1 starts: seats 1, 2, 3, 0 hold places 0, 1, 2, 3. Seat 3 claims, seat 0 doubts.
@pytest.mark.parametrize(
    "rule, points, correct, after, starter",
    [
        ("next-seat", (2, 2, 2, 2), True, (1, 2, 2, 2), 2),
        ("loser", (2, 2, 2, 2), True, (1, 2, 2, 2), 0),
        ("winner", (2, 2, 2, 2), True, (1, 2, 2, 2), 3),
        ("after-loser", (2, 2, 2, 2), True, (1, 2, 2, 2), 1),
        ("next-seat", (2, 2, 2, 2), False, (2, 2, 2, 1), 2),
        ("loser", (2, 2, 2, 2), False, (2, 2, 2, 1), 3),
        ("winner", (2, 2, 2, 2), False, (2, 2, 2, 1), 0),
        ("after-loser", (2, 2, 2, 2), False, (2, 2, 2, 1), 0),
        ("doubter", (2, 2, 2, 2), True, (1, 2, 2, 2), 0),
        ("doubter", (2, 2, 2, 2), False, (2, 2, 2, 1), 0),
        ("after-doubter", (2, 2, 2, 2), True, (1, 2, 2, 2), 1),
        ("after-doubter", (2, 2, 2, 2), False, (2, 2, 2, 1), 1),
        # The loser is out: it cannot start, the next live seat does.
        ("next-seat", (1, 2, 2, 2), True, (0, 2, 2, 2), 2),
        ("loser", (1, 2, 2, 2), True, (0, 2, 2, 2), 1),
        ("winner", (1, 2, 2, 2), True, (0, 2, 2, 2), 3),
        ("after-loser", (1, 2, 2, 2), True, (0, 2, 2, 2), 1),
        ("loser", (2, 2, 2, 1), False, (2, 2, 2, 0), 0),
        ("winner", (2, 2, 2, 1), False, (2, 2, 2, 0), 0),
        ("doubter", (1, 2, 2, 2), True, (0, 2, 2, 2), 1),
        ("doubter", (2, 2, 2, 1), False, (2, 2, 2, 0), 0),
        ("after-doubter", (1, 2, 2, 2), True, (0, 2, 2, 2), 1),
    ],
)
def test_next_starter(rule, points, correct, after, starter) -> None:
    match = Match(DiceRules(dice=(1, 2, 3, 4), next_starter=rule), points, starter=1)
    assert match.seats == (1, 2, 3, 0)
    following = match.after(reveal(claimant=2, doubter=3, correct=correct))
    assert (following.points, following.starter) == (after, starter)


def test_seats_already_out_are_passed_over() -> None:
    # Seats 1 and 2 are out; seats 0 and 3 hold places 0 and 1.
    match = Match(DiceRules(dice=(1, 2, 3, 4)), points=(2, 0, 0, 2), starter=0)
    assert match.seats == (0, 3)
    assert match.round_rules.dice == (1, 4)
    assert match.after(reveal(claimant=0, doubter=1, correct=True)).starter == 3


def test_the_seat_after_the_doubter_may_be_out() -> None:
    match = Match(DiceRules(dice=(1, 2, 3), next_starter="after-doubter"), (2, 2, 0), starter=0)
    for correct in (True, False):  # seat 1 doubts; seat 2 is out
        assert match.after(reveal(claimant=0, doubter=1, correct=correct)).starter == 0


def test_the_starter_may_be_the_one_who_is_out() -> None:
    match = Match(DiceRules(dice=(1, 2, 3)), points=(1, 2, 2), starter=0)
    following = match.after(reveal(claimant=0, doubter=1, correct=False))
    assert following.points == (0, 2, 2)
    assert following.seats == (1, 2)
    assert following.round_rules.dice == (2, 3)
    assert following.round_rules.points == (2, 2)


def test_dice_rotate_with_the_starter() -> None:
    match = Match(DiceRules(dice=(1, 2, 3)), points=(3, 3, 3), starter=2)
    assert match.round_rules.dice == (3, 1, 2)


def test_minimum_opening_is_capped_by_the_dice_left() -> None:
    rules = DiceRules(dice=(1, 1, 5), minimum_opening=4)
    assert Match(rules, (1, 1, 1)).round_rules.minimum_opening == 4
    assert Match(rules, (1, 1, 0)).round_rules.minimum_opening == 2


def test_last_with_a_point_wins() -> None:
    match = Match(DiceRules(dice=(1, 1), points=(1, 2)), points=(1, 2))
    assert match.winner is None
    assert match.after(reveal(0, 1, correct=False)).winner == 1


def test_a_written_match_step_by_step() -> None:
    rules = DiceRules(dice=(2, 2, 2), points=2)
    text = """
    5,5 / 3,1 / 2,2 : 2x2 3x5 doubt      # two fives: seat 1 loses its first point
    3,1 / 2,2 / 6,6 : 1x1 1x3 3x6 doubt  # two sixes: seat 0 claimed and loses its first point
    2,2 / 6,6 / 4,4 : 1x1 1x2 2x2 doubt  # a two pair: seat 2 doubted in vain
    1,1 / 1,2 / 2,2 : 1x1 4x2 doubt      # seat 0 starts; three twos: seat 1 is out
    3,3 / 4,4 : 2x3 doubt                # seat 2 starts, seat 0 doubts in vain and is out
    """
    played = replay_match(rules, text)
    assert [each.after.points for each in played] == [
        (2, 1, 2),
        (1, 1, 2),
        (1, 1, 1),
        (1, 0, 1),
        (0, 0, 1),
    ]
    assert [each.before.starter for each in played] == [0, 1, 2, 0, 2]
    assert played[-1].after.winner == 2
    assert "Game Play 7" in played[0].explain()
    assert played[-1].explain().endswith("seat 2 wins (End of the Game)")
    assert replay_match(rules, format_match(played)) == played


def uniform(rng: np.random.Generator):
    def act(seen: Observation) -> Action:
        return seen.legal_actions[rng.integers(len(seen.legal_actions))]

    return act


@given(
    st.lists(st.integers(1, 3), min_size=2, max_size=4),
    st.sampled_from(STARTERS),
    st.integers(1, 6),
    st.integers(0, 2**32),
)
@settings(max_examples=40, deadline=None)
def test_matches_end_and_replay(dice: list[int], starter: str, opening: int, seed: int) -> None:
    rules = DiceRules(
        dice=tuple(dice),
        faces=3,
        points=2,
        next_starter=starter,
        minimum_opening=min(opening, sum(dice)),
    )
    played = play_match(
        rules, [uniform(np.random.default_rng(seed))] * len(dice), np.random.default_rng(seed)
    )
    lost = 0
    for each in played:
        assert sum(each.before.points) - sum(each.after.points) == 1
        assert each.before.points[each.before.starter] > 0
        assert each.round.rules.total_dice == sum(
            count for count, points in zip(dice, each.before.points, strict=True) if points
        )
        lost += 1
    last = played[-1].after
    assert last.winner is not None
    assert sum(rules.starting_points) - lost == last.points[last.winner]
    assert replay_match(rules, format_match(played)) == played


def test_same_seed_same_match() -> None:
    def game(seed: int) -> str:
        players = [uniform(np.random.default_rng(7))] * 3
        return format_match(
            play_match(DiceRules(dice=(2, 2, 2)), players, np.random.default_rng(seed))
        )

    assert game(1) == game(1) != game(2)


def test_players_see_their_own_cup_only() -> None:
    seen: list[Observation] = []

    def spy(observation: Observation) -> Action:
        seen.append(observation)
        return "doubt" if observation.history else Claim(1, 1)

    play_round(DiceRules(dice=(1, 2)), ((3,), (4, 5)), [spy, spy])
    assert [(each.player, each.hand) for each in seen] == [(0, (3,)), (1, (4, 5))]
    assert not any(hasattr(each, "cups") for each in seen)


def test_a_player_who_breaks_the_rules_is_stopped() -> None:
    with pytest.raises(IllegalMoveError, match="Game Play 4"):
        play_round(DiceRules(dice=(1, 1)), ((3,), (4,)), [lambda seen: "doubt"] * 2)


@pytest.mark.parametrize(
    "points, text, kind, words",
    [
        (3, "5 / 3 : 1x5 doubt\n3 / 5 1x5", NotationError, "line 2: .*not a die"),
        (3, "5 / 3 : 1x5 1x4", IllegalMoveError, "line 1: claim 2, 1x4"),
        (3, "5 / 3 / 2 : 1x5 doubt", NotationError, "line 1: 3 cups"),
        (3, "5 / 3 : 1x5\n3 / 5 : 1x5 doubt", IllegalMoveError, "line 2: .*no doubt yet"),
        (1, "5/3 : 1x5 doubt\n5/3 : 1x5 doubt", IllegalMoveError, "line 2: seat 0 has won already"),
    ],
)
def test_bad_written_matches(points: int, text: str, kind: type[MoucheError], words: str) -> None:
    with pytest.raises(kind, match=words):
        replay_match(DiceRules(dice=(1, 1), points=points), text)
