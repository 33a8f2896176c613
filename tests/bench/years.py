"""Years of one person's chats, as many turns as asked for: the demo's sittings told again and again about other people.

The same seed gives the same turns. A sitting keeps its words; the people, places and things in it are drawn anew, days
and numbers move a little, so that beliefs about many subjects add up, change and repeat. Sittings in which the person
says where they live or work come once a year only.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import groupby, islice, product
from pathlib import Path
from typing import Any

from store.records import Instant, Turn

DEMO = Path(__file__).resolve().parents[2] / "app" / "demo" / "year.jsonl"
BEGIN = datetime(2021, 1, 1, tzinfo=UTC)
A_DAY = 28
"""Turns that a day has at most."""

_PEOPLE = "Callum Ana Bruno Leonor Miguel Pavel Joana Helena Duarte Yasmin Saskia Ingrid Odete Gaspar Armindo Lurdes"
_PLACES = "Lisbon Ghent Viseu Coimbra Rotterdam Cork Braga Matosinhos Leuven Lamego Barreiro Maia Antwerp Brno"
_THINGS = "Bica Middlemarch Fairphone Brompton Pixel Clio Dispossessed Piranesi Gazelle Tidewell Solum Gorreana"
_STARTS = "Al Ber Cor Da El Fa Gor Hel Is Jo Ka Lu Mar Nor Os Pe Qui Ro Sal Ti Ur Vel Wim Yas Zo"
_ENDS = "ana bor cel dun erik fia gard hilde ino jan kas lor mund nel oak pia quist ria sen tova"
_NUMBER = re.compile(r"\b[2-9]\d?\b(?![:.])")
_OWN_STATE = re.compile(r"\bI (?:now )?(?:live|work|moved|was born|weigh)\b|\bI'm [A-Z]")


def sittings() -> list[list[dict[str, Any]]]:
    """The demo's conversations."""
    lines = [json.loads(line) for line in DEMO.read_text(encoding="utf-8").splitlines()]
    return [list(some) for _, some in groupby(lines, key=lambda line: line["session"])]


class Years:
    """One person's talk, day after day."""

    def __init__(self, seed: int = 7) -> None:
        self._random = random.Random(seed)
        self._sittings = sittings()
        self._loose = [one for one in self._sittings if not any(_OWN_STATE.search(turn["text"]) for turn in one)]
        coined = [start + end for start, end in product(_STARTS.split(), _ENDS.split())]
        self._random.shuffle(coined)
        third = len(coined) // 3
        self._pools = [(_PEOPLE.split(), coined[:third]), (_PLACES.split(), coined[third : 2 * third]),
                       (_THINGS.split(), coined[2 * third :])]  # fmt: skip

    def day(self, number: int, most: int = A_DAY) -> list[Turn]:
        """The turns of one day, counted from BEGIN."""
        said: list[Turn] = []
        place = 0
        once = number % 365 * len(self._sittings) // 365
        if once != (number - 1) % 365 * len(self._sittings) // 365:
            said += self._told(self._sittings[once], number, place)
        while len(said) < most:
            place += 1
            said += self._told(self._random.choice(self._loose), number, place, anew=True)
        return said[:most]

    def _told(self, sitting: list[dict[str, Any]], number: int, place: int, *, anew: bool = False) -> list[Turn]:
        begin = BEGIN + timedelta(days=number, hours=7 + place % 15, minutes=self._random.randrange(50))
        names = {old: self._random.choice(pool) for olds, pool in self._pools for old in olds} if anew else {}
        return [
            Turn(
                self._varied(turn["text"], names), f"{number}-{place}", speaker=turn["speaker"], role=turn["role"],
                said_at=Instant.of(begin + timedelta(seconds=40 * at)), external_id=f"{number}-{place}-{at}",
            )
            for at, turn in enumerate(sitting)
        ]  # fmt: skip

    def _varied(self, text: str, names: dict[str, str]) -> str:
        if not names:
            return text
        named = re.sub(r"[A-Z][a-z]+", lambda found: names.get(found.group(), found.group()), text)
        return _NUMBER.sub(lambda found: str(int(found.group()) + self._random.randrange(3)), named)


def turns(count: int, years: int = 5, seed: int = 7, each_day: int | None = None) -> Iterator[Turn]:
    """So many turns, spread over the days of so many years, or so many on each day."""
    talk, days = Years(seed), 365 * years
    most = each_day or -(-count // days)
    return islice((turn for number in range(days) for turn in talk.day(number, most)), count)
