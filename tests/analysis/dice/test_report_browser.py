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
    page.one("input[data-for=opening-table]").send_keys("3,3")
    assert "3,3" in page.texts("#opening-table td:nth-child(2)")
    assert len(page.texts("#opening-table tbody tr")) < len(table)


def test_hands_are_filtered_and_stay_so(page) -> None:
    box = page.one("input[data-for=hands]")
    box.send_keys("2,3")
    assert page.texts("#hands td small") == ["2,3"]
    page.one('#actions button[data-action="1x1"]').click()
    assert page.texts("#hands td small") == []  # the next player has one die
    box.clear()


def test_nothing_failed(page) -> None:
    assert page.log() == []
    assert len(page.all(".charts svg")) == 4
