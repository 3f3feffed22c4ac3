"""What a sampled strategy answers, how it came about, and what was measured of it in words."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Training:
    """How a strategy came about; the same seed and batches give the same strategy.

    ``visits`` are sampled information sets.
    """

    seed: int
    batches: int
    visits: int
    seconds: float = 0.0

    def to_dict(self) -> dict[str, Any]:
        """All fields."""
        return asdict(self)


@dataclass(frozen=True)
class SampledAction:
    """One action for one hand; ``true_probability`` is None for a doubt.

    ``value`` is None: what an action is worth was not measured, and nothing is made up.
    """

    action: str
    probability: float
    value: float | None
    true_probability: float | None


@dataclass(frozen=True)
class SampledAdvice:
    """What to do with one hand.

    ``trained`` is False where training hardly met the position, so that the odds-only rule speaks.
    """

    value: float | None
    actions: tuple[SampledAction, ...]
    trained: bool


def quality_text(training: Training, found: Mapping[str, Any]) -> str:
    """What was measured of a strategy, in one line; lower bounds are called so."""
    parts = [f"sampled strategy with a bounded memory ({training.visits:,} visits)"]
    if not found:
        parts.append("its quality was not measured")
    for key, name in (("local_response", "a local"), ("learned_response", "a learned")):
        if key in found:
            low, high = found[key]["interval"]
            parts.append(
                f"{name} best response gains {found[key]['gain']:.4f} points a round "
                f"({low:.4f} to {high:.4f}; others may gain more)"
            )
    if "odds" in found:
        odds = found["odds"]
        low, high = (abs(end) for end in odds["interval"])
        word = "less" if odds["margin"] > 0 else "more"
        if odds["interval"][0] < 0 < odds["interval"][1]:
            parts.append("at the worst table with odds-only players it loses about as much as they")
        else:
            parts.append(
                f"at the worst table with odds-only players ({odds['table']}, threshold "
                f"{odds['threshold']}) it loses {abs(odds['margin']):.3f} points a round {word} "
                f"than they ({min(low, high):.3f} to {max(low, high):.3f})"
            )
        parts.append("intervals are 95 %")
    return "; ".join(parts)
