"""The tables behind extraction agree: every frame has a reader and a known mood."""

from __future__ import annotations

from typing import get_args

from store.beliefs.predicates import REGISTRY
from store.reading.rules.build import Mood
from store.reading.rules.frames import frames
from store.reading.rules.objects import READERS
from store.text.forms import form_of


def test_every_frame_can_be_read() -> None:
    for verb, rows in frames().items():
        assert verb in ("be", "have") or form_of(verb) is not None, verb
        for frame in rows:
            assert frame.kind in READERS, (verb, frame)
            assert frame.mood in get_args(Mood), (verb, frame)


def test_aliases_do_not_hide_names() -> None:
    for one in REGISTRY.values():
        for alias in one.aliases:
            assert alias not in REGISTRY or alias == one.name, (one.name, alias)


def test_verb_forms_lead_to_their_base() -> None:
    pairs = {
        "moved": "move",
        "swimming": "swim",
        "studied": "study",
        "lives": "live",
        "bought": "buy",
        "cancelled": "cancel",
    }
    assert {word: (form_of(word) or ("", frozenset()))[0] for word in pairs} == pairs
