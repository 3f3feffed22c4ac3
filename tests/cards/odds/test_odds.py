"""Exact odds: the published numbers, and brute force over whole deals of tiny packs."""

import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, product
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mouche_solver.cards import CardRules, cards_of, mask_of
from mouche_solver.cards import odds as o
from mouche_solver.cards.odds import Seen, Want
from mouche_solver.errors import NotationError, RulesError, TooLargeError

PUBLISHED = [
    ("lalanne", 3, "1/1170"),
    ("jeux-de-cartes", 3, "1/899"),
    ("lalanne", 4, "1/748"),
    ("jeux-de-cartes", 5, "14/9139"),
    ("jeux-de-cartes", 6, "3/1763"),
    ("lalanne", 5, "2/1081"),
    ("lalanne", 6, "33/16660"),
]


@pytest.mark.parametrize("deck, players, chance", PUBLISHED)
def test_five_of_a_suit_in_each_deck(deck: str, players: int, chance: str) -> None:
    assert o.mouche_dealt(CardRules(players=players, deck=deck)) == Fraction(chance)


TINY = [
    CardRules(players=2, ranks="K Q J A", suits="C D", hand_size=2),
    CardRules(players=3, ranks="K Q J", suits="C D H", hand_size=2),
    CardRules(players=2, ranks="K Q J A", suits="C D", hand_size=3),
    CardRules(players=2, ranks="K J", suits="C D H", hand_size=2, pamphile=True),
    CardRules(
        players=2, ranks="K Q J", suits="C D H", hand_size=3, pamphile=True, pamphile_any_suit=True
    ),
    CardRules(
        players=3, ranks="K Q J", suits="C S", hand_size=1, pamphile=True, pamphile_any_suit=True
    ),
]


