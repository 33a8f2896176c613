"""A benchmark's histories come in as the people in them lived them: no label, question or answer reaches the memory.

LoCoMo: two friends over months; a session's date stands for its first turn, and the others follow half a minute apart.
LongMemEval: each item is a whole history of one person, so that only one at a time can be imported; the mark
`has_answer` on the turns that hold the evidence is left behind.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import IO, Any

from store.errors import BadInput, BadTime
from store.formats.archive import opened
from store.formats.conversation import ROLES
from store.formats.report import Options, Report, listed, mapped, words
from store.formats.stream import items
from store.records import MICROSECOND, Instant, Turn

STEP = timedelta(seconds=30) // MICROSECOND
"""Between two turns of a session of which only the start is known."""
Json = dict[str, Any]


def read_locomo(path: Path, options: Options, report: Report) -> Iterator[Turn]:
    """The conversations of locomo10.json, all of them or `options.item`. Raises BadInput."""
    with opened(path) as file:
        for number, item in _chosen(file, "sample_id", options, path):
            conversation = item.get("conversation")
            if not isinstance(conversation, dict):
                report.skip(f"{path.name}, item {number}", "it holds no conversation.")
                continue
            yield from locomo(conversation, str(item.get("sample_id") or number), options, report)


def read_longmemeval(path: Path, options: Options, report: Report) -> Iterator[Turn]:
    """The history of one item. Raises BadInput where the file has several and none was chosen."""
    if options.item is None:
        with opened(path) as file:
            count = sum(1 for _ in items(file))
        if count > 1:
            raise BadInput(f"{path.name} holds {count} histories; choose one with --item N (1 to {count}).")
    with opened(path) as file:
        for number, item in _chosen(file, "question_id", options, path):
            yield from longmemeval(item, str(item.get("question_id") or number), options, report)


def _chosen(file: IO[bytes], name: str, options: Options, path: Path) -> Iterator[tuple[int, Json]]:
    """The items, or the one whose number or name was chosen."""
    number, found = 0, False
    for number, item in enumerate(items(file), 1):
        if isinstance(item, dict) and options.item in (None, str(number), item.get(name)):
            found = True
            yield number, item
            if options.item is not None:
                return
    if not found:
        raise BadInput(f"{path.name} has no item {options.item!r}; it holds {number}.")


def locomo(conversation: Json, sample: str, options: Options, report: Report) -> Iterator[Turn]:
    """The turns of one conversation."""
    numbers = sorted(int(key[8:-10]) for key in conversation if re.fullmatch(r"session_\d+_date_time", key))
    for number in numbers:
        where, turns = f"{sample}, session {number}", conversation.get(f"session_{number}")
        if not isinstance(turns, list):
            report.skip(where, "a date without a session.")
            continue
        try:
            start = _local(str(conversation[f"session_{number}_date_time"]), "%I:%M %p on %d %B, %Y", options)
        except BadTime as error:
            report.skip(where, str(error))
            continue
        for place, one in enumerate(map(mapped, turns)):
            caption = words(one.get("blip_caption"))
            shown = f"[shares an image: {caption}]" if caption else None
            text = " ".join(filter(None, (words(one.get("text")), shown)))
            if not text:
                report.skip(where, "a turn without text.")
                continue
            turn = Turn(
                text, f"locomo:{sample}:{number}", str(one.get("speaker") or "unknown"), "user",
                Instant(start.us + place * STEP, start.offset), str(one["dia_id"]) if "dia_id" in one else None,
                "import:locomo", place=place,
                title=f"{conversation.get('speaker_a')} and {conversation.get('speaker_b')}, session {number}",
            )  # fmt: skip
            yield report.take(turn)


def longmemeval(item: Json, name: str, options: Options, report: Report) -> Iterator[Turn]:
    """The turns of one history: half a minute apart, or closer where the next session begins before they would be
    through."""
    columns = (listed(item.get(f"haystack_{part}")) for part in ("session_ids", "dates", "sessions"))
    starts: list[tuple[Instant, str, Any]] = []
    met: Counter[str] = Counter()
    for key, date, turns in zip(*columns, strict=False):
        met[str(key)] += 1
        session = f"longmemeval:{name}:{key}" + (f":{met[str(key)]}" if met[str(key)] > 1 else "")
        try:
            starts.append((_local(re.sub(r"\s*\([^)]*\)", "", str(date)), "%Y/%m/%d %H:%M", options), session, turns))
        except BadTime as error:
            report.skip(session, str(error))
    starts.sort(key=lambda one: one[:2])
    following = dict(pairwise(sorted({start.us for start, _, _ in starts})))
    for start, session, held in starts:
        turns = listed(held)
        end = following.get(start.us)
        step = STEP if end is None else min(STEP, (end - start.us) // (len(turns) + 1))
        for place, one in enumerate(map(mapped, turns)):
            text = words(one.get("content"))
            if text is None:
                report.skip(session, "a turn without text.")
                continue
            role = ROLES.get(str(one.get("role")), "tool")
            turn = Turn(
                text, session, "me" if role == "user" else role, role, Instant(start.us + place * step, start.offset),
                f"{session.split(':', 2)[2]}:{place}", "import:longmemeval", place=place,
            )  # fmt: skip
            yield report.take(turn)


def _local(text: str, form: str, options: Options) -> Instant:
    """A date of the benchmark, which has no zone, in the person's. Raises BadTime."""
    from store.time.calendar import localize

    try:
        return Instant.of(localize(datetime.strptime(text.strip(), form), options.zone))  # noqa: DTZ007 # the zone is given next
    except ValueError as error:
        raise BadTime(f"its date {text[:40]!r} cannot be read.") from error
