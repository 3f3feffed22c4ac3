"""The report of a dice solution: one HTML file with a tree of claims, tables, charts and rules."""

from collections.abc import Callable
from html import escape
from typing import Any

import numpy as np
import pandas as pd

from mouche_solver.analysis.dice.charts import bluff_chart, claim_chart, doubt_chart, hand_chart
from mouche_solver.analysis.dice.claims import bluff_table, doubt_frontier
from mouche_solver.analysis.dice.tables import opening_table
from mouche_solver.analysis.dice.walk import Walk
from mouche_solver.analysis.page.figures import svg_text
from mouche_solver.analysis.page.likeliest import MOST_BYTES, MOST_POSITIONS, cut_note, likeliest
from mouche_solver.analysis.page.output import PathLike
from mouche_solver.analysis.page.page import Section, page, sortable, tree_html, write_page
from mouche_solver.dice.odds import claim_table
from mouche_solver.dice.round.book import OpeningBook
from mouche_solver.dice.round.losses import own_losses
from mouche_solver.dice.round.solution import RoundSolution
from mouche_solver.dice.round.strategy import RoundStrategy, all_of
from mouche_solver.dice.rules.html import die_svg, rules_html, rules_text
from mouche_solver.dice.rules.notation import format_hand
from mouche_solver.dice.rules.rules import Claim


def claim_tree(
    strategy: RoundStrategy, positions: int = MOST_POSITIONS, size: int = MOST_BYTES
) -> dict[str, Any]:
    """The positions that a round most likely comes to, from the start on.

    Parameters
    ----------
    strategy : RoundStrategy
    positions : int
        At most so many.
    size : int
        About so many bytes of JSON at most.

    Returns
    -------
    dict
        What :func:`mouche_solver.analysis.page.likeliest.likeliest` returns, and ``hands``: for
        each player, the hands; ``faces``: a picture of each. A position also has ``held`` (of each
        hand, in millionths), ``groups`` (for each hand, which of ``mixes`` it plays), ``mixes``
        (probabilities by action, in ten-thousandths, zeros left out), ``values`` (of each hand that
        plays so, in thousandths of a payoff) and ``worth`` (of each action when it is taken, null
        where it is not).

    Raises
    ------
    RulesError
        When no position at all is allowed.
    """
    faces = range(1, strategy.rules.faces + 1)
    return {
        "hands": [[format_hand(h) for h in all_of(strategy.rules, p)] for p in (0, 1)],
        "faces": {str(face): die_svg(face) for face in faces},
        "dice": {},
        **likeliest(Walk.to(strategy), _hands, positions, size, _openable(strategy)),
    }


def _hands(walk: Walk) -> tuple[dict[str, Any], int]:
    chances = walk.mix.probabilities
    worth = walk.strategy.table(walk.history).values
    taken = walk.ranges[walk.player][:, None] * chances
    gained, often = (taken * worth).sum(axis=0).tolist(), taken.sum(axis=0).tolist()
    mixed = np.rint(chances * 1e4).astype(int)
    mixes, groups = np.unique(mixed, axis=0, return_inverse=True)
    return {
        "held": np.rint(walk.ranges[walk.player] * 1e6).astype(int).tolist(),
        "groups": groups.ravel().tolist(),
        "mixes": [{int(n): int(row[n]) for n in np.flatnonzero(row)} for row in mixes],
        "values": np.rint((chances * worth).sum(axis=1) * 1e3).astype(int).tolist(),
        "worth": [
            round(1e3 * gain / chance) if chance > 0 else None
            for gain, chance in zip(gained, often, strict=True)
        ],
    }, 0


def _openable(strategy: RoundStrategy) -> Callable[[Walk, int], bool] | None:
    """Which positions of a book a page opens: those it holds, and below its likeliest rims.

    Below a rim everything is re-solved, which takes a second or two for each rim and player.
    """
    if not isinstance(strategy, OpeningBook):
        return None
    rims: dict[tuple[Claim, ...], float] = {}
    waiting = [Walk.to(strategy)]
    while waiting:
        walk = waiting.pop()
        for place in walk.leads:
            line = (*walk.history, strategy.read_claim(walk.actions[place]))
            if strategy.holds(line):
                waiting.append(walk.down(place))
            else:
                rims[line] = walk.reach * float(walk.chances[place])
    opened = set(sorted(rims, key=lambda line: -rims[line])[:MOST_RESOLVED])

    def may(walk: Walk, place: int) -> bool:
        line = (*walk.history, strategy.read_claim(walk.actions[place]))
        rim = next((line[:n] for n in range(1, len(line) + 1) if line[:n] in rims), None)
        return rim is None or rim in opened

    return may


