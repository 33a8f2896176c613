"""Any model of this machine can be the one that chats; what each is fit for is said before it is chosen."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message

from app.messages import ModelPicked
from app.screens.base import FramedScreen
from app.services import Services
from app.shelf import Shelved
from store.errors import ErstwhileError
from widgets.bars import Flash, KeyLine, TopLine
from widgets.choices import Choices, Row
from widgets.look import CHANGED, NEVER, NOW, QUIET, Piece, lines, stacked
from widgets.plain import one_line
from widgets.why_rows import bar
from widgets.wording import count

NONE = (
    "No model yet. I remember, search and answer from what you told me without one.\n\n"
    "To chat with one, put a GGUF file into the models folder (f9 says where it is), or run\n"
    "erstwhile models get, which fetches a small one of 92 MB."
)
WORDS = {
    "chat": "chats", "extract": "reads", "summary": "sums up", "rewrite": "rewrites", "tools": "looks up",
    "absent": "knows when it does not know",
}  # fmt: skip


class ShelfRead(Message):
    """The models were looked for; `problem` says why that failed."""

    def __init__(self, found: list[Shelved], problem: str = "") -> None:
        super().__init__()
        self.found, self.problem = found, problem


class ModelsScreen(FramedScreen):
    """The models that were found."""

    DEFAULT_CSS = "ModelsScreen Choices { height: 1fr; padding: 1 1 0 1; }"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss", "back", id="models.back")]
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
        yield Choices(id="shelf")
        yield Flash()
        yield KeyLine()

    def on_mount(self) -> None:
        self.query_one(TopLine).place = "models · looking…"
        self.say_times()
        self.query_one(Choices).focus()
        self._look()

    def _look(self) -> None:
        self.run_worker(self._fetch, thread=True, exclusive=True, group="shelf", exit_on_error=False)

    def _fetch(self) -> None:
        try:
            self.post_message(ShelfRead(self.services.shelf()))
        except ErstwhileError as error:
            self.post_message(ShelfRead([], str(error)))

    def on_shelf_read(self, event: ShelfRead) -> None:
        self._found, self._read = event.found, True
        self.query_one(TopLine).place = f"models · {count(len(event.found), 'file')}"
        if event.problem:
            self.flash(event.problem, bad=True)
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
                 (f"  {one.source} · {one.size / 1e6:,.0f} MB{' · in use' if one.used else ''}", QUIET))  # fmt: skip
    if one.problem:
        return stacked(
            [row.truncate(width, ellipsis=True) for row in (head, lines(("  " + one_line(one.problem), NEVER)))]
        )
    facts = [f"needs {one.memory / 1e9:.1f} GB of memory" if one.memory else "",
             f"{one.speed:.0f} tokens a second" if one.speed else "not timed yet"]  # fmt: skip
    need = lines(("  " + " · ".join(fact for fact in facts if fact), QUIET))
    rows = [head, need, *_fitness(one, width)]
    return stacked([row.truncate(width, ellipsis=True) for row in rows])


def _fitness(one: Shelved, width: int) -> list[Content]:
    """How fit it is for each job; as many side by side as there is room for."""
    if not one.fitness:
        return [lines(("  not tested yet: erstwhile models test", QUIET))]
    found: list[Content] = []
    line: list[Piece] = []
    used = 2
    for ability, share in one.fitness:
        word = f"{WORDS.get(ability, ability)} "
        if used + len(word) + 12 > width and line:
            found.append(lines("  ", *line))
            line, used = [], 2
        line += [(word, QUIET), (bar(share, 5), NOW if share >= 0.8 else CHANGED), f" {share:>4.0%}  "]
        used += len(word) + 12
    return [*found, lines("  ", *line)]
