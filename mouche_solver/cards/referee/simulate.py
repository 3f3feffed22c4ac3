"""Random games through the referee, reproducible by their seed."""

import random
from collections.abc import Callable, Sequence

from mouche_solver.cards.referee.actions import Action
from mouche_solver.cards.referee.game import Game, apply, begin_deal, new_game
from mouche_solver.cards.referee.record import Record, RecordedDeal, check_names, default_names
from mouche_solver.cards.referee.referee import draw_shuffle, legal_actions
from mouche_solver.cards.rules.rules import CardRules
from mouche_solver.core.checks import whole

Chooser = Callable[[Game, Sequence[Action], random.Random], Action]


def random_order(rules: CardRules, rng: random.Random) -> tuple[int, ...]:
    """A shuffled pack.

    Examples
    --------
    >>> order = random_order(CardRules(players=3), random.Random(7))
    >>> sorted(order) == list(range(28))
    True
    """
    order = list(range(rules.pack.size))
    rng.shuffle(order)
    return tuple(order)


def choose_evenly(game: Game, legal: Sequence[Action], rng: random.Random) -> Action:
    """A kind of action evenly, then evenly one of that kind."""
    kinds = sorted({type(action).__name__ for action in legal})
    kind = rng.choice(kinds)
    return rng.choice([action for action in legal if type(action).__name__ == kind])


def random_game(
    rules: CardRules,
    seed: int,
    *,
    max_deals: int | None = None,
    choose: Chooser = choose_evenly,
    names: Sequence[str] | None = None,
) -> Record:
    """Play a game to its end, or ``max_deals`` deals of it.

    Parameters
    ----------
    rules : CardRules
    seed : int
        Decides the first dealer, the cards, the shuffles and, through ``choose``, the players.
    max_deals : int, optional
    choose : callable
        Takes the game, the legal actions and the generator; returns one of the actions.
    names : sequence of str, optional
        P1, P2, ... when left out.

    Raises
    ------
    NotationError
        When a transcript could not hold the names.

    Examples
    --------
    >>> record = random_game(CardRules(players=3), seed=7)
    >>> len(record.deals), record.final().over
    (3, True)
    """
    players = check_names(names or default_names(rules.players), rules.players)
    rng = random.Random(whole("seed", seed))
    if max_deals is not None:
        max_deals = whole("max_deals", max_deals)
    drawn = rng.randrange(rules.players)
    first = drawn if rules.first_dealer is None else rules.first_dealer
    game = new_game(rules, first)
    deals: list[RecordedDeal] = []
    while not game.over and (max_deals is None or len(deals) < max_deals):
        order = random_order(rules, rng)
        game, actions = _play_deal(begin_deal(game, order), choose, rng)
        deals.append(RecordedDeal(order, actions))
    return Record(rules, players, first, tuple(deals))


def _play_deal(game: Game, choose: Chooser, rng: random.Random) -> tuple[Game, tuple[Action, ...]]:
    actions: list[Action] = []
    while game.deal is not None and game.deal.outcome is None:
        if game.deal.phase == "shuffle":
            action: Action = draw_shuffle(game.deal, rng)
        else:
            action = choose(game, legal_actions(game.deal), rng)
        game = apply(game, action)
        actions.append(action)
    return game, tuple(actions)
