"""Seats, decks, numbers of players and variants side by side."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from mouche_solver.analysis.cards.declarations import seat_name
from mouche_solver.cards.measure.census import Census, take_census
from mouche_solver.cards.odds import mouche_count, mouche_dealt
from mouche_solver.cards.rules.html import rules_text
from mouche_solver.cards.rules.rules import CardRules
from mouche_solver.cards.strategy.strategy import CardStrategy
from mouche_solver.errors import RulesError

Named = Mapping[str, CardStrategy | Census]


def seat_table(named: Named, deals: int = 100_000, seed: int = 0, threads: int = 1) -> pd.DataFrame:
    """What each seat gets of the pot, and what it declares.

    Parameters
    ----------
    named : mapping of str to CardStrategy or Census
        A strategy plays in all seats of sampled deals; a census has done so already.
    deals, seed, threads : int
        Of :func:`mouche_solver.cards.take_census`.

    Returns
    -------
    DataFrame
        Indexed by ``name`` and ``seat``. ``share``: what the seat gets in the long run of one chip
        in the pot, adds up to one; ``error``: its standard error; ``equal``: one by the players;
        ``pass``, ``stand``: how often when asked; ``exchanged``: cards, a mean over those who are
        in; ``no_trick``: how often a player who is in makes the mouche.

    Raises
    ------
    RulesError
        When nothing is given to compare, or ``deals`` or ``threads`` are out of range.

    Examples
    --------
    >>> from mouche_solver.analysis import card_strategy
    >>> rules = CardRules(players=2, ranks="K Q J", suits="C D", hand_size=2)
    >>> table = seat_table({"small": card_strategy(rules, deals=1000)}, deals=4096)
    >>> float(table["share"].sum().round(6))
    1.0
    """
    parts = []
    for name, census in _censuses(named, deals, seed, threads).items():
        rules, said = census.strategy.rules, census.said
        inside, asked = said >= 0, (said >= -1).sum(axis=0)
        made = (inside & (census.chips < 0)).sum(axis=0)
        within = np.maximum(inside.sum(axis=0), 1)
        seats = [seat_name(rules, seat) for seat in range(rules.players)]
        parts.append(
            pd.DataFrame(
                {
                    "share": census.shares,
                    "error": census.share_errors,
                    "equal": 1 / rules.players,
                    "pass": (said == -1).sum(axis=0) / asked,
                    "stand": (said == 0).sum(axis=0) / asked,
                    "exchanged": np.where(inside, said, 0).sum(axis=0) / within,
                    "no_trick": made / within,
                },
                pd.MultiIndex.from_product([[name], seats], names=["name", "seat"]),
            )
        )
    frame = pd.concat(parts)
    frame.attrs["caption"] = _caption(named)
    return frame


def variant_table(
    named: Named, deals: int = 100_000, seed: int = 0, threads: int = 1
) -> pd.DataFrame:
    """Decks, numbers of players or variants of the rules, one row each.

    Parameters
    ----------
    named, deals, seed, threads
        As in :func:`seat_table`.

    Returns
    -------
    DataFrame
        Indexed by ``name``. ``players``; ``cards`` of the pack; ``trained``, deals; ``first`` and
        ``dealer``: shares of the first hand and the dealer, times the number of players, so that 1
        is an equal share, with ``first_error`` and ``dealer_error``; ``mouches``: pots carried into
        the next one from a deal, with ``mouches_error``; ``inside``: players in; ``alone``: deals
        that a player takes unopposed; ``stand``: chance of a stand when asked; ``suit_mouche``:
        exact chance that somebody is dealt one suit, NaN where it counts for nothing.

    Raises
    ------
    RulesError
        As in :func:`seat_table`.
    """
    rows = {}
    for name, census in _censuses(named, deals, seed, threads).items():
        rules, players = census.strategy.rules, census.strategy.rules.players
        training = census.strategy.training
        shares, errors = census.shares * players, census.share_errors * players
        rows[name] = {
            "players": players,
            "cards": rules.pack.size,
            "trained": training.declared + training.played,
            "first": shares[0],
            "first_error": errors[0],
            "dealer": shares[-1],
            "dealer_error": errors[-1],
            "mouches": census.debts.mean(),
            "mouches_error": census.debts.std(ddof=1) / np.sqrt(len(census.debts)),
            "inside": census.inside.mean(),
            "alone": (census.inside <= 1).mean(),
            "stand": (census.said == 0).sum() / (census.said >= -1).sum(),
            "suit_mouche": float(1 - mouche_count(rules)[0]) if rules.mouche else np.nan,
        }
    frame = pd.DataFrame.from_dict(rows, orient="index")
    frame.index.name = "name"
    frame.attrs["caption"] = _caption(named)
    return frame


def suit_mouche_table(named: Mapping[str, CardRules]) -> pd.DataFrame:
    """Exact chances of being dealt five cards of one suit, or what a hand is.

    Parameters
    ----------
    named : mapping of str to CardRules

    Returns
    -------
    DataFrame
        Indexed by ``name``; ``players``, ``cards``; ``one``: a given player; ``table``: anybody at
        the table; ``two``: at least two of them.

    Raises
    ------
    RulesError
        When nothing is given to compare, or the rules have no mouche.

    Examples
    --------
    >>> table = suit_mouche_table({f"{n}": CardRules(players=n) for n in (3, 4)})
    >>> float((1 / table.loc["3", "one"]).round(6))
    1170.0
    """
    if not named:
        raise RulesError("nothing to compare: give at least one name with its rules")
    rows = {}
    for name, rules in named.items():
        count = mouche_count(rules)
        rows[name] = {
            "players": rules.players,
            "cards": rules.pack.size,
            "one": float(mouche_dealt(rules)),
            "table": float(1 - count[0]),
            "two": float(1 - count[0] - count[1]),
        }
    frame = pd.DataFrame.from_dict(rows, orient="index")
    frame.index.name = "name"
    frame.attrs["caption"] = "exact, hands as dealt"
    return frame


def _censuses(named: Named, deals: int, seed: int, threads: int) -> dict[str, Census]:
    if not named:
        raise RulesError("nothing to compare: give at least one name with its strategy")
    return {
        name: one if isinstance(one, Census) else take_census(one, deals, seed, threads)
        for name, one in named.items()
    }


def _caption(named: Named) -> str:
    """What is alike is said once, the quality of each by its training."""
    strategies = {n: one.strategy if isinstance(one, Census) else one for n, one in named.items()}
    rules = {name: rules_text(one.rules) for name, one in strategies.items()}
    quality = next(iter(strategies.values())).quality_text
    if len(strategies) == 1:
        return f"{next(iter(rules.values()))}; {quality}"
    said = "; ".join(f"{name}: {text}" for name, text in rules.items())
    return f"{said}; sampled strategies, no bound on what a better player gains"
