"""What is foreign is made from what is real: an example with its bytes, its JSON or its words put out of shape.

Everything is drawn from one `random.Random`, so that a seed gives the same input again, and Hypothesis, which can hand
one out, can shrink what it finds. No input is longer than LONGEST.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Sequence
from typing import Any

LONGEST = 120_000
"""Bytes of one input; enough for whatever takes the square of its length to stand out."""
DEEP = (30, 900, 4_000, 30_000)
"""How deeply values are nested."""
BYTES = (
    b"\x00", b"\r\n", b"\r", b"\n", b"\xef\xbb\xbf", b"\xff\xfe", b"\xff", b"\xc0\x80", b"\xed\xa0\x80",
    b"\xf4\x90\x80\x80",
    b"\xe2\x80\xae", b"\xe2\x80\x8b", b"\xe2\x80\xa8", b"\xcc\x81", b"\xf0\x9f\x91\xa8\xe2\x80\x8d\xf0\x9f\x91\xa9",
    b"\x1b[2J",
    b"\x1b]0;x\x07", b"\x7f", b"\xc2\x9b", b"\xd9\xa3", b"\xc2\xb2", b'"', b"'", b"\\", b"{", b"}", b"[", b"]", b",",
    b":", b"-",
    b"<", b">", b"`", b"#", b"%", b"*", b"_", b"=", b"|", b"(", b")", b"\xee\x88\x80", b"\xe3\x80\x90", b"\t", b" ",
    b"0",
)  # fmt: skip
"""What a decoder, a parser or a terminal may trip over; also the openers of pairs that are then never closed."""
OPENERS = (
    "<!--", "%%", "[[", "![[", "![](", "[a](", "{{", "((", "**a ", "__a ", "==a ", "~~a ", "*a ", "```", "``` \n",
    "<system-reminder>",
    '<details type="reasoning"', "\ue200", "【1", "“", '"', "«", "„", "BEGIN", "-----BEGIN A", "I ", "my ", "and ",
    "the ", "a, ",
    " \n", "- a\n", "# ", "id:: ", "> ", "1", "1 ", "a@", "http://", "x.", "...", "who ", "that is ", "(a", "’s ",
    "not ", "of the ",
)  # fmt: skip
TEXTS = (
    "", " ", "\x00", "\ud800", "\udfff\ud800", "\r\n", "\ufeff", "\u202e", "٣", "²", "½", "1e999", "NaN", "null", "-0",
    "0",
    "9" * 30, "9" * 5000, "1970-01-01T00:00:00Z", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00",
    "2024-02-30", "2024-03-31T02:30:00", "1:56 pm on 8 May, 0001", "0001/01/01 (Mon) 00:00", "9999/12/31 (Fri) 23:59",
    "user", "assistant", "system", "me", "a" * 10_000, "é" * 3_000, "👩‍👩‍👧", "I live in Porto.", "undo", "split",
    "../../etc/passwd",
    "e000000000000000000", "u0000000000000000", "s1", "{}", "[]", "x y",
)  # fmt: skip
NUMBERS: tuple[Any, ...] = (
    0, -1, 1, 2, 255, 2**31, 2**53 + 1, 2**63 - 1, 2**63, -(2**63), -(2**63) - 1, 2**64, 10**30, 10**400, 0.5, -0.5,
    1e308, -1e308,
    float("inf"), float("-inf"), float("nan"), 5e-324, 1_700_000_000, 1_700_000_000_000, 253_402_300_800,
    -62_135_596_801,
)  # fmt: skip
KEYS = (
    "id", "text", "content", "role", "session", "said_at", "timestamp", "messages", "parts", "parent", "kind", "type",
    "title", "uuid",
    "mapping", "current_node", "name", "", "\ud800", "__proto__", "0", "k", "question", "as_of", "believed", "detail",
    "start", "end",
)  # fmt: skip
WORDS = (
    "two", "weeks", "after", "before", "last", "next", "this", "Friday", "March", "in", "on", "at", "the", "of",
    "every", "first", "monday",
    "and", "ago", "since", "until", "between", "from", "to", "2024", "31", "30", "29", "0", "00", "12:60", "25:00",
    "24:00", "0:00", "am",
    "pm", "noon", "midnight", "hundred", "thousand", "year", "years", "day", "month", "century", "decade", "quarter",
    "week", "53", "Easter",
    "Ramadan", "Passover", "Diwali", "Chinese", "New", "Year", "gestern", "vor", "zwei", "Wochen", "hace", "dos",
    "semanas", "어제", "지난주", "昨天",
    "上个月", "初三", "年", "月", "日", "前", "1/2/3", "0000-00-00", "2024-13-45", "9999-12-31", "0001-01-01", "99999",
    "-", "–", "/", ".", ",", "'", "’s",
    "half", "past", "quarter", "Q5", "90s", "early", "late", "mid", "end", "3.5", "1e9", "999999999999", "-5", "hier",
    "il y a", "вчера", "３日",
    "I", "live", "in", "Porto", "not", "my", "brother", "who", "moved", "no", "longer", "actually", "When", "Where",
    "did", "do", "?", "!", "\n",
)  # fmt: skip
_MARK = "\ue123{}\ue124"
_MARKED = re.compile('"\ue123(\\w+):(\\d+)\ue124"')


def mutated(examples: Sequence[bytes], chance: random.Random, words: bool = False) -> bytes:
    """One input: an example, put out of shape once to a few times. `words`: it is a text in which words are put."""
    data = chance.choice(examples)
    for _ in range(chance.choice((1, 1, 1, 2, 2, 3, 5))):
        ways = (*_ON_BYTES, *_ON_JSON) if not words else (*_ON_BYTES, *_ON_WORDS)
        way = chance.choice(ways)
        data = way(data, examples, chance)[:LONGEST]
    return data


Way = Callable[[bytes, Sequence[bytes], random.Random], bytes]


# -- bytes


def _flip(data: bytes, _examples: Sequence[bytes], chance: random.Random) -> bytes:
    changed = bytearray(data)
    for _ in range(min(len(data), chance.choice((1, 1, 2, 8)))):
        changed[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    return bytes(changed)


def _truncate(data: bytes, _examples: Sequence[bytes], chance: random.Random) -> bytes:
    return data[: chance.randrange(len(data) + 1)]


def _drop(data: bytes, _examples: Sequence[bytes], chance: random.Random) -> bytes:
    start, end = _slice(data, chance)
    return data[:start] + data[end:]


def _repeat(data: bytes, _examples: Sequence[bytes], chance: random.Random) -> bytes:
    """A part of it, so often that it fills the room."""
    start, end = _slice(data, chance)
    end = min(end, start + chance.choice((1, 2, 8, 64, 1_000)))
    part = data[start:end]
    times = chance.choice((2, 50, LONGEST // max(1, len(part))))
    return data[:start] + part * times + data[end:]


def _put_bytes(data: bytes, _examples: Sequence[bytes], chance: random.Random) -> bytes:
    at = chance.randrange(len(data) + 1)
    return data[:at] + chance.choice(BYTES) * chance.choice((1, 1, 2, 3)) + data[at:]


def _put_openers(data: bytes, _examples: Sequence[bytes], chance: random.Random) -> bytes:
    """Something that begins and does not end, again and again: what looks for the end each time takes the square."""
    at = chance.randrange(len(data) + 1)
    opener = chance.choice(OPENERS).encode()
    return data[:at] + opener * (chance.choice((3, 300, LONGEST)) // len(opener) + 1) + data[at:]


def _splice(data: bytes, examples: Sequence[bytes], chance: random.Random) -> bytes:
    other = chance.choice(examples)
    return data[: chance.randrange(len(data) + 1)] + other[chance.randrange(len(other) + 1) :]


def _shuffle_lines(data: bytes, _examples: Sequence[bytes], chance: random.Random) -> bytes:
    lines = data.splitlines(keepends=True)
    chance.shuffle(lines)
    return b"".join(lines[: chance.randrange(len(lines) + 1)] + lines[:2]) if lines else data


def _slice(data: bytes, chance: random.Random) -> tuple[int, int]:
    start = chance.randrange(len(data) + 1)
    return start, min(len(data), start + chance.choice((1, 2, 5, 20, 200, 5_000)))


_ON_BYTES: tuple[Way, ...] = (_flip, _truncate, _drop, _repeat, _put_bytes, _put_openers, _splice, _shuffle_lines)


# -- JSON


def _json(data: bytes, _examples: Sequence[bytes], chance: random.Random) -> bytes:
    """One value of a JSON document, or of one of its lines, is another one; bytes where it is no JSON."""
    whole = _loaded(data)
    if whole is not None:
        return _dumped(_changed(whole[0], chance))
    lines = data.splitlines()
    if not lines:
        return _put_bytes(data, _examples, chance)
    place = chance.randrange(len(lines))
    line = _loaded(lines[place])
    if line is None:
        return _put_bytes(data, _examples, chance)
    lines[place] = _dumped(_changed(line[0], chance))
    return chance.choice((b"\n", b"\n", b"\n", b"\r\n")).join(lines) + b"\n"


def _loaded(data: bytes) -> tuple[Any] | None:
    """The value, alone in a tuple; None where there is none."""
    try:
        return (json.loads(data),)
    except (ValueError, RecursionError):
        return None


def _changed(value: Any, chance: random.Random) -> Any:
    """The value with one of the values in it changed, or itself another one."""
    places = _places(value)
    if not places or chance.random() < 0.03:
        return _other(value, chance)
    holder, key = chance.choice(places)
    how = chance.randrange(8)
    if how == 0:
        del holder[key]
    elif how == 1:
        other, there = chance.choice(places)
        holder[key], other[there] = _of(other, there), _of(holder, key)
    elif how == 2 and isinstance(holder, dict):
        holder[chance.choice((*KEYS, *_names(places)))] = holder.pop(key)
    elif how == 3 and isinstance(holder, dict):
        holder[f"\ue125{key}"] = _other(holder[key], chance)  # a key that is there twice, once it is written
    elif how == 4 and isinstance(holder, list):
        holder.extend([holder[key]] * chance.choice((1, 3, 200)))
    else:
        holder[key] = _other(holder[key], chance)
    return value


def _of(holder: Any, key: Any) -> Any:
    """A value that may have gone with another one."""
    return holder[key] if (isinstance(holder, list) and key < len(holder)) or key in holder else None


def _names(places: Sequence[tuple[Any, Any]]) -> list[str]:
    return [key for _, key in places if isinstance(key, str)] or ["x"]


def _places(value: Any) -> list[tuple[Any, Any]]:
    """Every (list or object, index or key) in a value."""
    found: list[tuple[Any, Any]] = []
    waiting = [value] if isinstance(value, dict | list) else []
    while waiting:
        holder = waiting.pop()
        inner = list(holder.items()) if isinstance(holder, dict) else list(enumerate(holder))
        for key, one in inner:
            found.append((holder, key))
            if isinstance(one, dict | list):
                waiting.append(one)
    return found


def _other(value: Any, chance: random.Random) -> Any:
    """Some value of any kind, or a damaged one of the same."""
    kind = chance.randrange(9)
    if kind == 0:
        return _MARK.format(f"deep:{chance.choice(DEEP)}")
    if kind == 1:
        return _MARK.format(f"digits:{chance.choice((20, 400, 5_000))}")
    if kind == 2:
        return chance.choice((None, True, False, [], {}, [[]], [None], {"": None}, [{}], [[], {}]))
    if kind in (3, 4):
        return chance.choice(NUMBERS)
    if kind == 5 and isinstance(value, str):
        return " ".join(chance.choice(WORDS) for _ in range(chance.choice((1, 3, 9, 300))))
    if kind == 6 and isinstance(value, str):
        at = chance.randrange(len(value) + 1)
        return value[:at] + chance.choice((*TEXTS, *OPENERS)) * chance.choice((1, 1, 400)) + value[at:]
    return [value, value] if kind == 7 else chance.choice(TEXTS)


def _dumped(value: Any) -> bytes:
    """As JSON, with what JSON can spell and Python cannot hold."""
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (ValueError, RecursionError):
        return b"[]"
    text = text.replace("\ue125", "")
    # A surrogate stands in JSON as an escape; as bytes it would be no UTF-8, which flips of bytes make anyway.
    text = re.sub("[\ud800-\udfff]", lambda one: f"\\u{ord(one[0]):04x}", text)
    return _MARKED.sub(_spelled, text).encode()


def _spelled(mark: re.Match[str]) -> str:
    count = int(mark[2])
    return "[" * count + "]" * count if mark[1] == "deep" else "9" * count


_ON_JSON: tuple[Way, ...] = (_json,) * 10


# -- words


def _put_words(data: bytes, _examples: Sequence[bytes], chance: random.Random) -> bytes:
    words = data.decode("utf-8", "replace").split(" ")
    at = chance.randrange(len(words) + 1)
    words[at:at] = [chance.choice((*WORDS, *WORDS, *TEXTS)) for _ in range(chance.choice((1, 2, 4, 12)))]
    return " ".join(words).encode("utf-8", "surrogatepass")


def _only_words(_data: bytes, _examples: Sequence[bytes], chance: random.Random) -> bytes:
    words = [chance.choice(WORDS) for _ in range(chance.choice((1, 2, 3, 4, 6, 10)))]
    return chance.choice((" ", " ", " ", "")).join(words).encode()


def _repeat_words(data: bytes, _examples: Sequence[bytes], chance: random.Random) -> bytes:
    words = data.decode("utf-8", "replace").split(" ")
    at = chance.randrange(len(words))
    part = words[at : at + chance.choice((1, 2, 3, 5))]
    return " ".join(words[:at] + part * chance.choice((3, 30, 2_000)) + words[at:]).encode()


_ON_WORDS: tuple[Way, ...] = (_put_words, _put_words, _put_words, _only_words, _repeat_words)
