"""What single players gain against a strategy: a lower bound on how far it can be beaten.

Challengers take one seat in turn while all others keep to the strategy, on deals that no training
has seen: other strategies, and responses made against this one (docs/decisions/0017). The best of
them proves that somebody gains so much; that nobody gains more it does not prove.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mouche_solver.cards.kernels.records import Policy
from mouche_solver.cards.measure.best_response import DeclarationResponse
from mouche_solver.cards.measure.lookahead import local_response
from mouche_solver.cards.measure.tabular import TabularResponse
from mouche_solver.cards.measure.thinking import thinking_gain
from mouche_solver.cards.measure.tournament import (
    Gain,
    GuessTables,
    baseline,
    play_duplicate,
    play_pimc,
)
from mouche_solver.cards.strategy.strategy import CardStrategy
from mouche_solver.cards.think.search import Budget
from mouche_solver.core.checks import check_int, whole
from mouche_solver.core.chunks import Crew
from mouche_solver.errors import RulesError

_PLAYED = ("random", "thumb")  # baselines that are played against the strategy


@dataclass(frozen=True)
class Challenge:
    """One challenger's gain over an equal share when all others play the strategy."""

    challenger: str
    gain: Gain


@dataclass(frozen=True)
class Responses:
    """How much work the responses may take.

    Parameters
    ----------
    declarations : int
        Deals that train the response in the declarations; 0 leaves it out.
    play : int
        Deals for the local response in the play, each played in every seat; 0 leaves it out.
    guesses : int
        Guesses of the hidden cards for each of its choices.
    seconds : float
        No further work begins later than this; results then depend on the machine.
    table : int
        Deals that train the tabular response, which has as much time again; 0 leaves it out.
    """

    declarations: int = 2_000_000
    play: int = 4_000
    guesses: int = 256
    seconds: float = float("inf")
    table: int = 0


MOST_GUESSES = 10**9
GUESSES = 1024  # of a player who thinks, for each choice
DECLARING, LOOKING, BOTH = "response in the declarations", "local response in the play", "both"
TABULAR = "tabular response in the declarations"
# Of the seconds: training, tests, and the play alone; the rest is for both together.
TRAINING_SHARE, TEST_SHARE, PLAY_SHARE = 0.5, 0.1, 0.2


