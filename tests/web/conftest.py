"""A server for every kind of test, with a folder of its own."""

import os
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette")
from starlette.testclient import TestClient

import mouche_solver as ms
from mouche_solver.dice.rules.rules import DiceRules
from mouche_solver.web.app import Settings, build, warm
from mouche_solver.web.guard import HEADER
from mouche_solver.web.opened import open_files

TOKEN = "token-of-a-test"
HOST = "127.0.0.1:8718"
GOOD = {"host": HOST, "origin": f"http://{HOST}", HEADER: TOKEN}


def client_of(folder: Path) -> TestClient:
    app = build(Settings(TOKEN, folder=folder))
    return TestClient(app, base_url=f"http://{HOST}", headers=GOOD)


@pytest.fixture
def make() -> Callable[[Path], TestClient]:
    return client_of


@pytest.fixture
def client(tmp_path: Path) -> TestClient:
    return client_of(tmp_path)


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a real server that opened a file, its token included."""
    uvicorn = pytest.importorskip("uvicorn")
    folder = tmp_path_factory.mktemp("data")
    mine = folder / "mine.safetensors"
    ms.solve_dice(DiceRules(dice=(2, 2), faces=4, points=1), target=1e-3).save(mine)
    app = build(Settings(TOKEN, folder=folder, files=open_files([mine])))
    config = uvicorn.Config(app, host="127.0.0.1", port=0, log_level="warning", access_log=False)
    server = uvicorn.Server(config)
    sock = config.bind_socket()
    thread = threading.Thread(target=server.run, args=([sock],), daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    warm()
    yield f"http://127.0.0.1:{sock.getsockname()[1]}/?token={TOKEN}"
    server.should_exit = True
    thread.join(10)
    sock.close()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Headless Chromium, if this machine has it."""
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    driver = shutil.which("chromedriver")
    if not found or not driver:
        pytest.skip("no Chromium on this machine")
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = found
    for flag in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage"):
        options.add_argument(flag)
    options.add_argument("--window-size=1200,900")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    window = webdriver.Chrome(options=options, service=Service(driver, env=dict(os.environ)))
    yield window
    window.quit()
