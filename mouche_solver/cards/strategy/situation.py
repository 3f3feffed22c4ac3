"""A player's view of a deal, checked and written into the records of the strategy kernels."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from mouche_solver.cards.kernels import view as f
from mouche_solver.cards.kernels.records import (
    CONTEXT,
    HISTORY,
    NEXT,
    PILE,
    SHUFFLED,
    SWAPPED,
    Game,
    Table,
)
from mouche_solver.cards.referee.deal import Deal
from mouche_solver.cards.rules.pack import cards_of
from mouche_solver.cards.rules.rules import CardRules
from mouche_solver.cards.rules.tricks import trick_winner
from mouche_solver.cards.strategy.contexts import Frame
from mouche_solver.core.checks import plain, whole
from mouche_solver.errors import IllegalMoveError

Declared = Literal["pass", "stand"] | int


@dataclass(frozen=True)
class Situation:
    """What a seat sees when it is to declare or to play.

    Whole numbers may be numpy's; they are kept as Python's.

    Attributes
    ----------
    hand : int
        Bit mask of the cards held now.
    turned : int
        The turn-up.
    seat : int
        0 is the first hand, the last seat the dealer.
    declared : tuple of "pass", "stand" or int
        What the seats before have said, or all seats once cards are played; an exchange by its
        number of cards.
    laid : int
        Mask of the cards that this seat laid down.
    played : tuple of tuples of int
        The cards of each trick in the order played, the last trick perhaps unfinished.
    swapped : int, optional
        The card that the dealer gave for the turn-up.
    named : int, optional
        The suit that the dealer named, when the Pamphile is turned up.
    holder : int, optional
        The seat that was paid for the Pamphile, or scored for Mushka's Ace of spades, if one did;
        one's own card is seen anyway.

    Raises
    ------
    IllegalMoveError
        For anything but whole numbers.
    """

    hand: int
    turned: int
    seat: int
    declared: tuple[Declared, ...] = ()
    laid: int = 0
    played: tuple[tuple[int, ...], ...] = ()
    swapped: int | None = None
    named: int | None = None
    holder: int | None = None

    def __post_init__(self) -> None:
        for name in ("hand", "turned", "seat", "laid", "swapped", "named", "holder"):
            value = getattr(self, name)
            if type(value) is not int and value is not None:
                object.__setattr__(self, name, whole(name, value, IllegalMoveError))
        object.__setattr__(self, "declared", tuple(map(plain, self.declared)))
        object.__setattr__(self, "played", tuple(plain(tuple(trick)) for trick in self.played))

    @classmethod
    def of(cls, deal: Deal) -> "Situation":
        """What the seat that is to act sees of a deal.

        Parameters
        ----------
        deal : Deal
            A player declares or plays next.

        Examples
        --------
        >>> from mouche_solver.cards import start_deal
        >>> seen = Situation.of(start_deal(CardRules(players=3), range(28)))
        >>> seen.seat, seen.declared, seen.turned
        (0, (), 15)
        """
        said: list[Declared] = []
        for word, laid in zip(deal.declared, deal.laid, strict=True):
            if word is not None:
                said.append(laid.bit_count() if word == "exchange" else word)
        return cls(
            hand=deal.hands[deal.turn],
            turned=deal.turned,
            seat=deal.turn,
            declared=tuple(said),
            laid=deal.laid[deal.turn] if deal.phase == "play" else 0,
            played=tuple(
                tuple(card for _, card in trick) for trick in (*deal.history, deal.trick) if trick
            ),
            swapped=None if deal.face_up == deal.turned else deal.face_up,
            named=deal.trump if deal.turned == deal.rules.pamphile_card else None,
            holder=_paid_for_pamphile(deal) if deal.phase == "play" else None,
        )

    @property
    def cards_played(self) -> tuple[int, ...]:
        """All cards played so far."""
        return tuple(card for trick in self.played for card in trick)


def _paid_for_pamphile(deal: Deal) -> int | None:
    """The seat that all have seen paid."""
    card = deal.rules.pamphile_card
    shown = {c: seat for trick in (*deal.history, deal.trick) for seat, c in trick}
    held = [seat for seat in deal.inside if card is not None and deal.hands[seat] >> card & 1]
    return held[0] if held else shown.get(-1 if card is None else card)


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
        number = {"pass": -1, "stand": 0}.get(word) if isinstance(word, str) else plain(word)
        if number is None or not -1 <= number <= rules.max_exchange or word in (0, -1):
            raise IllegalMoveError(
                f"seat {seat} cannot have declared {word!r}: allowed are pass, stand or an "
                f"exchange of 1 to {rules.max_exchange} cards"
            )
        said.append(number)
    return said


def set_table(rules: CardRules, game: Game, table: Table, frame: Frame, seen: Situation) -> None:
    """The situation of a seat that is to declare: its hand, what was said, what can be drawn."""
    seat, said = seen.seat, said_numbers(rules, seen.declared)
    if not 0 <= seat < rules.players:
        raise IllegalMoveError(f"seat {seat}: the seats are 0 to {rules.players - 1}")
    if len(said) != seat:
        raise IllegalMoveError(f"seat {seat} declares after {seat} others, not {len(said)}")
    if seat == rules.players - 1 and all(number < 0 for number in said):
        raise IllegalMoveError("all others have passed: the dealer is not asked")
    check_hand(rules, seen.hand, seen.turned)
    stock = table["stock"]
    table["hands"][seat] = table["dealt"][seat] = frame.inside(seen.hand)
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
    rules: CardRules, game: Game, table: Table, frame: Frame, seen: Situation
) -> tuple[int, int]:
    """The position of a seat that is to play, in row 0; returns its legal cards and its place."""
    from mouche_solver.cards.kernels import tricks as t

    said, seat = said_numbers(rules, seen.declared), seen.seat
    seats = [s for s, number in enumerate(said) if number >= 0]
    _check_play(rules, seats, seat, said)
    draw_counts(rules, said)
    _check_cards(rules, seen, said[seat])
    place = seats.index(seat)
    stock = table["stock"]
    stock[CONTEXT] = frame.context
    stock[HISTORY] = history_value(int(game["digits"]), said)
    stock[SWAPPED] = -1 if seen.swapped is None else cards_of(frame.inside(1 << seen.swapped))[0]
    for n, other in enumerate(seats):
        table["seats"][n], table["said"][other] = other, said[other]
        table["hands"][other] = table["laid"][other] = 0
    table["laid"][seat] = frame.inside(seen.laid)
    table["hands"][seat] = frame.inside(seen.hand)
    special = special_card(rules)
    owner = _holder(rules, frame.trump, seats, seen)
    if owner is not None and special is not None:
        table["hands"][owner] |= frame.inside(1 << special)
    t.begin_play(len(seats), game, table)
    _give_back(rules, table, frame, seats, seen)
    _replay(rules, game, table, frame, seats, seen)
    return _legal_now(rules, game, table, seats, place), place


def _replay(
    rules: CardRules, game: Game, table: Table, frame: Frame, seats: list[int], seen: Situation
) -> None:
    """Play the tricks so far in row 0."""
    from mouche_solver.cards.kernels import tricks as t

    at, context, place = table["at"], frame.context, seats.index(seen.seat)
    trump = int(game["trump"][context])
    for number, trick in enumerate(seen.played):
        if len(trick) > len(seats) or (len(trick) < len(seats) and number < len(seen.played) - 1):
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
                    raise IllegalMoveError(
                        f"trick {number + 1}: seat {seen.seat} may not play {name}"
                    )
            t.put(at, 0, mover, inside, trump, game)


def _holder(rules: CardRules, trump: int, seats: list[int], seen: Situation) -> int | None:
    """The seat that had the special card before the tricks, as far as a seat knows."""
    card, told = special_card(rules), seen.holder
    if card is None:
        if told is not None:
            raise IllegalMoveError("these rules have no Pamphile: nobody was paid for it")
        return None
    if told is not None and told not in seats:
        raise IllegalMoveError(f"seat {told} is not in and is not paid for {rules.pack.name(card)}")
    shown = {c: seats[place] for place, c in _played_by(rules, trump, seen.played, len(seats))}
    known = seen.seat if seen.hand >> card & 1 else shown.get(card)
    if known is not None and told not in (None, known):
        raise IllegalMoveError(f"{rules.pack.name(card)} was held by seat {known}, not {told}")
    return told if known is None else known


def _played_by(
    rules: CardRules, trump: int, played: Sequence[Sequence[int]], inside: int
) -> list[tuple[int, int]]:
    """Place and card of everything played."""
    leader, found = 0, []
    for trick in played:
        found += [((leader + n) % inside, card) for n, card in enumerate(trick)]
        if len(trick) == inside:
            leader = (leader + trick_winner(rules, trump, trick)) % inside
    return found


def special_card(rules: CardRules) -> int | None:
    """The Pamphile, or Mushka's Ace of spades."""
    return rules.pack.card("AS") if rules.scoring == "countdown" else rules.pamphile_card


