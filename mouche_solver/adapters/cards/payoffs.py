"""What a game of cards pays, in antes, and the bounds of it."""

from fractions import Fraction

from mouche_solver.adapters.cards.position import CardPosition
from mouche_solver.adapters.cards.table import CardTable
from mouche_solver.adapters.moments import TERMINAL
from mouche_solver.cards.referee.game import next_seating
from mouche_solver.cards.referee.mushka import NO_TRICK_WITH_ACE
from mouche_solver.cards.rules.rules import CardRules


def payoffs(position: CardPosition) -> list[Fraction]:
    """Payoffs by player, zeros before the end; see the documentation of the game."""
    rules, shares = position.table.rules, position.table.setup.shares
    game, deal = position.game, position.deal
    if position.player != TERMINAL or deal is None:
        return [Fraction(0)] * rules.players
    if rules.scoring == "countdown":
        points = deal.points if game is None else game.points
        return [Fraction(rules.countdown_from - each) for each in points]
    source, ante = game or deal, rules.ante_chips
    pays = [
        Fraction(stack - chips, ante)
        for stack, chips in zip(source.stacks, rules.starting_chips, strict=True)
    ]
    if shares is None:
        return pays
    left = Fraction(source.pot + sum(source.waiting), ante)
    # The first hand deals the next deal.
    seating = position.seating
    order = (*seating[1:], seating[0]) if game is None else next_seating(game)
    # Nobody puts an ante into the pot of a single deal: everyone pays an equal part of it.
    even = Fraction(1, rules.players) if game is None else Fraction(0)
    return [pay + left * shares[order.index(p)] - even for p, pay in enumerate(pays)]


def payoff_bounds(table: CardTable) -> tuple[float, float]:
    """Bounds of a payoff, reached or not.

    Examples
    --------
    >>> from mouche_solver.adapters.cards.params import CardSetup
    >>> from mouche_solver.adapters.cards.table import card_table
    >>> payoff_bounds(card_table(CardSetup(CardRules(players=3, pamphile=True))))
    (-1.2, 1.4)
    """
    rules, shares = table.rules, table.setup.shares
    if rules.scoring == "countdown":
        return float(-NO_TRICK_WITH_ACE * table.deals), float(rules.countdown_from)
    if not table.many:
        return _one_deal(rules, shares)
    total, paid, carried = Fraction(0), Fraction(0), Fraction(0)
    others = rules.players - 1
    for _ in range(table.deals):
        pot = 1 + carried
        total += pot + _pamphile(rules, pot) * others
        paid += 1 + _debt(rules, pot) + _pamphile(rules, pot)
        # Mouches that go in one at a time pile up; without debts odd chips stay in the basket.
        piled = Fraction(0) if rules.mouches_paid_in == "all" else carried
        carried = others * _debt(rules, pot) + piled + (not rules.debts)
    return float(-paid), float(total + carried)


def _one_deal(rules: CardRules, shares: tuple[Fraction, ...] | None) -> tuple[float, float]:
    """The winner of all tricks gets the pot and a share of everyone's mouche; the loser pays."""
    paid, others = _debt(rules, Fraction(1)), rules.players - 1
    chip = _pamphile(rules, Fraction(1))
    seats = shares or (Fraction(0),)
    even = Fraction(1, rules.players) if shares else Fraction(0)
    low = -paid * (1 - min(seats)) - chip - even
    return float(low), float(1 + others * (chip + paid * max(seats)) - even)


def _debt(rules: CardRules, pot: Fraction) -> Fraction:
    """What a mouche costs at most, in antes."""
    return pot if rules.cap is None else min(pot, Fraction(rules.cap, rules.ante_chips))


def _pamphile(rules: CardRules, pot: Fraction) -> Fraction:
    """What the Pamphile's holder gets from each other player at most, in antes."""
    if not rules.pamphile:
        return Fraction(0)
    if rules.pamphile_pays == "chip":
        return Fraction(1, rules.ante_chips)
    return pot / rules.hand_size
