"""The app in headless Chromium, by clicks and by keys alone."""

import json
import os
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

pytest.importorskip("selenium")
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from mouche_solver.cards.referee.simulate import random_game
from mouche_solver.cards.referee.transcript import write
from mouche_solver.cards.rules.rules import CardRules
from mouche_solver.review.answering import trained_file
from mouche_solver.solutions.cards import solve_cards

AXE = Path(os.environ.get("AXE", Path(__file__).parents[2] / "node_modules/axe-core/axe.min.js"))
TEXT = "5 / 3 : 1x5 2x6 doubt\n2 / 6 : 1x2 1x6 doubt\n"


class Page:
    """A window at the server."""

    def __init__(self, window: Any, address: str) -> None:
        self.window, self.address = window, address
        self.root = "{0.scheme}://{0.netloc}".format(urlsplit(address))

    def open(self, path: str, css: str) -> Any:
        self.window.get(self.root + path)
        return self.wait(css)

    def wait(self, css: str, seconds: float = 30) -> Any:
        return WebDriverWait(self.window, seconds, 0.02).until(
            lambda w: w.find_elements(By.CSS_SELECTOR, css)
        )[0]

    def all(self, css: str) -> list[Any]:
        return list(self.window.find_elements(By.CSS_SELECTOR, css))

    def click(self, css: str) -> None:
        found = self.wait(css)
        self.window.execute_script("arguments[0].scrollIntoView({block: 'center'})", found)
        found.click()

    def choose(self, settings: dict[str, str]) -> None:
        """Set selects of the lobby."""
        for name, value in settings.items():
            self.window.execute_script(
                "const s = document.getElementById('set-' + arguments[0]); s.value = arguments[1];"
                "s.dispatchEvent(new Event('change'))",
                name,
                value,
            )

    def changed(self, before: str) -> None:
        """Wait until the room shows something else."""
        WebDriverWait(self.window, 30, 0.02).until(lambda w: self.shown() != before)

    def shown(self) -> str:
        return str(self.window.execute_script("return document.querySelector('#main').innerHTML"))

    def post(self, path: str, body: dict[str, Any]) -> Any:
        """The API from within the page."""
        return self.window.execute_async_script(
            "const done = arguments[2]; fetch('/api' + arguments[0], {method: 'POST', "
            "body: JSON.stringify(arguments[1])}).then(r => r.json()).then(done)",
            path,
            body,
        )


@pytest.fixture(scope="module")
def page(browser: Any, address: str) -> Iterator[Page]:
    browser.get(address)
    found = Page(browser, address)
    found.wait("#start")
    yield found
    loud = [e for e in browser.get_log("browser") if e["level"] == "SEVERE"]
    # Refused moves and unreadable texts are answered with 400, which the console repeats.
    assert [e["message"] for e in loud if " 400 " not in e["message"]] == []


def by_keys(page: Page, wanted: Any) -> None:
    """Tab from where the focus is to something that is wanted, and press it."""
    for _ in range(80):
        active = page.window.switch_to.active_element
        if wanted(active):
            active.send_keys(Keys.ENTER)
            return
        active.send_keys(Keys.TAB)
    raise AssertionError("it is not reached by Tab")


def new_match(page: Page, points: int = 1) -> None:
    body = {
        "kind": "dice",
        "rules": {"dice": [1, 1], "points": points},
        "seat": 0,
        "players": ["you", "honest"],
    }
    page.open(f"/play/{page.post('/games', body)['id']}", "main h1")
    page.wait(".seats")


def test_a_whole_match_is_played_by_clicks(page: Page) -> None:
    page.open("/play", "#start")
    page.choose({"dice-each": "1", "points": "1", "others-are": "doubter"})
    page.click("#start")
    page.wait(".seats")
    for _ in range(30):
        if "won the match" in page.wait("main h1").text:
            break
        before = page.shown()
        page.click("#next" if page.all("#next") else "#doubt" if page.all("#doubt") else ".say")
        page.changed(before)
        told = page.wait("main").text.replace("\n", " ")
        assert "You doubts" not in told
        assert "1 count for" not in told
    assert "won the match" in page.wait("main h1").text
    page.click("#ask-review")
    assert "You lost" in page.wait("#review", 60).text


