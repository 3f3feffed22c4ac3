"""A review as JSON, CSV, Markdown or one HTML page."""

import csv
import html
import io
import json
from collections.abc import Iterable, Sequence
from typing import Any, Literal, get_args

from mouche_solver.errors import UsageError
from mouche_solver.review.record import Review

Layout = Literal["json", "csv", "markdown", "html"]
_COLUMNS = (
    "number",
    "part",
    "player",
    "position",
    "hand",
    "action",
    "mix",
    "value",
    "best",
    "best_value",
    "loss",
    "error",
    "mark",
    "label",
    "reason",
)
# What a whole review says of the player of each row, at the end of a CSV's columns.
_SPLIT = ("result", "skill", "luck")
_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:72rem;margin:2rem auto;padding:0 1rem;"
    "color-scheme:light dark}table{border-collapse:collapse;width:100%;font-size:.9rem}"
    "td,th{padding:.3rem .6rem;text-align:left;border-bottom:1px solid #8884}"
    "div{overflow-x:auto}.blunder{font-weight:bold}"
)


def render(review: Review, layout: Layout) -> str:
    """The review as text.

    Raises
    ------
    UsageError
        For another layout.
    """
    if layout == "json":
        return json.dumps(review.to_dict(), indent=2) + "\n"
    if layout == "csv":
        return _csv(review)
    if layout == "markdown":
        return _markdown(review)
    if layout == "html":
        return _html(review)
    raise UsageError(f"format {layout!r}: allowed are {', '.join(get_args(Layout))}")


def _about(review: Review) -> str:
    """The unit, how good the judge is, and why there is no split if there is none."""
    said = f"{review.unit_name}. {review.quality}"
    return f"{said} ({review.no_split})" if review.no_split else said


def _rows(review: Review) -> list[dict[str, Any]]:
    return [{key: d.flat()[key] for key in _COLUMNS} for d in review.decisions]


def _csv(review: Review) -> str:
    buffer = io.StringIO()
    heads = {name: f"player_{name}" for name in _SPLIT}
    of = {t["player"]: {heads[name]: t[name] for name in _SPLIT} for t in review.totals()}
    writer = csv.DictWriter(buffer, [*_COLUMNS, *heads.values()], lineterminator="\n")
    writer.writeheader()
    writer.writerows(row | of[row["player"]] for row in _rows(review))
    return buffer.getvalue()


def _cell(value: object) -> str:
    if value is None:
        return ""
    return f"{value:.4f}" if isinstance(value, float) else str(value)


def _pipe_table(heads: Iterable[str], rows: Iterable[Sequence[object]]) -> str:
    heads = list(heads)
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    lines += ["| " + " | ".join(_cell(v).replace("|", "\\|") for v in row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def _markdown(review: Review) -> str:
    totals, rows = review.totals(), _rows(review)
    return (
        f"# Review ({review.game})\n\nValues in {_about(review)}\n\n"
        + _pipe_table(totals[0], [list(t.values()) for t in totals])
        + "\n"
        + _pipe_table(_COLUMNS, [list(r.values()) for r in rows])
    )


def _html_table(heads: Iterable[str], rows: Iterable[Sequence[object]]) -> str:
    head = "".join(f'<th scope="col">{html.escape(h)}</th>' for h in heads)
    body = "".join(
        "<tr>" + "".join(f"<td>{html.escape(_cell(v))}</td>" for v in row) + "</tr>" for row in rows
    )
    return f"<div><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"


def _html(review: Review) -> str:
    totals, rows = review.totals(), _rows(review)
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>Review</title>'
        f'<meta name="viewport" content="width=device-width"><style>{_STYLE}</style>'
        f"<h1>Review ({html.escape(review.game)})</h1>"
        f"<p>Values in {html.escape(_about(review))}</p>"
        f"<h2>Players</h2>{_html_table(totals[0], [list(t.values()) for t in totals])}"
        f"<h2>Decisions</h2>{_html_table(_COLUMNS, [list(r.values()) for r in rows])}</html>\n"
    )
