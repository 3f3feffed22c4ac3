"""A person plays against the strategy, here with a script on standard input."""

import io
import re

import pytest

from mouche_solver.cli import saved_games
from mouche_solver.cli.app import main
from mouche_solver.errors import StorageError

PLAY = ["dice", "play", "--dice", "1,1", "--faces", "3", "--seed", "5"]


def play(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, text: str, *words: str
) -> tuple[int, str, str]:
    monkeypatch.setattr("sys.stdin", io.StringIO(text))
    code = main([*PLAY, *words])
    out, err = capsys.readouterr()
    return code, out, err


def test_a_match_of_one_point(capsys, monkeypatch) -> None:
    code, out, err = play(capsys, monkeypatch, "2x3\n", "--points", "1")
    assert (code, err) == (0, "")
    lines = [line for line in out.splitlines() if line]
    assert re.fullmatch(r"exploitability .*", lines[0])
    assert lines[1] == "Round 1: you have 1 point, the strategy has 1."
    assert re.fullmatch(r"Your dice: [123]", lines[2])
    # The highest claim leaves the strategy nothing but a doubt.
    assert lines[3] == "Your claim such as 2x5, or quit: The strategy says: doubt"
    assert re.fullmatch(r"The other cup: [123]", lines[4])
    assert re.fullmatch(
        r"(1 die counts|[02] dice count) for 2x3\. (You lose|The strategy loses) a point\.",
        lines[5],
    )
    assert re.fullmatch(
        r"  at the start you said 2x3 \(worth [+-]\d\.\d{3}\); the strategy: .*%.* "
        r"\(worth [+-]\d\.\d{3}\)(; it cost \d\.\d{3})?",
        lines[6],
    )
    lost = "You lose" in lines[5]
    assert lines[7] == f"{'The strategy has' if lost else 'You have'} won the match."


def test_the_other_cup_stays_hidden_until_the_doubt(capsys, monkeypatch) -> None:
    out = play(capsys, monkeypatch, "1x1\nquit\n")[1]
    shown = out.split("The other cup")[0]
    assert shown.count("dice:") == 1


def test_the_strategy_starts_when_it_sits_first(capsys, monkeypatch) -> None:
    out = play(capsys, monkeypatch, "doubt\n2x3\n" * 20, "--seat", "1", "--points", "2")[1]
    first = out.split("Round 1")[1].splitlines()
    assert first[2].startswith("The strategy says: ")
    assert "won the match." in out


def test_the_same_seed_is_the_same_match(capsys, monkeypatch) -> None:
    first, second = (play(capsys, monkeypatch, "2x3\ndoubt\n" * 9)[1] for _ in range(2))
    assert first == second
    other = play(capsys, monkeypatch, "2x3\ndoubt\n" * 9, "--next-starter", "loser")[1]
    assert first.splitlines()[:4] == other.splitlines()[:4]


def test_words_that_are_no_moves_are_asked_again(capsys, monkeypatch) -> None:
    code, out, _ = play(capsys, monkeypatch, "hello\n3x1\n\ndoubt\n2x3\n", "--points", "1")
    assert code == 0
    assert "'hello' is not a claim" in out
    assert "claim 1, 3x1, is not allowed: 2 dice are in play" in out
    assert "legal are 1x1, 2x1, 1x2" in out
    assert "needs a claim before it" in out
    assert "won the match." in out


@pytest.mark.parametrize("text", ["", "quit\n", "1x1\n"])
def test_leaving(capsys, monkeypatch, text: str) -> None:
    code, out, err = play(capsys, monkeypatch, text, "--points", "9")
    assert (code, err) == (0, "")
    assert out.endswith("\nThe match is left.\n")


def test_an_interrupt_is_one_line(capsys, monkeypatch) -> None:
    class Interrupted(io.StringIO):
        def readline(self, *_: object) -> str:
            raise KeyboardInterrupt

    monkeypatch.setattr("sys.stdin", Interrupted())
    code = main(PLAY)
    err = capsys.readouterr().err
    assert (code, err) == (130, "mouche: the match is left\n")


