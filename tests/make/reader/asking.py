"""The questions of the corpus as the network for asking sees them: each beside turns that answer and turns that do not.

No torch here. A question is asked of the messages up to its day. What stands against it: the messages nearest by the
encoder's own vectors, some by chance, and some of another person.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from store.reading.asking.pieces import Pair, Passage, pair_of, question_of
from tests.bench.diaries import CORPUS, lines

ABOUT = ("memory", "world", "request", "told")
FORMS = (
    "value", "list", "count", "who", "when", "since", "howlong", "yesno", "choice", "before", "after", "changed",
    "tell", "why",
)  # fmt: skip
POINTED = ("subject", "time", "belief")
VERDICTS = ("yes", "no", "neither")
Object = dict[str, Any]


@dataclass(frozen=True)
class Asked:
    """One question with what its person had said by its day."""

    question: Object
    said: Sequence[Object]
    right: Sequence[int]
    """Which of `said` answer, the best first."""
    near: Sequence[int] = ()
    """The others, the nearest first."""
    span: tuple[int, str] | None = None
    """Which of `said` holds the answering words, and the words."""
    marks: Object = field(default_factory=dict)
    """about, form, subject, time, belief: as far as somebody marked them."""

    @property
    def verdict(self) -> str | None:
        """Of a question for yes or no: which."""
        if (marked := self.question.get("verdict")) in ("yes", "no"):
            return str(marked)
        if self.question["kind"] != "yesno":
            return None
        found = re.match(r"(?i)\W*(yes|no)\b", self.question["gold"])
        return found[1].lower() if found else None


def evidence(said: Sequence[Object], place: int, until: str) -> Passage:
    """A message beside a question that is asked on the day `until`."""
    one = said[place]
    last = place and said[place - 1]
    spoken = last and "speaker" in one and last["speaker"] != one["speaker"] and last["text"].rstrip().endswith("?")
    day, latest = date.fromisoformat(one["at"][:10]), date.fromisoformat(until)
    return Passage(
        one["text"], one.get("speaker", "me"), day, (latest - day).days, last["text"] if last and spoken else ""
    )


def latest(asked: Asked) -> str:
    """The last day that the memory knows of."""
    return str(asked.said[-1]["at"][:10])


def all_asked(part: str) -> list[Asked]:
    """The questions of one part of the people."""
    people = json.loads((CORPUS / "people.json").read_text("utf-8"))
    messages: dict[str, list[Object]] = {}
    for one in lines((CORPUS / "messages.jsonl").read_text("utf-8")):
        messages.setdefault(one["persona"], []).append(one)
    marks = {one["q"]: one for one in lines((CORPUS / "asked.jsonl").read_text("utf-8"))}
    questions = lines((CORPUS / "questions.jsonl").read_text("utf-8"))
    found = []
    for one in questions:
        if people[one["persona"]]["part"] != part:
            continue
        said = [told for told in messages[one["persona"]] if told["at"][:10] <= one["asked_at"]]
        ids = [told["id"] for told in said]
        right = [ids.index(turn) for turn in one["turns"] if turn in ids]
        if not said or bool(right) != bool(one["turns"]):
            continue
        span = one.get("span")
        where = (ids.index(span["turn"]), span["text"]) if span and span["turn"] in ids else None
        marked = one if "about" in one else marks.get(one["q"], {})
        marked = {**marked, "form": marked.get("form", marked.get("kind"))} if marked else {}
        found.append(Asked(one, said, right, (), where, marked))
    return found


def others(asked: Sequence[Asked], likeness: Callable[[str, Sequence[Object]], Sequence[float]]) -> list[Asked]:
    """With the rest of what was said in the order of how near it is to the question."""
    found = []
    for one in asked:
        near = likeness(one.question["q"], one.said)
        order = sorted(set(range(len(one.said))) - set(one.right), key=lambda place: -near[place])
        found.append(Asked(one.question, one.said, one.right, order, one.span, one.marks))
    return found


NEAREST, CHANCE, OFTEN = 4, 1, 0.4
SETTLED, SELDOM = 3.0, 0.25
"""Log odds between what answers and what does not that need no more training, and how often it is trained on."""


def beside(asked: Asked) -> list[int]:
    """Which messages a question is read beside in training: those that answer first."""
    far = list(asked.near[NEAREST:])
    chance = random.sample(far, min(CHANCE, len(far))) if random.random() < OFTEN else []
    return [*asked.right[:3], *asked.near[:NEAREST], *chance]


def mined(asked: Sequence[Asked], hard: Mapping[tuple[str, str], Object]) -> list[Asked]:
    """The questions beside the turns that an earlier network takes for answers (mine_asking.py), the likeliest first.
    Most of those that it has settled are left out. A turn that holds the answering words and was taken for an answer
    may well be one that nobody marked: it is left out, too.
    """
    found = []
    for one in asked:
        known = hard.get((one.question["persona"], one.question["q"]), {"odds": {}, "pointed": None})
        odds = {place: known["odds"].get(told["id"], -9.0) for place, told in enumerate(one.said)}
        words = one.span[1].lower() if one.span else None
        wrong = [
            place
            for place in sorted(odds, key=lambda place: (-odds[place], random.random()))
            if place not in one.right and not (words and odds[place] > 0 and words in one.said[place]["text"].lower())
        ]
        best = max((odds[place] for place in one.right), default=0.0)
        worst = max((odds[place] for place in wrong), default=-9.0)
        pointed = words is None or words in str(known["pointed"]).lower()
        settled = best - worst > SETTLED and pointed and (not one.right or best > 0)
        if known["odds"] and settled and random.random() > SELDOM:
            continue
        found.append(Asked(one.question, one.said, one.right, wrong, one.span, one.marks))
    return found


def swapped(asked: Sequence[Asked]) -> list[Asked]:
    """The questions that name one of a person's people, asked of another of them: what answered does so no longer. They
    stand beside turns that do not name the other one and that the other one did not say.
    """
    names: dict[str, set[str]] = {}
    for one in asked:
        names.setdefault(one.question["persona"], set()).update(_named(one))
    found = []
    for one in asked:
        own = sorted(name for name in names[one.question["persona"]] if _holds(one.question["q"], name))
        others = sorted(names[one.question["persona"]] - set(own))
        if len(own) != 1 or not one.right or not others:
            continue
        other = random.choice(others)
        told = [place for place in [*one.right, *one.near] if not _of(one.said, place, other)]
        if one.right[0] in told:
            text = re.sub(rf"\b{re.escape(own[0])}\b", other, one.question["q"])
            found.append(Asked({**one.question, "q": text}, one.said, (), told, None, {}))
    return found


def _named(asked: Asked) -> set[str]:
    """Whom a question and its memory name: who speaks, and the subject if it is one name."""
    subject = str(asked.marks.get("subject") or "")
    spoken = {one["speaker"] for one in asked.said if "speaker" in one}
    return spoken | (
        {subject} if re.fullmatch(r"[A-Z]\w+", subject) and subject not in ("I", "My", "Our", "We") else set()
    )


def _holds(text: str, name: str) -> bool:
    return re.search(rf"\b{re.escape(name)}\b", text) is not None


def _of(said: Sequence[Object], place: int, name: str) -> bool:
    """Whether a message, or the one before it, is of somebody or names them."""
    some = said[max(0, place - 1) : place + 1]
    return any(_holds(one["text"], name) for one in some) or said[place].get("speaker") == name


def pairs_of(tokenizer: Any, asked: Asked, places: Sequence[int]) -> list[Pair]:
    """The pairs of a question and some of what was said."""
    until = latest(asked)
    return [pair_of(tokenizer, asked.question["q"], evidence(asked.said, place, until)) for place in places]


def pointed(pair: Pair, text: str, words: str) -> tuple[int, int] | None:
    """The pieces of a pair that hold these words of its text."""
    at = text.find(words)
    inside = [n for n, (x, y) in enumerate(pair.offsets) if y > x >= 0 and x < at + len(words) and y > at]
    return (inside[0], inside[-1]) if at >= 0 and inside else None


def texts(part: str) -> dict[str, list[Asked]]:
    """Texts of each kind of ABOUT, for the frames alone: marked questions, what was written to tell them apart
    (about.jsonl; train only), and messages that state something and ask nothing.
    """
    people = json.loads((CORPUS / "people.json").read_text("utf-8"))
    found: dict[str, list[Asked]] = {name: [] for name in ABOUT}
    for one in all_asked(part):
        if one.marks:
            found[one.marks["about"]].append(one)
    written = lines((CORPUS / "about.jsonl").read_text("utf-8")) if part == "train" else []
    told = [
        {"q": one["text"], "about": "told"}
        for one in lines((CORPUS / "messages.jsonl").read_text("utf-8"))
        if people[one["persona"]]["part"] == part and one["claims"] and "?" not in one["text"]
    ]
    for line in [*written, *told]:
        found[line["about"]].append(Asked(line, (), (), marks={"about": line["about"], "pointed": False}))
    return found


def frame_marks(tokenizer: Any, asked: Asked) -> tuple[Pair, Mapping[str, Any]]:
    """The question alone, and what of its frame was marked: places in ABOUT and FORMS, pieces for what it points at."""
    text, marks = asked.question["q"], asked.marks
    pair = question_of(tokenizer, text)
    about = ABOUT.index(marks["about"]) if marks else -100
    form = FORMS.index(marks["form"]) if marks and marks.get("form") in FORMS else -100
    points = {}
    for name in POINTED:
        words = marks.get(name) if marks else None
        mine = name == "subject" and words == "me"
        points[name] = (pointed(pair, text, words) if words and not mine else None) or (0, 0)
    pointed_at = bool(marks) and about == 0 and marks.get("pointed", True)
    return pair, {"about": about, "form": form, "points": points, "marked": pointed_at}
