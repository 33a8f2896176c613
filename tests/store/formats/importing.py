"""What the tests of the importers share: fixtures are made here or in the tests, and none is copied from anywhere."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

from store.formats.catalogue import FORMATS, detect, read
from store.formats.report import Options, Report
from store.records import Instant, Turn

ZONE = timezone(timedelta(hours=2))
NOW = Instant.of(datetime(2026, 1, 1, tzinfo=UTC))
OPTIONS = Options(ZONE, NOW)


def taken(path: Path, kind: str | None = None, options: Options = OPTIONS) -> tuple[list[Turn], Report]:
    """The turns of a source, in the format that is found in it, and the report."""
    report = Report()
    kind = kind or detect(path)
    assert kind in FORMATS
    turns = list(read((path, kind), options, report))
    assert report.turns == len(turns)
    return turns, report


def written(path: Path, document: Any) -> Path:
    """A JSON file."""
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


def said(turns: list[Turn]) -> list[str]:
    return [turn.text for turn in turns]


def iso(turn: Turn) -> str:
    assert turn.said_at is not None
    return turn.said_at.iso()
