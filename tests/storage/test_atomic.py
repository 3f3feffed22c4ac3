"""Files appear whole or not at all."""

import os
import stat
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from mouche_solver.errors import StorageError, UsageError
from mouche_solver.storage.atomic import atomic_path, check_writable, refuse_same


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


@pytest.mark.skipif(sys.platform == "win32", reason="no such limits")
def test_a_disk_without_room_is_noticed_by_a_probe(tmp_path: Path) -> None:
    """A limit of the process stands for a full disk: an empty file can be made all the same."""
    code = (
        "import resource, sys; from mouche_solver.storage.atomic import check_writable\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))\n"
        "check_writable(sys.argv[1])"
    )
    words = [sys.executable, "-c", code, str(tmp_path / "file")]
    done = subprocess.run(words, capture_output=True, text=True)
    assert "StorageError: cannot write" in done.stderr
    assert "File too large" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_threads_that_write_one_file_never_show_half_of_it(tmp_path: Path) -> None:
    target, wrong = tmp_path / "data.txt", []
    target.write_text("0" * 5000)
    done = threading.Event()

    def write(letter: str) -> None:
        for _ in range(30):
            with atomic_path(target) as part:
                part.write_text(letter * 5000)

    def read() -> None:
        while not done.is_set():
            found = target.read_text()
            if len(found) != 5000 or len(set(found)) != 1:
                wrong.append(found[:10])

    reader = threading.Thread(target=read)
    writers = [threading.Thread(target=write, args=(letter,)) for letter in "abcd"]
    for thread in (reader, *writers):
        thread.start()
    for thread in writers:
        thread.join()
    done.set()
    reader.join()
    assert not wrong
    assert list(tmp_path.iterdir()) == [target]


def test_what_a_killed_process_left_is_swept_and_what_is_in_use_is_not(tmp_path: Path) -> None:
    code = (
        "import os, sys; from mouche_solver.storage.atomic import atomic_path\n"
        "with atomic_path(sys.argv[1]) as part: part.write_text('half'); os.kill(os.getpid(), 9)"
    )
    subprocess.run([sys.executable, "-c", code, tmp_path / "a"], check=False)
    [stale] = tmp_path.iterdir()
    long_ago = time.time() - 3600
    with atomic_path(tmp_path / "b") as used:
        for part in (stale, used):
            os.utime(part, (long_ago, long_ago))
        with atomic_path(tmp_path / "c") as part:
            part.write_text("c")
        assert not stale.exists()
        assert used.exists()
        used.write_text("b")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["b", "c"]


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o666, 0o755])
def test_permissions_are_kept(tmp_path: Path, mode: int) -> None:
    target = tmp_path / "data.txt"
    target.write_text("old")
    target.chmod(mode)
    with atomic_path(target) as part:
        part.write_text("new")
    assert stat.S_IMODE(target.stat().st_mode) == mode


def test_a_new_file_has_the_usual_permissions(tmp_path: Path) -> None:
    (tmp_path / "plain").write_text("x")
    with atomic_path(tmp_path / "new") as part:
        part.write_text("x")
    assert (tmp_path / "new").stat().st_mode == (tmp_path / "plain").stat().st_mode


def test_names_as_long_as_the_system_takes(tmp_path: Path) -> None:
    for length in (244, 255):
        target = tmp_path / ("x" * length)
        with atomic_path(target) as part:
            part.write_text("x")
        assert target.read_text() == "x"
    with pytest.raises(StorageError, match="File name too long") as caught:
        check_writable(tmp_path / ("x" * 256))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("stream", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "link", "far"])
def test_a_redirected_stream_is_refused_and_its_file_stays(tmp_path: Path, stream: str) -> None:
    (tmp_path / "link").symlink_to("/dev/stdout")
    (tmp_path / "far").symlink_to("link")
    code = (
        "import sys; from mouche_solver.storage.atomic import atomic_path\n"
        "print('kept', flush=True)\n"
        "with atomic_path(sys.argv[1]) as part: part.write_text('other')"
    )
    with (tmp_path / "out").open("w") as out:
        path = stream if stream.startswith("/") else tmp_path / stream
        ended = subprocess.run(
            [sys.executable, "-c", code, path], stdout=out, stderr=subprocess.PIPE, check=False
        )
    assert b"StorageError: cannot write" in ended.stderr
    assert (tmp_path / "out").read_text() == "kept\n"


def test_the_input_is_not_written_over(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    one.write_text("x")
    two.hardlink_to(one)
    refuse_same(tmp_path / "three", one)
    refuse_same(None, one)
    refuse_same(one, None, tmp_path / "none")
    for target in (one, two):
        with pytest.raises(UsageError, match="that is the input"):
            refuse_same(target, one)
