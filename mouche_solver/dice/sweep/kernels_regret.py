"""Regret matching over rows: strategies from regrets, regrets from values."""

from mouche_solver.core.jit import fast_kernel
from mouche_solver.dice.sweep.arrays import NOTHING, Floats, Step


@fast_kernel
def reach_norms(
    source: Floats, start: int, actions: int, width: int, scale: Floats, fallback: Floats
) -> None:
    """Regret matching's denominators: strategy = max(source, 0) * scale + fallback."""
    zero = source.dtype.type(0)
    one = source.dtype.type(1)
    nothing = source.dtype.type(NOTHING)
    uniform = one / source.dtype.type(actions)
    scale = scale[:width]
    fallback = fallback[:width]
    scale[:] = zero
    for action in range(actions):
        entry = source[start + action * width : start + (action + 1) * width]
        for x in range(width):
            scale[x] += max(entry[x], zero)
    for x in range(width):
        empty = scale[x] <= nothing
        fallback[x] = uniform if empty else zero
        scale[x] = zero if empty else one / scale[x]


@fast_kernel
def mix(entry: Floats, part: Floats, total: Floats, mixed: Floats) -> None:
    """Add one action to the sums from which regret matching takes the expected value."""
    zero = entry.dtype.type(0)
    for r in range(len(entry)):
        weight = max(entry[r], zero)
        total[r] += weight
        mixed[r] += weight * part[r]


@fast_kernel
def keep_best(part: Floats, best: Floats) -> None:
    """Raise ``best`` to ``part`` where that is larger, in place."""
    for r in range(len(part)):
        best[r] = max(best[r], part[r])


@fast_kernel
def add_regret(regret: Floats, source: Floats, part: Floats, expected: Floats, step: Step) -> None:
    """One action's regret, discounted by its sign; predictive: floor it and look ahead."""
    zero = regret.dtype.type(0)
    if step.ahead > 0:
        for r in range(len(part)):
            gain = part[r] - expected[r]
            total = max(regret[r] * step.positive + gain, zero)
            regret[r] = total
            source[r] = total + step.ahead * gain
    else:
        for r in range(len(part)):
            old = regret[r]
            old *= step.positive if old > zero else step.negative
            regret[r] = old + (part[r] - expected[r])


@fast_kernel
def least(tremble: float, actions: int) -> float:
    """What every action of an information set keeps: a tremble, at most half of a uniform share.

    Regret matching then runs over the simplex scaled by ``1 - actions * least``, to which
    ``least`` is added everywhere (Farina, Kroer and Sandholm 2017).
    """
    return min(tremble, 0.5 / actions)


@fast_kernel
def add_plain(part: Floats, plain: Floats) -> None:
    """Add an action's values to the unweighted sum, in place."""
    for r in range(len(part)):
        plain[r] += part[r]


@fast_kernel
def divide(expected: Floats, total: Floats, plain: Floats, uniform: float) -> None:
    """Regret matching's expected values from :func:`mix`'s sums, in place."""
    nothing = expected.dtype.type(NOTHING)
    for r in range(len(expected)):
        known = total[r] > nothing
        expected[r] = expected[r] / total[r] if known else plain[r] * uniform


@fast_kernel
def shake(expected: Floats, plain: Floats, tremble: float, keep: float) -> None:
    """What a class expects when its own actions keep a tremble, in place."""
    for r in range(len(expected)):
        expected[r] = expected[r] * keep + plain[r] * tremble
