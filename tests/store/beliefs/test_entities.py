"""Who is who follows from all that was said, in any order, and what was said by hand comes before what was read."""

from __future__ import annotations

from itertools import permutations

import pytest

from store.beliefs.entities import (
    APART,
    ME,
    SAME,
    IdentityClaim,
    IdentityEvidence,
    in_words,
    mention_key,
    names_of,
    own_key,
    settle,
)


def who(mentions: str, *said: str, by_hand: tuple[str, ...] = (), **also: frozenset[str]) -> dict[str, str]:
    """mention -> entity; what was said is written "me brother Paul"."""
    heard = IdentityEvidence(tuple(map(told, said)), {}, by_hand=tuple(map(told, by_hand)), **also)
    return {mention: one.entity for mention, one in settle(mentions.split(", "), heard).items()}


def told(line: str) -> IdentityClaim:
    subject, predicate, value = line.split(" ", 2)
    return IdentityClaim(subject, predicate, value)


def test_a_relation_is_whoever_was_named_so() -> None:
    assert who("me>brother, paul", "me brother Paul") == {"me>brother": "paul", "paul": "paul"}
    assert who("me>brother, paul", "me>brother name Paul") == {"me>brother": "paul", "paul": "paul"}
    assert who("me>mum, me>mother", "me>mother name Rita") == {"me>mum": "rita", "me>mother": "rita"}
    assert who("me>wife>mother", "me partner Ana", "ana mother Eva") == {"me>wife>mother": "eva"}


def test_a_relation_of_two_is_neither() -> None:
    assert who("me>brother", "me brother Paul", "me brother Tom") == {"me>brother": "me>brother"}


def test_the_person_is_one_under_all_names() -> None:
    assert who("ana silva, ana", "me name Ana Silva")["ana silva"] == ME
    assert who("rita", persons=frozenset({"rita"})) == {"rita": ME}


def test_a_first_name_is_the_one_who_was_named_in_full() -> None:
    assert who("lena, me>boss", "me boss Lena Schmidt") == {"lena": "lena schmidt", "me>boss": "lena schmidt"}
    assert who("me>boss", "me boss Lena Schmidt", "me boss Lena") == {"me>boss": "lena schmidt"}


@pytest.mark.parametrize("other", ["me friend Lena Wolf", "me sister Lena", "ben boss Lena"])
def test_a_first_name_that_may_be_another_stays_by_itself(other: str) -> None:
    assert who("lena", "me boss Lena Schmidt", other) == {"lena": "lena"}


def test_a_speaker_is_not_another_of_the_same_first_name() -> None:
    assert who("lena", "me boss Lena Schmidt", speakers=frozenset({"lena"})) == {"lena": "lena"}


def test_a_place_is_not_taken_for_a_longer_name() -> None:
    assert who("porto, porto cathedral")["porto"] == "porto"


def test_the_order_of_saying_makes_no_difference() -> None:
    said = ("me brother Paul", "me>brother name Paul", "paul wife Ana", "me boss Lena Schmidt")
    found = {str(who("me>brother, paul, paul>wife, me>brother>wife, lena", *order)) for order in permutations(said)}
    assert len(found) == 1


def test_what_is_said_by_hand_joins_and_sets_apart() -> None:
    same = ("kate same_as katie",)
    assert who("kate, katie", by_hand=same) == {"kate": "katie", "katie": "katie"}
    assert who("me>sister, kate", "me sister Kate", by_hand=same) == {"me>sister": "katie", "kate": "katie"}
    assert who("kate", by_hand=(*same, "kate different_from katie")) == {"kate": "kate"}
    assert who("kate", by_hand=(*same, "kate different_from katie", *same)) == {"kate": "katie"}
    apart = ("me>brother different_from paul",)
    assert who("me>brother, me>bro", "me brother Paul", by_hand=apart)["me>brother"] == "me>brother"
    assert who("rita", persons=frozenset({"rita"}), by_hand=("rita different_from me",)) == {"rita": "rita"}
    assert (SAME, APART) == ("same_as", "different_from")


def test_a_ring_of_sames_ends_with_whom_it_began() -> None:
    assert set(who("a, b, c", by_hand=("a same_as b", "b same_as c", "c same_as a")).values()) == {"c"}


def test_the_names_of_a_text_and_of_a_mention() -> None:
    assert names_of([told("me wife Maria"), told("me friend a colleague")]) == {"maria", "me>partner"}
    assert [mention_key(one) for one in ("My brother", "Ana's mum", "Paul", "I")] == [
        "me>brother", "ana>mum", "paul", "me",
    ]  # fmt: skip
    assert own_key("me>mum", {}) == "me>mother" and own_key("paul", {"paul": "me"}) == "paul"
    assert in_words("me>brother>wife") == "my brother's wife" and in_words("paul") == "paul"
