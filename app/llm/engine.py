"""llama.cpp is the one part that comes without a ready wheel: it is built beside the app, which works without it.

The wheel is kept, so that a machine builds it once; a build that is stopped or fails changes nothing. Only who asks for
it (`make`, `erstwhile --set-up`, `erstwhile models engine`, a key in the app) makes pip fetch and build anything.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import re
import shutil
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from subprocess import CalledProcessError
from tempfile import TemporaryDirectory
from threading import Event
from time import monotonic

from app import paths
from app.llm.fetch import Step, pip_command
from app.llm.running import lines
from store.errors import ModelUnavailable

REQUIREMENT = "llama-cpp-python==0.3.36"
WORKS = "the memory works already"  # what is said with every step: nobody has to wait
MISSING = "The model's engine (llama.cpp) is not installed: f3, then b, builds it, or `erstwhile models engine`."
NO_COMPILER = (
    "What runs a model is built with a C++ compiler, and none is here: install one (Debian, Ubuntu: `sudo apt install "
    "g++`; macOS: `xcode-select --install`), then press b on f3."
)
NO_PIP = (
    "There is no pip to build the model's engine with: install erstwhile[engine] with the tool that installed this."
)
USUAL_MINUTES = 4  # what a build takes on a laptop; the pace of the build itself says better once it has one
# GCC 12 drops stores around AMX tile loads (see README, troubleshooting); clang ignores the flags with a warning.
_FLAGS = {
    "CFLAGS": "-fno-tree-dse -fno-dse",
    "CXXFLAGS": "-fno-tree-dse -fno-dse",
    "CMAKE_ARGS": "-DLLAMA_CURL=OFF -DMTMD_BUILD=OFF -DLLAVA_BUILD=OFF",
}
_COMPILERS = ("c++", "g++", "clang++")
_NINJA = re.compile(r"\[(\d+)/(\d+)\]")
_KEPT_LINES = 200
_SURE = 0.05  # from this share of a build on, its pace tells when it ends


def missing() -> bool:
    """Nothing can run a model; finding out imports nothing."""
    importlib.invalidate_caches()
    return importlib.util.find_spec("llama_cpp") is None


def build(stop: Event | None = None, *, pip: Sequence[str] | None = None, wheels: Path | None = None) -> Iterator[Step]:
    """Install llama.cpp, from the kept wheel or by building it; stops early, changing nothing, when `stop` is set.

    Raises ModelUnavailable with what to do.
    """
    pip, wheels = pip or pip_command(NO_PIP), wheels or paths.wheels_dir()
    name, _, version = REQUIREMENT.replace("-", "_").partition("==")
    try:
        wheels.mkdir(parents=True, exist_ok=True)
        kept = ("--find-links", str(wheels))
        if not any(wheels.glob(f"{name}-{version}-*.whl")):
            if not any(shutil.which(one) for one in (os.environ.get("CXX") or "c++", *_COMPILERS)):
                raise ModelUnavailable(NO_COMPILER)
            yield Step(f"building the model's engine, about {USUAL_MINUTES} min; {WORKS}", 0.0)
            gently = ("nice", "-n", "10") if shutil.which("nice") else ()  # the person is using the app meanwhile
            yield from _run(
                (*gently, *pip, "wheel", "-v", "--no-deps", "--wheel-dir", str(wheels), *kept, REQUIREMENT), stop
            )
            if stop is not None and stop.is_set():
                return
        yield Step(f"installing the model's engine; {WORKS}", 1.0)
        yield from _run((*pip, "install", *kept, REQUIREMENT), stop)
        if stop is not None and stop.is_set():
            return
    except OSError as error:
        raise ModelUnavailable(f"The model's engine could not be built: {error.strerror or error}.") from error
    if missing():
        raise ModelUnavailable("pip installed the model's engine elsewhere than where this program looks: use `make`.")
    yield Step("the model's engine is ready", 1.0)


def _run(command: Sequence[str], stop: Event | None) -> Iterator[Step]:
    """Follow pip to its end, or until it is stopped; what is half built lies in a folder that goes. Raises
    ModelUnavailable; what pip said is then in the log of faults."""
    said, began = deque[str](maxlen=_KEPT_LINES), monotonic()
    flags = {name: f"{os.environ.get(name, '')} {flags}".strip() for name, flags in _FLAGS.items()}
    quiet = {"PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_NO_INPUT": "1"}
    with TemporaryDirectory(prefix="erstwhile-build-", ignore_cleanup_errors=True) as scratch:
        environment = {**os.environ, **flags, **quiet, "TMPDIR": scratch}
        try:
            with closing(lines(command, stop, environment=environment)) as running:
                for line in running:
                    said.append(line)
                    if progress := _NINJA.search(line):
                        share = int(progress[1]) / max(1, int(progress[2]))
                        left = (monotonic() - began) / share * (1 - share) / 60 if share >= _SURE else USUAL_MINUTES
                        words = f"about {left:.0f} min" if left >= 1 else "less than a minute"
                        yield Step(f"building the model's engine {share:.0%}, {words}; {WORKS}", share)
        except CalledProcessError:
            from app import faults

            errors = [line.strip() for line in said if re.search(r"\berror\b", line, re.IGNORECASE)]
            reason = (errors or list(said) or ["pip gave no reason"])[0][:80]
            faults.record("building the model's engine", ModelUnavailable("\n".join(said)))
            raise ModelUnavailable(
                f"What runs a model could not be built ({reason}); the memory works without. More is in"
                f" {paths.log_file()}."
            ) from None
