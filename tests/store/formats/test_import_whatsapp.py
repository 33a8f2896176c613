"""A WhatsApp chat keeps each message with its speaker and its own time, whatever the phone's way of writing dates."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from store.errors import BadInput
from store.formats.catalogue import detect, read
from store.formats.report import Report
from store.memory import Memory
from store.records import Turn
from tests.store.formats.importing import OPTIONS

IPHONE = """\u200e[12/03/2026, 18:04:11] Petra: \u200eMessages and calls are end-to-end encrypted.
[12/03/2026, 18:04:40] Ines: are you coming on Saturday?
[12/03/2026, 18:05:02] Petra: yes!
I'll bring the tent: the small one
[12/03/2026, 18:05:09] Petra: \u200eimage omitted
[13/03/2026, 09:11:45] Ines: I've moved to Leeds
"""
ANDROID = """3/12/26, 6:04\u202fPM - Messages and calls are end-to-end encrypted. Tap to learn more.
3/12/26, 6:04\u202fPM - Ines: are you coming on Saturday?
3/13/26, 9:11\u202fAM - Petra: <Media omitted>
3/13/26, 9:12\u202fAM - Petra: yes!
"""
GERMAN = "12.03.26, 18:04 - Ines: hallo\n02.04.26, 09:11 - Petra: na du\n"


def turns_of(folder: Path, text: str) -> tuple[list[tuple[str, str, str]], Report]:
    path = folder / "WhatsApp Chat with Petra.txt"
    path.write_text(text, encoding="utf-8")
    assert detect(path) == "whatsapp"
    report = Report()
    found = list(read((path, "whatsapp"), OPTIONS, report))
    return [(one.speaker, _when(one), one.text) for one in found], report


def _when(turn: Turn) -> str:
    assert turn.said_at is not None
    return f"{turn.said_at.local():%Y-%m-%d %H:%M}"


@pytest.mark.parametrize(
    ("name", "me", "title"),
    [
        ("wa", ("petra",), "Ines"),
        ("_chat", (), "Petra, Ines"),
        ("WhatsApp Chat (2)", ("ines", "petra"), "Petra, Ines"),
        ("WhatsApp Chat with Ines", ("petra",), "WhatsApp Chat with Ines"),
    ],
)
def test_a_file_whose_name_says_nothing_is_called_after_who_speaks(
    tmp_path: Path, name: str, me: tuple[str, ...], title: str
) -> None:
    path = tmp_path / f"{name}.txt"
    path.write_text(IPHONE, encoding="utf-8")
    found = read((path, "whatsapp"), replace(OPTIONS, me=frozenset(me)), Report())
    assert {turn.title for turn in found} == {title}


def test_an_iphone_s_chat(tmp_path: Path) -> None:
    found, report = turns_of(tmp_path, IPHONE)
    assert found[1:] == [
        ("Ines", "2026-03-12 18:04", "are you coming on Saturday?"),
        ("Petra", "2026-03-12 18:05", "yes!\nI'll bring the tent: the small one"),
        ("Ines", "2026-03-13 09:11", "I've moved to Leeds"),
    ]
    assert report.reasons == {"a picture, or a message that was deleted.": 1}


def test_an_android_s_chat_with_the_month_first(tmp_path: Path) -> None:
    found, report = turns_of(tmp_path, ANDROID)
    assert found == [("Ines", "2026-03-12 18:04", "are you coming on Saturday?"), ("Petra", "2026-03-13 09:12", "yes!")]
    assert report.reasons == {"a notice of the app.": 1, "a picture, or a message that was deleted.": 1}


def test_the_order_of_the_messages_says_which_number_is_the_month(tmp_path: Path) -> None:
    assert [day for _, day, _ in turns_of(tmp_path, GERMAN)[0]] == ["2026-03-12 18:04", "2026-04-02 09:11"]
    months_first = "01/02/2026, 10:00 - Ana: a\n01/03/2026, 10:00 - Ana: b\n02/01/2026, 10:00 - Ana: c\n"
    assert [day[:10] for _, day, _ in turns_of(tmp_path, months_first)[0]] == ["2026-01-02", "2026-01-03", "2026-02-01"]


def test_a_longer_export_adds_only_what_is_new(memory: Memory, tmp_path: Path) -> None:
    new = []
    for text in (IPHONE, IPHONE + "[14/03/2026, 10:00:00] Petra: where to?\n"):
        path = tmp_path / "chat.txt"
        path.write_text(text, encoding="utf-8")
        new.append(
            sum(step.new for step in [*memory.episodes.ingest(read((path, "whatsapp"), OPTIONS, Report()))][-1:])
        )
    assert new == [4, 1]


@pytest.mark.parametrize("text", ["Ines: hello\nPetra: hi\n", "Notes of 12/03/2026\n\nbought a tent\n"])
def test_other_texts_are_no_chats(tmp_path: Path, text: str) -> None:
    path = tmp_path / "note.txt"
    path.write_text(text, encoding="utf-8")
    assert detect(path) == "markdown"
    with pytest.raises(BadInput, match="no line that begins with a date"):
        list(read((path, "whatsapp"), OPTIONS, Report()))
