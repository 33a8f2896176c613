"""Any model of this machine can be the one that chats; what each is fit for is said before it is chosen.

Others can be fetched, one at a time, while everything else goes on: what is fetched is asked for with a key, by the
name of one of the few that are recommended, or by an address.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content

from app import paths
from app.core import shelf
from app.core.opening import voiced
from app.core.shelf import Shelved, Stock
from app.tui.jobs import Job, JobFailed, start
from app.tui.screens.base import FramedScreen
from app.tui.screens.dialogs import AskDialog
from app.tui.services import NO_MODEL, ModelPicked, ModelWanted, Services
from store.errors import BadInput, ModelError, ModelUnavailable, NotFound
from widgets.bars import TopLine
from widgets.choices import Choices, Row
from widgets.look import CHANGED, NEVER, NOW, QUIET, lines, stacked
from widgets.plain import one_line
from widgets.why_rows import bar
from widgets.wording import count

if TYPE_CHECKING:
    from app.core.turn import Voice
    from app.llm.catalogue import FileToFetch, Offer
    from store.protocols import LanguageModel

NONE = (
    "No model yet. I remember, search and answer from what you told me without one.\n\n"
    "To chat with one, fetch one of those below with its number, or the small one (SmolLM2, 98 MB) with `erstwhile "
    "models get`, or put a GGUF file into the models folder (f9 says where it is)."
)
NO_ENGINE = (
    "What runs models (llama.cpp) is not installed. b builds it beside the app, which takes some minutes and a C++ "
    "compiler."
)
WORDS = {
    "chat": "chats", "extract": "reads", "summary": "sums up", "rewrite": "rewrites", "tools": "looks up",
    "absent": "admits gaps", "comment": "comments",
}  # fmt: skip
SOURCES = {"ollama": "Ollama", "lm studio": "LM Studio", "hugging face": "Hugging Face", "checkout": "erstwhile"}
"""Who put a file there, as they write their names."""
WAITING = ("use", "test", "fetch_marked", "fetch", "pause", "go_on", "drop", "build")
"""What can be done only once it is known which models there are."""
IN_USE = "in use"
BUSY = "One model at a time: space pauses the one that is being fetched."


@dataclass
class Trial:
    """A test of a model, and how far it is."""

    path: Path
    cases: int
    done: int = 0
    right: int = 0
    stop: Event = field(default_factory=Event)


class AddressDialog(AskDialog["FileToFetch | Path"]):
    """Asks where a model is: at an address, or in a file."""

    def __init__(self) -> None:
        super().__init__(
            "Where is the model?", "enter fetches it, or uses the file where it is; esc leaves", _located,
            placeholder="https://…/model.gguf, owner/repository/file.gguf, or a file here",
        )  # fmt: skip


def _located(text: str) -> FileToFetch | Path:
    """The file that a text names, or what is to be fetched. Raises BadInput, NotFound, ModelUnavailable."""
    from app.llm.catalogue import wanted
    from app.llm.find import examine

    path = Path(text).expanduser()
    if path.is_absolute() or text.startswith(("./", "../")):
        if path.is_dir():
            raise BadInput(f"{text} is a folder; name the file in it.")
        if not path.is_file():
            raise NotFound(f"There is no file {text}.")
    if not text or not path.is_file():
        return wanted(text)
    if problem := examine(path).problem:
        raise ModelUnavailable(problem)
    return path.resolve()


class ModelsScreen(FramedScreen):
    """The models that were found, and those that can be fetched."""

    PLACE = "models"
    JOB = Job.LIST_MODELS
    DEFAULT_CSS = "ModelsScreen Choices { height: 1fr; padding: 1 1 0 1; }"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "use", "use", key_display="enter", id="models.use"),
        Binding("enter", "fetch_marked", "fetch", key_display="enter", id="models.fetch_marked"),
        Binding("1", "fetch(0)", "fetch the first", show=False, id="models.first"),
        Binding("2", "fetch(1)", "fetch the second", show=False, id="models.second"),
        Binding("3", "fetch(2)", "fetch the third", show=False, id="models.third"),
        Binding("space", "pause", "pause", id="models.pause"),
        Binding("space", "go_on", "go on", id="models.go_on"),
        Binding("x", "drop", "throw away", id="models.drop"),
        Binding("t", "test", "test it", id="models.test"),
        Binding("a", "address", "address or file", id="models.address"),
        Binding("b", "build", "build the engine", id="models.build"),
        Binding("escape", "stop_test", "stop the test", id="models.stop"),
        Binding("escape", "dismiss", "back", id="models.back"),
    ]
    HELP = """
    ### Models
    Every GGUF file that this machine holds, whoever put it there: Ollama, LM Studio, llama.cpp, Hugging Face. ● is in
    use, ○ could be, ✗ cannot. Memory is what it takes while it is in use, speed what its last replies here were. The
    bars say how much of a small test it got right, which `t` begins and `esc` or leaving stops: what it did well enough
    it is asked to do.
    `enter` uses a model from now on; the old one is let go.

    Below stand up to three that fit this machine's memory: `1`, `2`, `3` fetch them from Hugging Face, `a` fetches from
    an address or uses a file. `space` pauses and goes on, also after a restart; `x` throws away what came of one, and
    one that failed. What is fetched is checked against its SHA-256, tried, and used. Nothing else is ever fetched, and
    nothing unasked.
    """

    def __init__(self, services: Services) -> None:
        super().__init__(services)
        self._stock, self.choices = Stock(), Choices(id="shelf", opens=False)
        self._trial: Trial | None = None
        """The test that is under way."""

    def body(self) -> ComposeResult:
        yield self.choices

    def refetch(self) -> None:
        self.reading("looking…")
        start(self, Job.LIST_MODELS, self._look, self.fetched)

    def _look(self) -> Stock:
        engine = not self.services.engine_is_missing()
        return shelf.stock(self.services.shelf, engine=engine, memory=self.services.total_memory())

    def fetched(self, known: Stock) -> None:
        self._stock = known
        top = self.query_one(TopLine)
        top.place, top.reading = f"models · {count(len(known.shelved), 'file')}", ""
        super().fetched(known)

    def models_changed(self, *, look: bool = False) -> None:
        if not self.query(Choices):  # this screen is opening, and reads by itself, or the app is closing
            return
        if look:
            self.refetch()
        elif self.known:
            self.draw()
        self.refresh_bindings()

    def draw(self) -> None:
        choices, stock, setting_up = self.choices, self._stock, self.services.setting_up
        width = max(30, choices.size.width - 4)
        rows: list[Row] = []
        if setting_up:
            rows += [Row(lines(("◌ ", CHANGED), one_line(setting_up))), Row(lines())]
        elif self.known and not stock.engine:
            rows += [Row(lines(("✗ ", NEVER), NO_ENGINE)), Row(lines())]
        if self.known and not stock.shelved:
            rows += [Row(lines((NONE, QUIET))), Row(lines())]
        for one in stock.shelved:
            rows += [Row(_model(one, width, self._use, self._trial), one), Row(lines())]
        choices.show_rows([*rows, *self._to_fetch(width)], choices.highlighted)

    @property
    def _use(self) -> str:
        """What becomes of the model that was chosen."""
        if self.services.voice is not None:
            return IN_USE
        return "chosen, and not running" if self.services.model_state == NO_MODEL else "chosen, and being loaded"

    def _to_fetch(self, width: int) -> list[Row]:
        """What can be fetched, and what is being fetched or was begun beside that."""
        if not self.known:
            return []
        stock = self._stock
        numbered = {one.file for one in stock.offers}
        memory = f" · for a machine with {stock.memory / 2**30:.0f} GB of memory" if stock.memory else ""
        rows = [Row(lines(("TO FETCH", "bold"), (memory, QUIET)))]
        for number, offer in enumerate(stock.offers, 1):
            rows += [Row(_offer(offer, number, width, self._state(offer.file)), offer), Row(lines())]
        for one in self._others():
            if one.file not in numbered:
                name = lines(("◌ ", CHANGED), (one_line(one.name), "bold"))
                rows.append(Row(_clipped([name, *_state_rows(self._state(one.file))], width), one))
        return rows

    def _others(self) -> list[FileToFetch]:
        """What was begun, with what is being fetched."""
        fetching = self.services.fetching
        found = {half.wanted.file: half.wanted for half in self._stock.halves}
        if fetching.wanted is not None and (fetching.running or fetching.problem):
            found[fetching.wanted.file] = fetching.wanted
        return list(found.values())

    def _state(self, file: str) -> State:
        fetching = self.services.fetching
        half = next((one for one in self._stock.halves if one.wanted.file == file), None)
        share = half.done / half.size if half is not None and half.size else None
        if fetching.wanted is not None and fetching.wanted.file == file:
            if fetching.running and fetching.step is not None:
                return fetching.step.share, fetching.step.sentence, False
            if fetching.running or fetching.problem:
                return share, fetching.problem or "asking the server…", bool(fetching.problem)
        return (share, "paused; space goes on, x throws it away", False) if half is not None else (None, "", False)

    # -- keys

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if not self.known:
            return action not in (*WAITING, "stop_test")
        marked, running = self.choices.pointed, self.services.fetching.running
        useful = {
            "use": isinstance(marked, Shelved) and not marked.used,
            "test": isinstance(marked, Shelved) and not marked.problem and self._stock.engine and self._trial is None,
            "stop_test": self._trial is not None,
            "dismiss": self._trial is None,
            "fetch_marked": marked is not None and not isinstance(marked, Shelved) and not running,
            "pause": running,
            "go_on": not running and bool(self._stock.halves),
            "drop": not running and bool(self._others()),
            "build": not self._stock.engine and not self.services.setting_up,
        }
        if action == "fetch":
            return int(str(parameters[0])) < len(self._stock.offers)
        return useful.get(action, True)

    def _marked_of(self, begun: list[FileToFetch]) -> FileToFetch:
        """The one of these that is marked, else the first."""
        marked = getattr(self.choices.pointed, "file", None)
        return next((one for one in begun if one.file == marked), begun[0])

    def action_use(self) -> None:
        self.choices.action_select()

    action_fetch_marked = action_use

    def action_fetch(self, place: int) -> None:
        self._want(self._stock.offers[place].wanted)

    def action_pause(self) -> None:
        self.services.fetching.pause()

    def action_go_on(self) -> None:
        self._want(self._marked_of([half.wanted for half in self._stock.halves]))

    def action_drop(self) -> None:
        from app.llm.halves import drop

        wanted = self._marked_of(self._others())

        def dropped(stock: Stock) -> None:
            self.services.fetching.forget(wanted)
            self.fetched(stock)

        def throw_away() -> Stock:
            drop(wanted, paths.models_dir())
            return self._look()

        start(self, Job.DROP_MODEL, throw_away, dropped)

    def action_address(self) -> None:
        self.ask_in(AddressDialog(), self._located)

    def action_build(self) -> None:
        self.app.call_later(self.app.run_action, "set_up")

    def _located(self, found: FileToFetch | Path) -> None:
        if isinstance(found, Path):
            self._pick(found, found.name)
        else:
            self._want(found)

    def _want(self, wanted: FileToFetch) -> None:
        if self.services.fetching.running:
            self.flash(BUSY, bad=True)
        else:
            self.post_message(ModelWanted(wanted))

    def _pick(self, path: Path, name: str) -> None:
        self._end_test()  # the model that it asks may be let go
        self.flash(f"From now on: {name}")
        self.post_message(ModelPicked(path))
        self.set_timer(0.1, self.refetch)

    def chosen(self, choices: Choices, record: Any) -> None:
        if isinstance(record, Shelved) and record.problem:
            self.flash(record.problem, bad=True)
        elif isinstance(record, Shelved):
            self._pick(record.path, record.name)
        else:
            self._want(getattr(record, "wanted", record))

    # -- a test

    def action_test(self) -> None:
        from app.core.fitness_cases import CASES

        marked, voice = self.choices.pointed, self.services.voice
        if isinstance(marked, Shelved):
            trial = self._trial = Trial(marked.path, len(CASES))
            work = partial(self._test, trial, voice.model if voice is not None else None)
            start(self, Job.TEST_MODEL, work, partial(self._tested, trial))
            self.models_changed()

    def _test(self, trial: Trial, running: LanguageModel | None) -> Voice | None:
        """The model that runs, as it may speak from now on, where that one was tested."""
        try:
            for outcome in self.services.tester(trial.path, running, trial.stop):
                self.call_later(self._case_over, trial, outcome.right)
        except ModelError:
            if not trial.stop.is_set():
                raise
        mine = running is not None and getattr(running, "path", None) == trial.path
        return voiced(running, self.services.settings) if mine and running is not None else None

    def _case_over(self, trial: Trial, right: bool) -> None:
        trial.done, trial.right = trial.done + 1, trial.right + right
        self.models_changed()

    def _tested(self, trial: Trial, voice: Voice | None) -> None:
        if trial.stop.is_set():
            return
        self._trial = None
        if voice is not None and self.services.voice is not None and self.services.voice.model is voice.model:
            self.services.voice = voice
        self.flash(f"Tested: {trial.right} of {count(trial.done, 'answer')} right")
        self.refetch()

    def action_stop_test(self) -> None:
        self._end_test()
        self.flash("The test was stopped; nothing of it is kept")
        self.models_changed()

    def _end_test(self) -> None:
        if self._trial is not None:
            self._trial.stop.set()
            self._trial = None

    def on_unmount(self) -> None:
        self._end_test()

    def on_job_failed(self, event: JobFailed) -> None:
        if event.job is Job.TEST_MODEL:
            self._trial = None
            self.models_changed()


State = tuple[float | None, str, bool]
"""How much of a file is here, a sentence about it, and whether that is bad; (None, "", False) for none."""


def _offer(one: Offer, number: int, width: int, state: State) -> Content:
    """A model that is recommended: what it is, what it costs, and how much of it is here."""
    head = lines((f"{number} ", "bold $primary"), (one_line(one.title), "bold"), (f"  {one_line(one.about)}", QUIET))
    costs = f"  {_size(one.size)} to fetch · needs {_size(one.memory)} of memory"
    terms = f"{one.licence} · reads {one.context:,} tokens"
    told = [f"{costs} · {terms}"] if len(costs) + len(terms) + 3 <= width else [costs, f"  {terms}"]
    return _clipped([head, *(lines((row, QUIET)) for row in told), *_state_rows(state)], width)


def _state_rows(state: State) -> list[Content]:
    share, sentence, bad = state
    if not sentence:
        return []
    drawn = f"  {bar(share, 20)} {share:>4.0%}  " if share is not None else "  "
    sign = ("✗ ", NEVER) if bad else ("", NOW)
    return [lines((drawn, NOW), sign, (one_line(sentence), NEVER if bad else QUIET))]


def _clipped(rows: list[Content], width: int) -> Content:
    """Each row on one line, but for the last, which may say what went wrong."""
    return stacked([*(row.truncate(width, ellipsis=True) for row in rows[:-1]), rows[-1]])


def _model(one: Shelved, width: int, use: str, trial: Trial | None) -> Content:
    """`use`: what becomes of the one that was chosen; `trial`: the test of some model."""
    mark, style = ("✗", NEVER) if one.problem else ("●", NOW) if one.used and use == IN_USE else ("○", QUIET)
    told = f"  {SOURCES.get(one.source, one.source)} · {_size(one.size)}{f' · {use}' if one.used else ''}"
    rows = [lines((f"{mark} ", style), (one_line(one.name, max(20, width - 30)), "bold"), (told, QUIET))]
    if one.problem:
        rows.append(lines(("  " + one_line(one.problem), NEVER)))
    else:
        needs = f"needs {_size(one.memory)} of memory · " if one.memory else ""
        speed = f"{one.speed:.0f} tokens a second" if one.speed else "not timed yet"
        rows.append(lines((f"  {needs}{speed}", QUIET)))
        if trial is not None and trial.path == one.path:
            words = f"{trial.done} of {trial.cases} · {trial.right} right" if trial.done else "being tested…"
            rows += _state_rows((trial.done / trial.cases, words, False))
        else:
            rows += _fitness(one, width)
    return stacked([row.truncate(width, ellipsis=True) for row in rows])


def _fitness(one: Shelved, width: int) -> list[Content]:
    """How fit it is for each job; as many side by side as there is room for."""
    if not one.fitness:
        return [lines(("  not tested yet: t tests it", QUIET))]
    words = [WORDS.get(ability, ability) for ability, _share in one.fitness]
    label = max(map(len, words))
    beside = max(1, (width - 2) // (label + 14))
    cells = [
        lines((f"{word:<{label}} ", QUIET), (bar(share, 5), NOW if share >= 0.8 else CHANGED), f" {share:>4.0%}   ")
        for word, (_ability, share) in zip(words, one.fitness, strict=True)
    ]
    return [lines("  ", *cells[start : start + beside]) for start in range(0, len(cells), beside)]


def _size(amount: float) -> str:
    return f"{amount / 1e9:.1f} GB" if amount >= 1e9 else f"{amount / 1e6:,.0f} MB"
