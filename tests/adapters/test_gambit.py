"""Trees for Gambit: exact, of the announced size, accepted by its readers with the same value."""

import io
import json
from fractions import Fraction
from pathlib import Path

import pyspiel
import pytest

from mouche_solver.adapters.cards.params import CardSetup
from mouche_solver.adapters.dice.node import DiceNode, match_nodes, round_nodes
from mouche_solver.adapters.dice.position import Position
from mouche_solver.adapters.gambit import export_cards_efg, export_efg
from mouche_solver.adapters.moments import TERMINAL
from mouche_solver.adapters.openspiel import load_dice_game
from mouche_solver.cards.rules.rules import CardRules
from mouche_solver.cli import main
from mouche_solver.dice import DiceRules
from mouche_solver.errors import TooLargeError

# Gambit has no wheel for every Python that we run on.
pygambit = pytest.importorskip("pygambit")

TINY = DiceRules(dice=(1, 1), faces=2)
CASES = json.loads((Path(__file__).parents[1] / "data" / "dice.json").read_text())["values"]
# (rules, match): rounds of two and three players with each kind of option, and a match.
GAMES = [
    (TINY, False),
    (DiceRules(dice=(1, 1), faces=3, wild=2, raise_rule="quantity-first"), False),
    (DiceRules(dice=(2, 1), faces=2, raise_rule="face-first", truth="exactly"), False),
    (DiceRules(dice=(1, 1, 1, 1), faces=2, minimum_opening=3), False),
    (DiceRules(dice=(1, 1), faces=2, points=(2, 1), next_starter="loser"), True),
]


def uniform_values(game: pyspiel.Game) -> list[float]:
    policy = pyspiel.UniformRandomPolicy(game)
    return pyspiel.expected_returns(game.new_initial_state(), policy, -1, True)


@pytest.mark.parametrize("rules, match", GAMES)
def test_openspiel_and_gambit_read_the_same_game(rules, match) -> None:
    text = export_efg(rules, match)
    ours, read = load_dice_game(rules, match), pyspiel.load_efg_game(text)
    assert read.num_players() == ours.num_players()
    assert uniform_values(read) == pytest.approx(uniform_values(ours), abs=1e-12)
    tree = pygambit.read_efg(io.StringIO(text))
    assert tree.is_const_sum
    assert tree.is_perfect_recall
    behaviour = tree.mixed_behavior_profile(rational=True)
    values = [float(behaviour.payoff(player)) for player in tree.players]
    assert values == pytest.approx(uniform_values(ours), abs=1e-12)
    assert text == export_efg(ours)


@pytest.mark.parametrize("rules", [rules for rules, match in GAMES if not match])
def test_size_is_known_before_writing(rules) -> None:
    nodes = round_nodes(rules)
    assert len(export_efg(rules, max_nodes=nodes).splitlines()) == nodes + 2
    with pytest.raises(TooLargeError, match=f"has {nodes:,} nodes; up to {nodes - 1:,}"):
        export_efg(rules, max_nodes=nodes - 1)


@pytest.mark.parametrize(
    "rules",
    [
        DiceRules(dice=(1, 1), faces=2, points=2),
        DiceRules(dice=(1, 1), faces=2, points=(1, 2), next_starter="doubter"),
        DiceRules(dice=(1, 2), faces=2, points=(2, 1), next_starter="loser", truth="exactly"),
        DiceRules(dice=(1, 1), faces=3, points=(1, 2), wild=2, next_starter="winner"),
    ],
)
def test_the_size_of_a_match_is_known_before_writing(rules) -> None:
    nodes = len(export_efg(rules, match=True).splitlines()) - 2
    assert match_nodes(rules, nodes) == nodes
    assert match_nodes(rules, nodes - 1) is None


def test_the_size_of_a_match_of_three_is_counted_as_its_tree() -> None:
    """Against a walk that shares what follows equal scores."""
    rules = DiceRules(dice=(1, 1, 1), faces=2, points=(1, 1, 2), next_starter="after-doubter")
    known: dict[object, int] = {}

    def size(node: DiceNode) -> int:
        if node.player == TERMINAL:
            return 1
        fresh = not node.position.cups
        if not fresh or node.position.match not in known:
            total = 1 + sum(size(node.after(action)) for action in node.actions())
            if not fresh:
                return total
            known[node.position.match] = total
        return known[node.position.match]

    nodes = size(DiceNode(Position.start(rules, True)))
    assert match_nodes(rules, nodes) == nodes
    assert match_nodes(rules, nodes - 1) is None


