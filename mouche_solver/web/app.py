"""Routes of the app: pages, static files and the JSON API (docs/serve.md holds the schema)."""

import asyncio
import json
import secrets
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import (
    HTMLResponse,
    JSONResponse,
    PlainTextResponse,
    RedirectResponse,
    Response,
    StreamingResponse,
)
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from mouche_solver.cards.rules.rules import CardRules
from mouche_solver.cards.strategy.strategy import CardStrategy
from mouche_solver.dice.rules.rules import DiceRules
from mouche_solver.errors import MoucheError, StorageError, UsageError
from mouche_solver.review.answering import card_answer, dice_answer, trained_file
from mouche_solver.review.box import Box
from mouche_solver.review.drills import card_drill, dice_drill, drill_of, grade, mistakes
from mouche_solver.review.either import review_text
from mouche_solver.review.export import render
from mouche_solver.review.record import Review, Told
from mouche_solver.storage.atomic import check_writable
from mouche_solver.storage.folders import data_folder
from mouche_solver.web import card_table, dice_table, explore
from mouche_solver.web.guard import COOKIE, Guard
from mouche_solver.web.jobs import MOST_JOBS, BusyError, Job, Jobs
from mouche_solver.web.opened import Opened
from mouche_solver.web.saved import Saved

if TYPE_CHECKING:
    from mouche_solver.cards.train.loop import Step

TABLES: dict[str, Any] = {"dice": dice_table, "cards": card_table}
PAGES = ("/", "/play", "/play/{rest:path}", "/advise", "/explore", "/review", "/drill")
# Longest training that the app offers, in seconds; mouche cards solve has no such limit.
LONGEST_TRAINING = 600
_REVIEWS = 32  # of the last reviews are kept, for exports and drills
LOCAL = ("127.0.0.1", "localhost", "::1")


@dataclass
class Settings:
    """What a server is started with.

    Attributes
    ----------
    token : str
    hosts : tuple of str
        Names that a Host header may give.
    folder : Path
        Where games and drills are kept.
    files : mapping of str to Opened
        Strategies that the command line opened, by name.
    """

    token: str
    hosts: tuple[str, ...] = LOCAL
    folder: Path = field(default_factory=data_folder)
    files: Mapping[str, Opened] = field(default_factory=dict)


class Server:
    """What the handlers share."""

    def __init__(self, settings: Settings) -> None:
        self.token = settings.token
        self.saved = Saved(settings.folder / "games.sqlite")
        self.box = Box(settings.folder / "drills.sqlite")
        self.jobs = Jobs()
        # Solvers are not made for two threads at once; a warm answer takes milliseconds.
        self.lock = threading.Lock()
        self.files = settings.files
        self.reviews: dict[str, tuple[Any, Review]] = {}

    def keep_review(self, found: Review, key: Any = None) -> dict[str, Any]:
        """A review as JSON; its ``id`` names it until many newer ones were made."""
        name = secrets.token_hex(8)
        self.reviews[name] = (key, found)
        while len(self.reviews) > _REVIEWS:
            del self.reviews[next(iter(self.reviews))]
        return {"id": name} | found.to_dict()

    def giving_way(self, report: Callable[[Any], None], doing: str) -> Told:
        """Progress of work under the lock, which lets clicks in between two of its steps."""

        def told(done: int, of: int) -> None:
            self.lock.release()
            try:
                report({"doing": doing, "done": done, "of": of})
                time.sleep(0.0005)
            finally:
                self.lock.acquire()

        return told

    def file(self, body: Mapping[str, Any], game: str) -> Any:
        """The opened strategy that a request names, None when it names none.

        Raises
        ------
        UsageError
            When none of this name is open, or it is of the other game.
        """
        name = body.get("file")
        if not name:
            return None
        found = self.files.get(str(name))
        if found is None or found.game != game:
            known = ", ".join(n for n, f in self.files.items() if f.game == game)
            raise UsageError(
                f"file {name!r}: open are {known or 'none of this game'}; "
                "start mouche serve with the file"
            )
        return found.answer


