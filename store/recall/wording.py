"""An answer says when and how sure, no finer than it was told, and holds no value that was not asked for.

Dates read "26 August 2024", months "June 2023"; a boundary that nobody said is "about". Verbs come from the registry of
predicates, attributes that it does not know are worded "your door code is 4417".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from store.belief import predicates
from store.belief.predicates import REGISTRY, Predicate
from store.belief.wording import OF_THE_VALUE, TAKING, a_or_an, article, article_said
from store.recall.answer_words import KIND_OF, base_form, key, past_form, past_of, tokens, words_of
from store.records import Fact, Instant, Precision

_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
_SEASONS = tuple(("winter", "spring", "summer", "autumn")[month % 12 // 3] for month in range(1, 13))
_NUMBERS = ["none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]


def day(instant: Instant) -> str:
    """ "26 August 2024"."""
    local = instant.local()
    return f"{local.day} {_MONTHS[local.month - 1]} {local.year}"


def date_of(instant: Instant, precision: Precision) -> str:
    """An instant in words, no finer than its precision, without a preposition."""
    local = instant.local()
    if precision is Precision.YEAR:
        return str(local.year)
    if precision is Precision.SEASON:
        return f"{_SEASONS[local.month - 1]} {local.year}"
    if precision is Precision.MONTH:
        return f"{_MONTHS[local.month - 1]} {local.year}"
    if precision is Precision.WEEK:
        return f"the week of {day(instant)}"
    return day(instant)


def dated(instant: Instant, precision: Precision, *, clock: bool = False) -> str:
    """The same with its preposition: "on 4 May 2024", "in May 2024"; with `clock`, an exact one has its hour."""
    words = date_of(instant, precision)
    if precision in (Precision.YEAR, Precision.MONTH, Precision.SEASON, Precision.WEEK):
        return f"in {words}"
    local = instant.local()
    if clock and precision is Precision.EXACT and (local.hour or local.minute):
        return f"on {words} at {local:%H:%M}"
    return f"on {words}"


def since(fact: Fact) -> str:
    """From when a value holds: "since about June 2023"; where the start was not said, when it was first heard."""
    if fact.valid_from is None:
        return ""
    if fact.precision is Precision.OPEN and fact.valid_from_after is None:
        return f"first mentioned on {day(fact.valid_from)}"
    about = "about " if fact.valid_from_after is not None or fact.precision is Precision.OPEN else ""
    return f"since {about}{date_of(fact.valid_from, fact.precision)}"


def until(fact: Fact) -> str:
    """Until when a value held: "until about 9 September 2023"; "" where it goes on."""
    if fact.valid_to is None:
        return ""
    about = "about " if fact.valid_to_after is not None else ""
    return f"until {about}{date_of(fact.valid_to, fact.precision_to)}"


def joined(words: Iterable[str], last: str = "and") -> str:
    """ "a, b and c", each once."""
    told = list(dict.fromkeys(words))
    return told[0] if len(told) == 1 else f"{', '.join(told[:-1])} {last} {told[-1]}" if told else ""


def number(count: int) -> str:
    """A small number as a word."""
    return _NUMBERS[count] if 0 <= count < len(_NUMBERS) else str(count)


def called(subject: str) -> str:
    """The subject as it begins a clause: "you", "your brother", "Paul", "the office"."""
    if subject == "me":
        return "you"
    if subject.startswith("my "):
        return f"your {subject[3:]}"
    return f"the {subject}" if subject[:1].islower() and not subject.startswith("the ") else subject


def whose(subject: str) -> str:
    """The subject as an owner: "your", "Paul's", "your brother's"."""
    if subject == "me":
        return "your"
    return f"{called(subject)}'s"


def told(value: str, subject: str = "me") -> str:
    """A value of its speaker's own words, turned to the person: "my cousin's wedding" is "your cousin's wedding"."""
    turned = _TO_THE_PERSON if subject == "me" else _OF_ANOTHER
    return re.sub(r"(?i)\b(my|our|me|myself)\b", lambda m: turned[m.group().lower()], value)


_TO_THE_PERSON = {"my": "your", "our": "your", "me": "you", "myself": "yourself"}
_OF_ANOTHER = {"my": "their", "our": "their", "me": "them", "myself": "themselves"}


def is_relation(predicate: str) -> bool:
    """Whether it names a person or pet whom the subject has."""
    known = predicates.find(predicate)
    return known.asks == ("who",) and known.first == f"have the {known.name}".replace("_", " ")


@lru_cache(maxsize=4096)
def verb_of(predicate: str, quote: str, bare: bool) -> str:
    """The base form of an unknown predicate that is a verb in its own source ("She collects stamps"), else "".

    A verb never follows an article or an owner; with no object after it (`bare`) it is one in any case.
    """
    first, *rest = predicate.split("_")
    if past_form(first):
        return " ".join([base_form(first), *rest])
    wanted = key(first)
    words = tokens(quote)
    at = next((at for at, word in enumerate(words) if at > 0 and wanted and key(word) == wanted), None)
    follows = "" if at is None else words[at - 1]
    if not bare and (at is None or follows.lower() in _DETERMINERS or follows.replace("’", "'").endswith("'s")):
        return ""
    if not bare and follows[:1].islower() and follows.lower() not in _SUBJECTS and not follows.endswith("ly"):
        return ""
    return " ".join([base_form(first), *rest])


_DETERMINERS = frozenset(words_of("the a an my our your his her their its this that of"))
_SUBJECTS = frozenset(words_of("i we he she they who always never often also still have has had 've just finally"))


