"""Reviewing a text of either game: card transcripts begin with their own line."""

from pathlib import Path

from mouche_solver.cards.referee.transcript import HEADER
from mouche_solver.dice.rules.rules import DiceRules
from mouche_solver.review.record import Review


def review_text(text: str, rules: DiceRules | None = None, strategy: Path | None = None) -> Review:
    """Review a written match of dice or a written game of cards.

    Parameters
    ----------
    text : str
        A card transcript begins with ``mouche-cards 1``; everything else is read as dice.
    rules : DiceRules, optional
        Of a match of dice; transcripts of cards hold their own.
    strategy : Path, optional
        The file that judges.

    Raises
    ------
    MoucheError
        When the text cannot be read.
    """
    first = next((line.strip() for line in text.splitlines() if line.split("#")[0].strip()), "")
    if first.split("#")[0].strip().split(";")[0].strip() == HEADER:
        from mouche_solver.review.cards import review_cards

        return review_cards(text, None, strategy)
    from mouche_solver.review.dice import review_dice

    return review_dice(text, rules, strategy)
