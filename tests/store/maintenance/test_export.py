"""A complete export carries all that cannot be made again, comes back to the same bytes, and is taken whole or not."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from app.core import bringing
from app.core.clock import FrozenClock
from app.demo import turns_path
from store.database.rows import rows
from store.errors import BadInput, NotFound
from store.formats import jsonl
from store.formats.report import Report
from store.maintenance.complete import staged
from store.maintenance.lines import BY_HAND, ROWS, TABLES
from store.memory import Memory
from store.records import ModelOptions, Turn
from tests.conftest import NOW, ZONE
from tests.properties.test_machine import Moving
from tests.store.sleep import test_listening as listening
from tests.support.exporting import believed, kinds, taken, unsound, written

DERIVED = {
    "aliases", "entities",  # who is who, settled over all claims
    "claim_groups", "dirty", "fact_sources", "facts", "supersessions", "waiting",  # the fold
    "episode_terms", "episode_vectors", "episode_vocab", "index_meta", "next_vectors",  # the index
    "gists", "gist_waits", "salience", "salience_waits",
    "unread",  # what waits for a sleep
    "stamps",
}  # fmt: skip
"""A rebuild makes them from the turns, the claims and the log; the next sleep does the rest."""
OF_THIS_MACHINE = {
    "lease",  # which process sleeps
    "_sqlite_migrations", "sqlite_sequence",  # how this file came about
}  # fmt: skip
NOT_CARRIED = {
    "sessions": {"id"},
    "episodes": {"row", "session_id", "secret"},  # whether it holds a secret is read in its words
    "claims": {"row"}, "accesses": {"id"}, "refused": {"id"}, "operations": {"id"}, "settings": set(),
}  # fmt: skip
"""Columns of exported tables that are numbers of this file's own, or derived."""
OWN_LINES = {
    "sessions": {"key", "title", "source", "pinned", "options"},
    "episodes": {"id", "position", "external_id", "speaker", "role", "text", "said_at", "said_offset", "recorded_at",
                 "recorded_offset", "source", "cut", "inactive", "original"},
    "operations": {"run", "phase", "kind", "at", "at_offset", "reason", "detail", "undone_by"},
    "withdrawals": {"claim_id", "operation_id"}, "settings": {"key", "value"},
}  # fmt: skip
"""Columns of the tables whose lines are not simply their rows."""
SETTINGS = {
    "person": "exported",
    "copies": "of this machine",
    "brief_seen": "of this machine",
    "settled": "derived",
    "slots": "derived",
}
RESTORED = {"restored": "of this machine"}
"""What only a file has that a backup was restored to."""


def _parts_of_virtual(memory: Memory, tables: set[str]) -> set[str]:
    """The tables that FTS5 and sqlite-vec keep beneath theirs."""
    return {one for one in tables if one.startswith(("episode_terms_", "episode_vectors_", "next_vectors_"))}


def test_every_table_is_exported_or_derived_or_of_this_machine(memory: Memory) -> None:
    memory.episodes.remember(Turn("I live in Porto.", "s"))
    list(memory.sleeping.run())
    found = {row[0] for row in rows(memory._database.reader(), "select name from sqlite_schema where type = 'table'")}
    found -= _parts_of_virtual(memory, found)
    named = TABLES | DERIVED | OF_THIS_MACHINE
    assert found - named == set(), "say of a new table whether lines are made of it (store/maintenance/lines.py)"
    assert named - found <= {"next_vectors"}
    assert not TABLES & DERIVED and not (TABLES | DERIVED) & OF_THIS_MACHINE


@pytest.mark.parametrize("table", sorted(TABLES))
def test_every_column_of_an_exported_table_is_carried(memory: Memory, table: str) -> None:
    found = {row[0] for row in rows(memory._database.reader(), "select name from pragma_table_info(?)", (table,))}
    carried = OWN_LINES.get(table, set())
    for kind in (one for one in ROWS.values() if one.table == table):
        carried = carried | {field.column for field in kind.fields}
    assert found == carried | NOT_CARRIED.get(table, set())