def test_a_newcomer_learns_his_worst_decision_drills_it_and_finds_it(page: Page) -> None:
    """From the first page by its buttons alone: play, be told why, drill, explore."""
    page.open("/play", "#start")
    page.choose({"dice-each": "2", "points": "1", "others-are": "doubter"})
    page.click("#start")
    page.wait(".seats")
    # The largest claim there is: nobody doubts that it is a blunder.
    before = page.shown()
    page.window.execute_script(
        "const f = document.querySelectorAll('[id^=face-]'); f[f.length - 1].click();"
        "const s = document.querySelectorAll('.say'); s[s.length - 1].click()"
        if page.all(".say")
        else "document.getElementById('doubt').click()"
    )
    page.changed(before)
    told = page.wait("#review", 60)  # comes by itself
    assert "Your worst decision" in told.text
    assert "blunder" in told.text
    assert "about 0.000" not in told.text
    assert "true with a chance of" in page.wait("#review .reason").text
    assert page.all("#review .reason .claim svg")  # claims are drawn in the sentence
    hand = page.wait("#find").get_attribute("href").split("hand=")[1]
    page.click("#drill-mine")
    page.wait("[data-answer]")
    assert "From your own game" in page.wait("#drill").text
    assert "A table of 2 with 2 dice each." in page.wait("main").text
    page.window.back()
    assert "Your worst decision" in page.wait("#review", 60).text  # it is still there
    page.window.forward()
    page.wait("[data-answer]")
    page.click("[data-answer]")
    page.wait("#verdict")
    page.click("#find")
    page.wait('section[aria-label="One hand"]')
    assert page.window.current_url.split("hand=")[1] == hand
    page.window.back()
    page.wait("#drill")


def test_others_are_whoever_the_menu_names(page: Page) -> None:
    for kind in ("dice", "cards"):
        page.open("/play", "#start")
        page.click(f"#kind-{kind}")
        names = [o.get_attribute("value") for o in page.all("#set-others-are option")]
        known = page.window.execute_async_script(
            "const done = arguments[0]; fetch('/api/players').then(r => r.json()).then(done)"
        )[kind]
        assert [n for n in names if not str(n).startswith("file:")] == [p["name"] for p in known]
        for person in (known[1], known[-1]):
            page.open("/play", "#start")
            page.click(f"#kind-{kind}")
            page.choose({"others-are": person["name"]})
            assert person["about"] in page.wait("main .panel").text
            page.click("#start")
            page.wait(".seats")
            seats = [s.text.lower() for s in page.all(".seat b")]
            assert sum(person["name"] in s for s in seats) == len(seats) - 1
            page.open("/play", "#start")


def test_a_file_of_the_command_line_is_played_against(page: Page) -> None:
    page.open("/play", "#start")
    page.click("#kind-dice")
    page.choose({"others-are": "file:mine", "points": "1"})
    assert not page.all("#set-dice-each")  # the file has its own rules
    page.click("#start")
    page.wait(".seats")
    assert len(page.all("[id^=face-]")) == 4
    page.click("#hint")
    assert page.wait("#hint-shown table")
    page.window.execute_script(
        "const f = document.querySelectorAll('[id^=face-]'); f[f.length - 1].click();"
        "const s = document.querySelectorAll('.say'); s[s.length - 1].click()"
    )
    page.wait("#review", 60)
    page.click("#find")
    page.wait('section[aria-label="One hand"]')
    assert "file=mine" in page.window.current_url


def test_hints_and_reviews_at_a_table_of_three_have_values(page: Page) -> None:
    body = {"kind": "dice", "rules": {"dice": [5, 5, 5], "points": 1}, "seat": 0}
    game = page.post("/games", body | {"players": ["you", "doubter", "strategy"]})
    page.open(f"/play/{game['id']}", ".seats")
    page.click("#hint")
    assert "±" in page.wait("#hint-shown table").text
    page.click("[id^=face-6]")
    page.window.execute_script(
        "const s = document.querySelectorAll('.say'); s[s.length - 1].click()"
    )
    told = page.wait("#review", 60).text
    assert "Your worst decision" in told
    assert "±" in told
    page.open("/explore?game=dice&dice=5,5,5&hand=1,2,3,4,5", "#main .pm")
    assert "The position is worth" in page.wait('section[aria-label="Actions"]').text


