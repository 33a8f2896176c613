"""A file is checked, made anew, merged and exported as a whole; whatever is done to it, no turn is lost on the way."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from store.database.connections import Database
from store.maintenance import copies, upkeep
from store.parts.backups import Backups
from store.parts.erasing import Erasing
from store.parts.sleeping import Sleeping
from store.protocols import Clock
from store.records import Finding, Progress

if TYPE_CHECKING:
    from store.episodes.reembed import InUse
    from store.maintenance.complete import Staged
    from store.maintenance.lines import Json
    from store.maintenance.merge import Merged
    from store.maintenance.taking import Taken


class File:
    """Check, rebuild, merge, export, and take what was exported."""

    def __init__(
        self, database: Database, clock: Clock, embedder: InUse, sleeping: Sleeping, backups: Backups, erasing: Erasing
    ) -> None:
        self._database, self._clock, self._embedder = database, clock, embedder
        self._sleeping, self._backups, self._erasing = sleeping, backups, erasing

    def check(self) -> list[Finding]:
        """Look at everything, change nothing."""
        return upkeep.check(self._database)

    def rebuild(self) -> Iterator[Progress]:
        """Make everything that is derived again, from the episodes and the claims; turns that an older version of the
        reader read are read again."""
        from store.sleep.reading import outdated

        yield from upkeep.rebuild(self._database, self._embedder.chosen)
        if outdated(self._database.reader()):
            yield from self._sleeping.run(wait=True)

    def merge(self, path: Path) -> Merged:
        """Take over what another memory file holds; nothing is read again, and what either erased stays erased."""
        from store.maintenance import erase
        from store.maintenance import merge as merging

        target = copies.backup_beside(self._database.path, self._clock.now().local(), "merging")
        with merging.private_copy(path, target) as other, self._database.writing() as connection:
            merged = merging.merge(self._database, other, self._embedder, self._clock.now())
            erased = erase.of_rows(connection, merged.erased)
        if merged.erased:
            self._erasing.erase(erased)
        return merged

    def export(self, *, secrets: bool = False) -> Generator[Json, None, None]:
        """Every line of a complete export; without `secrets`, those of turns that hold any are left out."""
        from store.maintenance.lines import lines

        with self._database.reader() as reader:  # sees one state of the file, for as long as it is held
            yield from lines(reader, secrets=secrets)

    def exported(self, path: Path) -> None:
        """Write down that turns are about to be written to a file: an erase names it. A memory that may not be written
        to is not erased from either."""
        if not self._database.read_only:
            self._backups.note(path)

    def take(self, staged: Staged) -> Generator[Progress, None, Taken]:
        """Take what a complete export holds and this memory does not; whole or, where the generator is left, not at
        all. Doing it twice changes nothing, and what was erased here stays away. Raises BadInput."""
        from store.maintenance import taking

        return taking.take(self._database, staged, self._embedder, self._clock.now())
