"""Deals written down by hand."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from mouche_solver.cards.actions import Action, Exchange, Pass, Stand
from mouche_solver.cards.referee import apply
from mouche_solver.cards.rules import CardRules
from mouche_solver.cards.table import Deal, start_deal


@pytest.fixture
def deal_of() -> Callable[..., Deal]:
    """Make a deal from hands in seat order, the turn-up and the first cards of the stock."""

    def make(
        rules: CardRules, hands: Sequence[str], turned: str, stock: str = "", **money: Any
    ) -> Deal:
        pack = rules.pack
        order = list(pack.cards(" ".join([*hands, turned, stock])))
        order += [card for card in range(pack.size) if card not in order]
        return start_deal(rules, order, **money)

    return make


@pytest.fixture
def run() -> Callable[[Deal, str], Deal]:
    """Let the seats declare in order: ``pass``, ``stand`` or the cards to exchange, by commas."""

    def declare(deal: Deal, words: str) -> Deal:
        for text in words.split(", "):
            action: Action
            if text == "pass":
                action = Pass(deal.turn)
            elif text == "stand":
                action = Stand(deal.turn)
            else:
                action = Exchange(deal.turn, deal.rules.pack.cards(text))
            deal = apply(deal, action)
        return deal

    return declare
