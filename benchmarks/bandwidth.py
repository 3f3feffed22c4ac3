"""What the memory of this machine gives several threads: the yardstick of the large sweeps.

``python benchmarks/bandwidth.py`` prints GB/s for one and two threads.
"""

import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numba import njit

# Per thread and array 128 MB: several times the last cache.
_NUMBERS = 1 << 25


@njit(nogil=True, fastmath=True)
def _update(a: Any, b: Any, scale: Any) -> None:
    """Scale and add, in place: reads two numbers and writes one, as regret updates do.

    The arrays are read before they are written, so no traffic is hidden, as it is in STREAM's triad
    where a cache first fetches the line that it overwrites.
    """
    for x in range(len(a)):
        a[x] = a[x] * scale + b[x]


def bandwidth(threads: int, repeats: int = 8) -> float:
    """Best of several passes, bytes per second of all threads together."""
    arrays = [tuple(np.ones(_NUMBERS, dtype=np.float32) for _ in "ab") for _ in range(threads)]
    scale = np.float32(0.5)
    _update(*(array[:8] for array in arrays[0]), scale)
    most = 0.0
    with ThreadPoolExecutor(threads) as pool:
        for _ in range(repeats):
            start = time.perf_counter()
            for done in [pool.submit(_update, a, b, scale) for a, b in arrays]:
                done.result()
            most = max(most, 12.0 * _NUMBERS * threads / (time.perf_counter() - start))
    return most


if __name__ == "__main__":
    for count in (1, 2):
        print(f"{count} threads: {bandwidth(count) / 1e9:.1f} GB/s")
