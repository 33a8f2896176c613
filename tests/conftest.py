"""No test reaches the network, and no test reads the machine's own memory, settings or models."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from app.core.clock import FrozenClock
from store.memory import Memory
from store.records import Instant, Turn

# The suite tries the same histories each time; ERSTWHILE_EXAMPLES=2000 goes exploring (see tests/bench/fold_laws.py).
settings.register_profile("erstwhile", deadline=None, derandomize="ERSTWHILE_EXAMPLES" not in os.environ)
settings.load_profile("erstwhile")

ZONE = timezone(timedelta(hours=1))
NOW = Instant.of(datetime(2026, 6, 1, 12, tzinfo=ZONE))


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Anything but the loopback is refused."""
    real = socket.socket.connect

    def connect(self: socket.socket, address: Any) -> None:
        host = address[0] if isinstance(address, tuple) else str(address)
        if self.family != socket.AF_UNIX and not str(host).startswith(("127.", "::1", "localhost")):
            raise AssertionError(f"a test tried to reach {address}")
        real(self, address)

    monkeypatch.setattr(socket.socket, "connect", connect)


@pytest.fixture(autouse=True)
def own_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Every path that the program makes up lies in the test's own folder."""
    for name in ("ERSTWHILE_DB", "ERSTWHILE_PROFILE", "ERSTWHILE_MODEL", "ERSTWHILE_PASSPHRASE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("ERSTWHILE_HOME", str(tmp_path / "home"))


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    """An empty memory whose clock stands at NOW."""
    with Memory.open(tmp_path / "memory.db", clock=FrozenClock(NOW), zone=ZONE) as one:
        yield one


@pytest.fixture
def no_keys() -> Iterator[None]:
    """This process knows the key of no encrypted memory, neither before the test nor after it."""
    from store.database import opening

    opening.forget()
    yield
    opening.forget()


@pytest.fixture
def unsure_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    """The reader is sure of nothing but of Porto: for tests of what settles the unsure."""
    from dataclasses import replace

    from store.reading.claims import claims_of as heard

    def doubted(turn: Any, *how: Any) -> Any:
        found = heard(turn, *how)
        unsure = tuple(one if "Porto" in turn.text else replace(one, modality="unsure") for one in found.claims)
        return replace(found, claims=unsure)

    monkeypatch.setattr("store.reading.extract.claims_of", doubted)


@pytest.fixture
def say(memory: Memory) -> Callable[..., None]:
    """say("2024-03-03", "I live in Porto."): one turn by the person on that day, at half past six, and a sleep."""

    def said(day: str, *texts: str, speaker: str = "me", role: Any = "user") -> None:
        when = datetime.fromisoformat(day).replace(tzinfo=ZONE)
        when = when.replace(hour=18, minute=30) if "T" not in day else when
        turns = [
            Turn(text, f"s-{day}", speaker=speaker, role=role, said_at=Instant.of(when + timedelta(seconds=n)))
            for n, text in enumerate(texts)
        ]
        list(memory.episodes.ingest(turns))
        for _ in memory.sleeping.run():
            pass

    return said


def at(text: str) -> int:
    """Microseconds of an ISO time; without an offset it is UTC."""
    moment = datetime.fromisoformat(text)
    return Instant.of(moment if moment.tzinfo else moment.replace(tzinfo=UTC)).us
