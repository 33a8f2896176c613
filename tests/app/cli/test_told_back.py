"""A receipt says what was meant: when it was so, what is over, and no more of what is unsure than makes sense."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from store.memory import Memory
from store.records import Instant, Turn
from widgets.receipt import told_back

TODAY = datetime(2026, 11, 26, 9, tzinfo=UTC)


def replies(memory: Memory, *texts: str) -> list[str]:
    """What each text is told back, five minutes apart."""
    told = []
    for at, text in enumerate(texts):
        said_at = Instant.of(TODAY + timedelta(minutes=5 * at))
        episode = memory.episodes.remember(Turn(text, "talk", said_at=said_at))
        told.append(told_back(memory.reading.learn(episode.id), said_at.us))
    return told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "Until May I was at Bosch, and in June I started at Continental.",
            "Noted: you worked at Bosch, until May; you work at Continental, since June.",
        ),
        ("I can't eat shellfish", "Noted: you are allergic to shellfish."),
        (
            "My sister got engaged to Paolo in July.",
            "Noted: your sister is engaged, since July; your sister's partner is Paolo.",
        ),
        ("I'm a former policeman and I live in Split.", "Noted: you worked as a policeman; you live in Split."),
        ("I can't stand aubergines, never could.", "Noted: you dislike aubergines."),
        ("Back in June I was driving a Corolla.", "Noted: you drove a Corolla, in June."),
        ("I'm preparing for the bar exam on 3 February.", "Noted: your bar exam is coming up, on 3 February 2027."),
        (
            "On Sunday at 4 pm we have a tasting of wines.",
            "Noted: your tasting of wines is coming up, on 29 November at 16:00.",
        ),
        (
            "Till October we were living in Linz, now we're in Steyr.",
            "Noted: you lived in Linz, until October; you live in Steyr.",
        ),
        (
            "Up until June I was in Lleida, and in July I moved to Girona.",
            "Noted: you lived in Lleida, until June; you live in Girona, since July.",
        ),
        ("My uncle drives a tram in Vienna.", "Noted: your uncle drives a tram."),
        ("My number is 7.", "Noted: your number is 7."),
        ("I don't smoke.", "Noted: you don't smoke."),
        ("the operation is tomorrow at eight", "Noted: the operation is coming up, on 27 November at 08:00."),
        (
            "Amaan is having the other eye done in the new year",
            "Noted: Amaan will be having the other eye done, in January 2027.",
        ),
        ("hiya, im hilde, 61, baker", "Noted: you are called Hilde; you are 61; you work as a baker."),
        ("not sure but zora could be allergic to nuts", "Unsure: Zora is allergic to nuts."),
        ("My mum weighs 61 kilos.", "Noted: your mum weighs 61 kilos."),
        ("The baby is due on the 9th of March.", "Noted: your child is due on the 9th of March."),
        (
            "The vet sees our cat on 9 December.",
            "Noted: you have a cat. Unsure: your cat's vet appointment is coming up, on 9 December.",
        ),
        (
            "bron is my sister. bron does the school run on tuesdays",
            "Noted: your sister is Bron; Bron's habit: school run.",
        ),
    ],
)
def test_what_one_says_is_told_back_as_it_was_meant(memory: Memory, text: str, told: str) -> None:
    assert replies(memory, text) == [told]


def test_a_guest_does_not_live_here(memory: Memory) -> None:
    (told,) = replies(memory, "Tomaz is visiting us from 3 January to 9 January.")
    assert "live" not in told
    assert "Tomaz will be visiting you" in told


def test_where_one_was_when_somebody_was_the_boss_is_over(memory: Memory) -> None:
    (told,) = replies(memory, "At Siemens my boss was Herr Kraus.")
    assert "you worked at Siemens" in told
    assert "boss is Siemens" not in told


def test_what_somebody_moved_takes_place_then(memory: Memory) -> None:
    told = replies(
        memory,
        "The interview is on Tuesday at 9.",
        "The recruiter moved it, it's Thursday at 11 now.",
        "They've pushed it back to Monday at 2.",
    )
    assert told == [
        "Noted: your interview is coming up, on 1 December at 09:00.",
        "Noted: your interview is coming up, on 3 December at 11:00.",
        "Noted: your interview is coming up, on 7 December at 14:00.",
    ]


def test_what_is_moved_in_the_evening_stays_there(memory: Memory) -> None:
    told = replies(
        memory, "The vernissage is on 12 December at 7pm.", "the gallery moved it, it's 14 December at 8 now"
    )
    assert told[1] == "Noted: your vernissage is coming up, on 14 December at 20:00."


def test_a_deadline_that_is_moved_has_its_new_day_alone(memory: Memory) -> None:
    replies(memory, "The tax return is due on 3 March.", "The tax return deadline got moved to 10 March.")
    assert (
        memory.answering.ask("When is the tax return due?").text
        == "The deadline of the tax return is on 10 March 2027."
    )
    assert "3 March" not in memory.answering.ask("What's coming up?").text
    assert "3 March" in memory.answering.ask("What did I think the tax return deadline was before?").text


def test_a_plan_that_is_off_is_called_off(memory: Memory) -> None:
    told = replies(memory, "We're going to Whitby on 12 December.", "The Whitby trip is cancelled.")
    assert told[1] == "Noted: called off: going to Whitby, on 12 December."


def test_who_moves_out_is_not_to_be_a_flatmate(memory: Memory) -> None:
    told = replies(memory, "I share a flat with Ida and Piotr.", "Ida is moving out in January.")
    assert told[1] == "Noted: Ida will be moving out, in January 2027."


def test_a_kind_of_what_is_asked_for_is_no_yes(memory: Memory) -> None:
    replies(memory, "I'm lactose intolerant so I only drink oat milk.")
    assert not memory.answering.ask("Can I drink milk?").text.startswith("Yes")
    assert memory.answering.ask("Do I drink oat milk?").text.startswith("Yes")


def test_what_is_not_so_any_more_has_ended(memory: Memory) -> None:
    told = replies(memory, "My rent is 6200.", "rent isn't 6200 anymore obvs", "My boss is not Gary.")
    assert told == [
        "Noted: your rent is 6200.",
        "Noted: your rent was 6200, until about 26 November.",
        "Noted: your boss isn't Gary.",
    ]


def test_a_wrong_figure_gives_way_to_the_right_one(memory: Memory) -> None:
    told = replies(
        memory,
        "Got the Bonnie for 2800 from a bloke in Telford.",
        "wait no, i paid 2600 for the bonnie, knocked him down",
    )
    assert told[1].startswith("Noted: Bonnie cost 2600")
    assert [one.object for one in memory.beliefs.facts() if one.predicate == "cost"] == ["2600"]
    assert "2600" in memory.answering.ask("What did I pay for the Bonnie?").text


def test_what_somebody_does_is_their_work(memory: Memory) -> None:
    replies(memory, "my sister Greta is a potter in Leith, her wee boy is Finn")
    assert memory.answering.ask("what does greta do").text.startswith("Greta works as a potter")
    assert memory.answering.ask("What does Finn do?").abstained
