"""Every sentence about a belief is composed here: who, what and when, and never more than the belief says.

A clause begins in lower case and has no full stop: answers go on from it. `sentence` is a clause that stands alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from store.beliefs.grammar import (
    NUMBER_WORD,
    OWN_WORD,
    Number,
    Tense,
    a_or_an,
    base_of,
    be,
    called,
    capital,
    is_plural,
    is_thing,
    joined,
    number_of,
    of_others,
    phrases_of,
    plural,
    possessed,
    second_person,
    singular,
    verb_phrase,
    whose,
)
from store.beliefs.predicates import REGISTRY, Grammar, Predicate, find
from store.records import Fact
from store.text.forms import form_of, is_past, past_of
from store.text.lists import wordset
from store.text.nouns import CARS, COLOURS, EVENT_NOUNS, POSSESSIONS, SEEN_FOR_WORK
from store.text.stem import stem

MOST_OF_A_THING = 4  # words that name a thing; more tell of it
TAKING = "taking_"  # how somebody takes their coffee: a predicate that is worded by its own verb phrase
_NUMBER_OF = "number_of_"
_ATTACKS = wordset("stroke attack seizure miscarriage")  # what one had, and does not have
_COUNTED_AILMENTS = _ATTACKS | wordset(
    "cold headache migraine fever temperature cough hernia rash tumour tumor concussion limp stutter lump cyst bruise "
    "blister ulcer infection murmur allergy disability sprain fracture hangover toothache backache bug virus"
)
_HOW_A_PART_IS = wordset("bad sore broken dodgy stiff swollen torn slipped trapped frozen")  # "a bad hip"
_NO_JOB = frozenset(["retired", "unemployed", "self-employed", "self employed"])
_NO_MORE = ("retired ", "former ")  # what somebody is and does not work as
_DEMONYMS = wordset("swede dane finn pole turk spaniard briton scot serb croat slovak czech greek german american")
_WHERE = wordset(
    "in at on under behind above below beside near next inside outside by between with over around opposite here there "
    "home upstairs downstairs"
)
"""What a place begins with that needs no "at"."""
_PLAN_NOUNS = wordset("visit trip")


@dataclass(frozen=True, slots=True)
class Wording:
    """What a clause says."""

    subject: str  # "me", who is told as "you"; a name; or "my brother"
    predicate: str
    values: tuple[str, ...]  # more than one are listed: "English, German and Turkish"
    tense: Tense = "present"
    negative: bool = False
    quotes: Sequence[str] = ()  # the words that it was said in: a value has the article that stands before it there
    speaker: str = "me"  # who said it: "my" is the person's, or theirs
    dated: bool = False  # whether a date follows the clause: "your exam is", and not "you have an exam"

    @property
    def known(self) -> Predicate:
        return find(self.predicate)

    @property
    def number(self) -> Number:
        return number_of(self.subject)

    @property
    def who(self) -> str:
        return called(self.subject)

    @property
    def value(self) -> str:
        """The values as they were said, in the right person, without an article."""
        return joined([self.turned(value) for value in self.values])

    def turned(self, words: str) -> str:
        """Words of the speaker's own, said to the person."""
        own = self.speaker in ("me", "user", "") or self.subject == "me"
        return second_person(words) if own else of_others(words)


def sentence(
    subject: str, predicate: str, value: str, *, tense: Tense = "present", negative: bool = False,
    quotes: Sequence[str] = (), speaker: str = "me",
) -> str:  # fmt: skip
    """One sentence about "me" (said to the person as "you") or somebody by name. A value that was said with an article
    in one of the quotes is said with it."""
    return closed(clause(Wording(subject, predicate, (value,), tense, negative, quotes, speaker)))


def worded(fact: Fact, values: Sequence[str] | None = None, *, past: bool = False, dated: bool = False) -> Wording:
    """How one belief is said, or several values of it, with the words that it was told in."""
    return Wording(
        fact.subject, fact.predicate, tuple(values or [fact.object]),
        "future" if fact.ahead else "past" if past else "present",
        fact.negative, [source.quote for source in fact.sources], fact.sources[0].speaker if fact.sources else "me",
        dated,
    )  # fmt: skip


def closed(text: str, *more: str) -> str:
    """A clause as a sentence, with its side remarks after commas."""
    whole = capital(", ".join([text.strip(), *[part for part in more if part]]))
    return whole if re.search(r"[.!?…][”\"')]?$", whole) else f"{whole}."


def clause(said: Wording) -> str:
    """One belief as a clause to the person: "you live in Lisbon", "Paul's door code was 4417"."""
    owner, _, relation = said.subject.rpartition(" ")
    if owner and is_relation(relation):  # "your wife is pregnant", in the person's own words
        said = replace(said, subject=f"{owner} {_noun_of(find(relation), said.quotes)}")
    known = said.known
    if known.name == "event" and _is_occasion(said):
        return _occasion(said)
    special = _BY_GRAMMAR.get(known.grammar)
    if special is not None:
        return special(said)
    if noun := _noun(said):
        return _attribute(said, noun)
    if known.name not in REGISTRY and not known.name.startswith(TAKING):
        return _unregistered(said)
    return _regular(said)