def opened(path: Path) -> Memory:
    return Memory.open(path, clock=FrozenClock(NOW), zone=ZONE)


def sleep(memory: Memory) -> None:
    list(memory.sleeping.run())


def confirm_one(memory: Memory) -> None:
    """Confirm the first unsure thing of which something comes."""
    for fact in memory.reading.unsure():
        with suppress(NotFound):
            memory.by_hand.confirm(fact.id)
            return


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    """The year of the demo, slept on twice, with everything done to it by hand that can be."""
    path = tmp_path_factory.mktemp("demo") / "demo.db"
    with Memory.open(path, clock=Moving(), zone=ZONE, person=["Rita Sequeira"]) as memory:
        turns = list(jsonl.read(turns_path(), ZONE, Report()))
        for some in (turns[:300], turns[300:]):
            list(memory.episodes.ingest(some))
            sleep(memory)
        memory.erasing.erase(memory.erasing.selection(session=memory.sessions.all()[50].key))
        memory.by_hand.correct("me", "lives_in", "Faro")
        facts = sorted((one for one in memory.beliefs.facts() if one.believed_from < NOW), key=lambda one: one.id)
        memory.by_hand.retract(facts[0].id)
        memory.by_hand.retract(facts[1].id)
        memory.by_hand.restore(facts[1].id)
        memory.by_hand.pin(facts[2].id)
        confirm_one(memory)
        memory.by_hand.retract(memory.reading.unsure()[0].id)
        one, other = [who.name for who in memory.people.entities() if who.id.isalpha() and who.id != "me"][:2]
        memory.people.same(one, other)
        memory.people.different(other)
        memory.people.same(one, other)
        memory.by_hand.correct("me", "works_at", "Globex")
        memory.log.undo(memory.log.operations(limit=1)[0].id)
        memory.log.undo_run(min(one.run for one in memory.log.operations(limit=10_000) if one.run is not None))
        memory.sessions.rename(memory.sessions.all()[3].key, "A title of my own")
        memory.sessions.pin(memory.sessions.all()[3].key)
        memory.sessions.set_model_options(
            memory.sessions.all()[3].key, ModelOptions("You are a pirate.", 0.7, 2048, 64)
        )
        memory.salience.use(memory.beliefs.facts()[:3])
        memory.file.exported(path.with_suffix(".jsonl"))
        memory.overview.brief_read()
        sleep(memory)
        yield memory


def test_every_setting_has_a_verdict(demo: Memory) -> None:
    found = {row[0] for row in rows(demo._database.reader(), "select key from settings")}
    assert found - set(RESTORED) == set(SETTINGS), (
        "say of a new setting whether it is exported (store/maintenance/lines.py)"
    )


def test_the_demo_comes_back_to_the_same_beliefs_and_bytes(demo: Memory, tmp_path: Path) -> None:
    text = written(demo)
    assert kinds(text) >= {"turn", "session", "claim", "correction", "retraction", "restoration", "confirmation",
                           "same", "different", "reading", "read_in", "operation", "withdrawal", "pin",
                           "access", "tombstone"}  # fmt: skip
    with opened(tmp_path / "other.db") as other:
        came = taken(other, text)
        assert (came.known, came.stayed_away, came.erased_there) == (0, 0, ())
        assert other.reading.pending() == demo.reading.pending() == 0
        assert written(other) == text
        sleep(other)
        assert (written(other), believed(other)) == (text, believed(demo))
        assert unsound(other) == []
        assert not +taken(other, text).counts
        assert (written(other), believed(other)) == (text, believed(demo))


