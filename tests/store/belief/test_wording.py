"""A belief is worded as the person worded it: with the article that stood there, else one that sounds right."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.belief.predicates import REGISTRY
from store.belief.wording import a_or_an, sentence


@pytest.mark.parametrize(
    ("predicate", "value", "quote", "said"),
    [
        ("job", "UX designer", "I'm a UX designer at a bank", "You work as a UX designer."),
        ("works_at", "bank", "I'm a UX designer at a bank", "You work at a bank."),
        ("works_at", "Acme", "I work at Acme", "You work at Acme."),
        ("drives", "old Volvo", "I drive an old Volvo", "You drive an old Volvo."),
        ("drives", "old Volvo", "Still driving my old Volvo", "You drive your old Volvo."),
        ("home", "one-bedroom flat", "we've got a one-bedroom flat", "You live in a one-bedroom flat."),
        ("job", "engineer", "working as engineer", "You work as an engineer."),
        ("likes", "tea", "The tea here is weak, but I like tea", "You like tea."),
    ],
)
def test_a_value_has_the_article_that_it_was_said_with(predicate: str, value: str, quote: str, said: str) -> None:
    assert sentence("me", predicate, value, quotes=(quote,)) == said


@pytest.mark.parametrize(
    ("words", "before"),
    [("engineer", "an "), ("UX designer", "a "), ("university", "a "), ("hour", "an "), ("uncle", "an "),
     ("nurse", "a "), ("European passport", "a "), ("one-off", "a "), ("honest man", "an ")],
)  # fmt: skip
def test_the_article_follows_the_sound(words: str, before: str) -> None:
    assert a_or_an(words) == before


_VALUES = st.sampled_from(
    ("old Volvo", "engineer", "UX designer", "Acme", "the library", "my bike", "a dog", "hazelnuts", "8:30", "Ada",
     "one-bedroom flat")
)  # fmt: skip
_QUOTES = st.sampled_from(("It is {}", "It is a {}", "It is an {}", "the {} of mine", "I have my {}", "our {}", ""))


@given(
    st.sampled_from(sorted(REGISTRY)), _VALUES, _QUOTES, st.booleans(), st.booleans(), st.sampled_from(("me", "Ada"))
)
def test_no_sentence_has_two_articles_or_the_wrong_one_or_the_wrong_person(
    predicate: str, value: str, quote: str, past: bool, negative: bool, who: str
) -> None:
    said = sentence(who, predicate, value, past=past, negative=negative, quotes=(quote.format(value),))
    assert not re.search(r"(?i)\b(?:a|an|the|my|your|our) (?:a|an|the|my|your|our)\b", said), said
    assert not re.search(
        r"\b(?:You (?:is|has|was|does|doesn't|wasn't|isn't)|Ada (?:are|am|have|were|don't))\b", said
    ), said
    assert said[:1].isupper() and said.endswith(".") and "  " not in said
