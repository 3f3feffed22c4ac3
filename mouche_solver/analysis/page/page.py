"""One HTML file that needs nothing else: sections, tables that sort and filter, data, scripts."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from typing import Any

import pandas as pd

from mouche_solver.analysis.page.output import PathLike
from mouche_solver.storage.atomic import atomic_path

# Nothing may come from the network, whatever is written into the page.
_POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'"


@dataclass(frozen=True)
class Section:
    """A part of the page with a heading; ``html`` is taken as it is, ``folded`` until asked for."""

    name: str
    title: str
    html: str
    folded: bool = False

    def __str__(self) -> str:
        heading = f"<h2>{escape(self.title)}</h2>"
        if self.folded:
            inner = f"<details><summary>{heading}</summary>{self.html}</details>"
        else:
            inner = heading + self.html
        return f'<section id="{self.name}">{inner}</section>'


_TREE = """
<p class="note">{note}</p><div id="crumbs"></div><p id="where"></p><div class="tree">
<div class="scroll"><table id="actions" class="sortable"><thead></thead><tbody></tbody></table>
</div>
<div class="scroll"><table id="hands" class="sortable" data-hands><thead></thead><tbody></tbody>
</table></div></div>"""


def tree_html(note: str) -> str:
    """What ``tree.js`` fills."""
    return _TREE.format(note=escape(note))


def page(
    title: str, sections: Sequence[Section], data: object, scripts: Sequence[str], hint: str = ""
) -> str:
    """Put a page together.

    Parameters
    ----------
    title : str
    sections : sequence of Section
        In the order of the page; the page begins with links to them.
    data : object
        JSON for the scripts, in the element ``#data``.
    scripts : sequence of str
        Names of files in ``files``, run in this order at the end of the page.
    hint : str
        What may be written into the box that searches all tables.

    Returns
    -------
    str
        A whole HTML document.
    """
    links = "".join(f'<a href="#{part.name}">{escape(part.title)}</a>' for part in sections)
    body = "".join(map(str, sections))
    box = f'<input type="search" id="search" aria-label="search" placeholder="{escape(hint)}">'
    # Within a script element "</" ends it and "<!--<script" swallows its end: no "<" is left.
    text = json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")
    code = "".join(f"<script>{_file(name)}</script>" for name in scripts)
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{_file('style.css')}</style></head>"
        f'<body><h1>{escape(title)}</h1><nav>{box}<output id="heard"></output>{links}</nav>'
        f"<main>{body}</main>"
        f'<script type="application/json" id="data">{text}</script>{code}</body></html>\n'
    )


def write_page(text: str, path: PathLike) -> None:
    """Write a page; the file is whole or as it was.

    Raises
    ------
    StorageError
        When it cannot be written.
    """
    with atomic_path(path) as part:
        part.write_text(text, encoding="utf-8")


def sortable(
    frame: pd.DataFrame,
    name: str,
    formats: Mapping[str, str] | None = None,
    hands: Sequence[str] = (),
) -> str:
    """A table that the page's script sorts by any column, and that the search box filters.

    Parameters
    ----------
    frame : DataFrame
        Its index becomes the first columns, its ``attrs["caption"]`` the caption. Fractions are
        shown as percentages.
    name : str
        The table's id.
    formats : mapping, optional
        Format of columns whose numbers are no fractions.
    hands : sequence of str
        The columns that name the hand of a row, where its rows are hands.
    """
    flat = frame.reset_index()
    given = [(formats or {}).get(str(column), "") for column in flat.columns]
    head = "".join(f"<th><button>{escape(str(column))}</button></th>" for column in flat.columns)
    places = [list(flat.columns).index(column) for column in hands]
    rows = "".join(
        f"<tr{_hand(row, places, hands)}>{''.join(map(_cell, row, given))}</tr>"
        for row in flat.itertuples(index=False, name=None)
    )
    kind = " data-hands" if hands else ""
    caption = escape(str(frame.attrs.get("caption", "")))
    return (
        f'<div class="scroll"><table id="{name}" class="sortable"{kind}>'
        f"<caption>{caption}</caption><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def _hand(row: Sequence[Any], places: Sequence[int], names: Sequence[str]) -> str:
    """Attributes by which the search box finds the hand of a row."""
    if not places:
        return ""
    values = [str(row[place]) for place in places]
    text = " ".join(f"{name}:{value}" for name, value in zip(names, values, strict=True))
    return f' data-hand="{escape(",".join(values))}" data-text="{escape(text)}"'


def _cell(value: Any, given: str) -> str:
    if pd.isna(value):
        return "<td>-</td>"
    if given:
        return f'<td data-v="{value:.6g}">{value:{given}}</td>'
    if isinstance(value, float):
        return f'<td class="n" data-v="{value:.6g}" style="--p:{value:.3f}">{value:.1%}</td>'
    if isinstance(value, str):
        return f"<td>{escape(value)}</td>"
    return f'<td data-v="{value}">{value}</td>'


def _file(name: str) -> str:
    return files("mouche_solver.analysis.page").joinpath("files", name).read_text("utf-8")
