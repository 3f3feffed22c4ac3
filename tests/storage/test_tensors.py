"""Files of arrays: what is written is read, and what is not whole is refused."""

import json
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file

from mouche_solver.errors import StorageError
from mouche_solver.storage.tensors import BLOCK, write_tensors
from mouche_solver.storage.tensors_read import read_tensors


def arrays() -> dict[str, np.ndarray]:
    random = np.random.default_rng(1)
    return {
        "small": np.arange(5, dtype=np.uint16),
        "empty": np.zeros(0, dtype=np.float32),
        "large": random.integers(0, 65535, BLOCK + 1000, dtype=np.uint16),
        "wide": random.random(7),
    }


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "arrays.safetensors"
    write_tensors(path, "sample", 3, {"name": "x"}, arrays())
    return path


def test_round_trip(file: Path) -> None:
    found = read_tensors(file, "sample", 3)
    assert found.fields["name"] == "x"
    assert set(found.arrays) == set(arrays())
    for name, array in arrays().items():
        assert found.arrays[name].dtype == array.dtype
        np.testing.assert_array_equal(found.arrays[name].whole(), array)
    np.testing.assert_array_equal(found.arrays["large"][5:-3], arrays()["large"][5:-3])


def test_copies_are_checked(file: Path) -> None:
    for name, array in arrays().items():
        target = np.zeros_like(array)
        read_tensors(file, "sample", 3).arrays[name].copy_to(target)
        np.testing.assert_array_equal(target, array)
    whole = bytearray(file.read_bytes())
    whole[-30] ^= 1
    file.write_bytes(whole)
    with pytest.raises(StorageError, match="fail their checksum"):
        read_tensors(file, "sample", 3).arrays["large"].copy_to(np.zeros_like(arrays()["large"]))
    found = read_tensors(file, "sample", 3)
    file.unlink()  # an open file stays whole when its name goes
    assert found.arrays["small"].whole().tolist() == arrays()["small"].tolist()


