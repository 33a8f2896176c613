"""Whatever the text, what leaves `plain` cannot move the cursor, change a colour, hide itself or turn the line around.

Every string that a person, a model or a file wrote passes here before a terminal sees it: the interface and the command
line share this module, so it needs nothing but the standard library. Nothing readable is lost: what would act on the
terminal is dropped, what would hide is shown as its code point."""

from __future__ import annotations

import re

_DROPPED = "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f"
_HIDDEN = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\u3164\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_SURROGATE = "\ud800-\udfff"
_LINE_END = "\r\n|[\r\u2028\u2029]"
_SUSPECT = re.compile(f"{_LINE_END}|[{_DROPPED}]|[{_HIDDEN}]|[{_SURROGATE}]")
_DROPPABLE = re.compile(f"[{_DROPPED}]")
_BLANKS = re.compile(r"\s+")
_JOINERS = "\u200c\u200d"
ELLIPSIS = "…"


def plain(text: str) -> str:
    """The text, safe to show: line ends are newlines, controls are gone, hidden characters read as ⟨U+202E⟩."""
    if text.isascii() and text.isprintable():
        return text
    return _SUSPECT.sub(_replacement, text)


def one_line(text: str, limit: int | None = None) -> str:
    """The same on a single line, blanks folded, cut at `limit` characters with an ellipsis."""
    line = _BLANKS.sub(" ", plain(text)).strip()
    if limit is None or len(line) <= limit:
        return line
    return line[: max(limit - 1, 0)].rstrip() + ELLIPSIS


def _replacement(match: re.Match[str]) -> str:
    found = match[0]
    if found in ("\r\n", "\r", "\u2028", "\u2029"):
        return "\n"
    if _DROPPABLE.match(found):
        return ""
    if "\ud800" <= found <= "\udfff":
        return "\ufffd"
    if found in _JOINERS:
        # They belong inside an emoji or a word of a joining script, and nowhere else: there they only hide.
        text, start, end = match.string, match.start(), match.end()
        beside = (text[start - 1 : start], text[end : end + 1])
        if all(one and ord(one) > 0x5FF and one.isprintable() for one in beside):
            return found
    return f"⟨U+{ord(found):04X}⟩"
