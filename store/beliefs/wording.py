"""Every sentence about a belief is composed here: who, what and when, and never more than the belief says.

A clause begins in lower case and has no full stop: answers go on from it. `sentence` is a clause that stands alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
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
from store.text.nouns import CARS, COLOURS, DIETS, EVENT_NOUNS, POSSESSIONS, SEEN_FOR_WORK
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
_DEMONYMS = wordset("swede dane finn pole turk spaniard briton scot serb croat slovak czech greek american")
_WHERE = wordset(
    "in at on under behind above below beside near next inside outside by between with over around opposite here there "
    "home upstairs downstairs"
)
"""What a place begins with that needs no "at"."""
Verb = tuple[str, str, str]  # its phrases for "you", for one other, and in the past
_BE: Verb = ("are", "is", "was")
_HAVE: Verb = ("have", "has", "had")
_GET: Verb = ("get", "gets", "got")
_NO_NOUN_FOLLOWS = (
    r"(?!\s+(?!(?:and|or|but|in|on|at|to|for|with|from|of|since|last|this|next|is|was|now|today|yesterday|because|so|that"
    r"|which|who|when|as|off|by|again|too|for|until|while|a|an|the|my)\b)\w)"
)
"""After a name with an article: in "my Instagram account" the article is the account's."""
_UNTIL_OF = re.compile(r" (?:of|with|at|in|on|for|to) ")
_OWNED = r"my|our|the|his|her"
_DETERMINED = rf"an?|{_OWNED}|their"
_WHERE_ONE_IS = re.compile(
    r"(?i)(?:back|home|away|off|here|out|over|around|in town|back home)(?: (?:to|in|at|on|from|for|with) .+)?"
)
_GOES_ON = r"(?:am|is|are|\w+['’](?:m|re)|s?he['’]s|currently|still)"
_WHOLE = re.compile(
    r"(?i)(?:(?:i|we|it|there)(?:['’]\w+)? \S|(?:my|our|the|this|that) (?:[\w'’-]+ ){1,3}?"
    r"(?:is|are|was|were|has|have|had|will|can|does|do)\b)"
)
_BEFORE_VERBS = r"i|we|you|they|to|will|i'll|we'll|and"
_RATE = re.compile(r"(?i)(?:\ban?|\bper|/) ?(?:hour|hr|lesson|session|word|visit|go)s?\b")
"""What somebody takes for their time or work: "38 an hour"."""
_PAYS = re.compile(
    r"(?i)\b(?:pay(?:s|ing)?|paid|spen[dt]|spending|costs?|charg\w+ (?:me|us)|bought|got|fees?|bills?|rent|my|our)\b"
)
""" "95 euro a night for a double" may be what somebody takes."""
_VERBS = wordset("swim run ski hike climb row surf skate cycle dance jog sail smoke vape drink paint draw sing knit")
"""What somebody does that is a verb of its own: "you swim", and not "you do swimming"."""
_HAS_BEEN = re.compile(r"(?P<part>(?:[^\W\d_]+ ){1,3}?)(?:have |has )?(?P<how>been .+)")
""" "knees been playing up": how a part of somebody has been."""
_HOW_IT_IS = re.compile(r"(?i)^(?:\w+ ){1,3}(?:is|are|was|were|hurts?|aches?)\b")
_TO_BE = (
    r"(?:(?<!\bit )(?<!\bthat )(?<!\bthis )(?:am|is|are|was|were)|been|being"
    r"|feel(?:s|ing)?|felt|i'?m|s?hes|theyre|diagnosed as"
    r"|(?:they|we|you)'re|(?!(?:it|that|this|there|here|what)'s)\w+'s)"
    r"(?: (?:\w+ly|so|very|still|now|also|just|quite|pretty|a bit|always|already|not))*"
)
""" "she is pregnant", "he's badly diabetic": what somebody is, where "it's a cold" is what they have."""


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

    @property
    def plain(self) -> bool:
        """Whether the value is a common noun without an article, and nobody's."""
        return _is_plain(self.values[0]) and not OWN_WORD.match(self.values[0])

    def turned(self, words: str) -> str:
        """Words of the speaker's own, said to the person."""
        own = self.speaker in ("me", "user", "") or self.subject == "me"
        return second_person(words) if own else of_others(words)

    def article_said(self) -> str:
        """The article or possessive with which the value was said, in the right person."""
        return self.turned(article_said(self.values[0], self.quotes))

    def does(self, verb: Verb, rest: str = "", *, tense: Tense | None = None) -> str:
        """The subject, a verb in its number and tense, and what follows."""
        phrase = verb_phrase(*verb, self.number, tense or self.tense, negative=self.negative)
        return f"{self.who} {phrase} {rest}".rstrip()

    def be(self, number: Number) -> str:
        return be(number, self.tense, negative=self.negative)

    def noted(self, who: str) -> str:
        """The value as a note: "your schedule: not on Mondays"."""
        return f"{who}: {'not ' if self.negative else ''}{self.value}"


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
    who = "" if fact.subject == "me" else f"{called(fact.subject)}: "
    if fact.predicate == "event" and _is_plain(fact.object) and _names_occasion(fact.object):
        who = f"{_host(fact.subject, fact.object)} "
    quote = fact.sources[-1].quote if fact.sources and " " not in fact.object else ""
    said = f" (“{quote}”)" if quote and fact.object.casefold() in quote.casefold() else ""
    return f"{who}{second_person(fact.object)}{said}"


