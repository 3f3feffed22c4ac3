"""Declarations: exchanges and the stock, the turn-up, the question, and the mouche."""

import pytest

from mouche_solver.cards import CardRules
from mouche_solver.cards.referee.actions import (
    Answer,
    Ask,
    Exchange,
    NameTrump,
    Pass,
    Play,
    Shuffle,
    Stand,
)
from mouche_solver.cards.referee.declare import exchangeable, holds_mouche
from mouche_solver.cards.referee.referee import apply, legal_actions
from mouche_solver.cards.rules.mouche import best_mouche, mouche_points
from mouche_solver.errors import IllegalMoveError

# Three players with two cards of 2 suits x 5 ranks: a stock of three.
SMALL = CardRules(players=3, ranks="K Q J A 10", suits="C D", hand_size=2)
HANDS = ["KC QD", "JC KD", "AC JD"]


def test_an_exchange_draws_the_top_of_the_stock(deal_of, run):
    deal = run(deal_of(SMALL, HANDS, "AD", "QC 10D 10C"), "KC QD")
    assert SMALL.pack.mask_names(deal.hands[0]) == ["QC", "10D"]
    assert deal.stock == SMALL.pack.cards("10C")
    assert deal.pile == deal.laid[0] == SMALL.pack.hand("KC QD")


def test_a_short_stock_is_drawn_first_then_passed_hands_and_discards(deal_of, run):
    deal = run(deal_of(SMALL, HANDS, "AD", "QC 10D 10C"), "KC QD, pass, AC JD")
    assert deal.phase == "shuffle"
    assert deal.pile == SMALL.pack.hand("KC QD JC KD")
    assert deal.hands[2] == SMALL.pack.hand("10C")
    assert legal_actions(deal) == []
    with pytest.raises(IllegalMoveError, match="those laid aside, each once: KC JC KD QD"):
        apply(deal, Shuffle(SMALL.pack.cards("KC QD JC")))
    after = apply(deal, Shuffle(SMALL.pack.cards("KD JC KC QD")))
    assert after.hands[2] == SMALL.pack.hand("10C KD")
    assert after.stock == SMALL.pack.cards("JC KC QD")
    assert after.pile == SMALL.pack.hand("AC JD")
    assert after.phase == "play"


def test_own_discards_may_come_back(deal_of, run):
    rules = SMALL.replace(own_discards_return=True)
    deal = run(deal_of(rules, HANDS, "AD", "QC 10D 10C"), "KC QD, pass, AC JD")
    assert deal.pile == rules.pack.hand("KC QD JC KD AC JD")
    after = apply(deal, Shuffle(rules.pack.cards("AC KC QD JC KD JD")))
    assert after.hands[2] == rules.pack.hand("10C AC")
    assert after.pile == 0


def test_passed_hands_may_stay_out_and_the_stock_may_be_all(deal_of, run):
    hands, stock = HANDS, "QC 10D 10C"
    out = run(deal_of(SMALL.replace(passed_hands_return=False), hands, "AD", stock), "pass, stand")
    assert (out.pile, exchangeable(out)) == (0, 2)
    none = run(deal_of(SMALL.replace(reshuffle=False), hands, "AD", stock), "KC QD, pass")
    assert exchangeable(none) == 1
    with pytest.raises(IllegalMoveError, match=r"2 cards: only 1 can be drawn from the stock$"):
        apply(none, Exchange(2, none.rules.pack.cards("AC JD")))


def test_more_than_stock_and_pile_is_illegal(deal_of, run):
    rules = CardRules(players=3, ranks="K Q J A", suits="C D", hand_size=2)
    deal = deal_of(rules, ["KC QD", "JC KD", "AC JD"], "AD", "QC")
    with pytest.raises(IllegalMoveError, match="only 1 can be drawn from the stock and the cards"):
        apply(deal, Exchange(0, rules.pack.cards("KC QD")))
    assert exchangeable(apply(deal, Pass(0))) == 2


