"""After an erase no byte of the words is in the file, its WAL or its shared memory, in any of the five forms."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path

import apsw
import pytest

from app.core.clock import FrozenClock
from store.errors import NotFound
from store.maintenance import traces
from store.maintenance.erase import Selection
from store.memory import Memory
from store.reading.encoder import shipped
from store.records import Instant, Stretch, Turn
from tests.conftest import NOW, ZONE

CANARIES = ("Zqxporto", "zqxclimb", "Zqxpaul")
"""Words that occur in what is erased and nowhere else."""
Choose = Callable[[Memory], Selection]


def instant(day: str) -> Instant:
    return Instant.of(datetime.fromisoformat(day).replace(tzinfo=ZONE))


def sleep(memory: Memory) -> None:
    for _ in memory.sleeping.run():
        pass


SECRET = [
    Turn(
        "I live in Zqxporto.",
        "s1",
        said_at=instant("2024-03-03"),
        external_id="t1",
        source="import:jsonl",
        title="I live in Zqxporto.",
    ),
    Turn(
        "My brother Zqxpaul loves zqxclimbing.",
        "s1",
        said_at=instant("2024-03-04"),
        external_id="t2",
        source="import:jsonl",
    ),
]
KEPT = [
    Turn("I work at Acme.", "s2", said_at=instant("2024-05-01"), external_id="k1"),
    Turn("I like rooibos.", "s2", said_at=instant("2024-05-02"), external_id="k2"),
]


@pytest.fixture
def full(tmp_path: Path) -> Iterator[Memory]:
    """A memory in use, with a second reader open, many turns around the erased ones, and much done by hand."""
    with Memory.open(tmp_path / "m.db", clock=FrozenClock(NOW), zone=ZONE) as memory:
        start = instant("2023-01-01").us
        noise = [Turn(f"I visited place number {n} in 2019.", "noise", said_at=Instant(start + n)) for n in range(120)]
        list(memory.episodes.ingest([*noise[:60], *SECRET, *KEPT, *noise[60:]]))
        sleep(memory)
        fact = next(one for one in memory.beliefs.facts(about="me", predicate="lives_in"))
        memory.by_hand.pin(fact.id)
        memory.by_hand.retract(fact.id)
        memory.recall.search("Where is Zqxporto?")
        yield memory


def bytes_of(memory: Memory) -> bytes:
    found = b""
    for suffix in ("", "-wal", "-shm"):
        path = memory.path.with_name(memory.path.name + suffix)
        found += path.read_bytes() if path.exists() else b""
    return found.lower()


FORMS: dict[str, Choose] = {
    "source": lambda memory: memory.erasing.selection(source="import:jsonl"),
    "session": lambda memory: memory.erasing.selection(session="s1"),
    "time": lambda memory: memory.erasing.selection(since=instant("2024-03-01").us, until=instant("2024-04-01").us),
}


@pytest.mark.parametrize("form", FORMS)
def test_a_session_and_a_stretch_of_time_leave_no_byte(full: Memory, form: str) -> None:
    assert all(word.lower().encode() in bytes_of(full) for word in CANARIES)
    chosen = FORMS[form](full)
    receipt = full.erasing.erase(chosen)
    # Two turns, and the retraction by hand that repeated the words of one of them.
    assert (receipt.episodes, len(chosen.episodes)) == (3, 3)
    assert receipt.sessions == 2 and receipt.claims >= 4
    left = bytes_of(full)
    assert [word for word in (*CANARIES, "zqx") if word.lower().encode() in left] == []
    assert all(finding.ok for finding in full.file.check())
    assert {one.object for one in full.beliefs.facts(about="me")} >= {"Acme", "rooibos"}


@pytest.mark.parametrize("title", ["Nia has a green kayak", "Nia has a green…", "Kayaks"])
def test_a_title_that_is_the_first_words_of_a_turn_goes_with_it_and_the_next_words_stand(
    tmp_path: Path, title: str
) -> None:
    with Memory.open(tmp_path / "m.db", clock=FrozenClock(NOW), zone=ZONE) as memory:
        said = ("Nia has a green\nkayak", "I sold a kayak to Nia, a green one, and she has it", "hello")
        first, *_ = [memory.episodes.remember(Turn(text, "chat-1782138000000000", title=title)) for text in said]
        memory.erasing.erase(memory.erasing.selection(episode=first.id))
        (session,) = memory.sessions.all()
        assert session == memory.sessions.get(session.key)
        assert session.title == (title if title == "Kayaks" else "")
        assert session.opening == ("" if session.title else said[1])


def test_an_episode_leaves_no_byte_and_takes_its_title_along(full: Memory) -> None:
    full.erasing.erase(full.erasing.selection(episode="t1"))
    left = bytes_of(full)
    assert b"zqxporto" not in left and b"zqxpaul" in left
    assert next(one.title for one in full.sessions.all() if one.key == "s1") == ""
    assert all(finding.ok for finding in full.file.check())


def test_a_fact_goes_with_the_turns_that_it_rests_on(full: Memory) -> None:
    (fact,) = (one for one in full.beliefs.facts(about="Zqxpaul", predicate="likes"))
    chosen = full.erasing.selection(fact=fact.id)
    assert [one.text for one in full.erasing.selected(chosen)] == ["My brother Zqxpaul loves zqxclimbing."]
    full.erasing.erase(chosen)
    left = bytes_of(full)
    assert b"zqxclimb" not in left and b"zqxpaul" not in left and b"zqxporto" in left


def test_everything_about_a_person_goes_and_what_only_sounds_alike_stays(
    memory: Memory, say: Callable[..., None]
) -> None:
    say("2024-03-03", "My sister Ana lives in Zqxbraga.", "I ate a banana with Anatole.", "She likes zqxtango.")
    say("2024-03-04", "Ana called today.")
    chosen = memory.erasing.selection(about="Ana")
    assert [one.text for one in memory.erasing.selected(chosen)] == [
        "My sister Ana lives in Zqxbraga.", "She likes zqxtango.", "Ana called today.",
    ]  # fmt: skip
    memory.erasing.erase(chosen)
    left = bytes_of(memory)
    assert b"zqxbraga" not in left and b"zqxtango" not in left and b"banana" in left
    assert [one.name for one in memory.people.entities() if one.name.lower() in ("ana", "my sister")] == []


PEOPLE = ["My friend Tove Lind plays the tuba.", "does tove eat fish", "whats toves mum called", "I saw TOVE’s van."]
BOSSES = ["My boss Anna Berg lives in Bonn.", "My friend Anna Kovac lives in Graz.", "where does anna live"]


@pytest.mark.parametrize(
    ("told", "about", "stays"),
    [
        ([*PEOPLE, "The stoves are hot."], "Tove Lind", ["The stoves are hot."]),
        ([*PEOPLE, "Tovey came."], "tove", ["Tovey came."]),
        (["My friend Tove plays the tuba.", "who is Tove Lind"], "tove lind", []),
        (BOSSES, "Anna Berg", BOSSES[1:]),
        (BOSSES, "Anna", BOSSES[:2]),
        (["My uncle Bill lives in Hull.", "I paid the bills", "when is bills birthday"], "Bill", ["I paid the bills"]),
    ],
)
def test_a_question_that_names_somebody_goes_with_them_and_a_namesake_stays(
    memory: Memory, say: Callable[..., None], told: list[str], about: str, stays: list[str]
) -> None:
    say("2024-03-03", *told)
    gone = {one.text for one in memory.erasing.selected(memory.erasing.selection(about=about))}
    assert [text for text in told if text not in gone] == stays


def test_the_reply_to_what_is_erased_goes_with_it_and_others_stay(memory: Memory) -> None:
    said = [
        ("My ex Rahul never cooked once.", "I’ll remember that."),
        ("I weigh 61 kilos.", "I’ll remember that, too."),
        ("my sister Carol lives in Rome", "I’ll remember it."),
        ("whos carol", "Your sister."),
    ]
    for text, reply in said:
        memory.reading.learn(memory.episodes.remember(Turn(text, "s")).id)
        memory.episodes.remember(Turn(reply, "s", speaker="memory", role="assistant"))
    memory.erasing.erase(memory.erasing.selection(about="Rahul"))
    memory.erasing.erase(memory.erasing.selection(about="my sister carol"))
    assert [one.text for one in memory.episodes.of("s")] == list(said[1])


def test_one_who_only_speaks_goes_with_all_that_names_them(memory: Memory, say: Callable[..., None]) -> None:
    memory.episodes.remember(Turn("We have moved.", "wa", speaker="Odile Brandt", said_at=instant("2024-03-01")))
    say("2024-03-03", "where does odile live", "I live in Porto.")
    chosen = memory.erasing.selection(about="odile")
    assert [one.text for one in memory.erasing.selected(chosen)] == ["We have moved.", "where does odile live"]


def test_a_chat_whose_title_named_somebody_is_called_after_what_is_left(memory: Memory) -> None:
    for text in ("Who is Zqxtove?", "I live in\nPorto."):
        memory.episodes.remember(Turn(text, "c1", title="Who is Zqxtove?"))
    memory.erasing.erase(memory.erasing.selection(about="zqxtove"))
    assert [(one.title, one.opening) for one in memory.sessions.all()] == [("", "I live in\nPorto.")]
    assert b"zqxtove" not in bytes_of(memory)


def test_a_subject_that_is_nobody_is_erased_by_its_name(memory: Memory, say: Callable[..., None]) -> None:
    say("2024-03-03", "The zqxproject is late.", "I like tea.")
    receipt = memory.erasing.erase(memory.erasing.selection(about="zqxproject"))
    assert receipt.episodes == 1 and b"zqxproject" not in bytes_of(memory)
    with pytest.raises(NotFound, match="Nothing here names"):
        memory.erasing.selection(about="zqxproject")


def test_what_was_understood_in_the_light_of_an_erased_turn_is_read_again(
    memory: Memory, say: Callable[..., None]
) -> None:
    say("2024-03-03", "My sister Zqxana came to see me.", "She lives in Braga.")
    assert [one.object for one in memory.beliefs.facts(about="Zqxana", predicate="lives_in")] == ["Braga"]
    first = memory.episodes.of("s-2024-03-03")[0]
    memory.erasing.erase(memory.erasing.selection(episode=first.id))
    assert b"zqxana" not in bytes_of(memory)
    assert [one.text for one in memory.episodes.of("s-2024-03-03")] == ["She lives in Braga."]
    assert all(finding.ok for finding in memory.file.check())


def test_what_revised_an_erased_turn_is_read_again(memory: Memory, say: Callable[..., None]) -> None:
    say("2024-03-03", "I weigh 81 kilos", "typo, 91")
    assert "91 kilos" in {one.object for one in memory.beliefs.facts()}
    memory.answering.ask("How much do I weigh?")
    first = memory.episodes.of("s-2024-03-03")[0]
    memory.erasing.erase(memory.erasing.selection(episode=first.id))
    assert b"81 kilos" not in bytes_of(memory) and b"91 kilos" not in bytes_of(memory)
    assert "91 kilos" not in {one.object for one in memory.beliefs.facts()}
    assert shipped()._read.cache_info().currsize == 0
    assert all(finding.ok for finding in memory.file.check())


def test_a_retraction_stays_when_another_turn_holds_its_words(memory: Memory, say: Callable[..., None]) -> None:
    say("2024-03-03", "I live in Porto.")
    say("2024-03-05", "I still live in Porto.")
    fact = memory.beliefs.facts(about="me", predicate="lives_in")[0]
    memory.by_hand.retract(fact.id)
    memory.erasing.erase(memory.erasing.selection(session="s-2024-03-03"))
    assert [one.text for one in memory.episodes.of("by hand")] == [f"Retraction: me, lives in: {fact.object}"]


def test_a_correction_of_what_was_unsure_goes_only_with_the_turn_that_it_corrects(
    memory: Memory, say: Callable[..., None], unsure_reader: None
) -> None:
    """Its words are the person's own: no turn that was read holds them."""
    say("2024-03-03", "I have asthma.")
    say("2024-03-05", "My ex was Rob.")
    (unsure,) = memory.reading.unsure(episode=memory.episodes.of("s-2024-03-03")[0])
    fact = memory.by_hand.correct("me", unsure.predicate, "hay fever", instead_of=unsure.object, unsure=unsure.id)
    (corrected,) = memory.episodes.of("by hand")
    of_rob = memory.erasing.selection(about="Rob")
    assert of_rob.episodes == tuple(one.id for one in memory.episodes.of("s-2024-03-05"))
    memory.erasing.erase(of_rob)
    assert fact.id in {one.id for one in memory.beliefs.facts()}
    assert corrected.id in memory.erasing.selection(session="s-2024-03-03").episodes


