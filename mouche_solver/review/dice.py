"""The review of a written dice match, and its result as skill and luck.

How luck is measured is in :mod:`mouche_solver.review.luck`, for tables of three and more in
:mod:`mouche_solver.review.table_luck`.
"""

from collections.abc import Callable, Collection, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from mouche_solver.dice.odds import claim_probability
from mouche_solver.dice.round.strategy import HandTable, RoundStrategy
from mouche_solver.dice.rules.hands import Hand, all_hands
from mouche_solver.dice.rules.match_referee import PlayedRound, replay_match
from mouche_solver.dice.rules.notation import DOUBT, format_claims, format_hand, parse_claim
from mouche_solver.dice.rules.referee import Round
from mouche_solver.dice.rules.rules import Claim, DiceRules
from mouche_solver.dice.sample.strategy import SampledStrategy
from mouche_solver.dice.sweep.payoffs import loser_pays
from mouche_solver.errors import MoucheError, UsageError
from mouche_solver.review.answering import DiceAnswer, check_dice_rules, dice_answer
from mouche_solver.review.luck import round_luck
from mouche_solver.review.record import Choice, Decision, Review, Split, Told, judge
from mouche_solver.review.table_luck import table_luck
from mouche_solver.review.tables import PRICED, UNMET, choices, price, think

Floats = NDArray[np.float64]
UNIT = "points of a round (+1 won, -1 lost)"
TABLE_UNIT = "points of a round (-1 lost, +1 shared by the others)"
_MOST_ERROR = 2.0


def review_dice(
    text: str,
    rules: DiceRules | None = None,
    solution: Path | DiceAnswer | None = None,
    known: Collection[int] = (),
    told: Told | None = None,
    last: bool = False,
) -> Review:
    """Review a written match.

    Parameters
    ----------
    text : str
        One round a line, as :func:`mouche_solver.dice.replay_match` reads it.
    rules : DiceRules, optional
    solution : Path or strategy, optional
        The file or strategy that judges, of the rules with seat 0 starting.
    known : collection of int
        Seats known to follow the strategy that judges; the draws of their actions count as luck.
    told : callable, optional
        Receives the number of decisions that are done, and of all, before each one.
    last : bool
        Review the last round alone.

    Returns
    -------
    Review

    Raises
    ------
    MoucheError
        When the text cannot be read, or a round is neither known nor small enough to be solved.

    Examples
    --------
    >>> found = review_dice("5 / 3 : 2x5 doubt", DiceRules(dice=(1, 1), points=1))
    >>> found.worst().action, found.worst().mark
    ('2x5', 'blunder')
    """
    rules = DiceRules() if rules is None else rules
    played = replay_match(rules, text)
    if not played:
        raise UsageError("the written match holds no round")
    decisions: list[Decision] = []
    results, lucks, missing = np.zeros(rules.players), np.zeros(rules.players), ""
    first = len(played) if last else 1
    quality, total = "", sum(len(list(each.round.moments())) for each in played[first - 1 :])

    def tell(done: int) -> None:
        if told is not None:
            told(done, total)

    for part, each in enumerate(played[first - 1 :], start=first):
        same = part == first or each.before.round_rules.round_hash == rules.round_hash
        named = solution if same else None
        answer, why = _answer(each.before.round_rules, named)
        if answer is not None:
            quality = answer.quality_text
        decisions += _round(part, each, answer, why, len(decisions), tell)
        reveal = each.round.reveal
        if answer is None or reveal is None:
            missing = f"round {part}: {'it is not over' if reveal is None else why}"
            continue
        seats = list(each.before.seats)
        results[seats] += loser_pays(len(seats))[0][reveal.loser]
        lucks[seats] += _luck(answer, each, known)
    names = tuple(f"seat {seat}" for seat in range(rules.players))
    splits = {
        name: Split(float(result), float(luck), float(result - luck))
        for name, result, luck in zip(names, results, lucks, strict=True)
    }
    return Review(
        "dice",
        rules.to_dict(),
        names,
        1.0,
        UNIT if rules.players == 2 else TABLE_UNIT,
        quality,
        tuple(decisions),
        {} if missing else splits,
        no_split=f"skill and luck are not told apart; {missing}" if missing else "",
    )


def _answer(rules: DiceRules, solution: Path | DiceAnswer | None) -> tuple[DiceAnswer | None, str]:
    try:
        if isinstance(solution, RoundStrategy | SampledStrategy):
            check_dice_rules(solution, rules)
            return solution, ""
        return dice_answer(rules, solution), ""
    except MoucheError as error:
        if solution is not None:
            raise
        return None, f"not known: {error}"


