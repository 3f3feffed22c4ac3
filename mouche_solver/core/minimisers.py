"""Regret minimisers as schedules: what an iteration multiplies, keeps and weighs.

All of them share one sweep. They differ in the factor that old regrets take before the new one
is added and in the weight with which a strategy enters the average.
"""

import math
from dataclasses import dataclass, replace
from typing import Literal, get_args

from mouche_solver.core.checks import real
from mouche_solver.errors import RulesError

# Every action keeps this probability at the end of a solve, more before: positions that good play
# never reaches have ranges, and are solved. docs/decisions/0025 says what it costs.
DEFAULT_TREMBLE = 1e-6
MOST_TREMBLE = 0.1
# Until this iteration trembles fall as 1/iteration.
_ANNEALED = 2000

# Share of the prediction in games up to so many entries.
_SHARES = ((1e6, 1 / 3), (1e7, 0.1), (math.inf, 0.05))
# Below this target predictive solves are faster; they take a third array.
_FINE = 1e-4

Algorithm = Literal["cfr", "cfr+", "dcfr", "pcfr+", "sapcfr+"]


@dataclass(frozen=True)
class Schedule:
    """A regret minimiser.

    Parameters
    ----------
    algorithm : {"cfr", "cfr+", "dcfr", "pcfr+", "sapcfr+"}
        Vanilla CFR [1]_; CFR+ [2]_; discounted CFR [3]_; predictive CFR+ [4]_; the same with a
        small share of the prediction [5]_.
    alpha, beta : float
        Exponents of discounted CFR: positive (negative) regrets take the factor
        ``t**alpha / (t**alpha + 1)`` after iteration t; ``alpha=inf`` forgets negative ones alone.
    gamma : float
        A strategy of iteration t enters the average with weight ``t**gamma``. The paper of
        discounted CFR takes 2; in these dice rounds 4 was better (docs/decisions/0001).
    ahead : float
        Share of the last regret that strategies count on seeing again; above 0 regrets are kept
        above zero.

    References
    ----------
    .. [1] Zinkevich et al., Regret minimization in games with incomplete information, 2007.
    .. [2] Tammelin, Solving large imperfect information games using CFR+, 2014.
    .. [3] Brown and Sandholm, Solving imperfect-information games via discounted regret
       minimization, 2019.
    .. [4] Farina, Kroer and Sandholm, Faster game solving via predictive Blackwell
       approachability, 2021.
    .. [5] Asymmetric predictive CFR+ with a fixed share, SAPCFR+, arXiv 2503.12770, 2025.

    Examples
    --------
    >>> Schedule("cfr+").factors(7)
    (1.0, 0.0)
    """

    algorithm: Algorithm
    alpha: float = 1.5
    beta: float = 0.0
    gamma: float = 4.0
    ahead: float = 0.0

    @property
    def predictive(self) -> bool:
        """Whether the strategy counts on seeing the last regret again."""
        return self.ahead > 0

    def factors(self, iteration: int) -> tuple[float, float]:
        """Factors of the positive and the negative regrets before iteration's are added."""
        if self.algorithm == "cfr":
            return 1.0, 1.0
        if self.algorithm == "cfr+" or self.alpha == math.inf:
            return 1.0, 0.0
        return _discount(iteration - 1, self.alpha), _discount(iteration - 1, self.beta)

    def weight(self, iteration: int) -> float:
        """Weight of an iteration's strategy in the average."""
        # Sums of steep weights as they are leave single precision after some thousand iterations.
        unit = 1.0 if self.gamma <= 6 else 2.0**-100
        return float(iteration**self.gamma) * unit


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
        "pcfr+": Schedule("pcfr+", alpha=math.inf, gamma=2.0, ahead=1.0),
        "sapcfr+": Schedule("sapcfr+", alpha=4.0, gamma=10.0, ahead=0.05),
    }
    if name not in schedules:
        raise RulesError(f"algorithm {name!r}: allowed are {', '.join(get_args(Algorithm))}")
    return schedules[name]


def sized(rule: Schedule, entries: int) -> Schedule:
    """A schedule as it is used in a game of so many information-set actions.

    The smaller a game, the more of the prediction pays (docs/decisions/0042).

    Examples
    --------
    >>> sapcfr = schedule("sapcfr+")
    >>> [round(sized(sapcfr, entries).ahead, 2) for entries in (10**5, 2 * 10**6, 10**8)]
    [0.33, 0.1, 0.05]
    >>> sized(schedule("dcfr"), 100) == schedule("dcfr")
    True
    """
    if rule.algorithm != "sapcfr+":
        return rule
    return replace(rule, ahead=next(share for most, share in _SHARES if entries <= most))


def default_algorithm(target: float) -> Algorithm:
    """The algorithm of a solve that nobody chose one for: a predictive one for fine targets.

    Examples
    --------
    >>> default_algorithm(1e-4), default_algorithm(1e-5)
    ('dcfr', 'sapcfr+')
    """
    return "dcfr" if target >= _FINE else "sapcfr+"


def checked_tremble(tremble: float) -> float:
    """A tremble that may be used: 0, which turns trembles off, or between 0 and 0.1.

    Raises
    ------
    RulesError
        For anything else.

    Examples
    --------
    >>> checked_tremble(1e-6)
    1e-06
    """
    if not 0 <= real("tremble", tremble) < MOST_TREMBLE:
        raise RulesError(f"tremble {tremble}: allowed are 0 (off) and numbers between 0 and 0.1")
    return float(tremble)


def default_tremble(target: float) -> float:
    """The tremble of a solve that nobody chose one for: less where the target is fine.

    Exploitability keeps a bias of several times the tremble.

    Examples
    --------
    >>> default_tremble(1e-3), default_tremble(1e-6)
    (1e-06, 2e-08)
    """
    return min(DEFAULT_TREMBLE, target / 50)


def tremble_at(tremble: float, iteration: int) -> float:
    """What an action keeps in an iteration, counted from 1: it falls as 1/iteration to ``tremble``.

    Large trembles at first let positions off the path learn while much flow reaches them. The
    kernels cap it so that half of every strategy is free.

    Examples
    --------
    >>> tremble_at(1e-6, 1000), tremble_at(1e-6, 5000), tremble_at(0.0, 1)
    (2e-06, 1e-06, 0.0)
    """
    return tremble * max(1.0, _ANNEALED / iteration)
