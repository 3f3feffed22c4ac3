"""A person plays cards against the strategy, here with a script on standard input."""

import io
import re
from pathlib import Path

import pytest

from mouche_solver.cards import Abstraction, CardRules, CardTrainer
from mouche_solver.cards.referee.transcript import replay, write
from mouche_solver.cards.train.trainer import Batch
from mouche_solver.cli import saved_games
from mouche_solver.cli.app import main
from mouche_solver.errors import StorageError
from mouche_solver.storage.cards.strategies import save_strategy

RULES = CardRules(players=3, ranks="K Q J A", suits="C D H", hand_size=2)
EVERY = "\n".join(RULES.pack.all_names) + "\n"


def save_trained(rules: CardRules, file: Path) -> Path:
    trainer = CardTrainer(Abstraction(rules), seed=1, batch=Batch(64, 64, 2, 1 << 12))
    for _ in range(4):
        trainer.train_round()
    trainer.close()
    save_strategy(trainer.strategy(), file)
    return file


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_trained(RULES, tmp_path_factory.mktemp("cards") / "a.npz")


@pytest.fixture
def play(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, file: Path):
    def run(text: str, *words: str) -> tuple[int, str, str]:
        monkeypatch.setattr("sys.stdin", io.StringIO(text))
        seed = [] if "--seed" in words else ["--seed", "5"]
        code = main(["cards", "play", "--strategy", str(file), *seed, *words])
        out, err = capsys.readouterr()
        return code, out, err

    return run


def test_a_game_with_its_money(play) -> None:
    """Whoever always stands and tries every card gets to the end of the game."""
    code, out, err = play(("stand\n" + EVERY) * 40)
    assert (code, err) == (0, "")
    assert "no bound on what a better player gains" in out.splitlines()[0]
    deals = re.findall(r"^Deal (\d+): (\w+) dealt; the pot is (\d+)\. (.*)$", out, re.M)
    assert [int(number) for number, _, _, _ in deals] == list(range(1, len(deals) + 1))
    for _, _, pot, money in deals:
        stacks = [int(chips) for chips in re.findall(r"-?\d+(?=,|$)", money)]
        assert sum(stacks) + int(pot) == 3 * RULES.chips
    assert len({dealer for _, dealer, _, _ in deals}) == 3
    assert re.search(r"^The game is over\. The most chips: .+\.$", out, re.M)
    assert "Legal: " in out
    assert re.search(r"  you: stand; the strategy: .*\d+%", out)


def test_the_same_seed_is_the_same_game(play) -> None:
    text = ("pass\n" + EVERY) * 20
    assert play(text)[1] == play(text)[1]
    assert play(text)[1] != play(text, "--seat", "2")[1]


def test_a_wrong_answer_names_the_legal_ones(play) -> None:
    code, out, _ = play("sing\nexchange\nexchange KX\n\nquit\n")
    assert code == 0
    asked = [line for line in out.splitlines() if line.startswith("Your declaration, or quit: ")]
    assert "'sing' is no declaration. Legal: pass; stand; exchange and 1 to 2" in asked[0]
    assert "'exchange' is no declaration" in asked[1]
    assert "card 'KX' is not in the pack" in asked[2]
    assert asked[3].startswith("Your declaration, or quit: Legal: pass; stand")
    assert out.endswith("The game is left.\n")


def test_other_hands_stay_hidden(play) -> None:
    out = play("quit\n")[1]
    assert out.count("Your hand:") == 1
    assert len(re.findall(r"\b(?:K|Q|J|A)[CDH]\b", out)) == 3  # the hand and the turn-up


@pytest.mark.parametrize("text", ["", "quit\n", "stand\n"])
def test_leaving(play, text: str) -> None:
    code, out, err = play(text)
    assert (code, err) == (0, "")
    assert out.endswith("\nThe game is left.\n")


def test_an_interrupt_is_one_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, file: Path
) -> None:
    class Interrupted(io.StringIO):
        def readline(self, *_: object) -> str:
            raise KeyboardInterrupt

    monkeypatch.setattr("sys.stdin", Interrupted())
    code = main(["cards", "play", "--strategy", str(file)])
    assert (code, capsys.readouterr().err) == (130, "mouche: the game is left\n")


