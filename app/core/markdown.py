"""A conversation as Markdown has only its own headings: no turn can begin one, or stand under another's name.

Replies are Markdown themselves and stay that; what is no text in them (headings, HTML, a fence that is left open) is
made text. Below the name of each turn, unseen where Markdown is shown, stands the id of the turn: by these an erase
knows which files still hold its words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from store.records import Change, Episode
from widgets.plain import one_line, plain
from widgets.receipt import receipt
from widgets.wording import clock_time, count, day, day_words, long_day, quoted, spoken_by

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_HEADING = re.compile(r"^( {0,3})(#|=+[ \t]*$|-+[ \t]*$)")
_CODE = re.compile(r"(?P<ticks>`+)(?!`).+?(?<!`)(?P=ticks)(?!`)")
_TAG = re.compile(r"<(?=[A-Za-z/!?])")
_MARKS = re.compile(r"([\\`*_\[\]<>#|~&])")


@dataclass(frozen=True, slots=True)
class ExportedChat:
    """A conversation, as it is exported."""

    title: str
    turns: Sequence[Episode]
    taught: Mapping[str, Sequence[Change]] = field(default_factory=dict)  # what a turn taught, by the id of the turn
    left_out: int = 0  # turns with secrets that are not among the turns


def page(told: ExportedChat) -> Iterator[str]:
    """The file, piece by piece."""
    yield f"# {_escaped(told.title)}\n\n{_counted(told)}\n"
    last_day = ""
    for turn in told.turns:
        if day(turn.said_at) != last_day:
            last_day = day(turn.said_at)
            yield f"\n## {long_day(turn.said_at)}\n"
        yield from _turn(turn, told.taught.get(turn.id, ()))


def _counted(told: ExportedChat) -> str:
    """How much there is, and what is missing."""
    said = [f"{count(len(told.turns), 'turn')}, written by Erstwhile."]
    if told.left_out:
        said.append(f"{count(told.left_out, 'turn')} with secrets left out.")
    return " ".join(said)


def _turn(turn: Episode, taught: Sequence[Change]) -> Iterator[str]:
    yield f"\n### {_escaped(spoken_by(turn))}, {clock_time(turn.said_at)}\n<!-- {turn.id} -->\n\n"
    yield _words(plain(turn.text), breaks=turn.role == "user")
    if turn.sources:
        yield "\n"
    for number, source in enumerate(turn.sources, 1):
        yield f"- [{number}] {day_words(source.said_at)} {_escaped(quoted(source))} <!-- {source.episode} -->\n"
    if turn.cut:
        yield "\n*stopped here*\n"
    if noted := receipt(taught):
        yield f"\n> {_escaped(noted)}\n"


def _words(text: str, *, breaks: bool) -> str:
    """The words of a turn; `breaks`: its lines are lines, as whoever types them means them."""
    written, fence = [], ""
    for line in text.strip("\n").split("\n"):
        found = _FENCE.match(line)
        if fence:
            written.append(line)
            closes = found is not None and found[1].startswith(fence) and not line.strip().strip(fence[0])
            fence = "" if closes else fence
        elif found is not None:
            written.append(line)
            fence = found[1]
        else:
            written.append(_line(line) + ("  " if breaks and line.strip() else ""))
    return "\n".join([*written, *([fence] if fence else [])]).rstrip(" ") + "\n"


def _line(line: str) -> str:
    """A line outside of code: no heading, and no HTML but between backticks."""
    line = _HEADING.sub(r"\1\\\2", line)
    parts, end = [], 0
    for code in _CODE.finditer(line):
        parts += [_TAG.sub(r"\\<", line[end : code.start()]), code[0]]
        end = code.end()
    return "".join([*parts, _TAG.sub(r"\\<", line[end:])])


def _escaped(text: str) -> str:
    """Words on one line, in which nothing is Markdown."""
    return _MARKS.sub(r"\\\1", one_line(text))