@pytest.mark.parametrize(
    "words, complaint",
    [
        (["--seat", "2"], "--seat 2: allowed are 0 and 1"),
        (["--seed", "-1"], "a whole number from 0 on"),
        (["--points", "0"], "points=0"),
        (["--points", "a"], "--points a"),
        (["--dice", "1,1,1"], "no strategy is shipped for 3 players with dice (1, 1, 1)"),
    ],
)
def test_bad_input(capsys, monkeypatch, words: list[str], complaint: str) -> None:
    base = ["dice", "play", "--faces", "3"]
    base += [] if "--dice" in words else ["--dice", "1,1"]
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    code = main([*base, *words])
    out, err = capsys.readouterr()
    assert (code, out) == (2, "")
    assert complaint in err
    assert err.count("\n") == 1


def test_a_hint_has_values_and_the_match_is_written(capsys, monkeypatch, tmp_path) -> None:
    file = tmp_path / "match.txt"
    words = ("--points", "1", "--transcript", str(file))
    code, out, err = play(capsys, monkeypatch, "hint\n2x3\n", *words)
    assert (code, err) == (0, "")
    assert re.search(r"\d+% [123]x[123] \(worth [+-]\d\.\d{3}\)", out)
    assert (
        main(["dice", "review", str(file), "--dice", "1,1", "--faces", "3", "--points", "1"]) == 0
    )
    assert "| 2x3 |" in capsys.readouterr().out


def test_undo_takes_the_last_claim_of_the_round_back(capsys, monkeypatch) -> None:
    text = "undo\n1x1\nundo\nquit\n"
    out = play(capsys, monkeypatch, text, "--points", "9")[1]
    assert "there is no claim of this round to take back" in out
    if "Taken back." in out:
        assert out.count("Round 1") == 1


def test_a_match_that_was_left_goes_on(capsys, monkeypatch, tmp_path) -> None:
    kept = tmp_path / "match.json"
    out = play(capsys, monkeypatch, "1x1\n", "--points", "5", "--save", str(kept))[1]
    shown = re.findall(r"Your dice: ([123])", out)[-1]
    assert f"--resume {kept}" in out
    monkeypatch.setattr("sys.stdin", io.StringIO("quit\n"))
    assert main(["dice", "play", "--resume", str(kept)]) == 0
    again = capsys.readouterr().out
    assert re.findall(r"Your dice: ([123])", again) == [shown]
    assert f"Round {out.count('Round ')}:" in again


@pytest.mark.parametrize("content", ["", "[]", '{"format": "mouche-game", "version": 9}'])
def test_what_is_no_match_is_refused(capsys, monkeypatch, tmp_path, content: str) -> None:
    kept = tmp_path / "match.json"
    kept.write_text(content)
    code = main(["dice", "play", "--resume", str(kept)])
    out, err = capsys.readouterr()
    assert (code, out) == (2, "")
    assert str(kept) in err


@pytest.mark.parametrize("players", [3, 4, 6])
def test_more_players_sit_at_the_table(capsys, monkeypatch, tmp_path, players: int) -> None:
    dice = ",".join("1" * players)
    monkeypatch.setattr("sys.stdin", io.StringIO("hint\n1x1\ndoubt\n2x2\n" * 40))
    notes = tmp_path / "match.txt"
    words = ["dice", "play", "--dice", dice, "--faces", "3", "--opponents", "honest", "--seed", "1"]
    code = main([*words, "--seat", "1", "--points", "1", "--transcript", str(notes)])
    out, err = capsys.readouterr()
    assert (code, err) == (0, "")
    assert "won the match." in out
    assert "P1 honest says: " in out
    assert "The other cups: " in out
    assert len(notes.read_text().splitlines()) == players - 1


def test_the_shipped_strategy_plays_three_seats(capsys, monkeypatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("hint\nquit\n"))
    assert main(["dice", "play", "--dice", "5,5,5", "--seat", "0", "--seed", "1"]) == 0
    assert re.search(r"\d+% \dx\d", capsys.readouterr().out)


def test_a_full_disk_spares_the_transcript(capsys, monkeypatch, tmp_path) -> None:
    def full(path, game, fields) -> None:
        raise StorageError(f"cannot write {path}: No space left on device")

    monkeypatch.setattr(saved_games, "save_game", full)
    kept, written = tmp_path / "kept.json", tmp_path / "written.txt"
    words = ["--save", str(kept), "--transcript", str(written)]
    code, out, err = play(capsys, monkeypatch, "1x1\n", "--points", "5", *words)
    assert (code, err) == (2, f"mouche: cannot write {kept}: No space left on device\n")
    assert "goes on with it" not in out
    assert written.exists()
