"""The model that was chosen is on the list, wherever it lies."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.core import shelf
from app.core.settings import write
from app.paths import config_dir


def test_a_chosen_model_outside_of_all_folders_is_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.core.settings.found_models", list)
    file = tmp_path / "mine.gguf"
    file.write_bytes(b"GGUF")
    write(config_dir(), "model", "path", str(file))
    listed = shelf.shelf()
    assert [(one.path, one.used) for one in listed] == [(file, True)]
