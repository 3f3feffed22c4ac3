"""A card strategy for given rules: the one that is shipped, else one trained now."""

from mouche_solver.cards.rules.rules import CardRules
from mouche_solver.cards.strategy.levels import usual_abstraction
from mouche_solver.cards.strategy.strategy import CardStrategy
from mouche_solver.cards.train.loop import run_training
from mouche_solver.cards.train.trainer import CardTrainer
from mouche_solver.storage.cards.strategies import embedded_strategy


def card_strategy(
    rules: CardRules | None = None, deals: int = 500_000, seed: int = 0, threads: int = 1
) -> CardStrategy:
    """The strategy that the package ships for these rules, else one trained on ``deals`` deals.

    Parameters
    ----------
    rules : CardRules, optional
        Four players with 36 cards by default.
    deals : int
        Deals that train a strategy that is not shipped, some tens of thousands a second.
    seed, threads : int
        Of the training.

    Returns
    -------
    CardStrategy

    Raises
    ------
    RulesError
        For rules that strategies are not made for, or no deals.
    TooLargeError
        When training does not fit into memory.

    Examples
    --------
    >>> from mouche_solver.cards import CardRules
    >>> card_strategy(CardRules(players=3)).rules.pack.size
    28
    """
    rules = CardRules() if rules is None else rules
    return embedded_strategy(rules) or train_cards(rules, deals, seed, threads)


def train_cards(rules: CardRules, deals: int, seed: int = 0, threads: int = 1) -> CardStrategy:
    """Train a strategy, shipped or not; parameters of :func:`card_strategy`."""
    trainer = CardTrainer(usual_abstraction(rules), seed=seed, threads=threads)
    try:
        ended = run_training(trainer, deals=deals)
        return trainer.strategy(ended.seconds)
    finally:
        trainer.close()
