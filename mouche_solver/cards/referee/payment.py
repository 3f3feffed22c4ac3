"""Moves of chips between stacks, the pot and the waiting mouches."""

from collections.abc import Iterable

from mouche_solver.cards.referee.deal import Deal, Outcome, replace, with_entry


def give(deal: Deal, seat: int, amount: int) -> Deal:
    """The deal with ``amount`` more in a stack."""
    return replace(deal, stacks=with_entry(deal.stacks, seat, deal.stacks[seat] + amount))


def take(deal: Deal, seat: int, amount: int) -> tuple[Deal, int]:
    """Take ``amount`` from a stack, or what it holds when there are no debts; also that number."""
    if not deal.rules.debts and deal.stacks[seat] < amount:
        amount = deal.stacks[seat]
        deal = replace(deal, broke=deal.broke | {seat})
    return give(deal, seat, -amount), amount


def make_mouches(deal: Deal, seats: Iterable[int], amount: int) -> Deal:
    """Each seat pays ``amount``; the chips wait for the next pot."""
    for seat in seats:
        deal, paid = take(deal, seat, amount)
        if paid:
            deal = replace(deal, waiting=(*deal.waiting, paid))
    return deal


def pay_alone(deal: Deal, seat: int, sweeps: bool = False) -> Deal:
    """The only player left in takes the pot, or what waits too; nobody pays anything."""
    deal = _take_pot(deal, seat, sweeps)
    return replace(deal, phase="over", outcome=Outcome("alone", seat))


def pay_mouche(deal: Deal, winner: int, holders: Iterable[int]) -> Deal:
    """A mouche takes the whole pot; everyone else who is in makes the mouche."""
    rules = deal.rules
    payers = [s for s in range(deal.seats) if s != winner and _pays(deal, s, tuple(holders))]
    amount = rules.debt(deal.pot)
    deal = _take_pot(deal, winner, rules.sweep)
    deal = make_mouches(deal, payers, amount)
    return replace(deal, phase="over", outcome=Outcome("mouche", winner, tuple(payers)))


def _take_pot(deal: Deal, seat: int, sweeps: bool) -> Deal:
    """A seat takes the pot, and what waits too when it sweeps."""
    if sweeps:
        deal = replace(give(deal, seat, sum(deal.waiting)), waiting=(), older=0)
    return replace(give(deal, seat, deal.pot), pot=0)


def _pays(deal: Deal, seat: int, holders: tuple[int, ...]) -> bool:
    if seat not in deal.inside:
        return deal.rules.passers_pay
    return seat not in holders or deal.rules.losing_holders_pay


def pay_pamphile(deal: Deal) -> Deal:
    """The Pamphile's holder, if in, gets a chip (or a trick's worth) from those who pay it."""
    card, rules = deal.rules.pamphile_card, deal.rules
    holders = [s for s in deal.inside if card is not None and deal.hands[s] >> card & 1]
    if not holders:
        return deal
    amount = 1 if rules.pamphile_pays == "chip" else deal.pot // rules.hand_size
    payers = range(deal.seats) if rules.pamphile_from == "all" else deal.inside
    for seat in payers:
        if seat != holders[0]:
            deal, paid = take(deal, seat, amount)
            deal = give(deal, holders[0], paid)
    return deal


def pay_tricks(deal: Deal) -> Deal:
    """Every trick is worth its share of the pot; no trick, or a revoke, makes the mouche.

    Only a pot that holds a part payment does not divide; its odd chips stay in the basket.
    """
    pot, worth = deal.pot, deal.pot // deal.rules.hand_size
    for seat, won in enumerate(deal.tricks):
        deal = give(deal, seat, worth * won)
    losers = tuple(s for s in deal.inside if deal.tricks[s] == 0 or s in deal.revoked)
    deal = replace(deal, pot=pot - worth * deal.rules.hand_size)
    deal = make_mouches(deal, losers, deal.rules.debt(pot))
    return replace(deal, phase="over", outcome=Outcome("tricks", None, losers))
