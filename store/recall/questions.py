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
    "value", "yes_no", "when", "mentioned", "since", "until", "how_long", "how_long_ago", "between", "how_many",
    "times", "how_often", "before", "after", "changed", "which_first", "profile", "reason", "coming", "news",
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
    options: tuple[str, ...] = ()
    """The two sides of "A or B" and of "between A and B"; the one side of "before A" and "after A"."""

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
    ahead_of_now = tense == "future" or (tense == "present" and _ON_A_DAY.search(text) is not None)
    timed = with_times(text, now, zone, future=ahead_of_now)
    core = _rephrased(without_belief(timed.core) if timed.belief_words else timed.core)
    core = "what is my response style" if _MANNER.search(core) else core
    kind, wh, options = _kind(core)
    if timed.valid is not None and _HAVE_THEN.fullmatch(core):
        kind = "coming"
    if kind == "when":
        core = re.sub(r"(?i)^(?:at |on |in )?(?:what|which) (?:exact )?(?:days?|date|time|month|year)\b", "when", core)
    if kind == "profile":
        core = re.sub(
            r"(?i)^(?:tell me|what .*?|describe|summari[sz]e)\b.*?\b(?:about|of)\b|^describe\b", "", core
        ).strip()
    if kind in ("before", "after"):
        core = _without_anchor(core)
    if kind in ("which_first", "between"):
        core = _without_options(core, options)
    low = core.lower()
    if changed and kind == "value":
        kind = "before"
    return Question(
        text=question.strip(),
        kind=kind,
        wh=wh,
        core=core,
        words=tuple(tokens(core)),
        tense=tense,
        valid=ahead(text, now, zone) if kind == "coming" else timed.valid,
        believed=timed.believed,
        before_correction=timed.belief_words and timed.believed is None and bool(BEFORE_NOW.search(text)),
        planned=planned or changed or (timed.belief_words and timed.believed is None and kind == "when"),
        still=bool(re.search(r"\b(still|any ?more|any longer|no longer)\b", low)),
        negated=bool(re.search(r"\b(not|never|n't)\b", low)),
        order=_order(low),
        options=options,
    )


# ----------------------------------------------------------------------------------------------------- its plain form

_CONTRACTIONS = (
    (r"\b(what|who|where|when|how|which|that|there|it|he|she|why)['’]s\b", r"\1 is"),
    (r"\b(what|who|where|when|how|why)['’]re\b", r"\1 are"),
    (r"\b(what|who|where|when|how|why)['’]d\b", r"\1 did"),
    (r"\bi['’]m\b", "I am"),
    (r"\b(i|we|you|they)['’]ve\b", r"\1 have"),
    (r"\bcan['’]?t\b", "can not"),
    (r"\bwon['’]?t\b", "will not"),
    (r"\b(do|does|did|is|are|was|were|have|has|had|would|could|should)nt\b", r"\1 not"),
    (r"n['’]t\b", " not"),
    (r"\bwhats\b", "what is"),
)
_POLITE = re.compile(
    r"(?i)^(?:(?:hey|hi|hello|ok|okay|so|well|and|but|please|also|sorry|hm+|um+)[,!. ]+)*"
    r"(?:(?:can|could|would|will) you (?:please )?(?:tell|remind|say to|help"
    r"|let)(?: me)?(?: know)?(?: of)?(?: again)?,? "
    r"|(?:do|did) you (?:happen to )?(?:still )?(?:know|remember|recall)(?: if| whether)?,? "
    r"|remind me(?: again)?(?: of)?,? "
    r"|(?:please )?tell me(?: again)?,? (?!about)|i (?:forgot|forget|wonder|am wondering|would like to know"
    r"|want to know)(?: if)?,? "
    r"|according to (?:your|my) (?:memory|memories|notes),? |any idea |what was it again,? )?"
)


def _plain(question: str) -> str:
    """Straight quotes, no contractions, no courtesies, no question mark."""
    text = re.sub(r"\s+", " ", question).strip().rstrip("?!. ")
    for pattern, plain in _CONTRACTIONS:
        text = re.sub(rf"(?i){pattern}", plain, text)
    text = _POLITE.sub("", text, count=1)
    return re.sub(r"(?i),? (?:please|again|by the way|do you know|do you remember|then)$", "", text)