def _host(subject: str, occasion: str) -> str:
    """Whose an occasion is said to be; nobody speaks of their own funeral."""
    of_the_dead = re.search(r"(?i)\b(?:funeral|burial|cremation|wake|memorial)s?\b", occasion)
    return "the" if subject == "me" and of_the_dead else whose(subject)


def is_relation(predicate: str) -> bool:
    """Whether it names a person or pet whom the subject has."""
    return find(predicate).is_relation


def _noun(said: Wording) -> str:
    """The noun under which the value stands ("your rent is"), or nothing where a verb says it."""
    known = said.known
    if known.is_relation:
        noun, quotes = _noun_of(known, said.quotes), _quoted(said.quotes)
        # "I have two children, Ana and Rui" has several, and "my dads name" but one.
        one, several = (re.search(rf"\b{form}\b(?! name\b)", quotes) is not None for form in (noun, plural(noun)))
        return plural(noun) if (_are_several(said) and said.value != "one") or (several and not one) else noun
    by_noun = known.grammar == "attribute" or (is_thing(said.subject) and known.name in REGISTRY and known.nouns)
    return known.nouns[0] if by_noun and (known.grammar != "of_things") else ""


def _are_several(said: Wording) -> bool:
    return len(set(said.values)) > 1 or NUMBER_WORD.fullmatch(said.value) is not None or " and " in said.value


def kin_noun(fact: Fact) -> str:
    """What somebody is to the subject, in the person's own words: "wife" for partner."""
    return _noun_of(find(fact.predicate), [source.quote for source in fact.sources])


def _noun_of(known: Predicate, quotes: Sequence[str]) -> str:
    said = _quoted(quotes)
    names = [name.replace("_in_law", "-in-law").replace("_", " ") for name in (known.name, *known.aliases)]
    return singular(next((name for name in names if re.search(rf"\b{name}s?\b", said)), names[0]))


def _quoted(quotes: Sequence[str]) -> str:
    return " ".join(quote.lower() for quote in quotes[:3])


def _attribute(said: Wording, noun: str) -> str:
    """ "your rent is 780 euros", "your kids are Ben and Lou"."""
    value, relation = said.value, said.known.is_relation
    if len(said.values) == 1 and value.casefold() == noun.casefold():  # a hamster without a name
        return said.does(_HAVE, f"{a_or_an(noun)}{noun}")
    if relation and NUMBER_WORD.fullmatch(value):
        return said.does(_HAVE, f"{value} {noun}")
    if relation and is_plural(noun) and not _are_several(said):
        return f"one of {possessed(said.subject, noun)} {said.be('one')} {value}"
    if said.known.name == "diet" and len(said.values) == 1 and value.lower() in DIETS:
        return said.does(_BE, value)
    noun = plural(noun) if len(set(said.values)) > 1 else noun
    number: Number = "many" if is_plural(noun) or len(set(said.values)) > 1 else "one"
    if value.casefold().endswith(f" {noun}"):  # "1,100 euros rent"
        value = value[: -len(noun)].strip()
    verb = said.be(number)
    return f"{possessed(said.subject, noun)} {verb} {'' if relation else _before(said)}{value}"


