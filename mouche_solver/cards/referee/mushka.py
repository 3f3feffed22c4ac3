"""Mushka's score: from 25 down to exactly 0, trick by trick."""

from mouche_solver.cards.referee.deal import Deal, Outcome, replace, with_entry
from mouche_solver.cards.rules.rules import CardRules

NO_TRICK = 5
NO_TRICK_WITH_ACE = 10


def ace_bonus(rules: CardRules, trump: int) -> int:
    """Points that the Ace of spades takes off at its holder's first trick."""
    return 10 if rules.pack.suits[trump] == "S" else 5


def hold_ace(deal: Deal) -> Deal:
    """Note who holds the Ace of spades when the tricks begin; one drawn counts."""
    ace = 1 << deal.rules.pack.card("AS")
    holders = [seat for seat in deal.inside if deal.hands[seat] & ace]
    return replace(deal, ace_holder=holders[0] if holders else None)


def score_trick(deal: Deal, seat: int) -> Deal:
    """Score a trick that ``seat`` has just won; exactly 0 wins at once, below 0 starts again."""
    assert deal.trump is not None
    points, off = deal.points[seat], 1
    if seat == deal.ace_holder and deal.tricks[seat] == 1:
        bonus = ace_bonus(deal.rules, deal.trump)
        if not deal.rules.bonus_in_turn or points > 1:
            off += bonus
    points -= off
    if points < 0:
        points = deal.rules.countdown_from
    deal = replace(deal, points=with_entry(deal.points, seat, points))
    if points == 0:
        return replace(deal, phase="over", outcome=Outcome("zero", seat))
    return deal


def score_alone(deal: Deal, seat: int) -> Deal:
    """A player left alone scores every trick of the deal."""
    deal = hold_ace(deal)
    for _ in range(deal.rules.hand_size):
        deal = replace(deal, tricks=with_entry(deal.tricks, seat, deal.tricks[seat] + 1))
        deal = score_trick(deal, seat)
        if deal.outcome is not None:
            return deal
    return replace(deal, phase="over", outcome=Outcome("alone", seat))


def score_no_trick(deal: Deal) -> Deal:
    """After the last trick: 5 more for no trick, 10 with the Ace of spades."""
    points = deal.points
    for seat in deal.inside:
        if deal.tricks[seat] == 0:
            more = NO_TRICK_WITH_ACE if seat == deal.ace_holder else NO_TRICK
            points = with_entry(points, seat, points[seat] + more)
    return replace(deal, points=points, phase="over", outcome=Outcome("tricks"))
