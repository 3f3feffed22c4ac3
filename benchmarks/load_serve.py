"""Fifty clients at once at a real server on loopback: nothing may fail, nothing may be lost.

``python benchmarks/load_serve.py [--clients 50] [--seconds 30]`` starts ``mouche serve`` in a
folder of its own, plays matches of dice over HTTP, and at the end reads the last matches of every
client again: each must stand where its last answer left it. Prints moves, matches, errors and
latencies.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

KEPT = 6  # matches of each client that are read again


class Client(threading.Thread):
    """Plays one match after another until the time is over."""

    def __init__(self, root: str, token: str, until: float) -> None:
        super().__init__()
        self.root, self.until = root, until
        self.headers = {
            "x-mouche-token": token,
            "origin": root,
            "content-type": "application/json",
        }
        self.taken: list[float] = []
        self.errors: list[str] = []
        self.matches = 0
        self.last: dict[str, dict[str, Any]] = {}

    def ask(self, path: str, body: dict[str, Any] | None = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{self.root}/api{path}", data, self.headers)
        begun = time.perf_counter()
        with urllib.request.urlopen(request, timeout=60) as answer:
            found = json.load(answer)
        self.taken.append(time.perf_counter() - begun)
        return found

    def run(self) -> None:
        while time.time() < self.until:
            try:
                self.match()
            except (OSError, ValueError) as error:
                self.errors.append(str(error))

    def match(self) -> None:
        rules = {"dice": [1, 1], "points": 1}
        body = {"kind": "dice", "rules": rules, "seat": 0, "players": ["you", "doubter"]}
        game = self.ask("/games", body)
        while not game["over"]:
            verb = "act" if game["turn"] == 0 else "next"
            legal = game["legal"]
            word = "doubt" if "doubt" in legal else legal[0] if legal else ""
            game = self.ask(f"/games/{game['id']}/{verb}", {"action": word})
        self.matches += 1
        self.last[game["id"]] = game
        while len(self.last) > KEPT:
            del self.last[next(iter(self.last))]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=30.0)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        mouche = Path(sys.executable).with_name("mouche")
        server = subprocess.Popen(
            [str(mouche), "serve", "--port", "0"],
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"XDG_DATA_HOME": folder},
        )
        try:
            assert server.stdout is not None
            parts = urlsplit(server.stdout.readline().strip())
            root, token = f"{parts.scheme}://{parts.netloc}", parts.query.removeprefix("token=")
            begun = time.time()
            clients = [Client(root, token, begun + given.seconds) for _ in range(given.clients)]
            for client in clients:
                client.start()
            for client in clients:
                client.join()
            seconds = time.time() - begun
            reader, lost = Client(root, token, 0.0), 0
            for client in clients:
                for name, game in client.last.items():
                    lost += reader.ask(f"/games/{name}") != game
        finally:
            server.send_signal(signal.SIGINT)
            server.wait(20)
    taken = sorted(t for client in clients for t in client.taken)
    errors = [e for client in clients for e in client.errors]
    kept = sum(len(client.last) for client in clients)
    print(f"{given.clients} clients, {seconds:.1f} s: {len(taken)} requests, ", end="")
    print(f"{sum(c.matches for c in clients)} matches, {len(errors)} errors, {lost} of {kept} lost")
    for share in (0.5, 0.99, 1.0):
        slowest = taken[min(len(taken) - 1, int(share * len(taken)))]
        print(f"{share:.0%} within {1000 * slowest:.0f} ms")
    for error in errors[:5]:
        print(error)
    return 1 if errors or lost else 0


if __name__ == "__main__":
    raise SystemExit(main())
