"""Reviewing a text of either game: card transcripts begin with their own line."""

from pathlib import Path

from mouche_solver.cards.referee.transcript import HEADER
from mouche_solver.cards.strategy.strategy import CardStrategy
from mouche_solver.dice.round.strategy import RoundStrategy
from mouche_solver.dice.rules.rules import DiceRules
from mouche_solver.dice.sample.strategy import SampledStrategy
from mouche_solver.errors import UsageError
from mouche_solver.review.answering import DiceAnswer
from mouche_solver.review.record import Review, Told


def review_text(
    text: str,
    rules: DiceRules | None = None,
    strategy: Path | DiceAnswer | CardStrategy | None = None,
    told: Told | None = None,
) -> Review:
    """Review a written match of dice or a written game of cards.

    Parameters
    ----------
    text : str
        A card transcript begins with ``mouche-cards 1``; everything else is read as dice.
    rules : DiceRules, optional
        Of a match of dice; transcripts of cards hold their own.
    strategy : Path or strategy, optional
        The file or strategy that judges.
    told : callable, optional
        Receives the number of decisions that are done, and of all, before each one.

    Raises
    ------
    MoucheError
        When the text cannot be read, or the strategy is of the other game.
    """
    first = next((line.strip() for line in text.splitlines() if line.split("#")[0].strip()), "")
    if first.split("#")[0].strip().split(";")[0].strip() == HEADER:
        from mouche_solver.review.cards import review_cards

        if isinstance(strategy, RoundStrategy | SampledStrategy):
            raise UsageError("the written game is of cards, the strategy of dice")
        return review_cards(text, None, strategy, told=told)
    from mouche_solver.review.dice import review_dice

    if isinstance(strategy, CardStrategy):
        raise UsageError("the written match is of dice, the strategy of cards")
    return review_dice(text, rules, strategy, told=told)
