"""A player's view of a deal, checked and written into the records of the strategy kernels."""

from collections.abc import Sequence
from typing import Literal

from mouche_solver.cards.kernels import view as f
from mouche_solver.cards.kernels.records import (
    CONTEXT,
    HISTORY,
    NEXT,
    PILE,
    SHUFFLED,
    SWAPPED,
    Record,
)
from mouche_solver.cards.rules.pack import cards_of
from mouche_solver.cards.rules.rules import CardRules
from mouche_solver.cards.strategy.contexts import Frame
from mouche_solver.errors import IllegalMoveError

Declared = Literal["pass", "stand"] | int


def said_numbers(rules: CardRules, declared: Sequence[Declared]) -> list[int]:
    """-1 for a pass, 0 for standing, else the number of cards.

    Raises
    ------
    IllegalMoveError
        For other words or numbers, or more declarations than seats.
    """
    if len(declared) > rules.players:
        raise IllegalMoveError(f"{len(declared)} declarations: there are {rules.players} seats")
    said = []
    for seat, word in enumerate(declared):
        number = {"pass": -1, "stand": 0}.get(word) if isinstance(word, str) else word
        if number is None or not -1 <= number <= rules.max_exchange or word in (0, -1):
            raise IllegalMoveError(
                f"seat {seat} cannot have declared {word!r}: allowed are pass, stand or an "
                f"exchange of 1 to {rules.max_exchange} cards"
            )
        said.append(number)
    return said


def set_table(
    rules: CardRules,
    game: Record,
    table: Record,
    frame: Frame,
    hand: int,
    turned: int,
    seat: int,
    said: Sequence[int],
) -> None:
    """The situation of a seat that is to declare: its hand, what was said, what can be drawn."""
    if not 0 <= seat < rules.players:
        raise IllegalMoveError(f"seat {seat}: the seats are 0 to {rules.players - 1}")
    if len(said) != seat:
        raise IllegalMoveError(f"seat {seat} declares after {seat} others, not {len(said)}")
    if seat == rules.players - 1 and all(number < 0 for number in said):
        raise IllegalMoveError("all others have passed: the dealer is not asked")
    check_hand(rules, hand, turned)
    stock = table["stock"]
    table["hands"][seat] = table["dealt"][seat] = frame.inside(hand)
    stock[CONTEXT], stock[SWAPPED] = frame.context, -1
    left, pile = draw_counts(rules, said)
    stock[NEXT] = rules.pack.size - 1 - left
    stock[SHUFFLED], stock[PILE] = 0, (1 << pile) - 1
    stock[HISTORY] = history_value(int(game["digits"]), said)
    for other, number in enumerate(said):
        table["said"][other] = number


def check_hand(rules: CardRules, hand: int, turned: int) -> None:
    """Refuse what cannot be dealt to a seat under a turn-up."""
    pack = rules.pack
    if hand >> pack.size or hand < 0 or not 0 <= turned < pack.size:
        raise IllegalMoveError("the hand or the turn-up holds a card that is not in the pack")
    if hand.bit_count() != rules.hand_size:
        raise IllegalMoveError(f"the hand has {hand.bit_count()} cards, not {rules.hand_size}")
    if hand >> turned & 1:
        raise IllegalMoveError(f"{pack.name(turned)} is turned up and in the hand")


def history_value(digits: int, said: Sequence[int]) -> int:
    """The declarations as a number, see :mod:`mouche_solver.cards.strategy.levels`."""
    value = 0
    for number in said:
        value = value * digits + number + 1
    return value


def draw_counts(rules: CardRules, said: Sequence[int]) -> tuple[int, int]:
    """Cards left in the stock and cards laid aside after some declarations.

    Raises
    ------
    IllegalMoveError
        When somebody exchanged more than could be drawn.
    """
    left, pile = rules.stock_size, 0
    for seat, number in enumerate(said):
        if number < 0:
            pile += rules.hand_size if rules.passed_hands_return else 0
            continue
        room = left + (pile if rules.reshuffle else 0)
        if rules.reshuffle and rules.own_discards_return:
            room += number
        if number > room:
            raise IllegalMoveError(f"seat {seat} exchanged {number} cards: {room} could be drawn")
        if rules.own_discards_return:
            pile += number
        if number > left:
            left, pile = left + pile, 0
        left -= number
        if not rules.own_discards_return:
            pile += number
    return left, pile


