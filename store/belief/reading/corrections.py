"""A correction names what was wrong, or it points at what was said last; it never touches anything else.

"I had the door code wrong, it is 4417"; "it's Dixon, not Davis"; "I meant the 14th"; "that was a joke, forget it".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from store.belief.predicates import find
from store.belief.reading.attributes import holder_of, predicate_of
from store.belief.reading.build import Draft
from store.belief.reading.clause import Clause
from store.belief.reading.lists import wordset
from store.belief.reading.objects import Value, phrase, run_end, value
from store.belief.reading.people import Scene
from store.belief.reading.things import thing_of_words
from store.belief.reading.words import Sentence
from store.records import Claim

RETRACTION = re.compile(
    r"\b(?:(?:that|it|this|what i said)(?: (?:about|before)[^.!?]{0,40})? (?:was|is) (?:just |only |all )?(?:a "
    r"joke|a lie|not true|untrue|a test|nonsense)|"
    r"i (?:was|am|'m) (?:just |only )?(?:joking|kidding|lying|making (?:that|it) up)|i made (?:that|it|this) up|i lied|"
    r"(?:please )?forget (?:that|what i (?:just )?said|what i told you|about that|it, that)|scratch that|ignore "
    r"(?:that|what i (?:just )?said)|"
    r"take that back|disregard that|strike that)\b",
    re.IGNORECASE,
)
_RETRACTING = (
    "joke",
    "lie",
    "true",
    "test",
    "nonsense",
    "joking",
    "kidding",
    "lying",
    "lied",
    "made ",
    "making",
    "forget",
    "scratch",
    "ignore",
    "back",
    "disregard",
    "strike",
)
_SIGNAL = re.compile(
    r"\b(?:actually|correction|wrong|i meant|i mean\b|my mistake|misspoke|mistaken|mixed up|not right|incorrect|"
    r"typo|i was off|"
    r"sorry|wait|should have said|let me correct|to correct)\b",
    re.IGNORECASE,
)
_OPENS = re.compile(
    r"^\W*(?:(?:oh|oops|no|wait|hmm|ah|sorry|hey|well|ok|okay)[,.! ]+)*(?:actually|correction|sorry|wait|my "
    r"mistake|i misspoke)\b|\b(?:had|got) (?:it|that|this|her|his) wrong\b",
    re.IGNORECASE,
)
_TURNED_OUT = re.compile(
    r"^\W*(?:so |well |it |and )*(?:turns|turned) out\b|\b(?:got|had|gave|told)\b[^.;!?]{1,30}\bwrong\b"
    r"|\bi (?:was|'m|am) (?:wrong|mistaken|confused) about\b",
    re.IGNORECASE,
)
_CLAUSAL = wordset("i he she we it really sure because only just")
_ACT = frozenset(["wrong", "incorrectly"])


def retraction(text: str) -> re.Match[str] | None:
    """The words that take back what was said, if there are any."""
    low = text.lower()
    return RETRACTION.search(text) if any(word in low for word in _RETRACTING) else None


def corrects(sentence: str) -> bool:
    """The sentence opens as a correction does."""
    return _OPENS.search(sentence) is not None


def turned_out(sentence: str) -> bool:
    """Something is said never to have been so: "turns out I'm not ...", "I got the date wrong, ..."."""
    return _TURNED_OUT.search(sentence) is not None


def signals(text: str) -> bool:
    """Some word in the turn says that something was wrong."""
    return _SIGNAL.search(text) is not None


def contrasted(clause: Clause) -> str | None:
    """What the clause says that it is not: "Dixon, not Davis"; None if nothing."""
    tokens = clause.tokens
    for at in range(clause.group.after, len(tokens) - 1):
        if (
            tokens[at].low != "not"
            or at <= clause.group.after
            or (tokens[at - 1].text not in (",", "-", "—", "–") and tokens[at - 1].low != "and")
        ):
            continue
        start = at + 1 + (tokens[at + 1].low in wordset("in at on to from as for"))
        wide = replace(clause, end=len(tokens))
        found = value(wide, start, run_end(wide, start))
        if found is not None and tokens[min(found.end, len(tokens) - 1)].low in ("anymore", "any", "longer"):
            return None  # "not an analyst any more" was so once
        if found is not None and not _CLAUSAL & {token.low for token in tokens[start : found.end]}:
            return found.text
    return None


def had_wrong(clauses: Sequence[Clause], scene: Scene) -> Iterator[tuple[Clause, Draft]]:
    """ "I had the door code wrong, it is 4417", "I got her name wrong: it's Marta"."""
    for first, second in pairwise(clauses):
        if first.group.lemma not in ("have", "get", "give", "spell", "write") or first.keys != (scene.me,):
            continue
        words = [first.low(at) for at in range(first.group.after, first.end)]
        if not _ACT & set(words) and "the wrong" not in " ".join(words):
            continue
        thing = thing_of_words(first.tokens, first.group.after, first.end, scene, _ACT)
        found = said_to_be(second)
        if thing is None or found is None or not thing.attribute:
            continue
        predicate = predicate_of(thing)
        subject = holder_of(thing, scene.me, predicate)
        yield (
            replace(second, start=first.start),
            Draft(predicate, found.text, "state", subject=subject, cue="correct", functional=True),
        )


def said_to_be(clause: Clause) -> Value | None:
    """The value in "it is 4417", "it should be 4417"."""
    if (
        clause.pronoun not in ("it", "that", "this")
        or clause.group.lemma != "be"
        or clause.group.tense != "present"
        or clause.group.negative
    ):
        return None
    found = phrase(clause, clause.group.after)
    one = found[0] if found else None
    if one is None or len(one.text.split()) > 4:
        return None
    return one if clause.tokens[one.start].capital or any(letter.isdigit() for letter in one.text) else None


def pointed(earlier: Sequence[Claim], new: str, old: str | None) -> Iterator[Draft]:
    """ "It's Dixon, not Davis": the claim that said Davis is put right; without an old value, the last one-valued
    claim."""
    for claim in reversed(earlier):
        if claim.negative or claim.cue == "stop":
            continue
        if old is not None:
            if old.casefold() not in claim.object.casefold():
                continue
            text = re.sub(re.escape(old), lambda _: new, claim.object, flags=re.IGNORECASE)
        elif claim.functional or find(claim.predicate).cardinality == "one":
            if not _alike(claim.object, new):
                continue
            text = new
        else:
            continue
        yield Draft(
            claim.predicate,
            text,
            "state",
            subject=claim.subject,
            cue="correct",
            functional=claim.functional,
            replaces=old or claim.object,
        )
        return


def _alike(old: str, new: str) -> bool:
    """A value of the same make: digits for digits, a name for a name."""
    return (
        any(letter.isdigit() for letter in old) == any(letter.isdigit() for letter in new)
        and old[:1].isupper() == new[:1].isupper()
    )


def meant(sentence: Sentence) -> tuple[str, str] | None:
    """ "I meant Dixon, not Davis" and "Dixon, not Davis": (new, old)."""
    words = [
        token for token in sentence.tokens if token.kind in ("word", "quote") or token.text in (",", "-", "—", ".")
    ]
    texts = " ".join(token.text for token in words).replace(" .", ".").rstrip(".")
    match = re.match(
        r"(?i)(?:(?:sorry|oops|no|wait|correction|actually|oh|ah) ?,? ?)*(?:i meant? |it 's |it is |that 's |make "
        r"that )?(?:to say )?(?P<new>[^,]{1,40}?) ?[,—-] not (?P<old>[^,]{1,40})$",
        texts,
    )
    if match is None or not (re.match(r"(?i).*\b(?:meant?|it|that|sorry|correction|no)\b", texts) or len(words) < 8):
        return None
    return match.group("new"), match.group("old")
