"""Pieces of HTML that both games show themselves with: plain text, no output library."""

from collections.abc import Iterable, Mapping
from html import escape


def facts(fields: Mapping[str, object]) -> str:
    """A table of names and values.

    Examples
    --------
    >>> facts({"a<b": [1, 2], "cap": None})
    '<table><tr><th>a&lt;b</th><td>1, 2</td></tr><tr><th>cap</th><td>none</td></tr></table>'
    """
    rows = "".join(
        f"<tr><th>{escape(name)}</th><td>{escape(_words(value))}</td></tr>"
        for name, value in fields.items()
    )
    return f"<table>{rows}</table>"


def all_fields(fields: Mapping[str, object]) -> str:
    """A table of everything in a dictionary of rules, its keys read as words."""
    return facts({name.replace("_", " "): value for name, value in fields.items()})


def grid(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A table of texts with a heading for each column.

    Examples
    --------
    >>> grid(["<"], [["a"]])
    '<table><tr><th>&lt;</th></tr><tr><td>a</td></tr></table>'
    """
    head = "".join(f"<th>{escape(name)}</th>" for name in heads)
    body = "".join(
        f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows
    )
    return f"<table><tr>{head}</tr>{body}</table>"


def likeliest(chances: Iterable[tuple[str, float]], most: int = 4) -> str:
    """The likeliest actions with their chances, those below 0.05% left out.

    Examples
    --------
    >>> likeliest([("pass", 0.25), ("stand", 0.0), ("exchange 2", 0.75)])
    'exchange 2 75.0%, pass 25.0%'
    """
    best = sorted(chances, key=lambda each: -each[1])[:most]
    return ", ".join(f"{action} {chance:.1%}" for action, chance in best if chance >= 0.0005)


def _words(value: object) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)
