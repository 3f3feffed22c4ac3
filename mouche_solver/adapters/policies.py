"""Strategies across the border: our solutions as OpenSpiel policies, and theirs in our measure."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from open_spiel.python.policy import TabularPolicy

from mouche_solver.adapters.dice.game import MoucheDiceGame
from mouche_solver.adapters.dice.text import round_key
from mouche_solver.adapters.openspiel import load_dice_game
from mouche_solver.core.quality import Quality
from mouche_solver.dice.round.line import locate, mixed_size
from mouche_solver.dice.round.solution import RoundSolution
from mouche_solver.dice.rules.hands import Hand
from mouche_solver.dice.rules.rules import DiceRules
from mouche_solver.dice.sweep.estimate import checked_tree
from mouche_solver.dice.sweep.layout import plan_layout
from mouche_solver.dice.sweep.sweep import Sweep
from mouche_solver.dice.sweep.tree import RoundTree
from mouche_solver.errors import RulesError, TooLargeError

Floats = NDArray[np.float64]

MAX_ENTRIES = 1_000_000  # both ways visit every hand at every line of claims, in Python
SUM_TOLERANCE = 1e-6


def to_openspiel_policy(solution: RoundSolution, game: Any) -> TabularPolicy:
    """A solved round as a policy that OpenSpiel's algorithms read.

    Parameters
    ----------
    solution : RoundSolution
        Of two players.
    game : MoucheDiceGame
        One round under the same rules, as OpenSpiel loaded it.

    Returns
    -------
    open_spiel.python.policy.TabularPolicy
        One row per information state; a forced doubt has probability 1.

    Raises
    ------
    RulesError
        When the game is not the solution's.
    TooLargeError
        When the round has more than a million information-set actions.

    Examples
    --------
    >>> from mouche_solver.core.run import Limits
    >>> from mouche_solver.dice.round.solve import solve_round
    >>> from open_spiel.python.algorithms import exploitability
    >>> rules = DiceRules(dice=(1, 1), faces=2)
    >>> solution, game = solve_round(rules, limits=Limits(1e-4)), load_dice_game(rules)
    >>> theirs = exploitability.exploitability(game, to_openspiel_policy(solution, game))
    >>> bool(abs(theirs - solution.exploitability) < 1e-6)
    True
    """
    one_round = isinstance(game, MoucheDiceGame) and not game.table.match
    if not one_round or game.table.rules.round_hash != solution.rules.round_hash:
        raise RulesError(f"the game is not one round under the solution's rules: {game}")
    _refuse_large(solution.layout.entries)
    policy = TabularPolicy(game)
    tree = solution.tree
    lines: list[tuple[int, ...]] = [()]
    while lines:
        line = lines.pop()
        last = line[-1] if line else 0
        _set_rows(policy, tree, line, solution.strategies(line))
        lines += [(*line, claim) for claim in tree.raises[last]]
    return policy


def _set_rows(policy: TabularPolicy, tree: RoundTree, line: tuple[int, ...], mixed: Floats) -> None:
    """Write the strategy after a line of claims, shape (actions, classes), for every hand."""
    player, last = len(line) % 2, line[-1] if line else 0
    classes, words = tree.classes[player], " ".join(str(tree.claims[claim]) for claim in line)
    of_hand, numbers = classes.of_hand[tree.level[last]], _numbers(tree, last)
    for number, hand in enumerate(classes.hands):
        row = policy.state_lookup[round_key(player, hand, words)]
        policy.action_probability_array[row] = 0
        policy.action_probability_array[row, numbers] = mixed[:, of_hand[number]]


def from_openspiel_policy(policy: Any, rules: DiceRules) -> Sweep:
    """Any OpenSpiel policy as average strategies of our exact sweep.

    The policy is asked for every hand after every line of claims. Hands whose futures are equal
    share a strategy here: theirs is weighted by how often each of them comes there, which
    changes neither player's payoff nor the best responses.

    Parameters
    ----------
    policy : open_spiel.python.policy.Policy or pyspiel.Policy
        Of both players, for ``load_dice_game(rules)``.
    rules : DiceRules
        Two players.

    Returns
    -------
    Sweep
        Its ``average`` holds the policy in double precision; see :func:`measure_openspiel_policy`.

    Raises
    ------
    RulesError
        When there are not two players, or probabilities do not add up to one.
    TooLargeError
        When the round has more than a million information-set actions.
    """
    tree = checked_tree(rules)
    layout = plan_layout(tree)
    _refuse_large(layout.entries)
    sweep = Sweep(tree, layout, np.float64, threads=1)
    game = load_dice_game(rules)
    hands = [_after_rolls(game, player, tree.classes[player].hands) for player in (0, 1)]
    reach = [classes.prior.copy() for classes in tree.classes]
    stack: list[tuple[tuple[int, ...], list[list[Any]], list[Floats]]] = [((), hands, reach)]
    while stack:
        line, states, reach = stack.pop()
        player, last = len(line) % 2, line[-1] if line else 0
        raises = tree.raises[last]
        if not raises:
            continue
        numbers = _numbers(tree, last)
        asked = np.array([_asked(policy, state, numbers) for state in states[player]])
        _write(sweep, line, asked, reach[player])
        for column, claim in enumerate(raises, start=int(last > 0)):
            after = [[state.child(claim - 1) for state in own] for own in states]
            flows = list(reach)
            flows[player] = reach[player] * asked[:, column]
            stack.append(((*line, claim), after, flows))
    return sweep


def measure_openspiel_policy(policy: Any, rules: DiceRules) -> Quality:
    """The exact value and exploitability of an OpenSpiel policy, by our best responses.

    Parameters
    ----------
    policy, rules
        As in :func:`from_openspiel_policy`.

    Examples
    --------
    >>> from open_spiel.python.policy import UniformRandomPolicy
    >>> rules = DiceRules(dice=(1, 1), faces=2)
    >>> measure_openspiel_policy(UniformRandomPolicy(load_dice_game(rules)), rules).exploitability
    0.4375
    """
    sweep = from_openspiel_policy(policy, rules)
    return Quality(sweep.evaluate(0), -sweep.best_response(1), sweep.best_response(0))


def _refuse_large(entries: int) -> None:
    if entries > MAX_ENTRIES:
        raise TooLargeError(
            f"the round has {entries:,} information-set actions; OpenSpiel's policies are carried "
            f"over up to {MAX_ENTRIES:,}: take fewer dice or faces"
        )


def _numbers(tree: RoundTree, last: int) -> list[int]:
    """The adapter's action numbers in the order of a strategy's rows: the doubt, then raises."""
    doubt = [len(tree.claims) - 1] if last > 0 else []
    return doubt + [claim - 1 for claim in tree.raises[last]]


def _after_rolls(game: Any, player: int, hands: tuple[Hand, ...]) -> list[Any]:
    """For each hand of a player a state after the rolls; what the other holds does not matter."""
    table, states = game.table, []
    for hand in hands:
        state = game.new_initial_state()
        for seat, dice in enumerate(table.rules.dice):
            cup = hand if seat == player else (1,) * dice
            rolls = table.rolls(dice)[0]
            for part in [(face,) for face in cup] if table.die_by_die else [cup]:
                state.apply_action(rolls.index(part))
        states.append(state)
    return states


def _asked(policy: Any, state: Any, numbers: list[int]) -> list[float]:
    """The policy's probabilities of some actions; all others must have none."""
    chances = dict(policy.action_probabilities(state))
    found = [float(chances.get(number, 0.0)) for number in numbers]
    if min(found) < 0 or abs(sum(found) - 1) > SUM_TOLERANCE:
        raise RulesError(
            f"the policy gives the legal actions at {state.information_state_string()!r} "
            f"probabilities that sum to {sum(found):g}; they must be at least 0 and sum to 1"
        )
    return found


def _write(sweep: Sweep, line: tuple[int, ...], asked: Floats, reach: Floats) -> None:
    """Merge the hands of each class, weighted by their reach; evenly where none gets there."""
    tree, player = sweep.tree, len(line) % 2
    place = locate(sweep.layout, line)
    of_hand = tree.classes[player].of_hand[tree.level[line[-1] if line else 0]]
    count = int(of_hand.max()) + 1
    total = np.bincount(of_hand, reach, count)
    weight = np.where(total[of_hand] > 0, reach, 1.0)
    total = np.bincount(of_hand, weight, count)
    block = sweep.average[place.start : place.start + mixed_size(tree, place)]
    block = block.reshape(asked.shape[1], count, place.rows)
    for action, column in enumerate(asked.T):
        block[action, :, place.row] = np.bincount(of_hand, weight * column, count) / total