def occasion(fact: Fact) -> str:
    """ "your exam", "Ana's exam", "Dad's operation", "flying to Ghent"; one word has the words beside it, if it is in
    them: they say the rest.
    """
    if fact.predicate == "event" and _is_plain(fact.object) and _names_occasion(fact.object):
        who = f"{_host(fact.subject, fact.object)} "
    else:
        who = "" if fact.subject == "me" else f"{called(fact.subject)}: "
    quote = fact.sources[-1].quote if fact.sources and " " not in fact.object else ""
    said = f" (“{quote}”)" if fact.object.casefold() in quote.casefold() and quote else ""
    return f"{who}{second_person(fact.object)}{said}"


_OF_THE_DEAD = re.compile(r"(?i)\b(?:funeral|burial|cremation|wake|memorial)s?\b")


def _host(subject: str, occasion: str) -> str:
    """Whose an occasion is said to be; nobody speaks of their own funeral."""
    return "the" if subject == "me" and _OF_THE_DEAD.search(occasion) else whose(subject)


def is_relation(predicate: str) -> bool:
    """Whether it names a person or pet whom the subject has."""
    return find(predicate).is_relation


def _noun(said: Wording) -> str:
    """The noun under which the value stands ("your rent is"), or nothing where a verb says it."""
    known = said.known
    if is_relation(known.name):
        return _relation_noun(said)
    if is_thing(said.subject) and known.name in REGISTRY and known.nouns and known.grammar != "of_things":
        return known.nouns[0]
    return known.nouns[0] if known.grammar == "attribute" else ""


def _relation_noun(said: Wording) -> str:
    """The noun in the person's own words ("wife" for partner), in the plural for several."""
    noun, quotes = _noun_of(said.known, said.quotes), _quoted(said.quotes)
    counted = _are_several(said) and said.value != "one"
    return plural(noun) if counted or _is_one_of(noun, quotes) else noun


def _are_several(said: Wording) -> bool:
    return len(set(said.values)) > 1 or NUMBER_WORD.fullmatch(said.value) is not None or " and " in said.value


def kin_noun(fact: Fact) -> str:
    """What somebody is to the subject, in the person's own words: "wife" for partner."""
    return _noun_of(find(fact.predicate), [source.quote for source in fact.sources])


def _noun_of(known: Predicate, quotes: Sequence[str]) -> str:
    said = _quoted(quotes)
    names = [name.replace("_", " ") for name in (known.name, *known.aliases)]
    return singular(next((name for name in names if re.search(rf"\b{name}s?\b", said)), names[0]))


def _quoted(quotes: Sequence[str]) -> str:
    return " ".join(quote.lower() for quote in quotes[:3])


def _is_one_of(noun: str, quotes: str) -> bool:
    """Whether several were spoken of: "I have two children, Ana and Rui", and no "dads name"."""
    one, several = (re.search(rf"\b{form}\b(?! name\b)", quotes) is not None for form in (noun, plural(noun)))
    return several and not one


def _attribute(said: Wording, noun: str) -> str:
    """ "your rent is 780 euros", "your kids are Ben and Lou"."""
    if len(said.values) == 1 and said.values[0].casefold() == noun.casefold():  # a hamster without a name
        has = verb_phrase("have", "has", "had", said.number, said.tense, negative=said.negative)
        return f"{said.who} {has} {a_or_an(noun)}{noun}"
    if is_relation(said.known.name) and NUMBER_WORD.fullmatch(said.value):
        has = verb_phrase("have", "has", "had", said.number, said.tense, negative=said.negative)
        return f"{said.who} {has} {said.value} {noun}"
    if is_relation(said.known.name) and is_plural(noun) and not _are_several(said):
        return f"one of {possessed(said.subject, noun)} {be('one', said.tense, negative=said.negative)} {said.value}"
    noun = plural(noun) if len(set(said.values)) > 1 else noun
    many = len(set(said.values)) > 1 or is_plural(noun)
    value = said.value
    if value.casefold().endswith(f" {noun}"):  # "1,100 euros rent"
        value = value[: -len(noun)].strip()
    before = "" if is_relation(said.known.name) else _before(said)
    verb = be("many" if many else "one", said.tense, negative=said.negative)
    return f"{possessed(said.subject, noun)} {verb} {before}{value}"


def _unregistered(said: Wording) -> str:
    """ "you have two sons", "she collects stamps", "your door code is 4417"."""
    name = said.known.name
    if name.startswith(_NUMBER_OF):
        noun = name.removeprefix(_NUMBER_OF).replace("_", " ")
        has = verb_phrase("have", "has", "had", said.number, said.tense, negative=said.negative)
        held = {stem(word) for word in said.value.casefold().split()}
        return f"{said.who} {has} {said.value}{'' if stem(noun.split()[-1]) in held else f' {noun}'}"
    quote = said.quotes[0] if said.quotes else ""
    verb = "" if said.value[:1].isdigit() else verb_of(name, quote, bare=not said.value)
    if not verb:
        noun = _as_written(name.replace("_", " "), quote)
        many = len(set(said.values)) > 1 and not noun.endswith(("s", "y"))
        return _attribute(said, f"{noun}s" if many else noun)
    first, third, past = phrases_of(verb)
    tense: Tense = "past" if is_past(name.split("_")[0]) and said.tense == "present" else said.tense
    phrase = verb_phrase(first, third, past, said.number, tense, negative=said.negative)
    return f"{said.who} {phrase} {said.value}".rstrip()


