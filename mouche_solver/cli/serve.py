"""``mouche serve``."""

import secrets
import socket
import threading
import webbrowser
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from mouche_solver.cli.common import Whole
from mouche_solver.core.interrupts import interruptible
from mouche_solver.errors import UsageError

if TYPE_CHECKING:  # an extra
    from starlette.applications import Starlette

# Seconds that open requests get when the server ends.
_FAREWELL = 2


def serve(
    *files: Annotated[
        Path,
        Parameter(help="Solutions and strategies to play, explore and review with."),
    ],
    port: Annotated[Whole, Parameter(help="Port; 0 lets the system choose.")] = 8718,
    host: Annotated[
        str, Parameter(help="Address to listen on; others than 127.0.0.1 let other machines in.")
    ] = "127.0.0.1",
    open_: Annotated[bool, Parameter(name="--open", negative="", help="Open the browser.")] = False,
) -> None:
    """A table to play at, review, drill and explore, in the browser.

    The address that is printed carries a token: without it nothing is answered. Games and drills
    are kept in the user's data folder. ``mouche serve FILE ...`` opens files of ``mouche dice
    solve``, ``dice book``, ``dice sample`` and ``cards solve``: to play against, to explore and to
    review with.
    """
    try:
        import uvicorn  # noqa: F401

        from mouche_solver.web.app import LOCAL, Settings, build, warm
        from mouche_solver.web.opened import open_files
    except ModuleNotFoundError as error:
        if error.name not in ("uvicorn", "starlette"):
            raise
        raise UsageError(
            f"mouche serve needs {error.name}: pip install 'mouche-solver[web]'"
        ) from None
    if not 0 <= port < 65536:
        raise UsageError(f"--port {port}: allowed are 0 to 65535")
    with _listening(host, port) as sock:
        token = secrets.token_urlsafe(24)
        hosts = (*LOCAL, host) if host not in ("0.0.0.0", "::") else (*LOCAL, *_own_names())
        app = build(Settings(token, hosts, files=open_files(files)))
        shown = "127.0.0.1" if host in ("0.0.0.0", "::") else host
        shown = f"[{shown}]" if ":" in shown else shown
        address = f"http://{shown}:{sock.getsockname()[1]}/?token={token}"
        print(f"{address}\nCtrl-C ends it.", flush=True)
        threading.Thread(target=warm, daemon=True).start()
        if open_:
            threading.Timer(0.5, webbrowser.open, (address,)).start()
        _run(app, sock)


def _run(app: "Starlette", sock: socket.socket) -> None:
    """Serve until somebody asks to stop; then raise KeyboardInterrupt."""
    import uvicorn

    class Ending(uvicorn.Server):
        """Ends jobs first, whose progress clients follow in requests that stay open."""

        def handle_exit(self, sig: int = 0, frame: FrameType | None = None) -> None:
            app.state.server.jobs.end()
            super().handle_exit(sig, frame)

    config = uvicorn.Config(
        app, log_level="warning", access_log=False, timeout_graceful_shutdown=_FAREWELL
    )
    server = Ending(config)
    # The server's own handlers know Ctrl-C and SIGTERM.
    with interruptible(server.handle_exit) as interrupt:
        server.run([sock])
    if interrupt.asked:
        raise KeyboardInterrupt


def _listening(host: str, port: int) -> socket.socket:
    """A socket at an address of this machine.

    Raises
    ------
    UsageError
        When the name is unknown, the port in use, or the system refuses.
    """
    sock = None
    try:
        if not host:
            raise OSError("an address is needed, such as 127.0.0.1")
        sock = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind((host, port))
        sock.listen()  # who reads the address may ask at once
    except (OSError, UnicodeError) as error:  # a name may be too long to be looked up
        if sock is not None:
            sock.close()
        reason = getattr(error, "strerror", None) or error
        raise UsageError(f"cannot listen on --host {host} --port {port}: {reason}") from None
    return sock


def _own_names() -> tuple[str, ...]:
    """Names under which other machines may know this one."""
    name = socket.gethostname().lower()
    try:
        numbers = {str(info[4][0]) for info in socket.getaddrinfo(name, None)}
    except OSError:
        numbers = set()
    return (name, socket.getfqdn().lower(), *sorted(numbers))
