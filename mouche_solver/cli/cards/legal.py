"""``mouche cards legal``."""

from typing import Annotated

from cyclopts import Parameter

from mouche_solver.cards.rules.pack import mask_of
from mouche_solver.cards.rules.rules import CardRules
from mouche_solver.cards.rules.tricks import legal_cards
from mouche_solver.cli.cards.group import DEFAULT_RULES, RuleFlags
from mouche_solver.cli.common import STDOUT, OutputFlags, emit
from mouche_solver.errors import NotationError


def legal(
    *,
    trump: Annotated[str, Parameter(help="The trump suit: C, D, H or S.")],
    hand: Annotated[str, Parameter(help="The player's cards, such as KH,9H,KC.")],
    trick: Annotated[
        str, Parameter(help="The cards played so far, the card led first; none when leading.")
    ] = "",
    game: RuleFlags = DEFAULT_RULES,
    output: OutputFlags = STDOUT,
) -> None:
    """List the cards of a hand that may be played to a trick."""
    rules = game.read()
    trumps, played, held = (
        rules.pack.suit_number(trump),
        rules.pack.cards(trick),
        rules.pack.cards(hand),
    )
    _check(rules, played, held)
    mask = legal_cards(rules, trumps, played, mask_of(held))
    names = rules.pack.names(card for card in held if mask >> card & 1)
    emit(output, [{"card": name} for name in names], {"card": str}, document={"legal": names})


def _check(rules: CardRules, trick: tuple[int, ...], hand: tuple[int, ...]) -> None:
    if not 1 <= len(hand) <= rules.hand_size:
        raise NotationError(f"--hand has {len(hand)} cards: allowed are 1 to {rules.hand_size}")
    if len(trick) >= rules.players:
        raise NotationError(
            f"--trick has {len(trick)} cards: with {rules.players} players the next to play "
            f"finds at most {rules.players - 1}"
        )
    for card in hand:
        if card in trick:
            raise NotationError(f"card {rules.pack.name(card)} is in the hand and in the trick")