@pytest.mark.parametrize("variant", ["mushka", "pamphile"])
def test_variants_are_chosen_trained_and_played(
    page: Page, variant: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))  # where trained strategies are kept
    given = {"pamphile": {"players": 3, "pamphile": True}, "mushka": {"players": 3}}[variant]
    rules = CardRules.mushka(**given) if variant == "mushka" else CardRules.from_dict(given)
    page.open("/play", "#start")
    page.click("#kind-cards")
    page.choose({"players": "3", "game": variant, "others-are": "strategy"})
    page.click("#start")
    page.click("#progress button")  # half a minute of training is shown, and ended
    WebDriverWait(page.window, 30).until(lambda w: "Cancelled" in page.wait("#status").text)
    path = trained_file(rules)
    path.parent.mkdir(parents=True, exist_ok=True)
    pot = rules.ante_chips * 2 if variant == "pamphile" else None
    solve_cards(rules, seconds=1.0, pot=pot, threads=1).save(path)
    page.click("#start")
    page.wait(".held")
    unit = {"mushka": "Worth is in points", "pamphile": "Worth is in pots"}[variant]
    page.click("#hint")
    assert page.wait("#hint-shown table")
    assert unit in page.wait("#hint-shown").text
    for _ in range(25):
        if page.all("#next") or page.all("main .verdict"):
            break
        before = page.shown()
        words = page.all(".say")
        stand = [w for w in words if w.get_attribute("data-word") == "stand"]
        if words:
            (stand or words)[0].click()
        else:
            page.click(".held:not(:disabled)")
        page.changed(before)
    assert page.all("#next") or page.all("main .verdict")
    told = page.wait("#review", 60).text
    assert "luck." in told
    assert unit in told or "Your worst decision" not in told


def test_a_review_that_runs_is_cancelled(page: Page) -> None:
    page.open("/review", "#go")
    long = write(random_game(CardRules(players=4), 7, max_deals=20))
    page.window.execute_script("document.getElementById('text').value = arguments[0]", long)
    page.click("#go")
    page.click("#reviewed .progress button")
    assert "Cancelled" in page.wait("#reviewed .error").text


def test_the_play_of_cards_is_explored_by_addresses_too(page: Page) -> None:
    page.open("/explore?game=cards&players=3", "#deal")
    page.click("#deal")
    page.wait('section[aria-label="Seats"]')
    for _ in range(4):
        links = page.all('section[aria-label="Actions"] p.row a[data-link]')
        stand = [a for a in links if a.text.startswith("stand")]
        before, address = page.shown(), page.window.current_url
        page.window.execute_script("arguments[0].click()", (stand or links)[0])
        page.changed(before)
        assert page.window.current_url != address
    deep, shown = page.window.current_url, page.shown()
    assert page.all('ol[aria-label="Trick"]')
    page.window.back()
    page.changed(shown)
    page.window.get(deep)
    page.wait('section[aria-label="Seats"]')
    assert page.shown() == shown