def _round(
    part: int,
    each: PlayedRound,
    answer: DiceAnswer | None,
    why: str,
    before: int,
    tell: Callable[[int], None],
) -> list[Decision]:
    """The decisions of one round."""
    found: list[Decision] = []
    state = each.round
    flows = Flows(state.rules) if isinstance(answer, RoundStrategy) else None
    for moment in state.moments():
        player = moment.to_act
        assert player is not None  # moments end before the doubt
        action = action_of(state, len(moment.history))
        tell(before + len(found))
        error: float | None = None
        label, mix, priced = why, tuple[Choice, ...](), None
        if isinstance(answer, SampledStrategy):
            thought = think(answer, state.cups[player], moment.history, PRICED)
            mix, label = choices(thought), "" if thought.trained else UNMET
            priced = price(thought, action) if len(mix) > 1 else None
        elif answer is not None and flows is not None:
            table = answer.table(moment.history)
            mix = _mix(table, state.cups[player])
            error, label = _error(answer, flows.of(1 - player), table.assumed)
            flows.follow(table, action)
        value, top, loss, best, mark, trivial = judge(mix, action, 1.0)
        if priced is not None:
            value, top, loss, best, error, mark, trivial = priced
        found.append(
            Decision(
                before + len(found) + 1,
                part,
                f"seat {each.before.seats[player]}",
                format_claims(moment.history),
                format_hand(state.cups[player]),
                action,
                mix,
                value,
                top,
                loss,
                best,
                error,
                mark,
                label,
                trivial,
                reason(state.rules, moment.history, state.cups[player], action, best),
                len(moment.history),
                state.rules.dice,
            )
        )
    return found


def reason(
    rules: DiceRules, history: Sequence[Claim], hand: Hand, action: str, best: str | None
) -> str:
    """What the dice say of an action and of the best one, in one sentence.

    Examples
    --------
    >>> rules = DiceRules(dice=(1, 1))
    >>> reason(rules, [Claim(1, 5)], (3,), "2x5", "doubt")
    'With this hand the claim 1x5 was true with a chance of 17%, 2x5 with 0%.'
    >>> reason(rules, [], (3,), "1x5", "1x3")
    'With this hand 1x5 is true with a chance of 17%, 1x3 with 100%.'
    """

    def chance(claim: Claim) -> str:
        return f"{float(claim_probability(rules, claim, hand)):.0%}"

    if best is None or best == action:
        return ""
    if action == DOUBT:
        last = history[-1]
        return (
            f"With this hand the claim {last} that was doubted is true with a chance of "
            f"{chance(last)}; {best}, the better answer, with {chance(parse_claim(best))}."
        )
    mine = parse_claim(action)
    if best == DOUBT:
        last = history[-1]
        return (
            f"With this hand the claim {last} was true with a chance of {chance(last)}, "
            f"{mine} with {chance(mine)}."
        )
    return (
        f"With this hand {mine} is true with a chance of {chance(mine)}, "
        f"{best} with {chance(parse_claim(best))}."
    )


def action_of(state: Round, done: int) -> str:
    """What was said after so many claims."""
    return str(state.history[done]) if done < len(state.history) else DOUBT


def _mix(table: HandTable, hand: Hand) -> tuple[Choice, ...]:
    row = table.hands.index(tuple(sorted(hand)))
    parts = zip(
        table.actions, table.probabilities[row].tolist(), table.values[row].tolist(), strict=True
    )
    return tuple(Choice(*part) for part in parts)


def _error(answer: RoundStrategy, reach: float, assumed: str) -> tuple[float | None, str]:
    """A bound on the error of values, on average over hands, and what to say of it."""
    exploitability = answer.quality.exploitability
    if assumed:
        return None, f"good play hardly comes here; solved again, assumed: {assumed}"
    error = min(_MOST_ERROR, exploitability / max(reach, 1e-12))
    return error, "rare: values are to be taken with care" if reach < exploitability else ""


class Flows:
    """How likely each player's hands speak as they did, by the strategy."""

    def __init__(self, rules: DiceRules) -> None:
        self._flow = []
        for dice in rules.dice:
            _, ways = all_hands(dice, rules.faces)
            weights = np.array(ways, dtype=np.float64)
            self._flow.append(weights / weights.sum())

    def of(self, player: int) -> float:
        """The chance that a player speaks so."""
        return float(self._flow[player].sum())

    def follow(self, table: HandTable, action: str) -> None:
        """A player has done something."""
        column = table.actions.index(action)
        self._flow[table.player] = self._flow[table.player] * table.probabilities[:, column]


def _luck(answer: DiceAnswer, each: PlayedRound, known: Collection[int]) -> Floats:
    """Of everybody in the round, in playing order."""
    places = [place for place, seat in enumerate(each.before.seats) if seat in known]
    if isinstance(answer, SampledStrategy):
        return table_luck(answer, each.round, places)
    opener = round_luck(answer, each.round, places)
    return np.array([opener, -opener])
