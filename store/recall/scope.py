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
    include_inactive: bool = False
    """Abandoned branches and flagged secrets too."""

    def where(self, episode: str) -> str:
        """The condition on a row of `episodes` named `episode`; its values are those of `bindings`."""
        parts = [f"{episode}.said_at <= :believed"]
        if self.session_id is not None:
            parts.append(f"{episode}.session_id = :session_id")
        if not self.include_inactive:
            parts.append(f"{episode}.inactive = 0 and {episode}.secret = 0")
        return " and ".join(parts)

    def bindings(self) -> dict[str, int]:
        """The values that `where` names."""
        latest = FOREVER if self.believed is None else self.believed
        return {"believed": latest, "session_id": -1 if self.session_id is None else self.session_id}


def scope_of(
    connection: apsw.Connection, *, believed: int | None, session: str | None, include_inactive: bool
) -> Scope | None:
    """The scope that the caller asked for; None if there is no such session, so that nothing can be found."""
    if session is None:
        return Scope(believed, None, include_inactive)
    found: int | None = connection.execute("select id from sessions where key = ?", (session,)).get
    return None if found is None else Scope(believed, found, include_inactive)
