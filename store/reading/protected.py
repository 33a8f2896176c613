"""What is pasted, quoted at length, secret or addressed to the model is not the person's own assertion.

The stretches of a turn from which no claim may be read. A short quotation may stand as a value (a title, a name).
"""

from __future__ import annotations

import re

from store.belief.reading.masks import MAX_QUOTED_WORDS, directed
from store.writing.secrets import secret_spans

Span = tuple[int, int]

_FENCE = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.DOTALL)
_CITED = re.compile(r"^[ \t]*(?:>|\|).*$", re.MULTILINE)
_LINK = re.compile(r"\bhttps?://\S+|<[^<>\n]{1,200}>")
_QUOTE = re.compile(r"“[^”]*(?:”|\Z)|\"[^\"\n]*\"|«[^»]*»|„[^“”]*[“”]")
_FICTION = re.compile(
    r"(?i)[^.!?\n]*\b(?:pretend|imagine|role-?play\w*|once upon a time|in a dream|i (?:dreamt|dreamed)|"
    r"(?:in|of) (?:my|the|this|a) (?:story|novel|game|dream|script|book|film|movie|show|series|play|campaign)|"
    r"my (?:character|protagonist|persona|sim))\b[^.!?\n]*"
)
_MAIL = re.compile(
    r"(?m)^(?:(?:From|To|Subject|Date|Cc|Sent): .+|-{2,} ?(?:Original|Forwarded) [Mm]essage.*|"
    r"Begin forwarded message.*|On .{6,80} wrote:.*|(?:System|Assistant|User|Human|AI)\s*:.*)"
)


def protected(text: str) -> list[Span]:
    """Where nothing may be read from: what is not asserted, and secrets."""
    return [*unasserted(text), *secret_spans(text)]


def unasserted(text: str) -> list[Span]:
    """What is pasted, quoted at length, made up or addressed to the model."""
    found = [match.span() for pattern in (_FENCE, _CITED, _LINK, _FICTION) for match in pattern.finditer(text)]
    found += [one.span() for one in _QUOTE.finditer(text) if len(one.group().split()) > MAX_QUOTED_WORDS]
    if (mail := _MAIL.search(text)) is not None:
        found.append((mail.start(), len(text)))
    if (order := directed(text, "user")) is not None:
        found.append((order[0], len(text)))
    return found
