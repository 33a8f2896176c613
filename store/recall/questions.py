"""A question is read from its words alone: the same words at the same moment are the same Question.

What is read: the kind of answer that is wanted, the question word, the times that the question names on both axes, its
tense, and the words that a belief has to explain. Whom it is about is settled later, against those who are known.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import tzinfo
from typing import Literal

from store.recall.answer_words import key, tokens, words_of
from store.recall.question_times import BEFORE_NOW, ahead, with_times, without_belief, without_change, without_plan
from store.records import Instant, Stretch

Kind = Literal[
    "value", "yes_no", "when", "mentioned", "since", "until", "how_long", "how_many", "how_often", "before", "after",
    "changed", "profile", "reason", "coming", "news",
]  # fmt: skip
Tense = Literal["past", "present", "future"]
Order = Literal["", "first", "last", "next"]

AUXILIARIES = frozenset(
    words_of("do does did is are am was were have has had will would shall should can could may might must")
)


@dataclass(frozen=True, slots=True)
class Question:
    """What a question asks for."""

    text: str
    """The question as it was asked."""
    kind: Kind
    wh: str
    """who, what, which, where, when, why, how, "how many" and the like; "" for yes and no."""
    core: str
    """Its words without politeness, times and the clause about believing; case kept."""
    words: tuple[str, ...]
    """The words of the core, in order."""
    tense: Tense
    valid: Stretch | None = None
    """The world time that it names; an open end where it says before, since or after."""
    believed: int | None = None
    """The belief time that it names: the last microsecond of it, or the moment of asking if that is earlier."""
    before_correction: bool = False
    """It asks what was believed before that changed, without naming a time."""
    planned: bool = False
    """It asks when something was to be, or what was to be, before that changed."""
    still: bool = False
    negated: bool = False
    order: Order = ""
    anchor: str = ""
    """What "before" and "after" count from, where the question names it."""

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of its words, each once, in order; the auxiliary that only makes it a question is left out."""
        return tuple(dict.fromkeys(found for word in _without_auxiliary(self.words) if (found := key(word))))


def parse(question: str, now: Instant, zone: tzinfo) -> Question:
    """Read a question asked at `now`; relative times ("last year") are resolved against that."""
    text, changed = without_change(_plain(question))
    text, planned = without_plan(text)
    tense = _tense(text)
    tense = "present" if (changed or planned) and tense == "past" else tense
    timed = with_times(text, now, zone, future=tense == "future")
    core = _rephrased(without_belief(timed.core) if timed.belief_words else timed.core)
    kind = _kind(core)
    anchor = _anchor(core) if kind in ("before", "after") else ""
    if kind == "when":
        core = _DATE_ASKED.sub("when", core)
    wh = "" if kind == "yes_no" else _wh(core)
    if kind == "profile":
        core = re.sub(r"(?i)^(?:tell me|what|describe|summari[sz]e)\b.*?\b(?:about|of)\b|^describe\b", "", core).strip()
    if kind in ("before", "after"):
        core = _without_anchor(core)
    if changed and kind == "value":
        kind = "before"
    low = core.lower()
    unsaid = timed.belief_words and timed.believed is None
    return Question(
        text=question.strip(),
        kind=kind,
        wh=wh,
        core=core,
        words=tuple(tokens(core)),
        tense=tense,
        valid=ahead(text, now, zone) if kind == "coming" else None if core == _OF_ANSWERS else timed.valid,
        believed=timed.believed,
        before_correction=unsaid and BEFORE_NOW.search(text) is not None,
        planned=planned or changed or (kind == "when" and unsaid),
        still=bool(re.search(r"\b(still|any ?more|any longer|no longer)\b", low)),
        negated=bool(re.search(r"\b(not|never)\b", low)),
        order=_order(low),
        anchor=anchor,
    )


# ----------------------------------------------------------------------------------------------------- its plain form

