"""A turn that is put right by a later one answers no longer; the later one does."""

from __future__ import annotations

import pytest

from store.memory import Memory
from store.recall.corrected import corrects, moves, puts_right
from store.records import Instant, Turn
from tests.conftest import NOW

DAY = 86_400_000_000


def remember(memory: Memory, *texts: str) -> None:
    """Each said a day after the one before, the last of them yesterday."""
    for place, text in enumerate(texts):
        said = Instant(NOW.us - (len(texts) - place) * DAY, NOW.offset)
        memory.episodes.remember(Turn(text, f"s{place}", said_at=said))
    for _ in memory.sleeping.run():
        pass


@pytest.mark.parametrize(
    ("earlier", "words", "later"),
    [
        ("Our tent pitch is B12.", "B12", "Not B12 after all, it's C4."),
        ("The van took 46 litres.", "46 litres", "Correction: the van took 64 litres, 46 was last month."),
        ("The boiler man comes on 9 June.", "9 June", "The boiler man isn't coming on 9 June, it's the 11th."),
        ("Ilse moved to Ghent.", "Ghent", "I had that wrong. Ilse lives in Bruges, not Ghent."),
        ("The alarm code is 4471.", "4471", "I must put that right. 4471 is the neighbours' code, ours is 4417."),
    ],
)
def test_a_later_turn_that_says_so_puts_words_right(earlier: str, words: str, later: str) -> None:
    assert puts_right(earlier, words, later)


@pytest.mark.parametrize(
    ("earlier", "words", "later"),
    [
        ("Our tent pitch is B12.", "B12", "Back at pitch B12 again this year, hooray."),
        ("Line 7 takes me to work.", "7", "No sleep since 7 this morning."),
        ("Ilse moved to Ghent.", "Ghent", "No news from the landlord. Ilse rang from Ghent."),
        ("My brother plays the tuba.", "tuba", "I'd rather not have a tuba in the living room, he can keep the drums."),
        ("The van took 46 litres.", "46 litres", "46 litres again today."),
    ],
)
def test_words_that_are_only_said_again_are_not_put_right(earlier: str, words: str, later: str) -> None:
    assert not puts_right(earlier, words, later)


def test_a_correction_right_after_need_not_name_what_was_wrong() -> None:
    code, knee = "the code of the shed is 3381", "Twisted the left one, six weeks of rest for the knee."
    assert corrects("What's the code of the shed?", code, "3381", "oops, 3318")
    assert corrects("What's the code of the shed?", code, "3381", "sorry, shed code 3318, it stuck")
    assert corrects(
        "When is the fitting?", "The fitting is on 3 May at two.", "3 May", "oops, not the 3rd, it's the 5th"
    )
    assert corrects("Which knee is it?", knee, "the left one", "Sorry, the right knee, I always mix them up.")
    assert not corrects("What's the code of the shed?", code, "3381", "sorry, I was asleep")
    assert not corrects("What's the code of the shed?", code, "3381", "i meant 2600 for the moped, no less")
    assert not corrects("How long is the rest?", knee, "six weeks", "Sorry, the left wrist, I always mix them up.")


def test_what_is_moved_is_what_was_asked_about_and_told_of() -> None:
    match, moved = "The fencing match is on the 6th.", "They've moved the match to the 13th."
    assert moves("When is the match?", match, "the 6th", moved)
    assert not moves("When is the fair?", match, "the 6th", moved)
    assert not moves("When is the match?", match, "the 6th", "They've moved the match.")
    assert not moves("When is the match?", match, "fencing", moved)
    assert not moves("When is the match?", match, "the 6th", "The match of the year was on the 13th.")