def test_what_is_too_large_is_refused_before_a_node_is_written(monkeypatch) -> None:
    from mouche_solver.adapters import gambit

    monkeypatch.setattr(gambit, "export_tree", lambda *rest: pytest.fail("was walked"))
    with pytest.raises(TooLargeError, match=r"more than 500,000 nodes; .* faces or points"):
        export_efg(DiceRules(dice=(1, 1), faces=2), match=True)
    with pytest.raises(TooLargeError, match="more than 10,000 nodes"):
        export_efg(DiceRules(dice=(1,) * 3, faces=2, points=10), match=True, max_nodes=10_000)
    cards = CardRules(players=2, ranks="K Q J 10", suits="C D", hand_size=2)
    with pytest.raises(TooLargeError, match=r"more than 500,000 nodes; .* fewer cards"):
        export_cards_efg(CardSetup(cards))


def test_large_games_are_refused_with_their_size() -> None:
    # 252 hands each; every history is a decision, and all but the first also follow a doubt.
    nodes = 1 + 252 + 252**2 * (2 * 8_579_072 - 1)
    with pytest.raises(TooLargeError, match=f"the game has {nodes:,} nodes"):
        export_efg(DiceRules())
    with pytest.raises(TooLargeError, match=r"about 10\^\d+ nodes"):
        export_efg(DiceRules(dice=(10, 10), raise_rule="quantity-first"))
    with pytest.raises(TooLargeError, match="more than 2,000 nodes"):
        export_efg(DiceRules(dice=(1, 1), faces=2), match=True, max_nodes=2000)


def test_probabilities_are_exact() -> None:
    text = export_efg(DiceRules(dice=(2, 1), faces=3))
    words = text.splitlines()[2].split("{")[1].split("}")[0].split('"')
    chances = [Fraction(word.strip()) for word in words[2::2]]
    assert chances == [Fraction(n, 9) for n in (1, 2, 2, 1, 2, 1)]


def test_gambit_finds_the_value() -> None:
    tree = pygambit.read_efg(io.StringIO(export_efg(DiceRules(dice=(1, 1), faces=3))))
    profile = pygambit.nash.lp_solve(tree, rational=False).equilibria[0]
    assert float(profile.payoff("p0")) == pytest.approx(-1 / 9, abs=1e-9)


@pytest.mark.parametrize("case", [c for c in CASES if sum(c["dice"]) <= 3 and not c["wild"]])
def test_cfr_finds_the_published_value(case) -> None:
    """OpenSpiel's CFR+ on the exported tree, within its own NashConv."""
    rules = DiceRules(dice=tuple(case["dice"]), faces=case["faces"], raise_rule=case["rule"])
    game = pyspiel.load_efg_game(export_efg(rules))
    solver = pyspiel.CFRPlusSolver(game)
    for _ in range(60):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    gap = pyspiel.nash_conv(game, policy, True)
    value = pyspiel.expected_returns(game.new_initial_state(), policy, -1, True)[0]
    assert gap < 0.03
    assert abs(value - float(Fraction(case["value"]))) <= gap + 1e-12


def test_uniform_play_with_six_faces() -> None:
    game = pyspiel.load_efg_game(export_efg(DiceRules(dice=(1, 1))))
    gap = pyspiel.nash_conv(game, pyspiel.UniformRandomPolicy(game), True)
    assert gap == pytest.approx(79 / 48, abs=1e-9)


def test_command_line(capsys, tmp_path) -> None:
    words = ["dice", "export-efg", "--dice", "1,1", "--faces", "2"]
    assert main(words) == 0
    assert capsys.readouterr().out == export_efg(TINY)
    out = tmp_path / "match.efg"
    assert main([*words, "--match", "--points", "2,1", "--out", str(out)]) == 0
    assert out.read_text() == export_efg(TINY.replace(points=(2, 1)), match=True)
    assert main([*words, "--points", "2"]) == 2
    assert "add --match" in capsys.readouterr().err
    assert main(["dice", "export-efg"]) == 2
    assert "nodes" in capsys.readouterr().err
