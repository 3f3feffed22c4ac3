"""Files appear whole or not at all."""

from pathlib import Path

import pytest

from mouche_solver.errors import StorageError
from mouche_solver.storage.atomic import atomic_path, check_writable


def test_a_failure_keeps_the_old_file_and_leaves_no_rubbish(tmp_path: Path) -> None:
    target = tmp_path / "data.txt"
    target.write_text("old")

    def write_half() -> None:
        with atomic_path(target) as part:
            part.write_text("half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_half()
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_the_target_changes_only_at_the_end(tmp_path: Path) -> None:
    target = tmp_path / "data.txt"
    target.write_text("old")
    with atomic_path(target) as part:
        part.write_text("new")
        assert target.read_text() == "old"
    assert target.read_text() == "new"
    assert list(tmp_path.iterdir()) == [target]


def test_a_link_is_followed(tmp_path: Path) -> None:
    link, target = tmp_path / "link", tmp_path / "target"
    link.symlink_to(target)
    with atomic_path(link) as part:
        part.write_text("new")
    assert link.is_symlink()
    assert target.read_text() == "new"


def test_what_is_not_a_regular_file_is_refused(tmp_path: Path) -> None:
    for target in (tmp_path, Path("/dev/null")):
        with pytest.raises(StorageError, match="not a regular file"), atomic_path(target):
            pass
    assert Path("/dev/null").is_char_device()


def test_a_missing_folder_is_one_line(tmp_path: Path) -> None:
    with (
        pytest.raises(StorageError, match="No such file or directory"),
        atomic_path(tmp_path / "none" / "data.txt") as part,
    ):
        part.write_text("x")


def test_a_probe_changes_nothing(tmp_path: Path) -> None:
    target = tmp_path / "data.txt"
    check_writable(target)
    assert list(tmp_path.iterdir()) == []
    target.write_text("old")
    check_writable(target)
    assert target.read_text() == "old"
    with pytest.raises(StorageError, match="No such file or directory"):
        check_writable(tmp_path / "none" / "data.txt")
    with pytest.raises(StorageError, match="not a regular file"):
        check_writable(tmp_path)
