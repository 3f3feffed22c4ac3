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
        low, high = found["odds"]["interval"]
        parts.append(
            f"loses {found['odds']['margin']:.3f} points a round less than the best odds-only "
            f"player ({low:.3f} to {high:.3f}); intervals are 95 %"
        )
    return "; ".join(parts)
