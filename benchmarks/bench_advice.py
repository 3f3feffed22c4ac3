"""How good advice for dice is where people stand.

``pytest benchmarks/bench_advice.py`` holds the claims; the figures are those of
docs/advice-dice.md, and everything is seeded. Run as a program it prints what a reply to a
described player wins from him, and what it risks if he is somebody else:

``python benchmarks/bench_advice.py --dice 3,3 --against honest`` looks at his openings that good
play does not make. For each of them the subgame is solved as the advice solves it, but whole, and
for each trust two numbers are printed, both exact for the strategies that were found:

- ``won``: the payoff against him, as he plays to the end of the round, without slips;
- ``exploitability``: what somebody who always opens so, and knows the reply, gets above what his
  hands were worth before, as they are rolled.

Both are means over these openings, as often as he makes them. ``ranges`` is a reply to his hands
alone, who then plays on as well as anybody.
"""

import argparse
from dataclasses import replace
from functools import cache
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest

from mouche_solver.dice import DiceRules
from mouche_solver.dice.people.fitted import Habit, opponent_range
from mouche_solver.dice.people.players import PEOPLE, person
from mouche_solver.dice.people.sight import look
from mouche_solver.dice.people.slips import prior
from mouche_solver.dice.round import advisor as advising
from mouche_solver.dice.round.advisor import Advisor
from mouche_solver.dice.round.described import described_entries
from mouche_solver.dice.round.met import Met, met_against
from mouche_solver.dice.round.resolve import Described, Subproblem, against_described, resolve
from mouche_solver.dice.round.strategy import RoundStrategy
from mouche_solver.dice.rules.rules import Claim
from mouche_solver.dice.sample.met import met_at_table
from mouche_solver.dice.sample.thinking import Thinker
from mouche_solver.dice.sweep.tree import round_tree
from mouche_solver.solutions.spot import solved_on_the_spot
from mouche_solver.storage.dice.books import embedded_book
from mouche_solver.storage.dice.sampled import embedded_table
from mouche_solver.storage.dice.solutions import load_solution

TRUSTS = (0.0, 0.5, 1.0)


def openings(strategy: RoundStrategy, opponent: Habit) -> dict[Claim, float]:
    """The openings of a player that good play does not make, and how often he makes each."""
    mix = prior(strategy.rules, 0) @ opponent.mix(strategy.rules)
    claims = look(strategy.rules, ()).raises
    sound = Advisor(strategy).sound
    return {
        claim: float(often)
        for claim, often in zip(claims, mix, strict=True)
        if often > 0 and not sound((claim,))
    }


def problem_of(
    strategy: RoundStrategy, opponent: Habit, claim: Claim, trust: float, moves: bool
) -> Subproblem:
    """What the advice solves after an opening."""
    advisor = Advisor(strategy, opponent, trust)
    his = opponent_range(opponent, strategy.rules, 0, (claim,))
    _, problem = advisor.described((claim,), his)
    known = problem.described
    assert known is not None
    if moves:
        return problem
    # His hands alone: they join those that are believed.
    total = trust + (1.0 - trust) * problem.trust
    ranges = [each / each.sum() for each in problem.ranges]
    ranges[0] = trust * known.range / known.range.sum() + (total - trust) * ranges[0]
    return replace(problem, ranges=(ranges[0], ranges[1]), trust=total, described=None)


def measured(
    strategy: RoundStrategy, opponent: Habit, claim: Claim, trust: float, moves: bool
) -> tuple[float, float]:
    """What a reply wins from a player after an opening, and what it risks."""
    whole = round_tree(strategy.rules)
    with patch.object(advising, "thinned", lambda rules, last, player: whole):
        problem = problem_of(strategy, opponent, claim, trust, moves)
    resolved = resolve(problem)
    tree, rules = problem.tree, strategy.rules
    column = look(rules, ()).raises.index(claim)
    his = prior(rules, 0) * opponent.mix(rules)[:, column]
    known = Described(
        1.0,
        advising.by_class(tree, problem.cell // 2, 0, his),
        described_entries(opponent, tree, resolved.game.region, 0, slips=False),
    )
    problem = replace(problem, described=known)
    against_described(problem, resolved)
    values = resolved.game.evaluate(1, np.zeros(len(known.range), dtype=np.float32))
    own = advising.by_class(tree, problem.cell // 2, 1, prior(rules, 1))
    return float(own @ values), resolved.loss


# Mean loss of a decision against the best of one's own actions, payoffs of +1 and -1.
LOSS, TABLE_LOSS = 0.005, 0.005


@cache
def replies(moves: bool) -> tuple[float, float]:
    """What a reply at trust 0.5 wins from the honest player at 3 v 3, and its exploitability."""
    strategy = solved_on_the_spot(DiceRules(dice=(3, 3)))
    honest = PEOPLE["honest"]
    made = openings(strategy, honest)
    found = [measured(strategy, honest, claim, 0.5, moves) for claim in made]
    won, risk = np.average(found, axis=0, weights=list(made.values()))
    return float(won), float(risk)


def at_tables(players: int, rounds: int = 30) -> list[Met]:
    """As ``mouche dice evaluate --dice 5,5,5 --rounds 30 --seed 1``."""
    strategy = embedded_table(DiceRules(dice=(5,) * players))
    assert strategy is not None
    thinker = Thinker(strategy)
    return [met_at_table(thinker, each, rounds, 1, 1000) for each in PEOPLE.values()]


def test_later_moves_win_more_than_hands_alone() -> None:
    assert replies(True)[0] >= max(0.45, replies(False)[0] + 0.1)
    assert replies(True)[1] <= 0.09


@pytest.mark.parametrize("wild", [None, 1])
def test_advice_loses_little_where_people_lead(wild: int | None) -> None:
    book = embedded_book(DiceRules(wild=wild))
    assert book is not None
    advisor = Advisor(book)
    for each in PEOPLE.values():
        met = met_against(advisor, each, 30, 1)
        assert met.loss <= LOSS, met
        assert met.above == 0.0, met


def test_advice_loses_little_at_tables_of_people() -> None:
    found = at_tables(3)
    decisions = sum(met.decisions for met in found)
    mean = sum(met.loss * met.decisions for met in found) / decisions
    assert mean <= TABLE_LOSS
    assert max(met.worst for met in found) <= 0.15


def main() -> None:
    """Print one line for each trust and way to reply."""
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--dice", default="3,3")
    words.add_argument("--wild", type=int)
    words.add_argument("--against", default="honest", choices=list(PEOPLE))
    words.add_argument("--solution", type=Path)
    given = words.parse_args()
    rules = DiceRules(dice=tuple(map(int, given.dice.split(","))), wild=given.wild)
    solution = given.solution
    strategy = load_solution(solution) if solution else solved_on_the_spot(rules)
    opponent = person(given.against)
    made = openings(strategy, opponent)
    total = sum(made.values())
    share = f"{len(made)} openings, {total:.1%} of his"
    print(f"{rules.dice}, against {opponent.name}: {share}; {strategy.quality_text}")
    print("reply to         trust    won  exploitability  at most")
    for moves in (False, True):
        for trust in TRUSTS[0 if moves else 1 :]:
            found = [measured(strategy, opponent, claim, trust, moves) for claim in made]
            won, risk = np.average(found, axis=0, weights=list(made.values()))
            worst = max(each[1] for each in found)
            kind = "hands and moves" if moves else "hands"
            print(f"{kind:15}  {trust:5.2f}  {won:+.3f}  {risk:14.4f}  {worst:7.4f}")


if __name__ == "__main__":
    main()
