"""Levels of cells for pooling advantages, and estimates that are shrunk from fine to coarse.

References
----------
.. [1] Efron and Morris, Data analysis using Stein's estimator and its generalizations, Journal of
   the American Statistical Association 70, 1975: shrinkage by an estimated spread.
.. [2] Morris, Parametric empirical Bayes inference: theory and applications, Journal of the
   American Statistical Association 78, 1983: an iteration for the spread, here with the squares
   weighted by their precision.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from mouche_solver.cards.measure.kernels_best_response import Cells, Marks, Sums
from mouche_solver.cards.strategy.levels import Abstraction

MOST_ENTRIES = 12_000_000  # of a level: cells times codes
ALIVE = 1  # the level (coarse hands, history classes) where codes are given up
SURELY = 3.0
NEAR = 0.1  # pots: actions so much worse may be good for some of the hands of a cell
FEW, TINY = 4, 1e-9  # samples that a less local variance counts for; least variance
STEPS = 8  # of the iteration for the spread of a level

Rows = NDArray[np.float32]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class CellLevels:
    """Rough, coarse, medium and lossless hands, each with histories by class or exact.

    Parameters
    ----------
    abstraction : Abstraction
        Of the strategy; its own chain does not matter.
    codes : int
        Actions of a cell.

    Examples
    --------
    >>> from mouche_solver.cards import CardRules
    >>> CellLevels(Abstraction(CardRules(players=3)), 34).names[:2]
    (('rough', 'class'), ('coarse', 'class'))
    """

    abstraction: Abstraction
    codes: int

    @cached_property
    def hands(self) -> dict[str, NDArray[np.int32]]:
        """The class of each lossless hand class, from rough to fine."""
        return {
            "rough": self.abstraction.hands_of("best-trump"),
            **{name: self.abstraction.hands_of(name) for name in ("coarse", "medium", "lossless")},
        }

    @cached_property
    def histories(self) -> dict[str, NDArray[np.int32]]:
        """The class of each exact history."""
        said = self.abstraction.histories
        return {"class": said.class_of, "exact": np.arange(said.number, dtype=np.int32)}

    @cached_property
    def names(self) -> tuple[tuple[str, str], ...]:
        """The levels that fit, coarser ones first."""
        every = [(h, x) for x in self.histories for h in self.hands if (h, x) != ("rough", "exact")]
        return tuple(name for name in every if np.prod(self.shape(name)) <= MOST_ENTRIES)

    def shape(self, name: tuple[str, str]) -> tuple[int, int, int]:
        """Hands, histories and codes of a level."""
        hands, said = self.hands[name[0]], self.histories[name[1]]
        return int(hands.max()) + 1, int(said.max()) + 1, self.codes

    @cached_property
    def cells(self) -> Cells:
        """What kernels take."""
        shapes = [self.shape(name) for name in self.names]
        return Cells(
            first=np.cumsum([0, *(h * x for h, x, _ in shapes)])[:-1].astype(np.int64),
            columns=np.array([x for _, x, _ in shapes], np.int64),
            hand_of=np.array([self.hands[h] for h, _ in self.names]),
            history_of=np.array([self.histories[x] for _, x in self.names]),
        )

    @property
    def number(self) -> int:
        """Cells of all levels."""
        return sum(h * x for h, x, _ in map(self.shape, self.names))

    def empty(self) -> Sums:
        """Sums without any sample."""
        hands, said, codes = self.shape(self.names[ALIVE])
        return Sums(
            number=np.zeros((self.number, codes), np.float32),
            total=np.zeros((self.number, codes), np.float32),
            squares=np.zeros((hands * said, codes)),
        )

    def gains(self, sums: Sums, caution: float = 1.0) -> tuple[Rows, tuple[float, ...]]:
        """What each level adds to the estimated advantages.

        Parameters
        ----------
        sums : Sums
        caution : float
            By how much the spread is taken to be smaller than it is over all actions: a good
            strategy leaves little to gain, much to lose.

        Returns
        -------
        float32 array, shape (cells, codes)
            The estimate for a hand is the sum over its cells.
        tuple of float
            For each level the visits at which it counts half (infinite when it knows nothing).
        """
        noise = self._noise(sums)
        gains, half = np.zeros_like(sums.total), []
        weight = np.zeros_like(sums.total)  # of one sample in what a level adds
        for level in range(len(self.names)):
            rows, shape = self._rows(level), self.shape(self.names[level])
            number = sums.number[rows].reshape(shape)
            mean = self._means(level, sums)
            base = self._coarser(level, gains)
            apart = mean - base
            scale = noise[0] if level == 0 else self._lifted(ALIVE, level, noise[1])
            inside = self._coarser(level, weight)
            spread = _spread(apart, number, scale, inside) / caution
            share = spread * number / (1.0 + spread * number)
            own = share * (1.0 / np.maximum(number, 1) - inside)
            weight[rows] = own.reshape(-1, self.codes)
            gains[rows] = (share * np.where(number > 0, apart, 0.0)).reshape(-1, self.codes)
            half.append(1.0 / spread if spread > 0 else float("inf"))
        return gains, tuple(half)

    def alive(self, sums: Sums, gains: Rows, half: tuple[float, ...]) -> Marks:
        """The codes that may still be answers in the cells of level ``ALIVE``.

        Given up is what lies ``SURELY`` standard errors below the strategy's own play.
        """
        rows, shape = self._rows(ALIVE), self.shape(self.names[ALIVE])
        number = sums.number[rows].reshape(shape)
        estimate = self._coarser(ALIVE, gains) + gains[rows].reshape(shape)
        error = np.sqrt(self._noise(sums)[1] / (number + half[ALIVE]))
        return np.asarray(estimate > -NEAR - SURELY * error).reshape(-1, self.codes)

    def _rows(self, level: int) -> slice:
        first = int(self.cells.first[level])
        hands, said, _ = self.shape(self.names[level])
        return slice(first, first + hands * said)

    def _means(self, level: int, sums: Sums) -> Floats:
        """The mean advantages of a level.

        Where codes are given up in a part of the cells of level 0 the mean over what was sampled
        would favour them: there it is the mean over the cells of level ``ALIVE``, by their visits.
        """
        if level:
            rows, shape = self._rows(level), self.shape(self.names[level])
            mean: Floats = (sums.total[rows] / np.maximum(sums.number[rows], 1)).reshape(shape)
            return mean
        parts, number = self._means(ALIVE, sums), sums.number[self._rows(ALIVE)]
        known = number.reshape(parts.shape) > 0
        weight = np.where(known, number.max(axis=1).reshape(*parts.shape[:2], 1), 0.0)
        _, one = np.unique(self.hands["coarse"], return_index=True)
        whole = self.hands["rough"][one]
        total, weights = np.zeros((2, *self.shape(self.names[0])))
        np.add.at(total, whole, weight * parts)
        np.add.at(weights, whole, weight)
        return total / np.maximum(weights, 1)

    def _noise(self, sums: Sums) -> tuple[Floats, Floats]:
        """The variance of one sample by code, in the cells of level 0 and of level ``ALIVE``."""
        rows, shape = self._rows(ALIVE), self.shape(self.names[ALIVE])
        number = sums.number[rows].astype(float).reshape(shape)
        squares = sums.squares.reshape(shape) - number * self._means(ALIVE, sums) ** 2
        degrees = np.maximum(number - 1, 0)
        _, one = np.unique(self.hands["coarse"], return_index=True)
        above = self.hands["rough"][one]
        within, freedom = np.zeros((2, *self.shape(self.names[0])))
        np.add.at(within, above, squares)
        np.add.at(freedom, above, degrees)
        usual = squares.sum(axis=(0, 1)) / np.maximum(degrees.sum(axis=(0, 1)), 1)
        roughly = (within + FEW * usual) / (freedom + FEW)
        finer = (squares + FEW * roughly[above]) / (degrees + FEW)
        return np.maximum(roughly, TINY), np.maximum(finer, TINY)

    def _coarser(self, level: int, gains: Rows) -> Floats:
        """The estimates of all levels that a level refines, for its cells."""
        base: Floats = np.zeros(self.shape(self.names[level]))
        order = list(self.hands)
        fine, exact = self.names[level]
        for other in range(level):
            hands, said = self.names[other]
            if order.index(hands) <= order.index(fine) and said in ("class", exact):
                base += self._lifted(
                    other, level, gains[self._rows(other)].reshape(self.shape(self.names[other]))
                )
        return base

    def _lifted(self, coarse: int, fine: int, table: NDArray[np.floating]) -> Floats:
        """A level's table, for the cells of a finer level."""
        (hands, said), (finer, later) = self.names[coarse], self.names[fine]
        _, one = np.unique(self.hands[finer], return_index=True)
        _, history = np.unique(self.histories[later], return_index=True)
        chosen = np.ix_(self.hands[hands][one], self.histories[said][history])
        return np.asarray(table[chosen], float)


def _spread(apart: Floats, number: Rows, noise: Floats, inside: Floats) -> float:
    """The true spread of deviations, in units of the noise of one sample; 0 when none shows.

    Deviations of cells with n samples have the mean square noise * (1 / n - inside + spread),
    ``inside`` being the weight that each of the samples has in what coarser levels say. Cells
    weigh as their precision.
    """
    seen = number >= 2
    if not seen.any():
        return 0.0
    squares = apart[seen] ** 2 / noise[seen]
    error = np.maximum(0.0, 1.0 / number[seen] - inside[seen])
    spread = 0.01
    for _ in range(STEPS):
        weight = 1.0 / (error + spread) ** 2
        spread = max(0.0, float((weight * (squares - error)).sum() / weight.sum()))
        if spread == 0.0:
            return 0.0
    return spread
