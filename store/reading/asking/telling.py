"""What ends in a question mark asks; else it tells where the reader hears a statement in it, or the asker says so.

A text that opens like a question needs a plainer statement.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from store.reading.asking.encoder import Asker
from store.reading.encoder import Before, Reader
from store.reading.protected import to_be_worked_on
from store.text.forms import form_of, is_past

SIGNS = ("?", "？", "؟")
HEARD, PLAIN = 0.37, 0.8
"""How sure the reader is of a statement, where the text opens as people tell, and where it opens like a question."""
OPENERS = {
    "who", "whom", "whose", "what", "which", "where", "when", "why", "how", "do", "does", "did", "am", "is", "are",
    "was", "were", "have", "has", "had", "can", "could", "should", "would", "will", "shall", "may", "might", "tell",
    "describe", "summarise", "summarize", "remind", "list", "show", "give", "name", "whats", "whos", "wheres",
    "whens", "hows", "any", "anything", "anybody", "anyone",
}  # fmt: skip
PRONOUNS = {
    "i", "im", "ive", "ill", "id", "we", "weve", "she", "shes", "he", "hes", "they", "theyre", "it", "its", "there",
}  # fmt: skip
"""What opens a statement: with none of the WORDS in it, 4 of 4,388 questions of the corpus without a sign open so."""
WORDS = {"who", "whom", "whose", "what", "which", "where", "when", "why", "how"}
"""What asks, wherever it stands."""
FEWEST = 6
"""Words of a text that asks in no way and says something: what is shorter may name what is looked for."""
MOST, FEW = 12, 5
"""Words of a question without its sign, and of one that leaves out what it asks: "Owen too?"."""
_BE = "am|is|are|was|were|has|have|will|can|could|should|would|must|may"
_THEY = "i|we|s?he|they|it|there"
_OWN = "my|our|his|her|their|the"
_WHO = r"mum|mom|dad|nan|gran\w*|(?:dr|mrs?|ms)\b\.? \w+|(?-i:[A-Z])[\w'’-]+\.?"
_AT = "in|since|for|from|with|by|at|to|on|of|till|until|about|under"
_LEAD = r"(?i)\W*(?:(?:and|so|but|or|ok|okay|oh|hey|hi|btw|also|right|well|now|then|please|pls|sorry),? )*"
_ONE_CLAUSE = (
    r"(?:[^.!,;:?？؟\n]|(?<=\b[DMS][rt])\.|[.,:](?=\d))*"
    r"(?:, (?:[\w'’-]+ ){1,3}or [\w'’ -]+|,? ?(?:please|pls|again|then|exactly|roughly|btw|anyway))?"
)
"""The rest of a question, which is in one piece: what stands behind a comma may tell something."""
_OPENS = re.compile(
    rf"{_LEAD}(?:"
    rf"(?:do|does|did)(?:n['’]?t)? (?:you|{_THEY}|(?:{_OWN}) \S+ \w+|any\w*|me and|{_WHO})\b"
    rf"|(?:{_BE})(?:n['’]?t)? (?:{_THEY})\b"
    rf"|(?:is|are|has|could|should|would|must)(?:n['’]?t)? (?:{_WHO}|(?:{_OWN}) \S+) \w+"
    rf"|(?:what|where|when|who|how|why|which)(?:['’]?(?:s|re)\b|['’](?:ve|d)\b| (?:do|does|did|had|{_BE})\b)"
    rf"|(?:whose|which|what) (?!(?:an?|{_THEY}|{_OWN}|{_WHO})\b)(?:[\w'’-]+ ){{1,3}}(?:do|does|did|{_BE})\b"
    r"|who (?!(?:knew|cares|needs|says|woulda|would(?:n['’]?t)?(?:['’]?ve| have))\b)[\w'’]+ [\w'’]"
    rf"|(?:{_AT}) (?:(?:which|what) (?!(?:{_THEY}|{_OWN}|{_BE}|feels|felt|looks|seems)\b)[\w'’-]+"
    r"|whose|whom?|how (?:long|many|much|often|far))\b"
    rf"|(?:since|from|until|till) when\b(?! (?:{_THEY}) (?:was|were)\b)"
    rf"|how (?:old|much|many|long|often|far|tall|big)\b(?! (?:{_THEY})\b)"
    rf"){_ONE_CLAUSE}[\s.!…]*"
)
"""A question without its sign, by how it opens."""
_OPENS_WITH_SIGN = re.compile(
    rf"{_LEAD}(?:(?:{_AT}) )?(?:who|whom|whose|what|which|where|when|why|how|any(?:one|body|thing)?"
    rf"|(?:do|does|did|had|might|shall|{_BE})(?:n['’]?t)?(?! (?:you|u)\b))(?:['’]?(?:s|re|ve|d|ll))?\b"
    rf"{_ONE_CLAUSE}\W*"
)
"""One with it may open in more ways, but for one that asks somebody to do something: "can you keep it short?"."""
SINCE = re.compile(
    r"(?i)^\W*(?:(?:and|so|ok|okay|oh),? )*"
    r"(?P<lead>since when|(?:for )?how long|until when|when)(?: (?:was|is) (?:that|it))?\W*$"
)
BEFORE = re.compile(
    r"(?i)^\W*(?:(?:and|so|ok|okay|oh),? )*(?:(?:what|where|who|which)(?: was (?:it|that)| about)? )?"
    r"(?:before(?: that| then)?|previously|earlier)\W*$"
)
OTHER = re.compile(r"(?i)^\W*(?:(?:and|but) )?(?:(?:what|how) about|and) (?P<of>[\w'’-]+(?: [\w'’-]+){0,4})\W*$")
"""What asks by little more than "and": "and Tom", "what about last year"."""


def asks(text: str) -> bool:
    """Whether a text is one question, by its sign or its first words: "do I smoke"."""
    return text.rstrip().endswith(SIGNS) or only_asks(text)


def only_asks(text: str) -> bool:
    """Whether all of a text asks, and nothing before the sign or beside the question may state anything. Of 19,521
    messages of the corpus 445 do, and one of them states something; so do 13,311 of 18,609 questions without a sign,
    and 15,569 with one."""
    text = text.strip()
    words = _words(text)
    if not text.endswith(SIGNS):
        return len(words) <= MOST and _OPENS.fullmatch(text) is not None
    short = len(words) <= FEW and words[0] not in PRONOUNS | OPENERS and _IN_ONE.fullmatch(text) is not None
    return short or _OPENS_WITH_SIGN.fullmatch(text) is not None


_VERBS_FIRST = frozenset(["has", "is", "are", "can", "could", "should", "would", "will", "shall", "might"])
_ASKING_VERBS = _VERBS_FIRST | {"do", "does", "did", "was", "were", "have", "had"}
_NO_SUBJECT = frozenset(["a", "an", "not", "be", "have", "allergic"])
_MEASURED = frozenset(["old", "much", "many", "long", "often", "far", "tall", "big", "come", "about"])
_TO_ME = frozenset(["me", "us", "my", "our", "the", "all", "every", "what", "about", "of"])
_SURE = 0.8


def asks_memory(text: str, asker: Asker) -> bool:
    """Whether a text without a sign, in one piece, opens as a question does, and is one to the memory by the asker:
    "does callum have kids". Raises ReaderUnavailable."""
    words = _words(text)
    opens = 1 < len(words) <= MOST and _opens_a_question(words)
    return opens and _PIECE.fullmatch(text.strip()) is not None and asker.intent(text).chances[0] >= _SURE


def _opens_a_question(words: Sequence[str]) -> bool:
    """Whether what follows the first word is what follows it in a question: people leave out their "I", and tell "will
    start on Monday", "did a marathon", "when Anna was born we lived in Leeds"."""
    first, second = words[:2]
    form = form_of(second)
    if first in _VERBS_FIRST:
        return second not in _NO_SUBJECT and form is None
    if first in ("do", "does", "did"):  # "does callum have kids"
        forms = (form_of(word) for word in words[2:])
        return second not in _NO_SUBJECT and any(one is not None and "base" in one[1] for one in forms)
    if first == "which" and form is not None:  # "which reminds me"
        return False
    if first in ("which", "what", "whose"):
        return second not in _OWNERS and (first == "which" or not _ASKING_VERBS.isdisjoint(words[1:5]))
    if first in WORDS:
        measured = first == "how" and (second in _MEASURED or not _ASKING_VERBS.isdisjoint(words[2:3]))
        return second in _ASKING_VERBS or measured
    if first in ("tell", "describe", "summarise", "summarize", "remind", "list", "show", "give", "name"):
        return second in _TO_ME
    return first in OPENERS - _ASKING_VERBS - {"am", "may"}


