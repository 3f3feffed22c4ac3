"""``mouche cards export-efg``."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from mouche_solver.adapters.cards.params import CardSetup
from mouche_solver.adapters.gambit import MAX_NODES, export_cards_efg
from mouche_solver.cards.rules.objective import seat_shares
from mouche_solver.cli.cards.group import DEFAULT_RULES, RuleFlags
from mouche_solver.cli.common import OutputFlags, Whole, emit


def efg(
    *,
    ranks: Annotated[str | None, Parameter(help="Ranks of a small deck, such as K,Q,J.")] = None,
    suits: Annotated[str | None, Parameter(help="Its suits, such as C,D.")] = None,
    hand_size: Annotated[Whole | None, Parameter(help="Cards in a hand.")] = None,
    deals: Annotated[Whole, Parameter(help="Deals of the game; 0 for a whole game.")] = 1,
    continuation: Annotated[
        str, Parameter(help="none, or what each seat of the next deal gets of the pot: 1/2,1/2.")
    ] = "none",
    max_nodes: Annotated[Whole, Parameter(help="The largest tree to write.")] = MAX_NODES,
    out: Annotated[
        Path | None, Parameter(help="File that receives the tree; standard output without it.")
    ] = None,
    game: RuleFlags = DEFAULT_RULES,
) -> None:
    """Write the tree of a small game for Gambit, with exact probabilities.

    OpenSpiel reads it too, with ``pyspiel.load_efg_game``.
    """
    rules = game.read(ranks=ranks, suits=suits, hand_size=hand_size)
    setup = CardSetup(rules, deals, seat_shares(rules.players, continuation))
    emit(OutputFlags(out=out), (), table=export_cards_efg(setup, max_nodes))
