"""Files and styled tables."""

from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from mouche_solver.analysis import (
    DiceSolution,
    claim_chart,
    doubt_frontier,
    make_folder,
    odds_table,
    response_table,
    save_figure,
    save_table,
    styled,
)
from mouche_solver.errors import StorageError, UsageError


@pytest.mark.parametrize("kind", ["response", "frontier", "odds"])
def test_both_files_hold_the_table(plain: DiceSolution, tmp_path: Path, kind: str) -> None:
    table = {
        "response": lambda: response_table(plain, "1x1"),
        "frontier": lambda: doubt_frontier(plain),
        "odds": lambda: odds_table([3, 4]),
    }[kind]()
    save_table(table, tmp_path / kind)
    flat = table.reset_index()
    flat.columns = pd.Index([str(name) for name in flat.columns])
    stored = pd.read_parquet(tmp_path / f"{kind}.parquet")
    text = pd.read_csv(tmp_path / f"{kind}.csv", dtype=flat.dtypes.to_dict())
    for found in (stored, text):
        pd.testing.assert_frame_equal(found, flat, check_names=False)


@pytest.mark.parametrize("kind, start", [("pdf", b"%PDF"), ("png", b"\x89PNG"), ("svg", b"<?xml")])
def test_pictures(plain: DiceSolution, tmp_path: Path, kind: str, start: bytes) -> None:
    save_figure(claim_chart(plain), tmp_path / f"chart.{kind}")
    assert (tmp_path / f"chart.{kind}").read_bytes().startswith(start)


def test_what_cannot_be_written(plain: DiceSolution, tmp_path: Path) -> None:
    missing = tmp_path / "missing" / "file.png"
    with pytest.raises(StorageError, match=r"cannot write .*file.png: No such file"):
        save_figure(claim_chart(plain), missing)
    with pytest.raises(StorageError, match=r"cannot write .*file.png\.csv: No such file"):
        save_table(pd.DataFrame({"a": [1]}), missing)
    with pytest.raises(UsageError, match=r"ends with .pdf, .png, .svg"):
        save_figure(claim_chart(plain), tmp_path / "chart.gif")
    (tmp_path / "file").write_text("")
    with pytest.raises(StorageError, match=r"cannot make folder .*: Not a directory"):
        make_folder(tmp_path / "file" / "below")
    assert make_folder(tmp_path / "a" / "b").is_dir()


def test_a_styled_table_has_its_caption_and_percentages(plain: DiceSolution) -> None:
    table = response_table(plain, "1x1")
    text = styled(table).to_html()
    assert table.attrs["caption"] in text
    assert f"{table.iloc[0, 0]:.1%}" in text
    assert "-" in styled(pd.DataFrame({"x": [float("nan"), 0.5]})).to_html()
    assert ">0.50<" in styled(pd.DataFrame({"x": [0.5]}), {"x": "{:.2f}"}).to_html()


def test_types_do_not_depend_on_what_is_missing(tmp_path: Path) -> None:
    full = pd.DataFrame({"laid": ["KC", "QC"], "kind": ["a", "b"], "chance": [0.5, 0.5]})
    full["kind"] = full["kind"].astype("category")
    full["laid"] = full["laid"].astype(object)
    bare = full.assign(laid=[None, None], kind=pd.Categorical([None, None]))
    for name, frame in {"bare": bare, "empty": bare.iloc[:0]}.items():
        save_table(frame, tmp_path / name)
        schema = pq.read_schema(tmp_path / f"{name}.parquet")
        for column in ("laid", "kind"):
            assert schema.field(column).type in (pa.string(), pa.large_string())
        assert schema.field("chance").type == pa.float64()