def build(settings: Settings) -> Starlette:
    """The app.

    Parameters
    ----------
    settings : Settings

    Returns
    -------
    ASGI app
    """
    server = Server(settings)
    static = Path(str(files("mouche_solver.web") / "static"))
    routes = [
        *(Route(path, _page(server, static)) for path in PAGES),
        Mount("/static", StaticFiles(directory=static)),
        Route("/favicon.ico", lambda _: RedirectResponse("/static/icon.svg")),
        *_api(server),
    ]
    middleware = [Middleware(Guard, hosts=settings.hosts, token=settings.token)]
    app = Starlette(routes=routes, middleware=middleware)
    app.state.server = server
    return app


def warm() -> None:
    """Load and compile what first clicks need; the first time of all it takes a minute."""
    position = explore.dice_position(DiceRules(), "3x5,4x5", "5,5,2,1,6")
    assert position["actions"]  # a position before the end has actions
    hand = {"hand": "KH QH 9H 8C 6H", "turned": "7S", "declared": ["pass", 2]}
    explore.card_advice(explore.card_rules({"players": 4}), hand)


def _page(server: Server, static: Path) -> Callable[[Request], Awaitable[Response]]:
    text = (static / "index.html").read_text(encoding="utf-8")

    async def page(request: Request) -> Response:
        given = request.query_params.get("token")
        if given is None:
            return HTMLResponse(text)
        rest = "&".join(f"{k}={v}" for k, v in request.query_params.items() if k != "token")
        answer = RedirectResponse(request.url.path + (f"?{rest}" if rest else ""), 303)
        answer.set_cookie(COOKIE, server.token, httponly=True, samesite="strict", path="/")
        return answer

    return page


Body = dict[str, Any]


def _handler(
    work: Callable[[Request, Body], Any], lock: AbstractContextManager[Any] | None = None
) -> Callable[[Request], Awaitable[Response]]:
    """A route that reads JSON, works in a thread and answers JSON; errors are one line."""

    def locked(request: Request, body: Body) -> Any:
        if lock is None:
            return work(request, body)
        with lock:
            return work(request, body)

    async def handle(request: Request) -> Response:
        try:
            body = await _json(request)
            found = await run_in_threadpool(locked, request, body)
        except BusyError as error:
            return JSONResponse({"error": str(error)}, 429)
        except LookupError as error:
            return JSONResponse({"error": str(error.args[0])}, 404)
        except MoucheError as error:
            return JSONResponse({"error": str(error)}, 400)
        except (TypeError, AttributeError, ValueError, OverflowError) as error:
            # Fields of a wrong JSON type reach the rules as they are.
            return JSONResponse({"error": f"a field has a wrong type: {_short(error)}"}, 400)
        return found if isinstance(found, Response) else JSONResponse(found)

    return handle


def _short(error: Exception) -> str:
    return str(error).splitlines()[0][:200] if str(error) else type(error).__name__


async def _json(request: Request) -> Body:
    if request.method == "GET":
        return {}
    raw = await request.body()
    try:
        found = json.loads(raw or b"{}")
    except (ValueError, RecursionError):
        raise UsageError("the body is not JSON") from None
    if not isinstance(found, dict):
        raise UsageError("the body must be a JSON object")
    return found


def _api(server: Server) -> list[Route]:
    """The JSON API."""
    lock = server.lock

    def route(
        path: str, work: Callable[[Request, Body], Any], method: str = "POST", locked: bool = True
    ) -> Route:
        return Route(f"/api{path}", _handler(work, lock if locked else None), methods=[method])

    return [
        route(
            "/files",
            lambda r, b: {"files": [f.to_dict() for f in server.files.values()]},
            "GET",
            False,
        ),
        route(
            "/players",
            lambda r, b: {"dice": dice_table.players(), "cards": card_table.players()},
            "GET",
            False,
        ),
        route("/games", lambda r, b: {"games": server.saved.all()}, "GET", False),
        route("/games", _new_game(server)),
        route("/games/{id}", _show_game(server), "GET", False),
        route("/games/{id}", _delete_game(server), "DELETE", False),
        route("/games/{id}/{verb:str}", _move(server)),
        route("/games/{id}/transcript", _transcript(server), "GET", False),
        route("/dice/position", _dice_position(server)),
        route("/cards/chart", _of_cards(server, _chart)),
        route("/cards/deal", _of_cards(server, explore.card_deal)),
        route("/cards/advice", _of_cards(server, explore.card_advice)),
        route("/cards/pack", _card_pack, locked=False),
        route("/review", _review(server)),
        route("/review/keep", _keep(server)),
        route("/drill/next", _next_drill(server)),
        route("/drill/answer", _answer_drill(server), locked=False),
        route("/jobs", _start_job(server), locked=False),
        route("/jobs/{id}", _job(server, lambda job: job.to_dict()), "GET", False),
        route("/jobs/{id}", _job(server, _cancelled), "DELETE", False),
        Route("/api/jobs/{id}/events", _events(server)),
    ]