_CONTRACTIONS = (
    (r"\b(what|who|where|when|how|which|that|there|it|he|she|why)['’]s\b", r"\1 is"),
    (r"\bi['’]m\b", "I am"),
    (r"\b(?:rn|atm)\b", "now"),
    (r"\br\b(?= \w)", "are"),
    (r"\bu\b", "you"),
    (r"(?<=[a-z]) w(?= \w|$)", " with"),
    (r"(?<=[a-z]) n(?= \w)", " and"),
    (r"\b(mother|father|brother|sister|son|daughter) in law\b", r"\1-in-law"),
    (
        r"\b(my|our) (mum|mom|mam|dad|sister|brother|wife|husband|girlfriend|boyfriend|boss|son|daughter|friend|gran)s "
        r"(?=(?:name|age|job|number|address|house|flat|car|dog|cat|birthday|bday|wife|husband|girlfriend|boyfriend|sister"
        r"|brother|mum|mom|dad|boss|favou?rite|operation|appointment|wedding)\b)",
        r"\1 \2's ",
    ),
    (r"\bgf\b", "girlfriend"),
    (r"\bbf\b", "boyfriend"),
    (r"\bb-?day\b", "birthday"),
    (r"\bsis\b", "sister"),
    (r"['’]re\b", " are"),
    (r"['’]ve\b", " have"),
    (r"\bcan['’]?t\b", "can not"),
    (r"\bwon['’]?t\b", "will not"),
    (r"(?<=[a-z])n['’]t\b", " not"),
)
_POLITE = re.compile(
    r"(?i)^(?:please )?(?:(?:can|could|would|will) you (?:please )?)?(?:tell me|remind me)(?: again)?,? (?!about|of)"
)


def _plain(question: str) -> str:
    """Without contractions, courtesies and the question mark."""
    text = re.sub(r"\s+", " ", question).strip().rstrip("?!. ")
    for pattern, plain in _CONTRACTIONS:
        text = re.sub(rf"(?i){pattern}", plain, text)
    return re.sub(r"(?i),? (?:please|again|then)$", "", _POLITE.sub("", text, count=1))


_OF_ANSWERS = "how should you answer me"
_SHOWS = r"(?:format|structure|explain|present|write|word|phrase|answer|reply|lay|put|show|teach|set)"
_REPHRASE = (
    (
        rf"^.*\bhow (?:should|would|must) you (?:\w+ )?(?:go about (?:it|that|this)|{_SHOWS}\b"
        r"(?=.*\b(?:me|us|examples?|code|answers?|things|it)\b)).*$",
        _OF_ANSWERS,
    ),
    (
        r"^.*\b(?:how|in what (?:style|format|form|way)|what (?:sort|kind|style|length|tone|format)(?: of \w+)?)"
        r" do (?:i|we) (?:like|prefer|want)\b"
        rf"(?=.*\b(?:you|your|information|{_SHOWS}(?:ed)?|written|explained)\b).*$",
        _OF_ANSWERS,
    ),
    (r"\bhow old\b", "what age"),
    (r"\bfor (?:a living|work)\b", "job"),
    (r"\bwhere (.+) from$", r"where \1 from hometown"),
    (
        r"^how much (?:was|were) ((?:my|our|the|that) (?!rent|salary|pay|wage|pension|income).+)$",
        r"how much did \1 cost",
    ),
    (r"^how much (?!money|cash)([\w-]+) am i on(?: now)?$", r"how much \1 do I take"),
    (r"^(?:how much|what) did (?:i|we) (?:\w+ )?pay for ((?:my|our|the|that) .+)$", r"how much did \1 cost"),
    (r"\b(first|last|next) time\b", r"\1"),
    (r"^who is ((?:my )?[\w'’-]+) (?:with|seeing|dating|going out with)(?: now)?$", r"who is \1's partner"),
)


def _rephrased(text: str) -> str:
    """Idioms in the words of the beliefs: "how old" asks for an age."""
    for pattern, plain in _REPHRASE:
        text = re.sub(rf"(?i){pattern}", plain, text)
    return re.sub(r"\s+", " ", text).strip(" ,")


def _tense(text: str) -> Tense:
    low = text.lower()
    if re.search(r"\b(will|going to|gonna|upcoming|next|planned|plan to|(?:am|is|are)(?: \S+){0,2} moving)\b", low):
        return "future"
    if re.search(r"\b(did|was|were|had|used to|formerly)\b", low):
        return "past"
    return "present"


# ----------------------------------------------------------------------------------------------------------- its kind

