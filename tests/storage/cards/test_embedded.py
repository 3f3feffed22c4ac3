"""The strategies that the package ships."""

import json
import random
from collections.abc import Iterator
from importlib.resources import files
from itertools import permutations

import pytest

from mouche_solver.cards import CardRules
from mouche_solver.cards.referee import referee
from mouche_solver.cards.referee.deal import Deal
from mouche_solver.cards.referee.game import apply, begin_deal, new_game
from mouche_solver.cards.referee.referee import draw_shuffle
from mouche_solver.cards.referee.simulate import random_order
from mouche_solver.cards.rules.mouche import mouche_suit
from mouche_solver.cards.rules.pack import mask_of
from mouche_solver.cards.strategy.situation import Situation
from mouche_solver.cards.strategy.strategy import CardStrategy
from mouche_solver.cli.app import main
from mouche_solver.storage.cards.strategies import embedded_strategy

LARGEST = 25_000_000  # bytes of all of them


@pytest.fixture(scope="module", params=[3, 4, 5, 6])
def strategy(request: pytest.FixtureRequest) -> CardStrategy:
    found = embedded_strategy(CardRules(players=request.param))
    assert found is not None
    return found


def dealt(rules: CardRules, rng: random.Random) -> tuple[int, int]:
    """A hand and the turn-up."""
    *hand, turned = random_order(rules, rng)[: rules.hand_size + 1]
    return mask_of(hand), turned


def test_they_are_small() -> None:
    folder = files("mouche_solver").joinpath("data")
    names = [f"cards-{CardRules(players=n).deal_hash}.npz" for n in (3, 4, 5, 6)]
    sizes = [len(folder.joinpath(name).read_bytes()) for name in names]
    assert sum(sizes) <= LARGEST


def test_what_they_are_for(strategy: CardStrategy) -> None:
    training = strategy.training
    assert training.continuation == "fixed-point"
    assert sum(training.seat_shares) == pytest.approx(1, abs=1e-9)
    assert min(training.seat_shares) > 0
    assert training.known_gain is not None
    assert 0 < training.known_gain < 0.02


def test_every_action_they_may_take_is_legal(strategy: CardStrategy) -> None:
    """The referee is asked for each; the deals go on with the likely ones."""
    rng = random.Random(8)
    played = 0
    for _ in range(12):
        for deal in moments(strategy, rng):
            options = strategy.advise(Situation.of(deal))
            assert sum(option.probability for option in options) == pytest.approx(1, abs=1e-6)
            for option in options:
                referee.apply(deal, option.action)  # raises when it is not
            played += deal.phase == "play"
    assert played > 50


def moments(strategy: CardStrategy, rng: random.Random) -> Iterator[Deal]:
    """Every moment of a deal at which a player acts."""
    rules = strategy.rules
    game = begin_deal(new_game(rules, rules.players - 1), random_order(rules, rng))
    while game.deal is not None and game.deal.outcome is None:
        deal = game.deal
        if deal.phase == "shuffle":
            game = apply(game, draw_shuffle(deal, rng))
            continue
        yield deal
        options = strategy.advise(Situation.of(deal))
        chosen = rng.choices(options, [option.probability for option in options])[0]
        game = apply(game, chosen.action)


def test_a_dealt_mouche_does_not_pass(strategy: CardStrategy) -> None:
    """It stands; one of trumps may also lay down its lowest card and win the tricks."""
    rules, rng = strategy.rules, random.Random(3)
    pack, stands = rules.pack, []
    for _ in range(40):
        turned = rng.randrange(pack.size)
        suit = rng.randrange(4)
        cards = [c for c in range(pack.size) if pack.suit(c) == suit and c != turned]
        hand = mask_of(rng.sample(cards, rules.hand_size))
        assert mouche_suit(rules, pack.suit(turned), hand) is not None
        options = strategy.declaration(hand, turned, 0, [])
        chances = {option.action: option.probability for option in options}
        assert chances["pass"] < 0.002
        assert options[0].value < options[1].value - 0.5
        if suit == pack.suit(turned):
            assert chances["stand"] + options[2].probability > 0.99
        else:
            stands.append(chances["stand"])
    assert min(stands) > 0.5
    assert sum(stands) / len(stands) > 0.95


def test_three_top_trumps_never_pass(strategy: CardStrategy) -> None:
    pack = strategy.rules.pack
    hand, turned = pack.hand("KS QS JS 9D 8H"), pack.card("8S")
    for seat in range(strategy.rules.players - 1):
        options = strategy.declaration(hand, turned, seat, ["pass"] * seat)
        assert options[0].action == "pass"
        assert options[0].probability < 0.01


def test_renaming_plain_suits_changes_nothing(strategy: CardStrategy) -> None:
    rules, rng = strategy.rules, random.Random(5)
    pack = rules.pack
    for _ in range(10):
        hand, turned = dealt(rules, rng)
        plain = [suit for suit in range(4) if suit != pack.suit(turned)]
        first = None
        for order in permutations(plain):
            names = dict(zip(plain, order, strict=True)) | {pack.suit(turned): pack.suit(turned)}
            cards = [c for c in range(pack.size) if hand >> c & 1]
            renamed = mask_of(names[pack.suit(c)] * pack.per_suit + pack.rank(c) for c in cards)
            options = strategy.declaration(renamed, turned, 1, ["stand"])
            found = [(option.action, len(option.cards), option.probability) for option in options]
            first = first or found
            assert found == first


def test_advice_without_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["KS,QS,9C,8D,6H", "--turned", "7S", "--players", "4", "--seat", "2"]
    declared = ["--declared", "pass,exchange2", "--format", "json"]
    assert main(["cards", "advise", *words, *declared]) == 0
    found = json.loads(capsys.readouterr().out)
    assert sum(row["probability"] for row in found["actions"]) == pytest.approx(1, abs=1e-6)
    assert found["value"] is not None
    assert "the best challenger found gains +" in found["quality"]
    assert not found["mouche"]
