"""The run loop, with a solver whose exploitability is known."""

import os
import signal
import threading
import time

import pytest

from mouche_solver.core.interrupts import ending_cleanly, interruptible
from mouche_solver.core.quality import Quality, Trend
from mouche_solver.core.run import Limits, Progress, run
from mouche_solver.errors import RulesError


class Halving:
    """Exploitability 1/t; optionally asks for an interrupt at some iteration."""

    def __init__(
        self,
        interrupt_at: tuple[int, ...] = (),
        pause: float = 0.0,
        number: signal.Signals = signal.SIGINT,
    ) -> None:
        self.number = number
        self.iteration = 0
        self.entries = 100
        self.interrupt_at, self.pause = interrupt_at, pause

    def iterate(self) -> None:
        time.sleep(self.pause)
        for _ in range(self.interrupt_at.count(self.iteration + 1)):
            os.kill(os.getpid(), self.number)
        self.iteration += 1

    def measure(self) -> Quality:
        return Quality(0.0, -1 / self.iteration, 1 / self.iteration)


def test_it_stops_at_the_target_soon_after_it_is_reached() -> None:
    outcome = run(Halving(), Limits(1e-2))
    assert outcome.reason == "target"
    assert 100 <= outcome.iterations <= 113
    assert outcome.quality.exploitability <= 1e-2


def test_it_stops_at_the_iterations_and_measures_what_it_has() -> None:
    outcome = run(Halving(), Limits(1e-9, iterations=17))
    assert (outcome.reason, outcome.iterations) == ("iterations", 17)
    assert outcome.quality.exploitability == pytest.approx(1 / 17)


def test_it_stops_at_the_time_limit() -> None:
    outcome = run(Halving(pause=0.01), Limits(1e-9, seconds=0.2))
    assert outcome.reason == "seconds"
    assert outcome.seconds < 0.5


def test_the_first_interrupt_is_acknowledged_and_ends_in_a_checkpoint() -> None:
    phases: list[str] = []
    written: list[int] = []
    solver = Halving(interrupt_at=(5,))

    def report(event: Progress) -> None:
        phases.append(event.phase)

    outcome = run(solver, Limits(1e-9), report, lambda: written.append(solver.iteration))
    assert outcome.reason == "interrupted"
    assert outcome.iterations == 5
    assert written == [5]
    assert phases.index("stopping") < phases.index("checkpoint")


def test_the_second_interrupt_ends_at_once() -> None:
    written: list[int] = []
    with pytest.raises(KeyboardInterrupt):
        run(Halving(interrupt_at=(5, 5)), Limits(1e-9), None, lambda: written.append(1))
    assert written == []


def test_afterwards_an_interrupt_is_an_interrupt_again() -> None:
    before = signal.getsignal(signal.SIGINT)
    run(Halving(), Limits(0.5))
    assert signal.getsignal(signal.SIGINT) is before


ENDS = [signal.SIGTERM, signal.SIGHUP]


@pytest.mark.parametrize("number", ENDS)
def test_the_end_of_a_session_ends_in_a_checkpoint(number: signal.Signals) -> None:
    solver = Halving(interrupt_at=(5, 5), number=number)  # a terminal that closes sends two
    written: list[int] = []
    before = [signal.getsignal(each) for each in ENDS]
    outcome = run(solver, Limits(1e-9), None, lambda: written.append(solver.iteration))
    assert (outcome.reason, written) == ("interrupted", [5])
    assert [signal.getsignal(each) for each in ENDS] == before


def test_a_program_keeps_its_own_handlers() -> None:
    heard: list[int] = []
    own = [signal.signal(each, lambda number, _: heard.append(number)) for each in ENDS]
    try:
        outcome = run(Halving(interrupt_at=(5,), number=signal.SIGTERM), Limits(0.1))
        assert (outcome.reason, heard) == ("target", [signal.SIGTERM])
        signal.signal(signal.SIGHUP, signal.SIG_IGN)  # as nohup does
        outcome = run(Halving(interrupt_at=(5,), number=signal.SIGHUP), Limits(0.1))
        assert outcome.reason == "target"
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        for each, handler in zip(ENDS, own, strict=True):
            signal.signal(each, handler)


def test_a_handler_that_is_not_pythons_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """It reads as None, and could not be put back."""
    monkeypatch.setattr(signal, "getsignal", lambda number: None)
    monkeypatch.setattr(signal, "signal", lambda number, handler: pytest.fail("was replaced"))
    assert run(Halving(), Limits(0.1)).reason == "target"


def test_a_handler_set_from_python_is_put_back() -> None:
    def own(number: int, frame: object) -> None:
        raise AssertionError

    before = signal.signal(signal.SIGINT, own)
    try:
        assert run(Halving(interrupt_at=(5,)), Limits(1e-9)).reason == "interrupted"
        assert signal.getsignal(signal.SIGINT) is own
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("number", ENDS)
def test_between_runs_the_end_of_a_session_is_an_interrupt(number: signal.Signals) -> None:
    before = signal.getsignal(number)
    with ending_cleanly():
        with interruptible(lambda: None) as interrupt:
            os.kill(os.getpid(), number)
        assert interrupt.asked
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), number)
    assert signal.getsignal(number) is before


def test_it_runs_outside_the_main_thread() -> None:
    found: list[str] = []
    worker = threading.Thread(target=lambda: found.append(run(Halving(), Limits(0.1)).reason))
    worker.start()
    worker.join()
    assert found == ["target"]


def test_progress_tells_exploitability_trend_and_rate() -> None:
    events: list[Progress] = []
    run(Halving(pause=0.001), Limits(1e-2), events.append)
    measured = [event for event in events if event.phase == "measured"]
    assert [event.phase for event in events[:2]] == ["compiling", "iterating"]
    assert measured[-1].slope == pytest.approx(-1.0, abs=1e-6)
    assert measured[-1].remaining == pytest.approx(0.0, abs=0.1)
    assert measured[-1].entries_per_second is not None


def test_a_trend_needs_three_points_and_a_fall() -> None:
    trend = Trend()
    assert trend.iterations_to(0.1) is None
    for iteration in (10, 20, 40):
        trend.add(iteration, 1 / iteration)
    assert trend.iterations_to(1e-3) == pytest.approx(1000)
    rising = Trend([(10, 0.1), (20, 0.2), (40, 0.3)])
    assert rising.iterations_to(1e-3) is None


@pytest.mark.parametrize(
    "limits",
    [
        {"target": 0.0},
        {"target": -1.0},
        {"target": float("nan")},
        {"iterations": 0},
        {"seconds": 0.0},
        {"seconds": float("nan")},
    ],
)
def test_limits_without_sense_are_refused(limits: dict[str, float]) -> None:
    with pytest.raises(RulesError, match="needed"):
        Limits(**limits)  # type: ignore[arg-type]