_ON_A_DAY = re.compile(
    r"(?i)\bon (?:the )?(?:\d{1,2}(?:st|nd|rd|th)?\b|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]* \d)"
)
"""A day of which is asked in the present tense lies ahead: "what happens on 12 December"."""


_REPHRASE = (
    (r"\bhow old\b", "what age"),
    (r"\bhow tall\b", "what height"),
    (r"\bhow heavy\b", "what weight"),
    (r"\bhow (?:big|large)\b", "what size"),
    (r"\bhow far\b", "what distance"),
    (r"\bfor (?:a living|work)\b", "job"),
    (r"\b(role|job|position|title|boss|manager)( .*)? (?:at|in) (?:the|my|our) (?:company|firm|office|job)\b", r"\1\2"),
    (r"\b(role|job|position|title|boss|manager)( .*)? at work\b", r"\1\2"),
    (r"\bwhere (.+) from$", r"where \1 from hometown"),
    (r"\bfollow a diet\b", "diet"),
    (
        r"^how much (?:was|were) ((?:my|our|the|that) (?!rent|salary|pay|wage|pension|income).+)$",
        r"how much did \1 cost",
    ),
    (r"^how much (?!money|cash)([\w-]+) am i on(?: now)?$", r"how much \1 do I take"),
    (r"^how much (?!money|cash)([\w-]+) (?:is|are) (.+?) on(?: now)?$", r"how much \1 does \2 take"),
    (r"^(?:how much|what) did (?:i|we) (?:\w+ )?pay for ((?:my|our|the|that) .+)$", r"how much did \1 cost"),
    (r"\b((?:the )?(?:first|last|next)|at the|that|some) time\b", r"\1"),
)


_MANNER = re.compile(
    r"(?i)\bhow (?:should|shall|must|ought) you (?:to )?(?:\w+ )?(?:explain|format|structure|present|answer|respond"
    r"|reply|write|phrase|word|summari[sz]e|talk|show|give|put|lay)\b"
    r"|^(?:what|which) (?:response|answer|answering|explanation|reply|communication) (?:style|format|length)s? do i\b"
)
"""Questions that ask how the person wants to be answered."""


def _rephrased(text: str) -> str:
    """Idioms in the words of the beliefs: "how old" asks for an age."""
    for pattern, plain in _REPHRASE:
        text = re.sub(rf"(?i){pattern}", plain, text)
    return re.sub(r"\s+", " ", text).strip(" ,")


def _tense(text: str) -> Tense:
    low = text.lower()
    if re.search(r"\b(will|going to|gonna|shall|upcoming|next|planned|plan to)\b", low):
        return "future"
    if re.search(r"\b(?:am|is|are|['’]m|['’]re) (?:\S+ ){1,3}?(?:moving|relocating|emigrating)\b", low):
        return "future"
    if re.search(r"\b(did|was|were|had|used to|formerly)\b", low):
        return "past"
    return "present"


# ----------------------------------------------------------------------------------------------------------- its kind

