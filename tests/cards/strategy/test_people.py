"""Human-like card players: kernels and tables with people meet the same ones."""

import random

import numpy as np
import pytest

from mouche_solver.cards import CardRules
from mouche_solver.cards.measure.tournament import baseline, play_duplicate
from mouche_solver.cards.referee.deal import Deal, start_deal
from mouche_solver.cards.referee.referee import apply, draw_shuffle, legal_actions
from mouche_solver.cards.referee.simulate import random_order
from mouche_solver.cards.strategy.people import PEOPLE, card_person
from mouche_solver.cards.strategy.situation import Situation
from mouche_solver.errors import UsageError
from mouche_solver.review.answering import card_answer

RULES = CardRules(players=4)
VARIANTS = [RULES, CardRules(players=3), CardRules(players=6)]


def played(rules: CardRules, name: str, seed: int) -> list[tuple[Deal, object]]:
    """A deal in which all seats are one person: every position with what he did."""
    rng, person = random.Random(seed), card_person(name).at(card_answer(rules))
    deal, found = start_deal(rules, random_order(rules, rng)), list[tuple[Deal, object]]()
    while deal.outcome is None:
        if deal.phase == "shuffle":
            deal = apply(deal, draw_shuffle(deal, rng))
            continue
        options = person.advise(Situation.of(deal))
        assert sum(o.probability for o in options) == pytest.approx(1.0)
        action = rng.choice(options).action
        assert action in legal_actions(deal)
        found.append((deal, action))
        deal = apply(deal, action)
    return found


@pytest.mark.parametrize("rules", VARIANTS, ids=lambda r: f"{r.players} players")
@pytest.mark.parametrize("name", PEOPLE)
def test_everything_that_people_do_is_legal(rules: CardRules, name: str) -> None:
    for seed in range(25):
        assert played(rules, name, seed)


def declarations(name: str) -> list[str]:
    """The first hand's declaration over many deals."""
    person, rng, found = card_person(name).at(card_answer(RULES)), random.Random(5), []
    for _ in range(300):
        (option,) = person.advise(Situation.of(start_deal(RULES, random_order(RULES, rng))))
        found.append(type(option.action).__name__)
    return found


def test_people_are_as_described() -> None:
    said = {name: declarations(name) for name in PEOPLE}
    inside = {name: 300 - words.count("Pass") for name, words in said.items()}
    assert said["steady"].count("Exchange") == 0
    assert inside["careful"] < inside["thumb"] < inside["bold"]
    stands = {name: words.count("Stand") for name, words in said.items()}
    assert stands["careful"] < stands["thumb"] < stands["bold"]
    assert said["careless"] == said["thumb"]


def test_tournaments_know_them_and_careless_cards_cost() -> None:
    strategy = card_answer(RULES)
    shares = strategy.training.seat_shares
    thumb, careless = (baseline(strategy.abstraction, n) for n in ("thumb", "careless"))
    gain = play_duplicate(strategy.game, careless, thumb, np.asarray(shares), 8192)
    assert gain.high < 0


def test_kernels_and_tables_declare_alike() -> None:
    """The policy at the kernel's table against the person at the referee's, on the same hands."""
    from mouche_solver.cards.kernels.policies import person_says
    from mouche_solver.cards.strategy.compile import new_table
    from mouche_solver.cards.strategy.contexts import Frame
    from mouche_solver.cards.strategy.situation import set_table

    strategy, rng = card_answer(RULES), random.Random(8)
    for name, person in PEOPLE.items():
        for _ in range(30):
            seen = Situation.of(start_deal(RULES, random_order(RULES, rng)))
            table = new_table()
            set_table(RULES, strategy.game, table, Frame(RULES, seen.turned), seen)
            said = int(person_says(seen.seat, person.kind, strategy.game, table))
            (found,) = card_person(name).at(strategy).declare(seen)
            assert {"pass": -1, "stand": 0}.get(found.action, len(found.cards)) == said


def test_an_unknown_person_is_refused() -> None:
    with pytest.raises(UsageError, match="allowed are thumb, careful, bold, steady, careless"):
        card_person("greedy")
