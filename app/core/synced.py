"""A memory belongs on a disk of its own machine: where something else copies or serves its folder, the person is told.

It is told by names (of what a service puts into the folder that it syncs, and of the folders that it makes) and, on
Linux, by the kind of the file system. It is a warning, never an error, and once for a folder.
"""

from __future__ import annotations

import json
import os
import re
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from app.paths import read_note, replace_file, told_file

MARKS = {
    ".dropbox.cache": "Dropbox", ".849C9593-D756-4E56-8D6E-42412F2A707B": "OneDrive", ".stfolder": "Syncthing",
    ".tmp.drivedownload": "Google Drive", ".nextcloudsync.log": "Nextcloud", ".owncloudsync.log": "Nextcloud",
}  # fmt: skip
"""What lies in the folder that a service syncs, and in no other."""
NAMES = {
    "Dropbox": "Dropbox", "OneDrive": "OneDrive", "Google Drive": "Google Drive", "GoogleDrive": "Google Drive",
    "My Drive": "Google Drive", "iCloudDrive": "iCloud Drive", "Mobile Documents": "iCloud Drive",
    "Nextcloud": "Nextcloud", "ownCloud": "Nextcloud",
}  # fmt: skip
"""Folders that services make at home, in its Library, or at the top of a drive: also with more behind it ("OneDrive -
Acme", "GoogleDrive-me@example.org")."""
NETWORK = {
    "nfs": "NFS", "nfs4": "NFS", "cifs": "SMB", "smb3": "SMB", "smbfs": "SMB", "fuse.sshfs": "SSH", "afs": "AFS",
    "fuse.rclone": "rclone", "fuse.davfs": "WebDAV", "davfs": "WebDAV", "ceph": "Ceph", "fuse.glusterfs": "Gluster",
}  # fmt: skip
"""Kinds of file systems, as Linux names them, that another machine serves."""
MOUNTS = Path("/proc/self/mounts")


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
    library = home / "Library"
    for here in (folder, *folder.parents):
        name = here.name.partition("-")[0] if here.parent == library / "CloudStorage" else here.name
        is_place = here.parent in (home, library, library / "CloudStorage", Path(folder.anchor))
        marked = [service for mark, service in MARKS.items() if os.path.lexists(here / mark)]
        named = [service for start, service in NAMES.items() if is_place and f"{name} ".startswith(f"{start} ")]
        if marked or named:
            return Synced((marked or named)[0], here)
    inside = {point: kind for point, kind in _mounted(mounts) if point in (folder, *folder.parents)}
    point = max(inside, key=lambda one: len(one.parts), default=folder)
    kind = NETWORK.get(inside.get(point, ""))
    return None if kind is None else Synced(kind, point, network=True)


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


def _mounted(mounts: Path) -> list[tuple[Path, str]]:
    """(where, kind) of each file system, as proc(5) describes it; none where that cannot be read."""
    try:
        lines = mounts.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    except OSError:
        return []
    found = []
    for fields in (line.split(" ") for line in lines):
        if len(fields) > 2:
            where = re.sub(r"\\(\d{3})", lambda code: chr(int(code[1], 8)), fields[1])
            found.append((Path(where), fields[2]))
    return found