_OWNERS = PRONOUNS | {"my", "our", "his", "her", "their", "you", "the", "a", "an"}
_PIECE = re.compile(r"[^.!,;:?？؟\n]+[.!…\s]*")
_IN_ONE = re.compile(r"[^.!,;:?？؟\n]+[?？؟]+")


def leaves_out(text: str) -> bool:
    """Whether a text asks if it follows a question: "and Tom", "before that"."""
    other = OTHER.match(text)
    if other is not None:
        return _words(other["of"])[0] not in PRONOUNS
    return SINCE.match(text) is not None or BEFORE.match(text) is not None


_WRITE = re.compile(
    r"(?i)^\W*(?:(?:hey|hi|ok|okay|so|and|now|please|can you|could you|would you|will you),? )*"
    r"(?:write|draft|compose|word|phrase|translate|rewrite|proofread) (?!down\b|that\b|when\b|what\b|who\b|how\b)"
    r"(?:(?:me|us|him|her|them|[A-Za-z][\w-]+) )?(?:an?|the|some|two|three|my|our|this|to)\b"
)
"""What asks for something to be written."""


def to_be_written(text: str) -> bool:
    """Whether a text asks for a letter, a card or the like, whatever it tells by the way."""
    return _WRITE.match(text) is not None


def tells(text: str, asker: Asker, reader: Reader) -> bool:
    """Whether a text tells something, and asks nothing. Raises ReaderUnavailable."""
    words = _words(text)
    if not words or asks(text) or to_be_worked_on(text) is not None or to_be_written(text):
        return False
    intent = asker.intent(text)
    memory, world, request, told = intent.chances
    opens = memory + told >= world + request and words[0] in PRONOUNS and WORDS.isdisjoint(words)
    if intent.about == "told" or opens:
        return True
    return any(one.sure >= (PLAIN if words[0] in OPENERS else HEARD) for one in reader.read([(text, Before())])[0])


