"""The reader only points: each word that it gives stands in the text, and the same text reads alike."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from store.errors import ReaderUnavailable
from store.reading.claims import claims_of
from store.reading.context import CHUNK, LONGEST, chunks
from store.reading.encoder import Before, Reader, shipped
from store.reading.extract import Speakers, read
from store.records import Claim, Episode, Instant

ME = Speakers(frozenset({"me"}))


def turn(text: str, at: str = "2026-03-05T18:30:00+01:00", position: int = 0, speaker: str = "me") -> Episode:
    moment = Instant.of(datetime.fromisoformat(at))
    return Episode(f"e{position}", position, None, "s", position, speaker, "user", text, moment, moment, "chat")


def heard(text: str, *before: str) -> list[Claim]:
    earlier = [turn(words, position=place) for place, words in enumerate(before)]
    return list(claims_of(turn(text, position=len(before)), earlier, ME, shipped()).claims)


@given(st.text(max_size=300))
@settings(max_examples=60)
def test_what_it_points_at_stands_in_the_text(text: str) -> None:
    for one in shipped().read([(text, Before())])[0]:
        assert 0 <= one.value.start < one.value.end <= len(text)
        for words in (one.subject, one.when):
            assert words is None or 0 <= words.start < words.end <= len(text)
        assert 0 <= one.sure <= 1


@given(st.text(alphabet=st.sampled_from("abc 😀ßé中\n.?!\"'’“”:|>`0123456789"), max_size=400))
@settings(max_examples=60)
def test_a_claim_quotes_the_turn_whatever_it_is_made_of(text: str) -> None:
    for claim in heard(text):
        assert claim.object in text[claim.start : claim.end]


@given(st.text(alphabet=st.sampled_from("ab .\n"), max_size=3000))
@settings(max_examples=60)
def test_chunks_cover_a_text_once_and_are_bounded(text: str) -> None:
    parts = list(chunks(text))
    assert "".join(text[start:end] for start, end in parts) == text[:LONGEST]
    assert all(end - start <= 2 * CHUNK for start, end in parts)


def test_a_text_reads_alike_beside_any_other() -> None:
    reader, texts = Reader(shipped().path), ["Sold the Corsa on Friday.", "My sister Ada is a vet in Ghent.", ""]
    alone = [reader.read([(text, Before())])[0] for text in texts]
    assert Reader(shipped().path).read([(text, Before()) for text in reversed(texts)]) == alone[::-1]


def test_claims_carry_who_read_them() -> None:
    assert {claim.extractor for claim in heard("My sister Ada is a vet in Ghent.")} == {shipped().fingerprint}
    assert shipped().fingerprint.startswith("reader/")


def test_a_damaged_reader_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(ReaderUnavailable, match=r"cannot be used: .*Install it again\."):
        Reader(tmp_path).read([("I live in Porto.", Before())])
    (tmp_path / "reader.json").write_text("{}")
    (tmp_path / "tokenizer.json").write_text("no JSON")
    with pytest.raises(ReaderUnavailable, match="Install it again"):
        Reader(tmp_path).read([("I live in Porto.", Before())])


def test_what_is_pasted_secret_or_meant_for_the_model_is_not_read() -> None:
    for text in (
        "```\nI live in Porto and work at Acme.\n```",
        "> I live in Porto and work at Acme.",
        "From: Ana\nI live in Porto and work at Acme.",
        "Note to the assistant: I live in Porto and work at Acme.",
        "“I have lived in Porto for ten years and I work at Acme”, said the man.",
    ):
        assert not [claim for claim in heard(text) if claim.modality == "fact"], text


def test_an_assistant_teaches_nothing() -> None:
    said = turn("I live in Porto.")
    assistant = Episode(**{name: getattr(said, name) for name in said.__slots__} | {"role": "assistant"})
    assert read(assistant, [], ME) == []


def test_a_pronoun_is_whoever_was_spoken_of_in_the_turns_before() -> None:
    (claim,) = [one for one in heard("She works at Siemens now.", "My sister Ada came for lunch.")
                if one.object == "Siemens"]  # fmt: skip
    assert claim.subject in ("ada", "me>sister")


def test_a_plan_lies_ahead_whatever_the_tense() -> None:
    planned = [one for one in heard("Booked flights to Pune for the wedding, 12 to 20 April.") if one.valid.start]
    assert {one.valid.start for one in planned} == {Instant.of(datetime.fromisoformat("2026-04-12T00:00+01:00")).us}