def test_an_erased_turn_stays_away(full: Memory) -> None:
    full.erasing.erase(full.erasing.selection(session="s1"))
    before = full.state_hash()
    steps = list(full.episodes.ingest([*SECRET, *KEPT]))
    assert (steps[-1].new, steps[-1].seen) == (0, 4)
    sleep(full)
    assert full.state_hash() == before and b"zqx" not in bytes_of(full)


def test_the_receipt_names_the_backups_that_still_hold_the_words(full: Memory, tmp_path: Path) -> None:
    before, after = tmp_path / "a.backup.db", tmp_path / "b.backup.db"
    full.backups.make(before)
    full.erasing.erase(full.erasing.selection(episode="t1"))
    full.backups.make(after)
    (tmp_path / "broken.backup.db").write_bytes(b"no database")
    receipt = full.erasing.erase(full.erasing.selection(episode="t2"))
    assert receipt.backups == (str(before), str(after), str(tmp_path / "broken.backup.db"))
    assert full.erasing.erase(full.erasing.selection(episode="k1")).backups == receipt.backups


def test_the_receipt_names_every_copy_that_was_made_wherever_it_lies(full: Memory, tmp_path: Path) -> None:
    elsewhere = tmp_path / "far" / "away"
    elsewhere.mkdir(parents=True)
    full.backups.make(elsewhere / "then.db")
    beside = full.backups.make()
    older = full.path.with_name(f"{full.path.stem}.backup-20250101-000000.db")  # as the doctor named them once
    older.write_bytes(beside.read_bytes())
    export, other = elsewhere / "all.jsonl", elsewhere / "other.jsonl"
    export.write_text(json.dumps({"text": full.episodes.get("t1").text}, ensure_ascii=False) + "\n")
    other.write_text(json.dumps({"text": "Nothing of it."}) + "\n")
    for path in (export, other):
        full.file.exported(path)
    (elsewhere / "gone.jsonl").touch()
    full.file.exported(elsewhere / "gone.jsonl")
    (elsewhere / "gone.jsonl").unlink()
    receipt = full.erasing.erase(full.erasing.selection(episode="t1"))
    assert set(receipt.backups) == {str(one) for one in (elsewhere / "then.db", beside, older, export)}