def _unregistered(said: Wording) -> str:
    """ "you have two sons", "your door code is 4417"."""
    name = said.known.name
    if name.startswith(_NUMBER_OF):
        noun = name.removeprefix(_NUMBER_OF).replace("_", " ")
        held = {stem(word) for word in said.value.casefold().split()}
        return said.does(_HAVE, f"{said.value}{'' if stem(noun.split()[-1]) in held else f' {noun}'}")
    noun = name.replace("_", " ")
    written = re.search(rf"\b{re.escape(noun)}\b", " ".join(said.quotes[:1]), re.IGNORECASE)
    if written is not None and any(letter.isupper() for letter in written[0][1:]):
        noun = written[0]  # "mAP", "best 10K"
    return _attribute(said, f"{noun}s" if len(set(said.values)) > 1 and not noun.endswith(("s", "y")) else noun)


def _regular(said: Wording) -> str:
    """A subject, the verb of the registry, and the value: "you live in Lisbon"."""
    known, value = said.known, f"{_before(said)}{said.value}"
    tense: Tense = "past" if known.temporal == "event" and said.tense == "present" else said.tense
    # An event's verb stands in the registry in the past, beside its infinitive.
    base = next((verb for verb in known.verbs if known.temporal == "event" and past_of(verb) == known.first), "")
    phrase = verb_phrase(known.first, known.third, known.past, said.number, tense, negative=said.negative, base=base)
    if known.name == "kind" and re.fullmatch(r"(?:19|20)\d\d", said.value):  # a car is "a 2014"
        return said.does(_BE, f"from {said.value}")
    if "placed" in known.traits and (place := _place(said, phrase)):
        return f"{said.who} {place}"
    return f"{said.who} {_joint(phrase, value)}".rstrip()


def _joint(phrase: str, value: str) -> str:
    """A verb phrase and its value, with no word twice: "a" before "a dog", "by" before "on foot"."""
    head, _, last = phrase.rpartition(" ")
    word = value.partition(" ")[0].casefold()
    if last in ("a", "an", "the"):
        bare = OWN_WORD.match(value) or NUMBER_WORD.match(value) or is_plural(value)
        article = "" if bare and not value[:1].isdigit() else last if last == "the" else a_or_an(value).strip()
        phrase = f"{head} {article}".strip()
    elif word and word == last.casefold():
        value = value.partition(" ")[2]
    elif last in ("in", "at", "by", "on") and word in _WHERE and " " in value:
        phrase = head
    return f"{phrase} {value}"


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
        before = second_person((found[2] or "").lower()) or _article(said.known.name, said.values[0])
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
    return said.turned(found) or _article(said.known.name, value)


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


def _article(predicate: str, value: str) -> str:
    """ "a " or "an " before a job, somebody who is seen, a thing or an occasion that was told without one."""
    last = value.rpartition(" ")[2].casefold()
    match predicate:
        case "job":
            wants = True
        case "has_condition":
            wants = last in _COUNTED_AILMENTS or value.split(" ")[0].lower() in _HOW_A_PART_IS
        case "event" | "sees":
            wants = _is_plain(value)
        case "owns" | "drives":
            driven = predicate == "drives" and not value.isupper() and not last.endswith("s")
            wants = driven or last in POSSESSIONS or last in CARS
        case "home" | "lives_in":  # told by what it is, and not by its name: "flat", "house on Priory Road"
            noun = _UNTIL_OF.split(value)[0].rpartition(" ")[2]
            dwelling = _is_plain(value) and noun.isalpha() and not noun.endswith(("ing", "tion"))
            wants = dwelling and (predicate == "home" or noun in POSSESSIONS)
        case "nationality":
            wants = last in _DEMONYMS or (last.endswith(("man", "woman")) and last not in ("german", "roman"))
        case _:
            wants = False
    counted = OWN_WORD.match(value) or (NUMBER_WORD.match(value) and predicate != "job")  # "a 999 call handler"
    told_without = not wants or counted or not value or is_plural(value) or value.casefold() in _NO_JOB
    return "" if told_without else a_or_an(value)