def set_position(
    rules: CardRules,
    game: Record,
    table: Record,
    frame: Frame,
    hand: int,
    turned: int,
    seat: int,
    said: Sequence[int],
    laid: int,
    played: Sequence[Sequence[int]],
    swapped: int | None,
    holder: int | None = None,
) -> tuple[int, int]:
    """The position of a seat that is to play, in row 0; returns its legal cards and its place.

    ``holder`` is the seat that was paid for the Pamphile, or scored for the Ace of spades.
    """
    from mouche_solver.cards.kernels import tricks as t

    seats = [s for s, number in enumerate(said) if number >= 0]
    _check_play(rules, seats, seat, said)
    draw_counts(rules, said)
    cards = [card for trick in played for card in trick]
    _check_cards(rules, hand, turned, laid, cards, said[seat], swapped)
    place, context = seats.index(seat), frame.context
    stock = table["stock"]
    stock[CONTEXT] = context
    stock[HISTORY] = history_value(int(game["digits"]), said)
    stock[SWAPPED] = -1 if swapped is None else cards_of(frame.inside(1 << swapped))[0]
    for n, other in enumerate(seats):
        table["seats"][n], table["said"][other] = other, said[other]
        table["hands"][other] = table["laid"][other] = 0
    table["laid"][seat] = frame.inside(laid)
    table["hands"][seat] = frame.inside(hand)
    special = special_card(rules)
    owner = _holder(rules, frame, seats, seat, hand, played, holder)
    if owner is not None and special is not None:
        table["hands"][owner] |= frame.inside(1 << special)
    t.begin_play(len(seats), game, table)
    at, trump = table["at"], int(game["trump"][context])
    _give_back(rules, table, frame, played, place, len(seats))
    for number, trick in enumerate(played):
        if len(trick) > len(seats) or (len(trick) < len(seats) and number < len(played) - 1):
            raise IllegalMoveError(
                f"trick {number + 1} has {len(trick)} cards, {len(seats)} are in"
            )
        for card in trick:
            inside = cards_of(frame.inside(1 << card))[0]
            mover = int(t.to_move(at, 0))
            if mover == place:
                legal = int(t.legal_now(at, 0, place, game, context))
                if not legal >> inside & 1:
                    name = rules.pack.name(card)
                    raise IllegalMoveError(f"trick {number + 1}: seat {seat} may not play {name}")
            t.put(at, 0, mover, inside, trump, game)
    return _legal_now(rules, at, table, game, seats, place, context), place


def _holder(
    rules: CardRules, frame: Frame, seats: list[int], seat: int, hand: int,
    played: Sequence[Sequence[int]], told: int | None,
) -> int | None:  # fmt: skip
    """The seat that had the special card before the tricks, as far as a seat knows."""
    card = special_card(rules)
    if card is None:
        if told is not None:
            raise IllegalMoveError("these rules have no Pamphile: nobody was paid for it")
        return None
    if told is not None and told not in seats:
        raise IllegalMoveError(f"seat {told} is not in and is not paid for {rules.pack.name(card)}")
    shown = {c: seats[place] for place, c in _played_by(rules, frame.trump, played, len(seats))}
    known = seat if hand >> card & 1 else shown.get(card)
    if known is not None and told not in (None, known):
        raise IllegalMoveError(f"{rules.pack.name(card)} was held by seat {known}, not {told}")
    return told if known is None else known


def _played_by(
    rules: CardRules, trump: int, played: Sequence[Sequence[int]], inside: int
) -> list[tuple[int, int]]:
    """Place and card of everything played."""
    from mouche_solver.cards.rules.tricks import trick_winner

    leader, found = 0, []
    for trick in played:
        found += [((leader + n) % inside, card) for n, card in enumerate(trick)]
        if len(trick) == inside:
            leader = (leader + trick_winner(rules, trump, trick)) % inside
    return found


def special_card(rules: CardRules) -> int | None:
    """The Pamphile, or Mushka's Ace of spades."""
    return rules.pack.card("AS") if rules.scoring == "countdown" else rules.pamphile_card


def _legal_now(
    rules: CardRules, at: Record, table: Record, game: Record, seats: list[int], place: int,
    context: int,
) -> int:  # fmt: skip
    from mouche_solver.cards.kernels import tricks as t

    if int(at[0, f.TRICK]) >= rules.hand_size:
        raise IllegalMoveError("all tricks have been played")
    mover = int(t.to_move(at, 0))
    if mover != place:
        raise IllegalMoveError(f"it is the turn of seat {seats[mover]}, not {seats[place]}")
    if int(at[0, f.HAND + place]).bit_count() != rules.hand_size - int(at[0, f.TRICK]):
        raise IllegalMoveError("the hand and the cards played do not add up to a hand")
    return int(t.legal_now(at, 0, place, game, context))


def _give_back(
    rules: CardRules, table: Record, frame: Frame, played: Sequence[Sequence[int]], place: int,
    inside: int,
) -> None:  # fmt: skip
    """Put the cards that the seat has played back into its hand; they are played again."""
    for who, card in _played_by(rules, frame.trump, played, inside):
        if who == place:
            table["at"][0, f.HAND + place] |= frame.inside(1 << card)


def _check_play(rules: CardRules, seats: list[int], seat: int, said: Sequence[int]) -> None:
    if len(said) != rules.players:
        raise IllegalMoveError(f"cards are played after {rules.players} declarations")
    if seat not in seats:
        raise IllegalMoveError(f"seat {seat} is not in: it passed")
    if len(seats) < 2:
        raise IllegalMoveError(f"seat {seat} is alone and takes the pot; nothing is played")


def _check_cards(
    rules: CardRules, hand: int, turned: int, laid: int, cards: list[int], number: int,
    swapped: int | None,
) -> None:  # fmt: skip
    pack = rules.pack
    face_up = turned if swapped is None else swapped
    if laid.bit_count() != number:
        raise IllegalMoveError(f"{laid.bit_count()} cards laid down, but {number} exchanged")
    seen = [*cards_of(hand), *cards_of(laid), *cards, face_up]
    if max(seen) >= pack.size:
        raise IllegalMoveError("a card is not in the pack")
    for card in seen:
        if seen.count(card) > 1:
            raise IllegalMoveError(f"{pack.name(card)} is in two places")
