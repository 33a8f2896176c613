"""The stream shows whole characters, no thinking and nothing from a stop word on, however the bytes are cut."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from app.llm.stream import ReplyStream


def streamed(text: str, cuts: Sequence[int], stop: Sequence[str] = (), *, thinking: bool = False) -> str:
    stream, data = ReplyStream(stop, thinking=thinking), text.encode()
    edges = [0, *sorted(min(cut, len(data)) for cut in cuts), len(data)]
    shown = [stream.feed(data[a:b]) for a, b in itertools.pairwise(edges)]
    return "".join([*shown, stream.finish()])


CUTS = st.lists(st.integers(0, 60), max_size=12)


@given(st.text(st.characters(exclude_characters="<", exclude_categories=["Cs"]), max_size=20), CUTS)
def test_plain_text_comes_through_whole(text: str, cuts: list[int]) -> None:
    assert streamed(text, cuts) == text.lstrip()


@given(CUTS)
def test_thinking_is_never_shown(cuts: list[int]) -> None:
    assert streamed("<think>\nthe user < wants é\n</think>\n\nHé, a < b", cuts) == "Hé, a < b"


@given(CUTS)
def test_thinking_that_the_template_opened(cuts: list[int]) -> None:
    assert streamed("hmm</think> Yes.", cuts, thinking=True) == "Yes."


@given(CUTS)
def test_nothing_from_a_stop_word_on(cuts: list[int]) -> None:
    assert streamed("Fine.\nUser: and you?", cuts, ["\nUser:"]) == "Fine."
    assert streamed("Fine.\nUse a fork", cuts, ["\nUser:"]) == "Fine.\nUse a fork"


@given(CUTS)
def test_the_marks_around_notes_are_no_words_of_a_reply(cuts: list[int]) -> None:
    said = streamed("<notes>\nGood, and <b>you</b>? 1 < 2</notes>\nSee <note", cuts)
    assert said == "Good, and <b>you</b>? 1 < 2\nSee <note"


def test_text_is_not_held_back_without_need() -> None:
    stream = ReplyStream(["\nUser:"])
    assert stream.feed(b"Hello") == "Hello"
    assert stream.feed(b" x\n") == " x"
    assert stream.feed(b"y") == "\ny"


def test_thinking_that_never_ends_shows_nothing() -> None:
    assert streamed("<think>on and on", [3]) == ""


def test_broken_bytes_become_replacement_characters() -> None:
    stream = ReplyStream()
    assert stream.feed(b"a\xff") + stream.feed(b"b\xe2\x82") + stream.finish() == "a\ufffdb\ufffd"


def test_white_space_before_the_first_word_counts_where_a_reply_goes_on() -> None:
    assert ReplyStream(begun=True).feed(b" x") == " x"
    assert ReplyStream().feed(b" x") == "x"
