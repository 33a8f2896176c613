"""A note speaks at the date that is written in it, in its name or above its paragraph, and never at its file's mtime.

Folders of Obsidian and Logseq, or any Markdown. The date of a block is that of the front matter (`date`), else of the
file's name, else of the nearest heading above that is nothing but a date, or of the date that a line begins with, else
the front matter's `created`. A date alone is the local day. Each section, top-level bullet of an outline or paragraph
of a long section is a turn of its own, known by its words: an edited block comes in beside the old one, and a deleted
block stays, because deleting a note is not taking back what it said. Links that leave the folder are not followed.

Sections run from heading to heading. In an outline (Logseq, or a list under a heading) every top-level bullet with what
hangs below it is a block; a long section falls apart at its blank lines. Each block's words stand in the note, with
nothing put in between; `plain` takes the markup off, so that a reader of sentences meets sentences.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime
from hashlib import blake2b
from itertools import pairwise
from pathlib import Path
from typing import Any

from store.errors import BadInput, BadTime
from store.formats.archive import opened
from store.formats.report import Options, Report, json_object
from store.records import Instant, Precision, Turn
from store.time.expressions import day_start, parse_iso, parse_when

SOURCE = "import:markdown"
SUFFIXES = (".md", ".markdown", ".txt", ".mdx")
LARGEST = 8 << 20
_ASIDE = frozenset({"logseq", "node_modules", "bak", "templates"})
"""Folders beside the notes: settings, backups, and forms that nobody filled in."""
_MOMENT = {
    "YYYY": ("y", r"\d{4}"), "yyyy": ("y", r"\d{4}"), "MMMM": ("name", r"[^\W\d]+"), "MMM": ("name", r"[^\W\d]+"),
    "MM": ("m", r"\d{2}"), "M": ("m", r"\d{1,2}"), "DD": ("d", r"\d{2}"), "dd": ("d", r"\d{2}"),
    "Do": ("d", r"\d{1,2}"), "D": ("d", r"\d{1,2}"), "dddd": ("", r"[^\W\d]+"), "ddd": ("", r"[^\W\d]+"),
    "EEEE": ("", r"[^\W\d]+"), "EEE": ("", r"[^\W\d]+"),
}  # fmt: skip
"""Tokens of moment.js and Logseq: (year, month, name of the month, or day; what it looks like)."""
_TOKEN = re.compile(f"({'|'.join(sorted(_MOMENT, key=len, reverse=True))})")
_NAME_DATE = re.compile(
    r"(?<!\d)(?P<y>(?:19|20)\d{2})[-_. ]?(?P<m>0[1-9]|1[0-2])[-_. ]?(?P<d>0[1-9]|[12]\d|3[01])(?!\d)"
)
_MONTHS = ("january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
           "november", "december")  # fmt: skip
LONG = 1500
"""Characters above which a section falls into paragraphs."""
_HEADING = re.compile(r"(?:-\s+)?#{1,6}\s+(\S.*)$")
_DATE_LINE = re.compile(
    r"(?P<date>(?:[^\W\d]{3,10},? )?(?:\d{4}-\d\d?-\d\d?|\d\d?[./]\d\d?[./]\d{4}"
    r"|\d\d?(?:st|nd|rd|th)?\.? [^\W\d]{3,9},? \d{4}|[^\W\d]{3,9} \d\d?(?:st|nd|rd|th)?,? \d{4}))"
    r"(?:\s*\Z|(?::| [-–—]) )"
)
"""What a line of a diary begins with that needs no heading: "2026-03-02", "Monday, 2 March 2026: the planer broke"."""
_BULLET = re.compile(r"[-*+]\s+\S")
_FENCE = re.compile(r"\s*(?:```|~~~)")
_PROPERTY = re.compile(
    r"(?m)^[ \t]*(?:id|collapsed|created-at|updated-at|ls-type|hl-\w+|card-[\w-]+|logseq\.[\w.-]+)::.*\n?"
)
# The empty group keeps the word out of searches for unfinished work.
_TASK = re.compile(r"(?m)^([ \t]*(?:[-*+]|\d+\.)[ \t]+)(?:\[.\]|TO(?:)DO|DOING|DONE|LATER|NOW|WAITING|CANCELED)[ \t]+")
# None of these looks for the same end from two beginnings: a note of any length is read in the time of its length.
_REPLACED = (
    (re.compile(r"%%.*?%%", re.DOTALL), ""),
    (re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL), ""),
    (re.compile(r"!\[\[[^\[\]]*\]\]|!\[[^\[\]]*\]\([^)\[]*\)"), ""),
    (re.compile(r"\(\([0-9a-fA-F-]{36}\)\)|\{\{[^{}]*\}\}"), ""),
    (re.compile(r"\[\[(?:[^\[\]|]*\|)?([^\[\]|]+)\]\]"), r"\1"),
    (re.compile(r"\[([^\[\]]+)\]\([^)\[]*\)"), r"\1"),
    (re.compile(r"(?m)^([ \t]*>[ \t]*)\[![^\]\n]*\][+-]?[ \t]*"), r"\1"),
    (re.compile("|".join(rf"{mark}(\S(?:.{{,400}}?\S)?){mark}" for mark in (r"\*\*", "__", "==", "~~"))), r"\1\2\3\4"),
    (re.compile(r"(?<![\w*])[*_](\S(?:[^*_\n]*\S)?)[*_](?![\w*])"), r"\1"),
    (re.compile(r"(?m)(?<![ \t])[ \t]*\^[\w-]+$"), ""),
    (re.compile(r"(?m)^#{1,6}\s+"), ""),
    (re.compile(r"(?m)^([ \t]*)[-*+][ \t]+"), r"\1"),
)


def read(path: Path, options: Options, report: Report) -> Iterator[Turn]:
    """The blocks of a note or of every note in a folder. Raises BadInput if there is nothing to read."""
    # The vault that a note lies in, so that a note has one name however it is imported.
    start = path.resolve() if path.is_dir() else path.resolve().parent
    vaults = (
        one
        for one in (start, *start.parents)
        if (one / ".obsidian").is_dir() or (one / "logseq" / "config.edn").is_file()
    )
    root = next(vaults, start)
    patterns = _patterns(root)
    for note in [path] if path.is_file() else _notes(path, root, report):
        name = note.relative_to(root).as_posix() if note.is_relative_to(root) else note.name
        if note.stat().st_size > LARGEST:
            report.skip(name, "it is larger than 8 MiB.")
            continue
        with opened(note) as file:
            text = file.read().decode("utf-8-sig", "replace")
        stem = name.rsplit(".", 1)[0]
        yield from _note(text, name, stem, root, _named(stem, patterns, options), options, report)


def _note(
    text: str, name: str, stem: str, root: Path, named: Instant | None, options: Options, report: Report
) -> Iterator[Turn]:
    """The blocks of one note; `named` is the day that is in its name."""
    properties, body = front_matter(text)
    fixed = _instant(properties.get("date"), options) or named
    made = _instant(properties.get("created"), options) or _instant(properties.get("created_at"), options)
    said_of_heading: Instant | None = None
    met: Counter[str] = Counter()
    for place, block in enumerate(blocks_of(text, body)):
        words = plain(block)
        if block.is_heading and (day := _day(block.heading, options)) is not None:
            said_of_heading = day
            first, _, below = words.partition("\n")
            dated = _DATE_LINE.match(first)
            behind = first[dated.end() :] if dated else ""
            if fixed is None or not behind:  # in a note of another day it is what is told: "4 December 2026: dentist"
                words = "\n".join(one for one in (behind, below) if one)
        said_at = fixed or said_of_heading or made
        if not words or (said_at is None and block.is_heading and "\n" not in words):
            continue  # the title of a diary says nothing
        if said_at is None:
            report.skip(name, "a block without a date: the note has none in its head, its name or a heading.")
            continue
        digest = blake2b(block.raw.encode("utf-8", "replace"), digest_size=6).hexdigest()
        met[digest] += 1
        key = f"{name}#{digest}" + (f"-{met[digest]}" if met[digest] > 1 else "")
        origin: dict[str, Any] = {"file": name, "lines": [block.first, block.last], "heading": block.heading}
        if block.raw != words:  # its markup says more than its words
            origin["markdown"] = block.raw
        yield report.take(Turn(
            words, f"markdown:{root.name}/{stem}", "me", "user", said_at, key, SOURCE, place=place,
            title=properties.get("title") or stem.rsplit("/", 1)[-1], original=json.dumps(origin, ensure_ascii=False),
        ))  # fmt: skip


def _notes(folder: Path, root: Path, report: Report) -> list[Path]:
    found: list[Path] = []
    inside = root.resolve()
    for at, folders, files in os.walk(folder):
        folders[:] = sorted(one for one in folders if not one.startswith(".") and one.lower() not in _ASIDE)
        for name in sorted(files):
            one = Path(at) / name
            if not name.lower().endswith(SUFFIXES) or name.startswith("."):
                continue
            if one.is_symlink() and not one.resolve().is_relative_to(inside):
                report.skip(str(one.relative_to(folder)), "a link that leaves the folder.")
                continue
            found.append(one)
    if not found:
        raise BadInput(f"{folder} holds no notes (.md); name the folder of the vault, or a file.")
    return found


def _patterns(root: Path) -> list[re.Pattern[str]]:
    """How the vault names its daily notes, by its own settings."""
    obsidian = logseq = ""
    with suppress(OSError):
        obsidian = (root / ".obsidian" / "daily-notes.json").read_text(encoding="utf-8", errors="replace")
    with suppress(OSError):
        logseq = (root / "logseq" / "config.edn").read_text(encoding="utf-8", errors="replace")
    named = str(json_object(obsidian).get("format") or "YYYY-MM-DD")
    formats = [named, *re.findall(r'^\s*:journal/file-name-format\s+"([^"]+)"', logseq, re.MULTILINE), "yyyy_MM_dd"]
    return [pattern for pattern in map(_pattern, formats) if pattern is not None]


def _pattern(form: str) -> re.Pattern[str] | None:
    """A moment.js pattern as a regular expression over the end of a note's path; None if it names no whole day."""
    expression, used = "", set[str]()
    for piece in _TOKEN.split(form.replace("[", "").replace("]", "")):
        part, looks = _MOMENT.get(piece, ("", re.escape(piece)))
        # A path such as YYYY/MM/YYYY-MM-DD names a part twice; the later one counts for nothing new.
        expression += f"(?P<{part}>{looks})" if part and part not in used else f"(?:{looks})"
        expression += r"\w\w" if piece == "Do" else ""
        used.add(part)
    return re.compile(rf"(?:^|.*/){expression}$") if {"y", "d"} <= used and used & {"m", "name"} else None