def _is_plain(value: str) -> bool:
    """A common noun, and nobody's: "therapist", "dentist appointment"."""
    return value[:1].islower() and "'s " not in value


def _is_occasion(said: Wording) -> bool:
    """Whether an event is something that one has, or goes to: "dentist appointment", "Dad's operation"."""
    value = said.values[0]
    return _names_occasion(value) or (said.dated and _is_plain(value) and _said_after(said, _OWNED))


def _names_occasion(value: str) -> bool:
    words = _UNTIL_OF.split(value.lower())[0].split()
    return not words or (words[-1] in EVENT_NOUNS | SEEN_FOR_WORK and not is_past(words[0]))  # "failed its inspection"


_BESIDE = re.compile(r"\b(?:with|for|about|to|at|of|from|by)\b")


def _occasion(said: Wording) -> str:
    """ "your exam is" before its date; else "your exam is coming up", "you had a dentist appointment", "Dad's operation
    took place"."""
    value, said_with = said.value, said.article_said()
    ahead, _, last = value.rpartition(" ")
    if last.lower() in SEEN_FOR_WORK and _BESIDE.search(ahead) is None:  # and no "dinner with my therapist"
        value += " appointment"
    the = said_with == "the " and value.rpartition(" ")[2] in _OFTEN_ANOTHERS
    if said.dated:
        own = "the " if the else f"{_host(said.subject, value)} " if said.plain else ""
        return f"{own}{value} {said.be('many' if is_plural(value) else 'one')}"
    if said.plain and said.tense == "future" and not said.negative:
        return f"the {value} {_comes(value)}" if the else _coming(said, value)
    if the and not said.negative:
        return f"the {value} {'took' if said.tense == 'past' else 'takes'} place"  # whose, nobody said
    if said.plain or said.negative:
        return said.does(_HAVE, f"{said_with or _article(said.known.name, said.values[0])}{value}")
    own = said_with if said_with in ("the ", "your ") else ""
    return f"{own}{value} {'took place' if said.tense == 'past' else _comes(value)}"


def _comes(value: str) -> str:
    return f"{'are' if is_plural(value) else 'is'} coming up"  # "flights to Melbourne are coming up"


def _coming(said: Wording, value: str) -> str:
    if _HAPPENS.search(value):  # "the keys will be mine"
        return f"{_host(said.subject, said.value)} {re.sub(r'(?i)^(?:an?|the) ', '', value)}"
    return f"{_host(said.subject, said.value)} {re.sub(r'(?i)^(?:an?|the) ', '', value)} {_comes(value)}"


_HAPPENS = re.compile(r"(?i)\w (?:will|is|are|starts?|begins?|opens?|arrives?|comes?|goes?|leaves?) \w")


def _of_the_value(said: Wording) -> str:
    """ "your passport expires", "Ana's visa expired"."""
    value, known = said.value, said.known
    own = (OWN_WORD.match(value) and not value[:1].isdigit()) or re.match(r"[\w'’]+['’]s? ", value)
    number: Number = "many" if is_plural(value) or len(said.values) > 1 else "one"
    phrase = verb_phrase(known.first, known.third, known.past, number, said.tense, negative=said.negative)
    if number == "many" and said.tense == "present":
        phrase = phrase.replace(known.third, base_of(known.third))
    return f"{value if own else possessed(said.subject, value)} {phrase}"


