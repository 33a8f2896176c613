"""What ends in a question mark asks; else it tells where the reader hears a statement in it, or the asker says so.

A text that opens like a question needs a plainer statement.
"""

from __future__ import annotations

import re

from store.reading.asking.encoder import Asker
from store.reading.encoder import Before, Reader
from store.reading.protected import to_be_worked_on

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


_ANSWERED = re.compile(r"(?i)[?？؟]\W*(?:be|[’']?)cause\b[^?？؟]*\Z")
"""A question that its asker answers, as a riddle is told."""
FEWEST = 6
"""Words of a text that asks in no way and says something: what is shorter may name what is looked for."""


MOST = 12
"""Words of a question without its sign."""
_BE = "am|is|are|was|were|has|have|will|can|could|should|would"
_ASKS = re.compile(
    r"(?i)\W*(?:(?:and|so|but|ok|okay|oh|hey|hi|btw|also),? )*"
    r"(?:(?:do|does|did)(?:n['’]?t)? (?:i|you|we|s?he|they|it|my|our|his|her|their|the|any\w*|(?-i:[A-Z])[\w'’-]+)\b"
    rf"|(?:{_BE})(?:n['’]?t)? (?:i|we|s?he|they|it|there)\b"
    r"|(?:is|are|has)(?:n['’]?t)? (?:my|our|his|her|their|the)\b"
    rf"|(?:what|where|when|who|how|why|which)(?:['’]?(?:s|re)\b| (?:do|does|did|had|{_BE})\b)"
    rf"|(?:whose|which|what) [\w'’-]+ (?:do|does|did|{_BE})\b"
    r"|how (?:old|much|many|long|often|far|tall|big)\b(?! (?:i|we|s?he|they|it)\b))"
    r"[^.!,;:?\n]*"
)


def asks(text: str) -> bool:
    """Whether a text is one question, by its sign or its first words: "do I smoke". Of 165 such messages of the corpus
    without a sign one states anything."""
    text = text.strip()
    return text.endswith(SIGNS) or (len(text.split()) <= MOST and _ASKS.fullmatch(text) is not None)


def tells(text: str, asker: Asker, reader: Reader) -> bool:
    """Whether a text tells something, and asks nothing. Raises ReaderUnavailable."""
    words = _words(text)
    if not words or text.rstrip().endswith(SIGNS) or to_be_worked_on(text) is not None:
        return False
    if _ANSWERED.search(text):
        return True
    intent = asker.intent(text)
    memory, world, request, told = intent.chances
    mine = memory + told >= world + request
    if intent.about == "told" or (mine and words[0] in PRONOUNS and WORDS.isdisjoint(words)):
        return True
    return any(one.sure >= (PLAIN if words[0] in OPENERS else HEARD) for one in reader.read([(text, Before())])[0])


def seems_told(text: str) -> bool:
    """Whether a text has nothing of a question but that nothing was heard in it; for what could not be answered. Of
    2,667 questions of the corpus without their signs 117 seem told."""
    words = _words(text)
    asks = text.rstrip().endswith(SIGNS) or not words or words[0] in OPENERS
    return not asks and len(words) >= FEWEST and WORDS.isdisjoint(words)


def intends(text: str) -> bool:
    """Whether a text opens with what somebody has in mind to do, which asks nobody to write anything: "we're thinking
    of buying somewhere"."""
    return seems_told(text) and _INTENDS.match(text) is not None


_INTENDS = re.compile(
    r"(?i)\W*(?:so |and |but |well |ok |oh )?(?:(?:i|we)(?:['’]?m|['’]?re| am| are|['’]?ve been| have been) |been )?"
    r"(?:still |also |just |maybe |now )*"
    r"(?:thinking (?:of|about) (?!a |an |names?\b|titles?\b|ideas?\b)|(?:considering|planning|hoping|saving|tempted)\b)"
)


def _words(text: str) -> list[str]:
    return [word.strip(",.!:;").replace("'", "").replace("’", "").lower() for word in text.split()]
