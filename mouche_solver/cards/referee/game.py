"""Deals in succession: the ante, the next pot, and what a deal leaves behind."""

from collections.abc import Sequence
from dataclasses import replace

from mouche_solver.cards.referee import referee
from mouche_solver.cards.referee.actions import Action
from mouche_solver.cards.referee.deal import Deal, start_deal, with_entry
from mouche_solver.cards.referee.game_state import Game, next_seating
from mouche_solver.cards.referee.succession import end_game, find_dealer, following
from mouche_solver.cards.rules.rules import CardRules
from mouche_solver.errors import IllegalMoveError, RulesError


def new_game(rules: CardRules, first_dealer: int) -> Game:
    """A game before its first deal, which ``first_dealer`` deals.

    Examples
    --------
    >>> game = new_game(CardRules(players=3), first_dealer=2)
    >>> next_seating(game), game.stacks
    ((0, 1, 2), (50, 50, 50))
    """
    if not 0 <= first_dealer < rules.players:
        raise RulesError(f"first dealer {first_dealer}: allowed are 0 to {rules.players - 1}")
    if rules.first_dealer not in (None, first_dealer):
        raise RulesError(f"the rules make player {rules.first_dealer} the first dealer")
    countdown = rules.scoring == "countdown"
    game = Game(
        rules=rules,
        dealer=first_dealer,
        stacks=(0,) * rules.players if countdown else rules.starting_chips,
        points=(rules.countdown_from,) * rules.players if countdown else (),
        alive=tuple(range(rules.players)),
        deals=(0,) * rules.players,
    )
    return find_dealer(game)


def begin_deal(game: Game, order: Sequence[int]) -> Game:
    """The dealer puts in the ante, waiting mouches join the pot, the cards are dealt.

    Parameters
    ----------
    game : Game
    order : sequence of int
        The shuffled pack, see :func:`mouche_solver.cards.referee.deal.start_deal`.
    """
    if not game.between:
        raise IllegalMoveError(
            "the game is over" if game.over else "the deal must end before the next one"
        )
    rules, seating = game.rules, next_seating(game)
    ante = 0 if rules.scoring == "countdown" else rules.ante_chips
    waiting = split_waiting(rules, game.waiting)[1]
    stacks = with_entry(game.stacks, game.dealer, game.stacks[game.dealer] - ante)
    deal = start_deal(
        rules,
        order,
        stacks=[stacks[p] for p in seating],
        pot=next_pot(game),
        waiting=waiting,
        points=[game.points[p] for p in seating] if game.points else None,
    )
    deals = with_entry(game.deals, game.dealer, game.deals[game.dealer] + 1)
    return _synced(replace(game, seating=seating, deals=deals), deal)


def next_pot(game: Game) -> int | None:
    """The pot of the deal that comes next; None while a deal runs and at the end."""
    if not game.between:
        return None
    ante = 0 if game.rules.scoring == "countdown" else game.rules.ante_chips
    return game.pot + ante + split_waiting(game.rules, game.waiting)[0]


def split_waiting(rules: CardRules, waiting: Sequence[int]) -> tuple[int, tuple[int, ...]]:
    """What goes into the next pot, and the mouches that wait on.

    Examples
    --------
    >>> split_waiting(CardRules(mouches_paid_in="largest-first"), (5, 10))
    (10, (5,))
    """
    if not waiting or rules.mouches_paid_in == "all":
        return sum(waiting), ()
    first = 0
    if rules.mouches_paid_in == "largest-first":
        first = max(range(len(waiting)), key=lambda place: waiting[place])
    return waiting[first], (*waiting[:first], *waiting[first + 1 :])


def apply(game: Game, action: Action) -> Game:
    """The game after an action of the running deal."""
    if game.over or game.deal is None:
        raise IllegalMoveError("the game is over" if game.over else "no deal has begun")
    game = _synced(game, referee.apply(game.deal, action))
    return _after_deal(game) if game.deal and game.deal.outcome else game


def _synced(game: Game, deal: Deal) -> Game:
    """The game with a deal's money and points."""
    stacks, points = list(game.stacks), list(game.points)
    for seat, player in enumerate(game.seating):
        stacks[player] = deal.stacks[seat]
        if points:
            points[player] = deal.points[seat]
    return replace(
        game,
        deal=deal,
        stacks=tuple(stacks),
        points=tuple(points),
        pot=deal.pot,
        waiting=deal.waiting,
    )


def _after_deal(game: Game) -> Game:
    """Players who could not pay are out; the first hand deals next."""
    assert game.deal is not None
    assert game.deal.outcome is not None
    if game.deal.outcome.how == "zero":
        return replace(game, over=True)
    out = {game.seating[seat] for seat in game.deal.broke}
    game = replace(game, alive=tuple(p for p in game.alive if p not in out))
    return find_dealer(replace(game, dealer=following(game))) if game.alive else end_game(game)
