"""A model's speed is what its last replies were; a note that is lost, or cannot be written, harms nothing."""

from __future__ import annotations

from pathlib import Path

from app.core import shelf
from app.paths import read_note


def test_the_newest_reply_counts_most_and_each_model_has_its_own(tmp_path: Path) -> None:
    file, one, other = tmp_path / "data" / "speeds.json", tmp_path / "a.gguf", tmp_path / "b.gguf"
    assert shelf.speed_of(read_note(file, {}), one) == 0
    shelf.note_speed(file, one, 40.0)
    assert shelf.speed_of(read_note(file, {}), one) == 40
    shelf.note_speed(file, one, 20.0)
    shelf.note_speed(file, other, 5.0)
    known = read_note(file, {})
    assert (shelf.speed_of(known, one), shelf.speed_of(known, other)) == (30, 5)
    assert [path.name for path in file.parent.iterdir()] == ["speeds.json"]


def test_what_is_no_note_is_as_if_it_were_not_there(tmp_path: Path) -> None:
    file = tmp_path / "speeds.json"
    for text in ("", "[1]", '{"a.gguf": "fast"}', '{"a.gguf": -3}'):
        file.write_text(text, encoding="utf-8")
        assert shelf.speed_of(read_note(file, {}), Path("a.gguf")) == 0
    (tmp_path / "folder").write_text("", encoding="utf-8")
    shelf.note_speed(tmp_path / "folder" / "speeds.json", Path("a.gguf"), 3.0)
