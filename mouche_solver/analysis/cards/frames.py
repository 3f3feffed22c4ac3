"""Exchange charts as DataFrames."""

from typing import TYPE_CHECKING

from mouche_solver.cards.strategy.charts import ExchangeChart

if TYPE_CHECKING:
    import pandas as pd


def exchange_frame(chart: ExchangeChart) -> "pd.DataFrame":
    """An exchange chart as a table.

    Parameters
    ----------
    chart : ExchangeChart

    Returns
    -------
    DataFrame
        One row for each class of hand, indexed by ``trumps``, ``best``, ``kings``, ``queens`` and
        ``longest``; columns ``weight``, the declarations, ``value``, ``laid``, ``laid_share``.

    Examples
    --------
    >>> from mouche_solver.cards import Abstraction, CardRules, CardStrategy, CardTrainer
    >>> from mouche_solver.cards import exchange_chart
    >>> from mouche_solver.cards.train.trainer import Batch
    >>> rules = CardRules(players=2, ranks="K Q J", suits="C D", hand_size=2, reshuffle=False)
    >>> trainer = CardTrainer(Abstraction(rules), batch=Batch(64, 64, 2, 64))
    >>> trainer.train_round()
    >>> frame = exchange_frame(exchange_chart(trainer.strategy(), seat=0))
    >>> frame.shape
    (10, 8)
    """
    import pandas as pd

    frame = pd.DataFrame(chart.rows())
    numbers = ["weight", *chart.actions, "value", "laid_share"]
    frame = frame.astype(dict.fromkeys(numbers, "float64"))
    return frame.set_index(["trumps", "best", "kings", "queens", "longest"])
