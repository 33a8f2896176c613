"""The set that a model is graded on: each case says what a right answer must and must not contain, and nobody is real.

Written for this project. `wanted` and `unwanted` are regular expressions, matched without regard to case: every
wanted one has to be found, no unwanted one may be. Of notes that are checked against a message, the verdicts are
matched in their order. Small on purpose: it runs on a laptop while somebody waits.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from app.core.prompts import MemoryLine

Ability = Literal["chat", "absent", "comment", "extract", "summary", "rewrite", "tools"]

UNKNOWN = (
    r"don.t know|do not know|not sure|no idea|unsure|(don.t|do not) have (any|that|this|enough|information)|"
    r"no (information|record|mention|note)|(haven.t|have not|didn.t|did not|never|hasn.t) (told|mention|said|shared|"
    r"say|tell)|"
    r"not (mentioned|said|told|given|in (the|my) notes|specified|provided)|can.t (say|tell|recall)|cannot (say|tell)"
)

_NOT = r"(?<!\bnot )(?<!\bnot a )(?<!n't )(?<!n’t )"
_IT_IS = r"\b(that|this|it)('s|’s| is| sounds) (so |really |very |absolutely )?"
_FINE = r"(great|good|wonderful|fantastic|amazing|excellent|exciting|awesome|nice|lovely)"
GLAD = (
    rf"{_NOT}\b({_FINE}|happy) (news|to hear|for you)\b|{_IT_IS}{_FINE}(?=\s*([!.,…]|$))|"
    r"congrat|\bwell done\b|\bhoo?ray\b|\byay\b|\bcheers\b|🎉|🥳|"
    r"\b(glad|happy|delighted|thrilled|pleased|excited) (to hear|for you)"
)
"""What nobody says to sad news."""
SORRY = (
    r"\bsorry\b|condolence|\bmy heart goes\b|\bsad (news|to hear)\b|\boh no\b|\bunfortunate|"
    rf"{_IT_IS}(sad|terrible|awful|heartbreaking|devastating|tough)\b"
)
"""What nobody says where there is nothing to be sorry for."""
CHEERS = r"congrat|\bhoo?ray\b|🎉|🥳"  # is for happy news
ANYTHING = (r"\w",)
EMPTY = (r"\b(as|i['’]m|i am) (an? )?(ai|artificial|language model)", r"\b(can['’]?t|cannot|unable to) (help|assist)\b")
"""What says nothing to what was told."""


@dataclass(frozen=True, slots=True)
class AbilityCase:
    """One question to the model."""

    ability: Ability
    text: str
    wanted: tuple[str, ...]
    unwanted: tuple[str, ...] = ()
    memories: tuple[MemoryLine, ...] = ()
    notes: tuple[str, ...] = ()  # extract: what is to be checked against the text
    never: tuple[str, ...] = ()  # as `unwanted`; whoever says it once does not pass at all


def _notes(text: str, *notes: tuple[str, str]) -> AbilityCase:
    """A message with notes about it, each with the verdict that is right."""
    wanted = " ".join(verdict for _, verdict in notes)
    return AbilityCase("extract", text, (f"^{wanted}$",), notes=tuple(note for note, _ in notes))


def _cases(ability: Ability, *rows: tuple[Any, ...]) -> tuple[AbilityCase, ...]:
    """A row is what follows the ability: the text, what is wanted and what is not, and what is remembered."""
    return tuple(AbilityCase(ability, *row) for row in rows)


def _known(*lines: tuple[str, str]) -> tuple[MemoryLine, ...]:
    return tuple(MemoryLine(text, when) for text, when in lines)


_IVA = _known(("the person lives in Ghent", "current"), ("the person lived in Turin", "2016 to 2021"))
_WORK = _known(("the person works as a tram driver", "current"), ("the person worked in a bakery", "until 2020"))
_PETS = _known(("the person has a tortoise called Bruno", "current"), ("the person's sister is called Maud", "current"))
_FOOD = _known(("the person is allergic to walnuts", "current"), ("the person likes lentil soup", "current"))

CHAT = _cases(
    "chat",
    ("Which city do I live in?", (r"ghent",), (r"turin",), _IVA),
    ("What is my job these days?", (r"tram",), (r"bak",), _WORK),
    ("What is my tortoise called?", (r"bruno",), (r"maud",), _PETS),
    ("What is my sister's name?", (r"maud",), (r"bruno",), _PETS),
    ("Which nuts must I not eat?", (r"walnut",), (), _FOOD),
    ("Where did I live in 2018?", (r"turin",), (), _known(("the person lived in Turin", "in 2018"))),
    ("Name a soup that I like.", (r"lentil",), (), _FOOD),
    ("Who is Maud?", (r"sister",), (r"sister of maud", r"tortoise"), _PETS),
)
ABSENT = _cases(
    "absent",
    ("What is my brother's name?", (UNKNOWN,), (), _PETS),
    ("How old am I?", (UNKNOWN,), (r"\b\d\d (years|and)",), _WORK),
    ("What colour is my car?", (UNKNOWN,), (), _IVA),
    ("Which university did I go to?", (UNKNOWN,), (), _WORK),
    ("When is my birthday?", (UNKNOWN,), (), _FOOD),
    ("What is my dentist called?", (UNKNOWN,), (), _PETS),
)
COMMENT = (
    *(AbilityCase("comment", text, ANYTHING, EMPTY, never=(GLAD,)) for text in (
        "We had to put our dog to sleep this morning.",
        "My grandmother passed away on Sunday.",
        "I lost my job today, after eleven years.",
        "Mum's biopsy came back positive.",
        "She miscarried in the ninth week.",
        "Ben and I have split up.",
    )),
    *(AbilityCase("comment", text, ANYTHING, (*EMPTY, SORRY)) for text in (
        "I passed my driving test at the third try!",
        "Our daughter was born on Monday, both are well.",
        "The biopsy was negative, there is nothing there.",
        "Maud has asked me to marry her, and I said yes!",
    )),
    *(AbilityCase("comment", text, ANYTHING, (*EMPTY, SORRY, CHEERS)) for text in (
        "I take the 7:40 tram on weekdays.",
        "Our new neighbours come from Ghent.",
        "I have changed my electricity supplier.",
        "The library closes at six on Fridays.",
    )),
)  # fmt: skip
"""What somebody tells of their life: sad news, happy news, and no news at all."""
EXTRACT = (
    _notes("I moved to Ghent last spring.", ("You live in Ghent.", "yes"), ("You lived in Turin.", "unclear")),
    _notes("My sister Maud has just started as a nurse.", ("Maud works as a nurse.", "yes"),
           ("You are a nurse.", "no")),
    _notes("We adopted a tortoise and called him Bruno.", ("Bruno is a tortoise.", "yes"), ("Bruno is a dog.", "no")),
    _notes("If I lived in Bruges I'd cycle more.", ("You live in Bruges.", "(no|unclear)")),
    _notes("Maud's flat has damp walls.", ("You have a flat.", "(no|unclear)"), ("Maud has a flat.", "yes")),
    _notes("I sold my motorbike.", ("You no longer have a motorbike.", "yes"), ("You have a motorbike.", "no")),
    _notes("Ben is allergic to walnuts, not I.", ("Ben is allergic to walnuts.", "yes"),
           ("You are allergic to walnuts.", "no")),
    _notes("Should I learn Basque or Breton?", ("You are learning Basque.", "unclear")),
)  # fmt: skip
SUMMARY = _cases(
    "summary",
    ("Ana: I got the job at the harbour office!\nBen: Great, when do you start?\nAna: On the first of June.",
     (r"job|office|harbour", r"june")),
    ("Ana: The flat in Ghent has damp walls.\nBen: Will you move?\nAna: Yes, we are looking for a house in Bruges.",
     (r"bruges|mov|house", r"flat|ghent|damp")),
    ("Ana: Bruno will not eat.\nBen: Is the tortoise ill?\nAna: The vet says that he is getting ready to sleep.",
     (r"bruno|tortoise", r"vet|sleep|eat")),
    ("Ana: I stopped running because of my knee.\nBen: And now?\nAna: I swim three times a week instead.",
     (r"swim", r"knee|running")),
)  # fmt: skip
REWRITE = _cases(
    "rewrite",
    ("We talked about Maud.\nQuestion: Where does she work?", (r"maud", r"work"), (r"\bshe\b",)),
    ("We talked about Ghent.\nQuestion: When did I move there?", (r"ghent", r"mov"), (r"\bthere\b",)),
    ("We talked about Bruno.\nQuestion: How old is he?", (r"bruno", r"old|age"), (r"\bhe\b",)),
    ("We talked about the bakery.\nQuestion: Why did I leave it?", (r"bakery", r"lea?[vf]")),
)
TOOLS = _cases(
    "tools",
    ("Where did I live in March 2019?", (r'^ask .*2019|^(facts|search) .*"as_of": "[^"]*2019',), (r'"believed"',)),
    ("What did I say about the harbour office?", (r"^(search|ask) ", r"harbour"), ()),
    ("How did my job change over the years?", (r"^(chain|timeline|facts|search|ask) ", r"job|work|me"), ()),
    ("What do you know about Maud?", (r"^(facts|timeline|search|ask) ", r"maud"), ()),
    ("What did I hold to be true in May 2022 about my flat?", (r'"believed": "[^"]*2022',), (r'"as_of"',)),
    ("Thank you, that is all that I wanted to know.", (r"^answer ",), ()),
    ("Read on around turn e12.", (r"^read_turns ", r"e12"), ()),
)


CASES = (*CHAT, *ABSENT, *COMMENT, *EXTRACT, *SUMMARY, *REWRITE, *TOOLS)
