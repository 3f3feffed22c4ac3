"""What players read: actions, states and information states of a game of dice."""

from mouche_solver.adapters.dice.position import Ended, Position
from mouche_solver.adapters.dice.table import DiceTable
from mouche_solver.adapters.moments import CHANCE, TERMINAL, order_text
from mouche_solver.dice.rules.hands import Hand
from mouche_solver.dice.rules.notation import format_cups, format_hand
from mouche_solver.errors import IllegalMoveError


def action_text(position: Position, player: int, action: int) -> str:
    """The words of an action: ``3x5``, ``doubt`` or ``roll 1,4``.

    Raises
    ------
    IllegalMoveError
        When there is none of this number.
    """
    rolling = player == CHANCE and position.player == CHANCE
    rolls = position.table.rolls(position.dice_rolled)[0] if rolling else ()
    if not 0 <= action < (len(rolls) if rolling else len(position.table.names)):
        raise IllegalMoveError(f"action {action}: there is none of this number")
    return f"roll {format_hand(rolls[action])}" if rolling else position.table.names[action]


def round_key(seat: int, hand: Hand, claims: str) -> str:
    """The information state of a seat in a game of one round.

    Parameters
    ----------
    seat : int
        Place in playing order, counted from 0.
    hand : tuple of int
        The seat's dice, ascending.
    claims : str
        The claims so far, apart by spaces.

    Examples
    --------
    >>> round_key(0, (1, 4), "1x1 2x4")
    'p0 1,4 : 1x1 2x4'
    """
    return " ".join(filter(None, (f"p{seat}", format_hand(hand), ":", claims)))


def information_state(position: Position, seat: int) -> str:
    """All that a seat has seen, in order: perfect recall, and nothing hidden."""
    if not position.table.match:
        key = round_key(seat, position.cup(seat), claims_text(position.table, position.shown[2]))
        return f"{key} {_reveal_text(position.past[-1])}" if position.past else key
    own = f"p{seat} {format_hand(position.cup(seat))}".rstrip()
    return f"{own} : {public_text(position, recall=True)}"


def public_text(position: Position, recall: bool) -> str:
    """What everybody sees: all of it, or what stands now and the last reveal."""
    table = position.table
    seats, _, claims = position.shown
    parts = []
    if recall:
        parts += [ended_text(table, each) for each in position.past]
        standing = claims_text(table, position.claims)
    else:
        parts += [_reveal_text(each) for each in position.past[-1:]]
        claimant = seats[(len(claims) - 1) % len(seats)]
        standing = f"{table.names[claims[-1]]} by p{claimant}" if claims else ""
    if table.match:
        parts.append(f"points {' '.join(map(str, position.match.points))}")
        standing = f"{order_text(position.seats)} {standing}".rstrip()
    return " | ".join([*parts, standing] if standing else parts)


def state_text(position: Position) -> str:
    """All that has happened, hidden things included."""
    table = position.table
    rounds = [ended_text(table, each) for each in position.past]
    if position.player != TERMINAL:
        missing = ((),) * (len(position.seats) - len(position.cups))
        cups = " / ".join(format_hand(cup) or "?" for cup in position.cups + missing)
        order = f"{order_text(position.seats)} " if table.match else ""
        rounds.append(f"{order}{cups} : {claims_text(table, position.claims)}".rstrip())
    return " | ".join(rounds)


def claims_text(table: DiceTable, claims: tuple[int, ...]) -> str:
    """Claims in words, apart by spaces."""
    names = table.names
    return " ".join([names[number] for number in claims])


def ended_text(table: DiceTable, ended: Ended) -> str:
    """A round that is over: cups, claims and the doubt; in a match also the playing order."""
    order = f"{order_text(ended.seats)} " if table.match else ""
    return f"{order}{format_cups(ended.cups)} : {claims_text(table, ended.claims)} doubt"


def _reveal_text(ended: Ended) -> str:
    return f"doubt {format_cups(ended.cups)}"
