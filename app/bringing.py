"""An import says what it would take before it takes anything, and each step of it is on the disk when it is shown."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta, tzinfo
from pathlib import Path
from typing import TYPE_CHECKING

from app.ports import MemoryPort
from store.errors import BadInput
from store.records import Ingested, Instant, Turn

if TYPE_CHECKING:
    from store.writing.formats.catalogue import Source
    from store.writing.formats.report import Options, Report

FEW = 6
"""Reasons that are told."""


@dataclass(frozen=True, slots=True)
class Found:
    """What a file or folder would bring."""

    sources: tuple[Source, ...]
    options: Options
    turns: int
    sessions: int
    first: Instant | None
    last: Instant | None
    kinds: tuple[str, ...]
    passed_over: tuple[tuple[str, int], ...]
    """(reason, how often), the most frequent first."""
    untimed: int = 0
    """Turns without a time of their own."""


def look(path: Path, memory: Path, zone: tzinfo, now: Instant) -> Found:
    """Read it all, and change nothing. Raises BadInput where nothing can be read."""
    from store.writing.formats.catalogue import sources
    from store.writing.formats.report import Options, Report

    report = Report()
    found = tuple(sources(path.expanduser(), None, report, memory))
    options = Options(zone, Instant.of(now.local() + timedelta(days=1)))
    for _ in _turns(found, options, report):
        pass
    if not report.turns:
        raise BadInput(f"Nothing in {path} could be read as a conversation.")
    kinds = tuple(dict.fromkeys(kind for _path, kind in found))
    reasons = tuple(report.reasons.most_common(FEW))
    return Found(
        found, options, report.turns, len(report.sessions), report.first, report.last, kinds, reasons, report.untimed
    )


def bring(memory: MemoryPort, found: Found) -> Iterator[Ingested]:
    """Take it all; what is there already is passed over."""
    from store.writing.formats.report import Report

    yield from memory.ingest(_turns(found.sources, found.options, Report()), found.turns)


def _turns(found: tuple[Source, ...], options: Options, report: Report) -> Iterator[Turn]:
    from store.writing.formats.catalogue import read

    for source in found:
        yield from read(source, options, report)
