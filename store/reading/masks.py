"""What is quoted, pasted, pretended or addressed to the model is not the person's own assertion, and is hidden here.

`veil` gives the stretches of a turn that nothing may be read from, the short quotations that may stand as a value (a
title, a name), and whether the turn as a whole is a joke.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from store.episodes.secrets import secret_spans
from store.reading.sentences import Span
from store.text.lists import phrases, wordset

VEILED = "[…]"
"""Stands for what is hidden where a text is shown to a model."""
MAX_QUOTED_WORDS = 6
"""A quotation of more words is somebody's sentence; up to this many it may be a title or a name."""

_FENCE = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.DOTALL)
_CITED = re.compile(r"^[ \t]*(?:>|\|).*$", re.MULTILINE)
_MARKUP = re.compile(
    r"<!--.*?(?:-->|\Z)|<(?P<tag>[a-z][a-z0-9-]*)\b[^<>]{0,400}>.{0,2000}?</(?P=tag)\s*>|<[a-z/!?][^<>]{0,400}>",
    re.DOTALL | re.IGNORECASE,
)
"""A comment, an element with what is in it, a tag: words of a page."""
_BRACKET = re.compile(r"\[[^\[\]\n]*\](?:\([^)\n]*\))?|<[^<>\n]{1,200}>|\bhttps?://\S+")
_QUOTE = re.compile(
    r"“[^”]*(?:”|\Z)|\"[^\"\n]*(?:\"|$)|«[^»]*»|„[^“”]*[“”]|(?<![\w])‘[^\n]*?’(?!\w)|"
    r"(?<![\w])'(?=\S)[^'\n]*(?:'(?=\w)[^'\n]*)*'(?!\w)|「[^」]*」",
    re.MULTILINE,
)
_QUOTED = re.compile(r"[\"“”«»„‘「]|(?<!\w)'")
_OUTSIDE = (
    (_FENCE, ("```", "~~~")), (_CITED, (">", "|")), (_MARKUP, ("<",)), (_BRACKET, ("[", "<", "://")),
)  # fmt: skip
_CONCEALED = re.compile(
    "(?<![\U0001f3f4\U000e0020-\U000e007f])[\U000e0020-\U000e007f]|[\u202d\u202e]|"
    "(?<=[A-Za-z])[\u200b-\u200d\u2060\ufeff]+(?=[A-Za-z])"
)
"""Letters that nobody sees (but for flags), an order of reading turned round, and a word broken without a sign."""
WORKED_ON = (
    r"translate|summari[sz]e|proof-?read|rewrite|rephrase|reword|paraphrase|polish|shorten|transcribe|simplify|critique|"
    r"tl;?dr|spell-?check"
)
"""What is done to a text, and to nothing else."""
_TASK = (
    rf"{WORKED_ON}|correct|fix|edit|improve|review|analy[sz]e|classify|extract|explain|check|format|convert|answer|"
    r"complete|continue|read|look at|turn|reply to|respond to|help me (?:reply|respond|answer|understand)|what does|"
    r"ocr|parse|grade"
)
POLITE = (
    r"(?:i (?:need|want|would like) (?:you )?to|hi|hey|hello|ok|okay|please|pls|now|then|and|also|so|can|could|"
    r"would|will|you|"
    r"help|me|just|to|quickly|kindly|mind)"
)
_PAYLOAD = re.compile(
    rf"(?im)^[^\w\n]*(?:{POLITE}\b[ ,!.]*){{0,7}}(?:{_TASK})\b[^\n:]{{0,80}}(?::[ \t]*|\n)(?=\s*\S)|"
    r"\b(?:(?:here(?:'s|’s| is| are)|this is|see|pasted?|below is|following is|from|got) (?:the |an? |my |our |"
    r"this |her |his |their )?"
    r"(?:\w+ ){0,4}(?:e-?mails?|texts?|letter|message|article|draft|paragraph|essay|story|poem|lyrics|transcript|"
    r"cv|resume|bio|post|"
    r"note|notes|snippet|log|code|error|output|quote|page|review|abstract|excerpt|passage|dialogue|script|prompt|"
    r"job ad|listing|"
    r"description|cover letter|minutes|chat|conversation)\b[^\n.:]{0,60}:)|"
    r"\b(?:he|she|they|it|the \w+|\w+) (?:wrote|writes|says|said|reads|replied|texted|emailed|goes|posted)(?: to "
    r"me| me| back)?\s*:",
    re.IGNORECASE,
)
_MAIL = re.compile(
    r"(?m)^(?:(?:From|To|Subject|Date|Cc|Von|An|Betreff|Sent): .+|-{2,} ?(?:Original|Forwarded) [Mm]essage.*|"
    r"(?:Dear|Hi|Hello|Hey|Liebe[rs]?|Hola) [^\n,!]{1,40},[ \t]*\n|Begin forwarded message.*|On .{6,80} wrote:.*|"
    r"(?i:System|Assistant|User|Human|AI|Bot|Developer)\s*:.*)"
)
_LABEL = re.compile(
    r"(?m)^[ \t]*(?P<who>[A-Z][a-zà-ÿ'’-]+(?: [A-Z][a-zà-ÿ'’-]+)?):[ \t]+(?=.*\b(?:I|I['’]m|my|we|our)\b).*$"
)
_OWN_LABELS = wordset(
    "update note edit correction reminder question fyi me ps today monday tuesday wednesday thursday friday saturday "
    "sunday yesterday fact news context background summary also"
)
"""What a person writes before their own words; any other name before a colon is somebody else's line."""
_PRETENCE = re.compile(
    r"\b(?:pretend|imagine|role-?play|roleplay|act as|let'?s say|let us say|let'?s pretend|let'?s assume|suppose|"
    r"assume|hypothetically|"
    r"for the sake of argument|in character|you are now|from now on you|i (?:want|need) you to (?:act|respond|"
    r"answer|be|play|pretend|write|reply|speak|talk|behave|assume)\b|in (?:my|the|this) (?:story|novel|game|"
    r"dream|script|book|"
    r"screenplay|fanfic|campaign|short story|play|poem|song)\b|in a dream|i dreamt|i dreamed|i had (?:a|this) "
    r"(?:dream|nightmare)|"
    r"once upon a time|my (?:character|protagonist|persona)\b|write (?:me )?(?:a|an|the|my|some)\b|compose\b|draft "
    r"(?:a|an|the|my)\b|"
    r"(?:a|the) (?:story|poem|song|letter|scene|dialogue|essay|sketch) (?:about|in which|where)|say (?:the "
    r"following|this|after me)|"
    r"example sentences?|for example,? (?:if|suppose|say|someone|a user)|as an example|e\.g\.,? (?:i|my)\b|the "
    r"sentence\b|quote:|lyrics|"
    r"if i were|had i been|in another life|in an alternate|in (?:the|a|my) (?:movie|film|show|series|episode|video|"
    r"game)s?\b)",
    re.IGNORECASE,
)
_ADDRESS = (
    r"(?:notes?|message|memo|instructions?) (?:to (?:the |any |all |an )?(?:assistants?|models?)|"
    r"(?:to|for) (?:the |any |all |an )?(?:ais?|language models?|chatbots?|llms?))\b|"
    r"(?:ignore|disregard) (?:(?:all|any|of|the|your|these|those) )*(?:previous|prior|above|earlier)"
)
"""What only somebody says who speaks to a model."""
_TO_MODEL = re.compile(
    rf"(?:^|[.:;>\n][^\S\n]*|\bthat )user(?:['’]s|\s+\w+s)\b|\b(?:{_ADDRESS}|note to self-hosted|"
    r"disregard (?:all|any|the)|the user(?:'s|’s)?\b|(?:dear|attention|hey) (?:assistant|ai|model|"
    r"chatbot)\b|system prompt|"
    r"new instructions?\b|you must (?:remember|store|save|now)|(?:store|save|record|add) (?:this|that|it|the "
    r"following) (?:in|to|into) "
    r"(?:your |the )?memor(?:y|ies)|update your memory|as an ai\b|override\b)",
    re.IGNORECASE,
)
_ORDER = re.compile(
    r"\b(?:remember|store|save|note|record|memori[sz]e|add|keep in mind|don'?t forget)\b[^.!?\n]{0,80}\bthe user\b|"
    rf"\b(?:{_ADDRESS}|(?:dear|attention) (?:assistant|ai|model|chatbot))\b|"
    r"\b(?:update|add (?:this|that|it) to|write (?:this|that|it) (?:in)?to) (?:your |the )?memor(?:y|ies)\b",
    re.IGNORECASE,
)
"""In what a model or a tool says, where "the user" alone is an everyday word."""
_JOKE = re.compile(
    r"(?:^|\s)/s(?:\s|$)|/sarcasm|\bjust kidding\b|\bjk\b|\b(?:only|just) (?:joking|kidding|messing)\b|\bi'?m "
    r"(?:joking|kidding)\b|"
    r"\bkidding!|\bnot really,? (?:just|lol|haha)|\bthat was a joke\b|\byeah,? right\b|\bas if!|\b\.\.\. ?not!|"
    r"\bNOT!|🙃|🙄|\blol,? no\b|"
    r"\bi'?m being sarcastic\b|\bsarcasm\b|\bapril fools?\b|\bhere'?s a joke\b|\bjoke:|\bknock knock\b|\bin your "
    r"dreams\b",
    re.IGNORECASE,
)
_IRONY = re.compile(
    r"^\W*(?:oh,? (?:great|sure|yeah|yes|fantastic|wonderful|joy|brilliant|of course|lovely|perfect)\b[,.!]?|"
    r"sure,? because|"
    r"yeah,? because|right,? because|because obviously|clearly,? i|obviously,? i|i just love (?:it when|how|when|"
    r"\w+ing)|don'?t you just love)",
    re.IGNORECASE,
)


