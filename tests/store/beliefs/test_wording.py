"""A belief is worded as the person worded it: with the article that stood there, else one that sounds right."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from store.beliefs.grammar import Tense, a_or_an
from store.beliefs.predicates import REGISTRY, Predicate
from store.beliefs.wording import sentence
from store.text.forms import past_of


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
    ("value", "said"),
    [
        ("the Blue Boar", "You mentioned the Blue Boar."),
        ("B2", "You mentioned B2."),
        ("swimming baths", "You mentioned swimming baths."),
        ("the baths close at noon", "You said: the baths close at noon."),
        ("nobody's at home", "You said: nobody's at home."),
    ],
)
def test_what_is_noted_is_mentioned_where_it_names_a_thing_and_said_where_it_tells(value: str, said: str) -> None:
    assert sentence("me", "detail", value) == said


@pytest.mark.parametrize("known", [one for one in REGISTRY.values() if one.temporal == "event" and one.verbs])
def test_what_did_not_happen_is_told_by_the_infinitive_of_its_verb(known: Predicate) -> None:
    said = sentence("me", known.name, "Ana", negative=True)
    assert not re.match(rf"You didn't {known.past}\b", said) or past_of(known.verbs[0]) == known.verbs[0]


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
    said = sentence(
        who, predicate, value, tense="past" if past else "present", negative=negative, quotes=(quote.format(value),)
    )
    assert not re.search(r"(?i)\b(?:a|an|the|my|your|our) (?:a|an|the|my|your|our)\b", said), said
    assert not re.search(
        r"\b(?:You (?:is|has|was|does|doesn't|wasn't|isn't)|Ada (?:are|am|have|were|don't))\b", said
    ), said
    assert (said[:1].isupper() or said[:1].isdigit()) and said.endswith(".") and "  " not in said


@pytest.mark.parametrize(
    ("subject", "predicate", "value", "how", "said"),
    [
        ("me", "sport", "swim", {}, "You swim."),
        ("Ana", "sport", "climbing", {"negative": True}, "Ana doesn't climb."),
        ("me", "does", "smoking", {"tense": "past"}, "You smoked."),
        ("me", "does", "yoga", {}, "You do yoga."),
        ("Vida", "has_condition", "broke her hip", {}, "Vida broke her hip."),
        ("me", "has_condition", "left knee is bad", {}, "Your left knee is bad."),
        ("Vida", "has_condition", "her hip hurts", {}, "Vida's hip hurts."),
        ("Irena", "event", "operation went well", {"quotes": ("the operation went well",)},
         "The operation went well."),
        ("Luka", "event", "interview went badly", {"quotes": ("Luka's interview went badly",)},
         "Luka's interview went badly."),
        ("me", "has_condition", "splitting headache", {}, "You have a splitting headache."),
        ("Theo", "event", "back", {"tense": "future"}, "Theo will be back."),
        ("VAT return", "expires_on", "7th of December", {"quotes": ("the VAT return is due on the 7th of December",)},
         "VAT return is due on the 7th of December."),
        ("Eva", "event", "Due", {"tense": "future"}, "Eva is due."),
        ("Eva", "has_condition", "pregnant", {"quotes": ("she is pregnant!!",)}, "Eva is pregnant."),
        ("me", "has_condition", "dyslexic", {"quotes": ("I'm badly dyslexic",)}, "You are dyslexic."),
        ("Tom", "has_condition", "haemophiliac", {"quotes": ("he’s a haemophiliac",)}, "Tom is a haemophiliac."),
        ("Tom", "has_condition", "hernia", {"quotes": ("it's a hernia",)}, "Tom has a hernia."),
        ("Tom", "has_condition", "gout", {"quotes": ("that is gout",)}, "Tom has gout."),
        ("me", "job", "UX designer", {"quotes": ("I'm an UX designer",)}, "You work as a UX designer."),
        ("me", "partner", "Callum", {"quotes": ("my boyfriend Callum",)}, "Your boyfriend is Callum."),
        ("Bruno", "died", "died", {"tense": "past"}, "Bruno died."),
        ("Bruno", "died", "passed away", {"tense": "past"}, "Bruno passed away."),
        ("me", "visited", "Lamego", {"tense": "past", "negative": True}, "You didn't visit Lamego."),
        ("me", "had", "a baby", {"negative": True}, "You didn't have a baby."),
        ("me", "lives_with", "my sister Ana", {}, "You live with your sister Ana."),
        ("Miguel", "lives_with", "my sister Ana", {}, "Miguel lives with your sister Ana."),
        ("Ana", "lives_with", "my boyfriend", {"speaker": "Ana"}, "Ana lives with their boyfriend."),
        ("Callum", "event", "asked me to marry him", {"tense": "past"}, "Callum asked you to marry him."),
        ("me", "lives_in", "Lisbon", {"tense": "future"}, "You will live in Lisbon."),
        ("me", "relationship_status", "married", {"tense": "future"}, "You will be married."),
        ("Ana", "visited", "Ghent", {"tense": "future"}, "Ana will visit Ghent."),
        ("me", "boss", "Duarte", {"tense": "future"}, "Your boss will be Duarte."),
        ("me", "event", "dentist appointment", {"tense": "future"}, "Your dentist appointment is coming up."),
        ("me", "event", "lunch with your vet", {"tense": "future"}, "Your lunch with your vet is coming up."),
        ("me", "drives", "taxis", {}, "You drive taxis."),
        ("me", "laptop", "ThinkPad", {"quotes": ("I work on a ThinkPad",)}, "Your laptop is a ThinkPad."),
        ("me", "diet", "vegetarian", {"quotes": ("I'm a vegetarian",)}, "You are vegetarian."),
        ("my parents", "lives_in", "Graz", {}, "Your parents live in Graz."),
        ("my parents", "relationship_status", "married", {"negative": True}, "Your parents aren't married."),
        ("Zoe", "piano_lessons", "Thursdays", {}, "Zoe's piano lessons are Thursdays."),
        ("me", "number_of_sons", "two", {}, "You have two sons."),
        ("me", "rent", "1,100 euros rent", {}, "Your rent is 1,100 euros."),
        ("me", "lives_in", "Rua do Sol", {"quotes": ("a flat on Rua do Sol",)}, "You live on Rua do Sol."),
        ("me", "owns", "Volvo", {"tense": "past", "quotes": ("I sold the Volvo",)}, "You had the Volvo."),
        ("me", "uses", "Instagram", {"quotes": ("I deleted my Instagram account",)}, "You use Instagram."),
        ("me", "owns", "driving licence", {"quotes": ("I got my driving licence",)}, "You have a driving licence."),
        ("Ingrid", "job", "manager", {"quotes": ("takes over as my manager",)}, "Ingrid is your manager."),
        ("Callum", "nationality", "Irishman", {}, "Callum is an Irishman."),
        ("Eirlys", "name", "Eirlys", {}, "You know Eirlys."),
        ("my sister", "name", "Eirlys", {}, "Your sister is called Eirlys."),
        ("me", "owns", "Brompton", {"tense": "past", "quotes": ("I sold my Brompton",)}, "You had a Brompton."),
        ("me", "job", "accounts", {"quotes": ("I do the accounts for a bakery",)}, "You do the accounts."),
        ("Joana", "born_on", "14th of April", {}, "Joana's birthday is the 14th of April."),
        ("bike", "event", "stolen", {"tense": "past"}, "The bike was stolen."),
        ("me", "plans", "be out", {}, "You plan to be out."),
        ("dr lurdes", "location", "Lisbon", {}, "Dr Lurdes is at Lisbon."),
        ("avô Jacinto", "age", "91", {}, "Avô Jacinto is 91."),
        ("me", "vet", "Dr. Amaro", {"quotes": ("New vet here is Dr. Amaro",)}, "Your vet is Dr. Amaro."),
        ("me", "commute", "on foot", {}, "You commute on foot."),
        ("Acme Inc.", "works_with", "Ada Inc.", {}, "Acme Inc. works with Ada Inc."),
        ("me", "child", "Ana", {"quotes": ("my kids, Ana and Rui, swim",)}, "One of your kids is Ana."),
        ("me", "child", "Ben and Lou", {"quotes": ("our kids are Ben and Lou",)}, "Your kids are Ben and Lou."),
        ("me", "child", "Ana", {"quotes": ("my kid Ana",)}, "Your kid is Ana."),
        ("Tom", "daughter", "Eva", {"quotes": ("Tom's got two daughters",)}, "One of Tom's daughters is Eva."),
        ("Vida", "has_condition", "heart attack", {"quotes": ("her heart attack",)}, "Vida had a heart attack."),
        ("me", "has_condition", "panic attacks", {}, "You have panic attacks."),
        ("me", "has_condition", "dodgy knee", {}, "You have a dodgy knee."),
        ("me", "has_condition", "lifelong asthmatic", {"quotes": ("asthma? lifelong asthmatic",)},
         "You are a lifelong asthmatic."),
        ("me", "has_condition", "swollen ankles", {}, "You have swollen ankles."),
        ("me", "owns", "clio", {"tense": "past", "quotes": ("the old clio",)}, "You had a clio."),
        ("mina and young leo", "has_condition", "flu", {}, "Mina and young leo have flu."),
        ("me", "has_condition", "hip been bad", {}, "Your hip has been bad."),
        ("Tom", "job", "repairs boilers", {"quotes": ("is 40 and repairs boilers",)}, "Tom repairs boilers."),
        ("me", "job", "drove a tram", {"quotes": ("I drove a tram",)}, "You drove a tram."),
        ("Vida", "job", "trained nurse", {"quotes": ("she is a trained nurse",)}, "Vida works as a trained nurse."),
        ("Vida", "measure", "61 kilos", {}, "Vida: 61 kilos."),
        ("me", "measure", "6oz butter", {}, "You: 6oz butter."),
        ("resting pulse", "measure", "52", {}, "The resting pulse is 52."),
        ("me", "habit", "smoke", {"negative": True}, "You don't smoke."),
        ("Tom", "habit", "phones me every evening", {}, "Tom phones you every evening."),
        ("me", "habit", "tea at four", {}, "Your habit: tea at four."),
        ("me", "home", "flat", {"quotes": ("moved to this flat",)}, "You live in a flat."),
        ("Tom", "home", "bungalow", {"quotes": ("still in his bungalow",)}, "Tom lives in his bungalow."),
        ("me", "lives_in", "derby", {}, "You live in derby."),
        ("van", "kind", "2012", {}, "The van is from 2012."),
        ("Dez", "price", "40 an hour", {}, "Dez charges 40 an hour."),
        ("van", "price", "40 an hour", {}, "The van costs 40 an hour."),
        ("house", "owns", "new roof", {"quotes": ("the house has a new roof",)}, "The house has a new roof."),
        ("Tom", "event", "off to Malta", {}, "Tom is off to Malta."),
    ],
)  # fmt: skip
def test_a_sentence_is_english(subject: str, predicate: str, value: str, how: dict[str, Any], said: str) -> None:
    assert sentence(subject, predicate, value, **how) == said


_SUBJECTS = st.sampled_from(
    ("me", "Ada", "my brother", "my parents", "office", "reading glasses", "ana's mother", "Eirlys")
)
_TENSES: st.SearchStrategy[Tense] = st.sampled_from(("past", "present", "future"))
_SPEAKERS = st.sampled_from(("me", "user", "Ada"))
_SINGULAR = r"(?:Ada|Eirlys|Your brother|The office|Ana's mother)"
_PLURAL = r"(?:Your parents|The reading glasses)"


@settings(max_examples=400)
@given(
    _SUBJECTS, st.sampled_from([*sorted(REGISTRY), "door_code", "favourite_cafés", "number_of_cats", "taking_coffee"]),
    st.one_of(_VALUES, st.sampled_from((
        "my sister Ana", "with my cousin", "handed in my notice", "flying to Ghent", "married", "died", "on foot",
        "two", "to be out", "a Swede", "the a capella choir", "us", "I Am Legend", "mine",
        "Eirlys", "650", "the accounts", "accounts", "Brompton",
    ))), _QUOTES, _TENSES, st.booleans(), _SPEAKERS,
)  # fmt: skip
def test_any_fact_gives_an_english_sentence(
    subject: str, predicate: str, value: str, quote: str, tense: Tense, negative: bool, speaker: str
) -> None:
    said = sentence(
        subject, predicate, value, tense=tense, negative=negative, quotes=(quote.format(value),), speaker=speaker
    )
    words = said.replace("I Am Legend", "it")
    assert (
        (said[:1].isupper() or said[:1].isdigit()) and said[-1] == "." and not said.endswith("..") and "  " not in said
    )
    assert not re.search(r"(?i)(?<![\w'])(?:I|my|me|our|us|mine|myself|am)(?![\w'])", words), "the first person"
    assert not re.search(
        r"(?i)\b(?:a|an|the|my|your|our|their) (?:a|an|the|my|your|our|their)\b", words.replace("a capella", "")
    )
    assert not re.search(r"(?i)\b([a-z]+) \1\b", words), "a word twice"
    assert said.rstrip(".").casefold() != value.casefold() and not re.search(r"\b(\w+) is called \1\b", said)
    assert not re.search(r"\bYou (?:is|has|was|does|doesn't|wasn't|isn't|lives|works|likes)\b", said)
    assert not re.search(rf"^{_SINGULAR} (?:are|have|were|don't|aren't|weren't|do|live|work|like)\b", said)
    assert not re.search(rf"^{_PLURAL} (?:is|has|was|doesn't|isn't|wasn't|does|lives|works|likes)\b", said)
    assert not re.search(
        r"\b(?:don't|doesn't|didn't|will|won't) (?:had|was|were|is|are|visited|bought|went|lives)\b", said
    )
    assert not re.search(r"\b(?:a [aeio](?!ne)\w|a 8|an (?![aeiouhAEIOUXM8]))", words), "the wrong article"
    if tense == "future" and not re.search(r":|coming up|n't born|was born|were born|'ll|\bexpires?\b|\bdue\b", said):
        assert re.search(r"\b(?:will|won't)\b", said)