def test_a_copy_stays_listed_while_it_is_away_and_whatever_its_folder_is_called(full: Memory, tmp_path: Path) -> None:
    stick = tmp_path / "zqx"  # a word that an erase takes out
    stick.mkdir()
    copy = full.backups.make(stick / "one.db")
    stick.rename(tmp_path / "unplugged")
    full.backups.make()
    full.erasing.erase(full.erasing.selection(episode="t1"))
    (tmp_path / "unplugged").rename(stick)
    assert str(copy) in full.erasing.erase(full.erasing.selection(episode="t2")).backups


def test_a_damaged_file_that_was_kept_is_always_named(full: Memory) -> None:
    kept = full.path.with_name("memory-1.damaged.backup.db")
    kept.write_bytes(b"SQLite format 3\x00 and nothing that can be read")
    assert str(kept) in full.erasing.erase(full.erasing.selection(episode="t1")).backups


def test_an_erase_keeps_the_locks_on_the_file(full: Memory) -> None:
    """Without them another process that closes the file takes the WAL away under this one."""
    full.erasing.erase(full.erasing.selection(episode="t1"))
    code = (
        "import sys; from pathlib import Path; from store.database.connections import held\n"
        "with held(Path(sys.argv[1])): pass"
    )
    done = subprocess.run([sys.executable, "-c", code, str(full.path)], capture_output=True, text=True, check=False)
    assert "Another process has" in done.stderr