def _told(said: Wording) -> str:
    """The person's own words after whom they are about, as a sentence where their first word shows how."""
    if said.known.name == "detail":
        return _detail(said)
    value, one = said.value, len(said.values) == 1
    if said.known.name == "died" and one and re.fullmatch(r"(?i)dead|deceased", value):
        return f"{said.who} {said.known.past}"
    if said.known.name == "event":
        if value.casefold() == "due":
            return said.does(_BE, "due", tense="past" if said.tense == "past" else "present")
        if _WHERE_ONE_IS.fullmatch(value) or (one and _ON_SOMETHING.match(value)):
            return said.does(_BE, value)
        if value.startswith(("be a", "become a")) and said.tense == "future" and not said.negative:
            return f"{said.who} will {value}"
        words = said.values[0].lower().split()
        sided = words[0] in ("left", "right") and any(map(is_past, words[2:3]))  # "left knee was replaced"
        noun = words[0] in EVENT_NOUNS or form_of(words[0]) is None
        named = one and _is_plain(said.values[0]) and (noun or sided)
        if not said.negative and named and any(map(is_past, words[1:3])):  # "operation went well"
            return f"{said.article_said() or f'{whose(said.subject)} '}{value}"
    if one and (found := _as_told(said)):
        return found
    if said.known.name == "event" and said.tense == "future" and form_of(value.partition(" ")[0].lower()) is None:
        own = "" if said.who.lower() == "you" else f"{whose(said.subject)} "
        return f"{own}{value} {_comes(value)}"
    return said.noted(said.who)


_ON_SOMETHING = re.compile(r"(?i)(?:on|off|under|out of|in|at) (?:the|my|your|his|her|their|an?) \w")
""" "on the waiting list": where somebody is, or what they are on."""
_AN_OBJECT = re.compile(r"(?:me|us|him|her|them|the|my|our)\b")


def _detail(said: Wording) -> str:
    """ "your rating is 1740", "you mentioned the fox", "you said: the baths close at noon"."""
    words, value = said.values[0], said.value
    if len(said.values) == 1:
        # A clause of its own, of the person or a thing of theirs.
        mine = said.subject == "me" or said.subject.islower()
        named = said.subject != "me" and value.casefold().startswith(f"{said.who.casefold()} ")
        if not said.negative and (named or (mine and _WHOLE.match(words))):
            return value
    if said.subject != "me":
        head, rest, base, tags = _first_word(words)
        does = "s" in tags if base else head.endswith("s") and _AN_OBJECT.match(rest) is not None
        if does and rest and len(said.values) == 1 and not said.negative:
            return said.does(phrases_of(base or base_of(head)), said.turned(rest))
        return said.noted(said.who)
    mentioned = not said.negative and all(map(_names_a_thing, said.values))
    return f"{said.who} mentioned {value}" if mentioned else said.noted(f"{said.who} said")


def _first_word(words: str) -> tuple[str, str, str, frozenset[str]]:
    """(first word in lower case, what follows, its infinitive if it is a verb, the tenses that it can carry)."""
    head, _, rest = words.partition(" ")
    base, tags = form_of(head.lower()) or ("", frozenset[str]())
    return head.lower(), rest, base, tags


def _names_a_thing(value: str) -> bool:
    """A few words without a verb: "the fox", "A2"."""
    words = [word.lower() for word in re.findall(r"[\w'’]+", value)]
    forms = [(word, form_of(word)) for word in words]
    may_be_verb = any(
        "'" in word or "’" in word or is_past(word) or (form is not None and "ing" not in form[1])
        for word, form in forms
    )
    return 0 < len(words) <= MOST_OF_A_THING and not may_be_verb


