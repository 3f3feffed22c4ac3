"""Processes that work on chunks: any number of them, and whatever dies, gives the same bits."""

import os
import secrets
import signal
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from mouche_solver.cards import CardRules
from mouche_solver.cards.measure.challengers import Responses, challenge
from mouche_solver.cards.strategy.levels import Abstraction
from mouche_solver.cards.strategy.strategy import CardStrategy
from mouche_solver.cards.train.trainer import Batch, CardTrainer
from mouche_solver.cli.app import main
from mouche_solver.cluster.crew import RayCrew
from mouche_solver.cluster.parcels import packed, unpacked
from mouche_solver.core.chunks import crew_of
from mouche_solver.errors import ClusterError, RulesError
from mouche_solver.storage.cards.strategies import save_strategy

RULES = CardRules(players=2, ranks="K Q J A", suits="C D", hand_size=3, reshuffle=False)


def strategy(seed: int = 1) -> CardStrategy:
    trainer = CardTrainer(Abstraction(RULES), seed=seed, batch=Batch(64, 64, 1, 1 << 12))
    trainer.train_round()
    trainer.close()
    return trainer.strategy()


@dataclass(frozen=True)
class Cut:
    """A job that can do everything but its chunk."""

    numbers: np.ndarray
    killed: Path | None = None

    def __call__(self, start: int, stop: int) -> tuple[float, int]:
        if self.killed is not None and start == 30 and not self.killed.exists():
            self.killed.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        if start < 0:
            raise RulesError(f"start={start}")
        return float(self.numbers[start:stop].sum()), os.getpid()


@dataclass(frozen=True)
class Suicide:
    """A job that no process survives."""

    def __call__(self, number: int) -> None:
        os.kill(os.getpid(), signal.SIGKILL)


def test_large_arrays_travel_apart_once_for_each_content():
    zeros, apart = np.zeros(10_000), {}
    read_only = np.zeros(10_000)
    read_only.flags.writeable = False
    game = strategy().game
    parcel = packed([zeros, zeros.copy(), read_only, zeros[:2], game], apart.__setitem__)
    assert len(apart) == 2
    one, two, three, four, again = unpacked(parcel, apart)
    assert one is two
    assert one.flags.writeable
    assert not three.flags.writeable
    np.testing.assert_array_equal(four, zeros[:2])
    assert (again, again.dtype, type(again)) == (game, game.dtype, type(game))
    again["players"] = 7
    assert again["players"] == 7


@pytest.mark.usefixtures("ray")
def test_results_come_in_order_from_several_processes():
    numbers = np.arange(100_000.0)
    starts = range(0, 1000, 10)
    job = Cut(numbers)
    with RayCrew("local:2", 1) as crew, crew_of(crew) as same:
        assert same is crew
        found = crew.map(job, starts, range(10, 1010, 10))
        assert [total for total, _ in found] == [numbers[s : s + 10].sum() for s in starts]
        processes = {process for _, process in found}
        assert len(processes) == 2
        assert os.getpid() not in processes
        assert crew.map(job, [], []) == []
        # Whoever leaves off in the middle can begin something else.
        assert next(crew.each(job, [5] * 9, [7] * 9))[0] == 11.0
        with pytest.raises(RulesError, match="start=-1"):
            crew.map(job, [0, -1], [1, 1])
        assert crew.map(Cut(numbers + 1), [0], [2])[0][0] == 3.0


@pytest.mark.usefixtures("ray")
def test_chunks_of_a_killed_process_are_done_again(tmp_path):
    told: list[str] = []
    job = Cut(np.arange(1000.0), tmp_path / "killed")
    with RayCrew("local:2", 1, told.append) as crew:
        found = crew.map(job, range(0, 600, 10), range(10, 610, 10))
    assert [total for total, _ in found] == [sum(range(s, s + 10)) for s in range(0, 600, 10)]
    assert (tmp_path / "killed").exists()
    assert len(told) == 1
    assert "its chunks are done again" in told[0]


@pytest.mark.usefixtures("ray")
def test_processes_that_always_die_end_the_run():
    with RayCrew("local:2", 1) as crew, pytest.raises(ClusterError, match="died 6 times"):
        crew.map(Suicide(), range(4))


def measured(found: CardStrategy, crew):
    responses = Responses(declarations=20_000, play=256, guesses=16, table=10_000)
    return challenge(found, {"other": strategy(2)}, 2, 8192, 3, crew, responses, thinking=8)


@pytest.mark.usefixtures("ray")
def test_every_challenger_is_measured_with_the_same_bits():
    found = strategy()
    here = measured(found, 1)
    assert len(here) == 11
    for many in (1, 2):
        with RayCrew(f"local:{many}", 1) as crew:
            assert measured(found, crew) == here


