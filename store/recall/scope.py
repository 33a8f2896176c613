"""What may not be seen is left out in SQL, before anything is ranked, and in every channel in the same words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import apsw

FOREVER = 2**62
"""Later than any instant, in microseconds."""


@dataclass(frozen=True, slots=True)
class Scope:
    """Which episodes count."""

    believed: int | None = None
    """Microseconds UTC: nothing said after it exists."""
    session_id: int | None = None
    """Only this session; None for all."""
    speaker: str | None = None
    """Only turns by this speaker."""
    source: str | None = None
    """Only turns from this source."""
    include_inactive: bool = False
    """Abandoned branches and flagged secrets too."""

    def where(self, episode: str) -> str:
        """The condition on a row of `episodes` named `episode`; its values are those of `bindings`."""
        parts = [f"{episode}.said_at <= :believed"]
        if self.session_id is not None:
            parts.append(f"{episode}.session_id = :session_id")
        if self.speaker is not None:
            parts.append(f"{episode}.speaker = :speaker")
        if self.source is not None:
            parts.append(f"{episode}.source = :source")
        if not self.include_inactive:
            parts.append(f"{episode}.inactive = 0 and {episode}.secret = 0")
        return " and ".join(parts)

    def bindings(self) -> dict[str, int | str]:
        """The values that `where` names."""
        return {
            "believed": FOREVER if self.believed is None else self.believed,
            "session_id": -1 if self.session_id is None else self.session_id,
            "speaker": self.speaker or "",
            "source": self.source or "",
        }

    def narrow(self) -> bool:
        """Whether it leaves out turns that the vectors' own table cannot tell."""
        return not (self.session_id is None and self.speaker is None and self.source is None)


def scope_of(
    connection: apsw.Connection,
    *,
    believed: int | None,
    session: str | None,
    speaker: str | None = None,
    source: str | None = None,
) -> Scope | None:
    """The scope that the caller asked for; None if there is no such session, so that nothing can be found."""
    found: int | None = None
    if session is not None:
        found = connection.execute("select id from sessions where key = ?", (session,)).get
        if found is None:
            return None
    return Scope(believed, found, speaker, source)
