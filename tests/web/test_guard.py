"""What the wall refuses."""

import asyncio
import json
from typing import Any

import pytest
from starlette.testclient import TestClient

from mouche_solver.web.guard import COOKIE, HEADER, LARGEST_BODY

TOKEN, HOST = "token-of-a-test", "127.0.0.1:8718"
GOOD = {"host": HOST, "origin": f"http://{HOST}", HEADER: TOKEN}


@pytest.mark.parametrize(
    "host", ["evil.test", "evil.test:8718", "127.0.0.1.evil.test", "", "localhost@evil.test", "[::"]
)
def test_a_foreign_host_is_refused(client: TestClient, host: str) -> None:
    for path in ("/", "/api/games", "/static/main.js"):
        assert client.get(path, headers={"host": host}).status_code == 403


@pytest.mark.parametrize("origin", ["http://evil.test", "null", "http://127.0.0.1:1", None])
def test_a_foreign_origin_is_refused_on_every_post(client: TestClient, origin: str | None) -> None:
    headers = {k: v for k, v in GOOD.items() if k != "origin"}
    if origin is not None:
        headers["origin"] = origin
    client.headers.clear()
    for path in ("/api/games", "/api/review", "/api/jobs", "/api/drill/next", "/nowhere"):
        assert client.post(path, json={}, headers=headers).status_code == 403
    assert client.delete("/api/games/x", headers=headers).status_code == 403


def test_without_the_token_nothing_is_answered(client: TestClient) -> None:
    for token in ("", "wrong", TOKEN + "x", "\u00e9"):
        headers = {HEADER: token.encode("latin-1")}
        assert client.get("/api/games", headers=headers).status_code == 403
        assert client.get("/play", headers=headers).status_code == 403
        assert client.post("/api/games", json={}, headers=headers).status_code == 403
    assert client.get("/?token=wrong", headers={HEADER: ""}).status_code == 403


def test_the_address_with_the_token_sets_a_cookie_that_scripts_cannot_read(
    client: TestClient,
) -> None:
    answer = client.get(
        f"/explore?token={TOKEN}&history=3x5", headers={HEADER: ""}, follow_redirects=False
    )
    assert answer.status_code == 303
    assert answer.headers["location"] == "/explore?history=3x5"
    cookie = answer.headers["set-cookie"].lower()
    assert cookie.startswith(f"{COOKIE}=")
    assert "httponly" in cookie
    assert "samesite=strict" in cookie


def test_pages_may_load_from_here_alone(client: TestClient) -> None:
    for path in ("/", "/static/main.js", "/api/games"):
        headers = client.get(path).headers
        assert headers["content-security-policy"].startswith("default-src 'self'")
        assert headers["x-content-type-options"] == "nosniff"
    refused = client.get("/", headers={"host": "evil.test"})
    assert "default-src 'self'" in refused.headers["content-security-policy"]


@pytest.mark.parametrize("body", [b"{", b"[1]", b"\xff\xfe", b'"text"', b"[" * 100_000, b"NaN x"])
def test_malformed_json_is_400(client: TestClient, body: bytes) -> None:
    answer = client.post("/api/review", content=body)
    assert answer.status_code == 400
    assert "JSON" in answer.json()["error"]


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/api/games", {"kind": "chess"}),
        ("/api/games", {"kind": "dice", "rules": {"dice": "5"}}),
        ("/api/games", {"kind": "dice", "rules": [1]}),
        ("/api/games", {"kind": "dice", "rules": {"dice": [1, 1]}, "players": 3}),
        ("/api/games", {"kind": "dice", "rules": {"dice": [1, 1]}, "players": ["you", "../x"]}),
        ("/api/games", {"kind": "dice", "rules": {"dice": [1, 1]}, "players": [{}, {}]}),
        ("/api/games", {"kind": "cards", "rules": {"players": 10**30}}),
        ("/api/dice/position", {"history": "9x9"}),
        ("/api/dice/position", {"rules": {"dice": [10] * 40}}),
        ("/api/dice/position", {"hand": "5,5"}),
        ("/api/cards/chart", {"declared": [None]}),
        ("/api/cards/chart", {"declared": "pass"}),
        ("/api/cards/advice", {"hand": 3}),
        ("/api/review", {"text": "nonsense"}),
        ("/api/review", {"text": "5 / 3 : 1x5 doubt", "rules": {"dice": [1, 1]}, "format": "exe"}),
        ("/api/jobs", {"kind": "rm"}),
        ("/api/jobs", {"kind": "train", "seconds": 10**9}),
        ("/api/drill/next", {"game": "../x"}),
    ],
)
def test_bad_input_is_one_line(client: TestClient, path: str, body: dict[str, Any]) -> None:
    answer = client.post(path, json=body)
    assert answer.status_code == 400, answer.text
    assert "\n" not in answer.json()["error"]


def test_what_is_too_large_is_refused(client: TestClient) -> None:
    answer = client.post("/api/review", content=b" " * (LARGEST_BODY + 1))
    assert answer.status_code == 413


@pytest.mark.parametrize(
    "path",
    ["/static/../app.py", "/static/%2e%2e/app.py", "/static//etc/passwd", "/api/games/..%2f..%2fx"],
)
def test_no_path_of_a_request_is_opened(client: TestClient, path: str) -> None:
    assert client.get(path).status_code == 404


def test_text_of_a_person_is_never_markup(client: TestClient) -> None:
    text = (
        'mouche-cards 1\nrules {"players": 2, "ranks": ["K", "Q", "J"], "suits": ["C", "D"], '
        '"hand_size": 1}\nplayers <img/src=x> Ben\ndeal\nhand <img/src=x> KC\nhand Ben QD\n'
        "turned JD\n<img/src=x> stands\nBen stands\n"
    )
    answer = client.post("/api/review", json={"text": text, "format": "html"})
    assert answer.status_code == 200
    assert "<img" not in answer.text
    assert "&lt;img" in answer.text


def test_slow_uploads_are_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    from mouche_solver.web import guard

    async def never() -> Any:
        await asyncio.sleep(60)

    class Fast:
        def __call__(self, _: float) -> Any:
            return timeout(0.01)

    timeout = asyncio.timeout
    monkeypatch.setattr(guard.asyncio, "timeout", Fast())
    assert asyncio.run(guard._body(never)) is None


def test_the_api_answers_those_who_may_ask(client: TestClient) -> None:
    answer = client.get("/api/games")
    assert answer.status_code == 200
    assert json.loads(answer.text) == {"games": []}
