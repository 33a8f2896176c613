"""A new turn ends what it speaks of and nothing else: an old turn, a new one, and what should be believed after both."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from app.clock import FrozenClock
from store.memory import Memory
from store.records import Fact, Instant, Stretch, Turn
from store.time import DAY
from tests.conftest import NOW, ZONE
from tests.store.belief.pairs import ENDINGS, KINDS, Pair, Seen, Value, pairs, seen

PAIRS = pairs()
DONE_BY = {
    "update": "update",
    "correct": "correct",
    "stop": "stop",
    "backfill": "backfill",
    "elaborate": "elaborate",
    "dispute": "dispute",
}
"""What the change is called that the last turn makes in the row's slot."""
ENDING = {"update", "correct", "stop", "retract", "elaborate"}


@dataclass(frozen=True)
class Outcome:
    """What became of one row."""

    pair: Pair
    before: Seen
    after: Seen
    wrong: tuple[str, ...]
    """Everything that is not as the row says."""

    @property
    def ended(self) -> set[Value]:
        """What was believed of now before the last turn and is not after it, or is not believed of any time."""
        return set((self.before.now - self.after.now) | (self.before.ever - self.after.ever))


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> list[Outcome]:
    folder = tmp_path_factory.mktemp("pairs")
    return [outcome(pair, folder / f"{number}.db") for number, pair in enumerate(PAIRS)]