def _game(server: Server, request: Request) -> tuple[str, Any, dict[str, Any], str]:
    name = request.path_params["id"]
    found = server.saved.get(name)
    if found is None:
        raise LookupError("there is no such game")
    kind, config, text = found
    return name, TABLES[kind], config, text


def _new_game(server: Server) -> Callable[[Request, Body], Any]:
    def work(request: Request, body: Body) -> Any:
        kind = body.get("kind")
        if kind not in TABLES:
            raise UsageError(f"kind {kind!r}: allowed are {', '.join(TABLES)}")
        config, text = TABLES[kind].new(body, server.file(body, kind))
        name = server.saved.new(kind, config, text)
        return {"id": name} | TABLES[kind].view(config, text)

    return work


def _show_game(server: Server) -> Callable[[Request, Body], Any]:
    def work(request: Request, body: Body) -> Any:
        name, table, config, text = _game(server, request)
        return {"id": name} | table.view(config, text)

    return work


def _delete_game(server: Server) -> Callable[[Request, Body], Any]:
    def work(request: Request, body: Body) -> Any:
        server.saved.delete(request.path_params["id"])
        return {"deleted": True}

    return work


def _move(server: Server) -> Callable[[Request, Body], Any]:
    """``act``, ``next``, ``undo``, ``hint`` and ``review`` of a game."""

    def work(request: Request, body: Body) -> Any:
        verb = request.path_params["verb"]
        if verb not in ("act", "next", "undo", "hint", "review"):
            raise LookupError("there is no such address")
        name, table, config, text = _game(server, request)
        if verb == "undo":
            text = table.undo(config, text)
        else:
            answer = server.file(config, table.KIND)
            if verb == "hint":
                return table.hint(config, text, answer)
            if verb == "review":
                return server.keep_review(table.review(config, text, answer=answer))
            if verb == "act":
                text = table.act(config, text, str(body.get("action", "")), answer)
            else:
                text = table.deal(config, text, answer)
        server.saved.put(name, text, table.over(config, text))
        return {"id": name} | table.view(config, text)

    return work


def _transcript(server: Server) -> Callable[[Request, Body], Any]:
    """The text of a game, without what is still hidden: only finished games are given out."""

    def work(request: Request, body: Body) -> Any:
        _, table, config, text = _game(server, request)
        if not table.over(config, text):
            text = table.finished(config, text)
        return PlainTextResponse(text)

    return work


def _dice_rules(body: Body) -> DiceRules:
    return DiceRules.from_dict(body.get("rules", {}))


def _dice_position(server: Server) -> Callable[[Request, Body], Any]:
    def work(request: Request, body: Body) -> Any:
        history, hand = str(body.get("history", "")), str(body.get("hand", ""))
        answer = server.file(body, "dice")
        rules = _dice_rules(body) if answer is None else answer.rules
        return explore.dice_position(
            rules, history, hand, answer, body.get("values", True) is not False
        )

    return work


def _of_cards(
    server: Server, find: Callable[[CardRules, Body, CardStrategy | None], Any]
) -> Callable[[Request, Body], Any]:
    def work(request: Request, body: Body) -> Any:
        strategy = server.file(body, "cards")
        given = explore.card_rules(body.get("rules", {}))
        return find(given if strategy is None else strategy.rules, body, strategy)

    return work


def _chart(rules: CardRules, body: Body, strategy: CardStrategy | None) -> Any:
    return explore.card_chart(rules, body.get("declared", []), strategy)


