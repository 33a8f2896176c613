"""A slot with many claims is made of the same rows as any: only the turns' index is left out, which no belief reads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from store.beliefs.refold import dirty_groups, refold
from store.beliefs.settle import file_claims
from store.beliefs.tables import insert_claims
from store.database.connections import Database
from store.records import Claim, Instant

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

_EPISODE = (
    "insert into episodes (id, session_id, position, speaker, role, text, said_at, said_offset, recorded_at, "
    "recorded_offset, source) values (?, (select id from sessions where key = ?), ?, 'me', 'user', 'I said it.', "
    "?, 0, ?, 0, 'bench')"
)


class StillClock:
    """A clock that the benchmark sets."""

    def __init__(self, moment: Instant) -> None:
        self.moment = moment

    def now(self) -> Instant:
        return self.moment


class WordlessEmbedder:
    """Every text has the same vector: what is measured here never looks at one."""

    dimension = 8
    fingerprint = "wordless"

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        import numpy as np

        return np.full((len(texts), self.dimension), self.dimension**-0.5, dtype=np.float32)


def write_claims(database: Database, said: Sequence[Claim]) -> None:
    """Put claims into a memory, each in a turn of its own, and fold them."""
    with database.writing() as connection:
        for session in sorted({claim.session for claim in said}):
            connection.execute("insert into sessions (key, source) values (?, 'bench')", (session,))
        for claim in said:
            us = claim.said_at.us
            connection.execute(_EPISODE, (claim.episode, claim.session, claim.position, us, us))
        file_claims(connection, insert_claims(connection, said, 0))
        for subject, family in dirty_groups(connection):
            refold(connection, subject, family)