def splits(cards: tuple[int, ...], sizes: list[int]) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Every way to give groups of these sizes from the cards."""
    if not sizes:
        yield ()
        return
    for group in combinations(cards, sizes[0]):
        rest = tuple(c for c in cards if c not in group)
        for others in splits(rest, sizes[1:]):
            yield (group, *others)


def flush(rules: CardRules, hand: tuple[int, ...]) -> bool:
    """A mouche, written without the package."""
    if rules.pamphile_any_suit:
        hand = tuple(c for c in hand if c != rules.pamphile_card)
    return len({rules.pack.suit(c) for c in hand}) <= 1


@pytest.mark.parametrize("rules", TINY)
def test_mouches_by_brute_force(rules: CardRules) -> None:
    everyone = [rules.hand_size] * rules.players
    deals = list(splits(tuple(range(rules.pack.size)), everyone))
    count = Counter(sum(flush(rules, hand) for hand in deal) for deal in deals)
    expected = tuple(Fraction(count[k], len(deals)) for k in range(rules.players + 1))
    assert o.mouche_count(rules) == expected
    assert o.mouche_at_table(rules) == 1 - expected[0]
    dealt = Fraction(sum(flush(rules, deal[-1]) for deal in deals), len(deals))
    assert o.mouche_dealt(rules) == dealt


@pytest.mark.parametrize("rules", TINY)
def test_mouches_for_one_who_looks(rules: CardRules) -> None:
    size, pack = rules.hand_size, range(rules.pack.size)
    for cards in list(combinations(pack, size + 1))[::5]:
        hand, turned = cards[:size], cards[size]
        rest = tuple(c for c in pack if c not in cards)
        deals = list(splits(rest, [size] * (rules.players - 1)))
        seen = Seen(mask_of(hand), turned)
        some = sum(any(flush(rules, h) for h in deal) for deal in deals)
        one = sum(flush(rules, deal[0]) for deal in deals)
        assert o.mouche_dealt(rules, seen) == Fraction(one, len(deals))
        assert o.mouche_elsewhere(rules, seen) == Fraction(some, len(deals))
        table = 1 if flush(rules, hand) else Fraction(some, len(deals))
        assert o.mouche_at_table(rules, seen) == table


def trumps_of(rules: CardRules, trump: int) -> set[int]:
    named = {c for c in range(rules.pack.size) if rules.pack.suit(c) == trump}
    return named | ({rules.pamphile_card} if rules.pamphile_card is not None else set())


@pytest.mark.parametrize("rules", TINY)
def test_trumps_dealt_by_brute_force(rules: CardRules) -> None:
    size, found, total = rules.hand_size, Counter(), 0
    for turned in range(rules.pack.size):
        if turned == rules.pamphile_card:
            continue
        trumps = trumps_of(rules, rules.pack.suit(turned))
        rest = [c for c in range(rules.pack.size) if c != turned]
        alone = Counter(len(trumps & set(h)) for h in combinations(rest, size))
        whole = comb(len(rest), size)
        expected = tuple(Fraction(alone[t], whole) for t in range(size + 1))
        assert o.trumps_dealt(rules, Seen(turned=turned)) == expected
        found, total = found + alone, total + whole
    assert o.trumps_dealt(rules) == tuple(Fraction(found[t], total) for t in range(size + 1))


def test_a_pack_of_clubs_alone() -> None:
    rules = CardRules(players=2, ranks="K Q J A 10 9", suits="C", hand_size=2, pamphile=True)
    assert o.trumps_exchanging(rules, 1) == (0, 0, 1)
    assert o.mouche_count(rules) == (0, 0, 1)


DRAWS = [(r, k) for r in TINY for k in range(3) if k <= min(r.hand_size, r.stock_size)]


@pytest.mark.parametrize("rules, count", DRAWS)
def test_trumps_after_exchanging_plain_cards_first(rules: CardRules, count: int) -> None:
    size = rules.hand_size
    found, total = Counter(), Fraction(0)
    for turned in range(rules.pack.size):
        if turned == rules.pamphile_card:
            continue
        trumps = trumps_of(rules, rules.pack.suit(turned))
        rest = tuple(c for c in range(rules.pack.size) if c != turned)
        for hand, drawn in splits(rest, [size, count]):
            kept = sorted(hand, key=lambda c: c in trumps)[count:]
            found[len(trumps & {*kept, *drawn})] += 1
            total += 1
    expected = tuple(Fraction(found[t]) / total for t in range(size + 1))
    assert o.trumps_exchanging(rules, count) == expected


SMALL = CardRules(players=3, ranks="K Q J A", suits="C D H", hand_size=2)


def test_improving_even_when_others_drew_before() -> None:
    """Every order of the unseen cards in which an earlier player took two from the stock."""
    pack = SMALL.pack
    seen = Seen(pack.hand("KC QD"), pack.card("AH"), laid=pack.hand("QD"))
    rest = tuple(c for c in range(pack.size) if c not in (*cards_of(seen.hand), seen.turned))
    wants = [Want(pack.suit_mask(0), 2), Want(pack.hand("KD JD KH"), 0, most=0)]
    hits = total = 0
    for _, _, _, mine in splits(rest, [2, 2, 2, 1]):
        hand = mask_of(mine) | pack.hand("KC")
        total += 1
        hits += (hand & wants[0].cards).bit_count() >= 2
    assert o.improves(SMALL, seen, wants) == Fraction(hits, total) == Fraction(1, 3)


@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_improving_by_brute_force(data: st.DataObject) -> None:
    rules = CardRules(players=2, ranks="K Q J A 10", suits="C D H", hand_size=3)
    size = rules.pack.size
    cards = data.draw(st.permutations(range(size)))
    hand, turned = cards[:3], cards[3]
    laid = hand[: data.draw(st.integers(0, 3))]
    wants = [
        Want(data.draw(st.integers(0, 2**size - 1)), data.draw(st.integers(0, 2)), most)
        for most in data.draw(st.lists(st.sampled_from([None, 1, 2, 3]), max_size=3))
    ]
    kept = [c for c in hand if c not in laid]
    finals = [mask_of([*kept, *d]) for d in combinations(cards[4:], len(laid))]
    good = sum(all(w.met((f & w.cards).bit_count()) for w in wants) for f in finals)
    seen = Seen(mask_of(hand), turned, mask_of(laid))
    assert o.improves(rules, seen, wants) == Fraction(good, len(finals))
    trump = rules.pack.suit_mask(rules.pack.suit(turned))
    after = o.trumps_after_exchange(rules, seen)
    for t in range(4):
        assert after[t] == o.improves(rules, seen, [Want(trump, t, t)])


def test_cards_out_against_me() -> None:
    pack = SMALL.pack
    seen = Seen(pack.hand("QC JD"), pack.card("AH"))
    rest = tuple(c for c in range(pack.size) if c not in (*cards_of(seen.hand), seen.turned))
    wanted = set(pack.cards("KC KD KH QC"))  # the queen is mine
    for opponents in (1, 2):
        found = Counter()
        for hands in splits(rest, [2] * opponents):
            found[len(wanted & {c for h in hands for c in h})] += 1
        whole = sum(found.values())
        expected = tuple(Fraction(found[k], whole) for k in range(4))
        assert o.cards_out(SMALL, seen, mask_of(wanted), opponents) == expected


def test_the_stock_by_enumerating_declarations() -> None:
    rules = CardRules(players=3, ranks="K Q J A", suits="C D", hand_size=2)
    assert rules.stock_size == 1
    chances = [
        {-1: Fraction(1, 2), 0: Fraction(1, 4), 1: Fraction(1, 4)},
        {-1: Fraction(1, 3), 2: Fraction(2, 3)},
        {-1: Fraction(1, 5), 1: Fraction(3, 5), 2: Fraction(1, 5)},
    ]
    expected = Fraction(0)
    for first, second, dealer in product(*(c.items() for c in chances)):
        asked = max(first[0], 0) + max(second[0], 0)
        if (first[0], second[0]) != (-1, -1):  # else the dealer is not asked
            asked += max(dealer[0], 0)
        if asked > 1:
            expected += first[1] * second[1] * dealer[1]
    assert o.stock_runs_out(rules, chances) == expected
    assert o.stock_runs_out(rules.replace(reshuffle=False), chances) == 0


def test_standing_says_something_about_the_hand() -> None:
    rules = CardRules(players=4)
    dealt = o.mouche_dealt(rules)
    assert o.mouche_given_stood(rules, Fraction(1)) == dealt
    assert o.mouche_given_stood(rules, Fraction(0)) == 1
    assert o.mouche_given_stood(rules, Fraction(1, 10)) == dealt / (dealt + (1 - dealt) / 10)


def test_a_range_that_is_every_hand_is_no_information() -> None:
    from mouche_solver.cards.compiled.hands import HandClasses

    rules = CardRules(players=3)
    pack = rules.pack
    hand, turned = pack.hand("KH QH 9H 8C AD"), pack.card("9S")
    classes = HandClasses(pack, 5, turned)
    every = np.ones(classes.n_classes, bool)
    seen = Seen(hand, turned)
    assert o.mouche_given_range(rules, turned, every, hand=hand) == o.mouche_dealt(rules, seen)
    trumps = np.bitwise_count(classes.hand_of(range(classes.n_classes)) & pack.suit_mask(3))
    assert o.mouche_given_range(rules, turned, trumps >= 3) == Fraction(
        comb(6, 5), sum(comb(6, t) * comb(21, 5 - t) for t in (3, 4, 5))
    )


def test_tables_are_the_fractions() -> None:
    rules = CardRules(players=4)
    table = o.trump_table(rules)
    dealt = np.array([float(p) for p in o.trumps_dealt(rules)])
    for count in range(6):
        exact = [float(p) for p in o.trumps_exchanging(rules, count)]
        assert np.allclose(dealt @ table[:, count], exact, rtol=0, atol=1e-15)
    pack = rules.pack
    seen = Seen(pack.hand("QS JS 9H 8D 6C"), pack.card("7S"))
    kings = pack.hand("KS KH KD")
    assert o.out_table(rules)[3, 3] == float(1 - o.cards_out(rules, seen, kings, 3)[0])
    assert np.allclose(o.hit_table(30, 5).sum(axis=2), np.tri(6)[5], atol=1e-15)


@settings(max_examples=30, deadline=None)
@given(cards=st.permutations(range(36)), names=st.permutations(range(4)))
def test_renaming_suits_changes_nothing(cards: list[int], names: list[int]) -> None:
    rules = CardRules(players=4)
    renamed = [names[c // 9] * 9 + c % 9 for c in cards]
    answers = []
    for order in (cards, renamed):
        seen = Seen(mask_of(order[:5]), order[5], mask_of(order[:2]))
        answers.append(
            (
                o.mouche_count(rules, seen),
                o.trumps_dealt(rules, seen),
                o.trumps_after_exchange(rules, seen),
            )
        )
    assert answers[0] == answers[1]


def test_what_cannot_be_seen_is_refused() -> None:
    rules = CardRules(players=4)
    pack = rules.pack
    hand = pack.hand("KH QH 9H 8H 6H")
    for seen in [
        Seen(hand, pack.card("KH")),
        Seen(hand & (hand - 1), pack.card("KS")),
        Seen(hand, pack.card("KS"), laid=pack.hand("7H")),
        Seen(1 << 40, pack.card("KS")),
    ]:
        with pytest.raises(NotationError):
            o.mouche_dealt(rules, seen)
    with pytest.raises(RulesError, match="no mouche"):
        o.mouche_dealt(CardRules.mushka(4))
    with pytest.raises(RulesError, match="allowed are 0 to 3"):
        o.trumps_dealt(rules, Seen(), trump=4)
    with pytest.raises(NotationError, match="turn-up"):
        o.trumps_after_exchange(rules, Seen(hand, laid=pack.hand("6H")))
    with pytest.raises(RulesError, match="reshuffle"):
        o.trumps_exchanging(CardRules(players=6, deck="piquet"), 2)
    wants = [Want(1 << c) for c in range(30)]
    seen = Seen(hand, pack.card("9S"), laid=pack.hand("KH"))
    with pytest.raises(TooLargeError, match="ways to draw"):
        o.improves(rules, seen, wants)


def test_odds_need_no_compiler() -> None:
    code = (
        "import sys; from mouche_solver.cli import main; "
        "code = main(['cards', 'odds', '--players', '4', '--format', 'json']); "
        "sys.exit(code or 'numba' in sys.modules or 'pandas' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True).returncode == 0
