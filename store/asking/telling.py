"""What ends in a question mark asks; else it tells where the reader hears a statement in it, or the asker says so.

A text that opens like a question needs a plainer statement.
"""

from __future__ import annotations

from store.asking.encoder import Asker
from store.reading.encoder import Reader

SIGNS = ("?", "？", "؟")
HEARD, PLAIN = 0.37, 0.8
"""How sure the reader is of a statement, where the text opens as people tell, and where it opens like a question."""
OPENERS = {
    "who", "whom", "whose", "what", "which", "where", "when", "why", "how", "do", "does", "did", "am", "is", "are",
    "was", "were", "have", "has", "had", "can", "could", "should", "would", "will", "shall", "may", "might", "tell",
    "describe", "summarise", "summarize", "remind", "list", "show", "give", "name", "whats", "whos", "wheres",
    "whens", "hows", "any", "anything", "anybody", "anyone",
}  # fmt: skip


def tells(text: str, asker: Asker, reader: Reader) -> bool:
    """Whether a text tells something, and asks nothing. Raises ReaderUnavailable."""
    words = text.split(maxsplit=1)
    if not words or text.rstrip().endswith(SIGNS):
        return False
    if asker.intent(text).about == "told":
        return True
    opens = words[0].strip(",.!:;").replace("'", "").replace("’", "").lower() in OPENERS
    return any(one.sure >= (PLAIN if opens else HEARD) for one in reader.read([(text, "")])[0])
