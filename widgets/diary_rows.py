"""A diary shows what was said in the words in which it was said, each line with its day and who said it."""

from __future__ import annotations

from textual.content import Content

from store.records import Instant, Source
from widgets.look import LINK, QUIET, hung, lines
from widgets.plain import one_line
from widgets.why_rows import bar
from widgets.wording import clock_time, count

BAR = 8  # columns of the longest bar
OWN = ("me", "user")


def stretch_title(grain: str, start: Instant) -> str:
    """June 2026; Week of 1 Jun 2026; Sun 7 Jun 2026"""
    at = start.local()
    if grain == "month":
        return f"{at:%B %Y}"
    whole = f"{at.day} {at:%b %Y}"
    return f"Week of {whole}" if grain == "week" else f"{at:%a} {whole}"


def entry_line(title: str, turns: int, most: int, width: int) -> Content:
    said = f" {turns:>5,}"
    share = max(turns / most, 1 / (2 * BAR)) if most else 0.0  # never quite nothing
    drawn = bar(share, BAR, " ").rstrip() if width >= 34 else ""
    room = max(8, width - 2 - len(said) - (BAR + 1 if drawn else 0))
    return lines("  ", f"{one_line(title, room):<{room}}", (said, QUIET), (f" {drawn}", LINK))


def title_line(title: str, turns: int, sentences: int) -> Content:
    told = f"  {count(turns, 'turn')} in {count(sentences, 'sentence')}"
    return lines((one_line(title, 60), "bold"), (told, QUIET))


def sentence_line(source: Source, width: int) -> Content:
    """One sentence, with its time and with who said it, if that is somebody else."""
    who = "" if source.speaker.casefold() in OWN else f"{one_line(source.speaker, 20)}: "
    return hung((f"  {clock_time(source.said_at)}  ", QUIET), f"{who}{source.quote}", width)


def day_line(source: Source) -> Content:
    at = source.said_at.local()
    return lines("\n", (f"{at:%A} {at.day} {at:%B %Y}", "bold"))
