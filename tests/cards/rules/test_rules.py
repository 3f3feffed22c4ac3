"""Card rules: decks, validation, JSON and hashes."""

from fractions import Fraction
from math import comb

import pytest

from mouche_solver.cards import CardRules, legal_cards, random_game, replay, write
from mouche_solver.errors import RulesError

LALANNE = {3: 28, 4: 36, 5: 48, 6: 52, 2: 28}


@pytest.mark.parametrize(
    ("deck", "sizes"),
    [
        ("lalanne", LALANNE),
        ("jeux-de-cartes", {3: 32, 4: 36, 5: 40, 6: 44}),
        ("piquet", {2: 32, 3: 32, 4: 32, 5: 32, 6: 32}),
        ("mushka", {3: 32, 4: 36, 5: 52, 6: 52, 7: 52}),
    ],
)
def test_decks_have_the_sizes_of_the_table(deck: str, sizes: dict[int, int]) -> None:
    for players, size in sizes.items():
        assert CardRules(players=players, deck=deck).pack.size == size


def test_lowest_ranks_and_order() -> None:
    lowest = {p: CardRules(players=p).pack.ranks[0] for p in LALANNE}
    assert lowest == {2: "8", 3: "8", 4: "6", 5: "3", 6: "2"}
    full = CardRules(players=6).pack.ranks
    assert " ".join(reversed(full)) == "K Q J A 10 9 8 7 6 5 4 3 2"
    assert " ".join(reversed(CardRules.mushka(3).pack.ranks)) == "A K Q J 10 9 8 7"
    assert CardRules.mushka(4).pack.ranks[0] == "6"


def test_stock_after_deal_and_turn_up() -> None:
    assert [CardRules(players=p).stock_size for p in (3, 4, 5, 6)] == [12, 15, 22, 21]


@pytest.mark.parametrize(
    ("per_suit", "probability"),
    [
        (7, Fraction(1, 1170)),
        (8, Fraction(1, 899)),
        (9, Fraction(1, 748)),
        (10, Fraction(14, 9139)),
        (11, Fraction(3, 1763)),
        (12, Fraction(2, 1081)),
        (13, Fraction(33, 16660)),
    ],
)
def test_deck_sizes_give_the_published_chance_of_a_mouche(
    per_suit: int, probability: Fraction
) -> None:
    rules = CardRules(players=2, ranks=CardRules(players=6).pack.ranks[-per_suit:][::-1])
    suits = len(rules.pack.suits)
    chance = Fraction(suits * comb(rules.pack.per_suit, 5), comb(rules.pack.size, 5))
    assert chance == probability


def test_defaults_are_those_of_the_rules_text() -> None:
    rules = CardRules()
    assert (rules.players, rules.ante_chips, rules.hand_size, rules.max_exchange) == (4, 5, 5, 5)
    assert rules.starting_chips == (50,) * 4
    assert rules.cap is None


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"players": 6, "ranks": "K Q J A 10 9 8"}, r"6 players x 5 cards \+ the turn-up = 31"),
        ({"players": 7}, "2 to 6 players, not 7"),
        ({"players": 1}, "players=1: allowed are 2 to 51"),
        ({"players": True}, "players=True"),
        ({"deck": "tarot"}, "allowed are lalanne"),
        ({"ranks": "K K"}, "each once"),
        ({"ranks": "K X"}, "'X' is not one of"),
        ({"suits": ""}, "at least one"),
        ({"ante": 7}, "multiple of the 5 tricks"),
        ({"cap": 12}, "multiple of the 5 tricks"),
        ({"exchange_cap": 6}, "0 to 5 or None"),
        ({"mouche": 1}, "allowed are true and false"),
        ({"mouche_order": "suit"}, "allowed are points, highest-card"),
        ({"ace_points": 11}, "allowed are 10, 1"),
        ({"chips": (1, 2)}, "one for each of the 4 players"),
        ({"chips": -1}, "chips=-1"),
        ({"rounds": 0}, "rounds=0"),
        ({"first_dealer": 4}, "0 to 3"),
        ({"sweep": True}, "no mouches wait"),
        ({"pamphile": True, "suits": "D H S", "players": 3}, "no Jack of clubs"),
        ({"scoring": "countdown"}, "Mushka has no mouche"),
        ({"question": "on", "mouche": False}, "nothing to ask"),
        ({"scoring": "countdown", "mouche": False, "suits": "C D", "players": 2}, "Ace of spades"),
    ],
)
def test_impossible_rules_say_what_is_allowed(fields: dict[str, object], message: str) -> None:
    with pytest.raises(RulesError, match=message):
        CardRules(**fields)  # type: ignore[arg-type]


def test_json_round_trip_and_unknown_fields() -> None:
    rules = CardRules(players=3, ranks="K Q J 10", suits="S C", hand_size=2, chips=(9, 9, 9))
    assert rules.suits == ("C", "S")
    assert CardRules.from_json(rules.to_json()) == rules
    with pytest.raises(RulesError, match="unknown rule 'joker'"):
        CardRules.from_dict({"joker": True})
    with pytest.raises(RulesError, match="not valid JSON"):
        CardRules.from_json("{")
    with pytest.raises(RulesError, match="JSON object"):
        CardRules.from_json("[]")


def test_hashes_see_what_matters() -> None:
    base = CardRules()
    spelled = CardRules(ranks="K Q J A 10 9 8 7 6", suits="C D H S", ante=5, exchange_cap=5)
    assert spelled.game_hash == base.game_hash
    richer = base.replace(chips=100, ante=10, rounds=4)
    assert richer.deal_hash == base.deal_hash
    assert richer.game_hash != base.game_hash
    for change in ({"must_head": False}, {"cap": 20}, {"pamphile": True}, {"deck": "piquet"}):
        assert base.replace(**change).deal_hash != base.deal_hash


def test_hashes_never_change() -> None:
    assert CardRules().deal_hash == "a2b772aa20b5de39"


MUSHKA_FILE = '{"players": 4, "deck": "mushka", "scoring": "countdown", "mouche": false}'


def test_a_mushka_file_that_leaves_the_play_out_plays_as_mushka_does() -> None:
    rules = CardRules.from_json(MUSHKA_FILE)
    assert rules == CardRules.mushka(4)
    pack = rules.pack
    legal = legal_cards(rules, pack.suit_number("S"), pack.cards("10H"), pack.hand("6H KH 7C"))
    assert sorted(pack.mask_names(legal)) == ["6H", "KH"]


def test_what_is_usual_in_the_play_follows_the_scoring() -> None:
    made = CardRules(players=4, deck="mushka", scoring="countdown", mouche=False)
    assert made == CardRules.mushka(4)
    assert (CardRules().must_head, CardRules().must_overtrump) == (True, True)
    assert CardRules().must_undertrump is False
    assert CardRules(deck="mushka").replace(scoring="countdown", mouche=False) == made
    spelled = CardRules.mushka(4, must_head=True)
    assert spelled.must_head is True
    assert CardRules.from_json(spelled.to_json()) == spelled
    assert spelled.replace(rounds=2).must_head is True
    with pytest.raises(RulesError, match="Mushka has no mouche"):
        CardRules.from_json('{"players": 4, "deck": "mushka", "scoring": "countdown"}')


@pytest.mark.parametrize("head", [True, False])
def test_transcripts_of_mushka_say_how_it_is_played(head: bool) -> None:
    record = random_game(CardRules.mushka(3, must_head=head, countdown_from=6), seed=2)
    assert replay(write(record)).record == record