def _as_told(said: Wording) -> str:
    """ "you passed the exam", "you were flying to Ghent", "the bike was stolen", "Armindo had an operation"."""
    told = said.values[0]
    head, rest, _, tags = _first_word(told)
    rest = said.turned(rest)
    words = f"{head} {rest}".rstrip()
    tense: Tense = "future" if said.tense == "future" else "past"
    if is_past(head):
        if _said_after(said, r"was|were|be|been|being"):
            return said.does(_BE, words, tense=tense)
        first, third, past = phrases_of(base_of(head))
        # "Invited us for Saturday": the day lies ahead, no more.
        invited = tense == "future" and (first != head or form_of(head) is None)
        return said.does((first, third, past if said.negative else head), rest, tense="past" if invited else tense)
    if tags == frozenset({"part"}) and _said_after(said, r"have|has|had|\w+'ve|\w+'s|just|finally|already"):
        return said.does(_HAVE, words, tense="present")
    if head.endswith("ing") and said.tense == "present" and not said.negative and _said_after(said, _GOES_ON):
        return said.does(_BE, words)
    if "ing" in tags or tags == frozenset({"part"}):
        return said.does(_BE, words, tense=tense)
    if "s" in tags and said.number == "one" and not said.negative:
        return f"{said.who} {words}"
    if "base" in tags and tense == "past" and phrases_of(head)[2] == head and _said_after(said, "I|we|he|she|they"):
        return f"{said.who} {words}"  # "I cut my hair": the past is the same word
    if "base" in tags and not said.negative and _said_after(said, _BEFORE_VERBS):
        return f"{said.who} {'will' if tense == 'future' else f'{be(said.number, tense)} to'} {words}"
    if said.plain and _said_after(said, r"a|an|my|our|his|her|the|\w+['’]s"):
        if tense == "future" and not said.negative:
            return _coming(said, said.value)
        had = _GET if said.value.endswith("job") else _HAVE
        return said.does(had, f"{'' if is_plural(said.value) else a_or_an(said.value)}{said.value}", tense=tense)
    return ""


def _said_after(said: Wording, words: str) -> bool:
    pattern = re.compile(rf"(?i)(?<![\w'’])(?:{words})\s+{re.escape(said.values[0])}(?!\w)")
    return any(pattern.search(quote.replace("’", "'")) for quote in said.quotes)


_OFTEN_ANOTHERS = frozenset(["operation", "surgery", "funeral"])
"""Occasions that may be another's where nobody says whose they are: "the operation is tomorrow"."""
_DEADLINE = re.compile(r"(?i)\bdeadline\b")
_RUNS_OUT = re.compile(
    r"(?i)\b(?:expir\w+|r[ua]n(?:s|ning)? out|valid|best before|ends?|up|lapses?|good (?:till|until))\b"
)


def _expires(said: Wording) -> str:
    """ "the passport expires in March 2027"; of the person, "your deadline is Friday"."""
    before = re.compile(rf"(?i)(?<!\w)((?:in|on|at|by)(?: the)?) {re.escape(said.values[0])}(?!\w)")
    found = next((match[1].lower() for quote in said.quotes if (match := before.search(quote))), "")
    if not found and re.match(r"(?:the )?\d{1,2}(?:st|nd|rd|th)?\b|[A-Z][a-z]+ \d{1,2}\b", said.values[0]):
        found = "on"
    when = f"{found} {said.value}".lstrip()
    if said.who.lower() != "you" and any(_DEADLINE.search(quote) for quote in said.quotes):
        whose_it_is = said.who if _DEADLINE.search(said.who) else possessed(said.subject, "deadline")
        return f"{whose_it_is} {be('one', 'past' if said.tense == 'past' else 'present')} {when}"
    if said.who.lower() == "you":
        return f"your deadline {said.be('one')} {when}"
    tense: Tense = "present" if said.tense == "future" else said.tense
    if said.who.lower().endswith((" date", " day")):
        return said.does(_BE, when, tense=tense)
    if not any(_RUNS_OUT.search(quote) for quote in said.quotes):
        return said.does(_BE, f"due {when}", tense=tense)
    return said.does(("expire", "expires", "expired"), when, tense=tense)


def _planned(said: Wording) -> str:
    """ "you plan to be out", "Ingrid plans on going back to Norway", "your plan: Alvalade"."""
    value = said.value.removeprefix("to ")
    head, _, base, tags = _first_word(said.values[0].removeprefix("to "))
    infinitive = value != said.value or head == "be" or (head == base and _said_after(said, _BEFORE_VERBS))
    if (not infinitive and "ing" not in tags) or value.startswith(("visit to", "trip to")):
        return replace(said, values=(value,)).noted(possessed(said.subject, "plan"))
    return said.does(("plan", "plans", "planned"), f"{'to' if infinitive else 'on'} {value}")


