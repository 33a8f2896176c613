"""What is said to words that ask to forget somebody, where nothing opens to erase them."""

from __future__ import annotations

import re

from store.reading.asking.forgetting import asks_to_forget, lets_rest, whom_to_forget

FORGET = "Forget everything about "  # what a message that asks for it may begin with
LET_REST = "Nothing was taken out of the memory. “{}” would do that."
"""To whoever lets a matter rest, which may have been meant so."""
_NAMED = re.compile(
    r"(?i)\bforget (?!(?:about )?(?:it|that|this|them|him|her)\b)(?:about )?(?P<who>\w[^,;.!?\n]{0,60}?)"
    r"(?: (?:too|as well|also|now|then|please|pls|plz|thanks|thx|ok|okay|will you))*\s*(?:[,;.!?\n]|$)"
)


def let_rest(text: str) -> str:
    """What one says to "forget about the dentist", which lets a matter rest, and to "forget dinner", which is nobody
    that is known; empty to all else."""
    if not (lets_rest(text) or (asks_to_forget(text) and not whom_to_forget(text))):
        return ""
    named = _NAMED.search(text)
    return LET_REST.format(f"{FORGET}{named['who'] if named else '…'}")