_DATE_ASKED = re.compile(
    r"(?i)^(?:when|what time|(?:at |on |in )?(?:what|which) (?:exact )?(?:days?|date|time|month|year))\b"
)
_SPAN = r"(?:days|weeks|months|years|hours|minutes|nights)"
_POLAR = re.compile(
    r"(?i)^(?:is it true )?(?:do|does|did|is|are|am|was|were|have|has|had|will|can|could|would|should)\b"
)
_HAVE = r"(?:(?:do (?:i|we) have|have (?:i|we)(?: got)?|is there|are there) ?)"
_BEFORE = r"(?:before|beforehand|previous|previously|prior|former|formerly|earlier|used? to|my old|my last)"
_KINDS: tuple[tuple[Kind, str], ...] = (
    ("coming", rf"^(?:what|which|{_HAVE}?any(?:thing)?)\b.{{0,30}}\b(?:coming up|upcoming|planned|scheduled)$"),
    ("coming", rf"^(?:what )?{_HAVE}(?:anything)?(?: on)?$"),
    ("coming", rf"^what (?:are my coming )?(?:appointment|meeting|exam|event)s(?: {_HAVE})?$"),
    ("mentioned", r"^when (?:did|have) (?:i|we) (?:\w+ )?(?:tell|told|mention|mentioned|say|said)\b"),
    ("how_often", r"^how (?:often|frequently|many times (?:a|per|each|every) \w+|many \w+ (?:a|per) week)\b"),
    ("when", rf"^how (?:long|many {_SPAN}) ago\b"),
    ("how_long", rf"^how (?:long|many {_SPAN}) (?:have|has|had|did|do|does|was|were|am|is|are|will)\b"),
    ("how_many", r"^how many\b"),
    ("since", r"^(?:since|from) (?:when|what (?:day|date|month|year))\b"),
    ("until", r"^(?:until|till) (?:when|what (?:day|date|month|year))\b"),
    ("changed", r"^how (?:has|have|did) .*\bchang|^what (?:has |have |did )?(?:\w+ )?chang|^what happened$"),
    ("changed", r"^what did (?:i|we) do$"),
    (
        "profile",
        r"^(?:tell me|what (?:do|did|can) (?:you|i) (?:know|tell me|remember))\b.*\b(?:about|of)\b|^describe\b",
    ),
    ("after", r"^(?:where|what|which|who|whom)\b.*\b(?:after|afterwards|following)\b"),
    ("before", rf"^(?:where|what|which|who|whom|how)\b.*\b{_BEFORE}\b"),
    ("when", _DATE_ASKED.pattern.removeprefix("(?i)")),
    ("news", r"^how (?:is|are) (?:my |our )?[\w'’-]+(?: [\w'’-]+)?(?: (?:doing|getting on|feeling))?$"),
    (
        "news",
        r"^(?:what is (?:new|up|happening|going on) with|any news (?:of|from|about|on)) (?:my |our )?[\w'’ -]{1,30}$",
    ),
    ("news", r"^(?:am|is|are) (?!it\b).{1,40} (?:ok|okay|all ?right|better)(?: now| today)?$"),
    ("profile", r"^who (?:is|are|was|were|am) (?!.*\b(?:of|to|in|at|for|with|as|on)\b)"),
    ("reason", r"^(?:why|how come)\b"),
)


def _kind(core: str) -> Kind:
    for kind, pattern in _KINDS:
        if re.search(f"(?i){pattern}", core):
            return kind
    return "yes_no" if _POLAR.match(core) else "value"


def _wh(core: str) -> str:
    found = re.search(r"(?i)\b(how (?:much|many|long|often)|who|whom|whose|what|which|where|when|how|why)\b", core)
    if found is None:
        return "what"
    word = found.group().lower()
    return {"whom": "who", "whose": "which"}.get(word, word)


def _anchor(core: str) -> str:
    found = re.search(r"(?i)\b(?:before|after|following|prior to) (?!(?:that|this|it|then|now)$)(.+)$", core)
    return found.group(1) if found else ""


def _without_anchor(core: str) -> str:
    core = re.sub(r"(?i)\b(?:before|after|following|prior to)\b.*$", "", core)
    return re.sub(rf"(?i)\b(?:{_BEFORE}|old|last|afterwards)\b", "", core).strip()


def _order(low: str) -> Order:
    if re.search(r"\bfirst\b", low):
        return "first"
    if re.search(r"\b(last|latest|most recent(?:ly)?)\b", low):
        return "last"
    return "next" if re.search(r"\b(next|upcoming)\b", low) else ""


def _without_auxiliary(words: tuple[str, ...]) -> tuple[str, ...]:
    """Without the first auxiliary, and the words that make an order."""
    dropped = next((at for at, word in enumerate(words[:6]) if word.lower() in AUXILIARIES), None)
    kept = [word for at, word in enumerate(words) if at != dropped]
    return tuple(word for word in kept if word.lower() not in _ORDER_WORDS)


_ORDER_WORDS = frozenset(
    words_of(
        """
    first last next upcoming recently recent latest initially originally still many much often long coming since
    until till ago years months weeks days hours minutes frequently
    """
    )
)