def _as_written(noun: str, quote: str) -> str:
    """A noun in its own capitals: "mAP", "F1"."""
    written = re.search(rf"\b{re.escape(noun)}\b", quote, re.IGNORECASE)
    capitals = written is not None and (written[0].isupper() or any(letter.isupper() for letter in written[0][1:]))
    return written[0] if written is not None and capitals else noun


_DETERMINERS = wordset("the a an my our your his her their its this that of")
_SUBJECTS = wordset("i we he she they who always never often also still have has had just finally")


def verb_of(predicate: str, quote: str, *, bare: bool) -> str:
    """The base form of an unknown predicate that is a verb in its own source ("She collects stamps"), else "".

    A verb never follows an article or an owner; with no object after it (`bare`) it is one in any case.
    """
    first, *rest = predicate.split("_")
    found = " ".join([base_of(first), *rest])
    if is_past(first) or bare:
        return found
    words = re.findall(r"[^\W_]+(?:['’][^\W_]+)*", quote)
    wanted = stem(base_of(first))
    at = next((at for at, word in enumerate(words) if at and stem(base_of(word.lower())) == wanted), None)
    if at is None:
        return ""
    before = words[at - 1].replace("’", "'")
    if before.lower() not in _SUBJECTS and words[at] == base_of(first):  # "New vet": a name takes "collects"
        return ""
    if before.lower() in _DETERMINERS or before.endswith("'s"):
        return ""
    follows_a_subject = not before[:1].islower() or before.lower() in _SUBJECTS or before.endswith("ly")
    return found if follows_a_subject else ""


def _regular(said: Wording) -> str:
    """A subject, the verb of the registry, and the value: "you live in Lisbon"."""
    known = said.known
    first, third, past = known.first, known.third, known.past
    tense: Tense = "past" if known.temporal == "event" and said.tense == "present" else said.tense
    phrase = verb_phrase(first, third, past, said.number, tense, negative=said.negative, base=_base(known))
    value = f"{_before(said)}{said.value}"
    if known.name == "kind" and _A_YEAR.fullmatch(said.value):  # a car is "a 2014"
        return f"{said.who} {be(said.number, said.tense, negative=said.negative)} from {said.value}"
    if "placed" in known.traits and (place := _place(said, phrase)):
        return f"{said.who} {place}"
    phrase, value = _seamless(phrase, value)
    return f"{said.who} {phrase} {value}".rstrip()


_A_YEAR = re.compile(r"(?:19|20)\d\d")


def _base(known: Predicate) -> str:
    """The infinitive of an event's verb, which the registry has in the past."""
    head = known.first.partition(" ")[0]
    if known.temporal != "event" or head != known.past.partition(" ")[0]:
        return ""
    own = next((verb for verb in known.verbs if past_of(verb.split()[0]) == head), "")
    return own.split()[0] if own else base_of(head)


def _seamless(phrase: str, value: str) -> tuple[str, str]:
    """No word twice where the verb meets the value: "a" before "a dog", "by" before "on foot"."""
    head, _, last = phrase.rpartition(" ")
    word = value.partition(" ")[0].casefold()
    if last in ("a", "an", "the"):
        bare = OWN_WORD.match(value) or NUMBER_WORD.match(value) or is_plural(value)
        article = "" if bare and not value[:1].isdigit() else last if last == "the" else a_or_an(value).strip()
        return f"{head} {article}".strip(), value
    if word == last.casefold():
        return (phrase, value.partition(" ")[2]) if word else (phrase, value)
    if last in ("in", "at", "by", "on") and word in _WHERE and " " in value:
        return head, value
    return phrase, value


def _place(said: Wording, phrase: str) -> str:
    """The verb and the place with the preposition that it was said with, "" where the usual one will do."""
    value = said.value
    head = phrase if said.known.name == "location" else phrase.rpartition(" ")[0]
    if value.partition(" ")[0].casefold() in _WHERE:
        return f"{head} {value}"
    pattern = re.compile(
        rf"(?i)(?<!\w)(in|on|at|near|by)\s+((?:a|an|the|my|our|his|her)\s+)?{re.escape(said.values[0])}(?!\w)"
    )
    found = next((match for quote in said.quotes if (match := pattern.search(quote))), None)
    if found is not None and len(said.values) == 1:
        before = second_person((found[2] or "").lower()) or article(said.known.name, said.values[0])
        return f"{head} {found[1].lower()} {before}{value}"
    return f"{head} at {_before(said)}{value}" if said.known.name == "location" else ""


def _before(said: Wording) -> str:
    """The article of a value: the one that it was said with, else the one that its predicate asks for; of a list none
    unless each has one."""
    if len(said.values) != 1:
        return ""
    phrase, value = said.known.first, said.values[0]
    if phrase.rpartition(" ")[2] in ("a", "an", "the") or "bare" in said.known.traits:
        return ""
    found = article_said(value, said.quotes)
    if found in ("my ", "our ") and said.known.name in ("owns", "has_condition"):
        plain = _is_plain(value) or said.known.name == "owns"  # "I sold my Brompton": you had a Brompton
        found = "" if is_plural(value) or not plain else a_or_an(value)
    return said.turned(found) or article(said.known.name, value)