def test_a_file_that_is_cut_while_it_is_open_is_refused(file: Path) -> None:
    """A mapped file would end the whole process here."""
    large = read_tensors(file, "sample", 3).arrays["large"]
    with file.open("r+b") as other:
        other.truncate(BLOCK // 2)
    for read in (
        large.whole,
        lambda: large[BLOCK:],
        lambda: large.copy_to(np.zeros_like(arrays()["large"])),
    ):
        with pytest.raises(StorageError, match=r"truncated: it was longer|fail their checksum"):
            read()


def test_a_file_that_is_overwritten_while_it_is_open_gives_no_other_numbers(file: Path) -> None:
    opened = read_tensors(file, "sample", 3)
    first = opened.arrays["large"][0:10].tolist()
    other = file.with_name("other.safetensors")
    write_tensors(other, "sample", 3, {"name": "x"}, {n: a + 1 for n, a in arrays().items()})
    file.write_bytes(other.read_bytes())
    assert opened.arrays["large"][0:10].tolist() == first  # from memory
    with pytest.raises(StorageError, match="damaged"):
        opened.arrays["large"].whole()
    # A file that is replaced, as we write files, leaves what is open as it was.
    opened = read_tensors(other, "sample", 3)
    write_tensors(other, "sample", 3, {"name": "x"}, arrays())
    assert opened.arrays["large"][5:8].tolist() == (arrays()["large"][5:8] + 1).tolist()


@pytest.mark.parametrize(
    "bounds",
    [
        (0, 0),
        (3, 3),
        (0, 1),
        (BLOCK // 2 - 3, BLOCK // 2 + 4),
        (10, BLOCK),
        (-5, None),
        (BLOCK + 1000, None),
        (5, 2),
    ],
)
def test_slices_are_those_of_an_array(file: Path, bounds: tuple[int, int | None]) -> None:
    found, where = read_tensors(file, "sample", 3).arrays["large"], slice(*bounds)
    np.testing.assert_array_equal(found[where], arrays()["large"][where])
    assert not found[where].flags.writeable


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_numbers_that_are_none_are_refused(tmp_path: Path, bad: float) -> None:
    path = tmp_path / "a.safetensors"
    write_tensors(path, "sample", 3, {}, {"wide": np.array([1.0, bad, 2.0])})
    with pytest.raises(StorageError, match="damaged: its numbers are not finite"):
        read_tensors(path, "sample", 3).arrays["wide"].copy_to(np.zeros(3))


def test_safetensors_own_reader_agrees(file: Path) -> None:
    for name, array in load_file(file).items():
        np.testing.assert_array_equal(array, arrays()[name])


def test_equal_content_is_equal_bytes(file: Path) -> None:
    other = file.with_name("other")
    write_tensors(other, "sample", 3, {"name": "x"}, dict(reversed(arrays().items())))
    assert other.read_bytes() == file.read_bytes()


def test_every_flipped_bit_is_noticed(file: Path) -> None:
    whole = bytearray(file.read_bytes())
    header = 8 + int.from_bytes(whole[:8], "little")
    random = np.random.default_rng(2)
    places = [*range(8), *random.integers(8, header, 150), *random.integers(header, len(whole), 20)]
    for place in places:
        flipped = bytearray(whole)
        flipped[place] ^= 1 << int(random.integers(8))
        file.write_bytes(flipped)
        complaint = ""
        try:
            found = read_tensors(file, "sample", 3)
            read = {name: array.whole() for name, array in found.arrays.items()}
        except StorageError as error:
            complaint = str(error)
        if complaint:
            assert str(file) in complaint
            assert "\n" not in complaint
        else:  # a blank between two parts of the header says nothing
            assert json.loads(flipped[8:header]) == json.loads(whole[8:header])
            assert all(np.array_equal(read[name], array) for name, array in arrays().items())


def test_only_what_is_read_is_checked(file: Path) -> None:
    whole = bytearray(file.read_bytes())
    whole[-30] ^= 1  # the narrow arrays come last; "small" takes the last ten bytes
    file.write_bytes(whole)
    large = read_tensors(file, "sample", 3).arrays["large"]
    np.testing.assert_array_equal(large[0:100], arrays()["large"][:100])
    with pytest.raises(StorageError, match="damaged: its numbers fail their checksum"):
        large[len(large) - 1 : len(large)]


@pytest.mark.parametrize("keep", [0, 5, 8, 100, -1, -BLOCK])
def test_truncated_files(file: Path, keep: int) -> None:
    whole = file.read_bytes()
    file.write_bytes(whole[:keep])
    with pytest.raises(StorageError, match=r"truncated|damaged|is not a file of mouche_solver"):
        read_tensors(file, "sample", 3)


def test_longer_files(file: Path) -> None:
    file.write_bytes(file.read_bytes() + b"more")
    with pytest.raises(StorageError, match="bytes long instead of"):
        read_tensors(file, "sample", 3)


@pytest.mark.parametrize(
    "content",
    [
        b"just text, longer than eight bytes",
        b"\x02\0\0\0\0\0\0\0{}",
        b"\x02\0\0\0\0\0\0\0[]",
        b"\x10\0\0\0\0\0\0\0not JSON at all!",
        b'\x18\0\0\0\0\0\0\0{"__metadata__":"mouche"}'[:32],
        b'\x1e\0\0\0\0\0\0\0{"__metadata__":{"mouche":""}}',
        b'\x22\0\0\0\0\0\0\0{"__metadata__":{"mouche":"[\\"\\"]"}}'[:42],
        b"\x10\0\0\0\0\0\0\0" + b"\xff" * 16,
        (100_000).to_bytes(8, "little") + b"[" * 100_000,
    ],
)
def test_foreign_files(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "foreign"
    file.write_bytes(content)
    with pytest.raises(StorageError, match=r"file of mouche_solver|damaged"):
        read_tensors(file, "sample", 3)


def test_other_kinds_and_versions(file: Path) -> None:
    with pytest.raises(StorageError, match="is a sample file, not a book file"):
        read_tensors(file, "book", 3)
    with pytest.raises(StorageError, match="format version 3; this program reads version 4"):
        read_tensors(file, "sample", 4)


def test_what_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="No such file"):
        read_tensors(tmp_path / "none", "sample", 3)
    with pytest.raises(StorageError, match="not a regular file"):
        read_tensors(tmp_path, "sample", 3)


def test_a_full_disk_is_told_before_anything_is_written(file: Path, monkeypatch) -> None:
    before = file.read_bytes()
    monkeypatch.setattr("mouche_solver.storage.atomic.available_disk", lambda folder: 1000)
    with pytest.raises(StorageError, match=r"needs 2.1 MB, 1.0 kB are free"):
        write_tensors(file, "sample", 3, {}, arrays())
    assert file.read_bytes() == before
    assert list(file.parent.iterdir()) == [file]
