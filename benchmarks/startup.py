"""What a user waits for before anything happens: imports and small commands, wall time.

Run with ``python benchmarks/startup.py``; limits are 0.15 s for the import and 0.7 s for odds.
"""

import platform
import subprocess
import sys
import time
from statistics import median

RUNS = 11
MAIN = "from mouche_solver.cli import main; raise SystemExit(main({!r}))"
CASES = {
    "python alone": "pass",
    "import mouche_solver": "import mouche_solver",
    "mouche --help": MAIN.format(["--help"]),
    "mouche dice odds 5x5": MAIN.format(["dice", "odds", "5x5", "--format", "json"]),
    "mouche dice odds, 100 dice": MAIN.format(["dice", "odds", "--dice", ",".join(["10"] * 10)]),
}


def seconds(code: str) -> float:
    """Wall time of one new process."""
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - start


if __name__ == "__main__":
    print(f"Python {platform.python_version()}, {platform.machine()}, median of {RUNS} runs")
    for name, code in CASES.items():
        seconds(code)  # fill the disk cache
        print(f"{name:30} {median(seconds(code) for _ in range(RUNS)):.3f} s")