_SENTENCE_END = re.compile(r"[.!?](?=\s|$)|(?=\n)")

_TRIGGERS: dict[str, frozenset[str]] = {
    "payload": phrases(
        ":, translat, summar, proof, rewrit, rephras, reword, paraphras, correct, fix, edit, polish, shorten, "
        "improv, review, analy, classif, extract, explain, check, format, convert, transcrib, simplif, "
        "critique, answer, complet, continue, read, look at, tl;dr, tldr, turn, reply, respond, help me, what "
        "does, spell, ocr, parse, grade"
    ),
    "pretence": phrases(
        "pretend, you to, imagine, role, act as, let, suppose, assum, hypothe, argument, character, you are now, from "
        "now on you, story, novel, game, dream, script, book, play, fanfic, campaign, poem, song, nightmare, "
        "once upon, protagonist, persona, write, compose, draft, scene, dialogue, essay, sketch, say, "
        "example, e.g, sentence, quote:, lyrics, if i were, had i been, another life, alternate, movie, film, "
        "show, series, episode, video"
    ),
    "to_model": phrases(
        "note to, ignore, disregard, user, assistant, attention, model, chatbot, ai, llm, system "
        "prompt, instruction, you must, memor, as an ai, override"
    ),
    "joke": phrases(
        "/s, sarcas, kidding, jk, joking, messing, lol, joke, yeah, as if, not!, 🙃, 🙄, april, knock, dreams"
    ),
}
"""A pattern is only tried where one of its words occurs: looking for a word is a hundred times faster than trying a
pattern."""