def test_what_was_done_by_hand_is_undone_in_the_copy_as_in_the_original(demo: Memory, tmp_path: Path) -> None:
    def undone(memory: Memory) -> str:
        for one in memory.log.operations(limit=1000, phase="hand"):
            if one.undone_by is None and one.kind in (*BY_HAND, "pin", "drop"):
                memory.log.undo(one.id)
        list(memory.sleeping.run(again=True))
        return memory.state_hash()

    text = written(demo)
    copy = demo.backups.make(tmp_path / "copy.db")
    with opened(copy) as original, opened(tmp_path / "other.db") as other:
        taken(other, text)
        sleep(other)
        assert undone(other) == undone(original) != demo.state_hash()
        assert unsound(other) == []


def test_an_older_reader_reads_the_same_turns(demo: Memory, tmp_path: Path) -> None:
    path = tmp_path / "export.jsonl"
    path.write_text(written(demo), encoding="utf-8")
    report = Report()
    turns = list(jsonl.read(path, ZONE, report))
    assert [one.text for one in turns] == [
        one.text for session in reversed(demo.sessions.all()) for one in demo.episodes.of(session.key)
    ]
    others = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()[1:]]
    assert all(not one.keys() & {"text", "content", "messages"} for one in others if "kind" in one)
    with opened(tmp_path / "turns.db") as memory:
        list(memory.episodes.ingest(turns))
        ids = {one.id for session in memory.sessions.all() for one in memory.episodes.of(session.key)}
        assert ids == {one.id for session in demo.sessions.all() for one in demo.episodes.of(session.key)}


@pytest.fixture
def small(memory: Memory, say: Callable[..., None]) -> Memory:
    """A memory with a move, a brother, and a correction."""
    say("2024-03-03", "I live in Porto.")
    say("2024-05-03", "My brother Paul lives in Zqxberlin.", "I like climbing.")
    memory.by_hand.correct("me", "lives_in", "Faro")
    return memory


Damage = Callable[[list[dict[str, Any]]], None]


def _changed(kind: str, **values: object) -> Damage:
    def damage(lines: list[dict[str, Any]]) -> None:
        line = next(one for one in lines if one.get("kind", "turn") == kind)
        line.update(values)

    return damage


def _twice(lines: list[dict[str, Any]]) -> None:
    lines.insert(2, lines[1])


def _without_a_time(lines: list[dict[str, Any]]) -> None:
    del lines[2]["recorded_at"]


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (_changed("erstwhile", version=2), "line 1: it is of version 2"),
        (_changed("turn", said_at="some day"), 'line 2: "some day" is not an ISO 8601 time'),
        (_changed("turn", episode="e1"), "line 2: “e1” is no id of a turn"),
        (_changed("turn", role="friend"), "line 2: CHECK constraint failed: role"),
        (_changed("turn", text=7), 'line 2: its "text" is not a text'),
        (_changed("turn", position=2**70), "line 2: int too big"),
        (_twice, "line 3: the turn e[0-9a-f]{18} was there before"),
        (_without_a_time, "line 3: it has no 'recorded_at'"),
        (_changed("claim", episode="e" + "0" * 18), "the turn e0{18} does not stand before it"),
        (_changed("claim", end=10_000), "has no characters [0-9]+ to 10000"),
        (_changed("claim", cue="maybe"), "no claim is a “maybe” or a “fact”"),
        (_changed("claim", precision="about"), "'about' is not a valid Precision"),
        (_changed("correction", standing="high"), "cannot store TEXT value in INTEGER column"),
        (_changed("operation", detail=[]), "its detail is not a JSON object"),
        (_changed("operation", undoes=["o1"]), "the operation o1 does not stand before it"),
        (_changed("reading", extractor=["rules"]), "Bad binding argument"),
    ],
)
def test_a_damaged_line_is_named_and_nothing_is_taken(small: Memory, damage: Damage, said: str, tmp_path: Path) -> None:
    lines = [json.loads(line) for line in written(small).splitlines()]
    damage(lines)
    with opened(tmp_path / "other.db") as other:
        with pytest.raises(BadInput, match=f"taken.jsonl, .*{said}.*\\. Nothing was imported\\.$"):
            taken(other, "".join(json.dumps(line) + "\n" for line in lines))
        assert other.sessions.all() == []