@pytest.mark.parametrize("phone", [False, True])
def test_every_room_paints_within_a_second_and_does_not_shift(page: Page, phone: bool) -> None:
    """The browser's own entries: first contentful paint, and layout shifts while a room fills."""
    if phone:
        page.window.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": 360, "height": 740, "deviceScaleFactor": 1, "mobile": True},
        )
    try:
        rooms = {
            "/play": "#start",
            "/advise": "#answer table",
            "/drill": ".say, #next",
            "/review": "#go",
            "/explore?game=dice&dice=1,1": "main table",
            "/explore?game=cards&players=3": "main table",
        }
        for path, css in rooms.items():
            page.open(path, css)
            paint, shift = page.window.execute_async_script(
                "const done = arguments[0]; const all = [];"
                "new PerformanceObserver((l) => all.push(...l.getEntries()))"
                ".observe({type: 'layout-shift', buffered: true});"
                "setTimeout(() => done([performance.getEntriesByName('first-contentful-paint')[0]"
                ".startTime, all.reduce((s, e) => s + e.value, 0)]), 300)"
            )
            assert paint < 1000, (path, paint)
            assert shift < 0.01, (path, shift)
    finally:
        page.window.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_a_whole_deal_is_played_by_clicks(page: Page) -> None:
    page.open("/play", "#start")
    page.click("#kind-cards")
    page.click("#start")
    page.wait(".held")
    for _ in range(20):
        if page.all("#next") or page.all("main .verdict"):
            break
        before = page.shown()
        stand = page.all('.say[data-word="stand"]')
        page.click('.say[data-word="stand"]' if stand else ".held:not(:disabled)")
        page.changed(before)
    page.click("#ask-review")
    assert page.wait("#review table, #review p", 60)


def test_a_review_shows_the_numbers_of_the_api(page: Page) -> None:
    page.open("/review", "#go")
    page.wait("#text").send_keys(TEXT)
    page.wait("#dice").clear()
    page.wait("#dice").send_keys("1,1")
    page.click("#go")
    page.wait("#reviewed table", 60)
    found = page.post("/review", {"text": TEXT, "rules": {"dice": [1, 1]}})
    for total in found["totals"]:
        cell = page.wait(f'tr[data-player="{total["player"]}"] .lost')
        assert cell.text == f"{total['loss']:.4f}"
    page.click("#after")
    assert "Decision 2" in page.wait('section[aria-label="One decision"]').text
    page.wait("#text").clear()
    page.wait("#text").send_keys("<img src=x onerror=alert(1)> : 1x1")
    page.click("#go")
    assert "line 1" in page.wait("#reviewed .error").text
    assert page.all("#reviewed img") == []


def test_a_drill_is_answered(page: Page) -> None:
    page.open("/drill", ".say")
    words = page.wait("#score").text.split()
    before = 0 if words[0] == "No" else int(words[2])
    page.click(".say")
    assert page.wait("#verdict mark, #verdict .mark").text in ("good", "missed")
    good, of = page.wait("#score").text.split()[:3:2]
    assert int(of) == before + 1 >= int(good)


def test_every_position_has_an_address_and_back_works(page: Page) -> None:
    page.open("/explore?game=dice&dice=1,1&history=1x3", 'section[aria-label="Actions"]')
    assert page.wait('nav[aria-label="Claims so far"]').text.split() == ["Start", "\u203a", "1x3"]
    before = page.shown()
    page.click('section[aria-label="Actions"] a[data-link]')
    page.changed(before)
    deep = page.window.current_url
    assert "history=1x3%2C" in deep or "history=1x3," in deep
    after = page.shown()
    page.window.back()
    page.changed(after)
    assert page.shown() == before
    page.window.get(deep)
    page.wait('section[aria-label="Actions"]')
    assert page.shown() == after


def test_cards_are_explored_and_advised(page: Page) -> None:
    page.open("/explore?game=cards&players=3", "main table")
    page.click('section[aria-label="Chart"] p.row a')
    WebDriverWait(page.window, 20).until(
        lambda w: "Seat 2 of 3" in w.find_element(By.TAG_NAME, "main").text
    )
    assert "declared=" in page.window.current_url
    page.open("/advise", "#answer table")
    assert "worth" in page.wait("#answer h2").text