def seems_told(text: str, fewest: int = FEWEST) -> bool:
    """Whether a text has nothing of a question but that nothing was heard in it; for what could not be answered. Of
    2,667 questions of the corpus without their signs 117 seem told, and of any length 133."""
    words = _words(text)
    asks = text.rstrip().endswith(SIGNS) or not words or words[0] in OPENERS
    return not asks and len(words) >= fewest and WORDS.isdisjoint(words)


def intends(text: str) -> bool:
    """Whether a text opens with what somebody did or has in mind to do, which asks nobody to write anything: "made a
    fort instead", "we're thinking of buying somewhere"."""
    first = (_words(text) or [""])[0]
    does = is_past(first) or (first.endswith("ing") and len(first) > len("bring"))
    return seems_told(text, 2) and (does or _INTENDS.match(text) is not None)


_INTENDS = re.compile(
    r"(?i)\W*(?:so |and |but |well |ok |oh )?(?:(?:i|we)(?:['’]?m|['’]?re| am| are|['’]?ve been| have been) |been )?"
    r"(?:still |also |just |maybe |now )*"
    r"(?:thinking (?:of|about) (?!a |an |names?\b|titles?\b|ideas?\b)|(?:considering|planning|hoping|saving|tempted)\b"
    r"|(?:wanna|gonna|want to|['’]?d (?:love|like) to) (?:be|become|get|go|learn|try|live|move)\b)"
)


def _words(text: str) -> list[str]:
    return [word.strip(",.!:;").replace("'", "").replace("’", "").lower() for word in text.split()]