_SPAN = r"(?:days|weeks|months|years|hours|minutes|nights)"
_POLAR = re.compile(
    r"(?i)^(?:is it true (?:that )?)?(?:do|does|did|is|are|am|was|were|have|has|had|will|can|could|would|shall"
    r"|should)\b"
)
_ANY = r"(?:(?:is there |do (?:i|we) have |have (?:i|we)(?: got)? )?anything)"
_WHAT = rf"(?:what|{_ANY})"
_HAVE_THEN = re.compile(
    r"(?i)what (?:else )?(?:have (?:i|we)(?: got)?|do (?:i|we) have|is (?:happening|going on))"
    r"(?: on)?(?: this| coming)*(?: then| again)?"
)
"""Asked of a day: what takes place then, and not what one owns."""
_OF_WHICH = (
    r"(?:(?:what|which) (?:are )?|(?:(?:do|have) (?:i|we)(?: have| got)? |(?:are|is) there )?any )(?:(?:my|our) )?"
)
_AHEAD = r"(?:coming up|coming|upcoming|ahead|planned|scheduled|soon|next)"
_HAVE_I = r"(?: (?:do|have|are) (?:i|we|there)(?: have| got)?)?"
_DIARY = r"(?:appointment|meeting|interview|exam|event)s"
""" "what appointments do I have?", "any trips coming up?": those that are to come."""
_NOWADAYS = r"(?: now| today| these days| at the moment)?$"
_FARING = rf"(?: (?:doing|getting on|feeling|coping|keeping|holding up))?{_NOWADAYS}"
_KINDS: tuple[tuple[Kind, str, str], ...] = (
    (
        "coming",
        "what",
        rf"^{_WHAT}(?: else)?\b.{{0,24}}\b(?:coming up|upcoming|planned|scheduled)"
        r"(?: (?:for (?:me|us)|soon|next|(?:in|over) the (?:next|coming)(?: \w+)? (?:days|weeks|months)))*$",
    ),
    ("coming", "what", rf"^{_WHAT}\b.{{0,12}}\b(?:in (?:my|our|the) (?:diary|calendar)|on my (?:calendar|plate))$"),
    ("coming", "what", r"^what (?:have (?:i|we)(?: got)?|do (?:i|we) have|is|am i) (?:on|ahead|coming|up to)$"),
    ("coming", "what", rf"^(?:{_ANY}|what is)(?: on)?$"),
    ("coming", "what", r"^what (?:are|is) (?:my|our) (?:plans?|agenda|week(?:end)?)(?: like| for)?$"),
    ("coming", "what", rf"^{_OF_WHICH}(?:{_AHEAD} \w+s|{_DIARY}){_HAVE_I}(?: {_AHEAD})?$"),
    ("coming", "what", rf"^{_OF_WHICH}\w+s(?:{_HAVE_I}| are) {_AHEAD}$"),
    ("coming", "what", r"^what (?:plans (?:do (?:i|we) have|have (?:i|we)(?: got)?)|am i doing|are we doing)$"),
    ("mentioned", "when", r"^when (?:did|have) (?:i|we) (?:\w+ )?(?:tell|told|mention|mentioned|say|said|bring up)\b"),
    ("mentioned", "when", r"^when did you (?:\w+ )?(?:hear|learn|find out|get to know)\b"),
    ("mentioned", "when", r"^(?:since when|how long) (?:have|do|did) you (?:\w+ )?(?:know|known|believed?|thought)\b"),
    ("between", "how long", rf"^how (?:long|many {_SPAN}|much time)\b.*\bbetween\b"),
    (
        "which_first",
        "which",
        r"\b(?:first|earlier|sooner|before the other)\b.*\bor\b|\bor\b.*\b(?:first|earlier|sooner)\b",
    ),
    (
        "how_often",
        "how often",
        r"^(?:and )?(?:how often|how frequently|how many times (?:a|per|each|every) \w+|how many \w+ (?:a|per) week)\b",
    ),
    (
        "how_long_ago",
        "how long",
        rf"^how (?:long|many {_SPAN}) (?:ago|is it since|has it been since|since|have passed since)\b",
    ),
    (
        "how_long",
        "how long",
        rf"^(?:for )?how (?:long|many {_SPAN}) (?:have|has|had|did|do|does|was|were|am|is|are|will)\b",
    ),
    ("times", "how many", r"^how many times\b"),
    ("how_many", "how many", r"^(?:how many|what is the number of|what number of)\b"),
    ("since", "when", r"^(?:since|from) (?:when|what (?:day|date|month|year))\b|^when .*\bsince\b|^how long since\b"),
    ("until", "when", r"^(?:until|till|up to) (?:when|what (?:day|date|month|year))\b|^when .*\buntil\b"),
    (
        "changed",
        "how",
        r"^what (?:has )?happened$|^what (?:did|have) (?:i|we) (?:do|done)$|^how (?:has|have|did) .*\b(?:chang"
        r"|evolv|develop|progress)|^what (?:has |have |did )?(?:\w+ )?chang",
    ),
    ("changed", "how", r"\b(?:history|evolution|course) of\b|^(?:trace|show me) how\b|\bover time\b"),
    (
        "profile",
        "who",
        r"^(?:tell me|what (?:do|did|can) (?:you|i) (?:know|tell me|remember)|describe"
        r"|summari[sz]e)\b.*\b(?:about|of)\b|^describe\b",
    ),
    ("after", "what", r"^(?:where|what|which|who|whom)\b.*\b(?:after|afterwards|following)\b"),
    (
        "before",
        "what",
        r"^(?:where|what|which|who|whom|how)\b.*\b(?:before|beforehand|previous|previously|prior|former"
        r"|formerly|earlier)\b",
    ),
    (
        "before",
        "what",
        r"^(?:where|what|which|who|whom)\b.*\b(?:used to|use to)\b|^(?:what|which|where|who) (?:was"
        r"|were) my (?:old|last)\b",
    ),
    (
        "when",
        "when",
        r"^(?:when|what time|at what time|(?:on |in )?(?:what|which) (?:exact )?(?:days?|date|month|year)\b)",
    ),
    ("when", "when", r"^what (?:is|was|will be) (?:the |my )?.*\b(?:date|day) of\b|^what (?:is|was) .*\bdate$"),
    ("news", "how", r"^how (?:is|are) (?:my |our )?[\w'’-]+(?: [\w'’-]+)?" + _FARING),
    (
        "news",
        "how",
        r"^(?:am|is|are) (?!it\b).{1,40} (?:ok|okay|all? ?right|(?:any |feeling |getting )*better)" + _NOWADAYS,
    ),
    ("reason", "why", r"^(?:why|how come|for what reason)\b"),
)


