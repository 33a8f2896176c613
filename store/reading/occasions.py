"""The words of an occasion that a text calls off: "the trip fell through", "Tenby's off"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from store.reading.subjects import is_pronoun

_OFF = re.compile(
    r"(?i)(?:(?:['’]?s| is| are| was| has been| got)(?: now| all| just| also)? "
    r"off(?=\s*(?:[,.;!?:)]|\Z|(?:now|then|again|its|it['’]s|bc|because|cos|so|as|till|until|and|but)\b))"
    r"|(?:['’]s(?: been)?| is| are| was| has been| got)(?: now| all| just| also)? "
    r"(?:called off|cancell?ed|scrapped|not (?:happening|going ahead)|fallen through)"
    r"| (?:isn['’]?t|aren['’]?t) (?:happening|going ahead)| (?:has )?fell through| has fallen through)(?!\w)"
)
_CLAUSE = re.compile(r"[.!?;:,\n]\s*|\b(?:and|but|so|because|cos|that|as) ")
_NONE = re.compile(
    r"(?i)(?:i|we|you|there|it|that|this|everything|(?:\w+ )*(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day"
    r"|day|week|night|month|hour|weekend|shift|light|phone|telly|tv)s?)\b"
)
"""Who is off, what is switched off, and the days that one has off."""
MOST_WORDS = 5


def off_in(text: str) -> Iterator[str]:
    """The words of each occasion that a text calls off."""
    for off in _OFF.finditer(text):
        start = max((mark.end() for mark in _CLAUSE.finditer(text, 0, off.start())), default=0)
        words = text[start : off.start()].split()
        if 0 < len(words) <= MOST_WORDS and not is_pronoun(words[0].lower()) and not _NONE.match(" ".join(words)):
            yield " ".join(words)
