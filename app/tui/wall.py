"""A picture is written where the person says, in the form that its name asks for, and never over another file."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from app.tui.theme import LIGHT
from store.errors import BadInput
from store.records import Fact
from widgets.states import never_true
from widgets.vector import Colours, page
from widgets.wording import about, believed, since, value

FORMS = (".svg", ".png", ".html")
CONVERTERS = (
    ("rsvg-convert", ("-w", "3200", "-o", "{to}", "{svg}")),
    ("resvg", ("-w", "3200", "{svg}", "{to}")),
    ("inkscape", ("{svg}", "-w", "3200", "-o", "{to}")),
)
"""Programs that draw an SVG as a PNG, and what each is told."""
_NAMED = ("primary", "warning", "error", "foreground", "background", "panel")
"""The colours that a theme has by name; the others are variables of it."""
LONGEST = 60
"""Seconds that one of them may take."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What can be saved."""

    title: str
    name: str
    """Of the file, if nothing else is typed."""
    drawn: Callable[[Colours], str]
    """A picture of what is in view, in some colours."""
    pages: Callable[[Colours], Sequence[str]]
    """Pictures of everything, each for a page of paper."""
    facts: Sequence[Fact]
    """What the table below the pages lists."""


def paper() -> Colours:
    """The colours of what is printed: those of the light theme."""
    return {**{name: str(getattr(LIGHT, name)) for name in _NAMED}, **LIGHT.variables}


def write(to: Path, shown: Shown, colours: Colours, now: int) -> Path:
    """The picture, or pages for print and the facts below them. Raises BadInput with what to do instead."""
    form = to.suffix.lower()
    if form not in FORMS:
        raise BadInput(f"{to.name} should end in .svg or .png, for a picture, or in .html, for a page to print.")
    if to.exists():
        raise BadInput(f"{to} is there already; choose another name.")
    if not to.parent.is_dir():
        raise BadInput(f"There is no folder {to.parent}.")
    if form == ".png":
        _png(to, shown.drawn(colours))
    elif form == ".html":
        to.write_text(page(shown.title, shown.pages(paper()), _rows(shown.facts, now)), encoding="utf-8")
    else:
        to.write_text(shown.drawn(colours), encoding="utf-8")
    return to


def _rows(facts: Sequence[Fact], now: int) -> list[tuple[str, str, str, str]]:
    return [
        (about(fact), value(fact), "never" if never_true(fact) else since(fact, now), believed(fact, now))
        for fact in facts
    ]


def _png(to: Path, svg: str) -> None:
    """By a program that is there: a PNG needs fonts and a renderer, which Erstwhile does not bring."""
    found = next((converter for converter in CONVERTERS if shutil.which(converter[0])), None)
    if found is None:
        raise BadInput(
            "No program here draws a PNG (rsvg-convert, resvg or inkscape); save as .svg, which every browser opens."
        )
    program, told = found
    source = to.with_suffix(".svg.part")
    try:
        source.write_text(svg, encoding="utf-8")
        command = [program, *(part.format(svg=source, to=to) for part in told)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=LONGEST, check=False)
        if done.returncode:
            raise BadInput(f"{program} could not draw {to.name}: {done.stderr.strip()[:200]}")
    except subprocess.TimeoutExpired as late:
        raise BadInput(f"{program} did not end within {LONGEST} seconds; save as .svg.") from late
    finally:
        source.unlink(missing_ok=True)
