"""A chat that WhatsApp exported as text: each message with its own time, each day a conversation.

A line begins "[12/03/2026, 18:04:11] Ana:" or "12/03/2026, 18:04 - Ana:", with dots, dashes or slashes; what follows
without such a beginning belongs to the message. Whether the day or the month comes first shows in the whole file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from hashlib import blake2b
from itertools import pairwise
from pathlib import Path

from store.errors import BadInput
from store.formats.archive import opened
from store.formats.document import decoded
from store.formats.report import Options, Report
from store.records import Instant, Turn

SOURCE = "import:whatsapp"
LARGEST = 256 << 20
"""Bytes."""
_HEAD = re.compile(
    r"[\u200e\u200f]*\[?(?P<first>\d{1,4})[./-](?P<second>\d{1,2})[./-](?P<third>\d{2,4}),? +"
    r"(?P<hour>\d{1,2})[:.](?P<minute>\d{2})(?:[:.](?P<sec>\d{2}))?(?:[ \u202f\u00a0]?(?P<half>[AaPp])\.?[Mm]\.?)?"
    r"(?:\]| +[-–])[ \u200e]+(?P<rest>.*)"
)
_SPOKEN = re.compile(r"(?P<speaker>[^:]{1,60}): (?P<text>.*)", re.DOTALL)
_LEFT_OUT = re.compile(
    r"(?i)[\s\u200e]*(?:<[^<>]{0,60}(?:omitted|attached)[^<>]{0,40}>|\w+ omitted|<attached: [^<>]*>|null|"
    r"(?:this message was deleted|you deleted this message)\.?)?\s*"
)
_NAMELESS = re.compile(
    r"(?i)(?:[\W\d_]|wa|txt|what'?s ?app|chats?|export(?:ed)?|messages?|conversations?|with|my|copy)*"
)
"""The name of a file that says nothing of whom one chats with."""
MOST_NAMES = 3
_MARKS = dict.fromkeys(map(ord, "\u200e\u200f\u202a\u202c"))


@dataclass(slots=True)
class _Message:
    line: int
    date: tuple[int, int, int]
    clock: tuple[int, int, int]
    text: str

    @property
    def spoken(self) -> re.Match[str] | None:
        """Who says what; None for a notice of the app."""
        return _SPOKEN.fullmatch(self.text.translate(_MARKS))


def is_chat(lines: list[str]) -> bool:
    """Whether the first lines of a text are messages of such a chat."""
    found = [line for line in lines if _HEAD.match(line)]
    return bool(found) and bool(_HEAD.match(lines[0])) and 2 * len(found) >= min(len(lines), 4)


def read(path: Path, options: Options, report: Report) -> Iterator[Turn]:
    """The messages of a chat. Raises BadInput where it is none."""
    with opened(path) as file:
        content = file.read(LARGEST + 1)
    messages = _messages(decoded(content, path.name, LARGEST))
    if not messages:
        raise BadInput(f"{path.name} has no line that begins with a date, a time and a name.")
    day_first = _is_day_first(messages)
    key = blake2b(f"{messages[0].date} {messages[0].clock} {messages[0].text}".encode(), digest_size=6).hexdigest()
    title = _title(path.stem, messages, options)
    for place, message in enumerate(messages):
        spoken = message.spoken
        if spoken is None:
            report.skip(f"line {message.line}", "a notice of the app.")
        elif _LEFT_OUT.fullmatch(spoken["text"]):
            report.skip(f"line {message.line}", "a picture, or a message that was deleted.")
        elif (said_at := _said_at(message, day_first, options)) is None:
            report.skip(f"line {message.line}", "a date that is none.")
        else:
            session = f"whatsapp:{key}:{said_at.local():%Y-%m-%d}"
            external = blake2b(f"{place} {message.text}".encode(), digest_size=8).hexdigest()
            yield report.take(Turn(
                spoken["text"].strip(), session, spoken["speaker"].strip(), "user", said_at, external, SOURCE,
                title=title, place=place,
            ))  # fmt: skip


def _title(stem: str, messages: list[_Message], options: Options) -> str:
    """The name of the file, else of those with whom one chats there, the first to speak first."""
    if not _NAMELESS.fullmatch(stem):
        return stem
    names = list(dict.fromkeys(one["speaker"].strip() for message in messages if (one := message.spoken)))
    others = [name for name in names if name.casefold() not in options.me] or names
    more = f" and {len(others) - MOST_NAMES} more" if len(others) > MOST_NAMES else ""
    return ", ".join(others[:MOST_NAMES]) + more or stem


def _messages(text: str) -> list[_Message]:
    found: list[_Message] = []
    for number, line in enumerate(text.splitlines(), 1):
        if head := _HEAD.match(line):
            date = (int(head["first"]), int(head["second"]), int(head["third"]))
            hour = int(head["hour"])
            if head["half"]:
                hour = hour % 12 + (12 if head["half"] in "Pp" else 0)
            found.append(_Message(number, date, (hour, int(head["minute"]), int(head["sec"] or 0)), head["rest"]))
        elif found:
            found[-1].text += f"\n{line}"
    return found


def _is_day_first(messages: list[_Message]) -> bool:
    """By a number that can be no month; else by the order in which the times do not go back; else the day."""
    dates = list(dict.fromkeys(message.date for message in messages))
    if any(first > 12 for first, _, _ in dates):
        return True
    if any(second > 12 for _, second, _ in dates):
        return False
    pairs = list(pairwise(dates))
    back_by_day = sum((one[2], one[1], one[0]) > (then[2], then[1], then[0]) for one, then in pairs)
    back_by_month = sum((one[2], *one[:2]) > (then[2], *then[:2]) for one, then in pairs)
    return back_by_day <= back_by_month


def _said_at(message: _Message, day_first: bool, options: Options) -> Instant | None:
    first, second, third = message.date
    if first > 31:
        year, month, day = first, second, third
    else:
        year, (day, month) = third, (first, second) if day_first else (second, first)
    year = year + 2000 if year < 100 else year
    try:
        return Instant.of(datetime(year, month, day, *message.clock, tzinfo=options.zone))
    except (ValueError, OverflowError):
        return None