def test_the_dealer_may_take_the_turn_up(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seeds are tried until the person deals and is asked."""
    rules = RULES.replace(dealer_takes_trump=True, first_dealer=0)
    file = save_trained(rules, tmp_path / "b.npz")
    for seed in range(20):
        monkeypatch.setattr("sys.stdin", io.StringIO("quit\n"))
        assert main(["cards", "play", "--strategy", str(file), "--seed", str(seed)]) == 0
        out = capsys.readouterr().out
        if "Your declaration" in out:
            break
    turned, own = re.search(r"Turned up: (\w+)\. Your hand: (\w+) ", out).groups()
    monkeypatch.setattr("sys.stdin", io.StringIO(f"x\ngive {own} stand\nx\nquit\n"))
    assert main(["cards", "play", "--strategy", str(file), "--seed", str(seed)]) == 0
    out = capsys.readouterr().out
    assert "give and a card before stand or exchange" in out
    if "Your card" in out:
        assert re.search(rf"Your hand: .*{turned}", out.split("Your declaration")[-1])


@pytest.mark.parametrize(
    "words, message",
    [
        (["--seat", "3"], "--seat 3: allowed are 0 to 2"),
        (["--seed", "-1"], "--seed -1"),
    ],
)
def test_bad_input(play, words: list[str], message: str) -> None:
    code, out, err = play("", *words)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1


def test_tricks_are_told_apart(play) -> None:
    everything = ""
    for seed in range(6):
        everything += play(("stand\n" + EVERY) * 40, "--seed", str(seed), "--think", "0")[1]
    found = 0
    for deal in everything.split("\nDeal ")[1:]:
        turned = re.search(r"Turned up: \w+([CDH])\.", deal)
        assert turned is not None
        won = re.findall(r"-- Trick (\d) of 2: \w+ with \w+; trumps are ([CDH]) --$", deal, re.M)
        assert won in ([], [("1", turned[1]), ("2", turned[1])])
        found += bool(won)
    assert found


def test_a_hint_has_values_with_errors(play) -> None:
    code, out, _ = play("hint\nquit\n", "--think", "0.05")
    assert code == 0
    assert re.search(
        r"^ +\d+% (pass|stand|exchange .*), worth -?\d\.\d{3} \+- \d\.\d{3}$", out, re.M
    )


def test_a_decision_is_taken_back(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What follows the same decision is the same again."""
    monkeypatch.setattr("sys.stdin", io.StringIO("undo\nstand\nundo\nstand\nquit\n"))
    assert main(["cards", "play", "--seed", "5", "--think", "0"]) == 0
    first, second = capsys.readouterr().out.split("Your card, or quit: Taken back.\n")
    assert "no decision of this deal to take back" in first
    again = second.removesuffix("Your card, or quit: \nThe game is left.\n")
    assert again
    assert first.endswith(again)


def test_what_a_departure_costs(play) -> None:
    _, out, _ = play(("pass\n" + EVERY) * 12, "--think", "0.05")
    costs = re.findall(r"  you: .*; cost (\d\.\d{3}) \+- \d\.\d{3}$", out, re.M)
    assert costs
    assert all(float(cost) > 0 for cost in costs)


def test_the_game_is_written_without_what_was_taken_back(play, tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    code, _, err = play(("stand\nundo\nstand\n" + EVERY) * 40, "--transcript", str(file))
    assert (code, err) == (0, "")
    text = file.read_text("utf-8")
    played = replay(text)
    assert played.record.final().over
    assert write(played.record) == text


def test_a_game_that_was_left_goes_on(play, tmp_path: Path) -> None:
    """In the middle of a deal, with the same cards; the transcript keeps finished deals."""
    kept, notes = tmp_path / "game.json", tmp_path / "game.txt"
    words = ["--save", str(kept), "--transcript", str(notes)]
    outs = (play("stand\n", "--seed", str(seed), *words)[1] for seed in range(20))
    out = next(out for out in outs if "Your card" in out and "Deal 2" not in out)
    hand = re.findall(r"Your hand: (.*)", out)[-1]
    assert f"--resume {kept}" in out
    code, again, err = play("quit\n", "--resume", str(kept))
    assert (code, err) == (0, "")
    assert f"Your hand: {hand}" in again
    assert "you: stand" in again
    assert replay(notes.read_text()).record.deals == ()
    whole = play(("stand\n" + EVERY) * 40, "--resume", str(kept), "--transcript", str(notes))[1]
    assert "The game is over." in whole
    assert len(replay(notes.read_text()).record.deals) >= 3


def test_a_kept_game_knows_its_rules_and_seat(play, tmp_path: Path) -> None:
    kept = tmp_path / "game.json"
    play("quit\n", "--save", str(kept))
    code, out, err = play("", "--resume", str(kept), "--seat", "1")
    assert (code, out) == (2, "")
    assert "leave the flags out" in err
    kept.write_text(kept.read_text().replace("You", "Anna"))
    code, out, err = play("", "--resume", str(kept))
    assert (code, out) == (2, "")
    assert "is damaged" in err


def test_a_full_disk_spares_the_transcript(play, monkeypatch, tmp_path) -> None:
    def full(path, game, fields) -> None:
        raise StorageError(f"cannot write {path}: No space left on device")

    monkeypatch.setattr(saved_games, "save_game", full)
    kept, written = tmp_path / "kept.json", tmp_path / "written.txt"
    words = ["--save", str(kept), "--transcript", str(written)]
    code, out, err = play("quit\n", *words)
    assert (code, err) == (2, f"mouche: cannot write {kept}: No space left on device\n")
    assert "goes on with it" not in out
    assert written.exists()
