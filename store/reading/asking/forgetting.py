"""Words that ask to forget somebody are told from those that let a matter rest, and from "I never forget".

They teach nothing, and are never kept themselves: they name whom they ask to forget.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from store.records import Entity
from store.text.lists import wordset

_LEAD = (
    r"\s*(?:(?:hey|hi|ok|okay|so|right|now|and|oh|sorry|actually|erstwhile)[,.!]? )*"
    r"(?:(?:please|pls|plz|just|also|kindly|(?:can|could|would|will) (?:you|u)|you (?:can|should|must|need to|have to)"
    r"|i (?:want|need|would like) you to|i['’]?d like you to)[,.!]? )*"
)
_VERB = r"(?P<verb>forget|erase|delete|remove|wipe|scrub|get rid of)"
_KEEP = (
    r"(?:(?:don['’]?t|do not) (?:keep|store)|stop (?:remembering|keeping|storing)"
    r"|i don['’]?t want you to (?:remember|keep))"
)
_ALL = (
    r"(?:everything|every (?:single )?thing|anything|all of it|all that|all the things|all|whatever|the (?:lot|rest)"
    r"|what|stuff|things|(?:(?:all|every|any) (?:the )?)?(?:memory|memories|traces?|mentions?))"
)
_TOLD = (
    r"(?:that )?(?:you (?:know|have|remember|kept)|you['’]?ve (?:got|kept)|i (?:said|told you)"
    r"|i['’]?ve (?:said|told you)|was said)"
)
_OF = r"(?:(?<=memories )of|(?<=memory )of|(?<=trace )of|(?<=traces )of|(?<=mention )of|(?<=mentions )of)"
_MEMORY = r"(?:out of|from|off) (?:(?:your|the|this) (?:memory|memories|records?|mind|head|brain|notes|app)|here|this)"
_WHOLLY = (
    r"altogether|completely|entirely|totally|fully|utterly|for good|for ?ever|permanently|once and for all"
    rf"|(?:ever )?exist(?:s|ed)|{_MEMORY}|clean|(?:everything|the lot|all)(?: of (?:it|him|her|them|that))?"
    r"|,? ?and (?:everything|anything|all) (?:(?:about|to do with|with|of) (?:him|her|them)"
    r"|(?:that )?(?:he|she|they) (?:ever )?(?:said|did|told me|wrote))"
)
"""What asks for no less than all of somebody."""
_TAIL = (
    rf"(?P<tail>(?:,? ?\b(?:{_WHOLLY}|too|as well|also|please|pls|plz|thanks|thx|ta|cheers|thank you"
    r"|(?:will|would|can|could) (?:you|u)|if you (?:can|could|would)|now|right (?:now|away)|straight away|at once"
    r"|ok|okay)\b)*)"
)
_SMALL = r"(?P<who>\w[\w'’.-]*(?: [\w'’-]+){0,2}?)"
_FORGET = re.compile(
    rf"(?i){_LEAD}(?:{_VERB} (?:(?P<all>{_ALL}) )?|{_KEEP} {_ALL} )"
    rf"(?:{_TOLD} (?:on )?)?(?:(?<= on )|(?:about|to do with|{_OF}) )(?P<who>\S.{{0,60}}?){_TAIL}[\s.!?]*"
)
_FORGET_NAMED = re.compile(
    rf"(?i:{_LEAD}{_VERB} (?:that |all of )?)"
    rf"(?P<who>(?:(?:Dr|Mrs?|Ms|Prof)\.? )?[A-ZÀ-Þ][\w'’-]+(?: [A-ZÀ-Þ][\w'’-]+){{0,2}})"
    rf"(?i:{_TAIL})[\s.!?]*"
)
"""Somebody by name is nothing that one lets rest: "forget Sanne"."""
_FORGET_KNOWN = re.compile(rf"(?i){_LEAD}{_VERB} (?:that )?{_SMALL}{_TAIL}(?P<why>[,;.!]+ .*)?[\s.!?]*")
"""The same in small letters, if that is somebody's name: "forget sanne, dont want her in here"."""
_TAKEN_OUT = re.compile(
    rf"(?i){_LEAD}(?:(?:take|cut|drop|strike) {_SMALL}(?P<tail> {_MEMORY}))(?: (?:please|pls|plz))?[\s.!?]*"
)
_WANTED = re.compile(
    rf"(?i){_LEAD}i(?: want| need| would like|['’]?d like) {_SMALL} (?:to be )?"
    r"(?P<tail>forgotten|erased|deleted|wiped|removed from here)\b[^,;.!?]{0,30}[\s.!?]*"
)
_OF_SOMEBODY = re.compile(
    r"(?i)[,;.!-]+ ?(?:(?:i|we) )?(?:don['’]?t|do not|no longer|never) want (?:to (?:see|hear of|think of) )?"
    r"(?:him|her|them)\b"
)
"""A reason that speaks of somebody, who may be known to nobody but the words: "forget tollef, dont want him here"."""
_REASON = re.compile(
    r"(?i)[,;.!–-]+ (?=(?:i|he|she|they|we|it|that|changed|never ?mind|nvm|not|no longer|sorry|my)\b)"
    r"|[,;]? (?:because|since|as) "
)
"""Behind whom to forget, why."""
_MATTER = re.compile(r"(?i)(?:(?:the|that|this|my) )?(?P<who>\S.*?) (?:thing|stuff|business)")
"""Something that is named beside a word for anything: "the visa thing"."""
_ENTIRELY = re.compile(rf"(?i)\b(?:{_WHOLLY}|forgotten|erased|deleted|wiped|removed)\b")
_NOBODY = wordset("it that this them him her me myself us everything you")
_NO_NAME = _NOBODY | wordset("about all anything what who when where how why which if to for the a an these those i")
"""What begins no name."""
_NO_SURNAME = _NO_NAME | wordset("and or but with is was has at on in of today tonight tomorrow yesterday")


