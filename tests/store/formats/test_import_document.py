"""A document is searched and quoted, and teaches nothing about the person unless they name it as their own words."""

from __future__ import annotations

from pathlib import Path

import pytest

from store.errors import BadInput
from store.formats.catalogue import detect, read
from store.formats.document import LARGEST, PART, decoded, parts
from store.formats.report import Report
from store.memory import Memory
from store.records import DOCUMENT
from tests.store.formats.importing import OPTIONS

LEASE = """TENANCY

The deposit is 1,900 euros and is due on 1 March. The landlord is Mr Keller.

Pets are not allowed. I am the landlord's nephew and I work as a plumber.

Notice must be given three months ahead, in writing.
"""


def taken(memory: Memory, path: Path, kind: str = "document") -> list[str]:
    """The parts of a file that are in the memory; the file is taken in."""
    turns = list(read((path, kind), OPTIONS, Report()))
    for _ in memory.episodes.ingest(turns):
        pass
    return [turn.text for turn in memory.episodes.page(turns[0].session, 0, len(turns))]


@pytest.fixture
def lease(tmp_path: Path) -> Path:
    path = tmp_path / "lease.txt"
    path.write_text(LEASE, encoding="utf-8")
    return path


def test_a_document_answers_what_is_asked_of_it(memory: Memory, lease: Path) -> None:
    taken(memory, lease)
    deposit = memory.answering.ask("How much is the deposit?")
    assert deposit.text.startswith("1,900 euros. In lease.txt: “")
    assert deposit.sources[0].session.startswith(DOCUMENT)
    assert memory.answering.ask("Are pets allowed?").text.startswith("No. In lease.txt: “Pets are not allowed.")
    assert memory.answering.ask("How long is the notice period?").text.endswith("in writing.” (lease.txt)")


def test_the_world_and_what_is_to_be_written_stay_with_a_model(memory: Memory, lease: Path) -> None:
    taken(memory, lease)
    assert memory.answering.ask("What is the capital of France?").about == "world"
    assert memory.answering.ask("Write a poem about my landlord").about == "request"


def test_a_document_teaches_nothing_about_the_person(memory: Memory, lease: Path) -> None:
    taken(memory, lease)
    for _ in memory.sleeping.run():
        pass
    assert memory.beliefs.facts() == [] and memory.reading.unsure() == []
    assert memory.answering.ask("Where do I work?").never_told


def test_what_the_person_names_as_their_own_words_is_read_as_theirs(memory: Memory, tmp_path: Path) -> None:
    path = tmp_path / "me.txt"
    path.write_text("My sister Petra is a nurse in Graz.", encoding="utf-8")
    taken(memory, path, "own-words")
    for _ in memory.sleeping.run():
        pass
    assert "Petra works as a nurse." in [fact.text for fact in memory.beliefs.facts()]


def test_a_file_comes_in_once_and_an_edited_one_beside_it(memory: Memory, lease: Path) -> None:
    first = taken(memory, lease)
    assert taken(memory, lease) == first
    lease.write_text(LEASE.replace("1,900", "2,000"), encoding="utf-8")
    taken(memory, lease)
    assert len([one for one in memory.sessions.all() if one.key.startswith(DOCUMENT)]) == 2


def test_parts_are_paragraphs_that_can_be_quoted_whole() -> None:
    long = "The tenant keeps the stairs clean every second week. " * 30
    found = list(parts(f"{LEASE}\n\n{long}\n\n{'x' * 1000}"))
    assert found[0].startswith("TENANCY\nThe deposit")
    assert all(0 < len(part) <= PART for part in found)
    assert "".join("".join(found).split()) == "".join(f"{LEASE}{long}{'x' * 1000}".split())


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"%PDF-1.7 and more", "is not a text; save it as text"),
        (b"PK\x03\x04\x00\x00", "is not a text"),
        (b"  \n ", "holds no text"),
        (b"x" * (LARGEST + 1), "is larger than 8 MiB"),
    ],
)
def test_what_is_no_text_is_refused_in_one_sentence(content: bytes, sentence: str) -> None:
    with pytest.raises(BadInput, match=sentence):
        decoded(content, "lease.pdf")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_texts_of_other_programs_are_read(encoding: str) -> None:
    assert decoded("Café für Zoë".encode(encoding), "menu.txt").strip() == "Café für Zoë"


def test_a_document_is_never_guessed(lease: Path) -> None:
    assert detect(lease) == "markdown"
