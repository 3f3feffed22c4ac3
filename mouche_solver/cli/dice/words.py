"""An advice in words: one line, then the likeliest actions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mouche_solver.cli.common import aligned
from mouche_solver.core.answers import Advice
from mouche_solver.dice.round.strategy import ActionAdvice, HandTable
from mouche_solver.dice.rules.hands import Hand, matches
from mouche_solver.dice.rules.notation import DOUBT, format_claims, parse_claim
from mouche_solver.dice.rules.rules import Claim, DiceRules

if TYPE_CHECKING:
    from mouche_solver.dice.sample.thinking import Thought

# Rows that are shown, and the probability below which one is folded away.
ROWS, _FOLDED = 10, 0.0005
# Values closer than this are as much.
_AS_MUCH = 0.01
# A claim less likely than this is called a bluff.
_BLUFF = 0.25
_PLACES = ("first", "second", "third", "fourth", "fifth", "sixth")


@dataclass(frozen=True)
class Seen:
    """The rules and one's own dice: what they alone say of claims."""

    rules: DiceRules
    hand: Hand
    player: int

    def sure(self, claim: Claim) -> bool | None:
        """Whether the own dice alone make a claim true or false; None where others decide.

        Examples
        --------
        >>> seen = Seen(DiceRules(dice=(2, 2)), (5, 5), 0)
        >>> [seen.sure(Claim(quantity, 5)) for quantity in (2, 3, 4)], seen.sure(Claim(3, 6))
        ([True, None, None], False)
        """
        own = matches(self.hand, claim.face, self.rules.wild)
        unknown = self.rules.total_dice - self.rules.dice[self.player]
        if self.rules.truth == "exactly":
            possible = own <= claim.quantity <= own + unknown
            return None if possible else False
        if own >= claim.quantity:
            return True
        return None if own + unknown >= claim.quantity else False

    def standing(self, claim: Claim, chance: float) -> str:
        """How true the claim that stands is, where the other's hands are guessed."""
        sure = self.sure(claim)
        if sure is None:
            return f"by the hands that he may hold {claim} is true with a chance {percent(chance)}"
        if sure:
            return f"your dice alone make {claim} true"
        return f"with your dice {claim} cannot be true"

    def claimed(self, option: ActionAdvice) -> str:
        """How true a claim to be made is, by these dice alone."""
        assert option.true_probability is not None
        claim, chance = parse_claim(option.action), option.true_probability
        sure = self.sure(claim)
        if sure:
            return f"your dice make {claim} surely true"
        if sure is False:
            return f"{claim} is a bluff: with your dice {claim} cannot be true"
        text = f"by your dice {claim} is true with a chance {percent(chance)}"
        return text if chance >= _BLUFF else f"{text}, a bluff"


def percent(chance: float) -> str:
    """A chance that is neither 0 nor 1, however close it comes.

    Examples
    --------
    >>> percent(1e-7), percent(0.196), percent(1 - 1e-7)
    ('below 0.1%', 'of 19.6%', 'above 99.9%')
    """
    if chance < 0.001:
        return "below 0.1%"
    return "above 99.9%" if chance > 0.999 else f"of {chance:.1%}"


def sentence(
    found: HandTable, advice: Advice[ActionAdvice], seen: Seen, doubted: float | None = None
) -> str:
    """What to say and why, in one line.

    The chance that the standing claim is true is against the range of the table, that of a claim
    to be made by the own dice alone. ``doubted`` is how often the likeliest action, a claim, is
    doubted, where that is known.
    """
    ordered = by_probability(advice)
    likely = _likely(ordered)
    doubt = next((each for each in advice.actions if each.action == DOUBT), None)
    text = f"{_said(likely)}. Why: "
    claim = next((each for each in likely if each.true_probability is not None), None)
    if doubt is None:
        assert claim is not None
        reasons = [seen.claimed(claim), _answered(claim, doubted), "nothing is worth more"]
    else:
        last = found.history[-1]
        reasons = [seen.standing(last, (1 - worth(doubt)) / 2)]
        if likely[0] is doubt:
            reasons.append(_instead(doubt, [each for each in ordered if each is not doubt]))
        elif claim is not None:
            if not seen.sure(last):
                mean = sum(each.probability * worth(each) for each in advice.actions)
                reasons.append(_compared(doubt, mean))
            reasons += [seen.claimed(claim), _answered(claim, doubted)]
    text += "; ".join(each for each in reasons if each) + "."
    if found.assumed and not (doubt is not None and seen.sure(found.history[-1]) is False):
        never = "" if found.reach > 0 else "Good play hardly ever comes here. "
        text += f" {never}Assumed: {found.assumed}."
    return text


