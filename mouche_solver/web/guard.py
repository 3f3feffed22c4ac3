"""What every request must pass: known host, own origin, the token, limits of size and time.

A page of another site cannot read or write here: its Host is not on the list after DNS rebinding,
its Origin differs on a POST, and it has no token. Static files and the icon need no token.
"""

import asyncio
import hmac
from collections.abc import Collection
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

COOKIE, HEADER = "mouche_token", "x-mouche-token"
LARGEST_BODY = 1 << 20
SLOWEST = 120.0
_HEADERS = {
    "content-security-policy": (
        "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; "
        "form-action 'self'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


class Guard:
    """The wall around the app.

    Parameters
    ----------
    app : ASGI app
    hosts : collection of str
        Names that a Host header may give, without the port.
    token : str
        The secret of this run.
    """

    def __init__(self, app: ASGIApp, hosts: Collection[str], token: str) -> None:
        self.app, self.hosts, self.token = app, frozenset(hosts), token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        refusal = self._refusal(scope)
        if refusal is not None:
            await refusal(scope, receive, _with_headers(send))
            return
        streaming = scope["path"].endswith("/events")
        body = await _body(receive) if scope["method"] in ("POST", "PUT", "DELETE") else None
        if body is None and scope["method"] in ("POST", "PUT", "DELETE"):
            await _error("the request is too large or came too slowly", 413)(
                scope, receive, _with_headers(send)
            )
            return
        inner = receive if body is None else _replay(body, receive)
        started = False

        async def watched(message: Message) -> None:
            nonlocal started
            started = started or message["type"] == "http.response.start"
            await _with_headers(send)(message)

        try:
            limit = None if streaming else SLOWEST
            await asyncio.wait_for(self.app(scope, inner, watched), limit)
        except TimeoutError:
            if not started:
                text = f"no answer within {SLOWEST:.0f} seconds"
                await _error(text, 503)(scope, receive, _with_headers(send))

    def _refusal(self, scope: Scope) -> Response | None:
        headers, path, method = Headers(scope=scope), scope["path"], scope["method"]
        host = headers.get("host", "")
        if _name(host) not in self.hosts:
            return _error("this host is not allowed", 403)
        if method not in ("GET", "HEAD"):
            origin = headers.get("origin")
            if origin is None or origin not in (f"http://{host}", f"https://{host}"):
                return _error("this origin is not allowed", 403)
        if path.startswith("/static/") or path == "/favicon.ico":
            return None
        if self._known(headers):
            return None
        if path.startswith("/api/") or method not in ("GET", "HEAD"):
            return _error("the token is missing or wrong", 403)
        given = dict(_pairs(scope["query_string"].decode("latin-1"))).get("token", "")
        if given and hmac.compare_digest(given.encode(), self.token.encode()):
            return None
        return PlainTextResponse(
            "Open the address that 'mouche serve' printed: it carries the token of this run.\n", 403
        )

    def _known(self, headers: Headers) -> bool:
        given = headers.get(HEADER) or ""
        for part in headers.get("cookie", "").split(";"):
            name, _, value = part.strip().partition("=")
            given = given or (value if name == COOKIE else "")
        return hmac.compare_digest(given.encode(), self.token.encode())


def _pairs(query: str) -> list[tuple[str, str]]:
    return [(k, v) for k, _, v in (part.partition("=") for part in query.split("&"))]


def _name(host: str) -> str:
    """The host without its port, brackets of IPv6 taken off; empty when it cannot be read."""
    try:
        return (urlsplit(f"//{host}").hostname or "").lower()
    except ValueError:
        return ""


def _error(text: str, status: int) -> JSONResponse:
    return JSONResponse({"error": text}, status)


def _with_headers(send: Send) -> Send:
    async def inner(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _HEADERS.items():
                headers[name] = value
            headers.setdefault("cache-control", "no-store")
        await send(message)

    return inner


async def _body(receive: Receive) -> bytes | None:
    """The whole body, None when it is too large or takes too long."""
    found = bytearray()
    try:
        async with asyncio.timeout(10.0):
            while True:
                message = await receive()
                found += message.get("body", b"")
                if len(found) > LARGEST_BODY or message["type"] == "http.disconnect":
                    return None
                if not message.get("more_body"):
                    return bytes(found)
    except TimeoutError:
        return None


def _replay(body: bytes, receive: Receive) -> Receive:
    told = False

    async def inner() -> Message:
        nonlocal told
        if told:
            return await receive()
        told = True
        return {"type": "http.request", "body": body, "more_body": False}

    return inner
