"""How good a pair of strategies is, and where its quality is heading."""

from dataclasses import dataclass, field
from math import exp, isfinite, log


@dataclass(frozen=True)
class Quality:
    """The exact quality of two strategies in a zero-sum game.

    Attributes
    ----------
    value : float
        First player's expected payoff when both play their strategies.
    low, high : float
        What the first player's strategy guarantees, and what the second player's concedes at
        most; the game's value lies between.

    Examples
    --------
    >>> quality = Quality(value=0.0, low=-0.25, high=0.5)
    >>> quality.nash_conv, quality.exploitability
    (0.75, 0.375)
    """

    value: float
    low: float
    high: float

    @property
    def nash_conv(self) -> float:
        """Sum of what both players gain by a best response."""
        return self.high - self.low

    @property
    def exploitability(self) -> float:
        """NashConv divided by the number of players."""
        return self.nash_conv / 2


@dataclass
class Trend:
    """Exploitability against iterations, as a power law through the last measurements."""

    points: list[tuple[int, float]] = field(default_factory=list)

    def add(self, iteration: int, exploitability: float) -> None:
        """Take one measurement."""
        self.points.append((iteration, exploitability))

    @property
    def last_iteration(self) -> int | None:
        """The iteration measured last."""
        return self.points[-1][0] if self.points else None

    @property
    def slope(self) -> float | None:
        """The exponent: -1 halves the exploitability with twice the iterations."""
        line = self._line()
        return None if line is None else line[0]

    def iterations_to(self, target: float) -> float | None:
        """Iterations at which the trend reaches the target; None without a falling trend."""
        line = self._line()
        if line is None or line[0] >= -1e-3:
            return None
        power = (log(target) - line[1]) / line[0]
        return exp(power) if isfinite(power) and power < 50 else None

    def _line(self) -> tuple[float, float] | None:
        recent = [(log(n), log(e)) for n, e in self.points[-6:] if n > 1 and e > 0]
        if len(recent) < 3:
            return None
        mean_x = sum(x for x, _ in recent) / len(recent)
        mean_y = sum(y for _, y in recent) / len(recent)
        spread = sum((x - mean_x) ** 2 for x, _ in recent)
        slope = sum((x - mean_x) * (y - mean_y) for x, y in recent) / spread
        return slope, mean_y - slope * mean_x