@pytest.mark.parametrize("cut", [1, 30, 3_000])
def test_a_file_that_was_cut_off_is_not_taken(small: Memory, cut: int, tmp_path: Path) -> None:
    text = written(small)
    with opened(tmp_path / "other.db") as other:
        for short in (text[:-cut], text[: text.rindex("\n", 0, -cut) + 1]):
            if short != text and short.strip() != text.strip():
                with pytest.raises(BadInput, match=r"line|ends after"):
                    taken(other, short)
        assert other.sessions.all() == []


def test_what_follows_or_comes_from_elsewhere_is_refused(small: Memory, tmp_path: Path) -> None:
    text = written(small)
    with opened(tmp_path / "other.db") as other:
        for wrong in (text + text, text.split("\n", 1)[1]):
            with pytest.raises(BadInput, match="line"):
                taken(other, wrong)
        assert other.sessions.all() == []


def test_kinds_of_a_later_version_are_passed_over_and_told(small: Memory, tmp_path: Path) -> None:
    first, rest = written(small).split("\n", 1)
    path = tmp_path / "later.jsonl"
    path.write_text(f'{first}\n{{"kind": "mood", "of": 3}}\n{rest}', encoding="utf-8")
    report = Report()
    with staged(path) as export:
        export.tell(report, path.name)
    assert report.turns == 4 and "'mood'" in report.notes[0]


def test_a_turn_with_the_id_of_another_is_refused(small: Memory) -> None:
    text = written(small).replace("I like climbing.", "I like drawing!!")
    before = believed(small)
    with pytest.raises(BadInput, match="other words here"):
        taken(small, text)
    assert believed(small) == before


def test_what_was_erased_here_stays_away_with_all_that_is_about_it(small: Memory) -> None:
    small.by_hand.pin(next(one.id for one in small.beliefs.facts() if one.object == "Zqxberlin"))
    small.sessions.rename("s-2024-05-03", "About Zqxberlin")
    text = written(small)
    small.erasing.erase(small.erasing.selection(about="Zqxberlin"))
    before = believed(small)
    came = taken(small, text)
    sleep(small)
    assert came.stayed_away == 1 and believed(small) == before and unsound(small) == []
    assert b"zqxberlin" not in small.path.read_bytes().lower()
    assert "zqxberlin" not in written(small).lower()


def test_a_conversation_of_which_all_was_erased_is_not_made_again(small: Memory, tmp_path: Path) -> None:
    small.sessions.rename("s-2024-05-03", "About Zqxberlin")
    text = written(small)
    other_path = small.backups.make(tmp_path / "other.db")
    small.erasing.erase(small.erasing.selection(session="s-2024-05-03"))
    taken(small, text)
    small.file.merge(other_path)
    titles = rows(small._database.reader(), "select key, title from sessions order by key")
    assert titles == [("by hand", "By hand"), ("s-2024-03-03", "")]


def test_what_was_erased_there_and_is_here_is_told_and_stays(small: Memory, tmp_path: Path) -> None:
    with opened(small.backups.make(tmp_path / "other.db")) as other:
        gone = other.episodes.of("s-2024-05-03")[1]
        other.erasing.erase(other.erasing.selection(episode=gone.id))
        before = believed(small)
        assert taken(small, written(other)).erased_there == (gone.id,)
        assert believed(small) == before
    with opened(tmp_path / "third.db") as third:
        taken(third, written(small))
        assert third.episodes.get(gone.id).text == "I like climbing."


def test_what_was_taken_back_here_since_does_not_come_again(small: Memory) -> None:
    fact = next(one for one in small.beliefs.facts() if one.object == "climbing")
    small.by_hand.pin(fact.id)
    text = written(small)
    small.log.undo(small.log.operations(limit=2)[1].id)
    small.by_hand.pin(fact.id, off=True)
    before = believed(small)
    taken(small, text)
    assert believed(small) == before