def challenge(
    strategy: CardStrategy,
    challengers: Mapping[str, CardStrategy] | None = None,
    guesses: int = 0,
    deals: int = 100_000,
    seed: int = 0,
    threads: int | Crew = 1,
    responses: Responses | None = None,
    thinking: int = 0,
) -> list[Challenge]:
    """Measure every challenger, the best first.

    Parameters
    ----------
    strategy : CardStrategy
        A strategy whose continuation has shares that add up to one.
    challengers : mapping of str to CardStrategy, optional
        Others for the same deals; the baselines always take part.
    guesses : int
        Guessed hands for each card of a player who declares by the strategy and plays open hands;
        0 leaves him out. A tenth of the deals are enough for him.
    deals, seed : int
    threads : int or Crew
        Results do not depend on it.
    responses : Responses, optional
        Responses made against the strategy; none without it.
    thinking : int
        Deals, each in every seat, for players who think before each decision, each declaration
        or each card; 0 leaves them out.

    Raises
    ------
    RulesError
        For a strategy with the debt lost (a gain over an equal share means nothing then), or
        challengers for other deals or with other declarations.

    Examples
    --------
    >>> from mouche_solver.cards import CardRules
    >>> from mouche_solver.cards.strategy.levels import Abstraction
    >>> from mouche_solver.cards.train.trainer import Batch, CardTrainer
    >>> rules = CardRules(players=2, ranks="K Q J", suits="C D", hand_size=2, reshuffle=False)
    >>> trainer = CardTrainer(Abstraction(rules, "coarse"), batch=Batch(64, 64, 2, 64))
    >>> trainer.train_round()
    >>> found = challenge(trainer.strategy(), deals=4096)
    >>> sorted(c.challenger for c in found)
    ['random', 'thumb']
    """
    guesses = check_int("guesses", guesses, 0, MOST_GUESSES)
    thinking = whole("thinking", thinking)
    if strategy.training.continuation == "none":
        raise RulesError(
            "continuation='none': with the debt lost a deal is general-sum and an equal share is "
            "no yardstick; measure a strategy with shares or fixed-point"
        )
    policies = {name: baseline(strategy.abstraction, name) for name in _PLAYED}
    for name, other in (challengers or {}).items():
        policies[name] = _policy(strategy, name, other)
    shares, game = strategy.training.seat_shares, strategy.game
    found = [
        Challenge(name, play_duplicate(game, one, strategy.policy, shares, deals, seed, threads))
        for name, one in policies.items()
    ]
    if guesses:
        tables = GuessTables(strategy.rules)
        own = strategy.policy
        gain = play_pimc(game, tables, own, own, shares, deals // 10 + 1, guesses, seed, threads)
        found.append(Challenge(f"guessing {guesses} hands", gain))
    if responses is not None:
        found += _respond(strategy, responses, deals, seed, threads)
    if thinking:
        found += _think(strategy, thinking, seed, threads)
    return sorted(found, key=lambda c: -c.gain.mean)


def best_known(found: Sequence[Challenge]) -> Challenge:
    """The challenger that surely gains most: the one with the highest lower end."""
    return max(found, key=lambda c: c.gain.low)


def _think(strategy: CardStrategy, deals: int, seed: int, threads: int | Crew) -> list[Challenge]:
    """A player who thinks about everything, about his declarations, and about his cards."""
    found = []
    for where, declaring, playing in (
        ("", True, True),
        (" in the declarations", True, False),
        (" in the play", False, True),
    ):
        budget = Budget(samples=GUESSES)
        measured = thinking_gain(strategy, budget, deals, seed, threads, declaring, playing)
        mean, margin = measured.worse
        gain = Gain(mean, margin, measured.deals, measured.by_seat)
        found.append(Challenge(f"thinking{where}, {GUESSES} guesses a choice", gain))
    return found


def _respond(
    strategy: CardStrategy, asked: Responses, deals: int, seed: int, threads: int | Crew
) -> list[Challenge]:
    """The responses that are asked for, within the time."""
    found, response, seconds = [], None, asked.seconds
    if asked.declarations:
        response = DeclarationResponse(strategy, seed, threads)
        response.sample(asked.declarations, TRAINING_SHARE * seconds)
        tested = response.measure(deals, TEST_SHARE * seconds)
        found.append(Challenge(DECLARING, tested.gain))
    if asked.table:
        table = TabularResponse(strategy, seed, threads)
        table.sample(asked.table, TRAINING_SHARE * seconds)
        tested = table.measure(max(deals, asked.table // 4), TRAINING_SHARE * seconds)
        found.append(Challenge(TABULAR, tested.gain))
    if asked.play:
        work = asked.play, asked.guesses, seed, threads
        alone = local_response(strategy, *work, PLAY_SHARE * seconds)
        found.append(Challenge(LOOKING, alone.measured.gain))
        if response is not None:
            left = 1.0 - TRAINING_SHARE - TEST_SHARE - PLAY_SHARE
            both = local_response(strategy, *work, left * seconds, response)
            found.append(Challenge(BOTH, both.measured.gain))
    return found


def _policy(strategy: CardStrategy, name: str, other: CardStrategy) -> Policy:
    if other.rules.deal_hash != strategy.rules.deal_hash:
        raise RulesError(f"{name} is for other rules than the strategy that it challenges")
    if other.abstraction.actions != strategy.abstraction.actions:
        raise RulesError(f"{name} knows other declarations than the strategy that it challenges")
    return other.policy
