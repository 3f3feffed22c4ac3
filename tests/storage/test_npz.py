"""Archives are checked as a whole, and nothing is unpacked that does not fit."""

import io
import json
import zipfile
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mouche_solver.dice import DiceRules
from mouche_solver.errors import MoucheError, StorageError
from mouche_solver.storage.cards.strategies import load_strategy
from mouche_solver.storage.dice.books import load_book
from mouche_solver.storage.npz import NpzFile, read_npz, write_npz
from mouche_solver.storage.shipped import MANIFEST, manifest, shipped

DATA = files("mouche_solver").joinpath("data")
HEADER = {"format": "sample", "version": 1, "name": "x"}
ARRAYS = {"small": np.arange(7, dtype=np.uint16), "wide": np.linspace(0, 1, 2000).reshape(40, 50)}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "a.npz"
    write_npz(path, HEADER, ARRAYS)
    return path


def content(raw: bytes) -> tuple[object, dict[str, np.ndarray]]:
    found = NpzFile("a.npz", raw, "a sample")
    return found.header("sample", 1), {name: found.array(name) for name in ARRAYS}


def test_what_is_written_is_read(file: Path) -> None:
    header, arrays = content(file.read_bytes())
    assert header == HEADER
    for name, array in ARRAYS.items():
        assert arrays[name].dtype == array.dtype
        assert arrays[name].flags.writeable
        np.testing.assert_array_equal(arrays[name], array)


def test_numpy_reads_it_too(file: Path) -> None:
    with np.load(file) as found:
        np.testing.assert_array_equal(found["wide"], ARRAYS["wide"])


def test_every_flipped_bit_of_a_sealed_file_is_refused(file: Path) -> None:
    """The seal's own letters say nothing: without it every member is checked by itself."""
    raw = file.read_bytes()
    letters = range(len(raw) - 78, len(raw) - 64)
    for place in [*range(0, len(raw), 7), *range(len(raw) - 120, len(raw))]:
        for bit in (0, 5, 7):
            hurt = bytearray(raw)
            hurt[place] ^= 1 << bit
            if place in letters:
                content(bytes(hurt))
                continue
            with pytest.raises(StorageError, match="damaged"):
                content(bytes(hurt))


@settings(deadline=None, max_examples=300)
@given(st.data())
def test_a_flipped_bit_of_an_older_file_never_changes_what_is_read(data: st.DataObject) -> None:
    buffer = io.BytesIO()
    np.savez_compressed(buffer, header=np.array(json.dumps(HEADER)), **ARRAYS)
    hurt = bytearray(buffer.getvalue())
    hurt[data.draw(st.integers(0, len(hurt) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    try:
        header, arrays = content(bytes(hurt))
    except StorageError as error:
        assert "\n" not in str(error)  # noqa: PT017
        return
    assert header == HEADER
    assert all(np.array_equal(arrays[name], array) for name, array in ARRAYS.items())


@pytest.mark.parametrize("keep", [0, 1, 30, -1, -40, -79, -200])
def test_a_file_that_is_cut_off_is_refused(file: Path, keep: int) -> None:
    with pytest.raises(StorageError, match="damaged"):
        content(file.read_bytes()[:keep])


def test_the_flipped_bits_that_changed_answers(tmp_path: Path) -> None:
    """These went through: numpy never reached the checksums behind the numbers."""
    cards = next(
        DATA / name
        for name in manifest()
        if name.startswith("cards-")
        and json.loads(str(np.load(DATA / name)["header"]))["rules"]["players"] == 3
    )
    for source, place, load in (
        (cards, 23995, load_strategy),
        (DATA / f"dice-book-{DiceRules().round_hash}.npz", 669, load_book),
    ):
        hurt = bytearray(source.read_bytes())
        hurt[place] ^= 1 << 5
        path = tmp_path / "hurt.npz"
        path.write_bytes(hurt)
        with pytest.raises(StorageError, match="damaged"):
            load(path)


def test_shipped_files_are_those_of_the_manifest(monkeypatch: pytest.MonkeyPatch) -> None:
    names = {each.name for each in DATA.iterdir() if each.is_file()}
    assert names == {*manifest(), MANIFEST}
    for name in manifest():
        assert shipped(name)
    one = next(iter(manifest()))
    monkeypatch.setitem(manifest(), one, "0" * 64)
    with pytest.raises(StorageError, match="not the file shipped"):
        shipped(one)


def test_a_bomb_is_refused_before_it_unpacks(tmp_path: Path) -> None:
    """1.5 GB of zeros in 1.5 MB: refused with a few MB of memory."""
    path = tmp_path / "bomb.npz"
    head = io.BytesIO()
    np.lib.format.write_array_header_1_0(
        head, {"descr": "<f8", "fortran_order": False, "shape": (190_000_000,)}
    )
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        with archive.open("wide.npy", "w", force_zip64=True) as member:
            member.write(head.getvalue())
            block = bytes(8_000_000)
            for _ in range(190):
                member.write(block)
        archive.writestr("header.npy", b"")
    found = read_npz(path, "a sample")
    assert found.declared("wide") == (np.dtype("<f8"), (190_000_000,))
    with pytest.raises(StorageError, match="damaged"):
        found.array("wide")


def member(descr: str, shape: tuple[int, ...], body: bytes) -> bytes:
    head = io.BytesIO()
    about = {"descr": descr, "fortran_order": False, "shape": shape}
    np.lib.format.write_array_header_1_0(head, about)
    return head.getvalue() + body


@pytest.mark.parametrize(
    "raw",
    [
        member("<f8", (10**15,), b"12345678"),
        member("<f8", (-1,), b"12345678"),
        member("|O", (1,), b"12345678"),
        member("<f8", (1,), b"1234"),
        b"",
        b"\x93NUMPY\x09\x00",
        b"\x93NUMPY\x01\x00\x10\x00" + b"{" * 16,
    ],
)
def test_declarations_that_do_not_fit_are_refused(tmp_path: Path, raw: bytes) -> None:
    path = tmp_path / "a.npz"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("wide.npy", raw)
    found = read_npz(path, "a sample")
    for name in ("wide", "none"):
        with pytest.raises(StorageError, match="damaged"):
            found.array(name)


def test_devices_folders_and_foreign_files_are_one_line(tmp_path: Path) -> None:
    np.save(tmp_path / "p.npy", [1])
    for path in ("/dev/zero", "/dev/full", tmp_path, tmp_path / "none", tmp_path / "p.npy"):
        with pytest.raises(MoucheError, match=r"cannot read|damaged") as caught:
            load_strategy(path)
        assert "\n" not in str(caught.value)