def article_said(value: str, quotes: Sequence[str]) -> str:
    """The article or the possessive that stood before a value wherever it was said in a quote ("an "), or nothing."""
    if OWN_WORD.match(value):
        return ""
    after = "" if value[:1].islower() or " " in value else _NO_NOUN_FOLLOWS
    said = re.compile(rf"(?i)(?<![\w'’])(?:(a|an|the|my|our)\s+)?{re.escape(value)}(?!\w){after}")
    for quote in quotes:
        found = [match[1] for match in said.finditer(quote)]
        if found and all(found):
            word = found[0].lower()
            return a_or_an(value) if word in ("a", "an") else f"{word} "
    return ""


_NO_NOUN_FOLLOWS = (
    r"(?!\s+(?!(?:and|or|but|in|on|at|to|for|with|from|of|since|last|this|next|is|was|now|today|yesterday|because|so|that"
    r"|which|who|when|as|off|by|again|too|for|until|while|a|an|the|my)\b)\w)"
)
"""After a name with an article: in "my Instagram account" the article is the account's."""


def article(predicate: str, value: str) -> str:
    """ "a " or "an " before a job, somebody who is seen, a thing or an occasion that was told without one."""
    last = value.rpartition(" ")[2].casefold()
    wants = (
        predicate == "job"
        or (
            predicate == "has_condition"
            and (last in _COUNTED_AILMENTS or value.split(" ")[0].lower() in _HOW_A_PART_IS)
        )
        or (predicate in ("event", "sees") and _is_plain(value))
    )
    wants = wants or (predicate == "owns" and (last in POSSESSIONS or last in CARS))
    wants = wants or (predicate in ("home", "lives_in") and _is_dwelling(value, lives_in=predicate == "lives_in"))
    wants = wants or (predicate == "nationality" and (last.endswith(("man", "woman")) or last in _DEMONYMS) and
                      last not in ("german", "roman"))  # fmt: skip
    if not wants or is_plural(value) or not value or value.casefold() in _NO_JOB:
        return ""
    counted = (OWN_WORD.match(value) or NUMBER_WORD.match(value)) and predicate != "job"  # "a 999 call handler"
    return "" if counted else a_or_an(value)


def _is_dwelling(value: str, *, lives_in: bool) -> bool:
    """Whether a home is told by what it is, and not by its name: "flat", "house on Priory Road"."""
    noun = _UNTIL_OF.split(value)[0].rpartition(" ")[2]
    plain = _is_plain(value) and noun.isalpha() and not noun.endswith(("ing", "tion"))
    return plain and (not lives_in or noun in POSSESSIONS)


def _is_plain(value: str) -> bool:
    """A common noun, and nobody's: "therapist", "dentist appointment"."""
    return value[:1].islower() and "'s " not in value


_TO_DO = re.compile(
    r"(?:book|call|ring|buy|get|pay|fix|order|collect|pick up|post|send|sign|renew|clean|paint|check|cancel|return"
    r"|finish|meet|visit|see|phone|email|plan) (?:the|an?|my|our|his|her)\b"
)
"""What one does, though its first word may be a noun: "book the train"."""


def _is_occasion(said: Wording) -> bool:
    """Whether an event is something that one has, or goes to: "dentist appointment", "Dad's operation"."""
    value = said.values[0]
    if _TO_DO.match(value):
        return False
    return _names_occasion(value) or (said.dated and _is_plain(value) and _said_after(said, _OWNED))


def _names_occasion(value: str) -> bool:
    words = _UNTIL_OF.split(value.lower())[0].split()
    return not words or (words[-1] in EVENT_NOUNS | SEEN_FOR_WORK and not is_past(words[0]))  # "failed its inspection"


_UNTIL_OF = re.compile(r" (?:of|with|at|in|on|for|to) ")
_OWNED = r"my|our|the|his|her"
_DETERMINED = rf"an?|{_OWNED}|their"


def _occasion(said: Wording) -> str:
    """ "your exam is" before its date; else "your exam is coming up", "you had a dentist appointment", "Dad's operation
    took place"."""
    value, plain = said.value, _is_plain(said.values[0]) and not OWN_WORD.match(said.values[0])
    said_with = said.turned(article_said(said.values[0], said.quotes))
    if said.dated:
        own = f"{_host(said.subject, said.value)} " if plain else said_with if said_with == "the " else ""
        number: Number = "many" if is_plural(value) else "one"
        return f"{own}{value} {be(number, said.tense, negative=said.negative)}"
    if plain and said.tense == "future" and not said.negative:
        return _coming(said)
    if plain or said.negative:
        has = verb_phrase("have", "has", "had", said.number, said.tense, negative=said.negative)
        return f"{said.who} {has} {said_with or article(said.known.name, said.values[0])}{value}"
    own = said_with if said_with in ("the ", "your ") else ""
    return f"{own}{value} {'took place' if said.tense == 'past' else _comes(value)}"


def _comes(value: str) -> str:
    """ "flights to Melbourne are coming up"."""
    return f"{'are' if is_plural(value) else 'is'} coming up"


