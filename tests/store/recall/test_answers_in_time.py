"""Both axes: what held at the time asked about, what was believed then, and nothing of any other time."""

from __future__ import annotations

import pytest

from store.records import Entity
from tests.store.recall.remembered import Remembered, ask, fact

PEOPLE = [
    Entity("me", "me", "person", ("me",)),
    Entity("e1", "Paul", "person", ("paul", "me>brother"), "brother"),
    Entity("e2", "office", "thing", ("office",)),
]

# As the fold leaves them: a correction on 10 March 2024, late news of Paul on 1 June 2024, a plan told on 1 May 2025.
FACTS = [
    fact("office", "door_code", "4471", "~2024-03-03", heard="2024-03-03", dropped="2024-03-10"),
    fact("office", "door_code", "4417", "~2024-03-03", heard="2024-03-10"),
    fact("Paul", "lives_in", "Cologne", "~2023-02-01", heard="2023-02-01", dropped="2024-06-01"),
    fact("Paul", "lives_in", "Cologne", "~2023-02-01", "2023-11", heard="2024-06-01"),
    fact("Paul", "lives_in", "Aachen", "2023-11", heard="2024-06-01"),
    fact("me", "lives_in", "Porto", "2021", "2025-09", heard="2021-05-01"),
    fact("me", "lives_in", "Berlin", "2025-09", heard="2025-05-01"),
    fact("me", "brother", "Paul", "~2023-02-01"),
    fact("me", "drives", "a Golf", "~2020-01-10", "2024-08-15", heard="2020-01-10"),
    fact("me", "editor", "vim", "~2019-06-01", "2022-04-01", heard="2019-06-01"),
    fact("me", "editor", "emacs", "2022-04-01", heard="2022-04-01"),
    fact("me", "salary", "40,000 euros", "2022", "2024", heard="2022-01-05"),
    fact("me", "salary", "45,000 euros", "2024", heard="2024-01-05"),
    fact("me", "visited", "Rome", "2019-05-02", "2019-05-03", heard="2019-05-10"),
]
MEMORY = Remembered(FACTS, PEOPLE)

CHECKS = [
    ("What is the door code of the office?", {}, ["4417"], ["4471"]),
    ("What is the door code of the office?", {"believed": "2024-03-05"}, ["4471"], ["4417"]),
    ("What did I believe on 5 March 2024 about the door code of the office?", {}, ["4471"], ["4417"]),
    ("What did I think the door code of the office was on 5 March 2024?", {}, ["4471"], ["4417"]),
    ("As I believed on 5 March 2024, what was the office door code?", {}, ["4471"], ["4417"]),
    ("What did I think the office door code was before?", {}, ["4471"], ["4417"]),
    ("Where does Paul live?", {}, ["Aachen"], ["Cologne"]),
    ("Where did Paul live in January 2024?", {}, ["Aachen"], ["Cologne"]),
    ("Where did Paul live in January 2024?", {"believed": "2024-03-01"}, ["Cologne"], ["Aachen"]),
    ("Where does Paul live?", {"believed": "2024-03-01"}, ["Cologne"], ["Aachen"]),
    ("Where does Paul live?", {"as_of": "2024-01-15"}, ["Aachen"], ["Cologne"]),
    ("Where does Paul live?", {"as_of": "2023-05-15"}, ["Cologne"], ["Aachen"]),
    ("Where does Paul live?", {"as_of": "2024-01-15", "believed": "2024-03-01"}, ["Cologne"], ["Aachen"]),
    ("Where did I think in March 2024 that Paul lived?", {}, ["Cologne"], ["Aachen"]),
    ("In March 2024, where did I think Paul lived?", {}, ["Cologne"], ["Aachen"]),
    ("What did I believe in March 2024 about where my brother lived?", {}, ["Cologne"], ["Aachen"]),
    ("According to what I knew in March 2024, where did Paul live in January 2024?", {}, ["Cologne"], ["Aachen"]),
    ("Where did Paul live in 2023?", {}, ["Cologne", "Aachen"], []),
    ("Where do I live?", {}, ["Porto"], ["Berlin"]),
    ("Where will I live in October 2025?", {}, ["Berlin"], ["Porto"]),
    ("Where am I going to live?", {}, ["Berlin"], ["Porto"]),
    ("When do I move to Berlin?", {}, ["September 2025"], []),
    ("Do I live in Berlin?", {}, ["Not yet", "September 2025"], []),
    ("Do I live in Berlin?", {"as_of": "2025-12-01"}, ["Yes"], []),
    ("Where do I live?", {"as_of": "2025-12-01"}, ["Berlin"], ["Porto"]),
    ("What editor do I use?", {"as_of": "2021"}, ["vim"], ["emacs"]),
    ("What editor do I use?", {}, ["emacs"], ["vim"]),
    ("Which editor did I use in 2022?", {}, ["vim", "emacs"], []),
    ("What car did I drive in 2022?", {}, ["Golf"], []),
    ("What car did I drive?", {}, ["Golf", "until 15 August 2024"], []),
    ("When did I sell the Golf?", {}, ["15 August 2024"], []),
    ("What was my salary in 2023?", {}, ["40,000"], ["45,000"]),
    ("How much do I earn?", {}, ["45,000"], ["40,000"]),
    ("How has my salary changed?", {}, ["40,000", "45,000"], []),
    ("Did I live in Berlin in 2022?", {}, ["No"], []),
]


@pytest.mark.parametrize(("question", "times", "needed", "forbidden"), CHECKS)
def test_answers_for_the_time_asked_about(
    question: str, times: dict[str, str], needed: list[str], forbidden: list[str]
) -> None:
    found = ask(MEMORY, question, **times)
    assert not found.abstained, found.text
    assert [word for word in needed if word.lower() not in found.text.lower()] == [], found.text
    assert [word for word in forbidden if word.lower() in found.text.lower()] == [], found.text


ABSTAINS = [
    ("What is the door code of the office?", {"believed": "2024-01-01"}),
    ("What is the door code of the office?", {"as_of": "2023-01-01"}),
    ("Where did Paul live in 2021?", {}),
    ("Where does Paul live?", {"as_of": "2022-06-01"}),
    ("Where does Paul live?", {"believed": "2022-06-01"}),
    ("What car did I drive in 2018?", {}),
    ("What did I believe in 2020 about where Paul lived?", {}),
    ("Where did I live in 2019?", {}),
    ("What was my salary in 2020?", {}),
]


@pytest.mark.parametrize(("question", "times"), ABSTAINS)
def test_knows_nothing_before_it_was_told(question: str, times: dict[str, str]) -> None:
    found = ask(MEMORY, question, **times)
    assert found.abstained, found.text
    assert not [one.object for one in FACTS if one.object in found.text and one.object != "Paul"]


def test_what_is_over_is_not_known_any_more() -> None:
    found = ask(MEMORY, "What car do I drive?")
    assert found.abstained
    assert "any more" in found.text and "15 August 2024" in found.text and "Golf" not in found.text


def test_never_rests_on_what_was_said_later() -> None:
    for question, times, _, _ in CHECKS:
        found = ask(MEMORY, question, believed=times.get("believed", "2024-03-05"), as_of=times.get("as_of", ""))
        assert all(one.believed_from.us <= 1_709_683_200_000_000 for one in found.facts), question


def test_the_belief_time_is_said_once() -> None:
    text = ask(MEMORY, "Where did I believe in March 2024 that Paul lives?").text
    assert text.lower().count("as you knew on 31 march 2024") == 1