def _named(stem: str, patterns: list[re.Pattern[str]], options: Options) -> Instant | None:
    found = next((match for match in (pattern.match(stem) for pattern in patterns) if match), None)
    found = found or _NAME_DATE.search(stem.rsplit("/", 1)[-1])
    if found is None:
        return None
    parts = found.groupdict()
    month = _MONTHS.index(parts["name"].lower()) + 1 if parts.get("name", "").lower() in _MONTHS else parts.get("m")
    try:
        return day_start(date(int(parts["y"]), int(month or 0), int(parts["d"])), options.zone)
    except ValueError:
        return None


def _instant(value: Any, options: Options) -> Instant | None:
    if not isinstance(value, str) or not value.strip():
        return None
    try:
        return parse_iso(value.strip().strip("\"'").strip("[]"), options.zone)
    except BadTime:
        return _day(value, options)


def _day(text: str, options: Options) -> Instant | None:
    """The day that a text is, where it is nothing but a whole date with its year."""
    words = text.strip().strip("#*[]= ")
    if not re.search(r"(?:19|20)\d{2}", words) or len(words) > 40:
        return None
    try:
        stretch = parse_when(words, datetime(2000, 1, 1, 12, tzinfo=options.zone))
    except BadTime:
        return None
    return stretch.first() if stretch.precision in (Precision.DAY, Precision.EXACT) else None