def _legal_now(rules: CardRules, game: Game, table: Table, seats: list[int], place: int) -> int:
    from mouche_solver.cards.kernels import tricks as t

    at = table["at"]
    if int(at[0, f.TRICK]) >= rules.hand_size:
        raise IllegalMoveError("all tricks have been played")
    mover = int(t.to_move(at, 0))
    if mover != place:
        raise IllegalMoveError(f"it is the turn of seat {seats[mover]}, not {seats[place]}")
    if int(at[0, f.HAND + place]).bit_count() != rules.hand_size - int(at[0, f.TRICK]):
        raise IllegalMoveError("the hand and the cards played do not add up to a hand")
    return int(t.legal_now(at, 0, place, game, int(table["stock"][CONTEXT])))


def _give_back(
    rules: CardRules, table: Table, frame: Frame, seats: list[int], seen: Situation
) -> None:
    """Put the cards that the seat has played back into its hand; they are played again."""
    place = seats.index(seen.seat)
    for who, card in _played_by(rules, frame.trump, seen.played, len(seats)):
        if who == place:
            table["at"][0, f.HAND + place] |= frame.inside(1 << card)


def _check_play(rules: CardRules, seats: list[int], seat: int, said: Sequence[int]) -> None:
    if len(said) != rules.players:
        raise IllegalMoveError(f"cards are played after {rules.players} declarations")
    if seat not in seats:
        raise IllegalMoveError(f"seat {seat} is not in: it passed")
    if len(seats) < 2:
        raise IllegalMoveError(f"seat {seat} is alone and takes the pot; nothing is played")


def _stock_ran_out(rules: CardRules, seen: Situation) -> bool:
    drawn = sum(max(number, 0) for number in said_numbers(rules, seen.declared))
    return bool(rules.reshuffle) and drawn > rules.stock_size


def _check_cards(rules: CardRules, seen: Situation, number: int) -> None:
    pack = rules.pack
    face_up = seen.turned if seen.swapped is None else seen.swapped
    if seen.laid.bit_count() != number:
        raise IllegalMoveError(f"{seen.laid.bit_count()} cards laid down, but {number} exchanged")
    cards = [*cards_of(seen.hand), *cards_of(seen.laid), *seen.cards_played, face_up]
    if max(cards) >= pack.size:
        raise IllegalMoveError("a card is not in the pack")
    # Where the stock ran out, what was laid down was drawn again, by its own seat or another.
    drawn_again = seen.laid if _stock_ran_out(rules, seen) else 0
    for card in cards:
        if cards.count(card) > 1 + (drawn_again >> card & 1):
            raise IllegalMoveError(f"{pack.name(card)} is in two places")
