"""What a power cut leaves: all that was synced, and of what was not, whatever the disk had got to.

The model of one folder. A file holds what was synced and the changes since, each of which is kept, lost or torn at a
sector of 512 bytes, whatever became of the others; a file can have grown while what made it grow was lost. The names in
the folder change in order, as a file system's journal writes them, so after a cut the first so many changes are there.
Within a sector, and outside of what was written, nothing is changed: SQLite relies on that too (powersafe overwrite).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

SECTOR = 512


@dataclass(frozen=True, slots=True)
class Write:
    """Bytes that were written at an offset."""

    at: int
    data: bytes

    def on(self, image: bytearray) -> None:
        """Do it."""
        grow(image, self.at)
        image[self.at : self.at + len(self.data)] = self.data

    def sectors(self) -> Iterator[Write]:
        """The same, sector by sector."""
        end = self.at + len(self.data)
        at = self.at
        while at < end:
            stop = min(end, (at // SECTOR + 1) * SECTOR)
            yield Write(at, self.data[at - self.at : stop - self.at])
            at = stop


@dataclass(frozen=True, slots=True)
class Truncation:
    """A file got another size, in bytes."""

    size: int

    def on(self, image: bytearray) -> None:
        """Do it."""
        grow(image, self.size)
        del image[self.size :]


def grow(image: bytearray, size: int) -> None:
    """Make it at least so long, with zeros."""
    image.extend(bytes(max(0, size - len(image))))


@dataclass(slots=True)
class Stored:
    """One file, whatever its name is."""

    durable: bytearray = field(default_factory=bytearray)
    """Its bytes when it was synced last."""
    pending: list[Write | Truncation] = field(default_factory=list)
    """What was done since, in order."""

    def sync(self) -> None:
        """All that was done is on the disk."""
        for change in self.pending:
            change.on(self.durable)
        self.pending.clear()

    def after_cut(self, chance: random.Random) -> bytes:
        """Its bytes as one cut could leave them."""
        image = bytearray(self.durable)
        keep = chance.choice(_FATES)(chance, len(self.pending))
        for change, fate in zip(self.pending, keep, strict=True):
            if fate >= 1:
                change.on(image)
            elif isinstance(change, Write):
                if chance.random() < 0.5:
                    grow(image, change.at + len(change.data))
                for sector in change.sectors():
                    if chance.random() < fate:
                        sector.on(image)
        return bytes(image)


def _none(_chance: random.Random, count: int) -> list[float]:
    return [0.0] * count


def _every(_chance: random.Random, count: int) -> list[float]:
    return [1.0] * count


def _first_ones(chance: random.Random, count: int) -> list[float]:
    """As they came, to one that is torn."""
    kept = chance.randint(0, count)
    return [*[1.0] * kept, *[0.5, *[0.0] * count][: count - kept]]


def _any(chance: random.Random, count: int) -> list[float]:
    """Each for itself: in another order than they came."""
    kept, torn = chance.random(), chance.random()
    return [1.0 if chance.random() < kept else 0.5 if chance.random() < torn else 0.0 for _ in range(count)]


_FATES: tuple[Callable[[random.Random, int], list[float]], ...] = (_none, _every, _first_ones, _any, _any)
"""How many parts of each change are kept: none (0.0), some sectors (0.5), all (1.0)."""


class Disk:
    """The files of one folder, as they are and as they are on the disk. Counts the steps that change either."""

    def __init__(self, folder: Path, at_step: int, on_cut: Callable[[Disk], None]) -> None:
        """All that is in the folder counts as synced. `on_cut` is called in that step, counted from 1; in none if 0."""
        self.folder = folder.resolve()
        self.steps = 0
        self._at_step, self._on_cut = at_step, on_cut
        self.files = {path.name: Stored(bytearray(path.read_bytes())) for path in self.folder.iterdir()}
        self._durable = dict(self.files)
        self._pending: list[dict[str, Stored | None]] = []
        """Names that came (with what they name) or went, in order; a rename is one change."""

    def holds(self, path: str | Path | None) -> bool:
        """Whether a path lies in the folder."""
        return path is not None and Path(path).absolute().parent.resolve() == self.folder

    def step(self) -> None:
        """Something is about to change, or to be synced."""
        self.steps += 1
        if self.steps == self._at_step:
            self._on_cut(self)

    def opened(self, path: str | Path) -> Stored:
        """A file by its name; it is made if there is none."""
        name = Path(path).name
        if name not in self.files:
            self.files[name] = Stored()
            self._pending.append({name: self.files[name]})
            self.step()
        return self.files[name]

    def change(self, file: Stored, done: Write | Truncation) -> None:
        """A file was written to, or cut off."""
        file.pending.append(done)
        self.step()

    def removed(self, path: str | Path) -> None:
        """A name is gone."""
        if self.files.pop(Path(path).name, None) is not None:
            self._pending.append({Path(path).name: None})
            self.step()

    def renamed(self, old: str | Path, new: str | Path) -> None:
        """A file has another name; one that had it is gone."""
        file = self.files.pop(Path(old).name)
        self.files[Path(new).name] = file
        self._pending.append({Path(new).name: file, Path(old).name: None})
        self.step()

    def sync(self, file: Stored) -> None:
        """The bytes of a file are on the disk; its name need not be."""
        self.step()
        file.sync()

    def sync_names(self) -> None:
        """The names in the folder are on the disk."""
        self.step()
        self._durable = dict(self.files)
        self._pending.clear()

    def after_cut(self, chance: random.Random) -> dict[str, bytes]:
        """The files by their names, as one cut could leave them."""
        names: dict[str, Stored | None] = dict(self._durable)
        for change in self._pending[: chance.choice((0, chance.randint(0, len(self._pending)), None))]:
            names |= change
        return {name: file.after_cut(chance) for name, file in sorted(names.items()) if file is not None}
