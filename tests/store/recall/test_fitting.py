"""A turn that the network takes for the answer is no answer where it is about another thing or another time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC

import pytest

from store.reading.asking.encoder import Asker, Intent, Judgement, default_path
from store.reading.asking.pieces import Passage
from store.reading.encoder import Words
from store.recall.answers import answer
from store.records import About, Answer, Entity, Fact, Hit
from tests.store.recall.remembered import NOW, Remembered, fact, turn

ME = Entity("me", "me", "person", ("me",))


class Pointing(Asker):
    """Is all but certain that a turn answers, by the words that it is told."""

    def __init__(
        self,
        points: Mapping[str, str],
        form: str = "value",
        subject: str = "",
        sure: float = 0.97,
        less: Mapping[str, float] | None = None,
    ) -> None:
        """`less`: turns of which it is not as sure, and how sure it is of them."""
        super().__init__(default_path())
        self.points, self.form, self.subject, self.sure, self.less = points, form, subject, sure, less or {}

    def intent(self, question: str) -> Intent:
        about: About = "told" if question in self.points else "memory"
        return Intent(about, self.form, self.subject, "", "", (1.0, 0.0, 0.0, 0.0))

    def judge(self, question: str, turns: Sequence[Passage]) -> list[Judgement]:
        return [self._judge(one.text) for one in turns]

    def _judge(self, text: str) -> Judgement:
        words = self.points.get(text, "")
        start = text.index(words)
        return Judgement(
            self.less.get(text, self.sure) if words else 0.001, Words(start, start + len(words)), 0.9, "neither", 0.9
        )


def asked(
    question: str, said: Mapping[Hit, str], facts: Sequence[Fact] = (), form: str = "value", **more: str
) -> Answer:
    """The answer, where the network points at these words of these turns."""
    points = {one.text: words for one, words in said.items() if words}
    known = [ME, *(Entity(name, name, "person", (name.lower(),)) for name in more.get("people", "").split())]
    memory = Remembered(list(facts), known, list(said))
    asker = Pointing(points, form, more.get("subject", ""))
    return answer(question, memory, now=NOW, zone=UTC, asker=asker)


def told(one: Fact, by: Hit) -> Fact:
    return replace(one, sources=(replace(one.sources[0], episode=by.id, quote=by.text, said_at=by.said_at),))


@pytest.mark.parametrize(
    ("text", "said", "words", "question"),
    [
        ("gym membership is 45 since May", "2025-06-01", "45", "What did the gym cost in March?"),
        ("The nanny gets 60 a day from 1 May", "2025-05-02", "60 a day", "What did the nanny get in April?"),
        ("I'm on 20 mg of citalopram.", "2025-06-10", "20 mg", "What dose of citalopram was I on in January 2024?"),
    ],
)  # fmt: skip
def test_what_begins_later_is_no_answer_about_an_earlier_time(text: str, said: str, words: str, question: str) -> None:
    assert asked(question, {turn(text, said): words}).abstained


@pytest.mark.parametrize(
    "question", ["What did the gym cost in May?", "What did the gym cost in June?", "What does the gym cost?"]
)
def test_it_answers_about_the_time_from_then_on(question: str) -> None:
    assert "45" in asked(question, {turn("gym membership is 45 since May", "2025-06-01"): "45"}).text


def test_what_the_beliefs_say_of_the_time_is_said_instead() -> None:
    said = turn("fees went up to 310 a month since May", "2025-06-01")
    dues = told(fact("me", "club_fees", "310 a month", "2025-05", heard="2025-06-01"), said)
    found = asked("What were my club fees in March?", {said: "310 a month"}, [dues])
    assert found.abstained and "310" not in found.text and "May 2025" in found.text


@pytest.mark.parametrize(
    ("text", "words", "question"),
    [
        ("About the scaffolding: he wants 900 for it", "900", "What does the scaffolding cost?"),
        ("The lower tooth is coming out on Tuesday", "on Tuesday", "When is the lower tooth coming out?"),
    ],
)
def test_what_is_told_of_the_very_thing_is(text: str, words: str, question: str) -> None:
    assert words in asked(question, {turn(text, "2025-06-01"): words}).text


def test_of_turns_that_answer_alike_the_later_one_is_about_now() -> None:
    early, late = turn("Abby minds the shop", "2025-01-10"), turn("Corin minds the shop", "2025-05-10")
    said = {early: "Abby", late: "Corin"}
    assert asked("Who minds the shop now?", said).text.startswith("Corin")
    assert asked("Who minded the shop at first?", said).text.startswith("Abby")


@pytest.mark.parametrize("text", ["my gran is called Edith and she keeps a parrot", "Edith rang, she is 90"])
def test_a_name_is_of_whom_the_turn_is_about(text: str) -> None:
    assert asked("What is my brother called?", {turn(text, "2025-06-01"): "Edith"}).abstained


def test_a_month_without_its_year_is_one_that_was_told_of() -> None:
    said = {turn("We spent 1,900 on the boiler", "2023-08-20"): "1,900"}
    assert "1,900" in asked("What did we spend on the boiler in August?", said).text
    assert asked("What did we spend on the boiler in August 2022?", said).abstained


def test_of_somebody_is_told_what_names_them() -> None:
    said = {turn("Ottoline lost her keys again", "2025-06-01"): "keys", turn("The bins are full", "2025-06-02"): "bins"}
    assert "bins" not in asked("Tell me about Ottoline", said, form="tell", subject="Ottoline").text


def test_the_sentence_that_answers_is_quoted_by_itself() -> None:
    text = "The Twingo went to a cousin on Monday. From now on I drive a small Ioniq."
    found = asked("What do I drive?", {turn(text, "2025-06-01"): "a small Ioniq"})
    assert "From now on I drive a small Ioniq." in found.text and "Twingo" not in found.text
    assert found.sources[0].quote == text


def test_a_title_ends_no_sentence() -> None:
    text = "My new dentist is called Dr. Hale and he is in Mill Lane."
    assert text in asked("Who is my dentist?", {turn(text, "2025-06-01"): "Dr. Hale"}).text


def test_what_was_so_in_the_end_is_what_was_said_last() -> None:
    early, late = turn("The bridge opens on 3 May", "2025-01-10"), turn("The bridge opened on 9 May", "2025-05-10")
    said = {early: "3 May", late: "9 May"}
    assert asked("When did the bridge open in the end?", said, form="value").text.startswith("9 May")
    assert asked("When was the bridge to open at first?", said, form="value").text.startswith("3 May")


def test_a_far_likelier_turn_is_believed_rather_than_a_belief() -> None:
    likely, misheard = turn("The dairy has taken me on", "2025-01-10"), turn("I walk past the mill", "2025-05-10")
    work = told(fact("me", "works_at", "the mill", "2025-05-10"), misheard)
    asker = Pointing({likely.text: "The dairy", misheard.text: "the mill"}, less={misheard.text: 0.4})
    memory = Remembered([work], [ME], [likely, misheard])
    assert "dairy" in answer("Where do I work?", memory, now=NOW, zone=UTC, asker=asker).text


def test_a_plan_is_no_yes_to_what_took_place() -> None:
    said = turn("we plan on selling the barn", "2025-01-10")
    plan = told(fact("me", "plans", "selling the barn", "2025-01-10"), said)
    memory, asker = Remembered([plan], [ME], [said]), Pointing({said.text: "selling"}, form="yesno")
    for question in ("Did we sell the barn?", "Did the barn get sold in the end?"):
        assert answer(question, memory, now=NOW, zone=UTC, asker=asker).abstained
