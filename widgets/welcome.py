"""An empty chat teaches what to say, what to ask, which keys there are, and what is missing, in one screen."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.reactive import reactive
from textual.widgets import Static

from widgets.look import CHANGED, LINK, NEVER, NOW, QUIET, lines, stacked
from widgets.plain import one_line
from widgets.wording import count

MOST_NEWS = 4
WIDEST = 76  # columns of a piece of news; the brief has it whole

KEYS = (
    ("ctrl+t", "timeline"),
    ("ctrl+l", "beliefs"),
    ("ctrl+f", "search"),
    ("ctrl+o", "conversations"),
    ("ctrl+r", "off the record"),
    ("ctrl+s", "sleep now"),
    ("ctrl+g", "jump to a row"),
    ("f7", "diary"),
    ("ctrl+e", "morning's brief"),
    ("f6", "settings"),
    ("ctrl+p", "all commands"),
    ("f1", "help"),
)


class Welcome(VerticalScroll, can_focus=False):
    """The first thing that one sees."""

    DEFAULT_CSS = """
    Welcome { align: center middle; padding: 1 3; scrollbar-size-vertical: 1; }
    Welcome > Static { width: auto; max-width: 100%; height: auto; }
    """
    off_record = reactive(False)
    turns = reactive(-1)  # turns in the memory; -1 while it is opening
    sessions = reactive(0)
    memory_problem = reactive("")  # why the memory does not open
    touring = reactive(False)  # the memory is opened for the tour
    news: reactive[tuple[str, ...]] = reactive(())  # since one was last here: a heading, then a line for each thing
    model_problem = reactive("")  # why there is no model; empty where there is one, or where it isn't known yet

    def compose(self) -> ComposeResult:
        yield Static("", id="welcome-text", markup=False)

    def _say(self) -> None:
        if self.is_mounted:
            self.query_one("#welcome-text", Static).update(stacked(self._rows()))

    on_mount = on_resize = _say
    watch_off_record = watch_turns = watch_sessions = watch_memory_problem = watch_news = watch_model_problem = _say
    watch_touring = _say

    def _rows(self) -> list[Content]:
        head = [lines(("erstwhile", "bold")), lines(("remembers what you say, and what you believed when", QUIET))]
        rows = [*head, lines(""), *self._teaching(), lines("")]
        pairs = [lines((f"{key:<7}", LINK), (f"{what:<17}", QUIET)) for key, what in KEYS]
        rows += [lines(*pairs[start : start + 2]) for start in range(0, len(pairs), 2)]
        if self.model_problem and not self.touring:
            rows += [
                lines(""),
                lines(("○ ", CHANGED), "No model chats yet. I remember, search and answer from what you told me."),
                lines(("  " + self.model_problem, QUIET)),
            ]
        return rows

    def _teaching(self) -> list[Content]:
        if self.off_record:
            return [
                lines(("Off the record", "bold $accent")),
                lines("What is said here is not written, not learned, and gone"),
                lines("when this chat ends. I may still read what I know."),
                lines(""),
                lines(("ctrl+r", LINK), (" goes back on the record, in a new chat", QUIET)),
            ]
        if self.touring:
            return [
                lines(("The tour opens", "bold"), (" in a few seconds", QUIET)),
                lines("It shows a year of somebody who is made up."),
                lines("esc leaves it at any stop, for your own memory;"),
                lines("nothing of that is open meanwhile."),
            ]
        if self.turns > 0:
            return [
                lines(("● ", NOW), f"{count(self.turns, 'turn')} in {count(self.sessions, 'conversation')} remembered"),
                lines(""),
                *self._news(),
                lines(("Ask        ", QUIET), "“Where do I live?”"),
                lines(("Ask back   ", QUIET), "“Where did I live in March?”"),
                lines(("Go on      ", QUIET), "just say it; it is saved before all else"),
            ]
        if self.memory_problem:
            return [lines(("✗ ", NEVER), self.memory_problem)]
        opening = [lines(("opening the memory…", QUIET)), lines("")] if self.turns < 0 else []
        return [
            *opening,
            lines(("New here?  ", "bold"), ("alt+t", LINK), " shows you around for a minute."),
            lines(""),
            lines(("Say something worth remembering", QUIET)),
            lines("  “I moved to Lisbon last month.”"),
            lines("  “My sister Inês works at the hospital.”"),
            lines(""),
            lines(("and ask for it whenever you like", QUIET)),
            lines("  “Where do I live?”   “Where did I live before?”"),
        ]

    def _news(self) -> list[Content]:
        if not self.news:
            return []
        room = min(WIDEST, max(24, (self.scrollable_content_region.width or WIDEST) - 2))
        told = [lines(("· ", QUIET), one_line(one, room)) for one in self.news[1 : MOST_NEWS + 1]]
        left = len(self.news) - 1 - len(told)
        more = f"and {left} more: " if left > 0 else ""
        end = [lines(("ctrl+e", LINK), (f" {more}all of it", QUIET)), lines("")]
        return [lines((one_line(self.news[0]), "bold")), *told, *end]