def test_the_log_keeps_no_words_and_no_pin_points_at_nothing(full: Memory) -> None:
    full.erasing.erase(full.erasing.selection(session="s1"))
    assert {one.kind for one in full.log.operations()} == {"run"}
    assert "zqx" not in str([one.detail for one in full.log.operations()]).lower()


def test_a_reader_that_is_open_elsewhere_sees_the_erase(full: Memory) -> None:
    other = apsw.Connection(str(full.path))
    assert other.execute("select count(*) from episodes where text like '%Zqx%'").get
    full.erasing.erase(full.erasing.selection(session="s1"))
    assert not other.execute("select count(*) from episodes where text like '%Zqx%'").get
    other.close()
    assert b"zqx" not in bytes_of(full)


def test_no_copy_stays_behind_where_rows_move_between_pages(memory: Memory) -> None:
    start = instant("2023-01-01").us
    turns = [
        Turn(f"I visited zqxvillage{n:04} in 2019, and it rained {n % 7} days.", f"s{n % 20}",
             said_at=Instant(start + (n * 7919 % 300) * 60_000_000), external_id=f"t{n}")
        for n in range(300)
    ]  # fmt: skip
    for turn in range(0, 300, 50):
        list(memory.episodes.ingest(turns[turn : turn + 50]))
        sleep(memory)
    for n in range(0, 20, 4):
        memory.erasing.erase(memory.erasing.selection(session=f"s{n}"))
        left = bytes_of(memory)
        gone = [f"zqxvillage{one:04}".encode() for one in range(n, 300, 20)]
        assert [one for one in gone if one in left] == []


