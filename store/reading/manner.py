"""How the person wants to be answered is a standing preference only in their own words to the assistant.

"I like when you give me bullet points", "keep it short", "no long preambles please": (me, response_style, the words).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from store.reading.sentences import Span

_ANSWERS = (
    r"(?:answers?|replies|responses?|explanations?|summar(?:y|ies)|examples?|code "
    r"(?:examples?|blocks?|snippets?)|details?|"
    r"bullet points?|bullets|lists?|tables?|paragraphs?|preambles?|intros?|introductions?|caveats|disclaimers?|emojis?|"
    r"jargon|overviews?|analog(?:y|ies)|headings?|sources|citations|small talk|pleasantries|filler|formatting|steps)"
)
_STYLE = (
    r"(?:short|brief|concise|simple|direct|succinct|to the "
    r"point|tiny|small|plain|casual|formal|informal|friendly|detailed|"
    r"long|longer|shorter|step[- ]by[- ]step|high[- ]level|practical|bulleted|minimal|technical|straightforward|in "
    r"bullet "
    r"points|in bullets|in plain \w+|in english|in german|in simple terms)"
)
_PATTERNS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"^(?:\w+[,.!]? ){0,4}?i (?:really |always |usually |generally |much )*(?:like|love|prefer|appreciate)(?: "
        r"it)? (?:better |"
        r"more )?(?:when|if) (?:you |your "
        r")(?P<yes>(?:give|keep|use|explain|answer|write|show|format|structure|put|start|"
        r"reply|respond|break|skip|go|list|are|don't|include|cite|answers|replies)\b.+)$",
        rf"^(?:.{{0,40}}?[,.] )?(?:\w+ ){{0,3}}?i (?:really |always |usually |generally )*prefer (?:when |that |if "
        rf")?(?P<yes>(?:\w+ "
        rf"){{0,4}}{_ANSWERS}\b.*)$",
        rf"^(?:\w+[,.]? ){{0,3}}?i (?:usually|always|generally|normally|typically) (?:need|want|like) "
        rf"(?P<yes>(?:[\w-]+ ){{0,4}}{_ANSWERS}"
        r"\b.*)$",
        rf"^(?:.{{0,30}}?[,.] )?(?:please |can you |could you |and |just |also |so |then )*(?P<yes>keep "
        rf"(?:it|them|things|everything|"
        rf"(?:your |the |all )?(?:{_ANSWERS})) (?:very |really |nice and |as )*{_STYLE}\b.*?)[?]?$",
        rf"^(?:\w+[,.]? ){{0,2}}?i (?:don't|do not) (?:need|want|like) (?P<no>(?:any |all |your |the |so many "
        rf")?(?:[\w-]+ )?{_ANSWERS}"
        r"\b.*)$",
        rf"^(?:(?:yes|yeah|ok|okay|and|again|perfect|thanks)[,.!]? )*(?:please,? )?(?P<yes>(?:no |only |just "
        rf")?(?:[\w-]+ ){{0,2}}"
        rf"(?:{_ANSWERS}|one concept at a time|one step at a time|step by step)(?: only)?),? (?:please|as usual|as "
        rf"always)\b.*$",
        r"^(?:(?:yes|yeah|ok|okay|and|again|perfect|thanks)[,.!]? )*(?:please,? )?(?P<yes>one "
        r"(?:concept|step|question|thing) at a time)"
        r",?(?: please)?$",
        r"^(?:please |and |so )*(?:from now on,? |in future,? |going forward,? )?(?:please "
        r")?(?P<yes>(?:always|never) (?:answer|reply|"
        r"respond|use|give|explain|write|start|format|include|add)\b.*)$",
        r"^(?:please |and |so )*(?:from now on|in future|going forward),? (?:please "
        r")?(?P<yes>(?:answer|reply|respond|use|give|explain|"
        r"write|start|format|keep|don't use|include)\b.*)$",
        r"^(?:\w+[,.]? ){0,3}?i (?:really )?(?:hate|dislike|don't like|can't stand) (?:it )?when "
        r"(?:you|tutorials|explanations|answers) "
        r"(?P<no>.+)$",
    )
)
_HINT = re.compile(
    r"(?i)\b(?:you|intro|list|keep|prefer|answer|repl|respon|explanation|bullet|paragraph|preamble|example|detail|summar|concept|step|"
    r"emoji|jargon|always|never|please|tutorial|disclaimer|caveat)"
)
_CUT = re.compile(r"\s+(?:—|–|-)\s+.*$|[.!?…]+$|\s*,?\s*(?:please|thanks|thank you)$", re.IGNORECASE)


def manner(text: str, sentence: Span) -> Iterator[tuple[str, bool, Span]]:
    """What a sentence says about how to be answered, whether it denies it, and the characters that say it."""
    words = text[slice(*sentence)].rstrip()
    start = sentence[1] - len(text[slice(*sentence)].lstrip())
    words = words.lstrip()
    if not _HINT.search(words) or len(words) > 200:
        return
    plain = words.rstrip(".!?… ").replace("’", "'")
    for pattern in _PATTERNS:
        match = pattern.match(plain)
        if match is None:
            continue
        name = "no" if "no" in match.groupdict() and match.groupdict()["no"] else "yes"
        span = start + match.start(name), start + match.end(name)
        value = _CUT.sub("", text[slice(*span)]).strip(" ,;")
        if 0 < len(value.split()) <= 16:
            yield value, name == "no", (start, start + len(words.rstrip(".!? ")))
        return