@dataclass(frozen=True, slots=True)
class Block:
    """One piece of a note."""

    raw: str
    """Its lines as they stand."""
    first: int
    """Its first line, from 1."""
    last: int
    heading: str
    """The heading that it stands under; "" above the first."""
    is_heading: bool
    """Whether it begins with that heading."""


def front_matter(text: str) -> tuple[dict[str, str], int]:
    """(the simple `name: value` pairs of a YAML head, or of Logseq's `name:: value` lines; where the body begins, as a
    line from 0). Lists and nested values are left out: no date lies in them."""
    lines = text.splitlines()
    found: dict[str, str] = {}
    if lines and lines[0].strip() == "---":
        for number, line in enumerate(lines[1:400], 1):
            if line.strip() in ("---", "..."):
                return found, number + 1
            name, colon, value = line.partition(":")
            if colon and value.strip() and not line[:1].isspace():
                found[name.strip().lower()] = value.strip().strip("\"'")
        return {}, 0
    for number, line in enumerate(lines):
        match = re.fullmatch(r"([\w-]+)::\s*(\S.*)", line)
        if match is None:
            return found, number
        found[match.group(1).lower()] = match.group(2).strip()
    return found, len(lines)


def blocks_of(text: str, body: int) -> Iterator[Block]:
    """The blocks of a note from its line `body` (from 0) on, in its order."""
    lines = text.splitlines()
    heading, start = "", body
    for number in _unfenced(lines, body, len(lines)):
        if match := _HEADING.match(lines[number]) or _DATE_LINE.match(lines[number]):
            yield from _section(lines, start, number, heading)
            heading, start = match.group(1).rstrip().rstrip("#").rstrip(), number
    yield from _section(lines, start, len(lines), heading)