def _kind(core: str) -> tuple[Kind, str, tuple[str, ...]]:
    """The kind, the question word, and the sides of a comparison or of before and after."""
    for kind, wh, pattern in _KINDS:
        if re.search(f"(?i){pattern}", core):
            return kind, _wh(core) if kind in ("before", "after") else wh, _options(kind, core)
    if re.match(r"(?i)^who (?:is|are|was|were|am) \S", core) and not re.search(
        r"(?i)\b(?:of|to|in|at|for|with|as|on)\b", core
    ):
        return "profile", "who", ()
    if _POLAR.match(core):
        return "yes_no", "", ()
    return "value", _wh(core), ()


def _wh(core: str) -> str:
    found = re.search(r"(?i)\b(how much|who|whom|whose|what|which|where|when|how)\b", core)
    if found is None:
        return "what"
    word = found.group().lower()
    return {"whom": "who", "whose": "which"}.get(word, word)


def _options(kind: Kind, core: str) -> tuple[str, ...]:
    if kind == "between":
        found = re.search(r"(?i)\bbetween (.+?) and (.+)$", core)
        return found.groups() if found else ()
    if kind == "which_first":
        return _alternatives(core)
    if kind in ("before", "after"):
        found = re.search(r"(?i)\b(?:before|after|following|prior to) (.+)$", core)
        return (found.group(1),) if found and not re.fullmatch(r"(?i)(that|this|it|then|now)", found.group(1)) else ()
    return ()


def _alternatives(core: str) -> tuple[str, ...]:
    """The two sides of "..., A or B"."""
    text = re.sub(r"(?i)\b(?:first|earlier|sooner)\b\s*[,:]?", "|", core)
    text = re.sub(r"\s*[,:]\s*", "|", text)
    part = next((piece for piece in text.split("|") if re.search(r"(?i)\bor\b", piece)), "")
    sides = re.split(r"(?i)\s+or\s+", part.strip(), maxsplit=1)
    if len(sides) < 2:
        return ()
    left = re.sub(r"(?i)^(?:which|what|who)\b.*?\b(?:did|do|was|is|came|happened)\b\s*(?:i|we)?\s*", "", sides[0])
    left = re.sub(r"(?i)^(?:did|have|had|do|was|is) (?:i|we|he|she|they)?\s*", "", left)
    return (left.strip(), sides[1].strip())


def _without_anchor(core: str) -> str:
    core = re.sub(r"(?i)\b(?:before|after|following|prior to)\b.*$", "", core)
    return re.sub(
        r"(?i)\b(?:previous|previously|prior|former|formerly|earlier|beforehand|used to|use to|old|last|afterwards)\b",
        "",
        core,
    ).strip()


def _without_options(core: str, options: tuple[str, ...]) -> str:
    for option in options:
        core = core.replace(option, " ")
    return re.sub(r"(?i)\b(?:between|first|earlier|sooner|or|and|came|come|happen(?:ed)?|pass(?:ed)?)\b", " ", core)


def _order(low: str) -> Order:
    if re.search(r"\b(first|initially|originally)\b", low):
        return "first"
    if re.search(r"\b(last|most recently|latest|most recent)\b", low):
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