_ARTICLE = re.compile(r"(?i)^(?:an?|the) ")


def _coming(said: Wording) -> str:
    """ "your dentist is coming up": "you will have a dentist" is something else."""
    host = _host(said.subject, said.value)
    return f"{host} {_ARTICLE.sub('', said.value)} {_comes(said.value)}"


def _of_the_value(said: Wording) -> str:
    """ "your passport expires", "Ana's visa expired"."""
    value = said.value
    own = (OWN_WORD.match(value) and not value[:1].isdigit()) or re.match(r"[\w'’]+['’]s? ", value)
    number: Number = "many" if is_plural(value) or len(said.values) > 1 else "one"
    known = said.known
    phrase = verb_phrase(known.first, known.third, known.past, number, said.tense, negative=said.negative)
    first = phrase if number == "one" or said.tense != "present" else phrase.replace(known.third, base_of(known.third))
    return f"{value if own else possessed(said.subject, value)} {first}"


def _told(said: Wording) -> str:
    """The person's own words after whom they are about, as a sentence where their first word shows how."""
    value = said.value
    if said.known.name == "died" and len(said.values) == 1 and _IS_DEAD.fullmatch(value):
        return f"{said.who} {said.known.past}"
    if said.known.name == "event" and value.casefold() == "due":
        tense: Tense = "past" if said.tense == "past" else "present"
        return f"{said.who} {be(said.number, tense, negative=said.negative)} {value.lower()}"
    if said.known.name == "event" and _WHERE_ONE_IS.fullmatch(value):
        return f"{said.who} {be(said.number, said.tense, negative=said.negative)} {value}"
    if said.known.name == "event" and not said.negative and _is_clause(said.values):
        return f"{said.turned(article_said(said.values[0], said.quotes)) or f'{whose(said.subject)} '}{value}"
    if said.known.name != "detail" and len(said.values) == 1 and (found := next(_as_told(said), "")):
        return found
    if said.known.name == "event" and said.tense == "future" and form_of(value.partition(" ")[0].lower()) is None:
        own = "" if said.who.lower() == "you" else f"{whose(said.subject)} "
        return f"{own}{value} {_comes(value)}"
    if said.known.name == "detail" and not said.negative and _tells_the_whole(said):
        return value
    if said.known.name == "detail" and len(said.values) == 1 and (does := next(_as_does(said), "")):
        return does
    noted = said.known.name == "detail" and said.who.lower() == "you"
    if noted and not said.negative and all(map(_names_a_thing, said.values)):
        return f"{said.who} mentioned {value}"
    return f"{said.who}{' said' if noted else ''}: {'not ' if said.negative else ''}{value}"


_IS_DEAD = re.compile(r"(?i)dead|deceased")
_WHERE_ONE_IS = re.compile(
    r"(?i)(?:back|home|away|off|here|out|over|around|in town|back home)(?: (?:to|in|at|on|from|for|with) .+)?"
)


_GOES_ON = r"(?:am|is|are|\w+['’](?:m|re)|s?he['’]s|currently|still)"
_WHOLE = re.compile(
    r"(?i)(?:(?:i|we|it|there)(?:['’]\w+)? \S|(?:my|our|the|this|that) (?:[\w'’-]+ ){1,3}?"
    r"(?:is|are|was|were|has|have|had|will|can|does|do)\b)"
)


def _tells_the_whole(said: Wording) -> bool:
    """Whether a note is a clause of its own, of the person or a thing of theirs: "my rating is 1740"."""
    if len(said.values) != 1:
        return False
    mine = said.subject == "me" or said.subject.islower()
    named = said.value.casefold().startswith(f"{said.who.casefold()} ") and said.who.casefold() != "you"
    return named or (mine and _WHOLE.match(said.values[0]) is not None)


def _doing(said: Wording, base: str, rest: str) -> str:
    """Who does something, by a verb that no predicate has: "Piers restores organs"."""
    first, third, past = phrases_of(base)
    verb = verb_phrase(first, third, past, said.number, said.tense, negative=said.negative)
    return f"{said.who} {verb} {said.turned(rest)}".rstrip()


def _as_does(said: Wording) -> Iterator[str]:
    """A note that is a verb with what follows it: "Piers restores organs", "you sing at weddings"."""
    head, _, rest = said.values[0].partition(" ")
    base, tags = form_of(head.lower()) or ("", frozenset[str]())
    third = "s" in tags and said.number == "one" and _said_after(said, _WHO_DOES)
    if rest and (third or ("base" in tags and _said_after(said, r"i|we|they|you"))):
        yield _doing(said, base, rest)


def _is_clause(values: Sequence[str]) -> bool:
    """Whether a value names who or what did it, and tells the whole: "operation went well"."""
    words = values[0].lower().split()
    named = words[0] in EVENT_NOUNS or form_of(words[0]) is None
    return len(values) == 1 and _is_plain(values[0]) and named and any(map(is_past, words[1:3]))


def _names_a_thing(value: str) -> bool:
    """A few words without a verb: "the fox", "A2"."""
    words = [word.lower() for word in re.findall(r"[\w'’]+", value)]
    return 0 < len(words) <= MOST_OF_A_THING and not any(map(_may_be_verb, words))


