"""Words that ask to forget somebody are never kept themselves: they name whom they ask to forget."""

from __future__ import annotations

import re

_LEAD = (
    r"(?:(?:hey|hi|ok|okay|so|right|now|and)[,.!]? )?"
    r"(?:please |can you |could you |would you |you can |i want you to |i['’]?d like you to )*"
)
_VERB = r"(?P<verb>forget|erase|delete|remove|wipe|get rid of)"
_ALL = r"(?:everything|anything|all of it|all that|all memories|every memory|all|whatever|the lot|what)"
_TOLD = r"(?:that )?(?:you (?:know|have|remember)|i (?:said|told you)|i['’]?ve (?:said|told you)|was said)"
_FORGET = re.compile(
    rf"(?i)\s*{_LEAD}{_VERB} (?:(?P<all>{_ALL}) )?(?:{_TOLD} )?(?:about|(?<=memories )of|(?<=memory )of) "
    r"(?P<who>\S.{0,60}?)(?:,? please)?[\s.!?]*"
)
_NOBODY = frozenset(["it", "that", "this", "them", "him", "her", "me", "myself", "us", "everything", "you"])
FORGET = "Forget everything about "
"""What a message that asks for it may begin with."""


LET_REST = "All right. “{}…” would take what I know of somebody out of the memory."
"""To whoever lets a matter rest, which may have been meant so."""


def whom_to_forget(text: str) -> str:
    """Whom or what a message asks to forget, as it names them; empty where it asks for nothing of the kind."""
    found = _FORGET.fullmatch(text)
    if found is None or _rests(found):
        return ""
    who = found["who"].strip()
    return "" if who.casefold() in _NOBODY else who


def let_rest(text: str) -> str:
    """What one says to "forget about the dentist", which lets a matter rest; empty to all else."""
    found = _FORGET.fullmatch(text)
    return LET_REST.format(FORGET.strip()) if found is not None and _rests(found) else ""


def _rests(found: re.Match[str]) -> bool:
    return found["verb"].casefold() == "forget" and not found["all"]
