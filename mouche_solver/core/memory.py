"""Asking first: how much memory and disk there is."""

import os
import shutil
import sys
from pathlib import Path


def available_memory() -> int | None:
    """Bytes of memory that a new program may use, as the system tells; None if it does not.

    A container's limit counts when it is lower.
    """
    limits = []
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
        free = [line for line in lines if line.startswith("MemAvailable:")]
        limits.append(int(free[0].split()[1]) * 1024)
    except (OSError, ValueError, IndexError):
        pass
    try:
        ceiling = int(Path("/sys/fs/cgroup/memory.max").read_text(encoding="ascii"))
        used = int(Path("/sys/fs/cgroup/memory.current").read_text(encoding="ascii"))
        limits.append(max(0, ceiling - used))
    except (OSError, ValueError):
        pass
    if not limits and hasattr(os, "sysconf"):
        try:
            limits.append(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
        except (OSError, ValueError):
            return None
    return min(limits) if limits else None


def available_disk(folder: Path) -> int | None:
    """Free bytes where ``folder`` is; None when that cannot be told."""
    try:
        return shutil.disk_usage(folder).free
    except OSError:
        return None


def peak_memory() -> int | None:
    """Most bytes of memory that this process ever held; None if the system does not tell."""
    try:
        import resource
    except ImportError:  # not a Unix
        return None
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def human(size: float) -> str:
    """A size for people.

    Examples
    --------
    >>> human(2_610_000_000)
    '2.6 GB'
    """
    for unit in ("bytes", "kB", "MB", "GB", "TB", "PB"):
        if size < 1000 or unit == "PB":
            break
        size /= 1000
    return f"{size:.0f} {unit}" if unit == "bytes" or size >= 100 else f"{size:.1f} {unit}"
