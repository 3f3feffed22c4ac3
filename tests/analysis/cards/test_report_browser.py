"""The card report in a real browser: declarations that one clicks through, tables."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from mouche_solver.analysis import card_strategy, write_card_report
from mouche_solver.analysis.cards.tree import CardWalk, DealtHands
from mouche_solver.cards import CardRules, CardStrategy, exchange_chart
from mouche_solver.cards.strategy.answers import hand_shapes


@pytest.fixture(scope="module")
def page(exact_cards: CardStrategy, open_page, tmp_path_factory: pytest.TempPathFactory):
    file = Path(tmp_path_factory.mktemp("report"), "cards.html")
    write_card_report(exact_cards, file)
    return open_page(file)


def shown(text: str) -> float:
    return float(text.rstrip("%")) / 100


def test_three_levels_down_is_the_strategy(page, exact_cards: CardStrategy) -> None:
    for action in ("pass", "exchange1"):
        page.one(f'#actions button[data-action="{action}"]').click()
    said = ("pass", 1)
    walk = CardWalk.to(DealtHands(exact_cards), said)
    where = page.one("#where").text
    assert "Seat 2, the dealer, declares." in where
    chance, error = where.split("history: ")[1].rstrip("%).").split("% (\u00b1 ")
    assert float(chance) / 100 == pytest.approx(walk.reach, rel=0.05)
    assert float(error) / 100 == pytest.approx(walk.error, rel=0.05)
    assert page.texts("#crumbs button") == ["start", "pass", "exchange1"]
    chart = exchange_chart(exact_cards, declared=said)
    for row, mix in enumerate(chart.mix):
        names = (chart.trumps, chart.best, chart.kings, chart.queens, chart.longest)
        hand = ",".join(str(each[row]) for each in names)
        for action, chance in zip(walk.actions, mix, strict=False):
            cell = page.one(f'#hands td[data-hand="{hand}"][data-action="{action}"]')
            assert shown(cell.text) == pytest.approx(chance, abs=0.5001e-4)
    assert chart.mix.max(axis=1).min() < 1  # somebody mixes here
    for action, chance in zip(walk.actions, walk.chances, strict=True):
        button = page.one(f'#actions button[data-action="{action}"]')
        assert not button.is_enabled()
        assert button.get_attribute("title") == "ends the declarations"
        cell = button.find_element("xpath", "../../td[2]")
        assert shown(cell.text) == pytest.approx(chance, abs=0.6e-4)
    page.one("#crumbs button").click()
    assert "Seat 0 declares. Chance of this history: 100.00%." in page.one("#where").text


def test_a_hand_is_its_declaration(page, exact_cards: CardStrategy) -> None:
    """K Q of trumps is the only hand of its class."""
    page.one('#actions button[data-action="stand"]').click()
    page.one('#actions button[data-action="pass"]').click()
    pack = exact_cards.rules.pack
    options = exact_cards.declaration(pack.hand("KC QC"), pack.card("JC"), 2, ["stand", "pass"])
    for option in options:
        action = option.action + (str(len(option.cards)) if option.cards else "")
        cell = page.one(f'#hands td[data-hand="2,1,0,0,0"][data-action="{action}"]')
        assert shown(cell.text) == pytest.approx(option.probability, abs=0.5001e-4)
    page.one("#crumbs button").click()


def test_all_pass_is_the_dealers_pot(page) -> None:
    page.one('#actions button[data-action="pass"]').click()
    button = page.one('#actions button[data-action="pass"]')
    assert not button.is_enabled()
    assert button.get_attribute("title") == "leaves the pot to the dealer"
    page.one("#crumbs button").click()


def test_hands_are_filtered_and_stay_so(page, exact_cards: CardStrategy) -> None:
    chart = exchange_chart(exact_cards, seat=0)
    box = page.one("#search")
    box.send_keys("trumps:1 kings:1")
    wanted = int(((chart.trumps == 1) & (chart.kings == 1)).sum())
    assert 0 < wanted < len(chart.trumps)
    assert len(page.texts("#hands tbody tr")) == wanted
    page.one('#actions button[data-action="stand"]').click()
    assert len(page.texts("#hands tbody tr")) == wanted
    page.one("#crumbs button").click()
    page.clear(box)


def test_cards_find_their_class(page, exact_cards: CardStrategy) -> None:
    rules, box = exact_cards.rules, page.one("#search")
    pack = rules.pack
    cases = [("KC", "QD", "JC"), ("QH", "JH", "KH"), ("KD", "QD", "JH"), ("QC", "KC", "JD")]
    for one, two, turned in cases:
        # The class of the hand under another trump suit is that of its renamed cards.
        order = pack.suits
        trump = turned[-1]
        renamed = {trump: order[0], order[0]: trump}
        names = [card[:-1] + renamed.get(card[-1], card[-1]) for card in (one, two, turned)]
        context = exact_cards.abstraction.contexts[0]
        hand = np.array([pack.hand(" ".join(names[:2]))])
        context = replace(context, turned=pack.card(names[2]))
        wanted = ",".join(str(int(each[0])) for each in hand_shapes(rules, context, hand))
        page.clear(box)
        box.send_keys(f"{one.lower()} {two}, {turned}")
        rows = [row for row in page.all("#hands tbody tr") if row.is_displayed()]
        assert [row.get_attribute("data-hand") for row in rows] == [wanted]
        assert wanted.split(",")[0] == page.one("#heard").text.split()[0].removeprefix("trumps:")
        assert len(page.texts("#exchange-0 tbody tr")) == 1
    page.clear(box)
    box.send_keys("KC QD")
    assert "and the card turned up" in page.one("#heard").text
    page.clear(box)
    assert page.one("#heard").text == ""


def test_addresses(page) -> None:
    page.driver.get(page.driver.current_url.partition("#")[0] + "#at/pass/exchange1")
    assert page.texts("#crumbs button") == ["start", "pass", "exchange1"]
    page.driver.get(page.driver.current_url.partition("#")[0])


def test_tables_sort(page, exact_cards: CardStrategy) -> None:
    chart = exchange_chart(exact_cards, seat=0)
    place = 6 + 1 + chart.actions.index("exchange1")
    page.one(f"#exchange-0 th:nth-child({place}) button").click()
    found = [shown(text) for text in page.texts(f"#exchange-0 td:nth-child({place})")]
    expected = sorted(chart.mix[:, chart.actions.index("exchange1")], reverse=True)
    assert found == pytest.approx(expected, abs=0.5001e-3)


def test_nothing_failed(page) -> None:
    assert page.log() == []
    assert len(page.all(".charts svg")) == 3


@pytest.fixture(scope="module")
def shipped(open_page, tmp_path_factory: pytest.TempPathFactory):
    file = Path(tmp_path_factory.mktemp("report"), "shipped.html")
    write_card_report(card_strategy(CardRules(players=3)), file)
    return open_page(file)


@pytest.mark.parametrize(("media", "width"), [("screen", 400), ("print", 703)])
def test_a_real_strategy_fits_phones_and_paper(shipped, media: str, width: int) -> None:
    """703 pixels are what A4 leaves between margins of 12 mm."""
    driver = shipped.driver
    driver.execute_script("window.dispatchEvent(new Event('beforeprint'))")
    size = {"width": width, "height": 1000, "deviceScaleFactor": 1, "mobile": True}
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": media})
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    try:
        assert driver.execute_script("return document.documentElement.scrollWidth") <= width
    finally:
        driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
