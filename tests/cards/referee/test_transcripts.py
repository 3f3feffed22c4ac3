"""The written games, and what a transcript may not say."""

from pathlib import Path

import pytest

from mouche_solver.cards import CardRules
from mouche_solver.cards.referee.simulate import random_game
from mouche_solver.cards.referee.transcript import replay, write
from mouche_solver.errors import IllegalMoveError, MoucheError, NotationError, RulesError

FOLDER = Path(__file__).parent / "transcripts"
SEED = (FOLDER / "1718.txt").read_text()
# Stacks (points in Mushka) after the last deal. 1718 and one-at-a-time are numbers of the rules
# text; the others guard against a change of what the referee says of these games.
ENDS = {
    "1718": (40, 53, 50, 52),
    "alone": (50, 50, 50),
    "cap": (17, 71, 2, 70),
    "dealer-takes-trump": (46, 53, 51),
    "mouche": (23, 17, 20),
    "mushka-3": (13, 23, 0),
    "mushka-7": (0, 13, 51, 41, 20, 62, 27),
    "no-debts": (12, 0, 0, 26),
    "no-heading": (46, 55, 49),
    "no-reshuffle": (22, 16, 22),
    "one-at-a-time": (46, 55, 61, 33),
    "pamphile": (50, 52, 48),
    "pamphile-any-suit": (6, 27, 27),
    "question": (30, 14, 16),
    "reshuffle": (23, 13, 24),
    "revoke": (50, 46, 52, 47),
    "six-players": (60, 44, 41, 128, -50, 77),
    "sweep": (-3, 40, 23),
    "two-players": (47, 53),
}


def test_every_file_is_listed() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(ENDS)


@pytest.mark.parametrize("name", ENDS)
def test_the_transcript_of_each_variant_replays(name: str) -> None:
    played = replay((FOLDER / f"{name}.txt").read_text())
    last = played.games[-1]
    assert (last.points or last.stacks) == ENDS[name]
    assert replay(write(played.record)).games == played.games


def test_the_example_of_the_rules_text() -> None:
    last = replay(SEED).games[-1]
    assert dict(zip(["Anna", "Ben", "Carla", "Dan"], last.stacks, strict=True)) == {
        "Anna": 40,
        "Ben": 53,
        "Carla": 50,
        "Dan": 52,
    }
    assert last.waiting == (5,)
    assert last.dealer == 1


def test_one_at_a_time_gives_the_pots_of_the_rules() -> None:
    played = replay((FOLDER / "one-at-a-time.txt").read_text())
    assert [game.deal.stake for game in played.games if game.deal] == [5, 10, 15, 10, 5]