def _likely(ordered: Sequence[ActionAdvice]) -> list[ActionAdvice]:
    return [each for each in ordered if each.probability >= 0.02][:3]


def _answered(claim: ActionAdvice, doubted: float | None) -> str:
    return "" if doubted is None else f"the other doubts {claim.action} {often(doubted)}"


def _instead(doubt: ActionAdvice, raises: Sequence[ActionAdvice]) -> str:
    """What a raise is worth beside the doubt that is advised."""
    if not raises:
        return ""
    best = max(raises, key=worth)
    if abs(worth(best) - worth(doubt)) < _AS_MUCH:
        return f"the best raise, {best.action}, is worth as much"
    return (
        f"the best raise, {best.action}, is worth {worth(best):+.2f}, a doubt {worth(doubt):+.2f}"
    )


def _compared(doubt: ActionAdvice, mean: float) -> str:
    """What a doubt is worth beside the claims that are advised."""
    if abs(worth(doubt) - mean) < _AS_MUCH:
        return "a doubt is worth as much"
    return f"a doubt is worth {worth(doubt):+.2f}, this {mean:+.2f}"


def often(chance: float) -> str:
    """A chance as part of the times.

    Examples
    --------
    >>> often(0.0001), often(0.234), often(0.9999)
    ('hardly ever', '23% of the time', 'nearly always')
    """
    if chance < 0.005:
        return "hardly ever"
    return "nearly always" if chance > 0.995 else f"{chance:.0%} of the time"


def worth(option: ActionAdvice) -> float:
    """The value of an action of a solved position, which always has one."""
    assert option.value is not None
    return option.value


def _said(likely: list[ActionAdvice]) -> str:
    """What to do, up to three actions, and how much is left for others."""
    parts = []
    for each in likely:
        word = "doubt" if each.action == DOUBT else f"{each.action}"
        parts.append(word if len(likely) == 1 else f"{word} ({each.probability:.0%})")
    rest = 1.0 - sum(each.probability for each in likely)
    if rest >= 0.015:
        parts.append(f"others ({rest:.0%})")
    text = parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} or {parts[-1]}"
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
    spoken = f"after {format_claims(claims)}" if claims else "at the start of the round"
    place = _PLACES[player] if player < len(_PLACES) else f"{player + 1}th"
    return f"the {place} player, with {hand} {spoken}: value {value:+.4f}\n"


def thought_sentence(
    thought: "Thought",
    found: Sequence[ActionAdvice],
    claims: Sequence[Claim],
    seen: Seen,
    match: bool = False,
) -> str:
    """What to say at a table of three and more, and why, in one line.

    With ``match`` values are chances to win the match.
    """
    ordered = by_probability(Advice(None, tuple(found)))
    likely = _likely(ordered)
    text = f"{_said(likely)}."
    if len(found) == 1:
        return f"{text} Why: no claim may follow."

    def valued(option: ActionAdvice) -> str:
        if not match:
            return f"is worth {worth(option):+.2f}"
        return f"wins the match with a chance {percent(worth(option))}"

    best = likely[0]
    name = "a doubt" if best.action == DOUBT else best.action
    text += f" Why: {name} {valued(best)}"
    others = [each for each in ordered if each not in likely]
    if others:
        second = max(others, key=worth)
        other = "a doubt" if second.action == DOUBT else second.action
        text += f"; of the rest, {other} {valued(second)}"
    if best.true_probability is not None:
        text += f"; {seen.claimed(best)}"
    elif claims and seen.sure(claims[-1]) is not None:
        text += f"; {seen.standing(claims[-1], 0.0)}"
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