def test_a_file_in_which_a_lost_word_is_found_is_written_anew(memory: Memory, say: Callable[..., None]) -> None:
    say("2024-03-03", "I like zqxclimbing.")
    before = memory.state_hash()
    memory._database.truncate_wal()
    assert not traces.scour(memory._database, {"vanished"})
    assert traces.scour(memory._database, {"zqxclimbing"})
    assert memory.state_hash() == before and all(finding.ok for finding in memory.file.check())


def test_the_name_of_a_person_goes_with_the_last_turn_that_they_said(tmp_path: Path) -> None:
    with Memory.open(tmp_path / "m.db", clock=FrozenClock(NOW), zone=ZONE, person=["Zqxrita", "Ana"]) as memory:
        list(memory.episodes.ingest([Turn("I live in Porto.", "s1", speaker="Zqxrita", said_at=instant("2024-03-03")),
                            Turn("I live in Braga.", "s2", speaker="Ana", said_at=instant("2024-03-04"))]))  # fmt: skip
        sleep(memory)
        memory.erasing.erase(memory.erasing.selection(session="s1"))
        assert b"zqxrita" not in bytes_of(memory) and b'["ana"]' in bytes_of(memory)


def test_lost_words_are_those_that_nothing_else_holds(memory: Memory, say: Callable[..., None]) -> None:
    say("2024-03-03", "I like climbing and rooibos.", "I like rooibos.")
    reader = memory._database.reader()
    assert traces.lost(reader, {"climbing", "rooibos", "vanished"}) == {"vanished"}
    assert traces.found_in(memory.path, {"vanished"}) is False


@pytest.mark.parametrize("bytes_at_once", [1, 7, 4096])
def test_a_word_is_found_wherever_its_bytes_lie(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bytes_at_once: int
) -> None:
    path = tmp_path / "bytes"
    path.write_bytes(b"." * 4093 + b"zqxclimbing" + b"." * 20)
    monkeypatch.setattr(traces, "_PART", bytes_at_once)
    assert traces.found_in(path, {"zqxclimbing"}) and not traces.found_in(path, {"vanished"})


def test_nothing_to_erase_is_said(memory: Memory) -> None:
    with pytest.raises(NotFound, match="no turn of that name"):
        memory.erasing.selection(episode="nowhere")
    with pytest.raises(NotFound, match="Say what to erase"):
        memory.erasing.selection()
    assert memory.erasing.selection(session="nowhere").episodes == ()


def test_a_stretch_of_time_is_half_open(memory: Memory, say: Callable[..., None]) -> None:
    say("2024-03-03", "I like tea.", "I like rooibos.")
    moment = memory.episodes.of("s-2024-03-03")[1].said_at.us
    assert len(memory.erasing.selection(until=moment).episodes) == 1
    assert len(memory.erasing.selection(since=moment).episodes) == 1
    assert memory.beliefs.facts(as_of=Stretch(None, None)) and NOW.local() - timedelta(days=1) < NOW.local()


def test_an_entry_of_the_log_is_not_taken_for_the_words_of_its_keys(say: Callable[..., None], memory: Memory) -> None:
    say("2024-03-03", "I live in Porto.")
    say("2024-04-03", "The claim of that episode was refused.")
    memory.by_hand.correct("me", "lives_in", "Lisbon")
    corrected = memory.log.operations(limit=1)[0]
    (gone,) = memory.episodes.of("s-2024-04-03")
    memory.erasing.erase(memory.erasing.selection(episode=gone.id))
    assert memory.log.operations(limit=1)[0] == corrected
    memory.log.undo(corrected.id)
    assert [fact.object for fact in memory.beliefs.facts(predicate="lives_in")] == ["Porto"]
