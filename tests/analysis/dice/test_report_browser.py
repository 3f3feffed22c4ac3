"""The report in a real browser: a tree that one clicks through, tables that sort and filter."""

from pathlib import Path

import pytest

from mouche_solver.analysis import DiceSolution, opening_table, write_report


@pytest.fixture(scope="module")
def page(plain: DiceSolution, open_page, tmp_path_factory: pytest.TempPathFactory):
    file = Path(tmp_path_factory.mktemp("report"), "report.html")
    write_report(plain, file)
    return open_page(file)


def test_three_clicks_down_is_the_solution(page, plain: DiceSolution) -> None:
    line = ["1x1", "1x2", "2x2"]
    for claim in line:
        page.one(f'#actions button[data-action="{claim}"]').click()
    assert "Player 1 to act" in page.one("#where").text
    table = plain.table(" ".join(line))
    chance = page.one("#where").text.split("line: ")[1].rstrip("%.")
    assert float(chance) / 100 == pytest.approx(table.reach, rel=0.05)  # two digits at least
    for hand, mix in zip(table.hands, table.probabilities, strict=True):
        for action, chance in zip(table.actions, mix, strict=True):
            dice = ",".join(map(str, hand))
            css = f'#hands td[data-hand="{dice}"][data-action="{action}"]'
            cells = page.all(css)
            shown = float(cells[0].text.rstrip("%")) / 100 if cells else 0.0
            assert shown == pytest.approx(chance, abs=0.5001e-4)
    assert table.probabilities.max(axis=1).min() < 1  # the position is one where somebody mixes
    # A doubt ends the round, and the way back is open.
    assert not page.one('#actions button[data-action="doubt"]').is_enabled()
    assert page.texts("#crumbs button") == ["start", *line]
    page.one("#crumbs button").click()
    assert "Player 0 to act. Chance of this line: 100.00%" in page.one("#where").text


def test_tables_sort_and_filter(page, plain: DiceSolution) -> None:
    table = opening_table(plain)
    table = table.loc[:, table.max() >= 0.0005]
    column = table.max().idxmax()
    place = list(table.columns).index(column) + 3
    heading = page.one(f"#opening-table th:nth-child({place}) button")
    for descending in (True, False):
        heading.click()
        shown = [
            float(text.rstrip("%")) for text in page.texts(f"#opening-table td:nth-child({place})")
        ]
        expected = sorted(table[column].tolist(), reverse=descending)
        assert shown == [float(f"{100 * chance:.1f}") for chance in expected]
    box = page.one("#search")
    box.send_keys("3,3")
    assert "3,3" in page.texts("#opening-table td:nth-child(2)")
    assert len(page.texts("#opening-table tbody tr")) < len(table)
    page.clear(box)
    assert len(page.texts("#opening-table tbody tr")) == len(table)


def test_hands_are_filtered_and_stay_so(page) -> None:
    box = page.one("#search")
    box.send_keys("2,3")
    assert page.texts("#hands td small") == ["2,3"]
    page.one('#actions button[data-action="1x1"]').click()
    assert page.texts("#hands td small") == []  # the next player has one die
    page.clear(box)
    page.one("#crumbs button").click()


def test_dice_in_any_order_and_claims(page, plain: DiceSolution) -> None:
    box = page.one("#search")
    box.send_keys("3 1")
    assert page.texts("#hands td small") == ["1,3"]
    rows = [row for row in page.all("#opening-table tbody tr") if row.is_displayed()]
    assert [row.get_attribute("data-hand") for row in rows] == ["1,3"]
    page.clear(box)
    box.send_keys("2x3")
    assert page.texts("#bluff-table tbody td:first-child") == ["2x3"]
    assert page.texts("#hands td small") == []
    page.clear(box)
    # What is found nowhere leaves the tables whole that are not about hands.
    box.send_keys("9,9")
    assert len(page.texts("#odds-table tbody tr")) == plain.rules.total_dice
    page.clear(box)


def test_positions_have_addresses_and_back_leads_back(page) -> None:
    driver, base = page.driver, page.driver.current_url.partition("#")[0]
    driver.get(base)
    for claim in ("1x1", "1x2"):
        page.one(f'#actions button[data-action="{claim}"]').click()
    assert driver.current_url.endswith("#at/1x1/1x2")
    driver.back()
    assert page.texts("#crumbs button") == ["start", "1x1"]
    driver.back()
    assert page.texts("#crumbs button") == ["start"]
    driver.forward()
    assert page.texts("#crumbs button") == ["start", "1x1"]
    driver.get(f"{base}#at/1x1/2x2")
    driver.refresh()
    assert page.texts("#crumbs button") == ["start", "1x1", "2x2"]
    driver.get(f"{base}#at/9x9")
    assert page.one("#where").text.startswith("That position is not in this file")
    driver.get(base)


def test_values_of_actions_and_hands(page, plain: DiceSolution) -> None:
    table = plain.table("")
    hands = [",".join(map(str, hand)) for hand in table.hands]
    worth = (table.probabilities * table.values).sum(axis=1)
    cells = [row.find_element("xpath", "td[3]").text for row in page.all("#hands tbody tr")]
    found = dict(zip(page.texts("#hands td small"), cells, strict=True))
    for hand, value in zip(hands, worth, strict=True):
        assert float(found[hand].replace("\u2212", "-")) == pytest.approx(value, abs=0.6e-3)
    flow = table.ranges[0][:, None] * table.probabilities
    for column, action in enumerate(table.actions):
        button = page.one(f'#actions button[data-action="{action}"]')
        cell = button.find_element("xpath", "../../td[3]").text
        chance = flow[:, column].sum()
        if chance > 0:
            value = flow[:, column] @ table.values[:, column] / chance
            assert float(cell.replace("\u2212", "-")) == pytest.approx(value, abs=0.6e-3)
        else:
            assert cell == "-"


def test_a_phone_shows_all_of_its_width(page) -> None:
    size = {"width": 400, "height": 800, "deviceScaleFactor": 1, "mobile": True}
    page.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    try:
        width = page.driver.execute_script("return document.documentElement.scrollWidth")
    finally:
        page.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    assert width <= 400


def test_the_strategy_comes_first_and_rules_are_folded(page) -> None:
    sections = [each.get_attribute("id") for each in page.all("section")]
    assert (sections[0], sections[-1]) == ("tree", "rules")
    assert page.one("#rules details").get_attribute("open") is None
    assert len(page.all("input[type=search]")) == 1


def test_print(page) -> None:
    """On paper nothing is folded, and hands stand in their order."""
    page.driver.execute_script("window.dispatchEvent(new Event('beforeprint'))")
    assert page.one("#rules details").get_attribute("open") is not None
    rows = page.texts("#opening-table td:nth-child(2)")
    assert rows == sorted(rows)
    assert len(page.all(".index span")) == len(rows)
    page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    try:
        assert not page.one("nav").is_displayed()
        assert not page.one("#tree").is_displayed()
        assert page.one("#opening-table").is_displayed()
        size = page.one("#opening-table").value_of_css_property("font-size")
        assert float(size.removesuffix("px")) >= 7 * 96 / 72
    finally:
        page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


def test_nothing_failed(page) -> None:
    assert page.log() == []
    assert len(page.all(".charts svg")) == 4