def clause(fact: Fact, objects: Sequence[str] | None = None, *, past: bool = False) -> str:
    """One belief as a clause to the person: "you live in Lisbon", "Paul's door code was 4417"."""
    known = predicates.find(fact.predicate)
    value = joined(told(item, fact.subject) for item in (objects or [fact.object]))
    if known.name == "response_style":
        value = joined(f"“{item}”" for item in (objects or [fact.object]))
    if is_relation(fact.predicate):
        return f"{whose(fact.subject)} {_relation_noun(known, fact, objects)} {_be(objects, past)} {value}"
    if known.name in REGISTRY:
        return _registered(known, fact, value, past)
    if known.name.startswith(TAKING):
        return f"{called(fact.subject)} {_phrase(known, fact, past)} {value}"
    if verb := verb_of(fact.predicate, fact.sources[0].quote if fact.sources else "", not fact.object):
        return f"{called(fact.subject)} {_inflected(verb, fact, past)} {value}".rstrip()
    noun = fact.predicate.replace("_", " ")
    noun += "s" if objects is not None and len(set(objects)) > 1 and not noun.endswith(("s", "y")) else ""
    owner = f"the {noun} of {called(fact.subject)}" if fact.subject[:1].islower() and fact.subject != "me" else None
    return f"{owner or f'{whose(fact.subject)} {noun}'} {_be(objects, past)} {value}"


_OF_THINGS = frozenset(
    ["location", "operating_system", "departure", "arrival", "starting_time", "closing_time", "opening_time"]
)
"""What is worded as something that a thing does: "the spare key is in the shed", "the flight leaves at 8:40"."""


def _registered(known: Predicate, fact: Fact, value: str, past: bool) -> str:
    if known.name in ("happened", "appointment"):
        plain = value[:1].islower() and "'s " not in value and not value.startswith(("your ", "the ", "a ", "an "))
        value = f"your {value}" if plain and fact.subject == "me" else value
        return f"{value} {'was' if past else 'is'}"
    if known.name in OF_THE_VALUE:
        value = f"your {value}" if fact.subject == "me" and not value.startswith(("your ", "the ")) else value
        return f"{value} {known.past if past else known.third}"
    thing = fact.subject != "me" and fact.subject[:1].islower() and not fact.subject.startswith("my ")
    if thing and known.nouns and known.name not in _OF_THINGS:
        return f"the {known.nouns[0]} of {called(fact.subject)} {'was' if past else 'is'} {value}"
    verb = _phrase(known, fact, past)
    if past and fact.subject == "me":
        verb = re.sub(r"^was\b", "were", verb)
    if past and fact.subject != "me":
        verb = re.sub(r"^were\b", "was", verb)
    if fact.negative:
        verb = _negated(verb, known, past or known.temporal == "event", fact.subject)
    if known.name == "born_on" and re.fullmatch(r"(?:[A-Z][a-z]+ )?\d{4}|[A-Z][a-z]+", value):
        verb = verb.removesuffix("on") + "in"
    before = article_said(value, [one.quote for one in fact.sources])
    if fact.subject == "me":
        before = {"my ": "your ", "our ": "your "}.get(before, before)
    before = "" if verb.rpartition(" ")[2] in ("a", "an", "the") else before
    return f"{called(fact.subject)} {verb} {before or _article(known, value)}{value}".rstrip()


def _phrase(known: Predicate, fact: Fact, past: bool) -> str:
    return known.past if past or known.temporal == "event" else known.first if fact.subject == "me" else known.third


def _negated(verb: str, known: Predicate, past: bool, subject: str) -> str:
    head, _, rest = verb.partition(" ")
    if head in ("am", "are", "is", "was", "were", "can", "could"):
        return f"{head} not {rest}".rstrip()
    return f"{'did' if past else 'do' if subject == 'me' else 'does'} not {known.first}"


def _article(known: Predicate, value: str) -> str:
    """ "a" before a job, or something owned, that was said without one."""
    if known.name in ("job", "sees"):
        return article(known.name, value)
    if known.name == "owns" and key(value) in KIND_OF and not re.match(r"(?i)(a|an|the|your|two|three)\b", value):
        return a_or_an(value)
    return ""


def _inflected(verb: str, fact: Fact, past: bool) -> str:
    """A verb in its base form, in the person and the tense of the clause."""
    if fact.negative:
        return f"{'did' if past else 'do' if fact.subject == 'me' else 'does'} not {verb}"
    first, _, rest = verb.partition(" ")
    if past or past_form(fact.predicate.split("_")[0]):
        first = fact.predicate.split("_")[0] if past_form(fact.predicate.split("_")[0]) else past_of(first)
    elif fact.subject != "me":
        first = f"{first}es" if first.endswith(("s", "sh", "ch", "x", "o")) else f"{first}s"
    return f"{first} {rest}".rstrip()


def _relation_noun(known: Predicate, fact: Fact, objects: Sequence[str] | None) -> str:
    """The noun in the person's own words ("wife" for partner), in the plural for several."""
    quotes = " ".join(source.quote.lower() for source in fact.sources[:3])
    names = [known.name, *known.aliases]
    noun = next((name for name in names if re.search(rf"\b{name}s?\b", quotes)), known.name).replace("_", " ")
    plural = {"child": "children", "wife": "wives"}
    return plural.get(noun, f"{noun}s") if objects and len(objects) > 1 else noun


def _be(objects: Sequence[str] | None, past: bool) -> str:
    many = objects is not None and len(set(objects)) > 1
    return ("were" if many else "was") if past else ("are" if many else "is")


def sentence(text: str, *more: str) -> str:
    """A clause as a sentence, with its side remarks after commas."""
    whole = ", ".join([text.strip(), *[part for part in more if part]])
    return f"{whole[:1].upper()}{whole[1:]}."
