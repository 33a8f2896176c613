"""English as far as a sentence about a belief needs it: articles by sound, persons, number, and the forms of verbs.

Nothing here knows a predicate or a belief; what it cannot tell it leaves as it was said.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal

from store.text.forms import form_of, past_of, third_of
from store.text.lists import wordset

Tense = Literal["past", "present", "future"]
Number = Literal["you", "one", "many"]  # whom a verb agrees with: the person, one other, or several others

_VOWEL = re.compile(
    r"(?i)(?!(?:uni(?!n|m)|use|usu|util|eu|one\b|once|ux|uk|us\b|u\b|ur[aeiou]))[aeiou]|(?:hour|honest|heir|honou?r)|8|11\b|18\b"
)
_LETTERS = re.compile(r"([FHLMNRSX])(?:[A-Z0-9]|\b)")
"""An abbreviation that is read by its letters, the first of which sounds like a vowel: "an MRI", "an X-ray"."""
_SPOKEN = wordset("NASA NATO LAN RAM ROM SIM SUV FIFA LEGO MIDI RAID SQL HIV")  # read as words, or either way
OWN_WORD = re.compile(r"(?i)(a|an|the|my|your|our|his|her|their|its|some|no|head|chief|dr)\b|\d")
"""What stands before a noun in place of an article, or makes a title of it."""
NUMBER_WORD = re.compile(r"(?i)(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|several|many)\b")
_SECOND_AND_THIRD = {
    "i was": ("you were", "they were"), "i am": ("you are", "they are"), "i": ("you", "they"), "me": ("you", "them"),
    "i'm": ("you're", "they're"), "im": ("you're", "they're"), "i've": ("you've", "they've"), "am": ("are", "are"),
    "i'll": ("you'll", "they'll"), "i'd": ("you'd", "they'd"), "my": ("your", "their"), "mine": ("yours", "theirs"),
    "myself": ("yourself", "themselves"), "our": ("your", "their"), "ours": ("yours", "theirs"), "us": ("you", "them"),
    "we": ("you", "they"), "we're": ("you're", "they're"), "we've": ("you've", "they've"),
    "we'll": ("you'll", "they'll"), "ourselves": ("yourselves", "themselves"),
}  # fmt: skip
_FIRST_PERSON = re.compile(
    r"(?<![\w'’.])(?:[Ii] (?:was|am)|[Ii]['’](?:m|ve|ll|d)|im|I(?!\s+[A-Z])|i|[Mm]e|[Mm]y|[Mm]ine|[Mm]yself|am"
    r"|[Oo]urselves|[Oo]urs?|[Ww]e(?:['’](?:re|ve|ll))?|us)(?![\w'’]|\.\w)"
)
"""The first person, but for a title ("I Am Legend")."""
_NO_PLURALS = wordset(
    "news maths mathematics physics economics politics athletics gymnastics logistics tennis yes christmas gas bus "
    "campus virus chorus series lens always perhaps sometimes diabetes measles mumps rabies"
)
_IRREGULAR_PLURALS = wordset("children people men women feet teeth mice geese police folk grandchildren twins kids")
_HONORIFIC = re.compile(r"(?i)(?:dr|mr|mrs|ms|miss|sr|sra|dona|don|prof|frau|herr|madame)\.? \w")
ITS = {"he": "his", "him": "his", "his": "his", "she": "her", "her": "her", "they": "their", "them": "their",
        "it": "its"}  # fmt: skip
"""Of whom it was not said who it is, as an owner."""
_PLURALS = {"child": "children", "grandchild": "grandchildren", "godchild": "godchildren", "wife": "wives"}
_SINGULARS = {several: one for one, several in _PLURALS.items()}
_NOT = {"are": "aren't", "is": "isn't", "was": "wasn't", "were": "weren't", "can": "can't", "could": "couldn't"}


def a_or_an(words: str) -> str:
    """The article before a word, by its sound: "an engineer", "a UX designer", "an MRI"."""
    spelled = _LETTERS.match(words) and words.split()[0] not in _SPOKEN
    return "an " if _VOWEL.match(words) or spelled else "a "


def second_person(words: str) -> str:
    """What somebody said of themselves, said to them: "handed in my notice" is "handed in your notice"."""
    return _FIRST_PERSON.sub(lambda found: _SECOND_AND_THIRD[found.group().lower().replace("’", "'")][0], words)


def of_others(words: str) -> str:
    """What somebody else said of themselves, told of them: "walks my dog" is "walks their dog"."""
    return _FIRST_PERSON.sub(lambda found: _SECOND_AND_THIRD[found.group().lower().replace("’", "'")][1], words)


def is_plural(words: str) -> bool:
    """Whether a common noun with what belongs to it names several: "parents", "reading glasses", "two cats"."""
    head = re.split(r" (?:of|in|at|on|with|from|for|to|by|about|into|over) ", words)[0].strip()
    last = head.rpartition(" ")[2].casefold()
    if not last.isalpha() or last in _NO_PLURALS:
        return False
    in_s = len(last) > 3 and last.endswith("s") and not last.endswith(("ss", "us", "is"))
    return last in _IRREGULAR_PLURALS or in_s


def called(subject: str) -> str:
    """A subject as it begins a clause: "you", "your brother", "Paul", "Armindo's father", "Dr Lurdes", "the office"."""
    if subject == "me":
        return "you"
    if subject.startswith("my "):
        return f"your {subject[3:]}"
    if subject in ITS:
        return subject
    if _HONORIFIC.match(subject) and subject.islower():
        return subject.title()
    if "'s " in subject:
        return capital(subject)
    if re.match(r"[^\W_]+ [^\Wa-z\d_]", subject):  # "avô Jacinto"
        return subject
    common = subject[:1].islower() and not OWN_WORD.match(subject) and " and " not in subject
    return f"the {subject}" if common else subject


def whose(subject: str) -> str:
    """A subject as an owner: "your", "Paul's", "your brother's", "your parents'"."""
    if subject == "me" or subject in ITS:
        return ITS.get(subject, "your")
    name = called(subject)
    return f"{name}'" if number_of(subject) == "many" and name.endswith("s") else f"{name}'s"


def possessed(subject: str, noun: str) -> str:
    """What belongs to a subject: "your rent", "Paul's job", "the door code of the office"."""
    return f"the {noun} of {called(subject)}" if is_thing(subject) else f"{whose(subject)} {noun}"


def is_thing(subject: str) -> bool:
    """A thing, and no person: its name is a common noun."""
    return called(subject).startswith("the ") and subject != "me" and not subject.startswith("my ")


def number_of(subject: str) -> Number:
    """Whom a verb after this subject agrees with."""
    if subject == "me":
        return "you"
    common = subject.startswith("my ") or is_thing(subject)
    return "many" if (common and is_plural(subject)) or " and " in subject else "one"


def capital(text: str) -> str:
    """The first letter in upper case, the rest as it is."""
    return text[:1].upper() + text[1:]


def plural(noun: str) -> str:
    """A noun for several: "wives", "children", "kids"."""
    if noun.endswith("-in-law"):
        return f"{plural(noun.removesuffix('-in-law'))}-in-law"
    if noun.endswith("ss"):
        return f"{noun}es"
    if noun in _SINGULARS or noun.endswith("s"):
        return noun
    return _PLURALS.get(noun) or (f"{noun[:-1]}ies" if noun.endswith("by") else f"{noun}s")


def singular(noun: str) -> str:
    """A noun for one: "wife", "child", "kid"."""
    return _SINGULARS.get(noun) or (noun.removesuffix("s") if is_plural(noun) else noun)


def joined(words: Iterable[str], last: str = "and") -> str:
    """ "a, b and c", each once."""
    told = list(dict.fromkeys(words))
    return told[0] if len(told) == 1 else f"{', '.join(told[:-1])} {last} {told[-1]}" if told else ""


def be(number: Number, tense: Tense, *, negative: bool = False) -> str:
    """ "is", "were", "will be", "isn't", "won't be"."""
    if tense == "future":
        return "won't be" if negative else "will be"
    one, more = ("is", "are") if tense == "present" else ("was", "were")
    found = one if number == "one" else more
    return _NOT[found] if negative else found


def verb_phrase(
    first: str, third: str, past: str, number: Number, tense: Tense, *, negative: bool = False, base: str = ""
) -> str:  # fmt: skip
    """A verb with what follows it, in its person, number and tense: "don't live in", "were allergic to", "will get".

    `first`, `third` and `past` are its phrases for "you", for one other and in the past; `base` is the infinitive of a
    first word that is no present ("filmed").
    """
    head, _, rest = first.partition(" ")
    infinitive = {"are": "be", "were": "be", "can": "be able to"}.get(head) or base or base_of(head)
    if head == "were":
        tense = "past"
    if head in ("are", "is", "were"):
        return f"{be(number, tense, negative=negative)} {rest}".rstrip()
    if tense == "future":
        helper = "won't" if negative else "will"
        return f"{helper} {infinitive} {rest}".rstrip()
    phrase = past if tense == "past" else third if number == "one" else first
    if not negative:
        return phrase
    if phrase.partition(" ")[0] in _NOT:
        return f"{_NOT[phrase.partition(' ')[0]]} {rest}".rstrip()
    helper = "didn't" if tense == "past" else "doesn't" if number == "one" else "don't"
    return f"{helper} {infinitive} {rest}".rstrip()


def base_of(word: str) -> str:
    """The infinitive of a form of a verb; a word that is no known form stays: "saw" see, "collects" collect."""
    known = form_of(word)
    if known is not None:
        return known[0]
    if word.endswith(("ches", "shes", "sses", "xes", "oes")):
        return word[:-2]
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def phrases_of(base: str) -> tuple[str, str, str]:
    """(first, third, past) of an infinitive with what follows it: "collect old", "collects old", "collected old"."""
    head, _, rest = base.partition(" ")
    first, third, past = (f"{form} {rest}".rstrip() for form in (head, third_of(head), past_of(head)))
    return first, third, past
