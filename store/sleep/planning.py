"""A model proposes, and decides nothing: its plans go through the very checks that a rule's do, into the same log.

After the rules have looked at units, a model looks at those that none has looked at yet, the newest first, each once
and MOST in one sleep. It is shown a unit and the older ones that the semantic links lead to, and says by number what
should be done (store.sleep.choices). To split is possible between two sentences only; what is merged must not differ in
a value; what is out of date is so in the beliefs, too (store.sleep.plans). Each unit is one transaction: the edit or
the reason against it, and the mark that it was looked at. A keystroke ends the reply that is being written, and leaves
its unit as it was. What was done is in the log as data: taking it back, doing it again and a rebuild need no model.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass

import apsw

from store.database.rows import rows, scalar
from store.database.runs import log
from store.errors import ModelError
from store.protocols import BoundModel, PlanningModel
from store.reading.rules.masks import VEILED, seen
from store.records import Instant, Progress
from store.sleep import choices, diagnose
from store.sleep.asking import reply_to
from store.sleep.choices import Choice, ShownUnit
from store.sleep.describe import Describer
from store.sleep.edits import Edit
from store.sleep.phases import PhaseInput, Stopped
from store.sleep.plans import APPLIED, Proposal
from store.sleep.splitting import cut_before, said_in
from store.sleep.tidy import decide
from store.sleep.topology import DIAGNOSED
from store.sleep.units import Span, Unit, shown, spans_of, units_of

MOST = 40
"""Units that a model looks at in one sleep."""
NEAREST = 3
"""Older units that are shown with one."""
SENTENCES, LONG, OLDER = 24, 240, 300
"""Sentences of a unit, characters of each, and of an older unit, that are shown."""

_WAITING = (
    "from units u left join planned p on p.unit_id = printf('u%016x', u.id) where u.visible = 1 "
    f"and u.stage = {DIAGNOSED} and u.touched = 0 and p.unit_id is null"
)
"""On the surface, looked at by the rules, and by no model."""
_MARK = "insert or ignore into planned values (?, ?, ?, ?)"


@dataclass(frozen=True, slots=True)
class _Asked:
    """A unit that a model was asked about."""

    older: tuple[int, ...]
    """The units that were shown with it."""
    said: Choice | str | None
    """What it chose, or the code of what was wrong; None where there was nothing to ask."""


def unplanned(connection: apsw.Connection) -> int:
    """How many units no model has looked at."""
    return int(scalar(connection, f"select count(*) {_WAITING}"))


def phase(work: PhaseInput) -> Iterator[Progress]:
    """Have the model look at what waits for it, unit by unit; nothing where it did not pass for that."""
    model = work.model
    if not isinstance(model, PlanningModel) or not model.plans:
        return
    newest = f"select u.id {_WAITING} order by u.said_at desc, u.id limit ?"
    waiting = [row[0] for row in rows(work.database.reader(), newest, (MOST,))]
    describer = Describer(work.embedder)
    try:
        for done, key in enumerate(waiting):
            work.heed()
            yield Progress("plan", done, len(waiting), model.name)
            if not _look_at(work, model, key, describer):
                break
    except Stopped:
        _untouch(work)
        raise
    _untouch(work)


def _untouch(work: PhaseInput) -> None:
    """The edits of this sleep are over; where there was none, nothing is written."""
    if scalar(work.database.reader(), "select exists (select 1 from units where touched = 1)"):
        with work.writing() as connection:
            connection.execute("update units set touched = 0 where touched = 1")


def _look_at(work: PhaseInput, model: BoundModel, key: int, describer: Describer) -> bool:
    """One unit; False, recorded, where the model failed: it is not asked again in this sleep."""
    unit = units_of(work.database.reader(), [key]).get(key)
    if unit is None:
        return True
    try:
        asked = _ask(work, model, unit)
    except ModelError as error:
        with work.writing() as connection:
            detail = {"targets": [shown(key)], "model": model.name, "error": type(error).__name__}
            log(connection, work.run, "tidy", "plan", work.clock.now(), "MODEL_FAILED", detail)
        return False
    with work.writing() as connection:
        unit = units_of(connection, [key]).get(key)
        if unit is not None and unit.visible:  # neither erased meanwhile, nor off the surface
            _write(connection, work, model.name, unit, asked, describer)
    return True


def _ask(work: PhaseInput, model: BoundModel, unit: Unit) -> _Asked:
    """Ask about a unit, if there is anything to choose between. Raises ModelError, Stopped."""
    reader = work.database.reader()
    older, sentences = _near(reader, unit), _sentences(reader, unit)
    if not any(_says(sentence) for sentence in sentences) or (len(sentences) < 2 and not older):
        return _Asked((), None)
    told = ShownUnit(_day(reader, unit), tuple(sentences), tuple(_older(reader, one) for one in older))
    reply = reply_to(work, model, choices.messages(told), choices.schema(told), choices.REPLY_TOKENS)
    return _Asked(tuple(one.id for one in older), choices.parsed(reply, told))


def _near(connection: apsw.Connection, unit: Unit) -> list[Unit]:
    """The visible units that the semantic links of this one lead to, nearest first."""
    found = rows(
        connection,
        "select l.to_id from unit_links l join units u on u.id = l.to_id where l.from_id = ? and l.kind = 'semantic' "
        "and u.visible = 1 and u.touched = 0 order by l.weight desc, l.to_id limit ?",
        (unit.id, NEAREST),
    )
    units = units_of(connection, [row[0] for row in found])
    return [units[row[0]] for row in found if row[0] in units]


def _sentences(connection: apsw.Connection, unit: Unit) -> list[str]:
    """What the person said in a unit, sentence by sentence, without what is veiled; as many as are shown."""
    said = [one.span for one in said_in(connection, unit)[1][:SENTENCES]]
    return [_clipped(words, LONG) for words in _seen(connection, said)]


def _older(connection: apsw.Connection, unit: Unit) -> str:
    """An older unit as it is shown: its day, and what the person said."""
    words = " ".join(_seen(connection, [one.span for one in said_in(connection, unit)[1][:SENTENCES]]))
    return f"({_day(connection, unit)}) {_clipped(words, OLDER)}"


def _seen(connection: apsw.Connection, spans: list[Span]) -> list[str]:
    """The words of spans of turns, on one line each, without what is veiled."""
    listed = json.dumps(sorted({span.row for span in spans}))
    found = "select row, text from episodes where row in (select value from json_each(?))"
    texts: dict[int, str] = dict(rows(connection, found, (listed,)))
    return [" ".join(seen(texts[span.row], span.start, span.end).split()) for span in spans]


def _says(words: str) -> bool:
    return any(letter.isalnum() for letter in words.replace(VEILED, ""))


def _clipped(words: str, most: int) -> str:
    return words if len(words) <= most else f"{words[: words.rfind(' ', 0, most)]} …"


def _day(connection: apsw.Connection, unit: Unit) -> str:
    """The day on which a unit begins, where it was said."""
    first = spans_of(connection, unit.id)[0].row
    at, offset = rows(connection, "select said_at, said_offset from episodes where row = ?", (first,))[0]
    return Instant(at, offset).iso()[:10]


# -- what it comes to


def _write(
    connection: apsw.Connection, work: PhaseInput, model: str, unit: Unit, asked: _Asked, describer: Describer
) -> None:  # fmt: skip
    looked = {unit.id}
    work.counts["planned"] += asked.said is not None
    if isinstance(asked.said, str):
        _refuse(connection, work, model, unit, asked.said)
    elif asked.said is not None and asked.said.kind != "none":
        looked |= _decide(connection, work, _proposal(connection, model, unit, asked.older, asked.said, describer),
                          describer)  # fmt: skip
    there = units_of(connection, looked).values()
    connection.executemany(_MARK, [(shown(one.id), one.title.row, work.run, model) for one in there])


def _decide(connection: apsw.Connection, work: PhaseInput, proposal: Proposal, describer: Describer) -> set[int]:
    """Judge a proposal as any other is judged; gives the units that were made: they are not their maker's next case."""
    done = decide(connection, work, proposal, describer) == APPLIED
    return set(proposal.edit.created()) if done else set()


