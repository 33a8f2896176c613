"""The corpus is what its guide says: exact marks, one id a line, and nobody's words on both sides of the split."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from store.reading.labels import LABELS

CORPUS = Path(__file__).resolve().parents[3] / "models" / "reader" / "corpus"
STATUSES = {"is", "begins", "ends", "was", "event", "planned", "cancelled", "not", "corrects"}
KINDS = {
    "current", "past", "when", "count", "list", "who", "yesno", "choice", "correction", "tell", "why", "unknown",
    "world", "request",
}  # fmt: skip
UNANSWERED = {"unknown", "world", "request"}
ASKED = {
    "value", "list", "count", "who", "when", "since", "howlong", "yesno", "choice", "before", "after", "changed",
    "tell", "why",
}  # fmt: skip
Object = dict[str, Any]


@cache
def lines(name: str) -> list[Object]:
    return [json.loads(line) for line in (CORPUS / name).read_text("utf-8").splitlines()]


@cache
def part_of() -> dict[str, str]:
    return {who: one["part"] for who, one in json.loads((CORPUS / "people.json").read_text("utf-8")).items()}


def test_it_is_as_large_as_the_model_card_says() -> None:
    card = (CORPUS.parent / "README.md").read_text("utf-8")
    for name in ("messages", "questions", "chats"):
        assert f"{len(lines(f'{name}.jsonl')):,} {'messages of ' if name == 'chats' else ''}{name}" in card
    assert f"{len(part_of())} people" in card


def test_every_mark_is_the_words_of_its_message() -> None:
    wrong = []
    for message in lines("messages.jsonl"):
        for claim in message["claims"]:
            exact = claim["o"] and claim["o"] in message["text"]
            exact = exact and (not claim["w"] or claim["w"] in message["text"])
            exact = exact and (claim["s"] == "me" or claim["s"] in message["text"])
            named = claim["p"] in LABELS or re.fullmatch(r"other:\w+", claim["p"])
            if not (exact and named and claim["st"] in STATUSES):
                wrong.append((message["id"], claim))
    assert not wrong


def test_what_a_message_of_a_chat_leans_on_stands_in_an_earlier_one() -> None:
    texts: dict[str, str] = {}
    revised = named = 0
    for message in lines("chats.jsonl"):
        for claim in message["claims"]:
            assert claim["o"] and claim["o"] in message["text"], message["id"]
            assert not claim["w"] or claim["w"] in message["text"], message["id"]
            assert claim["st"] in STATUSES and (claim["p"] in LABELS or re.fullmatch(r"other:\w+", claim["p"])), claim
            assert claim["s"] == "me" or claim["s"] in message["text"], message["id"]
            assert claim["s"] or claim.get("sb"), message["id"]
            for part, turn in (("of", "at"), ("sb", "sa")):
                if part in claim:
                    assert claim[turn].startswith(message["persona"]) and claim[part] in texts[claim[turn]], claim
            revised, named = revised + ("of" in claim), named + ("sb" in claim)
        texts[message["id"]] = message["text"]
    assert (len(texts), revised, named) == (3764, 1315, 1046)


def test_every_question_leads_to_its_message() -> None:
    texts = {message["id"]: message["text"] for message in lines("messages.jsonl")}
    for question in lines("questions.jsonl"):
        assert question["kind"] in KINDS
        assert (question["kind"] in UNANSWERED) == (not question["turns"]), question
        assert all(turn in texts and turn.startswith(question["persona"]) for turn in question["turns"])
        if question["span"]:
            assert question["span"]["text"] in texts[question["span"]["turn"]], question


def test_the_marks_of_questions_are_their_words() -> None:
    marked = [{**one, "form": one["kind"]} for one in lines("asked.jsonl")]
    marked += [one for one in lines("questions.jsonl") if "about" in one]
    assert len(marked) > 7_000
    for one in marked:
        assert one["about"] in ("memory", "world", "request"), one
        assert (one["form"] in ASKED) if one["about"] == "memory" else True, one
        for name in ("subject", "time", "belief"):
            assert one[name] is None or one[name] == "me" or one[name] in one["q"], one


@pytest.mark.parametrize("name", ["messages.jsonl", "chats.jsonl"])
def test_ids_are_unique_and_messages_in_order(name: str) -> None:
    ids = Counter(message["id"] for message in lines(name))
    assert not [key for key, count in ids.items() if count > 1]
    last: dict[str, str] = defaultdict(str)
    for message in lines(name):
        assert message["persona"] in part_of()
        assert message["at"] >= last[message["persona"]], message["id"]
        last[message["persona"]] = message["at"]


def test_nobody_who_is_held_out_says_what_somebody_trained_on_says() -> None:
    """No message of eight words or more shares three quarters of its runs of three words with one across the split."""
    holders: dict[tuple[str, ...], set[str]] = defaultdict(set)
    runs: dict[str, set[tuple[str, ...]]] = {}
    for message in lines("messages.jsonl"):
        said = re.findall(r"\w+", message["text"].lower())
        if len(said) < 8:
            continue
        mine = {tuple(said[at : at + 3]) for at in range(len(said) - 2)}
        if part_of()[message["persona"]] == "train":
            for run in mine:
                holders[run].add(message["id"])
        else:
            runs[message["id"]] = mine
    for key, mine in runs.items():
        shared = Counter(other for run in mine for other in holders.get(run, ()))
        assert not [other for other, count in shared.items() if count >= 0.75 * len(mine)], key
