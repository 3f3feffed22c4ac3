"""The named decks: how many ranks are used for how many players."""

from mouche_solver.cards.rules.pack import RANKS
from mouche_solver.errors import RulesError

ACE_HIGH = ("A", "K", "Q", "J", *RANKS[4:])

# Ranks per suit, by number of players. ``lalanne`` is Philippe Lalanne's reconstruction of the 1718
# rules. Two players are not in the rules text: an analysis form.
DECKS: dict[str, dict[int, int]] = {
    "lalanne": {2: 7, 3: 7, 4: 9, 5: 12, 6: 13},
    "jeux-de-cartes": {3: 8, 4: 9, 5: 10, 6: 11},
    "piquet": {2: 8, 3: 8, 4: 8, 5: 8, 6: 8},
    "mushka": {3: 8, 4: 9, 5: 13, 6: 13, 7: 13},
}


def preset_ranks(deck: str, players: int) -> tuple[str, ...]:
    """The ranks of a named deck, highest first; the Mushka deck has the Ace on top.

    Raises
    ------
    RulesError
        When there is no such deck, or none for so many players.

    Examples
    --------
    >>> preset_ranks("lalanne", 3)
    ('K', 'Q', 'J', 'A', '10', '9', '8')
    """
    if deck not in DECKS:
        raise RulesError(f"deck={deck!r}: allowed are {', '.join(DECKS)}, or custom with ranks")
    sizes = DECKS[deck]
    if players not in sizes:
        raise RulesError(
            f"deck={deck!r} is for {min(sizes)} to {max(sizes)} players, not {players}; "
            "give ranks for another deck"
        )
    return (ACE_HIGH if deck == "mushka" else RANKS)[: sizes[players]]