class Veil(NamedTuple):
    """What may not be read, and what may only be read whole."""

    hidden: list[Span]
    quotes: list[Span]
    joke: bool


def veil(text: str) -> Veil:
    """Where a turn must not be read, and which short quotations may stand as values."""
    hidden = outside(text)
    hidden += secret_spans(text) + concealed(text)
    if ":" in text:
        lines = _LABEL.finditer(text)
        hidden += [line.span() for line in lines if line["who"].split()[0].lower() not in _OWN_LABELS]
    low = text.lower()
    tail = _tail(text, low)
    if tail is not None:
        hidden.append((tail, len(text)))
    quotes: list[Span] = []
    for match in _QUOTE.finditer(text) if _QUOTED.search(text) else ():
        (quotes if _is_value(match.group()) else hidden).append(match.span())
    hidden = _merged(hidden)
    quotes = [(a, b) for a, b in quotes if not any(x < b and a < y for x, y in hidden)]
    return Veil(hidden, quotes, _may(low, "joke") and _JOKE.search(text) is not None)


def directed(text: str, role: str) -> Span | None:
    """The first sentence that speaks to a model and not to a person ("note to the assistant: ...", "remember that the
    user's bank is ..."); None where there is none."""
    if not _may(text.lower(), "to_model"):
        return None
    match = (_TO_MODEL if role == "user" else _ORDER).search(text)
    if match is None:
        return None
    end = _SENTENCE_END.search(text, match.end())
    return _sentence_start(text, match.start()), len(text) if end is None else end.end()


