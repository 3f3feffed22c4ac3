"""Draw the two pictures of the README: a chart, and the app in headless Chromium.

Run it in the folder of the repository: ``python docs/pictures/draw.py``. It needs Chromium with its
driver, and the packages of the ``web`` extra and of the test group.
"""

import shutil
import tempfile
import threading
import time
from pathlib import Path

import uvicorn
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

from mouche_solver.analysis import exchange_grid_chart
from mouche_solver.cards import CardRules
from mouche_solver.review.answering import card_answer
from mouche_solver.web.app import Settings, build

HERE, TOKEN = Path(__file__).parent, "picture"
POSITION = "/explore?game=dice&dice=5,5&history=3x5&hand=1,2,5,5,6"


def chart() -> None:
    """What the first hand of four declares."""
    figure = exchange_grid_chart(card_answer(CardRules(players=4)))
    figure.savefig(HERE / "chart.png", dpi=80, bbox_inches="tight")


def explorer() -> None:
    """A position in the explorer."""
    with tempfile.TemporaryDirectory() as folder:
        app = build(Settings(TOKEN, folder=Path(folder)))
        config = uvicorn.Config(app, port=0, log_level="warning")
        server, sock = uvicorn.Server(config), config.bind_socket()
        threading.Thread(target=server.run, args=([sock],), daemon=True).start()
        while not server.started:
            time.sleep(0.05)
        root = f"http://127.0.0.1:{sock.getsockname()[1]}"
        options = webdriver.ChromeOptions()
        for flag in (
            "--headless=new",
            "--no-sandbox",
            "--hide-scrollbars",
            "--window-size=1200,1000",
        ):
            options.add_argument(flag)
        # Named, so that nothing is looked for on the net.
        window = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
        try:
            window.get(f"{root}/?token={TOKEN}")
            window.get(root + POSITION)
            WebDriverWait(window, 120).until(lambda w: w.find_elements(By.TAG_NAME, "table"))
            window.save_screenshot(str(HERE / "app.png"))
        finally:
            window.quit()
            server.should_exit = True


if __name__ == "__main__":
    chart()
    explorer()
