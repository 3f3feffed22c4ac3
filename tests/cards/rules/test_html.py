"""Cards as pictures, and what notebooks show of rules, deals, games and strategies."""

import dataclasses
import random
import xml.etree.ElementTree as xml

import pytest

from mouche_solver.cards import (
    Abstraction,
    CardRules,
    CardStrategy,
    CardTrainer,
    Deal,
    apply,
    cards_of,
    legal_actions,
    random_game,
    start_deal,
)
from mouche_solver.cards.referee.actions import Exchange, Pass, Stand
from mouche_solver.cards.referee.game import new_game
from mouche_solver.cards.referee.referee import draw_shuffle
from mouche_solver.cards.rules.html import cards_svg, hand_svg, rules_text
from mouche_solver.cards.train.trainer import Batch

SVG = "{http://www.w3.org/2000/svg}"
SYMBOLS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
RULES = CardRules(players=3)
PACK = RULES.pack


def drawn(picture: xml.Element) -> list[str]:
    """The cards of a picture, such as K♣."""
    return ["".join(t.text for t in card.iter(f"{SVG}text")) for card in picture.iter(f"{SVG}g")]


def pictures(html: str) -> dict[str, list[str]]:
    """Of a whole piece of HTML, which must be well formed: the cards of each picture by label."""
    page = xml.fromstring(f"<div>{html}</div>")
    return {each.get("aria-label"): drawn(each) for each in page.iter(f"{SVG}svg")}


@pytest.mark.parametrize("card", range(PACK.size))
def test_a_card_shows_rank_and_suit(card: int) -> None:
    picture = xml.fromstring(cards_svg(PACK, [card]))
    name = PACK.name(card)
    assert picture.get("aria-label") == name
    assert drawn(picture) == [name[:-1] + SYMBOLS[name[-1]]]
    colours = {text.get("fill") for text in picture.iter(f"{SVG}text")}
    assert colours == {"#b3001b" if name[-1] in "DH" else "#111"}


def test_a_hand_has_trumps_first_and_marked() -> None:
    hand = PACK.hand("8C KD 9H KH QS")
    picture = xml.fromstring(hand_svg(PACK, hand, trump=PACK.suit_number("H"), height=50))
    assert drawn(picture) == ["K♥", "9♥", "8♣", "K♦", "Q♠"]
    assert picture.get("aria-label") == "KH 9H 8C KD QS; trumps H"
    feet = [len(card.findall(f"{SVG}rect")) for card in picture.iter(f"{SVG}g")]
    assert feet == [2, 2, 1, 1, 1]
    whites = [card.find(f"{SVG}rect").get("fill") for card in picture.iter(f"{SVG}g")]
    assert set(whites) == {"#fff"}  # readable on any background
    right = [float(g.get("transform")[10:].split(",")[0]) for g in picture.iter(f"{SVG}g")]
    assert right == sorted(right)
    assert right[-1] + 35 <= float(picture.get("width"))


def test_no_card_is_a_picture_too() -> None:
    assert xml.fromstring(hand_svg(PACK, 0)).get("aria-label") == "no card"


def test_rules_in_a_line() -> None:
    assert rules_text(CardRules(players=3, chips=70)) == (
        "3 players, 28 cards (K Q J A 10 9 8), 5 in a hand"
    )
    odd = CardRules(players=2, ranks="K Q", suits="C D", hand_size=1, cap=2, reshuffle=False)
    assert rules_text(odd) == "2 players, 4 cards (K Q), 1 in a hand, reshuffle: no, cap: 2"


def test_rules_show_every_field() -> None:
    shown = CardRules(players=3, chips=(50, 40, 30))._repr_html_()
    xml.fromstring(f"<div>{shown}</div>")
    for name in RULES.to_dict():
        assert f"<th>{name.replace('_', ' ')}</th>" in shown
    assert "<td>28: K Q J A 10 9 8 of C D H S</td>" in shown
    assert "<td>50, 40, 30</td>" in shown


