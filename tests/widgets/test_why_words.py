"""Whatever raised or lowered a turn is told in words that a person knows."""

from __future__ import annotations

from store.recall.weights import LINEAR
from store.records import JudgedHit
from tests.tui.nasty import nasty_hit
from widgets.why_rows import REASONS, judged_detail


def test_every_feature_of_the_ranker_has_words_of_its_own() -> None:
    assert set(REASONS) == set(LINEAR)
    assert len(set(REASONS.values())) == len(REASONS)
    assert not [words for words in REASONS.values() if "_" in words or "=" in words]


def test_a_candidate_is_explained_in_these_words() -> None:
    hit = JudgedHit(nasty_hit("I live in Porto."), 1, (("dense", 1, 0.5),), (("soft_since", 1.2), ("asks", -0.3)))
    shown = judged_detail(hit, 60).plain
    assert "+ ━" in shown and "words nearly the same, in it or just before" in shown
    assert "− ━" in shown and "is itself a question" in shown
