"""An import says what it would take before it takes anything, and each step of it is on the disk when it is shown.

A text file that is attached lies in the memory as a conversation of its own, to which a turn in the chat leads. It is
searched, quoted, and given to a model in that chat. It teaches nothing about the person, unless they say that the words
are their own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import timedelta, tzinfo
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from app.paths import expanded
from store.errors import BadInput
from store.formats.jsonl import COMPLETE
from store.records import DOCUMENT, Cited, Episode, Ingested, Instant, Source, Turn
from widgets.plain import plain
from widgets.wording import count

if TYPE_CHECKING:
    from store.formats.catalogue import Source as ImportSource
    from store.formats.report import Options, Report
    from store.maintenance.complete import Staged
    from store.maintenance.taking import Taken
    from store.memory import Memory

FEW = 6  # reasons that are told
MOST_SPEAKERS = 12  # of whom it is asked who is the person


@dataclass(frozen=True, slots=True)
class ImportPreview:
    """What a file or folder would bring."""

    sources: tuple[ImportSource, ...]
    options: Options
    turns: int
    sessions: int
    first: Instant | None
    last: Instant | None
    kinds: tuple[str, ...]
    passed_over: tuple[tuple[str, int], ...]  # (reason, how often), the most frequent first
    untimed: int = 0  # turns without a time of their own
    speakers: tuple[tuple[str, int], ...] = ()  # of whom one may be the person: (who, how often), most frequent first


def look(path: Path, memory: Path, zone: tzinfo, now: Instant) -> ImportPreview:
    """Read it all, and change nothing. Raises BadInput where nothing can be read."""
    from store.formats.catalogue import sources
    from store.formats.report import Options, Report

    report = Report()
    found = tuple(sources(expanded(path), None, report, memory))
    options = Options(zone, Instant.of(now.local() + timedelta(days=1)))
    with ExitStack() as stack:
        for one, export in complete(found, stack):
            export.tell(report, one.name)
    spoken = Counter(turn.speaker for turn in turns_of(found, options, report) if turn.role == "user")
    if not report.turns:
        raise BadInput(f"Nothing in {path} could be read: a diary has the date above each entry (2 March 2026), a chat "
                       "is an export; see the README.")  # fmt: skip
    return ImportPreview(
        found, options, report.turns, len(report.sessions), report.first, report.last,
        tuple(dict.fromkeys(kind for _path, kind in found)), tuple(report.reasons.most_common(FEW)), report.untimed,
        tuple(spoken.most_common(MOST_SPEAKERS)) if len(spoken) > 1 else (),
    )  # fmt: skip


def who_may_be_me(memory: Memory, found: ImportPreview) -> tuple[str, ...]:
    """The speakers of whom one is the person, the likeliest first: who is called as they are, who was taken for them
    before, whose name has most of theirs, and who is not named by the file, as a chat's is after whom one chats with.
    """
    called = " ".join(fact.object for fact in memory.beliefs.facts(about="me", predicate="name")).casefold().split()
    files = " ".join(path.stem for path, _kind in found.sources).casefold()

    def unlikely(name: str) -> tuple[bool, bool, int, bool]:
        key = name.casefold()
        words = {*key.split()}
        return not words <= {*called}, key not in memory.person, -len(words & {*called}), key in files

    return tuple(sorted((name for name, _ in found.speakers), key=unlikely))


def take_for_me(memory: Memory, found: ImportPreview, me: str) -> int:
    """This speaker is the person; empty: none of them. Gives how many turns are read again for that."""
    return memory.name_person([me] if me else [], [name for name, _ in found.speakers if name != me])


def bring(memory: Memory, found: ImportPreview) -> Iterator[Ingested]:
    """Take it all; what is there already is passed over. A complete export is on the disk when the step after it is."""
    from store.formats.report import Report

    new = seen = 0
    with ExitStack() as stack:
        for _, export in complete(found.sources, stack):
            running = memory.file.take(export)
            try:
                while True:
                    next(running)
                    yield Ingested(new, seen, found.turns)
            except StopIteration as ended:
                taken: Taken = ended.value
            new, seen = new + taken.counts["turn"], seen + taken.known + taken.stayed_away
            yield Ingested(new, seen, found.turns)
    for step in memory.episodes.ingest(turns_of(found.sources, found.options, Report()), found.turns):
        yield Ingested(new + step.new, seen + step.seen, step.total)


def complete(found: Iterable[ImportSource], stack: ExitStack) -> list[tuple[Path, Staged]]:
    """The complete exports among sources, all of them read and looked at. Raises BadInput, with the line."""
    from store.maintenance.complete import staged

    return [(path, stack.enter_context(staged(path))) for path, kind in found if kind == COMPLETE]


def turns_of(found: Iterable[ImportSource], options: Options, report: Report) -> Iterator[Turn]:
    """The turns of all other sources."""
    from store.formats.catalogue import read

    for source in found:
        if source[1] != COMPLETE:
            yield from read(source, options, report)


WORDS = {
    "turn": ("turn", ""), "session": ("conversation", ""), "person": ("name of yours", "names of yours"),
    "claim": ("claim", ""), "correction": ("correction", ""), "retraction": ("retraction", ""),
    "restoration": ("restoration", ""), "settled": ("settled dispute", ""), "confirmation": ("confirmation", ""),
    "same": ("joining of names", "joinings of names"), "different": ("parting of names", "partings of names"),
    "reading": ("reading", ""), "read_in": ("turn read in a sleep", "turns read in a sleep"),
    "heard": ("turn heard by a model", "turns heard by a model"), "refused": ("refusal", ""),
    "cited": ("source of a reply", "sources of replies"),
    "asked": ("reply about another time", "replies about other times"),
    "operation": ("entry of the log", "entries of the log"), "withdrawal": ("withdrawal", ""), "pin": ("pin", ""),
    "access": ("use of a belief", "uses of a belief"), "tombstone": ("tombstone", ""),
}  # fmt: skip
"""How people read the kinds of lines of a complete export: one, and many where that is not one with an s."""


def by_kind(counts: Mapping[str, int]) -> str:
    """What an export wrote, or an import took, for people: "3 corrections, 1 pin"."""
    return ", ".join(count(counts[kind], *words) for kind, words in WORDS.items() if counts.get(kind))


ATTACHED = "attached"  # the source of the turn that leads to a document
FIRST_WORDS = 80  # characters of a document that stand below that turn


class Attachment(NamedTuple):
    """A text file that the person names."""

    path: str
    own: bool = False  # they wrote it about themselves: it is read as if they said it


def attach(memory: Memory, wanted: Attachment, chat: str, title: str, zone: tzinfo) -> Episode:
    """Take a file into the memory, and write into the chat (its key) that it was attached; gives that turn. A file that
    is there already is only named again. Raises BadInput where it is not a text."""
    from store.formats.catalogue import read, sources
    from store.formats.report import Options, Report

    path = expanded(wanted.path)
    if path.is_dir():
        raise BadInput(f"{path} is a folder; name a text file. f8 imports a folder of notes.")
    (source,) = sources(path, "own-words" if wanted.own else "document", Report(), memory.path)
    try:
        parts = list(read(source, Options(zone), Report()))
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror or error}.") from error
    for _ in memory.episodes.ingest(parts, len(parts)):
        pass
    words = sum(len(part.text.split()) for part in parts)
    name = plain(Path(path).name)
    turn = Turn(f"{name}, {count(words, 'word')}", chat, name, "tool", source=ATTACHED, title=title or name)
    # None where the document was erased: it does not come back.
    cited = tuple(map(_first_words, memory.episodes.page(parts[0].session, 0, 1)))
    return replace(memory.episodes.remember(turn, Cited(cited)), sources=cited)


def _first_words(part: Episode) -> Source:
    quote = part.text[:FIRST_WORDS]
    return Source(part.id, part.external_id, 0, len(quote), quote, part.said_at, part.speaker, part.session)


def documents_of(turns: Iterable[Episode]) -> tuple[str, ...]:
    """The keys of the documents that some turns lead to."""
    led = (source.session for turn in turns if turn.source == ATTACHED for source in turn.sources)
    return tuple(dict.fromkeys(key for key in led if key.startswith(DOCUMENT)))


def shown_with(turn: Episode) -> str:
    """What the chat says once it is done."""
    return f"{turn.speaker} is attached: " + ("ask about it." if documents_of([turn]) else "the next sleep reads it.")