def dealt(seed: int = 0) -> Deal:
    order = list(range(PACK.size))
    random.Random(seed).shuffle(order)
    return start_deal(RULES, order)


def names(deal: Deal, mask: int) -> set[str]:
    return {PACK.name(c)[:-1] + SYMBOLS[PACK.name(c)[-1]] for c in cards_of(mask)}


def test_a_deal_shows_all_it_knows() -> None:
    deal = dealt()
    shown = pictures(deal._repr_html_())
    assert [set(hand) for hand in list(shown.values())[1:]] == [names(deal, h) for h in deal.hands]
    assert set(next(iter(shown.values()))) == names(deal, 1 << deal.face_up)
    assert "seat 0 is to act: declare" in deal._repr_html_()


def test_a_deal_shows_what_was_said_laid_and_played() -> None:
    deal = apply(dealt(), Pass(0))
    laid = cards_of(deal.hands[1])[:2]
    deal = apply(apply(deal, Exchange(1, laid)), Stand(2))
    text = deal._repr_html_()
    assert [word for word in ("pass", "exchange", "stand") if f"<td>{word}</td>" in text] == [
        "pass",
        "exchange",
        "stand",
    ]
    assert any(set(cards) == names(deal, deal.laid[1]) for cards in pictures(text).values())
    led = legal_actions(deal)[0]
    text = apply(deal, led)._repr_html_()
    assert f"trick led by seat {led.seat}" in text
    assert [names(deal, 1 << led.card)] in [
        [set(cards)] for cards in pictures(text.split("trick led")[1].join(("<p>", ""))).values()
    ]


def test_every_moment_of_deals_is_well_formed() -> None:
    rng = random.Random(5)
    for seed in range(4):
        deal = dealt(seed)
        while deal.outcome is None:
            pictures(deal._repr_html_())
            actions = legal_actions(deal)
            deal = apply(deal, rng.choice(actions) if actions else draw_shuffle(deal, rng))
        assert "over by tricks; mouches made by seats: " in deal._repr_html_()
    alone = apply(apply(dealt(), Pass(0)), Pass(1))
    assert "over by alone; seat 2 won; mouches made by seats: none" in alone._repr_html_()
    assert "chance is to act" in dataclasses.replace(dealt(), turn=-1)._repr_html_()
    assert "seat 1 was asked" in dataclasses.replace(dealt(), question=1)._repr_html_()


def test_a_game_shows_stacks_and_its_deal() -> None:
    start = new_game(RULES, first_dealer=1)
    text = start._repr_html_()
    assert pictures(text) == {}
    assert "<td>50, 50, 50</td>" in text
    assert "<td>not over</td>" in text
    last = random_game(RULES, seed=1).final()
    assert len(pictures(last._repr_html_())) >= 4
    winners = ", ".join(map(str, last.winners))
    assert f"<th>winners</th><td>{winners}</td>" in last._repr_html_()


def test_a_strategy_shows_quality_and_likely_declarations() -> None:
    rules = CardRules(players=2, ranks="K Q J", suits="C D", hand_size=2, reshuffle=False)
    trainer = CardTrainer(Abstraction(rules), batch=Batch(64, 64, 2, 64))
    trainer.train_round()
    strategy = trainer.strategy()
    text = strategy._repr_html_()
    pack, shown = rules.pack, pictures(text)
    assert len(shown) - 1 == min(12, strategy.abstraction.hand_count)
    assert strategy.quality_text in text
    turned = pack.card("JC")  # the lowest card stands for all that can be turned up
    options = strategy.declaration(pack.hand("KC QC"), turned, 0, [])
    best = max(options, key=lambda each: each.probability)
    words = " ".join([best.action, *pack.names(best.cards)])
    row = text.split('aria-label="KC QC; trumps C"')[1].split("</tr>")[0]
    assert f"{words} {best.probability:.1%}" in row

    training = dataclasses.replace(strategy.training, continuation="<script>")
    text = CardStrategy(strategy.abstraction, strategy.tables, training)._repr_html_()
    assert "<script>" not in text
    assert "&lt;script&gt;" in text