def _card_pack(request: Request, body: Body) -> Any:
    rules = explore.card_rules(body.get("rules", {}))
    pack = rules.pack
    return {
        "cards": list(pack.names(range(pack.size))),
        "suits": list(pack.suits),
        "hand_size": rules.hand_size,
        "max_exchange": rules.max_exchange,
        "players": rules.players,
    }


def _read_review(
    server: Server, body: Body, told: Told | None = None
) -> tuple[Review, tuple[Any, ...]]:
    """The review of a text, and the name of what was reviewed; what was made lately is kept."""
    rules = _dice_rules(body) if body.get("rules") else None
    text, name = str(body.get("text", "")), body.get("file")
    key = (text, None if rules is None else rules.to_json(), name)
    for kept, review in server.reviews.values():
        if kept == key:
            return review, key
    judge = None
    if name:
        named = server.files.get(str(name))
        judge = server.file(body, named.game if named else "dice")
    return review_text(text, rules, judge, told), key


def _review(server: Server) -> Callable[[Request, Body], Any]:
    def work(request: Request, body: Body) -> Any:
        layout = body.get("format", "json")
        found, key = _read_review(server, body)
        if layout == "json":
            return server.keep_review(found, key)
        kinds = {"csv": "text/csv", "markdown": "text/markdown", "html": "text/html"}
        text = render(found, layout)
        kind = kinds[layout]
        answer = Response(text, media_type=f"{kind}; charset=utf-8")
        answer.headers["content-disposition"] = f'attachment; filename="review.{layout}"'
        return answer

    return work


def _keep(server: Server) -> Callable[[Request, Body], Any]:
    """The marked decisions of a review among the drills, or the one of a number."""

    def work(request: Request, body: Body) -> Any:
        name = body.get("review")
        if name is None:
            found = _read_review(server, body)[0]
        elif str(name) in server.reviews:
            found = server.reviews[str(name)][1]
        else:
            raise LookupError("there is no such review any more: review again")
        player, number = body.get("player"), body.get("number")
        kept = mistakes(found, None if player is None else str(player))
        if number is not None:
            one = [d for d in found.decisions if d.number == number]
            if not one or one[0].loss is None:
                raise UsageError(f"number {number!r}: no decision with a known loss has it")
            kept = [drill_of(found, one[0]), *(d for d in kept if d["number"] != number)]
        for drill in kept:
            server.box.add(drill["key"], found.game, drill)
        return {"kept": len(kept), "keys": [drill["key"] for drill in kept]}

    return work


def _hidden(drill: dict[str, Any]) -> dict[str, Any]:
    """A drill without its answers, and without the cards of the others."""
    drill = {key: value for key, value in drill.items() if key not in ("deal", "number")}
    return drill | {"options": [o["action"] for o in drill["options"]]}


def _next_drill(server: Server) -> Callable[[Request, Body], Any]:
    def work(request: Request, body: Body) -> Any:
        game = body.get("game", "dice")
        if game not in TABLES:
            raise UsageError(f"game {game!r}: allowed are {', '.join(TABLES)}")
        wanted = body.get("key")
        found = server.box.due(game) if wanted is None else server.box.get(str(wanted))
        if wanted is not None and found is None:
            raise LookupError("there is no such position")
        again = found is not None
        if found is None:
            if game == "dice":
                found = dice_drill(_dice_rules(body))
            else:
                found = card_drill(explore.card_rules(body.get("rules", {})))
            server.box.add(found["key"], game, found)
        return {"drill": _hidden(found), "again": again, "score": server.box.score()}

    return work


def _answer_drill(server: Server) -> Callable[[Request, Body], Any]:
    def work(request: Request, body: Body) -> Any:
        key = str(body.get("key", ""))
        found = server.box.get(key)
        if found is None:
            raise LookupError("there is no such position")
        result = grade(found, str(body.get("action", "")))
        server.box.answer(key, result["action"], result["loss"], result["good"])
        return {
            "result": result,
            "options": found["options"],
            "deal": found.get("deal"),
            "score": server.box.score(),
        }

    return work


