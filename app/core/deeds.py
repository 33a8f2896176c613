"""What the person does by hand is one call to the memory, and one sentence that says what was done.

A deed is a function of the memory; screens run it in a worker. It raises ErstwhileError where it cannot be done.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from store.beliefs.unsure import MARK
from store.errors import NotFound, UsageError
from store.records import Change, Episode, Fact, Operation, Precision, Stretch
from widgets.plain import one_line
from widgets.wording import about, at_hour, count, deed_words, is_one_point, value
from widgets.wording import since as begins

if TYPE_CHECKING:
    from store.maintenance.erase import Selection
    from store.memory import Memory

SHOWN_TURNS = 200  # turns that are listed before an erase
LOG_REACH = 1000  # operations that are looked through for the last one by hand


class DeedResult(NamedTuple):
    """What came of a deed."""

    said: str  # one sentence for the person
    fact: Fact | None = None  # what is believed because of it
    erased: bool = False  # words are gone for good: whatever shows them must not
    kept: tuple[str, ...] = ()  # the backups and exports that still hold them, by their paths


class Radius(NamedTuple):
    """What an erase would take."""

    title: str  # what it is about, as a question: "Erase everything about Ana?"
    selection: Selection
    turns: tuple[Episode, ...]  # the first of them
    others: tuple[Fact, ...] = ()  # what is believed of others, and would be lost with the words that were asked for
    stays: str = ""  # who has the same name within theirs, and is not asked for: one sentence


Deed = Callable[["Memory"], DeedResult]


def correct(
    fact: Fact, right: str, since: Stretch | None = None, until: Stretch | None = None, whom: str = ""
) -> Deed:  # fmt: skip
    """The fact was wrong; `right` is what holds instead, for the same time, or since or until a time of its own; what
    takes place does so at that time. `whom` it is about, where it was not of its subject."""

    def deed(memory: Memory) -> DeedResult:
        begun, ends = since, until
        if is_one_point(fact) and since is not None and since.end is not None:
            ends = Stretch(since.end, None, since.precision, since.offset)
        elif until is not None and since is None and fact.valid_from is not None:  # it began when it did
            known = fact.precision is not Precision.OPEN
            begun = Stretch(fact.valid_from.us, None, fact.precision, fact.valid_from.offset) if known else None
        new = memory.by_hand.correct(
            whom or fact.subject, fact.predicate, right, since=begun if ends is None else None,
            begins=None if ends is None else begun, ends=ends, instead_of=None if whom else fact,
            unsure=fact.id if fact.unsure else None, wrongly_of=fact if whom else None,
        )  # fmt: skip
        if whom:
            return DeedResult(f"Corrected: {about(new)} {value(new)}, and it is not {whose(fact.subject)}", new)
        dated = f"{begins(new, new.believed_from.us)}{at_hour(new)}"
        instead = dated if value(new) == value(fact) else f"not {value(fact)}"
        other = "it is so" if fact.negative else instead
        return DeedResult(f"Corrected: {about(fact)} {value(new)}, {other}", new)

    return deed


def whose(subject: str) -> str:
    """ "yours", "Ana’s"."""
    return "yours" if subject == "me" else f"{one_line(subject, 40)}’s"


def _by_id(said: str, act: Callable[[Memory, str], Fact]) -> Callable[[Fact], Deed]:
    """What is done to one belief by its id."""
    return lambda fact: lambda memory: DeedResult(f"{said}: {_named(fact)}", act(memory, fact.id))


retract = _by_id("Taken back", lambda memory, key: memory.by_hand.retract(key))  # it never held
confirm = _by_id("Confirmed", lambda memory, key: memory.by_hand.confirm(key))  # what was unsure is so
restore = _by_id("Brought back", lambda memory, key: memory.by_hand.restore(key))  # it holds after all
settle = _by_id("Settled", lambda memory, key: memory.by_hand.resolve(key))  # of what is in dispute, this one is right


def pin(fact: Fact, *, off: bool = False) -> Deed:
    """Keep what the fact is about in view, or no longer."""
    said = f"{'Unpinned' if off else 'Pinned'}: {about(fact)}"
    return lambda memory: DeedResult(said, memory.by_hand.pin(fact.id, off=off))


def drop(change: Change) -> Deed:
    """A turn was misread: what it taught is believed no longer, and what it replaced is believed again."""

    def deed(memory: Memory) -> DeedResult:
        new, old = change.new, change.old
        if new is not None and not (old is not None and covers(old, new)):
            memory.by_hand.retract(new.id)
        back = memory.by_hand.restore(old.id) if old is not None and old.believed_to is not None else None
        dropped = new or old
        return DeedResult(f"Dropped: {_named(dropped) if dropped else 'it'}", back)

    return deed


def covers(old: Fact, new: Fact) -> bool:
    """Bringing back the old one leaves no part of the new one: it was of the same slot, and held for all its time."""
    begins = old.valid_from is None or (new.valid_from is not None and old.valid_from.us <= new.valid_from.us)
    ends = old.valid_to is None or (new.valid_to is not None and new.valid_to.us <= old.valid_to.us)
    return old.slot == new.slot and old.believed_to is not None and begins and ends


def latest(memory: Memory) -> Operation | None:
    """The last thing that was done by hand and stands."""
    mine = memory.log.operations(limit=LOG_REACH, phase="hand")
    return next((one for one in mine if one.kind != "undo" and one.undone_by is None), None)


def undo(memory: Memory) -> DeedResult:
    """Take back the last thing that was done by hand."""
    last = latest(memory)
    if last is None:
        raise UsageError("Nothing was done by hand that could be undone.")
    memory.log.undo(last.id)
    return DeedResult(f"Undone: {_words(memory, last)}")


def _done(act: Callable[[Memory], object], said: str, fact: Fact | None = None) -> Deed:

    def deed(memory: Memory) -> DeedResult:
        act(memory)
        return DeedResult(said, fact)

    return deed


def undo_run(run: int) -> Deed:
    """Take back all that one sleep read and did; its turns stay, and are not read again unless that is asked for."""
    said = "Taken back: all that this sleep read and did. Every turn is still there."
    return _done(lambda memory: memory.log.undo_run(run), said)


def rescue(fact: Fact) -> Deed:
    """What it is about is in use: it fades no longer."""
    return _done(lambda memory: memory.salience.use([fact]), f"Rescued: {_named(fact)}", fact)


def radius_of_fact(fact: Fact) -> Callable[[Memory], Radius]:
    """What goes with the turns that a fact rests on."""
    title = f"Erase “{_named(fact)}”, and the turns it rests on?"
    return lambda memory: _radius(memory, title, memory.erasing.selection(fact=fact.id), lambda one: one.id == fact.id)


def radius_of_subject(name: str) -> Callable[[Memory], Radius]:
    """What goes with everything about somebody or something."""
    whom = "you" if name == "me" else one_line(name, 40)

    def measured(memory: Memory) -> Radius:
        meant, selection = memory.erasing.names(name), memory.erasing.selection(about=name)
        words, title = set(name.casefold().split()), f"Erase everything about {whom}?"
        people = (one.name for one in memory.people.entities() if one.kind in ("person", "pet") and one.name != "me")
        others = [one for one in people if words < set(one.casefold().split()) and not meant(one)]
        found = _radius(memory, title, selection, lambda one: one.subject == name or meant(one.text))
        return found._replace(stays=_stays(memory, others))

    return measured


def _stays(memory: Memory, others: list[str]) -> str:
    """Who has the name within theirs, and is somebody else as far as anybody knows; one sentence, or none."""
    counted = [(one_line(one, 40), count(len(memory.beliefs.facts(about=one)), "belief")) for one in others]
    if len(counted) == 1:
        return f"{counted[0][0]}, who may be the same, stays: {counted[0][1]}."
    listed = ", ".join(f"{who} ({beliefs})" for who, beliefs in counted)
    return f"{listed}, who may be the same, stay." if counted else ""


def radius_of_session(key: str, title: str) -> Callable[[Memory], Radius]:
    """What goes with a conversation. What branched off from it stays, and begins where it went its own way."""

    def measured(memory: Memory) -> Radius:
        selection = memory.erasing.selection(session=key)
        if not selection.episodes:
            raise NotFound("Nothing was said in this conversation that could be erased.")
        return _radius(memory, f"Erase the conversation “{one_line(title, 40)}”?", selection, lambda _: False)

    return measured


def export(key: str, path: Path) -> Deed:
    """Write a conversation to a file that people can read. Turns with secrets are left out."""

    def deed(memory: Memory) -> DeedResult:
        from app.core.exporting import write_conversation

        done = write_conversation(memory, key, path)
        without = f"; {count(done.left_out, 'turn')} with secrets left out" if done.left_out else ""
        return DeedResult(f"Saved: {count(len(done.turns), 'turn')} in {one_line(str(path))}{without}")

    return deed


def erase(radius: Radius) -> Deed:
    """No byte of the words stays in the file."""

    def deed(memory: Memory) -> DeedResult:
        done = memory.erasing.erase(radius.selection)
        said, kept = f"Erased for good: {count(done.episodes, 'turn')}, {count(done.facts, 'belief')}", done.backups
        if kept:
            more = f" and {len(kept) - 1:,} more" if len(kept) > 1 else ""
            copies = count(len(kept), "copy still has", "copies still have")
            said = f"{said}; {copies} the words: {one_line(Path(kept[0]).name)}{more}"
        return DeedResult(said, erased=True, kept=tuple(kept))

    return deed


def _radius(memory: Memory, title: str, selection: Selection, is_meant: Callable[[Fact], bool]) -> Radius:
    from app.core.conversation import as_shown

    others = tuple(one for one in memory.erasing.lost(selection) if not is_meant(one))
    turns = as_shown(memory, memory.erasing.selected(selection, SHOWN_TURNS))
    return Radius(title, selection, tuple(turns), others)


def _named(fact: Fact) -> str:
    return f"{about(fact)} {value(fact)}"


def _words(memory: Memory, operation: Operation) -> str:
    """What is undone by now, in the words of the turn that said so, else by what it was about."""
    episode, fact_id, unsure = (operation.detail.get(name) for name in ("episode", "fact", "unsure"))
    if isinstance(episode, str):
        text = memory.episodes.get(episode).text
        unlearned = operation.kind == "unlearn"
        return f"taken back what “{one_line(text, 60)}” taught" if unlearned else one_line(deed_words(text), 100)
    if isinstance(unsure, str):
        heard = next((one for one in memory.reading.unsure() if one.id == MARK + unsure), None)
        return f"taken back: {_named(heard) if heard else 'what was unsure'}"
    done = {"pin": "pinned", "unpin": "unpinned"}.get(operation.kind, operation.kind)
    try:
        return f"{done}: {about(memory.beliefs.fact(str(fact_id)))}"
    except NotFound:  # what it was about was erased, or folded otherwise, since
        return f"{done}: what is not believed any more"
