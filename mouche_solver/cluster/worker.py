"""What runs in a worker's process, wherever Ray puts it: chunks of a job."""

from threading import Lock
from typing import Any

import numpy as np

from mouche_solver.cluster.parcels import Array, packed, unpacked


class ChunkActor:
    """Works on chunks, several at a time in threads; Ray makes an actor of it."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._number, self._job = -1, None
        self._arrays: dict[bytes, Array] = {}

    def run(self, number: int, box: list[Any], chunk: bytes) -> bytes:
        """The result of a chunk.

        Parameters
        ----------
        number : int
            Of the job; it is opened when it comes for the first time.
        box : list
            Holds Ray's reference to the job: its parcel, and references to its large arrays.
        chunk : bytes
            What the job is called with.
        """
        return packed(self._opened(number, box)(*unpacked(chunk)))

    def _opened(self, number: int, box: list[Any]) -> Any:
        with self._lock:
            if number != self._number:
                import ray

                parcel, apart = ray.get(box[0])
                # Kept from the last job, if it had them: a strategy is copied once.
                known = {digest: self._arrays.get(digest) for digest in apart}
                self._arrays = {
                    digest: _own(ray.get(reference[0])) if array is None else array
                    for (digest, reference), array in zip(
                        apart.items(), known.values(), strict=True
                    )
                }
                self._job, self._number = unpacked(parcel, self._arrays), number
            return self._job


def _own(sent: tuple[Array, bool]) -> Array:
    """A copy that can be written if the original could."""
    array, writeable = sent
    array = np.array(array)
    array.flags.writeable = writeable
    return array