def _start_job(server: Server) -> Callable[[Request, Body], Any]:
    def work(request: Request, body: Body) -> Any:
        kind = body.get("kind")
        tasks = {"solve": _solve_task, "train": _train_task, "review": _review_task}
        if kind not in tasks:
            raise UsageError(f"kind {kind!r}: allowed are {', '.join(tasks)}")
        return server.jobs.start(tasks[kind](body, server)).to_dict()

    return work


def _solve_task(body: Body, server: Server) -> Callable[[Callable[[Any], None]], Any]:
    rules = _dice_rules(body)

    def task(report: Callable[[Any], None]) -> Any:
        report({"doing": "solving"})
        return {"quality": dice_answer(rules, None, report=_told(report)).quality_text}

    return task


def _told(report: Callable[[Any], None]) -> Callable[[Any], None]:
    def tell(progress: Any) -> None:
        report(
            {
                "doing": progress.phase,
                "iteration": progress.iteration,
                "exploitability": progress.exploitability,
            }
        )

    return tell


def _train_task(body: Body, server: Server) -> Callable[[Callable[[Any], None]], Any]:
    rules = explore.card_rules(body.get("rules", {}))
    seconds = body.get("seconds", 30)
    if type(seconds) is not int or not 1 <= seconds <= LONGEST_TRAINING:
        raise UsageError(f"seconds {seconds!r}: allowed are 1 to {LONGEST_TRAINING}")

    def task(report: Callable[[Any], None]) -> Any:
        from mouche_solver.solutions.cards import solve_cards

        ready = {"doing": "getting ready"}
        report(ready)
        path = trained_file(rules)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StorageError(f"cannot write {path}: {error.strerror}") from None
        check_writable(path)
        # Mushka has no pot, and the Pamphile's chip is small beside one: its size matters little.
        pot = rules.ante_chips * 2 if rules.pamphile and rules.scoring == "chips" else None

        def tell(step: "Step") -> None:
            done = min(seconds, int(step.seconds))
            report({"doing": "training", "done": done, "of": seconds, "unit": "s"})

        # The first round on a machine compiles for half a minute, which must not eat the training.
        solve_cards(rules, deals=1, pot=pot, threads=1, report=lambda _: report(ready))
        found = solve_cards(rules, seconds=float(seconds), pot=pot, threads=1, report=tell)
        found.save(path)
        return {"quality": card_answer(rules).quality_text}

    return task


def _review_task(body: Body, server: Server) -> Callable[[Callable[[Any], None]], Any]:
    """The review of a text, or of a game that is kept: all of it or its last round or deal."""
    name = body.get("game")
    kept = None if name is None else server.saved.get(str(name))
    if name is not None and kept is None:
        raise LookupError("there is no such game")

    def task(report: Callable[[Any], None]) -> Any:
        report({"doing": "reviewing"})
        with server.lock:
            told = server.giving_way(report, "reviewing")
            if kept is None:
                return server.keep_review(*_read_review(server, body, told))
            kind, config, text = kept
            judge = server.file(config, kind)
            return server.keep_review(
                TABLES[kind].review(config, text, told, bool(body.get("last")), judge)
            )

    return task


def _job(server: Server, then: Callable[[Job], Any]) -> Callable[[Request, Body], Any]:
    def work(request: Request, body: Body) -> Any:
        job = server.jobs.get(request.path_params["id"])
        if job is None:
            raise LookupError("there is no such job")
        return then(job)

    return work


def _cancelled(job: Job) -> dict[str, Any]:
    job.cancel()
    return job.to_dict()


def _events(server: Server) -> Callable[[Request], Awaitable[Response]]:
    """A job's progress as server-sent events, until it ends."""

    async def stream(job: Job, request: Request) -> AsyncIterator[str]:
        while True:
            found = job.to_dict()
            yield f"data: {json.dumps(found)}\n\n"
            if found["state"] != "running" or await request.is_disconnected():
                return
            await asyncio.sleep(0.5)

    async def handle(request: Request) -> Response:
        job = server.jobs.get(request.path_params["id"])
        if job is None:
            return JSONResponse({"error": "there is no such job"}, 404)
        return StreamingResponse(stream(job, request), media_type="text/event-stream")

    return handle


__all__ = ["LOCAL", "MOST_JOBS", "Settings", "build", "warm"]
