"""Text that would do harm, from a seed: escapes, markup, hidden and turned characters, wide ones, and broken ones.

Every escape that is made here carries MARK, so that one which reached a terminal can be told from the program's own.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from store.records import Answer, Change, Episode, Fact, Hit, Session
from tests.tui.scripted import ScriptedMemory, fact, instant, turns

MARK = "7357"
PIECES = (
    f"\x1b[{MARK}m", f"\x1b]52;c;{MARK}\x07", f"\x1b]0;{MARK}\x1b\\", f"\x1bP{MARK}\x1b\\", f"\x1b_{MARK}\x1b\\",
    f"\x9b{MARK}m", f"\x9d0;{MARK}\x9c", f"\x1b[{MARK};1H", f"\x1b(0{MARK}", "\x07", "\x08\x08", "\x0b", "\x0c", "\x00",
    "\x7f", "\r", "\r\n", "\n", "\t", "\x85", "\u2028", "\u2029", "[bold]", "[/nope]", "[/]", "[@click=app.quit]x[/]",
    "[link=file:///etc/hosts]y[/link]", "\\[", "]", "[[", "{x}", "%s", "$error", "<b>", "&lt;", "&#27;[1m", "&#x202e;",
    "**", "`", "```\n", "# ", "> ", "- ", "| a | b |\n|---|---|\n", "![i](http://x)", "[t](javascript:alert(1))",
    "\u202e", "\u202a", "\u2066", "\u2069", "\u200b", "\u200d", "\u200c", "\ufeff", "\u00ad", "\u061c", "\u3164",
    "\U000e0041", "\ufff9", "\ud800", "\udfff", "\ud83d", "👨‍👩‍👧‍👦", "🏳️‍🌈", "👍🏽", "🇵🇹", "1️⃣",
    "漢字仮名", "ｆｕｌｌ", "한글",
    "e\u0301\u0301\u0301\u0301", "a" + "\u0300" * 40, "שלום", "مرحبا", "ไทย", "नमस्ते", "\u0600", "\u1160",
    "word", " ", "  ",
    "x" * 300, "no-break\u00a0space", "é", "Ω", "½", "\U0001f1e6", "\U00020000", "\u0fff", "\ufdd0", "\U0010ffff",
)  # fmt: skip
HARMFUL = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u202a-\u202e\u2066-\u2069\u200b\ufeff\ud800-\udfff\U000e0000-\U000e0fff]"
)
"""What no text on a screen may hold."""
REACHED = re.compile(
    rb"\x1b[\[\]P_^X(#%][^\x1b\x07]{0,12}" + MARK.encode() + rb"|\xc2[\x80-\x9f]"
    rb"|\xe2\x80[\xaa-\xae]|\xe2\x81[\xa6-\xa9]"
    rb"|\xe2\x80\x8b|\xef\xbb\xbf|\xed[\xa0-\xbf]|[\x00\x0b\x0c\x7f]|\x1b\]52;c;" + MARK.encode()
)  # fmt: skip
"""What must not be in the bytes that a terminal is sent."""


def nasty(count: int, seed: int = 1) -> Iterator[str]:
    """So many texts."""
    source = random.Random(seed)
    for _ in range(count):
        yield "".join(source.choice(PIECES) for _ in range(source.randint(1, 9)))


@lru_cache(maxsize=64)  # each text is drawn in many ways, and all of them of the same belief
def nasty_fact(text: str, place: int = 0) -> Fact:
    """A belief whose every word is the text."""
    one = fact(text, text, text, ("2024-01-01", None), ("2024-02-01", None), quote=text, session=text)
    sources = (replace(one.sources[0], speaker=text, episode="e0"),)
    return replace(
        one, id=f"n{place}", text=text, slot=f"s{place}", qualifiers=((text, text),), sources=sources,
        disputed=place % 3 == 0, pinned=place % 4 == 0, negative=place % 5 == 0, salience=0.2,
    )  # fmt: skip


def nasty_hit(text: str) -> Hit:
    return Hit("episode", "e0", text, text, text, text, instant("2024-02-01"), 1.0, (("lexical", 1), (text, 2)))


def nasty_session(text: str) -> Session:
    return Session(text, text, text, instant("2024-02-01"), instant("2024-02-01"), 3, True)


def nasty_episode(text: str, place: int) -> Episode:
    base = turns(1)[0]
    return replace(base, id=f"e{place}", row=place, text=text, speaker=text, role="assistant" if place % 2 else "user",
                   position=place)  # fmt: skip


def nasty_memory(texts: list[str]) -> ScriptedMemory:
    """A memory in which all that can be shown is made of these texts."""
    facts = [nasty_fact(text, place) for place, text in enumerate(texts)]
    change = Change(facts[0].believed_from, "update", facts[0], facts[1])
    memory = ScriptedMemory(
        known=facts,
        said=[nasty_episode(text, place) for place, text in enumerate(texts)],
        hits=tuple(nasty_hit(text) for text in texts[:8]),
        answers={"Where do I live?": Answer(texts[0], 2, False, 1.0, tuple(facts[:3]), facts[0].sources)},
        taught={"hello": (change,)},
    )
    memory.titles["s1"] = texts[0]
    return memory
