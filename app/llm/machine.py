"""What is known about this machine is measured or remembered here; nothing of it loads a model library.

A build of llama.cpp that crashed on this processor with its fast buffers is remembered under a key made of the
processor, the build and the version: a new processor or a new build gets a fresh chance.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import importlib.util
import json
import os
import platform
import time
from pathlib import Path

from app.paths import read_note, replace_file

_PROC = Path("/proc")
_GROUP = Path("/sys/fs/cgroup")
_WINDOW = 0.3  # seconds over which cores are watched


def physical_cores() -> int:
    """Cores that this process may use; hyperthreads don't count, since llama.cpp gains nothing from them."""
    allowed = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set(range(os.cpu_count() or 1))
    cores = {
        (block.get("physical id", "0"), block.get("core id", block["processor"]))
        for block in _processors()
        if block.get("processor", "").isdigit() and int(block["processor"]) in allowed
    }
    count = len(cores) or len(allowed)
    quota, _, period = _text(_GROUP / "cpu.max").strip().partition(" ")
    granted = int(quota) // int(period) if quota.isdigit() and period.isdigit() else count
    return max(1, min(count, granted))


def available_memory() -> int | None:
    """Bytes that can be taken without swapping; None where the system does not say."""
    limit, used = _number(_GROUP / "memory.max"), _number(_GROUP / "memory.current")
    lines = (line.split() for line in _text(_PROC / "meminfo").splitlines())
    known = [int(words[1]) * 1024 for words in lines if words and words[0] == "MemAvailable:"]
    if limit is not None and used is not None:
        known.append(max(0, limit - used))
    return min(known, default=None)


def total_memory() -> int | None:
    """Bytes that the machine, or the container, has; None where the system does not say."""
    names = ("SC_PHYS_PAGES", "SC_PAGE_SIZE")
    machine = os.sysconf(names[0]) * os.sysconf(names[1]) if all(name in os.sysconf_names for name in names) else None
    return min((known for known in (machine, _number(_GROUP / "memory.max")) if known is not None), default=None)


def model_library_version() -> str | None:
    """Of llama-cpp-python; None when it is not installed."""
    try:
        return importlib.metadata.version("llama-cpp-python")
    except importlib.metadata.PackageNotFoundError:
        return None


def build_key() -> str:
    """Names this processor with this build of the model library."""
    block = next(iter(_processors()), {})
    model = block.get("model name", platform.processor())
    processor = " ".join((platform.machine(), platform.system(), model, block.get("flags", "")))
    spec = importlib.util.find_spec("llama_cpp")  # finding it does not import it
    folders = [Path(place) / "lib" for place in (spec.submodule_search_locations or [])] if spec else []
    files = sorted(file for folder in folders if folder.is_dir() for file in folder.iterdir() if file.is_file())
    built = [f"{file.name} {file.stat().st_size} {file.stat().st_mtime_ns}" for file in files]
    parts = (processor, model_library_version() or "none", *built)
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:24]


class FreeCores:
    """Says how many threads are worth it just now: the idle cores and those that this process gets already.

    Measured from the kernel's counters between two calls; where there are none, always `most`.
    """

    def __init__(self, most: int) -> None:
        self._most, self._advised = most, most
        self._before = self._counters()

    def advise(self) -> int:
        """Between 1 and `most`; cheap enough to ask after every token."""
        if self._before is None or time.monotonic() - self._before[0] < _WINDOW:
            return self._advised
        now = self._counters()
        if now is not None:
            seconds = now[0] - self._before[0]
            free = (now[1] - self._before[1] + now[2] - self._before[2]) / seconds
            self._advised = max(1, min(self._most, round(free)))
            self._before = now
        return self._advised

    @staticmethod
    def _counters() -> tuple[float, float, float] | None:
        """The time, the idle time of all cores and the time that this process computed; in seconds."""
        words = _text(_PROC / "stat").split(maxsplit=6)
        if len(words) < 6:
            return None
        return time.monotonic(), (int(words[4]) + int(words[5])) / os.sysconf("SC_CLK_TCK"), time.process_time()


def fast_buffers_allowed(crashes: Path, key: str) -> bool:
    """True unless this build is known to crash with them; `crashes` is the small file that remembers it."""
    entry = read_note(crashes, {}).get(key)
    return not isinstance(entry, dict) or entry.get("use_extra_bufts", True) is not False


def forbid_fast_buffers(crashes: Path, key: str) -> None:
    """Remember that they crash; keeps what is known of other builds."""
    replace_file(crashes, json.dumps({**read_note(crashes, {}), key: {"use_extra_bufts": False}}, indent=1))


def _processors() -> list[dict[str, str]]:
    blocks = _text(_PROC / "cpuinfo").strip().split("\n\n")
    pairs = [[line.partition(":") for line in block.splitlines()] for block in blocks]
    return [{name.strip(): value.strip() for name, _, value in block} for block in pairs]


def _text(file: Path) -> str:
    """What the kernel says there; empty where it says nothing."""
    return file.read_text(encoding="utf-8", errors="replace") if file.exists() else ""


def _number(file: Path) -> int | None:
    text = _text(file).strip()
    return int(text) if text.isdigit() else None
