"""Card rules as flat arrays for the kernels."""

import numpy as np

from mouche_solver.cards.kernels import play as k
from mouche_solver.cards.kernels.mouche import DealArrays
from mouche_solver.cards.rules.mouche import mouche_points
from mouche_solver.cards.rules.rules import CardRules

SWITCHES = {
    "must_follow": k.FOLLOW,
    "must_head": k.HEAD,
    "head_when_trumped": k.HEAD_TRUMPED,
    "must_trump": k.TRUMP,
    "must_overtrump": k.OVERTRUMP,
    "must_undertrump": k.UNDERTRUMP,
    "ace_instead_of_following": k.ACE_ANYTIME,
}


def play_flags(rules: CardRules) -> int:
    """The switches of following, heading and trumping as bits."""
    return sum(bit for name, bit in SWITCHES.items() if getattr(rules, name))


def compile_play(rules: CardRules) -> k.PlayArrays:
    """The arrays that :mod:`mouche_solver.cards.kernels.play` reads.

    Examples
    --------
    >>> play = compile_play(CardRules(players=3, pamphile=True))
    >>> play.suit_of.shape, int(play.suit_of[2, 4])  # the Jack of clubs is a heart
    ((4, 28), 2)
    """
    pack = rules.pack
    suits, size = len(pack.suits), pack.size
    suit_of = np.empty((suits, size), np.int64)
    suit_mask = np.zeros((suits, suits), np.int64)
    above = np.zeros((suits, size), np.int64)
    for trump in range(suits):
        order = effective_order(rules, trump)
        for suit, cards in enumerate(order):
            suit_of[trump, cards] = suit
            beaten_by = 0
            for card in reversed(cards):
                above[trump, card] = beaten_by
                beaten_by |= 1 << card
            suit_mask[trump, suit] = beaten_by
    killer = pack.card("AS") if rules.scoring == "countdown" else -1
    ace = np.full(suits, -1, np.int64)
    if killer >= 0:
        ace[:] = [pack.card(f"A{suit}") for suit in pack.suits]
    return k.PlayArrays(play_flags(rules), suit_of, suit_mask, above, ace, killer)


def effective_order(rules: CardRules, trump: int) -> list[list[int]]:
    """The cards of each effective suit, lowest first."""
    pack, pamphile = rules.pack, rules.pamphile_card
    order = [
        [c for c in range(s * pack.per_suit, (s + 1) * pack.per_suit) if c != pamphile]
        for s in range(len(pack.suits))
    ]
    if pamphile is not None:
        order[trump].append(pamphile)
    return order


def compile_deal(rules: CardRules) -> DealArrays:
    """The rules of a deal as numbers, part of a ``GAME`` record."""
    pack = rules.pack
    by_points = rules.mouche_order == "points"
    value = [
        mouche_points(rules, 1 << card) if by_points else pack.rank(card)
        for card in range(pack.size)
    ]
    countdown = rules.scoring == "countdown"
    return DealArrays(
        players=rules.players,
        hand_size=rules.hand_size,
        cards=pack.size,
        max_exchange=rules.max_exchange,
        reshuffle=rules.reshuffle,
        passed_return=rules.passed_hands_return,
        own_return=rules.own_discards_return,
        dealer_takes=rules.dealer_takes_trump,
        mouche=rules.mouche and not countdown,
        mouche_exchanged=rules.mouche_after_exchange,
        must_stand=rules.mouche_must_stand,
        losers_pay=rules.losing_holders_pay,
        passers_pay=rules.passers_pay,
        by_points=by_points,
        pamphile=-1 if rules.pamphile_card is None else rules.pamphile_card,
        any_suit=rules.pamphile_any_suit,
        kept=1 << pack.card("AS") if countdown else 0,
        value=np.array(value, np.int64),
        suits=np.array([pack.suit_mask(s) for s in range(len(pack.suits))], np.int64),
    )
