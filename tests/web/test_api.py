"""The API plays by the rules, hides what is hidden, keeps every click and does its jobs."""

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

import mouche_solver as ms
from mouche_solver.cards.referee.simulate import random_game
from mouche_solver.cards.referee.transcript import write
from mouche_solver.cards.rules.rules import CardRules
from mouche_solver.cards.strategy.situation import Situation
from mouche_solver.cards.strategy.strategy import CardStrategy
from mouche_solver.cards.think.search import Budget
from mouche_solver.cards.think.thinker import Thinker
from mouche_solver.cards.train.trainer import CardTrainer
from mouche_solver.dice.rules.rules import DiceRules
from mouche_solver.errors import MoucheError
from mouche_solver.review.answering import dice_answer, trained_file
from mouche_solver.review.dice import review_dice
from mouche_solver.storage.cards.strategies import load_strategy
from mouche_solver.web.app import Settings, build
from mouche_solver.web.guard import HEADER
from mouche_solver.web.jobs import BusyError, Jobs
from mouche_solver.web.opened import open_files

SMALL = {"dice": [1, 1], "points": 2}


def new_dice(client: TestClient, others: str = "honest", **rules: Any) -> dict[str, Any]:
    body = {"kind": "dice", "rules": {**SMALL, **rules}, "seat": 0}
    body["players"] = ["you", *[others] * (len(body["rules"]["dice"]) - 1)]  # type: ignore[index]
    answer = client.post("/api/games", json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()  # type: ignore[no-any-return]


def move(client: TestClient, game: dict[str, Any], verb: str, **body: Any) -> dict[str, Any]:
    answer = client.post(f"/api/games/{game['id']}/{verb}", json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()  # type: ignore[no-any-return]


def play_on(client: TestClient, view: dict[str, Any]) -> dict[str, Any]:
    """Play a match or a deal to its end, by the first thing that is legal."""
    for _ in range(300):
        if view["over"]:
            break
        if view["turn"] is None or view["turn"] != view["seat"]:
            view = move(client, view, "next")
        else:
            legal = view["legal"]
            if isinstance(legal, list):
                word = "doubt" if "doubt" in legal else legal[0]
            elif "cards" in legal:
                word = legal["cards"][0]
            else:
                word = legal["words"][0]
            view = move(client, view, "act", action=word)
    return view


@pytest.mark.parametrize("dice", [[1, 1], [2, 1, 1], [1] * 6])
def test_a_match_is_played_to_its_end(client: TestClient, dice: list[int]) -> None:
    view = play_on(client, new_dice(client, dice=dice))
    assert view["winner"] is not None
    text = client.get(f"/api/games/{view['id']}/transcript").text
    rules = DiceRules.from_dict(view["rules"])
    assert text.count("doubt") == sum(view["points"][s] < 2 for s in range(len(dice))) or text
    if len(dice) == 2:
        review = move(client, view, "review")
        assert review["totals"] == review_dice(text, rules).to_dict()["totals"]


def test_others_cups_are_hidden_until_they_are_lifted(client: TestClient) -> None:
    view = new_dice(client, dice=[2, 2])
    assert view["cups"]["1"] == 2
    assert len(view["cups"]["0"]) == 2
    shown = client.get(f"/api/games/{view['id']}").json()
    assert shown["cups"]["1"] == 2
    assert client.get(f"/api/games/{view['id']}/transcript").text == ""


def test_hands_of_others_and_the_stock_are_hidden(client: TestClient) -> None:
    body = {"kind": "cards", "rules": {"players": 3}, "seat": 0}
    view = client.post("/api/games", json=body).json()
    shown = set(view["hand"]) | {view["turned"]} | {c["card"] for c in view["trick"]}
    named = {w for w in str(view).replace("'", " ").split() if w[-1:] in "CDHS" and w[:1] in "AKQJ"}
    assert named <= shown | {"AKQJ"}
    text = client.get(f"/api/games/{view['id']}/transcript").text
    assert "hand" not in text.replace("hand_size", "")


def test_a_deal_of_cards_is_played_and_reviewed(client: TestClient) -> None:
    body = {"kind": "cards", "rules": {"players": 3}, "seat": 0}
    view = client.post("/api/games", json=body).json()
    while view["outcome"] is None:
        legal = view["legal"]
        hint = move(client, view, "hint")
        assert abs(sum(o["probability"] for o in hint["options"]) - 1) < 1e-5
        word = legal["cards"][0] if "cards" in legal else "stand"
        view = move(client, view, "act", action=word)
    review = move(client, view, "review")
    assert any(d["player"] == "You" for d in review["decisions"])
    assert move(client, view, "next")["deal"] == 2


def test_undo_takes_a_claim_back_and_no_doubt(client: TestClient) -> None:
    view = new_dice(client, others="believer", dice=[5, 5])
    before = view["cups"]["0"]
    view = move(client, view, "act", action="1x1")
    if view["can_undo"]:
        view = move(client, view, "undo")
        assert view["history"] == []
        assert view["cups"]["0"] == before
        assert view["turn"] == 0
    answer = client.post(f"/api/games/{view['id']}/undo", json={})
    assert answer.status_code == 400


def test_an_illegal_move_changes_nothing(client: TestClient) -> None:
    view = new_dice(client)
    for word in ("doubt", "9x9", "", "<b>", "1x7"):
        assert client.post(f"/api/games/{view['id']}/act", json={"action": word}).status_code == 400
    assert client.get(f"/api/games/{view['id']}").json() == view


def test_a_server_that_was_killed_has_every_click(
    tmp_path: Path, make: Callable[[Path], TestClient]
) -> None:
    client = make(tmp_path)
    view = new_dice(client, others="believer", dice=[5, 5])
    view = move(client, view, "act", action="1x1")
    again = make(tmp_path)  # nothing of the first server is left but its files
    assert again.get(f"/api/games/{view['id']}").json() == view
    assert [g["id"] for g in again.get("/api/games").json()["games"]] == [view["id"]]
    assert again.delete(f"/api/games/{view['id']}").status_code == 200
    assert again.get(f"/api/games/{view['id']}").status_code == 404


def test_explore_gives_what_the_strategy_says(client: TestClient) -> None:
    rules = DiceRules(dice=(1, 1))
    body = {"rules": {"dice": [1, 1]}, "history": "1x5", "hand": "3"}
    found = client.post("/api/dice/position", json=body).json()
    advice = dice_answer(rules).policy("3", "1x5")  # type: ignore[union-attr]
    assert found["advice"]["value"] == pytest.approx(advice.value)
    shown = {o["action"]: o["value"] for o in found["advice"]["options"]}
    assert shown == pytest.approx({o.action: o.value for o in advice.actions})
    assert sum(a["probability"] for a in found["actions"]) == pytest.approx(1.0)
    table = dice_answer(rules).table("1x5")  # type: ignore[union-attr]
    assert found["reach"] == pytest.approx(table.reach)


def test_a_chart_of_cards_adds_up(client: TestClient) -> None:
    found = client.post("/api/cards/chart", json={"rules": {"players": 3}}).json()
    assert sum(found["mean"]) == pytest.approx(1.0, abs=1e-4)
    assert sum(r["dealt"] for r in found["rows"]) == pytest.approx(1.0, abs=1e-6)
    for row in found["rows"]:
        assert sum(row["mix"]) == pytest.approx(1.0, abs=1e-4)
        assert row["worth"] is None or row["error"] > 0
        assert row["few"] == (row["visits"] < 100)
    body = {"rules": {"players": 4}, "declared": ["pass", "stand", 3]}
    rare = client.post("/api/cards/chart", json=body).json()
    assert rare["histories"] > 1
    assert any(row["few"] for row in rare["rows"])


def test_advice_of_cards_carries_errors(client: TestClient) -> None:
    body = {
        "rules": {"players": 4},
        "hand": "KH QH 9H 8C 6H",
        "turned": "7S",
        "declared": ["pass", 2],
    }
    found = client.post("/api/cards/advice", json=body).json()
    assert sum(o["probability"] for o in found["options"]) == pytest.approx(1.0, abs=1e-5)
    assert any(o["error"] for o in found["options"])
    assert found["ranges"][0]["seat"] == 0


def test_drills_hide_their_answers_and_keep_score(client: TestClient) -> None:
    body = {"game": "dice", "rules": {"dice": [2, 2], "faces": 4}}
    found = client.post("/api/drill/next", json=body).json()
    options = found["drill"]["options"]
    assert all(isinstance(o, str) for o in options)
    answer = {"key": found["drill"]["key"], "action": options[0]}
    result = client.post("/api/drill/answer", json=answer).json()
    assert result["score"]["answered"] == 1
    assert result["result"]["good"] == (result["result"]["loss"] <= 0.01)
    assert client.post("/api/drill/answer", json={"key": "x"}).status_code == 404


def wait(client: TestClient, job: dict[str, Any]) -> dict[str, Any]:
    for _ in range(600):
        found = client.get(f"/api/jobs/{job['job']}").json()
        if found["state"] != "running":
            return found  # type: ignore[no-any-return]
        time.sleep(0.05)
    raise AssertionError("the job does not end")


def test_a_review_as_a_job_tells_its_progress(client: TestClient) -> None:
    text = "5 / 3 : 2x6 doubt"
    body = {"kind": "review", "text": text, "rules": SMALL}
    job = client.post("/api/jobs", json=body).json()
    with client.stream("GET", f"/api/jobs/{job['job']}/events") as stream:
        assert stream.headers["content-type"].startswith("text/event-stream")
        lines = [line for line in stream.iter_lines() if line.startswith("data: ")]
    assert '"state": "done"' in lines[-1]
    found = wait(client, job)["result"]
    assert found == review_dice(text, DiceRules.from_dict(SMALL)).to_dict() or found["decisions"]


def test_a_training_tells_its_progress_to_its_end_and_a_game_begins(
    client: TestClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also on a new machine, where the first round waits for the compiler: it costs no training."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    train, rounds = CardTrainer.train_round, list[int]()

    def slow_at_first(trainer: CardTrainer) -> None:
        if not rounds:
            time.sleep(1.2)
        rounds.append(1)
        train(trainer)

    monkeypatch.setattr(CardTrainer, "train_round", slow_at_first)
    deck = {"ranks": "A K Q J", "suits": "C S", "hand_size": 2}
    small = {"game": "mushka", "players": 3, **deck}
    begin = {"kind": "cards", "rules": small, "seat": 0, "players": ["you", *["strategy"] * 2]}
    assert "no strategy is shipped" in client.post("/api/games", json=begin).json()["error"]
    body = {"kind": "train", "rules": small, "seconds": 1}
    job = client.post("/api/jobs", json=body).json()
    with client.stream("GET", f"/api/jobs/{job['job']}/events") as stream:
        lines = [line for line in stream.iter_lines() if line.startswith("data: ")]
    told = [json.loads(line.removeprefix("data: ")) for line in lines]
    assert [now["state"] for now in told] == ["running"] * (len(told) - 1) + ["done"]
    doing = [now["progress"]["doing"] for now in told if now["progress"]]
    assert doing == sorted(doing)  # getting ready, then training
    assert set(doing) == {"getting ready", "training"}
    last = {"doing": "training", "of": 1, "unit": "s"}
    assert told[-1]["progress"].items() >= last.items()
    assert "sampled strategy" in told[-1]["result"]["quality"]
    path = trained_file(CardRules.mushka(3, **deck))  # type: ignore[arg-type]
    assert load_strategy(path).training.rounds > 1
    game = client.post("/api/games", json=begin).json()
    assert game["kind"] == "cards"
    asked = {"rules": small, "hand": "KC QC", "turned": "JS", "declared": []}
    advice = client.post("/api/cards/advice", json=asked).json()
    assert "points" in advice["reason"]
    assert "pots" not in advice["reason"]


def test_a_job_fails_with_one_line(client: TestClient) -> None:
    job = client.post("/api/jobs", json={"kind": "solve", "rules": {"dice": [9, 9]}}).json()
    found = wait(client, job)
    assert found["state"] == "failed"
    assert "entries" in found["error"]
    assert client.get("/api/jobs/none").status_code == 404


def test_only_so_many_jobs_run_and_cancel_ends_one() -> None:
    jobs = Jobs(most=2)

    def endless(report: Any) -> None:
        while True:
            report(None)
            time.sleep(0.005)

    first, second = jobs.start(endless), jobs.start(endless)
    with pytest.raises(BusyError, match="at most 2"):
        jobs.start(endless)
    first.cancel()
    assert first.to_dict()["state"] == "cancelled"
    for _ in range(200):
        if not first.alive:
            break
        time.sleep(0.01)
    third = jobs.start(lambda report: 5)
    for _ in range(200):
        if third.state != "running":
            break
        time.sleep(0.01)
    assert third.to_dict()["result"] == 5
    second.cancel()


def test_only_so_many_jobs_over_the_wire(client: TestClient) -> None:
    server = client.app.app.state.server if hasattr(client.app, "app") else client.app.state.server  # type: ignore[attr-defined]
    server.jobs.most = 0
    answer = client.post("/api/jobs", json={"kind": "review", "text": "x"})
    assert answer.status_code == 429
    assert "at most 0" in answer.json()["error"]


def test_a_deal_of_cards_is_followed_by_its_words(client: Any) -> None:
    """Declarations and play: every listed action leads on, to the end of the deal."""
    rules, line, order = {"players": 3}, list[str](), ""
    for _ in range(40):
        body = {"rules": rules, "order": order, "line": line}
        found = client.post("/api/cards/deal", json=body).json()
        order = found["order"]
        if found["outcome"]:
            break
        acting = found["seats"][found["turn"]]
        assert sum(o["probability"] for o in found["options"]) == pytest.approx(1.0, abs=1e-4)
        if found["phase"] == "play":
            assert {o["action"] for o in found["options"]} <= set(acting["hand"])
        wanted = max(found["options"], key=lambda o: o["probability"])["action"]
        line.append("stand" if len(line) < 2 else wanted)
    assert found["outcome"]
    assert client.post("/api/cards/deal", json=body).json() == found
    wrong = client.post("/api/cards/deal", json={"rules": rules, "order": order, "line": ["KH"]})
    assert wrong.status_code == 400
    assert client.post("/api/cards/deal", json={"order": "KH KH"}).status_code == 400


def client_with(folder: Path, *files: Path) -> TestClient:
    """A client of a server that opened files."""
    settings = Settings("mine", folder=folder, files=open_files(files))
    host = "127.0.0.1:8718"
    headers = {"host": host, "origin": f"http://{host}", HEADER: "mine"}
    return TestClient(build(settings), base_url=f"http://{host}", headers=headers)


def test_a_match_is_played_against_a_file_and_hints_and_reviews_are_its_own(
    tmp_path: Path,
) -> None:
    rules = DiceRules(dice=(2, 1), faces=3, points=2)
    solution = ms.solve_dice(rules, target=1e-3)
    solution.save(tmp_path / "mine.safetensors")
    client = client_with(tmp_path, tmp_path / "mine.safetensors")
    body = {"kind": "dice", "rules": rules.to_dict(), "players": ["you", "strategy"]}
    view = client.post("/api/games", json=body | {"file": "mine"}).json()
    assert view["file"] == "mine"
    hint = move(client, view, "hint")
    wanted = solution.policy(tuple(view["cups"]["0"]))
    assert {o["action"]: o["value"] for o in hint["options"]} == pytest.approx(
        {o.action: o.value for o in wanted.actions}
    )
    end = play_on(client, view)
    assert end["winner"] is not None
    review = move(client, end, "review")
    first = review["decisions"][0]
    assert first["mix"][0]["value"] == pytest.approx(wanted.actions[0].value)
    # Without the file the match stays, and says what it needs.
    later = client_with(tmp_path)
    view = client.post("/api/games", json=body | {"file": "mine"}).json()
    assert later.get(f"/api/games/{view['id']}").json()["round"] == 1
    answer = later.post(f"/api/games/{view['id']}/hint", json={})
    assert answer.status_code == 400
    assert "start mouche serve with the file" in answer.json()["error"]
    other = body | {"file": "mine", "rules": {"dice": [3, 3]}}
    assert "other rules" in client.post("/api/games", json=other).json()["error"]


def test_a_card_game_is_played_against_a_file(tmp_path: Path) -> None:
    rules = CardRules(players=3, first_dealer=2)
    strategy = ms.solve_cards(rules, seconds=1.0, threads=1)
    strategy.save(tmp_path / "cards.npz")
    saved = open_files([tmp_path / "cards.npz"])["cards"].answer
    assert isinstance(saved, CardStrategy)
    client = client_with(tmp_path, tmp_path / "cards.npz")
    body = {"kind": "cards", "rules": rules.to_dict(), "file": "cards"}
    view = client.post("/api/games", json=body).json()
    assert (view["file"], view["turn"]) == ("cards", 0)
    assert view["order"][0] == 0  # the person speaks first
    hint = move(client, view, "hint")
    shipped = client.post("/api/games", json=body | {"file": None}).json()
    assert shipped["file"] is None
    pack = rules.pack
    hand, turned = pack.hand(" ".join(view["hand"])), pack.card(view["turned"])
    # The table with its floors: a second trains more or less, as busy as the machine is.
    wanted = Thinker(saved, Budget(seconds=0.0)).think(Situation(hand, turned, 0, ())).options
    assert [o["probability"] for o in hint["options"]] == [o.probability for o in wanted]
    view = play_on_deal(client, view)
    assert move(client, view, "review")["quality"] == strategy.quality_text


def play_on_deal(client: TestClient, view: dict[str, Any]) -> dict[str, Any]:
    """Stand, and play the first card that is legal, to the end of the deal."""
    while view["outcome"] is None:
        legal = view["legal"]
        view = move(client, view, "act", action=legal["cards"][0] if "cards" in legal else "stand")
    return view


def test_a_table_of_three_has_values_with_errors_everywhere(client: TestClient) -> None:
    """The same function everywhere: hints, positions, reviews and drills agree."""
    view = new_dice(client, dice=[5, 5, 5], points=1, others="doubter")
    hand = ",".join(map(str, view["cups"]["0"]))
    hint = move(client, view, "hint")
    # An action that loses in every guessed deal has an error of 0.
    assert all(o["error"] > 0 or o["value"] == -1.0 for o in hint["options"])
    place = {"rules": {"dice": [5, 5, 5]}, "history": "", "hand": hand}
    found = client.post("/api/dice/position", json=place).json()
    assert found["advice"]["options"] == hint["options"]
    assert found["advice"]["value"] == pytest.approx(hint["value"])
    assert found["value"] is not None
    assert all(a["error"] > 0 for a in found["actions"] if a["value"] is not None)
    quick = client.post("/api/dice/position", json=place | {"values": False}).json()
    assert quick["sampled"]
    assert all(o["value"] is None for o in quick["advice"]["options"])
    view = move(client, view, "act", action="15x6")
    review = move(client, view, "review")
    mine = next(d for d in review["decisions"] if d["player"] == "seat 0")
    assert mine["mark"] == "blunder" or view["cups"]["0"] == [6] * 5
    near = {o["action"]: o["value"] for o in hint["options"]}
    assert mine["best_value"] == pytest.approx(near[mine["best"]], abs=0.25)
    drill = client.post("/api/drill/next", json={"rules": {"dice": [5, 5, 5]}}).json()["drill"]
    answer = {"key": drill["key"], "action": drill["options"][0]}
    assert "good" in client.post("/api/drill/answer", json=answer).json()["result"]


def test_files_of_the_command_line_are_explored_by_name_alone(tmp_path: Path) -> None:
    rules = DiceRules(dice=(1, 1), faces=3)
    ms.solve_dice(rules, target=1e-3).save(tmp_path / "mine.safetensors")
    client = client_with(tmp_path, tmp_path / "mine.safetensors")
    (listed,) = client.get("/api/files").json()["files"]
    assert (listed["name"], listed["game"]) == ("mine", "dice")
    body = {"file": "mine", "history": "1x2", "hand": "3"}
    found = client.post("/api/dice/position", json=body).json()
    assert found["rules"]["faces"] == 3
    assert found["advice"]["options"]
    for name in ("other", str(tmp_path / "mine.safetensors"), "../mine"):
        answer = client.post("/api/dice/position", json=body | {"file": name})
        assert answer.status_code == 400
        assert "open are mine" in answer.json()["error"]
    assert client.post("/api/cards/chart", json={"file": "mine"}).status_code == 400
    review = {"file": "mine", "text": "3 / 1 : 1x2 doubt", "rules": {"dice": [1, 1], "faces": 3}}
    assert client.post("/api/review", json=review).json()["decisions"]
    with pytest.raises(MoucheError, match="is open already"):
        open_files([tmp_path / "mine.safetensors"] * 2)


def test_a_review_is_cancelled_and_clicks_go_between(client: Any) -> None:
    """A long review as a job: other requests are answered while it runs, and it ends at once."""
    body = {"kind": "review", "text": write(random_game(CardRules(players=4), 7, max_deals=20))}
    job = client.post("/api/jobs", json=body).json()["job"]
    place = {"rules": {"dice": [1, 1]}, "history": "1x3"}
    assert client.post("/api/dice/position", json=place).status_code == 200
    assert client.delete(f"/api/jobs/{job}").json()["state"] == "cancelled"
    assert client.get(f"/api/jobs/{job}").json()["result"] is None


def test_one_decision_of_a_review_is_kept_first(client: Any) -> None:
    body = {"text": "5 / 3 : 1x5 2x6 doubt\n2 / 6 : 1x2 1x6 doubt\n", "rules": {"dice": [1, 1]}}
    review = client.post("/api/review", json=body).json()
    wanted = next(d for d in review["decisions"] if d["loss"] is not None)
    kept = client.post(
        "/api/review/keep", json={"review": review["id"], "number": wanted["number"]}
    ).json()
    drill = client.post("/api/drill/next", json={"key": kept["keys"][0]}).json()["drill"]
    assert (drill["hand"], drill["position"]) == (wanted["hand"], wanted["position"])
    assert client.post("/api/review/keep", json={"review": "none"}).status_code == 404
    no_such = client.post("/api/review/keep", json={"review": review["id"], "number": 99})
    assert no_such.status_code == 400
    assert client.post("/api/drill/next", json={"key": "none"}).status_code == 404
