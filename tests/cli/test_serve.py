"""The command that serves the app: where it listens, and how it ends."""

import json
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path
from urllib.request import Request, urlopen

import pytest

from mouche_solver.cli import main

pytest.importorskip("uvicorn")

RUN = [sys.executable, "-c", "import sys; from mouche_solver.cli import main; sys.exit(main())"]


@pytest.mark.parametrize("host", ["", "256.1.1.1", "a" * 300, "::zz"])
def test_an_address_that_is_none(capsys: pytest.CaptureFixture[str], host: str) -> None:
    assert main(["serve", "--host", host, "--port", "0"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("mouche: cannot listen on --host")
    assert err.count("\n") == 1


def test_a_port_that_is_in_use(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        assert main(["serve", "--port", str(taken.getsockname()[1])]) == 2
    assert "Address already in use" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_it_ends_while_the_progress_of_a_job_is_followed(tmp_path: Path, name: str) -> None:
    env = {**os.environ, "XDG_DATA_HOME": str(tmp_path)}
    pipe = subprocess.PIPE
    with subprocess.Popen(
        [*RUN, "serve", "--port", "0"], stdout=pipe, stderr=pipe, text=True, env=env
    ) as server:
        assert server.stdout is not None
        assert server.stderr is not None
        address, token = server.stdout.readline().strip().split("/?token=")
        headers = {"x-mouche-token": token, "origin": address}
        body = json.dumps({"kind": "train", "rules": {"players": 2}, "seconds": 60}).encode()
        with urlopen(Request(f"{address}/api/jobs", body, headers), timeout=60) as answer:
            job = json.load(answer)["job"]
        with urlopen(Request(f"{address}/api/jobs/{job}/events", None, headers)) as events:
            assert b"running" in events.readline()
            server.send_signal(getattr(signal, name))
            assert server.wait(30) == 130
        assert server.stderr.read() == "mouche: interrupted\n"
