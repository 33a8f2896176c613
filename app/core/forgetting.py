"""Words that ask to forget somebody are never kept themselves: they name whom they ask to forget."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from store.records import Entity

_LEAD = (
    r"(?:(?:hey|hi|ok|okay|so|right|now|and)[,.!]? )?"
    r"(?:please |can you |could you |would you |you can |i want you to |i['’]?d like you to )*"
)
_VERB = r"(?P<verb>forget|erase|delete|remove|wipe|get rid of)"
_ALL = r"(?:everything|anything|all of it|all that|all memories|every memory|all|whatever|the lot|what)"
_TOLD = r"(?:that )?(?:you (?:know|have|remember)|i (?:said|told you)|i['’]?ve (?:said|told you)|was said)"
_TAIL = r"(?:,? (?:please|will you|would you|can you|could you))*"
_FORGET = re.compile(
    rf"(?i)\s*{_LEAD}{_VERB} (?:(?P<all>{_ALL}) )?(?:{_TOLD} )?(?:about|(?<=memories )of|(?<=memory )of) "
    rf"(?P<who>\S.{{0,60}}?){_TAIL}[\s.!?]*"
)
_FORGET_NAMED = re.compile(
    rf"\s*(?i:{_LEAD}{_VERB}) (?P<who>(?:(?:Dr|Mrs?|Ms|Prof)\.? )?[A-ZÀ-Þ][\w'’-]+(?: [A-ZÀ-Þ][\w'’-]+){{0,2}})"
    rf"(?i:(?: altogether| completely| for good)?{_TAIL})[\s.!?]*"
)
"""Somebody by name is nothing that one lets rest: "forget Sanne"."""
_FORGET_KNOWN = re.compile(
    rf"(?i)\s*{_LEAD}{_VERB} (?P<who>(?!about\b|all\b|everything\b)\w[\w'’.-]*(?: [\w'’-]+){{0,2}}?)"
    rf"(?: altogether| completely| for good| please)*(?:[,;.!] .*)?[\s.!?]*"
)
"""The same in small letters, if that is somebody's name: "forget sanne, dont want her in here"."""
_OF_SOMEBODY = re.compile(
    r"(?i)[,;.!-]+ ?(?:(?:i|we) )?(?:don['’]?t|do not|no longer|never) want (?:to (?:see|hear of|think of) )?"
    r"(?:him|her|them)\b"
)
"""A reason that speaks of somebody, who may be known to nobody but the words: "forget tollef, dont want him here"."""
_REASON = re.compile(r"(?i)[,;.!] (?=(?:i|he|she|they|we|it|that)\b)|[,;]? (?:because|since|as) ")
"""Behind whom to forget, why."""
_NOBODY = frozenset(["it", "that", "this", "them", "him", "her", "me", "myself", "us", "everything", "you"])
FORGET = "Forget everything about "
"""What a message that asks for it may begin with."""


LET_REST = "All right. “{}…” would take what I know of somebody out of the memory."
"""To whoever lets a matter rest, which may have been meant so."""


def whom_to_forget(text: str, known: Callable[[], Iterable[Entity]] = tuple) -> str:
    """Whom or what a message asks to forget, as it names them; empty where it asks for nothing of the kind. `known`
    gives everybody who is known, who may be named in small letters and with a reason."""
    named = _FORGET_NAMED.fullmatch(text)
    if named is None and (small := _FORGET_KNOWN.fullmatch(text)):
        reason = _OF_SOMEBODY.match(text, small.end("who"))
        if (reason and small["who"].casefold() not in _NOBODY) or _is_called(small["who"], known()):
            return small["who"]
    found = named or _FORGET.fullmatch(text)
    if found is None or (named is None and _rests(found)):
        return ""
    who = _REASON.split(found["who"].strip(), maxsplit=1)[0]
    return "" if who.casefold() in _NOBODY else who


def _is_called(who: str, known: Iterable[Entity]) -> bool:
    """Whether somebody, and not something, is called so."""
    name = who.casefold()
    people = (one for one in known if one.kind in ("person", "pet") and one.name != "me")
    return any(name in {one.name.casefold(), *(alias.casefold() for alias in one.aliases)} for one in people)


def let_rest(text: str) -> str:
    """What one says to "forget about the dentist", which lets a matter rest; empty to all else."""
    found = _FORGET.fullmatch(text)
    return LET_REST.format(FORGET.strip()) if found is not None and _rests(found) else ""


def _rests(found: re.Match[str]) -> bool:
    return found["verb"].casefold() == "forget" and not found["all"]