def _may_be_verb(word: str) -> bool:
    form = form_of(word)
    return "'" in word or "’" in word or is_past(word) or (form is not None and "ing" not in form[1])


def _as_told(said: Wording) -> Iterator[str]:
    """ "you passed the exam", "you were flying to Ghent", "the bike was stolen", "Armindo had an operation"."""
    head, _, rest = said.values[0].partition(" ")
    _, tags = form_of(head.lower()) or ("", frozenset[str]())
    negative, rest = said.negative, said.turned(rest)
    tense: Tense = "future" if said.tense == "future" else "past"
    if re.match(r"(?i)(?:took|cost) (?:me|us)\b", said.values[0]):
        yield f"it {head.lower()} {rest}"
    elif is_past(head.lower()) and _said_after(said, r"was|were|be|been|being"):
        yield f"{said.who} {be(said.number, tense, negative=negative)} {head.lower()} {rest}".rstrip()
    elif is_past(head.lower()):
        first, third, past = phrases_of(base_of(head.lower()))
        invited = tense == "future" and first != head.lower()  # "invited us for Saturday": the day lies ahead, no more
        past, tense = head.lower() if not negative else past, "past" if invited else tense
        yield f"{said.who} {verb_phrase(first, third, past, said.number, tense, negative=negative)} {rest}".rstrip()
    elif tags == frozenset({"part"}) and _said_after(said, r"have|has|had|\w+'ve|\w+'s|just|finally|already"):
        have = verb_phrase("have", "has", "had", said.number, "present", negative=negative)
        yield f"{said.who} {have} {head.lower()} {rest}".rstrip()
    elif head.endswith("ing") and said.tense == "present" and not negative and _said_after(said, _GOES_ON):
        yield f"{said.who} {be(said.number, 'present')} {head.lower()} {rest}".rstrip()
    elif "ing" in tags or tags == frozenset({"part"}):
        yield f"{said.who} {be(said.number, tense, negative=negative)} {head.lower()} {rest}".rstrip()
    elif "s" in tags and said.number == "one" and not negative:
        yield f"{said.who} {head.lower()} {rest}".rstrip()
    elif "base" in tags and not negative and _said_after(said, _BEFORE_VERBS):
        verb = f"{head.lower()} {rest}".rstrip()
        yield f"{said.who} {'will' if tense == 'future' else f'{be(said.number, tense)} to'} {verb}"
    elif (
        _is_plain(said.values[0])
        and not OWN_WORD.match(said.values[0])
        and _said_after(said, r"a|an|my|our|his|her|the|\w+['’]s")
    ):
        if tense == "future" and not negative:
            yield _coming(said)
        has = verb_phrase("have", "has", "had", said.number, tense, negative=negative)
        yield f"{said.who} {has} {'' if is_plural(said.value) else a_or_an(said.value)}{said.value}"


_BEFORE_VERBS = r"i|we|you|they|to|will|i'll|we'll|and"


def _said_after(said: Wording, words: str) -> bool:
    pattern = re.compile(rf"(?i)(?<![\w'’])(?:{words})\s+{re.escape(said.values[0])}(?!\w)")
    return any(pattern.search(quote.replace("’", "'")) for quote in said.quotes)


def _expires(said: Wording) -> str:
    """ "the passport expires in March 2027"; of the person, "your deadline is Friday"."""
    before = re.compile(rf"(?i)(?<!\w)((?:in|on|at|by)(?: the)?) {re.escape(said.values[0])}(?!\w)")
    found = next((match[1].lower() for quote in said.quotes if (match := before.search(quote))), "")
    found = found or (
        "on" if re.match(r"(?:the )?\d{1,2}(?:st|nd|rd|th)?\b|[A-Z][a-z]+ \d{1,2}\b", said.values[0]) else ""
    )
    if said.who.lower() == "you":
        return (
            f"your deadline {be('one', said.tense, negative=said.negative)} {f'{found} ' if found else ''}{said.value}"
        )
    tense: Tense = "present" if said.tense == "future" else said.tense
    if any(re.search(r"(?i)\bdue\b", quote) for quote in said.quotes):
        found = f"{found} " if found else ""
        return f"{said.who} {be(said.number, tense, negative=said.negative)} due {found}{said.value}"
    verb = verb_phrase("expire", "expires", "expired", said.number, tense, negative=said.negative)
    return f"{said.who} {verb} {f'{found} ' if found else ''}{said.value}"


def _planned(said: Wording) -> str:
    """ "you plan to be out", "Ingrid plans on going back to Norway", "your plan: Alvalade"."""
    value = said.value.removeprefix("to ")
    head = said.values[0].removeprefix("to ").partition(" ")[0]
    known, tags = form_of(head) or ("", frozenset[str]())
    infinitive = value != said.value or head == "be" or (head == known and _said_after(said, _BEFORE_VERBS))
    if (not infinitive and "ing" not in tags) or value.startswith(tuple(f"{noun} to" for noun in _PLAN_NOUNS)):
        return f"{possessed(said.subject, 'plan')}: {'not ' if said.negative else ''}{value}"
    verb = verb_phrase("plan", "plans", "planned", said.number, said.tense, negative=said.negative)
    return f"{said.who} {verb} {'to' if infinitive else 'on'} {value}"


