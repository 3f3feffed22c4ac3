"""How a run came to its result: the true exploitability at every measurement."""

import pandas as pd

from mouche_solver.core.run import Progress


class RunRecord:
    """Give this to a solve as its ``report`` to keep what was measured.

    Parameters
    ----------
    name : str
        What stands in the chart's legend.

    Examples
    --------
    >>> from mouche_solver import DiceRules, solve_dice
    >>> record = RunRecord("1 v 1")
    >>> solution = solve_dice(DiceRules(dice=(1, 1)), iterations=5, report=record)
    >>> record.frame().index.name, float(record.frame()["exploitability"].iloc[-1]) < 1
    ('iteration', True)
    """

    def __init__(self, name: str = "run") -> None:
        self.name = name
        self.measured: list[tuple[int, float, float]] = []

    def __call__(self, event: Progress) -> None:
        """Keep what a measurement says."""
        if event.phase == "measured" and event.exploitability is not None:
            self.measured.append((event.iteration, event.seconds, event.exploitability))

    def frame(self) -> pd.DataFrame:
        """One row per measurement: ``seconds`` and ``exploitability`` by ``iteration``."""
        names = ["iteration", "seconds", "exploitability"]
        return pd.DataFrame(self.measured, columns=names).set_index("iteration")
