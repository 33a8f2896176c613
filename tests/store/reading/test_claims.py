"""A claim says no more than the words that were pointed at: who, when, and where it stands by its status."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

import pytest

from store.reading.claims import claims_of
from store.reading.encoder import Before, Reader, Statement, Words
from store.reading.extract import Speakers
from store.records import Claim, Episode, Instant

ME = Speakers(frozenset({"me"}))


class Scripted(Reader):
    """Points at what a test says: (value, predicate, status, subject, when) of each text."""

    def __init__(self, *said: tuple[str, str, str, str, str], sure: float = 0.95) -> None:
        super().__init__(Path())
        self.said, self.sure = said, sure
        self.card = {"version": "test", "known": 0.8, "unsure": 0.4}

    def sure_of(self, chances: tuple[float, ...]) -> float:
        return self.sure

    def read(self, texts: Sequence[tuple[str, Before]]) -> list[list[Statement]]:
        return [[self._made(text, *one) for one in self.said if one[0] in text] for text, _ in texts]

    def _made(self, text: str, value: str, predicate: str, status: str, subject: str, when: str) -> Statement:
        def words(part: str) -> Words | None:
            return Words(text.index(part), text.index(part) + len(part)) if part else None

        where = words(value)
        assert where is not None
        return Statement(where, predicate, status, words(subject), words(when), self.sure, (1.0, 1.0, 1.0, 1.0))


def turn(text: str, at: str = "2026-03-05T18:30:00+00:00", position: int = 0, speaker: str = "me") -> Episode:
    moment = Instant.of(datetime.fromisoformat(at))
    return Episode(f"e{position}", position, None, "s", position, speaker, "user", text, moment, moment, "chat")


def heard(text: str, *said: tuple[str, str, str, str, str], before: Sequence[Episode] = (), sure: float = 0.95,
          speaker: str = "me") -> list[Claim]:  # fmt: skip
    episode = turn(text, position=len(before), speaker=speaker)
    return list(claims_of(episode, before, ME, Scripted(*said, sure=sure)).claims)


def day(claim: Claim) -> tuple[str, str]:
    first, last = claim.valid.first(), claim.valid.last()
    return (first.iso()[:10] if first else "", last.iso()[:10] if last else "")


@pytest.mark.parametrize(
    ("status", "when", "expected"),
    [
        ("is", "", ("lives_in", "state", False, True, ("", ""))),
        ("is", "since 2019", ("lives_in", "state", False, True, ("2019-01-01", ""))),
        ("begins", "", ("lives_in", "update", False, True, ("", ""))),
        ("begins", "in January", ("lives_in", "update", False, False, ("2026-01-01", ""))),
        ("ends", "", ("lives_in", "stop", True, False, ("", ""))),
        ("ends", "in January", ("lives_in", "stop", True, False, ("2026-01-01", ""))),
        ("was", "", ("lives_in", "stop", True, False, ("", ""))),
        ("was", "in 2019", ("lives_in", "state", False, False, ("2019-01-01", "2020-01-01"))),
        ("planned", "on 12 April", ("lives_in", "update", False, False, ("2026-04-12", ""))),
        ("planned", "", ("plans", "state", False, True, ("", ""))),
        ("not", "", ("lives_in", "state", True, True, ("", ""))),
        ("corrects", "", ("lives_in", "correct", False, True, ("", ""))),
        ("cancelled", "", ("lives_in", "retract", True, False, ("", ""))),
    ],
)
def test_the_status_says_where_it_stands(status: str, when: str, expected: tuple[object, ...]) -> None:
    text = f"We moved, and Hull it was {when}".strip()
    (claim,) = heard(text, ("Hull", "lives_in", status, "", when))
    assert (claim.predicate, claim.cue, claim.negative, claim.holds_now, day(claim)) == expected


def test_what_happened_once_is_an_event_and_a_plan_one_that_lies_ahead() -> None:
    (claim,) = heard("passed my test on Friday", ("passed my test", "event", "event", "", "on Friday"))
    assert (claim.predicate, day(claim)) == ("event", ("2026-02-27", "2026-02-28"))
    (claim,) = heard("dentist on Friday", ("dentist", "event", "planned", "", "on Friday"))
    assert (claim.predicate, day(claim)) == ("event", ("2026-03-06", "2026-03-07"))
    (claim,) = heard("it cost 40 euros", ("40 euros", "price", "event", "", ""))
    assert (claim.predicate, claim.cue) == ("cost", "state")


@pytest.mark.parametrize(
    ("text", "subject", "value", "key"),
    [
        ("My sister is a vet", "My sister", "vet", "me>sister"),
        ("our Tom is a vet", "Tom", "vet", "tom"),
        ("Tom's wife is a vet", "Tom's wife", "vet", "tom>partner"),
        ("my brother Paul is a vet", "my brother Paul", "vet", "paul"),
        ("Mum is a vet", "Mum", "vet", "me>mother"),
        ("the van is a wreck", "the van", "wreck", "van"),
        ("Well, I am a vet", "I", "vet", "me"),
    ],
)
def test_the_subject_is_whom_the_words_name(text: str, subject: str, value: str, key: str) -> None:
    (claim,) = heard(text, (value, "job", "is", subject, ""))
    assert claim.subject == key and claim.modality == "fact"


def test_a_plan_for_a_time_that_is_over_began_then() -> None:
    (moved,) = heard("I moved to Lisbon in January 2024.", ("Lisbon", "lives_in", "planned", "I", "in January 2024"))
    assert (moved.predicate, moved.cue, moved.valid.start is not None) == ("lives_in", "update", True)
    (ahead,) = heard("We move to Lisbon in June.", ("Lisbon", "lives_in", "planned", "We", "in June"))
    assert ahead.valid.start is not None and ahead.valid.start > ahead.said_at.us


def test_a_pronoun_is_the_last_who_fits_and_else_nobody_for_certain() -> None:
    ada = ("Ada", "sibling", "is", "", "")
    vet = ("vet", "job", "is", "She", "")
    claims = heard("My sister Ada is here. She is a vet.", ada, vet)
    assert [(one.subject, one.predicate, one.object) for one in claims] == [
        ("me", "sister", "Ada"), ("ada", "job", "vet"),
    ]  # fmt: skip
    (alone,) = heard("She is a vet.", vet)
    assert (alone.subject, alone.modality) == ("she", "unsure")
    (later,) = heard("She is a vet.", vet, ada, before=[turn("My sister Ada came.")])
    assert later.subject == "ada"


def test_another_speaker_is_their_own_first_person() -> None:
    (claim,) = heard("I live in Hull", ("Hull", "lives_in", "is", "", ""), speaker="Ben")
    assert (claim.subject, claim.asserted_by) == ("ben", "ben")


def test_a_noun_beside_the_name_makes_the_relation_finer() -> None:
    (claim,) = heard("My daughter Mila sings", ("Mila", "child", "is", "", ""))
    assert claim.predicate == "daughter"
    (claim,) = heard("Doctor Patel rang", ("Doctor Patel", "acquaintance", "is", "", ""))
    assert claim.predicate == "doctor"
    (claim,) = heard("Our cat Miso is fat", ("Miso", "pet", "is", "", ""))
    assert claim.predicate == "cat"


def test_what_is_less_sure_is_unsure_and_what_is_hardly_heard_is_nothing() -> None:
    said = ("Hull", "lives_in", "is", "", "")
    assert [one.modality for one in heard("Hull again", said, sure=0.6)] == ["unsure"]
    assert heard("Hull again", said, sure=0.3) == []


def test_two_values_of_one_turn_stand_side_by_side() -> None:
    nurse, teacher = ("nurse", "job", "is", "", ""), ("teacher", "job", "is", "", "")
    claims = heard("I'm a nurse and a teacher", nurse, teacher)
    assert [dict(one.qualifiers) for one in claims] == [{}, {"also": "and"}]


class Counting(Scripted):
    """Counts the texts that it is asked to read."""

    reads = 0

    def read(self, texts: Sequence[tuple[str, Before]]) -> list[list[Statement]]:
        self.reads += len(texts)
        return super().read(texts)


def test_whose_a_scan_is_takes_one_more_look_at_each_turn_before_it() -> None:
    told = [turn(f"the scan is in April, {day} of us wait", position=day) for day in range(1, 13)]
    reader = Counting(("scan", "event", "planned", "", "April"))
    claims_of(told[-1], told[:-1], ME, reader)
    assert reader.reads <= 2 * len(told)
