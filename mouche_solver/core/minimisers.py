"""Regret minimisers as schedules: what an iteration multiplies, keeps and weighs.

All of them share one sweep. They differ in the factor that old regrets take before the new one
is added and in the weight with which a strategy enters the average.
"""

from dataclasses import dataclass
from typing import Literal, get_args

from mouche_solver.errors import RulesError

Algorithm = Literal["cfr", "cfr+", "dcfr", "pcfr+"]


@dataclass(frozen=True)
class Schedule:
    """A regret minimiser.

    Parameters
    ----------
    algorithm : {"cfr", "cfr+", "dcfr", "pcfr+"}
        Vanilla CFR [1]_; CFR+ [2]_; discounted CFR [3]_; predictive CFR+ [4]_.
    alpha, beta : float
        Exponents of discounted CFR: positive (negative) regrets take the factor
        ``t**alpha / (t**alpha + 1)`` after iteration t; ``beta=-inf`` forgets negative ones.
    gamma : float
        A strategy of iteration t enters the average with weight ``t**gamma``. The paper of
        discounted CFR takes 2; in these dice rounds 4 was better (docs/decisions/0001).

    References
    ----------
    .. [1] Zinkevich et al., Regret minimization in games with incomplete information, 2007.
    .. [2] Tammelin, Solving large imperfect information games using CFR+, 2014.
    .. [3] Brown and Sandholm, Solving imperfect-information games via discounted regret
       minimization, 2019.
    .. [4] Farina, Kroer and Sandholm, Faster game solving via predictive Blackwell
       approachability, 2021.

    Examples
    --------
    >>> Schedule("cfr+").factors(7)
    (1.0, 0.0)
    """

    algorithm: Algorithm
    alpha: float = 1.5
    beta: float = 0.0
    gamma: float = 4.0

    @property
    def predictive(self) -> bool:
        """Whether the strategy counts on seeing the last regret again."""
        return self.algorithm == "pcfr+"

    def factors(self, iteration: int) -> tuple[float, float]:
        """Factors of the positive and the negative regrets before iteration's are added."""
        if self.algorithm == "cfr":
            return 1.0, 1.0
        if self.algorithm != "dcfr":
            return 1.0, 0.0
        return _discount(iteration - 1, self.alpha), _discount(iteration - 1, self.beta)

    def weight(self, iteration: int) -> float:
        """Weight of an iteration's strategy in the average."""
        return float(iteration**self.gamma)


def _discount(done: int, exponent: float) -> float:
    if done == 0:
        return 0.0
    power = float(done) ** exponent
    return float(power / (power + 1.0))


def schedule(name: str) -> Schedule:
    """The schedule of an algorithm's name.

    Raises
    ------
    RulesError
        When there is no such algorithm.

    Examples
    --------
    >>> schedule("cfr").gamma, schedule("pcfr+").gamma
    (0.0, 2.0)
    """
    schedules = {
        "cfr": Schedule("cfr", gamma=0.0),
        "cfr+": Schedule("cfr+", gamma=1.0),
        "dcfr": Schedule("dcfr", alpha=1.5, beta=0.0, gamma=4.0),
        "pcfr+": Schedule("pcfr+", gamma=2.0),
    }
    if name not in schedules:
        raise RulesError(f"algorithm {name!r}: allowed are {', '.join(get_args(Algorithm))}")
    return schedules[name]