def test_a_phone_shows_everything_without_scrolling_sideways(page: Page) -> None:
    page.window.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": 360, "height": 740, "deviceScaleFactor": 1, "mobile": True},
    )
    try:
        new_match(page)
        rooms = [
            ("/play", "#start"),
            ("/advise", "#answer table"),
            ("/review", "#go"),
            ("/drill", ".say, #next"),
            ("/explore?game=dice&dice=1,1", "main table"),
            ("/explore?game=cards&players=3", "main table"),
        ]
        for path, css in [(urlsplit(page.window.current_url).path, ".seats"), *rooms]:
            page.open(path, css)
            wide = page.window.execute_script("return document.documentElement.scrollWidth")
            assert wide <= 360, path
    finally:
        page.window.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_a_match_is_played_by_keys_alone(page: Page) -> None:
    new_match(page)
    for _ in range(40):
        if "won the match" in page.wait("main h1").text:
            return
        before = page.shown()
        keys = page.window.switch_to.active_element
        for _ in range(60):
            keys = page.window.switch_to.active_element
            wanted = keys.get_attribute("id") in ("doubt", "next")
            if wanted or "say" in (keys.get_attribute("class") or "").split():
                break
            keys.send_keys(Keys.TAB)
        page.window.switch_to.active_element.send_keys(Keys.ENTER)
        page.changed(before)
    raise AssertionError("the match does not end")


def test_a_deal_is_set_up_and_played_by_keys_alone(page: Page) -> None:
    page.open("/play", "#start")
    for name in ("kind-cards", "start"):
        by_keys(page, lambda e, name=name: e.get_attribute("id") == name)
    page.wait(".held")

    def wanted(element: Any) -> bool:
        kinds = (element.get_attribute("class") or "").split()
        if page.all('.say[data-word="stand"]'):
            return bool(element.get_attribute("data-word") == "stand")
        return "held" in kinds and element.is_enabled()

    for _ in range(20):
        if page.all("#next"):
            break
        before = page.shown()
        by_keys(page, wanted)
        page.changed(before)
    page.wait("#next")
    page.wait("#review", 60)  # the focus waits on the next deal
    assert page.window.switch_to.active_element.get_attribute("id") == "next"
    by_keys(page, lambda e: e.get_attribute("id") in ("drill-mine", "step"))
    page.wait("#drill, #reviewed table", 60)


@pytest.mark.skipif(not AXE.is_file(), reason="axe-core is not installed (npm install axe-core)")
@pytest.mark.parametrize("dark", [False, True])
def test_axe_finds_no_serious_violation(page: Page, dark: bool) -> None:
    scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
    page.window.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})
    new_match(page)
    rooms = [
        (urlsplit(page.window.current_url).path, ".seats"),
        ("/play", "#start"),
        ("/advise", "#answer table"),
        ("/drill", ".say, #next"),
        ("/review", "#go"),
        ("/explore?game=dice&dice=1,1&hand=3", "main table"),
        ("/explore?game=cards&players=3", "main table"),
    ]
    for path, css in rooms:
        page.open(path, css)
        page.window.execute_script(AXE.read_text(encoding="utf-8"))
        found = page.window.execute_async_script(
            "const done = arguments[0]; axe.run().then(r => done(r.violations.map(v => "
            "({id: v.id, impact: v.impact, nodes: v.nodes.map(n => n.html).slice(0, 3)}))))"
        )
        serious = [v for v in found if v["impact"] in ("serious", "critical")]
        assert serious == [], (path, json.dumps(serious, indent=1))


def test_fifty_clients_at_once_lose_nothing(address: str) -> None:
    parts = urlsplit(address)
    root, token = f"{parts.scheme}://{parts.netloc}", parts.query.removeprefix("token=")
    headers = {"x-mouche-token": token, "origin": root, "content-type": "application/json"}

    def post(path: str, body: dict[str, Any]) -> Any:
        data = json.dumps(body).encode()
        request = urllib.request.Request(f"{root}/api{path}", data, headers)
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)

    def client(number: int) -> bool:
        rules = {"dice": [1, 1], "points": 1}
        game = post(
            "/games", {"kind": "dice", "rules": rules, "seat": 0, "players": ["you", "doubter"]}
        )
        while not game["over"]:
            mine = game["turn"] == 0
            word = "doubt" if "doubt" in game["legal"] else next(iter(game["legal"]), "")
            verb = "act" if mine else "next"
            game = post(f"/games/{game['id']}/{verb}", {"action": word})
        return game["winner"] is not None

    with ThreadPoolExecutor(50) as pool:
        assert all(pool.map(client, range(50)))
