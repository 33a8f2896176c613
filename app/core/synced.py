"""A memory belongs on a disk of its own machine: where something else copies or serves its folder, the person is told.

Told it is by what is there and by name: files with which a service marks the folder that it syncs, folders with its
name where it puts them, and, on Linux, the kind of the file system. It is a warning, never an error, and once for a
folder. A synced folder beside that of the memory is nobody's business.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from app.paths import read_note, replace_file, told_file

MARKERS: dict[str, tuple[str, ...]] = {
    "Dropbox": (".dropbox.cache",),
    "OneDrive": (".849C9593-D756-4E56-8D6E-42412F2A707B",),
    "Google Drive": (".tmp.drivedownload", ".tmp.driveupload"),
    "Nextcloud": (".nextcloudsync.log", ".owncloudsync.log", ".sync_*.db", "._sync_*.db"),
    "Syncthing": (".stfolder",),
}
"""What lies in the folder that a service syncs, and in no other: by name, or by a pattern."""
NAMES = {
    "Dropbox": "Dropbox", "OneDrive": "OneDrive", "Google Drive": "Google Drive", "GoogleDrive": "Google Drive",
    "My Drive": "Google Drive", "iCloudDrive": "iCloud Drive", "Nextcloud": "Nextcloud", "ownCloud": "Nextcloud",
}  # fmt: skip
"""Folders that services make at home, or at the top of a drive: also with more behind a blank ("OneDrive - Acme")."""
NETWORK = {
    "nfs": "NFS", "nfs4": "NFS", "cifs": "SMB", "smb3": "SMB", "smbfs": "SMB", "fuse.sshfs": "SSH", "afs": "AFS",
    "fuse.rclone": "rclone", "fuse.davfs": "WebDAV", "davfs": "WebDAV", "ceph": "Ceph", "fuse.glusterfs": "Gluster",
}  # fmt: skip
"""Kinds of file systems, as Linux names them, that another machine serves."""
MOUNTS = Path("/proc/self/mountinfo")


class Synced(NamedTuple):
    """A folder that is not this machine's alone."""

    service: str
    folder: Path  # the one that is synced, or where another machine's is mounted
    network: bool = False

    def sentence(self) -> str:
        """What is wrong with that and what to do, in one sentence."""
        if self.network:
            return (
                f"The memory lies on {self.folder}, which another machine serves ({self.service}): locks may not hold "
                "there, and a lost connection may damage the file; keep it on a disk of this machine (--db, "
                "ERSTWHILE_DB), and only backups there."
            )
        return (
            f"The memory lies in {self.folder}, which {self.service} syncs: a copy that is made in the middle of a "
            "write may be broken, and two machines overwrite each other's; keep it elsewhere (--db, ERSTWHILE_DB), and "
            "only backups or exports there."
        )


def synced(memory: Path, *, mounts: Path = MOUNTS) -> Synced | None:
    """Who else has to do with the folder that a memory lies in, or would lie in; None: nobody, it seems."""
    folder, home = Path(os.path.realpath(memory)).parent, Path(os.path.realpath(Path.home()))
    for here in (folder, *folder.parents):
        if service := _marked(here) or _named(here, home):
            return Synced(service, here)
    inside = [one for one in _mounted(mounts) if one[0] == folder or one[0] in folder.parents]
    point, kind = max(inside, key=lambda one: len(one[0].parts), default=(folder, ""))
    return Synced(NETWORK[kind], point, network=True) if kind in NETWORK else None


def untold(memory: Path) -> str | None:
    """The sentence about a memory's folder, the first time that it is asked for; from then on None."""
    found = synced(memory)
    if found is None:
        return None
    file, key = told_file(), f"{found.service} {os.path.realpath(memory.parent)}"
    told = read_note(file, list[str]())
    if key in told:
        return None
    with suppress(OSError):  # it will be told again, which is no harm
        replace_file(file, json.dumps([*told, key], ensure_ascii=False))
    return found.sentence()


def _marked(folder: Path) -> str | None:
    """The service whose mark lies in a folder."""
    for service, marks in MARKERS.items():
        try:
            if any(next(folder.glob(mark), None) for mark in marks):
                return service
        except OSError:  # a folder that may be passed through and not be listed
            continue
    return None


def _named(folder: Path, home: Path) -> str | None:
    """The service that makes a folder of this name in this place."""
    name, above = folder.name, folder.parent
    if above.name == "Mobile Documents" and above.parent.name == "Library":
        return "iCloud Drive"
    if above.name == "CloudStorage" and above.parent.name == "Library":
        name = name.partition("-")[0]  # "GoogleDrive-me@example.org"
    elif above not in (home, Path(folder.anchor)):
        return None
    return next((service for start, service in NAMES.items() if name == start or name.startswith(f"{start} ")), None)


def _mounted(mounts: Path) -> Iterator[tuple[Path, str]]:
    """(where, kind) of each file system, as proc(5) describes it; none where that cannot be read."""
    try:
        lines = mounts.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    except OSError:
        return
    for line in lines:
        before, _, after = line.partition(" - ")
        fields, kind = before.split(" "), after.split(" ")[0]
        if len(fields) > 4 and kind:
            yield Path(re.sub(r"\\(\d{3})", lambda code: chr(int(code[1], 8)), fields[4])), kind
