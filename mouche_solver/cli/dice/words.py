"""An advice in words: one line, then the likeliest actions."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from mouche_solver.cli.common import aligned
from mouche_solver.core.answers import Advice
from mouche_solver.dice.round.strategy import ActionAdvice, HandTable
from mouche_solver.dice.rules.notation import DOUBT, format_claims
from mouche_solver.dice.rules.rules import Claim

if TYPE_CHECKING:
    from mouche_solver.dice.sample.thinking import Thought

# Rows that are shown, and the probability below which one is folded away.
ROWS, _FOLDED = 10, 0.0005
# Values closer than this are as much.
_AS_MUCH = 0.01


def sentence(found: HandTable, advice: Advice[ActionAdvice]) -> str:
    """What to say and why, in one line.

    The chance that the standing claim is true is against the range of the table.
    """
    likely = [each for each in by_probability(advice) if each.probability >= 0.02][:3]
    mean = sum(each.probability * worth(each) for each in advice.actions)
    best = max(worth(each) for each in advice.actions)
    text = _said(likely)
    doubt = next((each for each in advice.actions if each.action == DOUBT), None)
    if doubt is not None and all(each is not doubt for each in likely):
        if worth(doubt) >= best - _AS_MUCH:
            text += "; a doubt is worth as much"
        else:
            text += f"; a doubt is worth {worth(doubt):+.2f}, this {mean:+.2f}"
    text += "."
    if doubt is not None and found.history:
        text += f" Why: {found.history[-1]} is true with {(1 - worth(doubt)) / 2:.1%}"
        first = next((each for each in likely if each.true_probability is not None), None)
        if first is not None:
            text += f", and the odds of {first.action} are {first.true_probability:.1%}"
        text += " with your dice."
    elif likely[0].true_probability is not None:
        text += f" Why: with your dice {likely[0].action} is true with "
        text += f"{likely[0].true_probability:.1%}, and nothing else is worth more."
    if found.assumed:
        never = "" if found.reach > 0 else "Good play never comes here. "
        text += f" {never}Assumed: {found.assumed}."
    return text


def worth(option: ActionAdvice) -> float:
    """The value of an action of a solved position, which always has one."""
    assert option.value is not None
    return option.value


def _said(likely: list[ActionAdvice]) -> str:
    parts = []
    for each in likely:
        word = "doubt" if each.action == DOUBT else f"{each.action}"
        parts.append(word if len(likely) == 1 else f"{word} ({each.probability:.0%})")
    text = " or ".join(parts)
    return f"{text[0].upper()}{text[1:]}" if likely[0].action == DOUBT else f"Say {text}"


def by_probability(advice: Advice[ActionAdvice]) -> list[ActionAdvice]:
    """The actions, the likeliest first, and of equally likely ones the better first."""
    return sorted(advice.actions, key=lambda each: (-round(each.probability, 4), -worth(each)))


def rows_text(advice: Advice[ActionAdvice], everything: bool) -> str:
    """The actions in columns, in percent; at most ten of those with a probability, or all."""
    ordered = by_probability(advice)
    shown = ordered
    if not everything:
        shown = [each for each in ordered if each.probability >= _FOLDED][:ROWS]
    rows = [
        {
            "action": each.action,
            "probability": f"{each.probability:.1%}".rjust(11),
            "value": f"{worth(each):+.3f}",
            "true": ""
            if each.true_probability is None
            else f"{each.true_probability:.1%}".rjust(6),
        }
        for each in shown
    ]
    text = aligned(rows)
    if len(shown) < len(ordered):
        text += f"actions not shown: {len(ordered) - len(shown)}; --all shows them\n"
    return text


def heading(player: int, claims: Sequence[Claim], hand: str, value: float) -> str:
    """Who is to act with what, and what it is worth."""
    spoken = format_claims(claims) or "the start of the round"
    return f"player {player} with {hand} after {spoken}: value {value:+.4f}\n"


def thought_sentence(
    thought: "Thought", found: Sequence[ActionAdvice], claims: Sequence[Claim]
) -> str:
    """What to say at a table of three and more, and why, in one line."""
    ordered = by_probability(Advice(None, tuple(found)))
    likely = [each for each in ordered if each.probability >= 0.02][:3]
    text = f"{_said(likely)}."
    if len(found) == 1:
        return f"{text} Why: no claim may follow."
    best = likely[0]
    others = [each for each in ordered if each not in likely]
    text += f" Why: {best.action} is worth {worth(best):+.2f}"
    if others:
        second = max(others, key=worth)
        text += f", the best other action, {second.action}, {worth(second):+.2f}"
    if best.true_probability is not None:
        text += f"; with your dice {best.action} is true with {best.true_probability:.1%}"
    return f"{text}."


def thought_rows(rows: Sequence[Mapping[str, Any]], everything: bool) -> str:
    """The actions of a table of three and more with standard errors, the likeliest first."""
    ordered = sorted(rows, key=lambda row: (-round(row["probability"], 4), -row["value"]))
    shown = ordered
    if not everything:
        shown = [row for row in ordered if row["probability"] >= _FOLDED or row["table"] >= 0.01]
        shown = shown[:ROWS]
    text = aligned(
        [
            {
                "action": row["action"],
                "probability": f"{row['probability']:.1%}".rjust(11),
                "table": f"{row['table']:.1%}".rjust(6),
                "value": f"{row['value']:+.3f}",
                "error": f"{row['error']:.3f}",
                "true": ""
                if row["true_probability"] is None
                else f"{row['true_probability']:.1%}".rjust(6),
            }
            for row in shown
        ]
    )
    if len(shown) < len(ordered):
        text += f"actions not shown: {len(ordered) - len(shown)}; --all shows them\n"
    return text
