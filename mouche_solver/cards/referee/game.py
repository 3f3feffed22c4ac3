"""Deals in succession: the ante, the next pot, and what a deal leaves behind."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, chain

from mouche_solver.cards.referee import referee
from mouche_solver.cards.referee.actions import Action
from mouche_solver.cards.referee.deal import Deal, start_deal, with_entry
from mouche_solver.cards.rules.html import game_html
from mouche_solver.cards.rules.rules import CardRules
from mouche_solver.errors import IllegalMoveError, RulesError


@dataclass(frozen=True)
class Game:
    """A game at one moment. Tuples without further note have one entry per player.

    Players keep their numbers; seats turn with the deal. While a deal runs, ``stacks``, ``pot``,
    ``waiting`` and ``points`` are that deal's.

    Attributes
    ----------
    dealer : int
        The player who deals this deal, or deals next when none is running.
    seating : tuple of int
        The player in each seat of the current or last deal, first hand first.
    alive : tuple of int
        The players who still take part.
    deals : tuple of int
        How often each player has dealt.
    deal : Deal or None
        The deal that runs, or the last one when it is over.
    over : bool
        Whether the game has ended.
    left : tuple of int
        How many of the waiting mouches each earlier deal left, oldest first.
    """

    rules: CardRules
    dealer: int
    stacks: tuple[int, ...]
    points: tuple[int, ...]
    alive: tuple[int, ...]
    deals: tuple[int, ...]
    pot: int = 0
    waiting: tuple[int, ...] = ()
    seating: tuple[int, ...] = ()
    deal: Deal | None = None
    over: bool = False
    left: tuple[int, ...] = ()

    @property
    def chips(self) -> int:
        """All chips: stacks, pot and waiting mouches; the same from beginning to end."""
        return sum(self.stacks) + self.pot + sum(self.waiting)

    @property
    def between(self) -> bool:
        """Whether the next deal can begin."""
        return not self.over and (self.deal is None or self.deal.outcome is not None)

    @property
    def winners(self) -> tuple[int, ...]:
        """Who gained the most chips, or who reached 0; empty before the end."""
        if not self.over:
            return ()
        if self.rules.scoring == "countdown":
            return tuple(p for p, points in enumerate(self.points) if points == 0)
        start = self.rules.starting_chips
        gains = [stack - chips for stack, chips in zip(self.stacks, start, strict=True)]
        return tuple(p for p, gain in enumerate(gains) if gain == max(gains))

    def _repr_html_(self) -> str:
        return game_html(self)


def next_seating(game: Game) -> tuple[int, ...]:
    """The player in each seat of the deal that comes next: the dealer last."""
    return tuple(sorted(game.alive, key=lambda p: (p - game.dealer - 1) % game.rules.players))


def following(game: Game) -> int:
    """The next player in the game after the dealer."""
    return min(game.alive, key=lambda p: (p - game.dealer - 1) % game.rules.players)


def find_dealer(game: Game) -> Game:
    """End the game, or see that the dealer can pay the ante; one who cannot is out."""
    rules = game.rules
    while True:
        dealt_out = rules.scoring == "chips" and all(
            game.deals[p] >= rules.rounds for p in game.alive
        )
        if dealt_out or len(game.alive) < 2:
            return end_game(game)
        stack = game.stacks[game.dealer]
        if rules.debts or rules.scoring == "countdown" or stack >= rules.ante_chips:
            return game
        game = replace(
            game,
            stacks=with_entry(game.stacks, game.dealer, 0),
            pot=game.pot + stack,
            alive=tuple(p for p in game.alive if p != game.dealer),
        )
        game = replace(game, dealer=following(game))


def end_game(game: Game) -> Game:
    """Split what is left equally, odd chips from the last dealer's right."""
    order = game.seating or next_seating(game)
    sharers = [p for p in order if p in game.alive] or list(order)
    share, odd = divmod(game.pot + sum(game.waiting), len(sharers))
    stacks = list(game.stacks)
    for place, player in enumerate(sharers):
        stacks[player] += share + (place < odd)
    return replace(game, stacks=tuple(stacks), pot=0, waiting=(), over=True)


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
    _, waiting, left = split_waiting(rules, game.waiting, game.left)
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
    return _synced(replace(game, seating=seating, deals=deals, left=left), deal)


def next_pot(game: Game) -> int | None:
    """The pot of the deal that comes next; None while a deal runs and at the end."""
    if not game.between:
        return None
    ante = 0 if game.rules.scoring == "countdown" else game.rules.ante_chips
    return game.pot + ante + split_waiting(game.rules, game.waiting, game.left)[0]


def split_waiting(
    rules: CardRules, waiting: Sequence[int], left: Sequence[int] = ()
) -> tuple[int, tuple[int, ...], tuple[int, ...]]:
    """What goes into the next pot, the mouches that wait on, and how many of each deal.

    Parameters
    ----------
    rules : CardRules
    waiting : sequence of int
        Mouches, oldest first.
    left : sequence of int
        How many of them each earlier deal left; those beyond are taken for one more deal's.

    Examples
    --------
    >>> split_waiting(CardRules(mouches_paid_in="largest-first"), (5, 10))
    (10, (5,), (1,))
    >>> rules = CardRules(mouches_paid_in="largest-first", one_at_a_time="per-deal")
    >>> split_waiting(rules, (5, 5, 10, 20), (2, 2))
    (25, (5, 10), (1, 1))
    """
    if not waiting or rules.mouches_paid_in == "all":
        return sum(waiting), (), ()
    counts = (*left, len(waiting) - sum(left))
    ends = list(accumulate(counts))
    groups = [tuple(waiting[end - n : end]) for n, end in zip(counts, ends, strict=True)]
    largest = rules.mouches_paid_in == "largest-first"
    firsts = [max(group) if largest else group[0] for group in groups if group]
    groups = [group for group in groups if group]
    if rules.one_at_a_time == "per-deal":
        chosen = range(len(groups))
    else:
        first = firsts.index(max(firsts)) if largest else 0
        chosen = range(first, first + 1)
    for place in chosen:
        group, paid = groups[place], firsts[place]
        at = group.index(paid)
        groups[place] = (*group[:at], *group[at + 1 :])
    rest = [group for group in groups if group]
    return (
        sum(firsts[place] for place in chosen),
        tuple(chain.from_iterable(rest)),
        tuple(map(len, rest)),
    )


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
    older = game.left if game.deal.older else ()
    new = len(game.waiting) - sum(older)
    left = (*older, new) if new else older
    game = replace(game, alive=tuple(p for p in game.alive if p not in out), left=left)
    return find_dealer(replace(game, dealer=following(game))) if game.alive else end_game(game)
