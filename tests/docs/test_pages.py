"""The examples in the pages run in the order in which they stand, as a reader would run them."""

import doctest
import re
import shlex
from pathlib import Path

import pytest

from mouche_solver.cli import main

DOCS = Path(__file__).parents[2] / "docs"
PAGES = [
    DOCS / "getting-started.md",
    *sorted(DOCS.glob("howto-*.md")),
    DOCS / "explanation-dice.md",
]
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
FENCE = re.compile(r"^```(python|console)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def run_console(block: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Commands after ``$``; what follows each is its output, or its message when it fails."""
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, _, wanted = part.partition("\n")
        words = shlex.split(command)
        assert words[0] == "mouche"
        code = main(words[1:])
        out, err = capsys.readouterr()
        assert code in (0, 2)
        got = err if code else out
        assert (code == 2) == wanted.startswith("mouche: "), err
        assert doctest.OutputChecker().check_output(wanted, got, FLAGS), f"{command}\n{got}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    blocks = FENCE.findall(page.read_text("utf-8"))
    assert blocks
    for number, (kind, block) in enumerate(blocks):
        if kind == "console":
            run_console(block, capsys)
            continue
        examples = doctest.DocTestParser().get_doctest(block, names, page.name, str(page), number)
        runner = doctest.DocTestRunner(optionflags=FLAGS)
        problems: list[str] = []
        runner.run(examples, out=problems.append, clear_globs=False)
        assert runner.summarize(verbose=False).failed == 0, "".join(problems)
        names = examples.globs
        capsys.readouterr()


@pytest.mark.parametrize("page", sorted(DOCS.rglob("*.md")), ids=lambda page: page.stem)
def test_prose_is_wrapped(page: Path) -> None:
    prose = re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    long = [line for line in prose.splitlines() if len(line) > 120 and not line.startswith("|")]
    assert not long


def test_the_architecture_names_modules_that_exist() -> None:
    package = DOCS.parent / "mouche_solver"
    named = set(
        re.findall(r"`([a-z_]+/[a-z_/]+\.py)`", (DOCS / "architecture.md").read_text("utf-8"))
    )
    assert len(named) > 30
    missing = {name for name in named if not (package / name).exists()}
    assert missing <= {name for name in named if (DOCS.parent / name).exists()}