def _job(said: Wording) -> str:
    """ "you work as a nurse", "Ana is retired", "Duarte is your manager"."""
    said_with = article_said(said.values[0], said.quotes)
    owned = re.match(r"(?i)(?:my|our|your|the)\b", said_with or said.values[0])
    if owned or said.value.casefold() in _NO_JOB or said.value.casefold().startswith(_NO_MORE):
        if is_plural(said.values[0]) and _said_after(said, r"(?:do|does|did|doing) (?:the|my|our)"):
            verb = verb_phrase("do", "does", "did", said.number, said.tense, negative=said.negative)
            return f"{said.who} {verb} {said.turned(said_with)}{said.value}"
        if is_plural(said.values[0]):
            return f"{possessed(said.subject, 'work')}: {said.turned(said_with)}{said.value}"
        return f"{said.who} {be(said.number, said.tense, negative=said.negative)} {said.turned(said_with)}{said.value}"
    return next(_as_verb(said), "") or _regular(said)


_WHO_DOES = r"(?!(?:a|an|the|of|in|as|is|was|are|for|my|our|his|her|their|and|or)\b)[\w'’-]+"


def _as_verb(said: Wording) -> Iterator[str]:
    """Work that was told as something done: "you teach", "Piers restores organs", "you work doing the lights"."""
    head, _, rest = said.values[0].partition(" ")
    base, tags = form_of(head.lower()) or ("", frozenset[str]())
    own = r"i|we|you|they|i've|i now|i still"
    does = "s" in tags and rest and not _said_after(said, rf"{_DETERMINED}|of|in|as|is|was|are|for")
    activity = is_plural(said.values[0]) or rest.startswith(("the ", "my ", "our ")) or not rest
    if ("base" in tags and _said_after(said, own)) or does:
        yield _doing(said, base, rest)
    elif is_past(head.lower()) and rest and _said_after(said, rf"{own}|he|she"):
        yield _doing(replace(said, tense="past"), base_of(head.lower()), rest)
    elif activity and ("ing" in tags or head.lower().endswith("ing")):
        verb = verb_phrase("work", "works", "worked", said.number, said.tense, negative=said.negative)
        yield f"{said.who} {verb} {'' if base else 'in '}{said.value}"
    elif is_plural(said.values[0]):
        yield f"{possessed(said.subject, 'work')}: {'not ' if said.negative else ''}{said.value}"


def _paid(said: Wording) -> str:
    """ "you pay 29 euros a month", "the bike cost 600 euros"."""
    if said.subject != "me" and not is_thing(said.subject) and _RATE.search(said.value):
        verb = verb_phrase("charge", "charges", "charged", said.number, said.tense, negative=said.negative)
        return f"{said.who} {verb} {said.value}"
    if said.subject != "me":
        return _regular(said)
    if said.quotes and not any(map(_PAYS.search, said.quotes)):
        return f"you named a price: {said.value}"
    tense: Tense = "past" if said.known.name == "cost" and said.tense == "present" else said.tense
    return f"you {verb_phrase('pay', 'pays', 'paid', 'you', tense, negative=said.negative)} {said.value}"


_RATE = re.compile(r"(?i)(?:\ban?|\bper|/) ?(?:hour|hr|lesson|session|word|visit|go)s?\b")
"""What somebody takes for their time or work: "38 an hour"."""
_PAYS = re.compile(
    r"(?i)\b(?:pay(?:s|ing)?|paid|spen[dt]|spending|costs?|charg\w+ (?:me|us)|bought|got|fees?|bills?|rent|my|our)\b"
)
""" "95 euro a night for a double" may be what somebody takes."""


def _answered(said: Wording) -> str:
    """ "you want answers like this: “in short lists”"."""
    return _regular(replace(said, values=tuple(f"“{value}”" for value in said.values)))


def _born_on(said: Wording) -> str:
    """ "you were born on 4 May 1990", "your birthday is the 24th of April", "you were born in May 1990"."""
    if re.search(r"\d", said.value) and not re.search(r"\d{4}", said.value) and not said.negative:
        return f"{possessed(said.subject, 'birthday')} is {'the ' if _ORDINAL.match(said.value) else ''}{said.value}"
    verb = verb_phrase("were born", "was born", "was born", said.number, "past", negative=said.negative)
    month = re.fullmatch(r"(?:[A-Z][a-z]+ )?\d{4}|[A-Z][a-z]+", said.value)
    phrase, value = _seamless(f"{verb} {'in' if month else 'on'}", said.value)
    return f"{said.who} {phrase} {'the ' if _ORDINAL.match(value) else ''}{value}"


_ORDINAL = re.compile(r"\d+(?:st|nd|rd|th)\b")
_VERBS = wordset("swim run ski hike climb row surf skate cycle dance jog sail smoke vape drink paint draw sing knit")
"""What somebody does that is a verb of its own: "you swim", and not "you do swimming"."""


def _done(said: Wording) -> str:
    verbs = [base_of(value.lower()) for value in said.values]
    if not _VERBS.issuperset(verbs):
        return _regular(said)
    done = [verb_phrase(*phrases_of(verb), said.number, said.tense, negative=said.negative) for verb in verbs]
    return f"{said.who} {joined(done)}"


