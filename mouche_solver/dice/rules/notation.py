"""Text in and out: claims (``3x5``), lines of claims, hands and cups.

Words are apart by commas or spaces. Every error names the word that is wrong.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from mouche_solver.core.checks import check_int
from mouche_solver.dice.rules.claims import can_raise, legal_claims
from mouche_solver.dice.rules.hands import Hand
from mouche_solver.dice.rules.rules import Claim, DiceRules
from mouche_solver.errors import IllegalMoveError, NotationError

DOUBT: Final = "doubt"

_CLAIM = re.compile(r"([0-9]{1,4})[xX]([0-9]{1,4})")
_AROUND = re.compile(r"(?<=[0-9])\s*[xX]\s*(?=[0-9])")
_LISTED = 8  # an error message lists at most this many legal claims


def split_words(text: str) -> list[str]:
    """The words of a text; commas and white space separate them, but for those around an x.

    Examples
    --------
    >>> split_words("2 x 2, 3x5 doubt")
    ['2x2', '3x5', 'doubt']
    """
    return _AROUND.sub("x", text).replace(",", " ").split()


def parse_claim(word: str) -> Claim:
    """Read one claim, without asking whether any rules allow it.

    Raises
    ------
    NotationError
        When the word is not of the form ``QxF``.

    Examples
    --------
    >>> parse_claim("3x5")
    Claim(quantity=3, face=5)
    """
    match = _CLAIM.fullmatch("".join(word.split()))
    if match is None:
        raise NotationError(f"{word!r} is not a claim; write QxF, such as 3x5 for three fives")
    return Claim(int(match[1]), int(match[2]))


def dice_count(count: int) -> str:
    """How many dice count, in words.

    Examples
    --------
    >>> dice_count(1), dice_count(2)
    ('1 die counts', '2 dice count')
    """
    return f"{count} {'die counts' if count == 1 else 'dice count'}"


def describe_legal(rules: DiceRules, last: Claim | None) -> str:
    """What may be said after ``last``, in a few words for an error message.

    Examples
    --------
    >>> describe_legal(DiceRules(dice=(1, 1), faces=2), Claim(2, 1))
    'legal are doubt, 2x2'
    """
    claims = legal_claims(rules, last)
    words = [DOUBT] if last is not None else []
    if len(claims) <= _LISTED:
        words += map(str, claims)
    else:
        words += [*map(str, claims[: _LISTED - 2]), "...", str(claims[-1])]
    count = f" ({len(claims)} claims)" if len(claims) > _LISTED else ""
    return f"legal are {', '.join(words)}{count}"


def check_claim(rules: DiceRules, last: Claim | None, claim: Claim, position: int) -> None:
    """Refuse a claim that may not follow ``last``.

    Parameters
    ----------
    rules : DiceRules
        The rules of the round.
    last : Claim or None
        The claim before, None at the start of a round.
    claim : Claim
        The claim to check.
    position : int
        Its place in the round, counted from 1, for the message.

    Raises
    ------
    IllegalMoveError
        With the claim, the reason and the legal ones.
    """
    if not 1 <= claim.face <= rules.faces:
        reason = f"dice have faces 1 to {rules.faces}"
    elif not 1 <= claim.quantity <= rules.total_dice:
        reason = f"{rules.total_dice} dice are in play, so quantities are 1 to {rules.total_dice}"
    elif last is None and claim.quantity < rules.minimum_opening:
        reason = f"the round opens with at least {rules.minimum_opening} dice"
    elif last is not None and not can_raise(rules, last, claim):
        reason = f"it does not outbid {last} (Game Play 3, {rules.raise_rule})"
    else:
        return
    raise IllegalMoveError(
        f"claim {position}, {claim}, is not allowed: {reason}; {describe_legal(rules, last)}"
    )


def parse_history(rules: DiceRules, text: str) -> tuple[Claim, ...]:
    """Read and check a line of claims.

    The player to act next is ``len(history) % rules.players``.

    Parameters
    ----------
    rules : DiceRules
        The rules of the round.
    text : str
        Claims apart by commas or spaces; empty at the start of a round.

    Returns
    -------
    tuple of Claim

    Raises
    ------
    NotationError
        When a word is not a claim.
    IllegalMoveError
        When a claim may not follow the one before.

    Examples
    --------
    >>> [str(claim) for claim in parse_history(DiceRules(), "3x5, 4x5 4x6")]
    ['3x5', '4x5', '4x6']
    """
    history, doubted = parse_transcript(rules, text)
    if doubted:
        raise NotationError(
            f"'{DOUBT}' ends the round: a history holds claims only, nothing follows it"
        )
    return history


def parse_transcript(rules: DiceRules, text: str) -> tuple[tuple[Claim, ...], bool]:
    """Read and check a line of claims that may end with ``doubt``.

    Returns
    -------
    history : tuple of Claim
        The claims.
    doubted : bool
        Whether the last of them was doubted.

    Raises
    ------
    NotationError, IllegalMoveError
        As in :func:`parse_history`; also for a doubt before any claim, or words after a doubt.

    Examples
    --------
    >>> history, doubted = parse_transcript(DiceRules(), "3x5 4x5 doubt")
    >>> len(history), doubted
    (2, True)
    """
    history: list[Claim] = []
    words = split_words(text)
    for position, word in enumerate(words, start=1):
        last = history[-1] if history else None
        if word.lower() == DOUBT:
            if last is None:
                raise IllegalMoveError(
                    f"'{DOUBT}' needs a claim before it (Game Play 4); "
                    f"{describe_legal(rules, None)}"
                )
            if position < len(words):
                raise NotationError(
                    f"{words[position]!r} follows '{DOUBT}'; a doubt ends the round (Game Play 7)"
                )
            return tuple(history), True
        claim = parse_claim(word)
        check_claim(rules, last, claim, position)
        history.append(claim)
    return tuple(history), False


def format_claims(claims: Iterable[Claim], doubted: bool = False) -> str:
    """The line of text that :func:`parse_transcript` reads back.

    Examples
    --------
    >>> format_claims([Claim(3, 5), Claim(4, 5)], doubted=True)
    '3x5 4x5 doubt'
    """
    return " ".join([*map(str, claims), *([DOUBT] if doubted else [])])


def parse_faces(rules: DiceRules, text: str) -> Hand:
    """Read dice in any number, such as a hand whose owner is not known; ascending.

    Raises
    ------
    NotationError
        When a word is not a face of these rules' dice.
    """
    faces = []
    for word in split_words(text):
        if not re.fullmatch(r"[0-9]{1,4}", word) or not 1 <= int(word) <= rules.faces:
            raise NotationError(f"{word!r} is not a die; dice have faces 1 to {rules.faces}")
        faces.append(int(word))
    return tuple(sorted(faces))


def parse_hand(rules: DiceRules, text: str, player: int) -> Hand:
    """Read the hand of one player.

    Parameters
    ----------
    rules : DiceRules
        The rules of the round.
    text : str
        Faces apart by commas or spaces, in any order.
    player : int
        Place in playing order, counted from 0.

    Returns
    -------
    tuple of int
        The faces in ascending order, ``rules.dice[player]`` of them.

    Raises
    ------
    NotationError
        When a word is not a face, or the number of dice is not the player's.

    Examples
    --------
    >>> parse_hand(DiceRules(), "5,5,2,1,6", player=0)
    (1, 2, 5, 5, 6)
    """
    player = check_int("player", player, 0, rules.players - 1)
    hand = parse_faces(rules, text)
    if len(hand) != rules.dice[player]:
        raise NotationError(
            f"hand {text.strip()!r} has {len(hand)} dice; player {player} has {rules.dice[player]}"
        )
    return hand


def parse_cups(rules: DiceRules, text: str) -> tuple[Hand, ...]:
    """Read what is under all cups, in playing order and apart by ``/``.

    Raises
    ------
    NotationError
        When a hand cannot be read, or the number of cups is not the number of players.

    Examples
    --------
    >>> parse_cups(DiceRules(dice=(2, 1)), "6,3 / 4")
    ((3, 6), (4,))
    """
    parts = text.split("/")
    if len(parts) != rules.players:
        raise NotationError(
            f"{len(parts)} cups in {text.strip()!r}; {rules.players} players need "
            f"{rules.players}, apart by '/'"
        )
    return tuple(parse_hand(rules, part, player) for player, part in enumerate(parts))


def format_hand(hand: Sequence[int]) -> str:
    """The text that :func:`parse_hand` reads back.

    Examples
    --------
    >>> format_hand((1, 2, 5, 5, 6))
    '1,2,5,5,6'
    """
    return ",".join(map(str, hand))


def format_cups(cups: Iterable[Sequence[int]]) -> str:
    """The text that :func:`parse_cups` reads back.

    Examples
    --------
    >>> format_cups([(3, 6), (4,)])
    '3,6 / 4'
    """
    return " / ".join(map(format_hand, cups))
