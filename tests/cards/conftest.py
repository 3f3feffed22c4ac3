"""Deals written down by hand; strategies as those of exact games."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from mouche_solver.cards.odds.exact import FAR
from mouche_solver.cards.referee.actions import Action, Exchange, NameTrump, Pass, Play, Stand
from mouche_solver.cards.referee.deal import Deal, start_deal
from mouche_solver.cards.referee.referee import apply
from mouche_solver.cards.rules.rules import CardRules
from mouche_solver.cards.strategy.strategy import CardStrategy
from mouche_solver.core.trees.extensive import SequenceForm


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


@pytest.fixture
def behaviour() -> Callable[[SequenceForm, CardStrategy], Any]:
    """Ask a strategy at every information set of an exact game."""

    def asked(form: SequenceForm, strategy: CardStrategy) -> Any:
        """The strategy, asked at every information set of the exact game."""
        answer, rules = form.uniform(), strategy.rules
        for (seat, key), number in form.index.items():
            (_, laid, held), table, declared, numbers, history, trick = key
            actions = form.actions[number]
            said = [
                int(count) if word == "exchange" else word
                for word, count in zip(declared, numbers, strict=True)
                if word is not None
            ]
            chances = np.zeros(len(actions))
            named = table[2] if table[0] == rules.pamphile_card else None
            if isinstance(actions[0], NameTrump):
                chances[actions.index(NameTrump(seat, strategy.name_trump(held)))] = 1
            elif isinstance(actions[0], Play):
                played = [*history, *([trick] if trick else [])]
                cards = [[card for _, card in one] for one in played]
                swapped = None if table[1] == table[0] else table[1]
                holder = _seen_with_the_special_card(rules, table[3])
                for choice in strategy.play(
                    held, table[0], seat, said, laid, cards, swapped, named, holder
                ):
                    chances[actions.index(Play(seat, choice.card))] += choice.probability
            else:
                for option in strategy.declaration(held, table[0], seat, said, named):
                    action = {
                        "pass": Pass(seat),
                        "stand": Stand(seat, option.swap),
                        "exchange": Exchange(seat, option.cards, option.swap),
                    }[option.action]
                    chances[actions.index(action)] += option.probability
            answer[form.start[number] : form.start[number] + len(actions)] = chances
        return answer

    return asked


def _seen_with_the_special_card(rules: CardRules, money: tuple[int, ...]) -> int | None:
    """Who was paid for the Pamphile, or took more off for Mushka's Ace than tricks bring."""
    if rules.pamphile_card is None and rules.scoring == "chips":
        return None
    seen = [rules.hand_size < FAR - m if rules.scoring == "countdown" else m > 0 for m in money]
    return seen.index(True) if True in seen else None