def _job(said: Wording) -> str:
    """ "you work as a nurse", "Ana is retired", "Duarte is your manager"."""
    said_with = article_said(said.values[0], said.quotes)
    owned = re.match(r"(?i)(?:my|our|your|the)\b", said_with or said.values[0])
    if not owned and said.value.casefold() not in _NO_JOB and not said.value.casefold().startswith(_NO_MORE):
        return _as_verb(said) or _regular(said)
    value = f"{said.turned(said_with)}{said.value}"
    if not is_plural(said.values[0]):
        return said.does(_BE, value)
    if _said_after(said, r"(?:do|does|did|doing) (?:the|my|our)"):
        return said.does(("do", "does", "did"), value)
    return f"{possessed(said.subject, 'work')}: {value}"


def _as_verb(said: Wording) -> str:
    """Work that was told as something done: "you teach", "Piers restores organs", "you work doing the lights"."""
    head, rest, base, tags = _first_word(said.values[0])
    own = r"i|we|you|they|i've|i now|i still"
    does = "s" in tags and rest and not _said_after(said, rf"{_DETERMINED}|of|in|as|is|was|are|for")
    if ("base" in tags and _said_after(said, own)) or does:
        return said.does(phrases_of(base), said.turned(rest))
    if is_past(head) and rest and _said_after(said, rf"{own}|he|she"):
        return said.does(phrases_of(base_of(head)), said.turned(rest), tense="past")
    several = is_plural(said.values[0])
    if head.endswith("ing") and (several or rest.startswith(("the ", "my ", "our ")) or not rest):
        return said.does(("work", "works", "worked"), f"{'' if base else 'in '}{said.value}")
    return said.noted(possessed(said.subject, "work")) if several else ""


_SUMS = frozenset(
    ["loan", "mortgage", "debt", "deposit", "fine", "bill", "fee", "budget", "overdraft", "refund", "rent"]
)
"""Things that are a sum, and cost none."""


def _paid(said: Wording) -> str:
    """ "you pay 29 euros a month", "the bike cost 600 euros"."""
    if said.subject != "me":
        if said.subject.rpartition(" ")[2] in _SUMS:
            return said.does(_BE, said.value)
        takes = not is_thing(said.subject) and _RATE.search(said.value)
        return said.does(("charge", "charges", "charged"), said.value) if takes else _regular(said)
    if said.quotes and not any(map(_PAYS.search, said.quotes)):
        return f"you named a price: {said.value}"
    over = said.known.name == "cost" and said.tense == "present"
    return said.does(("pay", "pays", "paid"), said.value, tense="past" if over else None)


def _answered(said: Wording) -> str:
    """ "you want answers like this: “ask me first”": in the person's own words."""
    known = said.known
    return said.does((known.first, known.third, known.past), joined([f"“{value}”" for value in said.values]))


def _born_on(said: Wording) -> str:
    """ "you were born on 4 May 1990", "your birthday is the 24th of April", "you were born in May 1990"."""
    the = "the " if re.match(r"\d+(?:st|nd|rd|th)\b", said.value) else ""
    if re.search(r"\d", said.value) and not re.search(r"\d{4}", said.value) and not said.negative:
        return f"{possessed(said.subject, 'birthday')} is {the}{said.value}"
    month = re.fullmatch(r"(?:[A-Z][a-z]+ )?\d{4}|[A-Z][a-z]+", said.value)
    verb = verb_phrase("were born", "was born", "was born", said.number, "past", negative=said.negative)
    return f"{said.who} {_joint(f'{verb} in' if month else f'{verb} on', the + said.value)}"


