"""What a few made-up people told over a month is answered from their beliefs, and what they never told is not."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from store.memory import Memory

Say = Callable[..., None]
WEEKS = ("2026-05-05", "2026-05-12", "2026-05-19", "2026-05-26")

TALK = {
    "a pastry chef": (
        (
            "I'm a pastry chef at a hotel in Ghent. I use Trello for all my menu planning.",
            "Our newsletter gets about 3,000 opens per month. Our Instagram has 4,200 followers.",
            "Please keep answers brief and always give sources.",
        ),
        (
            "I'm switching from Trello to Airtable, it got too slow. The tasting with the buyers is on 20 June.",
            "I'm teaching a bread class at the college.",
        ),
        ("Our Instagram grew to 6,000 followers. We decided to move from AutoCAD to Revit for the shop drawings.",),
        ("The tasting went really well! I'm done teaching the bread class.",),
    ),
    "a teacher": (
        (
            "I teach with Geogebra and I keep grades in Moodle. I'm coaching the robotics club.",
            "I've started a novel. The working title is 'Salt Letters'. My first draft got 71% accuracy on dates.",
            "I host my blog on WordPress. I'm learning Rust in the evenings.",
        ),
        ("I migrated the blog from WordPress to Hugo because of speed. The robotics final is on 14 June.",),
        ("I'm covering 14 schools across 3 languages. The blog's loading time dropped from 900 ms to 120 ms.",),
        ("The robotics final went great, we won! I'm finished coaching for this year. We reached 88% accuracy.",),
    ),
}
RIGHT = [
    ("a pastry chef", "How should you write answers for me?", ["brief"], []),
    ("a pastry chef", "How do I like my information presented?", ["brief"], []),
    ("a pastry chef", "How many opens does our newsletter get?", ["3,000"], []),
    ("a pastry chef", "How has our Instagram changed over time?", ["4,200", "6,000"], []),
    ("a pastry chef", "Is the tasting still coming up?", ["No"], ["Yes"]),
    ("a pastry chef", "Am I still teaching the bread class?", ["No"], ["Yes"]),
    ("a teacher", "What do I use for grades?", ["Moodle"], ["Geogebra", "Hugo"]),
    ("a teacher", "What language am I learning?", ["Rust"], []),
    ("a teacher", "What is the title of my novel?", ["Salt Letters"], []),
    ("a teacher", "How many schools and languages am I covering?", ["14", "3"], []),
    ("a teacher", "How has my accuracy developed?", ["71%", "88%"], []),
    ("a teacher", "Is the robotics final still ahead?", ["No"], ["Yes"]),
    ("a teacher", "Am I still coaching the robotics club?", ["No"], ["Yes"]),
]
NEVER = [
    ("a pastry chef", "What accounting software am I using?"),
    ("a pastry chef", "What camera do I use?"),
    ("a pastry chef", "How has our revenue changed?"),
    ("a pastry chef", "Is the inspection still coming up?"),
    ("a teacher", "What database am I using?"),
    ("a teacher", "What bank am I using for my savings?"),
    ("a teacher", "What car am I using?"),
    ("a teacher", "What is the title of my podcast?"),
    ("a teacher", "How has the noise level changed?"),
    ("a teacher", "Am I still on the parents' council?"),
    ("a teacher", "How do I like my coffee?"),
]


def test_what_was_told_is_answered_with_the_present_value(memory: Memory, say: Say) -> None:
    _check("a pastry chef", memory, say, most=4)


def test_what_was_told_by_another_is_answered(memory: Memory, say: Say) -> None:
    _check("a teacher", memory, say, most=5)


def _check(who: str, memory: Memory, say: Say, most: int) -> None:
    """At most so many are missed: what the network that judges takes for no answer, or the reader did not hear."""
    for day, texts in zip(WEEKS, TALK[who], strict=True):
        say(day, *texts)
    missed = []
    for asker, question, wanted, unwanted in RIGHT:
        text = memory.answering.ask(question).text if asker == who else ""
        if asker == who and not (all(one in text for one in wanted) and not any(one in text for one in unwanted)):
            missed.append((question, text))
    missed += [(question, found.text) for asker, question in NEVER if asker == who
               if not (found := memory.answering.ask(question)).abstained]  # fmt: skip
    assert len(missed) <= most, missed


@pytest.mark.parametrize(
    ("question", "manner"),
    [
        ("How should you format information for me?", True),
        ("How do I want you to answer?", True),
        ("How do I like my eggs?", False),
        ("How should I format the disk?", False),
    ],
)
def test_only_questions_about_the_answers_ask_for_their_manner(
    memory: Memory, say: Say, question: str, manner: bool
) -> None:
    say("2026-05-05", "Please keep answers brief and always give sources.")
    assert ("keep answers brief" in memory.answering.ask(question).text) is manner


def test_who_is_known_as_a_brother_is_one(memory: Memory, say: Say) -> None:
    say("2026-05-05", "My boss Darja gave me the late shift.", "My brother Luka has a van.")
    assert memory.answering.ask("Is Luka my brother?").text == "Yes, your brother is Luka."


def test_what_will_be_is_told_by_its_own_name(memory: Memory, say: Say) -> None:
    say("2026-05-05", "From 15 December my address will be 12 Elm Road.")
    assert (
        memory.answering.ask("What will my address be?").text
        == "Your address will be 12 Elm Road, from 15 December 2026."
    )


def test_advice_that_nobody_gave_is_asked_of_the_world(memory: Memory, say: Say) -> None:
    say("2026-05-05", "The van failed its MOT, we might replace it in spring.")
    assert memory.answering.ask("Which van should I buy?").about == "world"


@pytest.mark.parametrize(
    ("told", "question", "wanted"),
    [
        ("Hey there, I'm Ilze and I work nights at a bakery.", "What's my name?", "Ilze"),
        ("Until May I was at Bosch, and in June I started at Continental.", "Where did I work in May?", "Bosch"),
        ("Until May I was at Bosch, and in June I started at Continental.", "Where did I work in July?", "Continental"),
        ("My aunt drives a tram.", "What's my aunt's job?", "tram"),
        ("At Siemens my boss was Herr Kraus, now it's Frau Lenz.", "Who is my boss?", "Lenz"),
    ],
)
def test_what_was_just_told_is_answered(memory: Memory, say: Say, told: str, question: str, wanted: str) -> None:
    say("2026-11-26", told)
    assert wanted in memory.answering.ask(question).text


@pytest.mark.parametrize("question", ["Do I have a dog?", "What's my sister's name?", "Do I have a cat?"])
def test_nothing_is_near_to_what_was_never_told(memory: Memory, say: Say, question: str) -> None:
    say("2026-11-26", "My brother Tam lives in Hue. I'm allergic to latex. The viewing is on Friday.")
    found = memory.answering.ask(question)
    assert found.abstained
    assert not found.sources


def test_who_one_is_begins_with_the_name(memory: Memory, say: Say) -> None:
    say("2026-11-26", "My brother is Tam. I like tea. I play the oud. My name is Ilze and I live in Riga.")
    assert memory.answering.ask("Who am I?").text.startswith("You are called Ilze.")


def test_years_ago_are_counted_as_years(memory: Memory, say: Say) -> None:
    say("2026-11-26", "I got divorced from Ivo four years ago.")
    assert memory.answering.ask("How long have I been divorced?").text.startswith("For about 4 years:")


def test_what_was_denied_is_no_answer(memory: Memory, say: Say) -> None:
    say("2026-05-05", "I'm not allergic to sesame after all, the test came back clear.")
    assert (
        memory.answering.ask("What am I allergic to?").text == "Nothing that I know of: you aren't allergic to sesame."
    )


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Is Darja my sister?", "Not that I know: your boss is Darja."),
        ("Is Luka our boss?", "Not that I know: your brother is Luka."),
        ("Is Luka my brother?", "Yes, your brother is Luka."),
    ],
)
def test_who_is_known_as_something_else_is_not_what_is_asked(
    memory: Memory, say: Say, question: str, answer: str
) -> None:
    say("2026-05-05", "My boss Darja gave me the late shift.", "My brother Luka has a van.")
    assert memory.answering.ask(question).text == answer
