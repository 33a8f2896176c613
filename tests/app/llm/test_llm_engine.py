"""Building the engine changes nothing until it is whole, says how far it is, and ends in one sentence if it fails."""

from __future__ import annotations

import sys
import threading
import tomllib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from app import paths
from app.core.models import load, set_up
from app.llm import engine
from app.llm.fetch import Step
from store.errors import ModelUnavailable
from tests.app.llm.making import gguf

ROOT = Path(__file__).resolve().parents[3]
Pip = Callable[[str], Sequence[str]]


@pytest.fixture
def pip(tmp_path: Path) -> Pip:
    """A function that makes a program in place of pip, which notes how it was called."""

    def make(body: str) -> Sequence[str]:
        script = tmp_path / "fake_pip.py"
        note = tmp_path / "called"
        script.write_text(
            f"import os, sys, time\nopen({str(note)!r}, 'a').write(' '.join(sys.argv[1:]) + chr(10))\n{body}\n"
        )
        return (sys.executable, str(script))

    return make


@pytest.fixture
def found(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """What each look for the engine finds; the last one goes on."""
    looks = [True, False]
    monkeypatch.setattr(engine, "missing", lambda: looks.pop(0) if len(looks) > 1 else looks[0])
    return looks


def test_it_is_the_version_of_the_extra() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["optional-dependencies"]["engine"] == [engine.REQUIREMENT]
    assert not [one for one in project["dependencies"] if one.startswith("llama")]


def test_it_is_built_with_progress_and_then_installed(pip: Pip, tmp_path: Path, found: list[bool]) -> None:
    found[:] = [False]
    body = "if sys.argv[1] == 'wheel':\n    for n in (1, 50, 100): print(f'  [{n}/100] Building CXX', flush=True)"
    steps = list(engine.build(pip=pip(body), wheels=tmp_path / "wheels"))
    assert steps[0].sentence == "building the model's engine, about 4 min; the memory works already"
    assert [step.share for step in steps] == [0.0, 0.01, 0.5, 1.0, 1.0, 1.0]
    assert steps[2].sentence == "building the model's engine 50%, less than a minute; the memory works already"
    called = (tmp_path / "called").read_text().splitlines()
    assert [line.split()[0] for line in called] == ["wheel", "install"]
    assert all(line.endswith(engine.REQUIREMENT) and str(tmp_path / "wheels") in line for line in called)


def test_the_flags_go_with_those_of_the_person(
    pip: Pip, tmp_path: Path, found: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    found[:] = [False]
    monkeypatch.setenv("CXXFLAGS", "-O1")
    list(
        engine.build(pip=pip(f"open({str(tmp_path / 'flags')!r}, 'w').write(os.environ['CXXFLAGS'])"), wheels=tmp_path)
    )
    assert (tmp_path / "flags").read_text() == "-O1 -fno-tree-dse -fno-dse"


def test_a_build_that_fails_says_why_and_where_more_is(pip: Pip, tmp_path: Path) -> None:
    body = "print('fine so far'); print('CMake Error: no threads'); print('and on'); sys.exit(1)"
    with pytest.raises(ModelUnavailable, match=r"could not be built \(CMake Error: no threads\).*memory works"):
        list(engine.build(pip=pip(body), wheels=tmp_path / "wheels"))
    assert "fine so far" in paths.log_file().read_text()


def test_without_a_compiler_pip_is_not_even_asked(
    pip: Pip, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, found: list[bool]
) -> None:
    command = pip("")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CXX", raising=False)
    with pytest.raises(ModelUnavailable, match=r"C\+\+ compiler, and none is here"):
        list(engine.build(pip=command, wheels=tmp_path / "wheels"))
    assert not (tmp_path / "called").exists()
    found[:] = [False]
    (tmp_path / "wheels" / "llama_cpp_python-0.3.36-py3-none-any.whl").touch()
    assert list(engine.build(pip=command, wheels=tmp_path / "wheels"))[-1].sentence == "the model's engine is ready"
    assert (tmp_path / "called").read_text().split()[0] == "install", "what is kept is not built again"


def test_it_can_be_stopped_with_all_that_it_started(pip: Pip, tmp_path: Path) -> None:
    stop, alive = threading.Event(), tmp_path / "alive"
    child = f"import time\nwhile True: open({str(alive)!r}, 'a').write('.'); time.sleep(0.02)"
    body = f"import subprocess\nsubprocess.Popen([sys.executable, '-c', {child!r}])\n"
    body += "print('[1/9]', flush=True)\ntime.sleep(60)"
    steps = engine.build(stop, pip=pip(body), wheels=tmp_path / "wheels")
    assert [next(steps).share, next(steps).share] == [0.0, pytest.approx(1 / 9)]
    stop.set()
    assert list(steps) == []
    size = alive.stat().st_size if alive.exists() else 0
    threading.Event().wait(0.2)
    assert (alive.stat().st_size if alive.exists() else 0) == size


def test_a_model_without_the_engine_says_how_to_build_it(tmp_path: Path, found: list[bool]) -> None:
    from app.llm.find import examine

    (tmp_path / "m.gguf").write_bytes(gguf())
    with pytest.raises(ModelUnavailable, match="f3, then b, builds it"):
        load(examine(tmp_path / "m.gguf"))


def test_a_set_up_fetches_and_builds_what_is_missing_only(
    tmp_path: Path, found: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    def model(_models: Path, stop: threading.Event) -> Iterator[Step]:
        yield Step("model")

    def built(_stop: threading.Event) -> Iterator[Step]:
        yield Step("engine")

    monkeypatch.setattr("app.llm.fetch.get", model)
    monkeypatch.setattr(engine, "build", built)
    monkeypatch.setattr("app.llm.find.default_places", lambda *_, **__: [])
    assert [step.sentence for step in set_up(threading.Event())] == ["model", "engine"]
    assert [step.sentence for step in set_up(threading.Event())] == ["model"]
