"""What is known of the machine is plausible, and what it is known not to stand survives damage."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from app.llm import machine
from app.llm.machine import FreeCores


def test_cores_and_memory_are_plausible() -> None:
    assert 1 <= machine.physical_cores() <= (os.cpu_count() or 1)
    free = machine.available_memory()
    assert free is None or free > 1_000_000


def test_the_key_is_stable() -> None:
    assert machine.build_key() == machine.build_key()
    assert len(machine.build_key()) == 24


def test_crashes_are_remembered_by_key(tmp_path: Path) -> None:
    crashes = tmp_path / "deep" / "crashes.json"
    assert machine.fast_buffers_allowed(crashes, "a")
    machine.forbid_fast_buffers(crashes, "a")
    machine.forbid_fast_buffers(crashes, "b")
    assert [machine.fast_buffers_allowed(crashes, key) for key in "abc"] == [False, False, True]


@pytest.mark.parametrize("damage", ["", "[1]", '{"a": 3}', "{", '{"a": {"use_extra_bufts": null}}'])
def test_a_damaged_note_costs_one_more_try(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "crashes.json"
    path.write_text(damage)
    assert machine.fast_buffers_allowed(path, "a")
    machine.forbid_fast_buffers(path, "a")
    assert not machine.fast_buffers_allowed(path, "a")


def test_threads_follow_what_is_free(monkeypatch: pytest.MonkeyPatch) -> None:
    # (time, idle seconds of all cores, seconds that this process computed)
    samples = iter([(0.0, 0.0, 0.0), (1.0, 3.9, 0.0), (2.0, 3.9, 1.2), (3.0, 3.9, 1.2)])
    moment = iter([0.1, 1.0, 2.0, 3.0])
    monkeypatch.setattr(FreeCores, "_counters", staticmethod(lambda: next(samples)))
    monkeypatch.setattr("app.llm.machine.time.monotonic", lambda: next(moment))
    cores = FreeCores(4)
    assert [cores.advise() for _ in range(4)] == [4, 4, 1, 1]


def test_without_counters_all_cores_are_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(FreeCores, "_counters", staticmethod(lambda: None))
    assert FreeCores(3).advise() == 3
