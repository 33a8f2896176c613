"""Who syncs or serves the memory's folder is named, once, and never as an error; a synced folder beside it is not."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from app import paths
from app.cli.commands import cli
from app.core import synced as module
from app.core.clock import FrozenClock
from app.core.synced import synced, untold
from app.tui.screens.doctor import report
from app.tui.services import Services
from store.memory import Memory
from tests.conftest import NOW, ZONE
from tests.tui.acting import app_with, settle
from tests.tui.scripted import ScriptedMemory

LINE = "36 35 98:0 /r {where} rw,noatime shared:1 master:2 - {kind} server:/export rw"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    found = tmp_path / "me"
    found.mkdir()
    monkeypatch.setattr(Path, "home", lambda: found)
    return found


def service(memory: Path) -> str | None:
    found = synced(memory)
    return None if found is None else found.service


@pytest.mark.parametrize(
    ("folder", "named"),
    [
        ("Dropbox/notes/memory", "Dropbox"), ("Dropbox (Personal)", "Dropbox"), ("OneDrive", "OneDrive"),
        ("OneDrive - Acme Corp/x", "OneDrive"), ("Google Drive/x", "Google Drive"), ("Nextcloud", "Nextcloud"),
        ("Library/Mobile Documents/com~apple~CloudDocs/x", "iCloud Drive"), ("iCloudDrive/x", "iCloud Drive"),
        ("Library/CloudStorage/GoogleDrive-me@example.org/My Drive", "Google Drive"),
        ("Library/CloudStorage/Dropbox", "Dropbox"), ("Library/CloudStorage/OneDrive-Personal/x", "OneDrive"),
        (".local/share/erstwhile", None), ("work/Dropbox", None), ("Dropboxes", None), ("CloudStorage/Dropbox", None),
    ],
)  # fmt: skip
def test_a_service_is_known_by_the_folder_that_it_makes(home: Path, folder: str, named: str | None) -> None:
    assert service(home / folder / "memory.db") == named, "the folder need not be there"


@pytest.mark.parametrize(
    ("mark", "named"),
    [
        (".dropbox.cache", "Dropbox"), (".stfolder", "Syncthing"), (".sync_0a1b2c3d4e5f.db", "Nextcloud"),
        (".849C9593-D756-4E56-8D6E-42412F2A707B", "OneDrive"), (".tmp.drivedownload", "Google Drive"),
    ],
)  # fmt: skip
def test_a_service_is_known_by_its_mark(home: Path, mark: str, named: str) -> None:
    inside = home / "papers" / "deep"
    inside.mkdir(parents=True)
    (home / "papers" / mark).mkdir()
    found = synced(inside / "memory.db")
    assert found is not None and (found.service, found.folder) == (named, home / "papers")
    assert service(home / "memory.db") is None, "nobody syncs the folder above"


def test_a_synced_folder_beside_the_memory_is_nobodys_business(home: Path) -> None:
    (home / "Dropbox" / ".dropbox.cache").mkdir(parents=True)
    (home / ".dropbox").mkdir()  # where Dropbox keeps its own settings
    assert service(home / "memory.db") is None
    assert service(home / ".local" / "memory.db") is None


def test_a_link_is_followed_to_where_the_file_lies(home: Path) -> None:
    (home / "Dropbox").mkdir()
    (home / "here").symlink_to(home / "Dropbox")
    assert service(home / "here" / "memory.db") == "Dropbox"


@pytest.mark.parametrize(
    ("kind", "named"),
    [("nfs4", "NFS"), ("cifs", "SMB"), ("fuse.sshfs", "SSH"), ("ext4", None), ("fuse.gocryptfs", None)],
)
def test_a_network_file_system_is_known_by_its_kind(tmp_path: Path, kind: str, named: str | None) -> None:
    mounts = tmp_path / "mountinfo"
    folder = tmp_path / "my server"
    here = str(folder).replace(" ", "\\040")
    mounts.write_text("\n".join([
        LINE.format(where="/", kind="ext4"), LINE.format(where=here, kind=kind), "what nobody understands",
        LINE.format(where=f"{here}/local", kind="xfs"), LINE.format(where=f"{here}-other", kind="nfs"),
    ]))  # fmt: skip
    found = synced(folder / "a" / "memory.db", mounts=mounts)
    assert (found and found.service) == named
    assert found is None or (found.folder == folder and "another machine" in found.sentence())
    assert synced(folder / "local" / "memory.db", mounts=mounts) is None, "the innermost one counts"
    assert synced(tmp_path / "memory.db", mounts=tmp_path / "none") is None


def test_it_is_one_sentence_in_where_and_check_and_no_error(home: Path) -> None:
    db = home / "Dropbox" / "memory.db"
    with Memory.open(db, clock=FrozenClock(NOW), zone=ZONE):
        pass
    for verb in ("where", "check"):
        done = CliRunner().invoke(cli, [verb, "--db", str(db)])
        assert done.exit_code == 0 and done.output.count("Dropbox syncs") == 1
        told = json.loads(CliRunner().invoke(cli, [verb, "--db", str(db), "--json"]).output)
        assert "Dropbox syncs" in told["warning"]
        elsewhere = CliRunner().invoke(cli, ["where", "--db", str(home / "memory.db"), "--json"]).output
        assert "warning" not in json.loads(elsewhere)
    with Memory.open(db, clock=FrozenClock(NOW), zone=ZONE) as memory:
        services = Services(FrozenClock(NOW), ZONE, memory=memory)
        ill = [one for one in report(services, checked=False) if one.well is False and one.name == "folder"]
    assert len(ill) == 1 and "Dropbox syncs" in ill[0].value


def test_it_is_told_once_for_a_folder(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = home / "Dropbox" / "memory.db", home / "OneDrive" / "memory.db"
    assert "Dropbox syncs" in (untold(first) or "")
    assert untold(first) is None and untold(home / "memory.db") is None
    assert "OneDrive syncs" in (untold(second) or "") and untold(first) is None
    paths.told_file().write_text("{not what was written")
    assert untold(first) is not None

    def refuse(*_: object) -> None:
        raise OSError

    monkeypatch.setattr(module, "replace_file", refuse)
    assert untold(second) is not None, "what cannot be noted is told again"


def test_the_app_tells_it_at_the_first_start(home: Path) -> None:
    class Lying(ScriptedMemory):
        path = home / "Dropbox" / "memory.db"

    async def told() -> list[str]:
        app = app_with(Lying())
        async with app.run_test(size=(120, 30), notifications=True) as pilot:
            await settle(pilot)
            return [one.message for one in app._notifications]

    (sentence,) = asyncio.run(told())
    assert "Dropbox syncs" in sentence
    assert asyncio.run(told()) == []
