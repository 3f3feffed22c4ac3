"""Small strategies of every kind, and pages: their addresses, and a real browser."""

import shutil
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest

from mouche_solver.analysis import DiceSolution, solve_dice
from mouche_solver.cards import (
    Abstraction,
    CardRules,
    CardStrategy,
    CardTrainer,
    Census,
    take_census,
    try_unseen_exchanges,
)
from mouche_solver.cards.measure.census import Stands
from mouche_solver.cards.train.trainer import Batch
from mouche_solver.dice import DiceRules
from mouche_solver.dice.round.book import cut_book
from mouche_solver.dice.round.strategy import RoundStrategy

KINDS = ["plain", "wild", "exactly", "quantity-first", "book"]


@pytest.fixture(scope="session")
def plain() -> DiceSolution:
    """Two dice against one; every table of it is small.

    Without trembles, so that ranges and reaches are everywhere those of the stored mixes.
    """
    rules = DiceRules(dice=(2, 1), faces=3)
    return solve_dice(rules, target=1e-3, threads=1, tremble=0)


@pytest.fixture(scope="session", params=KINDS)
def strategy(request: pytest.FixtureRequest, plain: DiceSolution) -> RoundStrategy:
    """Anything that the tables must work on."""
    if request.param == "plain":
        return plain
    if request.param == "book":
        solved = solve_dice(DiceRules(dice=(2, 2), faces=3), target=1e-3, threads=1)
        return cut_book(solved, rim=120)
    rules = {
        "wild": DiceRules(dice=(1, 2), faces=3, wild=1),
        "exactly": DiceRules(dice=(2, 1), faces=3, truth="exactly", minimum_opening=2),
        "quantity-first": DiceRules(dice=(1, 2), faces=3, raise_rule="quantity-first"),
    }[request.param]
    return solve_dice(rules, target=1e-3, threads=1)


class Outside(HTMLParser):
    """Collects every address that a page could load."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = {"src", "href", "xlink:href", "action", "srcset"}
        self.found += [value or "" for name, value in attrs if name in names]


@pytest.fixture(scope="session")
def addresses_of() -> Callable[[str], list[str]]:
    """Every address in the text of a page."""

    def find(text: str) -> list[str]:
        parser = Outside()
        parser.feed(text)
        return parser.found

    return find


class Page:
    """What tests ask of an open page."""

    def __init__(self, driver) -> None:
        self.driver = driver

    def one(self, css: str):
        return self.driver.find_element("css selector", css)

    def all(self, css: str) -> list:
        return self.driver.find_elements("css selector", css)

    def texts(self, css: str) -> list[str]:
        """Of the elements that one can see."""
        return [each.text for each in self.all(css) if each.is_displayed()]

    def clear(self, box) -> None:
        """Empty a box as a person does; WebDriver's own way tells the page nothing."""
        box.clear()
        told = "arguments[0].dispatchEvent(new Event('input', {bubbles: true}))"
        self.driver.execute_script(told, box)

    def log(self) -> list:
        return self.driver.get_log("browser")


@pytest.fixture(scope="session")
def open_page() -> Iterator[Callable[[Path], Page]]:
    """Opens a file in headless Chromium; skips where there is none."""
    browser, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if browser is None or driver is None:
        pytest.skip("needs a browser: apt-get install chromium chromium-driver")
    webdriver = pytest.importorskip("selenium.webdriver")
    options = webdriver.ChromeOptions()
    options.binary_location = browser
    # No sandbox and no shared memory: containers have neither.
    for flag in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    window = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))
    window.set_window_size(1200, 1600)

    def go(file: Path) -> Page:
        window.get(file.as_uri())
        return Page(window)

    try:
        yield go
    finally:
        window.quit()


def _trained(rules: CardRules, declarations: str) -> CardStrategy:
    trainer = CardTrainer(Abstraction(rules, declarations), batch=Batch(256, 256, 2, 64))
    for _ in range(3):
        trainer.train_round()
    trainer.close()
    return trainer.strategy()


TINY = CardRules(players=3, ranks="K Q J A", suits="C D", hand_size=1)


@pytest.fixture(scope="session")
def tiny() -> CardStrategy:
    """Three players with one card each out of eight; every deal can be counted."""
    return _trained(TINY, "hands")


@pytest.fixture(scope="session")
def exact_cards() -> CardStrategy:
    """Three players with two cards, every history told apart."""
    return _trained(CardRules(players=3, ranks="K Q J", suits="C D H", hand_size=2), "exact")


@pytest.fixture(scope="session")
def swapping() -> CardStrategy:
    """A dealer who may take the turn-up: a context for each rank, two actions for a number."""
    return _trained(TINY.replace(dealer_takes_trump=True, hand_size=2), "coarse")


CARD_KINDS = ["two", "three", "dealer takes", "every set"]


def small_cards(kind: str) -> CardStrategy:
    """Some rounds of training; hands of two cards, so that all of them can be asked."""
    rules = {
        "two": CardRules(players=2, ranks="K Q J", suits="C D", hand_size=2),
        "three": CardRules(players=3, ranks="K Q J A", suits="C D H", hand_size=2),
        "dealer takes": CardRules(
            players=2, ranks="K Q J", suits="C D H", hand_size=2, dealer_takes_trump=True
        ),
        "every set": CardRules(players=2, ranks="K Q J A", suits="C D H", hand_size=2),
    }[kind]
    laying = "every" if kind == "every set" else "rule"
    batch = Batch(256, 128, 2, 1 << 12)
    trainer = CardTrainer(Abstraction(rules, laying=laying), seed=3, batch=batch)
    for _ in range(20):
        trainer.train_round()
    trainer.close()
    return trainer.strategy()


@pytest.fixture(scope="session")
def three_cards() -> CardStrategy:
    """Three players with two cards each."""
    return small_cards("three")


@pytest.fixture(scope="session", params=CARD_KINDS)
def any_cards(request: pytest.FixtureRequest, three_cards: CardStrategy) -> CardStrategy:
    """Any card strategy that the tables must work on."""
    return three_cards if request.param == "three" else small_cards(request.param)


@pytest.fixture(scope="session")
def census(three_cards: CardStrategy) -> Census:
    """Sampled deals of three players."""
    return take_census(three_cards, 40_000, seed=1)


@pytest.fixture(scope="session")
def stands(three_cards: CardStrategy) -> Stands:
    """The stands in the same deals."""
    return try_unseen_exchanges(three_cards, 40_000, seed=1)