def outside(text: str) -> list[Span]:
    """What lies in a text from elsewhere by its marks: code, cited lines, markup, brackets, links."""
    patterns = [pattern for pattern, marks in _OUTSIDE if any(mark in text for mark in marks)]
    return [match.span() for pattern in patterns for match in pattern.finditer(text)]


def concealed(text: str) -> list[Span]:
    """The sentences that hold characters which hide words from the eye."""
    if text.isascii():
        return []
    found: list[Span] = []
    for match in _CONCEALED.finditer(text):
        if not found or match.start() >= found[-1][1]:
            end = _SENTENCE_END.search(text, match.end())
            found.append((_sentence_start(text, match.start()), len(text) if end is None else end.end()))
    return found


def is_ironic(sentence: str) -> bool:
    """A sentence that opens as irony does ("Oh great, ...", "Sure, because ...")."""
    return _IRONY.match(sentence) is not None


def _may(low: str, pattern: str) -> bool:
    return any(word in low for word in _TRIGGERS[pattern])


def _tail(text: str, low: str) -> int | None:
    """Where a pasted or pretended rest begins. A pretence reaches back to the start of its own sentence."""
    starts = []
    if _may(low, "payload") and (match := _PAYLOAD.search(text)):
        starts.append(match.end())
    if ("\n" in text or ":" in text) and (match := _MAIL.search(text)):
        starts.append(match.start())
    for pattern, name in ((_PRETENCE, "pretence"), (_TO_MODEL, "to_model")):
        if _may(low, name) and (match := pattern.search(text)):
            starts.append(_sentence_start(text, match.start()))
    return min(starts) if starts else None


def _sentence_start(text: str, at: int) -> int:
    return max((match.end() for match in re.finditer(r"[.!?\n]+\s+", text[:at])), default=0)


def _is_value(quotation: str) -> bool:
    inner = quotation[1:-1].strip()
    words = inner.split()
    if not words or len(words) > MAX_QUOTED_WORDS or quotation[-1].isalnum():
        return False
    return not re.match(r"(?i)(?:i|my|we|our|you|he|she|they)\b", inner) and inner[-1] not in ".!?"


def _merged(spans: list[Span]) -> list[Span]:
    merged: list[Span] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def seen(text: str, start: int = 0, end: int | None = None) -> str:
    """The words of a turn, or of the characters [start, end) of it, without what is quoted, pasted, secret or meant for
    a model; what that is follows from the whole turn."""
    last, at, shown = len(text) if end is None else end, start, ""
    for hides, shows in veil(text).hidden:
        if hides < last and shows > at:
            shown += text[at : max(at, hides)] + VEILED
            at = min(shows, last)
    return shown + text[at:last]