_HAS_BEEN = re.compile(r"(?P<part>(?:[^\W\d_]+ ){1,3}?)(?:have |has )?(?P<how>been .+)")
""" "knees been playing up": how a part of somebody has been."""
_HOW_IT_IS = re.compile(r"(?i)^(?:\w+ ){1,3}(?:is|are|was|were|hurts?|aches?)\b")


def _ill(said: Wording) -> str:
    """ "Vida broke her hip", "your left knee is bad" and "Vida has a cold"."""
    if _HOW_IT_IS.search(said.value) and not said.negative:
        return f"{whose(said.subject)} {OWN_WORD.sub('', said.value).strip()}"
    if len(said.values) == 1 and is_past(said.values[0].split()[0].lower()):
        return next(_as_told(said), "") or _regular(said)
    if (going := _HAS_BEEN.match(said.value)) is not None:
        part = OWN_WORD.sub("", going["part"]).strip()
        return f"{whose(said.subject)} {part} {'have' if is_plural(part) else 'has'} {going['how']}"
    if said.tense == "present" and said.values[-1].rpartition(" ")[2].lower() in _ATTACKS:
        return _regular(replace(said, tense="past"))
    if len(said.values) == 1 and not OWN_WORD.match(said.values[0]) and (said_with := _said_to_be(said)) is not None:
        return f"{said.who} {be(said.number, said.tense, negative=said.negative)} {said_with}{said.value}"
    if len(said.values) == 1 and _WHO_HAS_IT.search(said.value) and not OWN_WORD.match(said.value):
        before = a_or_an(said.value) if " " in said.value else ""
        return f"{said.who} {be(said.number, said.tense, negative=said.negative)} {before}{said.value}"
    return _regular(said)


_WHO_HAS_IT = re.compile(r"(?i)\w{3}(?:tic|xic|iac)\Z")  # "asthmatic", "type 1 diabetic": what somebody is who has it
_TO_BE = (
    r"(?:(?<!\bit )(?<!\bthat )(?<!\bthis )(?:am|is|are|was|were)|been|being"
    r"|feel(?:s|ing)?|felt|i'?m|s?hes|theyre|diagnosed as"
    r"|(?:they|we|you)'re|(?!(?:it|that|this|there|here|what)'s)\w+'s)"
    r"(?: (?:\w+ly|so|very|still|now|also|just|quite|pretty|a bit|always|already|not))*"
)
""" "she is pregnant", "he's badly diabetic": what somebody is, where "it's a cold" is what they have."""


def _said_to_be(said: Wording) -> str | None:
    """The article between a form of "to be" and the value, "" without one; None where it was not said so."""
    found = next((article for article in ("", "a", "an") if _said_after(said, f"{_TO_BE} {article}".rstrip())), None)
    return None if found is None else f"{found} ".lstrip()


def _named(said: Wording) -> str:
    """ "your sister is called Eirlys"; of whom the name is all that is known, that the person knows them."""
    if said.subject != "me" and said.value.casefold() == said.who.removeprefix("the ").casefold():
        known = find("acquaintance")
        verb = verb_phrase(known.first, known.third, known.past, "you", said.tense, negative=said.negative)
        return f"you {verb} {said.value}"
    return _regular(said)


def _figure(said: Wording) -> str:
    """ "Ana: 68 kilos", "the pulse is 52": a figure of which nobody said what it measures."""
    if is_thing(said.subject) or said.tense == "future":
        noun = said.who if is_thing(said.subject) else possessed(said.subject, said.known.nouns[0])
        return f"{noun} {be('one', said.tense, negative=said.negative)} {said.value}"
    return f"{said.who}: {'not ' if said.negative else ''}{said.value}"


def _habit(said: Wording) -> str:
    """ "you don't drink", "Ana rings you every Sunday"; what is no verb is noted: "your habit: coffee"."""
    head, _, rest = said.values[0].partition(" ")
    base, tags = form_of(head.lower()) or ("", frozenset[str]())
    unlisted = not base and head.endswith("s") and re.match(r"(?:me|us|him|her|them|the)\b", rest) is not None
    if len(said.values) > 1 or not (unlisted or tags & {"base", "s"}):
        return _noted(said)
    return _doing(said, base or base_of(head.lower()), rest)


def _noted(said: Wording) -> str:
    """ "your schedule: Mondays closed"; of how something looks, "the bike is green", "Rosa is very fat"."""
    said_with = _said_to_be(said) if said.known.name == "looks" else None
    if said_with is not None or (said.known.name == "looks" and said.value.rpartition(" ")[2] in COLOURS):
        return f"{said.who} {be(said.number, said.tense, negative=said.negative)} {said_with or ''}{said.value}"
    return f"{possessed(said.subject, said.known.nouns[0])}: {'not ' if said.negative else ''}{said.value}"


_BY_GRAMMAR: dict[Grammar, Callable[[Wording], str]] = {
    "noted": _noted, "told": _told, "of_the_value": _of_the_value, "named": _named, "done": _done, "ill": _ill,
    "planned": _planned, "occupation": _job, "paid": _paid, "answered": _answered, "birthday": _born_on,
    "expiry": _expires, "figure": _figure, "habit": _habit,
}  # fmt: skip
"""How the clause of a predicate is made where neither a noun nor its verb phrase makes it."""