def _done(said: Wording) -> str:
    verbs = [base_of(value.lower()) for value in said.values]
    if not _VERBS.issuperset(verbs):
        return _regular(said)
    done = [verb_phrase(*phrases_of(verb), said.number, said.tense, negative=said.negative) for verb in verbs]
    return f"{said.who} {joined(done)}"


_DOES_NOT = re.compile(r"(?i)(?:do|does|ca|can|is|are|has|have|wo)(?:n['’]?t| not|not) \w")
""" "doesn't hear so well": what somebody cannot do."""


def _ill(said: Wording) -> str:
    """ "Vida broke her hip", "your left knee is bad" and "Vida has a cold"."""
    value = said.value
    if _DOES_NOT.match(value) is not None and not said.negative:
        return f"{said.who} {value}"
    if _HOW_IT_IS.search(value) and not said.negative:
        return f"{whose(said.subject)} {OWN_WORD.sub('', value).strip()}"
    one = len(said.values) == 1
    if one and is_past(said.values[0].split()[0].lower()):
        return _as_told(said) or _regular(said)
    if (going := _HAS_BEEN.match(value)) is not None:
        part = OWN_WORD.sub("", going["part"]).strip()
        return f"{whose(said.subject)} {part} {'have' if is_plural(part) else 'has'} {going['how']}"
    if said.tense == "present" and said.values[-1].rpartition(" ")[2].lower() in _ATTACKS:
        return _regular(replace(said, tense="past"))
    if one and not OWN_WORD.match(said.values[0]):
        if (said_with := _said_to_be(said)) is not None:
            return said.does(_BE, f"{said_with}{value}")
        if re.search(r"(?i)\w{3}(?:tic|xic|iac)\Z", value):  # "asthmatic", "type 1 diabetic"
            return said.does(_BE, f"{a_or_an(value) if ' ' in value else ''}{value}")
    return _regular(said)


def _said_to_be(said: Wording) -> str | None:
    """The article between a form of "to be" and the value, "" without one; None where it was not said so."""
    found = next((article for article in ("", "a", "an") if _said_after(said, f"{_TO_BE} {article}".rstrip())), None)
    return None if found is None else f"{found} ".lstrip()


def _named(said: Wording) -> str:
    """ "your sister is called Eirlys"; of whom the name is all that is known, that the person knows them."""
    if said.subject != "me" and said.value.casefold() == said.who.removeprefix("the ").casefold():
        return _regular(replace(said, subject="me", predicate="acquaintance"))
    return _regular(said)


def _figure(said: Wording) -> str:
    """ "Ana: 68 kilos", "the pulse is 52": a figure of which nobody said what it measures."""
    return said.does(_BE, said.value) if is_thing(said.subject) else said.noted(said.who)


def _habit(said: Wording) -> str:
    """ "you don't drink", "Ana rings you every Sunday"; what is no verb is noted: "your habit: coffee"."""
    head, rest, base, tags = _first_word(said.values[0])
    unlisted = not base and head.endswith("s") and _AN_OBJECT.match(rest) is not None
    if len(said.values) > 1 or not (unlisted or tags & {"base", "s"}):
        return _noted(said)
    return said.does(phrases_of(base or base_of(head)), said.turned(rest))


def _noted(said: Wording) -> str:
    """ "your schedule: Mondays closed"; of how something looks, "the bike is green", "Rosa is very fat"."""
    if said.known.name == "looks":
        said_with = _said_to_be(said)
        if said_with is not None or said.value.rpartition(" ")[2] in COLOURS:
            return said.does(_BE, f"{said_with or ''}{said.value}")
    return said.noted(possessed(said.subject, said.known.nouns[0]))


_BY_GRAMMAR: dict[Grammar, Callable[[Wording], str]] = {
    "noted": _noted, "told": _told, "of_the_value": _of_the_value, "named": _named, "done": _done, "ill": _ill,
    "planned": _planned, "occupation": _job, "paid": _paid, "answered": _answered, "birthday": _born_on,
    "expiry": _expires, "figure": _figure, "habit": _habit,
}  # fmt: skip
"""How the clause of a predicate is made where neither a noun nor its verb phrase makes it."""
