"""What a reply to a described player wins from him, and what it risks if he is somebody else.

``python benchmarks/check_replies.py --dice 3,3 --against honest`` looks at his openings that good
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
from pathlib import Path

import numpy as np

from mouche_solver.dice import DiceRules
from mouche_solver.dice.people.fitted import Habit, opponent_range
from mouche_solver.dice.people.players import PEOPLE, person
from mouche_solver.dice.people.sight import look
from mouche_solver.dice.people.slips import prior
from mouche_solver.dice.round import advisor as advising
from mouche_solver.dice.round.advisor import Advisor
from mouche_solver.dice.round.described import described_entries
from mouche_solver.dice.round.resolve import Described, Subproblem, against_described, resolve
from mouche_solver.dice.round.strategy import RoundStrategy
from mouche_solver.dice.rules.rules import Claim
from mouche_solver.solutions.spot import solved_on_the_spot
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
    # The whole round below an opening, not a thinned one.
    advising.thinned = lambda rules, last, player: strategy.tree
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
