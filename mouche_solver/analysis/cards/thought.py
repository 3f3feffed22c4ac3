"""Hands that are thought over: what a search finds at the likeliest history of each seat."""

import pandas as pd

from mouche_solver.analysis.cards.tree import DealtHands
from mouche_solver.cards.strategy.charts import ExchangeChart
from mouche_solver.cards.strategy.contexts import Frame
from mouche_solver.cards.strategy.situation import Situation
from mouche_solver.cards.strategy.strategy import CardStrategy
from mouche_solver.cards.think.search import Budget
from mouche_solver.cards.think.thinker import Thinker

HANDS = 4  # of each seat


def thought_frame(
    strategy: CardStrategy, chart: ExchangeChart, hands: DealtHands, budget: Budget
) -> pd.DataFrame:
    """Random hands of a seat, with what the table and a search say of each declaration.

    Parameters
    ----------
    strategy : CardStrategy
    chart : ExchangeChart
        Whose seat and history are looked at.
    hands : DealtHands
    budget : Budget
        Of each hand.

    Returns
    -------
    DataFrame
        Indexed by ``hand``, ``turned`` and ``declaration``; columns ``table`` and ``answer``
        (probabilities), ``value`` and ``error`` (in pots, by guesses of the hidden cards) and
        ``guesses``.
    """
    thinker, pack = Thinker(strategy, budget), strategy.rules.pack
    context, dealt = hands.of_first_context(chart.seat, HANDS)
    frame = Frame(strategy.rules, context.turned)
    rows = []
    for hand in dealt:
        seen = Situation(frame.outside(int(hand)), context.turned, chart.seat, chart.declared)
        thought = thinker.think_declaration(seen)
        for one in thought.choices:
            option = one.option
            laid = f" {' '.join(pack.names(option.cards))}" if option.cards else ""
            rows.append(
                {
                    "hand": " ".join(pack.mask_names(seen.hand)),
                    "turned": pack.name(context.turned),
                    "declaration": f"{option.action}{laid}",
                    "table": one.table,
                    "answer": option.probability,
                    "value": option.value,
                    "error": one.error,
                    "guesses": round(one.samples),
                }
            )
    return pd.DataFrame(rows).set_index(["hand", "turned", "declaration"])
