"""Games as trees in Gambit's ``.efg`` format, with exact probabilities."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any, Protocol, Self

from mouche_solver.adapters.cards.node import CardNode, describe_cards, first_hands
from mouche_solver.adapters.cards.params import CardSetup, checked
from mouche_solver.adapters.cards.position import CardPosition
from mouche_solver.adapters.dice.node import DiceNode, describe, match_nodes, round_nodes
from mouche_solver.adapters.dice.position import Position
from mouche_solver.adapters.moments import CHANCE, TERMINAL
from mouche_solver.core.checks import whole
from mouche_solver.core.trees.tree_size import estimate_size
from mouche_solver.dice.rules.rules import DiceRules
from mouche_solver.errors import TooLargeError

MAX_NODES = 500_000


class Node(Protocol):
    """A moment of a game, as far as a tree needs it; DiceNode and CardNode are such."""

    player: int

    def chances(self) -> list[Fraction]:
        """Exact probability of each outcome of chance."""

    def actions(self) -> list[int]:
        """Actions or outcomes of chance, ascending."""

    def after(self, action: int) -> Self:
        """The next moment."""

    def payoffs(self) -> list[Fraction]:
        """Payoffs by seat, zeros before the end."""

    def information_state(self) -> str:
        """What the seat to act has seen."""

    def action_text(self, action: int) -> str:
        """The words of an action."""


def export_efg(game: Any, match: bool = False, max_nodes: int = MAX_NODES) -> str:
    r"""The whole tree of a small game, for Gambit and for ``pyspiel.load_efg_game``.

    Information sets are named by what their player has seen; ends with equal payoffs share an
    outcome.

    Parameters
    ----------
    game : DiceRules or MoucheDiceGame
        The rules of a game, or the game that OpenSpiel loaded.
    match : bool
        For rules: a whole match instead of one round.
    max_nodes : int
        The largest tree to write; a node takes some 60 bytes.

    Returns
    -------
    str
        The text of an ``.efg`` file.

    Raises
    ------
    TooLargeError
        When the tree has more nodes; the message holds their number.

    Examples
    --------
    >>> text = export_efg(DiceRules(dice=(1, 1), faces=2))
    >>> print("\n".join(text.splitlines()[2:6]))
    c "" 1 "" { "roll 1" 1/2 "roll 2" 1/2 } 0
    c "" 2 "" { "roll 1" 1/2 "roll 2" 1/2 } 0
    p "" 1 1 "p0 1 :" { "1x1" "2x1" "1x2" "2x2" } 0
    p "" 2 1 "p1 1 : 1x1" { "2x1" "1x2" "2x2" "doubt" } 0
    """
    max_nodes = whole("max_nodes", max_nodes)
    if not isinstance(game, DiceRules):
        game, match = game.table.rules, game.table.match
    size = round_nodes(game)
    if size > max_nodes:
        rounds = "a round of the match" if match else "the game"
        raise TooLargeError(f"{rounds} has {_number(size)} nodes; {_alternative(max_nodes)}")
    if match and match_nodes(game, max_nodes) is None:
        raise _above(max_nodes, _alternative(max_nodes, "dice, faces or points"))
    root = DiceNode(Position.start(game, match))
    return export_tree(root, f"Dice Mouche, {describe(game, match)}", max_nodes)


def export_cards_efg(game: Any, max_nodes: int = MAX_NODES) -> str:
    """The whole tree of a small game of cards, as :func:`export_efg` writes one of dice.

    Parameters
    ----------
    game : CardSetup or MoucheCardsGame
        What is played, or the game that OpenSpiel loaded.
    max_nodes : int
        The largest tree to write; a node takes some 100 bytes.

    Returns
    -------
    str
        The text of an ``.efg`` file.

    Raises
    ------
    RulesError
        When the setup is none that the adapters play.
    TooLargeError
        When the tree has more nodes.

    Examples
    --------
    >>> from mouche_solver.cards.rules.rules import CardRules
    >>> rules = CardRules(
    ...     players=2, ranks="K Q J", suits="C D", hand_size=1, exchange_cap=0, mouche=False
    ... )
    >>> print(export_cards_efg(CardSetup(rules)).splitlines()[4])
    c "" 3 "" { "deal KC" 1/4 "deal JD" 1/4 "deal QD" 1/4 "deal KD" 1/4 } 0
    """
    max_nodes = whole("max_nodes", max_nodes)
    setup = checked(game) if isinstance(game, CardSetup) else game.table.setup
    deals = first_hands(setup.rules)
    if deals > max_nodes:
        raise TooLargeError(
            f"a deal's cards can fall in {_number(deals)} ways; {_fewer_cards(max_nodes)}"
        )
    root = CardNode(CardPosition.start(setup))
    if estimate_size(root, _choices, CardNode.after).surely_above(max_nodes):
        raise _above(max_nodes, _fewer_cards(max_nodes))
    return export_tree(root, f"Card Mouche, {describe_cards(setup)}", max_nodes, _fewer_cards)


def export_tree(
    root: Node, title: str, max_nodes: int, advice: Callable[[int], str] | None = None
) -> str:
    """The text of an ``.efg`` file of the tree under ``root``.

    Raises
    ------
    TooLargeError
        When the tree has more than ``max_nodes`` nodes; ``advice`` says what to do.
    """
    seats = " ".join(f'"p{seat}"' for seat in range(len(root.payoffs())))
    lines = [f'EFG 2 R "{title}" {{ {seats} }}', '""']
    for line in _node_lines(root):
        if len(lines) > max_nodes + 1:
            raise _above(max_nodes, (advice or _alternative)(max_nodes))
        lines.append(line)
    return "\n".join(lines) + "\n"


def _node_lines(root: Node) -> Iterator[str]:
    """One line per node, parents before children."""
    sets: list[dict[str, int]] = [{} for _ in root.payoffs()]
    outcomes: dict[str, int] = {}
    stack, chance_nodes = [root], 0
    while stack:
        node = stack.pop()
        if node.player == TERMINAL:
            payoffs = ", ".join(map(str, node.payoffs()))
            yield f't "" {_numbered(outcomes, payoffs)} "" {{ {payoffs} }}'
            continue
        actions = node.actions()
        stack += [node.after(action) for action in reversed(actions)]
        words = [f'"{node.action_text(action)}"' for action in actions]
        if node.player == CHANCE:
            chance_nodes += 1
            pairs = zip(words, node.chances(), strict=True)
            rolls = " ".join(f"{word} {chance}" for word, chance in pairs)
            yield f'c "" {chance_nodes} "" {{ {rolls} }} 0'
        else:
            key = node.information_state()
            number = _numbered(sets[node.player], key)
            yield f'p "" {node.player + 1} {number} "{key}" {{ {" ".join(words)} }} 0'


def _numbered(numbers: dict[str, int], key: str) -> int:
    return numbers.setdefault(key, len(numbers) + 1)


def _number(size: int) -> str:
    """A number in digits, or its order of magnitude when nobody would read them."""
    return f"{size:,}" if size < 10**15 else f"about 10^{int(size.bit_length() * 0.30103)}"


def _choices(node: CardNode) -> list[int]:
    return [] if node.player == TERMINAL else node.actions()


def _above(max_nodes: int, advice: str) -> TooLargeError:
    return TooLargeError(f"the game has more than {max_nodes:,} nodes; {advice}")


def _alternative(max_nodes: int, fewer: str = "dice or faces") -> str:
    return f"up to {max_nodes:,} are written: take fewer {fewer}, or raise the limit"


def _fewer_cards(max_nodes: int) -> str:
    return f"up to {max_nodes:,} nodes are written: take fewer cards, or raise the limit"