def test_without_secrets_nothing_is_left_of_their_turns(memory: Memory, tmp_path: Path) -> None:
    memory.episodes.remember(Turn("I live in Porto.", "s"))
    memory.episodes.remember(Turn("My password is hunter2-Xk9!", "s"))
    sleep(memory)
    memory.by_hand.correct("me", "password", "hunter2-Xk9!")
    text = written(memory, secrets=False)
    assert "hunter2" in written(memory) and "hunter2" not in text
    with opened(tmp_path / "other.db") as other:
        taken(other, text)
        assert written(other) == text and unsound(other) == []


def test_the_names_of_the_person_come_along(tmp_path: Path) -> None:
    said = [Turn("I live in Porto.", "s", "Ana"), Turn("I live in Braga.", "s", "Ben")]
    with Memory.open(tmp_path / "a.db", clock=FrozenClock(NOW), zone=ZONE, person=["Ana"]) as memory:
        list(memory.episodes.ingest(said))
        sleep(memory)
        with opened(tmp_path / "b.db") as other:
            taken(other, written(memory))
            assert [one.object for one in other.beliefs.facts(about="me", predicate="lives_in")] == ["Porto"]
            assert believed(other) == believed(memory)


@pytest.mark.usefixtures("unsure_reader")
def test_what_a_model_read_and_refused_comes_along(memory: Memory, tmp_path: Path) -> None:
    listening.keep(memory, listening.TEXT, "My sister is a goatherd.")
    said = ("Message: My brother", listening.reply()), ("goatherd", "nonsense")
    listening.sleep(memory, listening.Scripted(*said))
    sleep(memory)
    text = written(memory)
    assert kinds(text) >= {"heard", "refused"}
    with opened(tmp_path / "other.db") as other:
        came = taken(other, text)
        assert came.counts["refused"] == len([one for one in memory.reading.set_apart() if one.by])
        sleep(other)
        assert (written(other), believed(other)) == (text, believed(memory))
        assert (
            other.reading.set_apart() == memory.reading.set_apart()
            and other.reading.unheard() == memory.reading.unheard()
        )
        runs = [max(one.run or 0 for one in some.log.operations(phase="listen")) for some in (memory, other)]
        for some, run in zip((memory, other), runs, strict=True):
            some.log.undo_run(run)
        assert other.state_hash() == memory.state_hash()
        assert unsound(other) == []


def test_the_import_dialog_takes_an_export_whole(small: Memory, tmp_path: Path) -> None:
    folder = tmp_path / "files"
    folder.mkdir()
    (folder / "export.jsonl").write_text(written(small), encoding="utf-8")
    plain = {"session": "p", "role": "user", "text": "I like figs.", "said_at": "2024-01-01T10:00:00+00:00"}
    (folder / "plain.jsonl").write_text(json.dumps(plain) + "\n", encoding="utf-8")
    with opened(tmp_path / "other.db") as other:
        found = bringing.look(folder, other.path, ZONE, NOW)
        assert (found.turns, found.sessions, found.kinds) == (5, 4, ("erstwhile", "jsonl"))
        assert other.sessions.all() == []
        last = list(bringing.bring(other, found))[-1]
        assert (last.new, last.seen) == (5, 0)
        assert [one.object for one in other.beliefs.facts(predicate="lives_in", about="me")] == ["Faro"]
        last = list(bringing.bring(other, found))[-1]
        assert (last.new, last.seen) == (0, 5)


def test_leaving_in_the_middle_takes_nothing(small: Memory, tmp_path: Path) -> None:
    path = tmp_path / "export.jsonl"
    path.write_text(written(small), encoding="utf-8")
    with opened(tmp_path / "other.db") as other:
        steps = bringing.bring(other, bringing.look(path, other.path, ZONE, NOW))
        next(steps)
        del steps
        assert other.sessions.all() == []
