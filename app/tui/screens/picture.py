"""What is on the screen is saved as a picture or as a page for print: where the person says, in the form that its name
asks for, and never over another file.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType

from app.tui.jobs import Job, start
from app.tui.screens.base import FilteringScreen
from app.tui.screens.dialogs import SaveDialog
from app.tui.services import Services
from app.tui.theme import LIGHT
from store.errors import BadInput, NotFound
from store.records import Fact
from widgets.plain import one_line
from widgets.states import never_true
from widgets.vector import Colours, page
from widgets.wording import about, believed, since, value

if TYPE_CHECKING:
    from store.memory import Memory

CONVERTERS = (
    ("rsvg-convert", ("-w", "3200", "-o", "{to}", "{svg}")),
    ("resvg", ("-w", "3200", "{svg}", "{to}")),
    ("inkscape", ("{svg}", "-w", "3200", "-o", "{to}")),
)
"""Programs that draw an SVG as a PNG, and what each is told."""
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


class PictureScreen(FilteringScreen):
    """A screen whose picture can be saved, and that tells of facts in the words that they were told in."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("x", "save", "save", id="picture.save")]

    def __init__(self, services: Services) -> None:
        super().__init__(services)
        self.heard: dict[str, Fact] = {}
        """Facts with the words that they rest on, by id: a lane does not know them, so they are read when it is pointed
        at."""

    def hear(self, facts: Iterable[Fact], then: Callable[[], object]) -> None:
        """Read the words of those of which they are not known; `then` is called when they are."""
        wanted = [one.id for one in facts if not one.sources and one.id not in self.heard]

        def kept(found: Sequence[Fact]) -> None:
            self.heard |= {one.id: one for one in found}
            then()

        if wanted:
            self.ask(Job.READ_SOURCES, partial(_told, wanted), kept)

    def shown(self) -> Shown | None:
        """What would be saved, as it looks at this moment; None where nothing is shown."""

    def action_save(self) -> None:
        if (shown := self.shown()) is not None:
            self.app.push_screen(SaveDialog(f"~/{shown.name}.svg"), partial(self._save, shown))

    def _save(self, shown: Shown, to: Path | None) -> None:
        if to is not None:
            work = partial(write, to, shown, self.app.theme_variables, self.services.now)
            start(self, Job.SAVE_PICTURE, work, lambda path: self.flash(f"Saved: {one_line(str(path))}"))


def _told(wanted: Sequence[str], memory: Memory) -> list[Fact]:
    """Those that are still there."""
    found = []
    for one in wanted:
        try:
            found.append(memory.beliefs.fact(one))
        except NotFound:  # it was erased meanwhile
            continue
    return found


def paper() -> Colours:
    """The colours of what is printed: those of the light theme."""
    named = ("primary", "warning", "error", "foreground", "background", "panel")
    return {**{name: str(getattr(LIGHT, name)) for name in named}, **LIGHT.variables}


def write(to: Path, shown: Shown, colours: Colours, now: int) -> Path:
    """The picture, or pages for print and the facts below them. Raises BadInput with what to do instead."""
    form = to.suffix.lower()
    if form not in (".svg", ".png", ".html"):
        raise BadInput(f"{to.name} should end in .svg or .png, for a picture, or in .html, for a page to print.")
    if to.exists():
        raise BadInput(f"{to} is there already; choose another name.")
    if not to.parent.is_dir():
        raise BadInput(f"There is no folder {to.parent}.")
    if form == ".png":
        _png(to, shown.drawn(colours))
    elif form == ".svg":
        to.write_text(shown.drawn(colours), encoding="utf-8")
    else:
        rows = [
            (about(one), value(one), "never" if never_true(one) else since(one, now), believed(one, now))
            for one in shown.facts
        ]
        to.write_text(page(shown.title, shown.pages(paper()), rows), encoding="utf-8")
    return to


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