@pytest.mark.parametrize("command", ["tournament", "evaluate"])
def test_refusals_of_the_commands(command, capsys, tmp_path, monkeypatch):
    path = tmp_path / "strategy.npz"
    save_strategy(strategy(), path)
    words = ["cards", command, str(path), *(["thumb"] if command == "tournament" else [])]
    monkeypatch.setitem(os.environ, "RAY_AUTH_MODE", "token")
    monkeypatch.setitem(os.environ, "RAY_USAGE_STATS_ENABLED", "0")
    assert main([*words, "--cluster", "local:0"]) == 2
    assert "allowed are local:N" in capsys.readouterr().err
    monkeypatch.setitem(sys.modules, "ray", None)
    assert main([*words, "--cluster", "local:2"]) == 2
    error = capsys.readouterr().err
    assert error.strip() == "mouche: --cluster needs ray: pip install 'mouche-solver[cluster]'"
    assert main(["cards", "evaluate", str(path), "--sense", "--cluster", "local:2"]) == 2
    assert "--cluster does not go with --sense" in capsys.readouterr().err


SEVERAL = """
import ray
from ray.cluster_utils import Cluster
from mouche_solver.cluster.crew import RayCrew

def node(self):
    return ray.get_runtime_context().get_node_id()

less = {"include_dashboard": False, "object_store_memory": 100_000_000}
raylets = Cluster(initialize_head=True, head_node_args={"num_cpus": 1} | less)
raylets.add_node(num_cpus=2, object_store_memory=100_000_000)
import os
os.environ["RAY_ADDRESS"] = raylets.address
for _ in range(3):  # Ray's own spreading needed a second time to go wrong
    with RayCrew("auto") as crew:
        assert crew.map(abs, range(-40, 0)) == list(range(40, 0, -1))
        places = [ray.get(worker.actor.__ray_call__.remote(node)) for worker in crew._workers]
        processors = {each["NodeID"]: each["Resources"]["CPU"] for each in ray.nodes()}
        assert len(set(places)) == 2
        assert [worker.threads for worker in crew._workers] == [processors[p] for p in places]
raylets.shutdown()
"""


@pytest.mark.skipif(find_spec("ray") is None, reason="ray is not installed")
def test_each_machine_has_one_worker_with_its_processors():
    environment = {k: v for k, v in os.environ.items() if not k.startswith("RAY_")}
    environment |= {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32)}
    done = subprocess.run(
        [sys.executable, "-c", SEVERAL], env=environment, capture_output=True, timeout=120
    )
    assert done.returncode == 0, done.stderr.decode()


def left(mark: str, seconds: float) -> set[int]:
    """Processes that inherited a mark in their environment and do not go away."""
    until = time.monotonic() + seconds
    while True:
        found = set()
        for path in Path("/proc").glob("[0-9]*/environ"):
            with suppress(OSError):
                if mark.encode() in path.read_bytes():
                    found.add(int(path.parent.name))
        if not found or time.monotonic() > until:
            return found
        time.sleep(0.1)


def working(mark: str) -> list[int]:
    """The workers of a run that play a chunk."""
    found = []
    for process in left(mark, 0):
        with suppress(OSError):
            if b"ChunkActor.run" in Path(f"/proc/{process}/cmdline").read_bytes():
                found.append(process)
    return found


def tournament(path: Path, deals: int, mark: str, *more: str) -> "subprocess.Popen[bytes]":
    run = "import sys; from mouche_solver.cli import main; sys.exit(main())"
    environment = {k: v for k, v in os.environ.items() if not k.startswith("RAY_")}
    words = ["cards", "tournament", str(path), "thumb", "--deals", str(deals), *more]
    return subprocess.Popen(
        [sys.executable, "-c", run, *words],
        env=environment | {"MOUCHE_TEST": mark},
        start_new_session=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


@pytest.mark.skipif(find_spec("ray") is None, reason="ray is not installed")
@pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="reads /proc")
@pytest.mark.parametrize("what", ["a worker is killed", "Ctrl-C"])
def test_a_tournament_is_disturbed(what, tmp_path):
    path, mark = tmp_path / "strategy.npz", f"crew-{secrets.token_hex(8)}"
    save_strategy(strategy(), path)
    deals = 1_000_000_000 if what == "Ctrl-C" else 2_000_000
    with tournament(path, deals, mark, "--cluster", "local:2") as driver:
        for _ in range(600):
            time.sleep(0.1)
            workers = working(mark)
            if driver.poll() is not None or workers:
                break
        if what == "Ctrl-C":
            os.killpg(driver.pid, signal.SIGINT)  # as a terminal does, to all of the group
        else:
            os.kill(workers[0], signal.SIGKILL)
        out, error = driver.communicate(timeout=120)
    assert b"Traceback" not in error
    if what == "Ctrl-C":
        assert (driver.returncode, out) == (130, b""), error
    else:
        assert driver.returncode == 0, error
        assert b"its chunks are done again" in error
        with tournament(path, deals, mark) as alone:
            assert alone.communicate()[0] == out
    assert left(mark, 10) == set()
