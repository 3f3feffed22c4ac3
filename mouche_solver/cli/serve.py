"""``mouche serve``."""

import secrets
import sys
import threading
import webbrowser
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from mouche_solver.cli.common import Whole
from mouche_solver.errors import UsageError


def serve(
    *files: Annotated[
        Path, Parameter(help="Solutions and strategies to explore and to review with.")
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
    solve``, ``dice book``, ``dice sample`` and ``cards solve`` in the rooms Explore and Review.
    """
    try:
        import uvicorn

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
    token = secrets.token_urlsafe(24)
    hosts = (*LOCAL, host) if host not in ("0.0.0.0", "::") else (*LOCAL, *_own_names())
    app = build(Settings(token, hosts, files=open_files(files)))
    config = uvicorn.Config(app, host=host, port=port, log_level="warning", access_log=False)
    sock = config.bind_socket()
    shown = "127.0.0.1" if host in ("0.0.0.0", "::") else host
    shown = f"[{shown}]" if ":" in shown else shown
    address = f"http://{shown}:{sock.getsockname()[1]}/?token={token}"
    print(f"{address}\nCtrl-C ends it.", flush=True)
    threading.Thread(target=warm, daemon=True).start()
    if open_:
        threading.Timer(0.5, webbrowser.open, (address,)).start()
    uvicorn.Server(config).run([sock])
    sys.stdout.flush()


def _own_names() -> tuple[str, ...]:
    """Names under which other machines may know this one."""
    import socket

    name = socket.gethostname().lower()
    try:
        numbers = {str(info[4][0]) for info in socket.getaddrinfo(name, None)}
    except OSError:
        numbers = set()
    return (name, socket.getfqdn().lower(), *sorted(numbers))
