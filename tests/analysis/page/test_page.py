"""A page cannot be broken by what is written into it."""

import json
from html.parser import HTMLParser

import pytest

from mouche_solver.analysis.page.page import Section, page


class Data(HTMLParser):
    """The text of the element with the page's data, and what follows it."""

    def __init__(self) -> None:
        super().__init__()
        self.inside = False
        self.text, self.after = "", list[str]()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.inside = ("id", "data") in attrs
        self.after.append(tag)

    def handle_endtag(self, tag: str) -> None:
        self.inside = False

    def handle_data(self, data: str) -> None:
        self.text += data if self.inside else ""


@pytest.mark.parametrize(
    "label", ["<!--<script>", "</script>", "<!-- <SCRIPT x", "]]>", "\u2028<b>&amp;"]
)
def test_labels(label: str) -> None:
    text = page(label, [Section("a", label, "")], {"label": label}, ["tables.js"])
    parser = Data()
    parser.feed(text)
    assert json.loads(parser.text) == {"label": label}
    assert "script" in parser.after
    start = text.index('id="data">')
    assert "<" not in text[start : text.index("</script>", start)]