def _refuse(connection: apsw.Connection, work: PhaseInput, model: str, unit: Unit, reason: str) -> None:
    """Log that a reply was no proposal: its code, not its words."""
    detail = {"targets": [shown(unit.id)], "model": model}
    operation = log(connection, work.run, "tidy", "plan", work.clock.now(), reason, detail)
    connection.execute("insert or ignore into unit_edits values (?, ?)", (unit.id, operation))
    work.counts["dropped"] += 1


def _proposal(
    connection: apsw.Connection, model: str, unit: Unit, older: tuple[int, ...], choice: Choice, describer: Describer
) -> Proposal:  # fmt: skip
    """The edit that a choice stands for."""
    named = tuple(older[number - 1] for number in choice.targets)
    if choice.kind == "split":
        edit = cut_before(connection, unit, [number - 1 for number in choice.begins], describer)
        return Proposal(edit, choice.confidence, model=model)
    if choice.kind == "update":
        replaced = all(diagnose.is_replaced(connection, unit, one) for one in named)
        return Proposal(Edit("update", (unit.id, *named)), choice.confidence, replaced=replaced, model=model)
    there = units_of(connection, named)
    if len(there) < len(named):  # erased meanwhile
        return Proposal(Edit("merge", (unit.id, *named)), choice.confidence, model=model)
    edit, differ = diagnose.merging(connection, unit, list(there.values()))
    return Proposal(edit, choice.confidence, differ=differ, model=model)


def mark_again(connection: apsw.Connection, run: int, unit: str, episode: str, model: str) -> None:
    """Mark a unit as looked at in a run that is done again, by the ids of the unit and of the turn of its title."""
    row = scalar(connection, "select row from episodes where id = ?", (episode,))
    if row is not None:
        connection.execute(_MARK, (unit, row, run, model))
