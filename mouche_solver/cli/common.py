"""What every command shares: where output goes and in which format, and reading files."""

import csv
import io
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import Parameter, Token

from mouche_solver.cli.streams import read_stdin
from mouche_solver.core.checks import MOST_SEED, MOST_THREADS
from mouche_solver.errors import StorageError, UsageError
from mouche_solver.storage.atomic import atomic_path

Rows = Sequence[Mapping[str, object]]
# The type of each column that does not hold fractions, so that a file's types do not depend on
# whether values are missing.
Columns = Mapping[str, type]


@Parameter(name="*")
@dataclass(frozen=True)
class OutputFlags:
    """Output flags, for any command: ``output: OutputFlags = STDOUT``.

    Parameters
    ----------
    format
        Layout of the data.
    out
        File that receives the data; standard output without it.
    """

    format: Literal["table", "json", "csv", "parquet"] = "table"
    out: Path | None = None

    def __post_init__(self) -> None:
        if self.format == "parquet" and self.out is None:
            raise UsageError("--format parquet is binary: name a file with --out")


STDOUT = OutputFlags()


def whole(_: object, tokens: Sequence[Token]) -> int:
    """Convert a flag's words to a whole number; cyclopts' own way rounds 1.5 to 2."""
    text = tokens[0].value
    digits = text.removeprefix("-")
    if not (digits.isdecimal() and text.isascii()):
        raise ValueError(f'"{text}" is not a whole number')
    if len(digits) > _MOST_DIGITS:
        raise ValueError(f"a number of {len(digits):,} digits is too long")
    return int(text)


# More digits fit no count in 64 bits; a seed may be as long as a UUID.
_MOST_DIGITS, _SEED_DIGITS = 18, 39

Whole = Annotated[int, Parameter(converter=whole)]


def _seed(_: object, tokens: Sequence[Token]) -> int:
    text = tokens[0].value
    digits = text.removeprefix("-")
    if not (digits.isdecimal() and text.isascii()):
        raise ValueError(f'"{text}" is not a whole number')
    if text.startswith("-") or len(digits) > _SEED_DIGITS or int(digits) > MOST_SEED:
        shown = text if len(text) <= _SEED_DIGITS + 1 else f"of {len(digits):,} digits"
        raise UsageError(f"--seed {shown}: a whole number from 0 on is needed, up to 2**128 - 1")
    return int(digits)


Seed = Annotated[int, Parameter(converter=_seed)]


def _real(_: object, tokens: Sequence[Token]) -> float:
    text = tokens[0].value
    try:
        # Python's own way also takes digits of other scripts, and underscores.
        return float(text if text.isascii() and "_" not in text else "")
    except ValueError:
        raise ValueError(f'"{text}" is not a number') from None


Real = Annotated[float, Parameter(converter=_real)]


def _threads(kind: object, tokens: Sequence[Token]) -> int:
    number = whole(kind, tokens)
    if number < 1:
        raise UsageError(f"threads {number}: at least 1 is needed")
    if number > MOST_THREADS:
        raise UsageError(f"threads {number}: at most {MOST_THREADS} are allowed")
    return number


Threads = Annotated[int, Parameter(converter=_threads)]

# Written games and rules are short; what goes on for longer is a device or some other file.
LONGEST_TEXT = 1 << 26


def emit(
    output: OutputFlags,
    rows: Rows,
    columns: Columns | None = None,
    *,
    document: object = None,
    table: str | None = None,
    rest: type = float,
) -> None:
    """Write a command's data, the only thing that goes to standard output.

    Parameters
    ----------
    output : OutputFlags
        Format and place.
    rows : sequence of mapping
        The data with equal keys in every row, of plain Python types.
    columns : mapping of str to type, optional
        The type of each column, for parquet: str, int, float or bool.
    rest : type
        Of the columns that ``columns`` does not name.
    document : object, optional
        What JSON shows instead of the list of rows.
    table : str, optional
        What the table format shows instead of aligned rows.

    Raises
    ------
    StorageError
        When the file cannot be written; an older one is then untouched.
    """
    if output.format == "parquet":
        assert output.out is not None  # checked by OutputFlags
        _write_parquet(output.out, rows, columns or {}, rest)
        return
    if output.format == "json":
        text = json.dumps(list(rows) if document is None else document, indent=2) + "\n"
    elif output.format == "csv":
        text = _csv(rows)
    else:
        text = aligned(rows) if table is None else table
    if output.out is None:
        sys.stdout.write(text)
        return
    with atomic_path(output.out) as path:
        path.write_text(text, encoding="utf-8", newline="")


def aligned(rows: Rows) -> str:
    """Rows as text in columns, numbers to the right, fractions of one with six digits.

    Examples
    --------
    >>> print(aligned([{"claim": "3x5", "probability": 0.25}]), end="")
    claim  probability
    3x5       0.250000
    """
    if not rows:
        return ""
    columns = []
    for key in rows[0]:
        values = [row[key] for row in rows]
        cells = [key, *(f"{v:.6f}" if isinstance(v, float) else _cell(v) for v in values)]
        width = max(map(len, cells))
        right = all(isinstance(v, int | float) or v is None for v in values)
        columns.append([c.rjust(width) if right else c.ljust(width) for c in cells])
    return "".join("  ".join(line).rstrip() + "\n" for line in zip(*columns, strict=True))


def show(answer: dict[str, Any], layout: Literal["table", "json", "csv"]) -> None:
    """Write one object: as JSON, as a row, or line by line for people."""
    flat = {
        key: json.dumps(value) if isinstance(value, dict) else value
        for key, value in answer.items()
    }
    width = max(map(len, flat))
    text = "".join(f"{key.ljust(width)}  {value}\n" for key, value in flat.items())
    emit(OutputFlags(layout), [flat], document=answer, table=text)


def read_text(path: Path) -> str:
    """The text of a file, or of standard input for ``-``, without a byte order mark.

    Raises
    ------
    StorageError
        When it cannot be read, is not UTF-8 text or too long.
    """
    try:
        if str(path) == "-":
            text = read_stdin(LONGEST_TEXT + 1)
        else:
            with path.open(encoding="utf-8-sig") as file:
                text = file.read(LONGEST_TEXT + 1)
    except OSError as error:
        raise StorageError(f"cannot read {path}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise StorageError(f"cannot read {path}: it is not UTF-8 text") from None
    if len(text) > LONGEST_TEXT:
        raise StorageError(f"cannot read {path}: at most {LONGEST_TEXT:,} characters are allowed")
    return text


def _cell(value: object) -> str:
    return "" if value is None else str(value)


def _csv(rows: Rows) -> str:
    buffer = io.StringIO()
    if rows:
        writer = csv.DictWriter(buffer, fieldnames=list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    return buffer.getvalue()


def _write_parquet(out: Path, rows: Rows, columns: Columns, rest: type) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    kinds = {str: pa.string(), int: pa.int64(), float: pa.float64(), bool: pa.bool_()}
    names = list(rows[0]) if rows else list(columns)
    schema = pa.schema([(name, kinds[columns.get(name, rest)]) for name in names])
    table = pa.Table.from_pylist([dict(row) for row in rows], schema)
    with atomic_path(out) as path:
        pq.write_table(table, path)
