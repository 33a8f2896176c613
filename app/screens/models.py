"""Any model of this machine can be the one that chats; what each is fit for is said before it is chosen."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message

from app.jobs import Job
from app.messages import ModelPicked
from app.screens.base import FramedScreen
from app.services import Services
from app.shelf import Shelved
from widgets.bars import Flash, KeyLine, TopLine
from widgets.choices import Choices, Row
from widgets.look import CHANGED, NEVER, NOW, QUIET, lines, stacked
from widgets.plain import one_line
from widgets.why_rows import bar
from widgets.wording import count

NONE = (
    "No model yet. I remember, search and answer from what you told me without one.\n\n"
    "To chat with one, put a GGUF file into the models folder (f9 says where it is), or run erstwhile models get, "
    "which fetches a small one of 92 MB."
)
WORDS = {
    "chat": "chats", "extract": "reads", "summary": "sums up", "rewrite": "rewrites", "tools": "looks up",
    "absent": "admits gaps", "plan": "tidies notes",
}  # fmt: skip
SOURCES = {"ollama": "Ollama", "lm studio": "LM Studio", "hugging face": "Hugging Face", "checkout": "erstwhile"}
"""Who put a file there, as they write their names."""


class ShelfRead(Message):
    """The models of this machine were looked for."""

    def __init__(self, found: list[Shelved]) -> None:
        super().__init__()
        self.found = found


class ModelsScreen(FramedScreen):
    """The models that were found."""

    DEFAULT_CSS = "ModelsScreen Choices { height: 1fr; padding: 1 1 0 1; }"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "use", "use", key_display="enter", id="models.use"),
        Binding("escape", "dismiss", "back", id="models.back"),
    ]
    HELP = """
    ### Models
    Every GGUF file that this machine holds, whoever put it there: Ollama, LM Studio, llama.cpp, Hugging Face. ● is in
    use, ○ could be, ✗ cannot. Memory is what it takes while it is in use, speed what its last replies here were. The
    bars say how much of a small test it got right (`erstwhile models test`): what it did well enough it is asked to do.
    `enter` uses a model from now on; the old one is let go.
    """

    def __init__(self, services: Services) -> None:
        super().__init__(services)
        self._found: list[Shelved] = []
        self._read = False

    def compose(self) -> ComposeResult:
        yield TopLine()
        yield Choices(id="shelf", opens=False)
        yield Flash()
        yield KeyLine()

    def on_mount(self) -> None:
        self.query_one(TopLine).place = "models"
        self.say_times()
        self.query_one(Choices).focus()
        self._look()

    def _look(self) -> None:
        self.read(Job.LIST_MODELS, self._fetch, "looking…")

    def _fetch(self) -> None:
        self.post_message(ShelfRead(self.services.shelf()))

    def on_shelf_read(self, event: ShelfRead) -> None:
        self._found, self._read = event.found, True
        top = self.query_one(TopLine)
        top.place, top.reading = f"models · {count(len(event.found), 'file')}", ""
        self._show()

    def on_resize(self) -> None:
        self._show()

    def _show(self) -> None:
        choices = self.query_one(Choices)
        width = max(30, choices.size.width - 4)
        rows = [row for one in self._found for row in (Row(_model(one, width), one), Row(lines()))]
        if self._read and not rows:
            rows = [Row(lines((NONE, QUIET)))]
        choices.show_rows(rows, choices.highlighted)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Another one than that which is in use."""
        marked = self.query_one(Choices).pointed if action == "use" and self.is_mounted else None
        return action != "use" or (isinstance(marked, Shelved) and not marked.used)

    def on_choices_pointed(self, event: Choices.Pointed) -> None:
        event.stop()
        self.refresh_bindings()

    def action_use(self) -> None:
        self.query_one(Choices).action_select()

    def on_choices_chosen(self, event: Choices.Chosen) -> None:
        event.stop()
        one = event.record
        if isinstance(one, Shelved) and one.problem:
            self.flash(one.problem, bad=True)
        elif isinstance(one, Shelved):
            self.flash(f"From now on: {one.name}")
            self.post_message(ModelPicked(one.path))
            self.set_timer(0.1, self._look)


def _model(one: Shelved, width: int) -> Content:
    mark, style = ("✗", NEVER) if one.problem else ("●", NOW) if one.used else ("○", QUIET)
    head = lines((f"{mark} ", style), (one_line(one.name, max(20, width - 30)), "bold"),
                 (f"  {SOURCES.get(one.source, one.source)} · {_size(one.size)}{' · in use' if one.used else ''}",
                  QUIET))  # fmt: skip
    if one.problem:
        return stacked(
            [row.truncate(width, ellipsis=True) for row in (head, lines(("  " + one_line(one.problem), NEVER)))]
        )
    facts = [f"needs {_size(one.memory)} of memory" if one.memory else "",
             f"{one.speed:.0f} tokens a second" if one.speed else "not timed yet"]  # fmt: skip
    need = lines(("  " + " · ".join(fact for fact in facts if fact), QUIET))
    rows = [head, need, *_fitness(one, width)]
    return stacked([row.truncate(width, ellipsis=True) for row in rows])


def _fitness(one: Shelved, width: int) -> list[Content]:
    """How fit it is for each job; as many side by side as there is room for."""
    if not one.fitness:
        return [lines(("  not tested yet: erstwhile models test", QUIET))]
    words = [WORDS.get(ability, ability) for ability, _share in one.fitness]
    label = max(map(len, words))
    beside = max(1, (width - 2) // (label + 14))
    cells = [
        lines((f"{word:<{label}} ", QUIET), (bar(share, 5), NOW if share >= 0.8 else CHANGED), f" {share:>4.0%}   ")
        for word, (_ability, share) in zip(words, one.fitness, strict=True)
    ]
    return [lines("  ", *cells[start : start + beside]) for start in range(0, len(cells), beside)]


def _size(amount: float) -> str:
    """Of so many bytes: 92 MB, 2.5 GB."""
    return f"{amount / 1e9:.1f} GB" if amount >= 1e9 else f"{amount / 1e6:,.0f} MB"
