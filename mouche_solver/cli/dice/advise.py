"""``mouche dice advise``."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from mouche_solver.cli.common import STDOUT, OutputFlags, Real, Seed, Whole, emit
from mouche_solver.cli.dice.group import DEFAULT_RULES, RuleFlags, whole_numbers
from mouche_solver.cli.dice.strategy import (
    AGAINST,
    TRUST,
    advisor_for,
    note_if_assumed,
    opponent_of,
    rules_for,
    sampled_for,
)
from mouche_solver.cli.dice.words import (
    Seen,
    heading,
    rows_text,
    sentence,
    thought_rows,
    thought_sentence,
)
from mouche_solver.dice.people.fitted import Fitted, Opponent
from mouche_solver.dice.round.strategy import advice as advice_of
from mouche_solver.dice.round.strategy import options
from mouche_solver.dice.rules.hands import Hand
from mouche_solver.dice.rules.notation import (
    DOUBT,
    format_claims,
    format_hand,
    parse_claim,
    parse_hand,
    parse_history,
)
from mouche_solver.dice.rules.rules import Claim
from mouche_solver.errors import UsageError

if TYPE_CHECKING:
    from mouche_solver.dice.sample.thinking import Budget, Thinker

_SCOPE = (
    "With three and more players no strategy is known to be safe: it may lose to others that it "
    "was not measured against."
)
_ROUNDS = "values are of the round: -1 for losing it, 1 / (players - 1) for not"
_MATCH = "values are chances to win the match, if every later round is lost by all alike"
_HARDLY_MET = "Training hardly met this position: the likeliest claim stands in."


def advise(
    hand: Annotated[str, Parameter(help="The dice of the player to act, such as 5,5,2,1,6.")],
    /,
    *,
    history: Annotated[str, Parameter(help="Claims so far, such as '3x5,4x5'.")] = "",
    solution: Annotated[Path | None, Parameter(help="File of mouche dice solve.")] = None,
    points: Annotated[
        str | None,
        Parameter(
            help="Points of three players and more in playing order, such as 1,3,2: the advice "
            "is then for the match; two play every round alike."
        ),
    ] = None,
    think: Annotated[
        Real | None, Parameter(help="Seconds to think with three players and more; 1 without it.")
    ] = None,
    samples: Annotated[
        Whole | None,
        Parameter(help="Guessed deals instead of seconds: the same answer anywhere."),
    ] = None,
    seed: Annotated[Seed | None, Parameter(help="Of the guesses; 1 without it.")] = None,
    against: Annotated[str | None, Parameter(help=AGAINST)] = None,
    trust: Annotated[Real | None, Parameter(help=TRUST)] = None,
    everything: Annotated[
        bool, Parameter(name="--all", negative="", help="Show every action, not the likeliest ten.")
    ] = False,
    game: RuleFlags = DEFAULT_RULES,
    output: OutputFlags = STDOUT,
) -> None:
    """What to do with one hand: every action, its probability and what it is worth.

    Values are expected payoffs, +1 for winning the round and -1 for losing it.
    """
    rules = rules_for(game, solution)
    if points is not None:
        rules = rules.replace(points=whole_numbers("--points", points))
    claims = parse_history(rules, history)
    player = len(claims) % rules.players
    dice = parse_hand(rules, hand, player)
    if rules.players > 2:
        if trust is not None:
            raise UsageError("--trust is for two players")
        from mouche_solver.dice.sample.thinking import Budget, Thinker

        budget = Budget(1.0 if think is None else think, samples, 1 if seed is None else seed)
        opponent = None if against is None else opponent_of(rules, against)
        thinker = Thinker(
            sampled_for(rules, solution),
            None if points is None else rules.starting_points,
            opponent,
        )
        at_table = _at_table(thinker, dice, claims, budget, everything, against)
        emit(output, at_table[0], {"action": str}, document=at_table[1], table=at_table[2])
        return
    if think is not None or samples is not None or seed is not None:
        raise UsageError("--think, --samples and --seed are for three players and more")
    strategy = advisor_for(rules, solution, against, trust)
    found = strategy.table(claims)
    place = found.hands.index(dice)
    advice = advice_of(rules, found, place)
    rows = [asdict(action) for action in advice.actions]
    document: dict[str, Any] = {
        "hand": format_hand(dice),
        "history": format_claims(claims),
        "player": player,
        "reach": found.reach,
        "value": advice.value,
        "actions": rows,
        "quality": strategy.quality_text,
    }
    if output.format != "table":  # there the sentence says so
        note_if_assumed(found)
    if found.assumed:
        document["assumed"] = found.assumed
    first = max(advice.actions, key=lambda each: each.probability).action
    doubted = None
    if first != DOUBT:
        doubted = strategy.doubted((*claims, parse_claim(first)))
    text = f"{sentence(found, advice, Seen(rules, dice, player), doubted)}\n"
    text += heading(player, claims, format_hand(dice), advice.value or 0.0)
    text += rows_text(advice, everything)
    if against is not None:
        reply = strategy.reply(claims)
        gain = float(reply.gain[place])
        document |= {"against": against, "trust": strategy.trust}
        document |= {"gain": gain, "risk": reply.risk}
        text += told_of(strategy.opponent) + _reply_words(gain, reply.risk)
    text += f"values: +1 for winning the round, -1 for losing it\n{strategy.quality_text}\n"
    emit(output, rows, {"action": str}, document=document, table=text)


def _reply_words(gain: float, risk: float) -> str:
    """What a reply to a described player wins and may lose."""
    if gain <= 0.0:
        return "nothing wins more from such a player than the usual advice, which this is\n"
    return (
        f"if he is so, this wins {gain:+.4f} more than the usual advice; if he is not, it may lose "
        f"{risk:.4f} more\n"
    )


def told_of(opponent: Opponent | None) -> str:
    """How many rounds a fitted model rests on; nothing for a player known by name."""
    if not isinstance(opponent, Fitted):
        return ""
    return (
        f"the model of {opponent.name} rests on {opponent.rounds} rounds; nearest of the six: "
        f"{opponent.nearest.name}\n"
    )


def _at_table(
    thinker: "Thinker",
    dice: Hand,
    claims: tuple[Claim, ...],
    budget: "Budget",
    everything: bool,
    against: str | None,
) -> tuple[list[dict[str, Any]], dict[str, Any], str]:
    """Rows, document and text of the advice at a table of three and more."""
    rules, strategy = thinker.rules, thinker.strategy
    thought = thinker.think(dice, claims, budget)
    mixed, values = thought.probabilities.tolist(), thought.values.tolist()
    found = options(rules, dice, thought.actions, mixed, values)
    rows = [
        {**asdict(option), "error": error, "table": table}
        for option, error, table in zip(
            found, thought.errors.tolist(), thought.table.tolist(), strict=True
        )
    ]
    player = len(claims) % rules.players
    document = {
        "hand": format_hand(dice),
        "history": format_claims(claims),
        "player": player,
        "points": list(thinker.points or rules.starting_points),
        "value": thought.value,
        "samples": thought.samples,
        "seed": budget.seed,
        "actions": rows,
        "trained": thought.trained,
        "quality": strategy.quality_text,
        "scope": _SCOPE,
    }
    unit = _ROUNDS if thinker.points is None else _MATCH
    seen, match = Seen(rules, dice, player), thinker.points is not None
    text = f"{thought_sentence(thought, found, claims, seen, match)}\n"
    text += "" if thought.trained else f"{_HARDLY_MET}\n"
    text += "" if against is None else f"The others play as the {against} player.\n"
    text += heading(player, claims, format_hand(dice), thought.value)
    text += thought_rows(rows, everything)
    text += f"{unit}; {thought.samples:,} guessed deals, seed {budget.seed}\n"
    return rows, document, f"{text}{strategy.quality_text}\n{_SCOPE}\n"