@pytest.mark.parametrize(
    ("told", "question", "right", "wrong"),
    [
        (
            ("the code for the bike shed is 3381", "oops, 3318. my fault"),
            "what's the code for the bike shed?", "3318", "3381",
        ),
        (
            ("Parcel locker 52 has the boots for Ylva.", "Not locker 52, it's 25. I read the text upside down."),
            "Which parcel locker has Ylva's boots?", "25", "",
        ),
        (
            ("The plumber comes on 9 March.", "Bought lemons.", "The plumber isn't coming on 9 March but on the 12th."),
            "When does the plumber come?", "the 12th", "",
        ),
        (
            ("Milo's fencing match in Ghent is on Saturday the 6th and I bring the oranges.",
             "They have moved Milo's match to the 13th, the day of the fair."),
            "When is the fencing match?", "13", "the 6th",
        ),
        (("pottery's mondays at the mill", "pottery's moved to fridays"), "what day is pottery", "fridays", "mondays"),
        (("rent's 810 a month for the cottage, up from 765",), "what's my rent now", "810", "765"),
    ],
)  # fmt: skip
def test_the_turn_that_puts_right_answers(
    memory: Memory, told: tuple[str, ...], question: str, right: str, wrong: str
) -> None:
    remember(memory, *told)
    answer = memory.answering.ask(question)
    assert not answer.abstained and right in answer.text
    assert not wrong or wrong not in answer.text


def test_what_was_said_first_is_still_known(memory: Memory) -> None:
    remember(memory, "Our seats are in row 14.", "Sorry, row 41. The usher nearly threw us out.")
    assert "14" in memory.answering.ask("What row did I say first?").text


def test_what_else_was_said_beside_what_was_put_right_is_still_known(memory: Memory) -> None:
    remember(
        memory,
        "My cousin Efua lives in Tamale, and she's bringing the drums on the 14th.",
        "Efua lives in Wa, not Tamale.",
    )
    assert "Wa" in memory.answering.ask("Where does Efua live?").text
    assert "drums" in "".join(source.quote for source in memory.answering.ask("What is Efua bringing?").sources)


@pytest.mark.parametrize(
    ("told", "question", "right", "wrong"),
    [
        (
            ("The coalman charges 18 a sack.", "Our coalman is putting it up to 24 a sack."),
            "What did the coalman charge before he put it up?", "18", "24",
        ),
        (
            (
                "Dr. Baptiste put me on ramipril for the pressure.",
                "The ramipril made me cough. Since today I take candesartan.",
            ),
            "What did I take for the pressure before the cough?", "ramipril", "",
        ),
    ],
)  # fmt: skip
def test_what_was_so_before_is_not_what_came_of_it(
    memory: Memory, told: tuple[str, ...], question: str, right: str, wrong: str
) -> None:
    remember(memory, *told)
    text = memory.answering.ask(question).text
    assert right in text.casefold()
    assert not wrong or wrong not in text


def test_a_correction_that_was_taken_back_by_hand_puts_nothing_right(memory: Memory) -> None:
    remember(memory, "Our dog Tassilo weighs 31 kilos.", "Sorry, Tassilo weighs 13 kilos.")
    (fact,) = [one for one in memory.beliefs.facts(about="Tassilo") if "13" in one.object]
    memory.by_hand.retract(fact.id)
    assert "13" not in memory.answering.ask("How many kilos does Tassilo weigh?").text


@pytest.mark.parametrize(
    ("question", "answer"),
    [("Is my aunt Hedwig still alive?", "No"), ("Is Hedwig dead?", "Yes"), ("Has Hedwig died?", "Yes")],
)
def test_whether_somebody_lives_is_known_from_their_death(memory: Memory, question: str, answer: str) -> None:
    remember(memory, "My aunt Hedwig died in 2018.", "Bought turnips.")
    assert memory.answering.ask(question).text.startswith(f"{answer}, Hedwig died")


@pytest.mark.parametrize(
    ("told", "question", "day"),
    [
        (
            ("I have a dentist appointment on 9 December.", "oops, not the 9th, it's the 11th"),
            "When is my dentist appointment?", "11 December",
        ),
    ],
)  # fmt: skip
def test_a_day_that_is_denied_finds_what_was_told_for_it(
    memory: Memory, told: tuple[str, str], question: str, day: str
) -> None:
    said = [Instant(NOW.us - 2 * DAY + place * 60_000_000, NOW.offset) for place in range(2)]
    for text, at in zip(told, said, strict=True):
        memory.reading.learn(memory.episodes.remember(Turn(text, "s", said_at=at)).id)
    events = {(one.subject, one.object) for one in memory.beliefs.facts(everything=True) if one.predicate == "event"}
    assert len(events) == 1
    assert day in memory.answering.ask(question).text
