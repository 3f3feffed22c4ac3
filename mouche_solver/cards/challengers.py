"""What single players gain against a strategy: a lower bound on how far it can be beaten.

A library of challengers takes one seat in turn while all others keep to the strategy, on deals
that no training has seen. The best of them proves that somebody gains so much; that nobody gains
more it does not prove.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from mouche_solver.cards.kernels_records import Policy
from mouche_solver.cards.strategy import CardStrategy
from mouche_solver.cards.tournament import (
    BASELINES,
    Gain,
    GuessTables,
    baseline,
    play_duplicate,
    play_pimc,
)
from mouche_solver.errors import RulesError


@dataclass(frozen=True)
class Challenge:
    """One challenger's gain over an equal share when all others play the strategy."""

    challenger: str
    gain: Gain


def challenge(
    strategy: CardStrategy,
    challengers: Mapping[str, CardStrategy] | None = None,
    guesses: int = 0,
    deals: int = 100_000,
    seed: int = 0,
    threads: int = 1,
) -> list[Challenge]:
    """Measure every challenger, the best first.

    Parameters
    ----------
    strategy : CardStrategy
        A strategy whose continuation has shares that add up to one.
    challengers : mapping of str to CardStrategy, optional
        Others for the same deals; the baselines always take part.
    guesses : int
        Guessed hands for each card of a player who declares by the strategy and plays open hands;
        0 leaves him out. A tenth of the deals are enough for him.
    deals, seed, threads : int

    Raises
    ------
    RulesError
        For a strategy with the debt lost (a gain over an equal share means nothing then), or
        challengers for other deals or with other declarations.

    Examples
    --------
    >>> from mouche_solver.cards import CardRules
    >>> from mouche_solver.cards.abstraction import Abstraction
    >>> from mouche_solver.cards.train import Batch, CardTrainer
    >>> rules = CardRules(players=2, ranks="K Q J", suits="C D", hand_size=2, reshuffle=False)
    >>> trainer = CardTrainer(Abstraction(rules, "coarse"), batch=Batch(64, 64, 2, 64))
    >>> trainer.train_round()
    >>> found = challenge(CardStrategy.from_trainer(trainer), deals=4096)
    >>> sorted(c.challenger for c in found)
    ['random', 'thumb']
    """
    if strategy.training.continuation == "none":
        raise RulesError(
            "continuation='none': with the debt lost a deal is general-sum and an equal share is "
            "no yardstick; measure a strategy with shares or fixed-point"
        )
    policies = {name: baseline(strategy.abstraction, name) for name in BASELINES}
    for name, other in (challengers or {}).items():
        policies[name] = _policy(strategy, name, other)
    shares, game = strategy.training.seat_shares, strategy.game
    found = [
        Challenge(name, play_duplicate(game, one, strategy.policy, shares, deals, seed, threads))
        for name, one in policies.items()
    ]
    if guesses:
        tables = GuessTables(strategy.rules)
        own = strategy.policy
        gain = play_pimc(game, tables, own, own, shares, deals // 10 + 1, guesses, seed, threads)
        found.append(Challenge(f"guessing {guesses} hands", gain))
    return sorted(found, key=lambda c: -c.gain.mean)


def _policy(strategy: CardStrategy, name: str, other: CardStrategy) -> Policy:
    if other.rules.deal_hash != strategy.rules.deal_hash:
        raise RulesError(f"{name} is for other rules than the strategy that it challenges")
    if other.abstraction.actions != strategy.abstraction.actions:
        raise RulesError(f"{name} knows other declarations than the strategy that it challenges")
    return other.policy