def test_cap_on_the_exchange(deal_of):
    deal = deal_of(CardRules(exchange_cap=2), ["KC QC JC AC 10D", *FILLERS], "6S")
    assert max(len(a.cards) for a in legal_actions(deal) if isinstance(a, Exchange)) == 2
    with pytest.raises(IllegalMoveError, match="an exchange is 1 to 2 cards"):
        apply(deal, Exchange(0, deal.rules.pack.cards("KC QC JC")))


FILLERS = ["KD QD JD AD 9C", "KH QH JH AH 9D", "KS QS JS AS 9H"]


@pytest.mark.parametrize(
    ("action", "message"),
    [
        (Exchange(0, (99,)), "99 is not in the hand"),
        (Exchange(0, CardRules().pack.cards("KD")), "KD is not in the hand, which is KC QC JC AC"),
        (Exchange(0, CardRules().pack.cards("KC") * 2), "laid down twice"),
        (Exchange(0, ()), "0 cards: an exchange is 1 to 5"),
        (Stand(1), "seat 1 is out of turn: seat 0 declares now"),
        (Stand(-1), "out of turn"),
        (Stand(0, swap=8), "only the dealer may take the turn-up"),
        (Play(0, 8), "nobody plays now: players declare"),
        (NameTrump(3, 0), "nobody names trumps now"),
        (Shuffle(()), "nobody shuffles now"),
        (Ask(1, 0), "no question"),
        (Answer(0, "no"), "nobody has asked"),
    ],
)
def test_bad_input_leaves_the_deal_unchanged(deal_of, action, message):
    deal = deal_of(CardRules(), ["KC QC JC AC 10D", *FILLERS], "6S")
    before = repr(deal)
    with pytest.raises(IllegalMoveError, match=message):
        apply(deal, action)
    assert repr(deal) == before


def test_the_last_player_left_takes_the_pot_and_the_dealer_is_not_asked(deal_of, run):
    deal = run(deal_of(SMALL, HANDS, "AD"), "pass, pass")
    assert (deal.outcome.how, deal.outcome.winner, deal.outcome.mouches) == ("alone", 2, ())
    assert deal.stacks == (50, 50, 52)
    first = run(deal_of(SMALL, HANDS, "AD"), "stand, pass, pass")
    assert (first.outcome.how, first.stacks) == ("alone", (52, 50, 50))


def test_a_mouche_takes_the_pot_and_the_others_in_pay(deal_of, run):
    """The case of the rules: P1 passed, P2 stood on five diamonds, P3 exchanged, P4 stood."""
    rules = CardRules(mouche_order="points")
    hands = ["KC QC JC 9H AC", "AD 10D 9D 8D 7D", "KH QH JH AS 6C", "KS QS JS AH 7C"]
    deal = deal_of(rules, hands, "6S", "8C", pot=10, stacks=[50] * 4)
    deal = run(deal, "pass, stand, 6C, stand")
    assert [stack - 50 for stack in deal.stacks] == [0, 10, -10, -10]
    assert sum(deal.waiting) + 5 == 25
    passers = deal_of(rules.replace(passers_pay=True), hands, "6S", pot=10)
    assert run(passers, "pass, stand, 6C, stand").stacks == (40, 60, 40, 40)


def test_losing_holders_pay_unless_exempt(deal_of, run):
    hands = ["KC QC JC AC 9C", "KD QD JD AD 10D", "KH QH JH AH 9S", "KS QS JS AS 9H"]
    deal = run(deal_of(CardRules(), hands, "6S"), "stand, stand, stand, pass")
    assert (deal.outcome.winner, deal.outcome.mouches) == (1, (0, 2))
    exempt = deal_of(CardRules(losing_holders_pay=False), hands, "6S")
    assert run(exempt, "stand, stand, stand, pass").outcome.mouches == (2,)