def plain(block: Block) -> str:
    """The words of a block without the markup; "" where there are none."""
    text = _PROPERTY.sub("", block.raw)
    text = _TASK.sub(r"\1", text)
    for pattern, instead in _REPLACED:
        text = pattern.sub(instead, text)
    return "\n".join(line.rstrip() for line in text.splitlines() if line.strip()).strip()


def _unfenced(lines: list[str], first: int, end: int) -> Iterator[int]:
    """The lines that do not lie within a fence of code; the one that opens a fence does not."""
    fenced = False
    for number in range(first, end):
        if not fenced:
            yield number
        if _FENCE.match(lines[number]):
            fenced = not fenced


def _section(lines: list[str], start: int, end: int, heading: str) -> Iterator[Block]:
    """The blocks of the lines [start, end), which begin with their heading if they have one."""
    inner = start + 1 if heading else start
    rest = [line for line in lines[inner:end] if line.strip()]
    cuts: list[int] = []
    if all(_BULLET.match(line) or line[:1].isspace() for line in rest):
        cuts = [number for number in range(inner, end) if _BULLET.match(lines[number])]
    elif sum(map(len, rest)) > LONG:
        cuts = [
            number
            for number in _unfenced(lines, inner, end)
            if lines[number].strip() and (number == inner or not lines[number - 1].strip())
        ]
    for first, last in pairwise([start, *cuts[1:], end]):
        if held := [number for number in range(first, last) if lines[number].strip()]:
            raw = "\n".join(lines[held[0] : held[-1] + 1])
            yield Block(raw, held[0] + 1, held[-1] + 1, heading, bool(heading) and first == start)
