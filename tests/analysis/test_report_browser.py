"""The report in a real browser: a tree that one clicks through, tables that sort and filter."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from mouche_solver.analysis import DiceSolution, opening_table, write_report

BROWSER, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
if BROWSER is None or DRIVER is None:
    pytest.skip(
        "needs a browser: apt-get install chromium chromium-driver", allow_module_level=True
    )
webdriver = pytest.importorskip("selenium.webdriver")


@pytest.fixture(scope="module")
def page(plain: DiceSolution, tmp_path_factory: pytest.TempPathFactory) -> Iterator:
    file = tmp_path_factory.mktemp("report") / "report.html"
    write_report(plain, file)
    options = webdriver.ChromeOptions()
    options.binary_location = BROWSER
    # No sandbox and no shared memory: containers have neither.
    for flag in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    driver.set_window_size(1200, 1600)
    try:
        driver.get(Path(file).as_uri())
        yield driver
    finally:
        driver.quit()


def one(page, css: str):
    return page.find_element("css selector", css)


def texts(page, css: str) -> list[str]:
    return [each.text for each in page.find_elements("css selector", css) if each.is_displayed()]


def test_three_clicks_down_is_the_solution(page, plain: DiceSolution) -> None:
    line = ["1x1", "1x2", "2x2"]
    for claim in line:
        one(page, f'#actions button[data-action="{claim}"]').click()
    assert "Player 1 to act" in one(page, "#where").text
    table = plain.table(" ".join(line))
    assert f"Chance of this line: {table.reach:.2%}" in one(page, "#where").text
    for hand, mix in zip(table.hands, table.probabilities, strict=True):
        for action, chance in zip(table.actions, mix, strict=True):
            dice = ",".join(map(str, hand))
            css = f'#hands td[data-hand="{dice}"][data-action="{action}"]'
            cells = page.find_elements("css selector", css)
            shown = float(cells[0].text.rstrip("%")) / 100 if cells else 0.0
            assert shown == pytest.approx(chance, abs=0.5001e-4)
    assert table.probabilities.max(axis=1).min() < 1  # the position is one where somebody mixes
    # A doubt ends the round, and the way back is open.
    assert not one(page, '#actions button[data-action="doubt"]').is_enabled()
    assert texts(page, "#crumbs button") == ["start", *line]
    one(page, "#crumbs button").click()
    assert "Player 0 to act. Chance of this line: 100.00%" in one(page, "#where").text


def test_tables_sort_and_filter(page, plain: DiceSolution) -> None:
    table = opening_table(plain)
    table = table.loc[:, table.max() >= 0.0005]
    column = table.max().idxmax()
    place = list(table.columns).index(column) + 3
    heading = one(page, f"#opening-table th:nth-child({place}) button")
    for descending in (True, False):
        heading.click()
        shown = [
            float(text.rstrip("%")) for text in texts(page, f"#opening-table td:nth-child({place})")
        ]
        expected = sorted(table[column].tolist(), reverse=descending)
        assert shown == [float(f"{100 * chance:.1f}") for chance in expected]
    one(page, "input[data-for=opening-table]").send_keys("3,3")
    assert "3,3" in texts(page, "#opening-table td:nth-child(2)")
    assert len(texts(page, "#opening-table tbody tr")) < len(table)


def test_hands_are_filtered_and_stay_so(page) -> None:
    box = one(page, "input[data-for=hands]")
    box.send_keys("2,3")
    assert texts(page, "#hands td small") == ["2,3"]
    one(page, '#actions button[data-action="1x1"]').click()
    assert texts(page, "#hands td small") == []  # the next player has one die
    box.clear()


def test_nothing_failed(page) -> None:
    assert page.get_log("browser") == []
    assert len(page.find_elements("css selector", ".charts svg")) == 4
