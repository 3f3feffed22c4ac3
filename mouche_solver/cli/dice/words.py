"""An advice in words: one line, then the likeliest actions."""

from mouche_solver.cli.common import aligned
from mouche_solver.core.answers import Advice
from mouche_solver.dice.round.strategy import ActionAdvice, HandTable
from mouche_solver.dice.rules.notation import DOUBT, format_claims

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


def heading(found: HandTable, hand: str, value: float) -> str:
    """Who is to act with what, and what it is worth."""
    spoken = format_claims(found.history) or "the start of the round"
    return f"player {found.player} with {hand} after {spoken}: value {value:+.4f}\n"
