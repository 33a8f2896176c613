"""Streams, trees, stamps and detection: what all importers stand on."""

from __future__ import annotations

import io
import json
import random
from pathlib import Path
from typing import Any

import pytest

from store.errors import BadInput, BadTime
from store.formats import stream
from store.formats.catalogue import detect
from store.formats.conversation import Node, fill_times, laid_out
from store.formats.report import epoch, stamp
from store.formats.stream import items
from store.records import Instant
from tests.store.formats.importing import NOW, OPTIONS, ZONE, written


@pytest.mark.parametrize("chunk", [1, 7, 64, 4096])
def test_a_window_of_any_size_gives_the_same_values(chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "CHUNK", chunk)
    values: list[Any] = [{"a": [1, {"b": 'é😀\\"]},'}]}, 12345, "x, ]", None, [[]], -1.5e3, {}]
    assert list(items(io.BytesIO(json.dumps(values, indent=2).encode()))) == values
    sequence = "\n".join(json.dumps(value) for value in values)
    assert list(items(io.BytesIO(b"\xef\xbb\xbf" + sequence.encode()))) == values
    assert list(items(io.BytesIO(b" [ ] "))) == [] and list(items(io.BytesIO(b""))) == []


def test_a_broken_stream_gives_what_came_before_and_then_says_where() -> None:
    taken: list[Any] = []
    with pytest.raises(BadInput, match="not JSON from character 1"):
        for value in items(io.BytesIO(b'[{"a": 1}, {"b": oops}]')):
            taken.append(value)  # noqa: PERF402 # what came before the error is looked at
    assert taken == [{"a": 1}]
    with pytest.raises(BadInput, match="ends in the middle"):
        list(items(io.BytesIO(b'[{"a": 1},')))
    with pytest.raises(BadInput, match="nested too deeply"):
        list(items(io.BytesIO(b"[" * 100_000)))


def test_a_long_file_is_never_held_as_a_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "CHUNK", 1000)
    window = stream._Window(io.BytesIO(b'{"text": "0123456789"} ' * 10_000))
    count = 0
    while window.peek():
        window.value()
        count += 1
        assert len(window._text) < 2100
    assert count == 10_000


def test_every_node_of_any_graph_is_laid_out_once_and_parents_come_first() -> None:
    chance = random.Random(7)
    for _ in range(200):
        names = [str(number) for number in range(chance.randrange(1, 12))]
        nodes = {
            name: Node(
                chance.choice([*names, None, "gone"]), Instant(chance.randrange(9)) if chance.random() < 0.5 else None
            )
            for name in names
        }
        layout = laid_out(nodes, chance.choice([*names, None, "gone"]))
        assert sorted(layout.order) == sorted(names) and layout.active <= set(names) and layout.active
        fill_times(nodes, layout.order, Instant(5), None)
        assert all(node.said_at is not None for node in nodes.values())


@pytest.mark.parametrize("value", [1_700_000_000, 1_700_000_000_000, 1_700_000_000_000_000, "2023-11-14T22:13:20Z",
                                   "2023-11-14T22:13:20", "1700000000.0"])  # fmt: skip
def test_a_stamp_is_read_by_its_unit_and_shown_in_the_persons_zone(value: Any) -> None:
    said = stamp(value, OPTIONS)
    assert said is not None and said.iso() == "2023-11-15T00:13:20+02:00"


def test_stamps_out_of_range_are_refused_and_an_offset_is_kept() -> None:
    wrongs: tuple[Any, ...] = (
        0, -5, 4e9, 9e18, "1970-01-01T00:00:00Z", "2031-01-01T00:00:00Z", "soon", [], float("inf"),
        float("nan"), "9" * 400,
    )  # fmt: skip
    for wrong in wrongs:
        with pytest.raises((BadInput, BadTime)):
            stamp(wrong, OPTIONS)
    assert stamp(None, OPTIONS) is None and stamp("", OPTIONS) is None
    kept = stamp("2023-11-14T22:13:20-05:00", OPTIONS)
    assert kept is not None and kept.offset == -5 * 3600 and kept.us < NOW.us
    assert epoch(1_700_000_000, ZONE).offset == 7200


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ('[{"mapping": {}}]', "chatgpt"),
        ('{"conversations": [{"mapping": {}}]}', "chatgpt"),
        ('[{"chat_messages": []}]', "claude"),
        ('[{"uuid": "1", "name": "", "messages": []}]', "claude"),
        ('[{"id": "1", "chat": {"history": {"messages": {}}}}]', "openwebui"),
        ('[{"conversation": {"speaker_a": "A"}}]', "locomo"),
        ('{"haystack_sessions": []}', "longmemeval"),
        ('{"type": "queue-operation"}\n{"type": "user", "sessionId": "s"}', "claude-code"),
        ('{"type": "session_meta", "payload": {}}', "codex"),
        ('{"messages": []}', "jsonl"),
        ('not json\n{"role": "user", "content": "x"}', "jsonl"),
        ("[[Ana]] lives in Porto.", "markdown"),
        ("# Diary\nHello", "markdown"),
    ],
)
def test_what_a_file_is_shows_in_its_content(tmp_path: Path, text: str, kind: str) -> None:
    path = tmp_path / "no.name"
    path.write_text(text)
    assert detect(path) == kind


def test_what_is_nothing_known_is_refused_in_a_sentence(tmp_path: Path) -> None:
    for content in (b"{}", b"", b"\x89PNG\x00\x00", b"PK\x03\x04broken", b"SQLite format 3\x00" + b"\x00" * 200):
        path = tmp_path / "thing"
        path.write_bytes(content)
        with pytest.raises(BadInput) as caught:
            detect(path)
        assert str(caught.value).endswith(".") and "\n" not in str(caught.value)
    with pytest.raises(BadInput):
        detect(written(tmp_path / "list.json", {"a": 1}))