@pytest.mark.parametrize(
    ("old", "new", "error", "message"),
    [
        ("mouche-cards 1\n", "", NotationError, r"line 2 .*begins with the line 'mouche-cards 1'"),
        ('"players": 4', '"jokers": 4', RulesError, "unknown rule 'jokers'"),
        ("players Anna Ben", "players Anna Anna", NotationError, "give 4 different names"),
        ("players Anna Ben", "players Anna deal", NotationError, "none of them rules"),
        ("dealer Anna", "dealer Eve", NotationError, "the players are Anna Ben Carla Dan"),
        ("dealer Anna", "dealer Ben", RulesError, "make player 0 the first dealer"),
        ("10C 8S KS", "10C 8S 5S", NotationError, "line 8 .*'5S' is not in the pack"),
        ("10C 8S KS", "10C 8S 8S", NotationError, "8S is named twice"),
        ("10C 8S KS", "10C 8S", NotationError, "Ben's hand has 4 cards; it must have 5"),
        ("hand Carla KH", "hand Carla KS", NotationError, "KS is already in Ben's hand"),
        ("turned 10H", "turned KS", NotationError, "the turn-up: KS is already in Ben's hand"),
        ("turned 10H", "# none", NotationError, "the turn-up is missing"),
        ("turned 10H", "turned 10H\nturned 10H", NotationError, "given twice"),
        ("hand Dan", "hand Eve", NotationError, "this deal has Ben Carla Dan Anna"),
        ("exchanges 9D KS", "exchanges 9D KH", IllegalMoveError, "line 14 .*KH is not in the hand"),
        ("exchanges 9D KS", "exchanges 9D 9D", NotationError, "9D is named twice"),
        ("exchanges 9D KS", "sleeps", NotationError, "'sleeps' is no action; a player names SUIT"),
        ("Carla passes", "Dan stands", IllegalMoveError, "Dan is out of turn: Carla declares now"),
        ("Carla passes", "Eve passes", NotationError, "'Eve' is neither a player of this deal"),
        ("Carla passes", "Dan asks Ben", IllegalMoveError, "rules have no question"),
        ("Carla passes", "deal", IllegalMoveError, "the deal before this one is not over"),
        ("Carla passes", "stock 6C", NotationError, "belongs after deal"),
        ("Carla passes", "rules {}", NotationError, "belongs before the first deal"),
        ("Dan plays QC", "Dan plays QD", IllegalMoveError, "QD is not in the hand"),
        ("Anna plays JC", "Anna plays QD", IllegalMoveError, "QD may not be played"),
        ("Dan plays QC", "Anna plays JC", IllegalMoveError, "Anna is out of turn: Dan plays now"),
        ("AH QH 9C", "AH", NotationError, "more cards are drawn than the stock"),
    ],
)
def test_the_first_illegal_step_is_named(
    old: str, new: str, error: type[MoucheError], message: str
) -> None:
    text = SEED.replace(old, new)
    if old == "AH QH 9C":
        text = "\n".join("stock AH" if x.startswith("stock") else x for x in SEED.splitlines())
    assert text != SEED
    with pytest.raises(error, match=message):
        replay(text)


def test_texts_without_a_game() -> None:
    with pytest.raises(NotationError, match="begins with the line"):
        replay("")
    with pytest.raises(IllegalMoveError, match="no deal has begun"):
        replay("mouche-cards 1\nP1 passes")
    assert replay("mouche-cards 1").games == ()


def test_rules_from_outside_must_agree() -> None:
    with pytest.raises(NotationError, match="other rules than those asked for"):
        replay(SEED, CardRules(players=5))
    bare = "mouche-cards 1\ndeal\n" + "\n".join(
        f"hand P{n + 1} {' '.join(CardRules(players=3).pack.all_names[5 * n : 5 * n + 5])}"
        for n in range(3)
    )
    played = replay(bare + "\nturned KS", CardRules(players=3))
    assert played.record.rules.players == 3


def test_a_transcript_may_stop_anywhere() -> None:
    lines = SEED.splitlines()
    for count in range(13, len(lines)):
        assert len(replay("\n".join(lines[:count])).games) == 1


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("players Anna", "players Dan Carla Ben Anna\nplayers Anna", "players is given twice"),
        ("dealer Anna", "dealer Ben\ndealer Anna", "dealer is given twice"),
        ("players", 'rules {"players": 4}\nrules {"players": 4}\nplayers', "rules are given twice"),
        ("deal\n", "deal again\n", "'again' after deal"),
    ],
)
def test_nothing_is_passed_over(old: str, new: str, message: str) -> None:
    text = SEED.split("\n", 1)
    base = f"{text[0]}\nplayers Anna Ben Carla Dan\ndealer Anna\ndeal\n"
    assert replay(base.replace("deal\n", "")).games == ()
    with pytest.raises(NotationError, match=message):
        replay(base.replace(old, new, 1))


def test_any_white_space_separates_words() -> None:
    loose = SEED.replace("hand Ben ", "hand\tBen   ").replace("Ben plays", "Ben \t plays")
    assert loose != SEED
    assert replay(loose).games == replay(SEED).games


@pytest.mark.parametrize(
    "names",
    [
        ["A", "A", "B"],
        ["A", "B"],
        ["A", "B C", "D"],
        ["A", "#", "D"],
        ["A", "deal", "D"],
        ["A", "", "D"],
    ],
)
def test_recorded_names_can_be_read_again(names: list[str]) -> None:
    with pytest.raises(NotationError, match="give 3 different names"):
        random_game(CardRules(players=3), 1, names=names)