MOST_RESOLVED = 8  # rims of a book below which a page looks
_SHOWN = 0.0005  # claims that no hand makes more often than this have no column in the table


def write_report(strategy: RoundStrategy, path: PathLike) -> None:
    """Write the report of a strategy; the file is whole or as it was.

    Raises
    ------
    StorageError
        When it cannot be written.
    """
    write_page(report_html(strategy), path)


def report_html(strategy: RoundStrategy) -> str:
    """The report of a strategy as the text of one HTML file.

    Parameters
    ----------
    strategy : RoundStrategy
        A solution or an opening book.

    Returns
    -------
    str
        It needs no network and no other file.
    """
    tree = claim_tree(strategy)
    opening = opening_table(strategy)
    opening = opening.loc[:, opening.max() >= _SHOWN]
    bluffs = bluff_table(strategy)
    note = cut_note(tree, "round", "claim")
    about = "<h3>Rules</h3>" + rules_html(strategy.rules) + "<h3>Quality</h3>" + _quality(strategy)
    openings = _SYMBOLS + sortable(opening, "opening-table", hands=("hand",))
    sections = [
        Section("tree", "The tree of claims", tree_html(note)),
        Section("opening", "Opening claims", openings),
        Section("bluffs", "Claims and bluffs", _BLUFF + sortable(bluffs, "bluff-table")),
        Section("doubts", "When to doubt", _DOUBT + sortable(_frontier(strategy), "doubt-table")),
        Section("odds", "How likely a claim is true", sortable(_odds(strategy), "odds-table")),
        Section("charts", "Charts", _charts(strategy) + _index(strategy)),
        Section("rules", "Rules and quality", about, folded=True),
    ]
    title = f"Dice Mouche: {rules_text(strategy.rules)}"
    hint = "dice, like 5,5, or a claim, like 3x5"
    return page(title, sections, tree, ["tables.js", "tree.js", "claims.js"], hint)


_ALIKE = 0.02  # hands that differ by no more share a row of the chart
_SYMBOLS = (
    "<p>3x5 claims three fives or more among all dice. Player 0 starts the round. Hands of a group "
    "play alike; the group is called after the likeliest of them.</p>"
)
_BLUFF = (
    "<p>bluff: how often, of the times the claim is made, the hand makes it more likely wrong than "
    "right; empty: how often the hand has no matching die; true: the mean chance that it is "
    "right.</p>"
)
_DOUBT = (
    "<p>Answering an opening claim: the quantity from which on it is doubted at least half of the "
    "time, by the face claimed and the matching dice one holds.</p>"
)


def _index(strategy: RoundStrategy) -> str:
    """Under which row of the chart of opening claims each hand stands, in the order of hands."""
    rows = sorted((hand, group) for group, hand in opening_table(strategy, "", _ALIKE).index)
    places = "".join(f"<span>{escape(hand)}: {escape(group)}</span>" for hand, group in rows)
    return f'<h3>Index by hand: its row in the chart</h3><div class="index">{places}</div>'


def _quality(strategy: RoundStrategy) -> str:
    found = strategy.quality
    losses = ""
    if isinstance(strategy, RoundSolution | OpeningBook):
        losses = f"<p>{escape(own_losses(strategy).text)}. Good play comes to few of these.</p>"
    return (
        f"<p>{escape(strategy.quality_text)}</p>"
        f"<p>The starter wins a round with probability {(1 + found.value) / 2:.4f} when both play "
        f"so; the exact value of the game lies between {(1 + found.low) / 2:.4f} and "
        f"{(1 + found.high) / 2:.4f}. Both bounds come from exact best responses.</p>"
        f"{losses}"
    )


def _frontier(strategy: RoundStrategy) -> pd.DataFrame:
    frontier = doubt_frontier(strategy)
    frontier.columns = pd.Index([f"{own} held" for own in frontier.columns])
    return frontier


def _odds(strategy: RoundStrategy) -> pd.DataFrame:
    rules = strategy.rules
    quantities = pd.RangeIndex(1, rules.total_dice + 1, name="quantity")
    faces = [f"face {face}" for face in range(1, rules.faces + 1)]
    frame = pd.DataFrame(claim_table(rules), quantities, faces)
    frame.attrs["caption"] = f"{rules_text(rules)}; all dice as rolled; exact"
    return frame


def _charts(strategy: RoundStrategy) -> str:
    charts = [
        claim_chart(strategy),
        bluff_chart(strategy),
        doubt_chart(strategy),
        hand_chart(strategy, tolerance=_ALIKE),
    ]
    return "".join(f'<div class="charts">{svg_text(chart)}</div>' for chart in charts)