def test_which_mouche_wins():
    rules = CardRules(players=6)
    pack = rules.pack
    hands = tuple(map(pack.hand, ["KC QC JC AC 9C", "KD QD JD AD 10D", "2S 3S 4S 5S 6S"]))
    assert [mouche_points(rules, hand) for hand in hands] == [49, 50, 20]
    trump = pack.suit_number
    assert best_mouche(rules, trump("S"), hands, [0, 1, 2]) == 2
    assert best_mouche(rules, trump("H"), hands, [0, 1, 2]) == 1
    by_card = rules.replace(mouche_order="highest-card")
    assert best_mouche(by_card, trump("H"), hands, [0, 1, 2]) == 0
    low_ace = rules.replace(ace_points=1)
    assert mouche_points(low_ace, hands[1]) == 41
    equal = (hands[2], pack.hand("2H 3H 4H 5H 6H"))
    assert best_mouche(rules, trump("C"), equal, [0, 1]) == 0


def test_a_drawn_flush_is_no_mouche_unless_the_rules_say_so(deal_of, run):
    hands = ["KH QH JH AH 9H", FILLERS[0], "KC QC JC AC 10D", "KS QS JS AS 6C"]
    deal = run(deal_of(CardRules(), hands, "6S", "10H"), "9H, stand, stand, stand")
    assert deal.phase == "play"
    also = CardRules(mouche_after_exchange=True)
    deal = run(deal_of(also, hands, "6S", "10H"), "9H, stand, stand, stand")
    assert deal.outcome.how == "mouche"


def test_a_holder_may_pass_unless_he_must_stand(deal_of):
    hands = ["KH QH JH AH 9H", "KC QC JC AC 10D", "KD QD JD AD 9C", "KS QS JS AS 9D"]
    assert Pass(0) in legal_actions(deal_of(CardRules(), hands, "6S"))
    deal = deal_of(CardRules(mouche_must_stand=True), hands, "6S")
    assert legal_actions(deal) == [Stand(0)]
    with pytest.raises(IllegalMoveError, match="must stand on it"):
        apply(deal, Pass(0))


def test_the_pamphile_in_a_mouche(deal_of):
    club = ["KC QC JC AC 9C", "KH QH JD AH 9H", "KD QD AD 9D 10H", "KS QS JS AS 9S"]
    deal = deal_of(CardRules(pamphile=True), club, "6S")
    assert [holds_mouche(deal, seat) for seat in range(4)] == [True, False, False, True]
    wild = ["KH QH JC AH 9H", "KC QC JH AC 9C", "KD QD AD 9D 10H", "KS QS JS AS 9S"]
    assert not holds_mouche(deal_of(CardRules(pamphile=True), wild, "6S"), 0)
    assert holds_mouche(deal_of(CardRules(pamphile=True, pamphile_any_suit=True), wild, "6S"), 0)


def test_a_turned_pamphile_lets_the_dealer_name_trumps(deal_of):
    hands = ["KC QC AC 10C 9D", "KD QD JD AD 9C", "KH QH JH AH 9S", "KS QS JS AS 9H"]
    deal = deal_of(CardRules(pamphile=True, dealer_takes_trump=True), hands, "JC")
    assert (deal.phase, deal.turn, deal.trump) == ("name-trump", 3, None)
    with pytest.raises(IllegalMoveError, match="must name trumps"):
        apply(deal, Pass(0))
    with pytest.raises(IllegalMoveError, match="allowed are 0 to 3"):
        apply(deal, NameTrump(3, 4))
    deal = apply(deal, NameTrump(3, 2))
    assert (deal.trump, deal.turn, deal.face_up) == (2, 0, deal.rules.pack.card("JC"))
    for seat in range(3):
        deal = apply(deal, Stand(seat))
    assert all(getattr(action, "swap", None) is None for action in legal_actions(deal))