def whom_to_forget(text: str, known: Callable[[], Iterable[Entity]] = tuple) -> str:
    """Whom or what a message asks to forget, as it names them; empty where it asks for nothing of the kind. `known`
    gives everybody who is known, who may be named in small letters and with a reason."""
    text = " ".join(text.split())
    named = _FORGET_NAMED.fullmatch(text)
    if named is None and (small := _small(text)):
        entirely = _ENTIRELY.search(small["tail"]) or _OF_SOMEBODY.match(text, small.end("tail"))
        if (entirely and _may_be_named(small["who"])) or _is_called(small["who"], known()):
            return small["who"]
    found = named or _FORGET.fullmatch(text)
    if found is None or (named is None and _rests(found)):
        return ""
    who = _REASON.split(found["who"].strip(), maxsplit=1)[0]
    who = matter["who"] if (matter := _MATTER.fullmatch(who)) else who
    return "" if who.casefold() in _NOBODY else who


def asks_to_forget(text: str) -> bool:
    """Whether a message asks to forget somebody or something, whoever is known; it then states nothing."""
    if whom_to_forget(text):
        return True
    small = _FORGET_KNOWN.fullmatch(text)
    return small is not None and small["verb"].lower() == "forget" and not small["why"] and _may_be_named(small["who"])


_UNDO = re.compile(
    rf"(?i){_LEAD}(?:undo|take (?:it|that|this) back|revert|ctrl[- +]?z)"
    r"(?: (?:it|that|this|the last(?: (?:one|thing))?))?"
    rf"{_TAIL}[\s.!?]*"
)


_UNSAY = re.compile(
    rf"(?is){_LEAD}(?:scrap|ignore|strike|disregard|forget|cancel|delete|never ?mind)"
    r" (?:that(?: bit| thing| part| stuff)?|what i said|what i told you|the (?:bit|thing|part)) about"
    r" (?P<what>\w[^,;.!?\n]{1,80}?)"
    r"(?:[,;.!–-]+\s(?P<rest>\S.*)|[\s.!?]*)"
)


def unsaid(text: str) -> str:
    """What a message takes back by its matter: "scrap that about Mum moving in"; empty where it takes nothing back."""
    found = None if whom_to_forget(text) else _UNSAY.fullmatch(text)
    return "" if found is None else found["what"]


def said_instead(text: str) -> int:
    """Where in such a message the words begin that tell something else; its length where none do."""
    found = _UNSAY.fullmatch(text)
    return len(text) if found is None or found["rest"] is None else found.start("rest")


def asks_to_undo(text: str) -> bool:
    """Whether a message asks to take back what was done last, and says no more: it then states nothing."""
    return _UNDO.fullmatch(text) is not None


def lets_rest(text: str) -> bool:
    """Whether a message lets a matter rest: "forget about the dentist"."""
    found = _FORGET.fullmatch(text)
    return found is not None and _rests(found)


def _small(text: str) -> re.Match[str] | None:
    patterns = (_FORGET_KNOWN, _TAKEN_OUT, _WANTED)
    return next((found for pattern in patterns if (found := pattern.fullmatch(text))), None)


def _may_be_named(who: str) -> bool:
    return who.casefold().split()[0] not in _NO_NAME


def _is_called(who: str, known: Iterable[Entity]) -> bool:
    """Whether somebody, and not something, is called so, in full or by their first name, or is that to the person."""
    name = who.casefold()
    first, *others = name.split()
    meant = {name} if _NO_SURNAME.intersection(others) else {name, first}
    for one in known:
        if one.kind in ("person", "pet") and one.name != "me":
            called = {one.name.casefold(), *(alias.casefold() for alias in one.aliases)}
            mine, firsts = f"my {one.relation}", {word.partition(" ")[0] for word in called}
            if meant & called or name in firsts | {mine, *(f"{mine} {word}" for word in called | firsts)}:
                return True
    return False


def _rests(found: re.Match[str]) -> bool:
    if (found["verb"] or "").casefold() != "forget" or found["all"]:
        return False
    return not (_ENTIRELY.search(found["tail"]) and _may_be_named(found["who"]))
