"""A note falls into blocks that keep their lines: each block's words stand in the note, with nothing put in between.

Sections run from heading to heading. In an outline (Logseq, or a list under a heading) every top-level bullet with what
hangs below it is a block; a long section falls apart at its blank lines. `plain` takes the markup off, so that a reader
of sentences meets sentences; the markup itself is kept beside.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

LONG = 1500
"""Characters above which a section falls into paragraphs."""
_HEADING = re.compile(r"(?:-\s+)?#{1,6}\s+(\S.*)$")
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
        if match := _HEADING.match(lines[number]):
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