def test_the_dealer_takes_the_turn_up_openly(deal_of, run):
    rules = CardRules(dealer_takes_trump=True)
    hands = [*FILLERS[:2], "KC QC JC AC 10H", "KS QS JS AS 9S"]
    deal = run(deal_of(rules, hands, "6S", "10D"), "stand, pass, pass")
    swap = rules.pack.card("9S")
    assert Exchange(3, rules.pack.cards("6S KS"), swap) in legal_actions(deal)
    stood = apply(deal, Stand(3, swap))
    assert stood.face_up == swap
    assert stood.hands[3] == rules.pack.hand("KS QS JS AS 6S")
    assert stood.phase == "play"  # a swap kills the mouche
    drawn = apply(deal, Exchange(3, rules.pack.cards("AS"), swap))
    assert drawn.hands[3] == rules.pack.hand("KS QS JS 6S 10D")
    assert apply(deal, Stand(3)).outcome.how == "mouche"


def _asked(deal_of, run, question):
    hands = ["KH QH JH AH 9H", "KC QC JC AC 10D", "KD QD JD AD 9C", "KS QS JS AS 9D"]
    return run(deal_of(CardRules(question=question), hands, "6S"), "stand, stand")


def test_a_clear_answer_must_be_true(deal_of, run):
    deal = _asked(deal_of, run, "on")
    asked = apply(deal, Ask(3, 0))
    assert set(legal_actions(asked)) == {Answer(0, "yes"), Answer(0, "dodge")}
    with pytest.raises(IllegalMoveError, match="must be true, and the player has the mouche"):
        apply(asked, Answer(0, "no"))
    with pytest.raises(IllegalMoveError, match="seat 0 was asked"):
        apply(asked, Stand(2))
    with pytest.raises(IllegalMoveError, match="put to seat 0"):
        apply(asked, Answer(1, "no"))
    with pytest.raises(IllegalMoveError, match="allowed are yes, no and dodge"):
        apply(asked, Answer(0, "maybe"))
    after = apply(asked, Answer(0, "dodge"))
    with pytest.raises(IllegalMoveError, match="only once"):
        apply(after, Ask(2, 0))
    with pytest.raises(IllegalMoveError, match="does not have"):
        apply(apply(after, Ask(2, 1)), Answer(1, "yes"))


def test_who_may_ask_whom(deal_of, run):
    deal = _asked(deal_of, run, "on")
    with pytest.raises(IllegalMoveError, match="only a player who stood"):
        apply(deal, Ask(0, 2))
    with pytest.raises(IllegalMoveError, match="another player"):
        apply(deal, Ask(1, 1))
    with pytest.raises(IllegalMoveError, match="one at a time"):
        apply(apply(deal, Ask(3, 0)), Ask(3, 1))


def test_silence_counts_as_yes(deal_of, run):
    deal = apply(_asked(deal_of, run, "silence-is-yes"), Ask(3, 1))
    assert legal_actions(deal) == [Answer(1, "no")]
    with pytest.raises(IllegalMoveError, match="silence counts as yes"):
        apply(deal, Answer(1, "dodge"))


def test_legal_actions_are_exactly_what_apply_accepts(deal_of):
    rules = SMALL.replace(dealer_takes_trump=True, question="on")
    deal = deal_of(rules, HANDS, "AD", "QC 10D 10C")
    for seat in range(3):
        tries = [Pass(seat), *(Stand(seat, swap) for swap in (None, *range(10)))]
        for bits in range(1 << 10):
            laid = tuple(c for c in range(10) if bits >> c & 1)
            tries += [Exchange(seat, laid, swap) for swap in (None, 5, 9)]
        tries += [Ask(a, b) for a in range(3) for b in range(3)]
        legal = [a for a in legal_actions(deal) if getattr(a, "swap", None) in (None, 5, 9)]
        accepted = [a for a in tries if _accepts(deal, a)]
        assert {a for a in accepted if getattr(a, "swap", None) in (None, 5, 9)} == set(legal)
        deal = apply(deal, Stand(seat))


def _accepts(deal, action):
    try:
        apply(deal, action)
    except IllegalMoveError:
        return False
    return True
