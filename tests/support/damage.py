"""Damage as disks and copies do it to a file: bytes changed, pages lost or exchanged, its end cut off."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

PAGE = 4096
Harm = Callable[[bytearray, random.Random], str]


def _flip(data: bytearray, chance: random.Random) -> str:
    at, length = chance.randrange(PAGE, len(data)), chance.choice((1, 40, 400))
    for place in range(at, min(len(data), at + length)):
        data[place] ^= chance.randrange(1, 256)
    return f"{length} bytes changed in page {at // PAGE}"


def _blank(data: bytearray, chance: random.Random) -> str:
    first, pages = chance.randrange(1, len(data) // PAGE), chance.choice((1, 2, 6))
    end = min(len(data), (first + pages) * PAGE)
    data[first * PAGE : end] = bytes(end - first * PAGE)
    return f"{pages} pages of zeros from page {first}"


def _cut(data: bytearray, chance: random.Random) -> str:
    at = chance.randrange(PAGE, len(data))
    del data[at:]
    return f"cut off in page {at // PAGE}"


def _swap(data: bytearray, chance: random.Random) -> str:
    one, other = (chance.randrange(1, len(data) // PAGE) * PAGE for _ in "12")
    data[one : one + PAGE], data[other : other + PAGE] = data[other : other + PAGE], data[one : one + PAGE]
    return f"pages {one // PAGE} and {other // PAGE} exchanged"


HARMS: tuple[Harm, ...] = (_flip, _flip, _blank, _cut, _swap)


@dataclass(frozen=True)
class Damage:
    """A damaged file."""

    what: str
    data: bytes


def damaged(whole: bytes, seed: int) -> Damage:
    """One damage by its number: the same for the same file."""
    chance = random.Random(seed)
    data = bytearray(whole)
    return Damage(HARMS[seed % len(HARMS)](data, chance), bytes(data))
