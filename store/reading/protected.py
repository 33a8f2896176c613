"""What is pasted, quoted at length, secret or addressed to the model is not the person's own assertion.

The stretches of a turn from which no claim may be read. A short quotation may stand as a value (a title, a name).
"""

from __future__ import annotations

import re

from store.episodes.secrets import secret_spans
from store.reading.masks import MAX_QUOTED_WORDS, POLITE, WORKED_ON, concealed, directed, outside

Span = tuple[int, int]

_REPORTED = re.compile(r"(?i)\b(?:said|says|wrote|texted|shouted|asked)[,:]? (?P<said>[\"“][^\"”\n]+[\"”])")
"""What somebody else said, word for word."""
_QUOTE = re.compile(r"“[^”]*(?:”|\Z)|\"[^\"\n]*\"|«[^»]*»|„[^“”]*[“”]")
_SENTENCE = re.compile(r"[^.!?\n]+")
_FICTION = re.compile(
    r"(?i)\b(?:pretend|imagine|role-?play\w*|once upon a time|in a dream|i (?:dreamt|dreamed)|"
    r"(?:in|of) (?:my|the|this|a) (?:story|novel|game|dream|script|book|film|movie|show|series|play|campaign)|"
    r"my (?:character|protagonist|persona|sim))\b"
)
_GAME = re.compile(
    r"(?i)\b(?:(?:let['’]?s|let us|shall we|how about we|can we|could we)\b[^.!?\n:]{0,20}?\b"
    r"(?:play|act(?: out)?|do|enact|improvise)\b|for (?:our|the|my|this|tonight['’]?s)\b[^.!?\n:]{0,12}?\b"
    r"(?:d ?& ?d|dungeons|rpg|larp|campaign|quest|improv|role-?play)\b)[^.!?\n:]{0,40}?(?:\s*[:,.!?;–-]\s*)+"
    r"(?:i am|i['’]?m|you are|you['’]?re)\s+(?:an?\b|the\b|my\b|(?-i:[A-Z]))"
)
"""A game that somebody proposes and gives the parts for: the rest is said in it."""
_DOCUMENT = re.compile(
    r"(?i)\b(?:notes?|comments?|text|captions?|foot(?:er|note)|head(?:er|ing|line)|lines?|remarks?|annotations?|words?|"
    r"inscription|paragraphs?|sentences?|(?:it|this) (?:says|reads|said)|(?:is|was) (?:written|printed))\b"
    r"[^.:!?\n]{0,40}?\b(?:in|on|of|from|at|under|inside|across|below|above)\b[^.:!?\n]{0,30}?\b"
    r"(?:pdf|pages?|documents?|contract|manual|spreadsheet|web ?(?:site|page)|files?|letter|e-?mail|book|article|"
    r"brochure|leaflet|flyer|report|sign|poster|form|invoice|receipt|screen(?:shot)?|slides?|newspaper|magazine|"
    r"label|packag\w+|wiki|readme|presentation)\b[^.:!?\n]{0,40}:\s"
)
"""What stands in a document, with its words right behind it."""
_TO_BE_WORKED_ON = re.compile(
    rf"(?i)\A\W*(?:{POLITE}\b[ ,!.]*){{0,7}}(?:{WORKED_ON}|turn (?:this|these|the following) into|"
    r"(?:fix|correct|check|improve) (?:my|the|this|these)(?: [\w-]+)? "
    r"(?:grammar|spelling|text|wording|letter|mail|e-?mail|draft|cv|sentence|essay)|"
    r"(?:write|give)(?: me)? (?:a|an|the)(?: [\w-]+)? (?:summary|translation|gist))\b[^\n:.!?]{0,80}(?::|\n)\s*(?=\S)"
)
"""What a model is to do with the text behind it."""
_PARAGRAPH_END = re.compile(r"\n\s*\n|\Z")
_FIRST = re.compile(r"\b(?:I|[Mm]y)\b")
_MAIL = re.compile(
    r"(?m)^(?:(?:From|To|Subject|Date|Cc|Sent): .+|-{2,} ?(?:Original|Forwarded) [Mm]essage.*|"
    r"Begin forwarded message.*|On .{6,80} wrote:.*|(?i:System|Assistant|User|Human|AI)\s*:.*)"
)


def protected(text: str) -> list[Span]:
    """Where nothing may be read from: what is not asserted, and secrets."""
    return [*unasserted(text), *secret_spans(text)]


def unasserted(text: str) -> list[Span]:
    """What is pasted, quoted at length, made up or addressed to the model."""
    invented = [one.span() for one in _SENTENCE.finditer(text) if _FICTION.search(one.group())]
    long = [one.span() for one in _QUOTE.finditer(text) if len(one.group().split()) > MAX_QUOTED_WORDS]
    return [*_pasted(text), *invented, *long]


def to_be_worked_on(text: str) -> Span | None:
    """The text that a model is given to translate, to sum up or to mend; None where there is none."""
    task = _TO_BE_WORKED_ON.match(text)
    return None if task is None else (task.end(), len(text))


def _pasted(text: str) -> list[Span]:
    """What somebody else wrote, or wrote for a model: about the person it says nothing."""
    if (given := to_be_worked_on(text)) is not None:
        return [given]
    found = outside(text) + concealed(text)
    found += [one.span() for one in _QUOTE.finditer(text) if _FIRST.search(one.group())]
    found += [one.span("said") for one in _REPORTED.finditer(text)]
    if (mail := _MAIL.search(text)) is not None:
        found.append((mail.start(), len(text)))
    if (game := _GAME.search(text)) is not None:
        found.append((game.start(), len(text)))
    for cited in _DOCUMENT.finditer(text):
        end = _PARAGRAPH_END.search(text, cited.end())
        found.append((cited.start(), len(text) if end is None else end.start()))
    if (order := directed(text, "user")) is not None:
        found.append((order[0], len(text)))
    return found
