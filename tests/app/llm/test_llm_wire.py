"""What crosses the pipe arrives as it was, and everything else is refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.llm import wire


@given(st.text(), st.integers(0, 1 << 40))
def test_any_text_is_one_line_and_comes_back(text: str, number: int) -> None:
    line = wire.encode(wire.Token(number, text))
    assert line.count(b"\n") == 1
    assert wire.decode(line, wire.Event) == wire.Token(number, text)


def test_requests_come_back() -> None:
    chat = wire.Chat(3, [["user", "hi"]], schema={"type": "object"})
    for request in (wire.Load(1, "m.gguf", 512, 2, False), chat, wire.Cancel(3), wire.Count(4, "a"), wire.Quit()):
        assert wire.decode(wire.encode(request), wire.Request) == request


@pytest.mark.parametrize(
    "line",
    [
        b"llama_model_loader: noise\n",
        b"[]\n",
        b"{}\n",
        b'{"kind":"unknown","id":1}\n',
        b'{"kind":"token","id":1}\n',
        b'{"kind":"token","id":1,"text":"a","more":1}\n',
        b'{"kind":"token","id":"1","text":"a"}\n',
        b'{"kind":"cancel","id":1}\n',
        b"\xff\n",
    ],
)
def test_everything_else_is_refused(line: bytes) -> None:
    with pytest.raises(wire.WireError):
        wire.decode(line, wire.Event)
