"""A note is dated by what is written in it, falls into blocks with their lines, and never by its file's mtime."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from store.errors import BadInput
from store.formats.catalogue import sources
from store.formats.markdown import blocks_of, front_matter, plain
from store.formats.report import Report
from tests.store.formats.importing import OPTIONS, iso, said, taken


def vault(tmp_path: Path, notes: dict[str, str]) -> Path:
    folder = tmp_path / "vault"
    for name, text in notes.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def test_dates_come_from_the_head_then_the_name_then_a_heading(tmp_path: Path) -> None:
    folder = vault(tmp_path, {
        ".obsidian/daily-notes.json": json.dumps({"format": "YYYY/MM-MMMM/DD.MM.YYYY", "folder": "Daily"}),
        "Daily/2024/03-March/05.03.2024.md": "I moved to Porto.",
        "a.md": "---\ndate: 2021-02-03T10:00\ntags: [x]\n---\n# 2024-01-01\nI sold the car.",
        "b 2022-07-08.md": "I adopted a cat.",
        "c.md": "---\ncreated: 2020-01-01\n---\nFirst.\n\n## 5 May 2023\nI quit smoking.\n\n## Plans\nI want to sail.",
        "d.md": "Undated words.",
        "journals/2024_06_07.md": "- I started a job at Acme\n  with Paul\n- TODO call [[Ana Silva|Ana]]",
    })  # fmt: skip
    turns, report = taken(folder, "markdown")
    assert {turn.text: iso(turn)[:16] for turn in turns} == {
        "I moved to Porto.": "2024-03-05T00:00", "I sold the car.": "2021-02-03T10:00",
        "I adopted a cat.": "2022-07-08T00:00", "First.": "2020-01-01T00:00",
        "I quit smoking.": "2023-05-05T00:00", "Plans\nI want to sail.": "2023-05-05T00:00",
        "I started a job at Acme\n  with Paul": "2024-06-07T00:00", "call Ana": "2024-06-07T00:00",
    }  # fmt: skip
    assert len(report.skipped) == 1 and report.skipped[0].startswith("d.md:")


def test_a_note_has_one_name_however_it_is_imported_and_keeps_its_lines(tmp_path: Path) -> None:
    folder = vault(tmp_path, {".obsidian/app.json": "{}", "x/2024-01-02.md": "One.\n\n# Two\n- *red* shoes\n- blue\n"})
    whole, _ = taken(folder, "markdown")
    alone, _ = taken(folder / "x" / "2024-01-02.md", "markdown")
    assert whole == alone
    assert [turn.session for turn in whole] == ["markdown:vault/x/2024-01-02"] * 3
    assert said(whole) == ["One.", "Two\nred shoes", "blue"]
    assert json.loads(str(whole[1].original)) == {
        "file": "x/2024-01-02.md", "lines": [3, 4], "heading": "Two", "markdown": "# Two\n- *red* shoes",
    }  # fmt: skip
    os.utime(folder / "x" / "2024-01-02.md", (0, 0))
    (folder / "x" / "2024-01-02.md").write_text("Zero.\n\nOne.\n\n# Two\n- *red* shoes\n- blue\n")
    again, _ = taken(folder, "markdown")
    assert {turn.external_id for turn in whole[1:]} <= {turn.external_id for turn in again}


def test_links_that_leave_the_folder_and_settings_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "secret 2024-01-01.md").write_text("Not mine to read.")
    folder = vault(tmp_path, {"2024-01-02.md": "Mine.", ".trash/2024-01-03.md": "Thrown away."})
    (folder / "2024-01-04.md").symlink_to(tmp_path / "secret 2024-01-01.md")
    turns, report = taken(folder, "markdown")
    assert said(turns) == ["Mine."] and report.skipped == ["2024-01-04.md: a link that leaves the folder."]
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(BadInput, match="export that can be read"):
        sources(empty, None, Report(), tmp_path / "m.db")


@pytest.mark.parametrize(
    ("markup", "words"),
    [
        ("I **love** [[Rome|the city]] and ==figs==.", "I love the city and figs."),
        ("- [x] bought milk ^a1", "bought milk"),
        ("> [!note] Remember\n> I am a nurse.", "> Remember\n> I am a nurse."),
        ("See [this](http://x.y) ![[photo.png]] %%hidden%% now", "See this   now"),
        ("a_b_c and 2 * 3 * 4", "a_b_c and 2 * 3 * 4"),
        ("id:: 1234\nmood:: good", "mood:: good"),
    ],
)
def test_markup_comes_off_and_words_stay(markup: str, words: str) -> None:
    (block,) = blocks_of(markup, 0)
    assert plain(block) == words and block.raw == markup


def test_blocks_cover_every_line_of_a_note_once() -> None:
    paragraphs = "\n\n".join(f"Paragraph {n} " + "word " * 80 for n in range(8))
    text = (
        f"---\ntitle: T\nnested:\n  a: b\n---\n{paragraphs}\n\n```\n# no heading\n\nx\n```\n# One\n\n## Two\n* a\n* b\n"
    )
    properties, body = front_matter(text)
    assert properties == {"title": "T"}
    blocks = list(blocks_of(text, body))
    lines = text.splitlines()
    covered = [number for block in blocks for number in range(block.first, block.last + 1)]
    assert covered == sorted(set(covered))
    assert {n for n, line in enumerate(lines, 1) if line.strip() and n > body} <= set(covered)
    assert all(block.raw == "\n".join(lines[block.first - 1 : block.last]) for block in blocks)
    assert [block.heading for block in blocks[-3:]] == ["One", "Two", "Two"]


def test_a_note_in_utf16_or_with_nothing_in_it_says_so(tmp_path: Path) -> None:
    path = tmp_path / "2024-01-01.md"
    path.write_text("I live in Porto.", encoding="utf-16")
    with pytest.raises(BadInput, match="neither text"):
        taken(path)
    path.write_text("")
    turns, _ = taken(path, "markdown", OPTIONS)
    assert turns == []


def test_the_title_of_a_diary_is_passed_over_without_a_word(tmp_path: Path) -> None:
    folder = vault(tmp_path, {"notes.md": "# My diary\n\n## 9 March 2026\nI sold the boat.\n"})
    turns, report = taken(folder, "markdown")
    assert [turn.text for turn in turns] == ["I sold the boat."]
    assert not report.skipped


def test_a_date_that_a_line_begins_with_dates_what_follows_and_nothing_but_it_comes_off(tmp_path: Path) -> None:
    folder = vault(tmp_path, {
        "a.md": "2026-03-02\n\nThe planer broke.\n\nTuesday, 3 March 2026: -5 degrees.\nAda came.\n\n"
                "4.3.2026\n- Rest.\n- Tea.",
        "b.md": "## 2026-03-05 ##\n-3 at noon.\n",
    })  # fmt: skip
    turns, _ = taken(folder, "markdown")
    assert [(turn.text, iso(turn)[:10]) for turn in turns] == [
        ("The planer broke.", "2026-03-02"), ("-5 degrees.\nAda came.", "2026-03-03"), ("Rest.", "2026-03-04"),
        ("Tea.", "2026-03-04"), ("-3 at noon.", "2026-03-05"),
    ]  # fmt: skip


def test_a_line_that_begins_with_a_date_is_said_then_and_keeps_it_in_a_note_of_another_day(tmp_path: Path) -> None:
    told = "2026-03-02\nThe planer broke.\n\nMonday, 9 March 2026: saw Anna\nagain\n"
    (tmp_path / "Diary.md").write_text(told)
    (tmp_path / "2026-02-27.md").write_text("Stayed in.\n2026-03-05: dentist\n")
    turns, _report = taken(tmp_path, "markdown")
    assert [(turn.said_at.iso()[:10] if turn.said_at else "", turn.text) for turn in turns] == [
        ("2026-02-27", "Stayed in."), ("2026-02-27", "2026-03-05: dentist"),
        ("2026-03-02", "The planer broke."), ("2026-03-09", "saw Anna\nagain"),
    ]  # fmt: skip
