"""How much of what people tell is heard, and how many of their questions are answered, on people nobody trained on.

    python -m tests.bench.diaries [--messages FILE --questions FILE] [--show N]

Each person's messages go through `import` and `sleep --no-model` into a file of their own, their questions through
`ask -`. Without files it takes the people of models/reader/corpus that are held out; with questions alone, the messages
of the corpus by those who ask. `diaries_asked.jsonl` has 336 questions of the 24 people who came last: neither network
that ships has seen them, but all were looked at while answers were mended.
`diaries_eight_messages.jsonl` and `diaries_eight_questions.jsonl` are of eight people who were written later, with no
claim marked; of hB1 to hB4 only single answers were looked at.
`diaries_later_messages.jsonl` and `diaries_later_questions.jsonl` are of eight more, whose claims are marked: the
answers of iA1 to iA4 and the wrong ones of the others were read, and nothing was mended by them yet.
`diaries_terse.jsonl` has 126 questions of seven of the terse people, in other words than theirs; an answer is right if
it holds the words that answer. The reader that ships has not seen these seven.
`diaries_changing_messages.jsonl` and `diaries_changing_questions.jsonl` are of five people whose lives change: what
ends, is corrected, called off or denied. No network that ships has seen them; the wrong answers were read.
`diaries_newcomers_messages.jsonl` and `diaries_newcomers_questions.jsonl` are the first six days of eight people, as
newcomers type, with no claim marked: what was answered to nn1 to nn4 was read, of np1 to np4 only the count.
`diaries_weeks_messages.jsonl` is of ten people in their first five weeks, who put right, move and call off what they
told; their claims are marked, nobody trained on them, and their messages were only counted.
`diaries_plain_messages.jsonl` is of two people who write the plainest sentences and of one who types as newcomers do;
their claims are marked, nobody trained on them, and no message was looked at.

heard      a claim that was marked in a message counts if a fact rests on that message and shares half of the shorter
           value's words
supported  a fact counts if one of the messages that it rests on has such a claim
noted well a message counts if each of its claims was heard, surely or not, of the right one (the writer or another) and
           as it stands (now or over), and nothing else is known by it; what has no claim does not count
right      the answer matches `accept` and not `reject`; quoted: it declines, and quotes the right turn with the answer
wrong      it answers otherwise
declined   a question about what was never told is declined
"""

from __future__ import annotations

import argparse
import collections
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Object = dict[str, Any]
CORPUS = Path(__file__).resolve().parents[2] / "models" / "reader" / "corpus"
_WORD = re.compile(r"[\w£$€%.:'’-]+")
_LIGHT = {"", "a", "an", "the", "my", "our", "his", "her", "of", "to", "in", "at", "on"}


def lines(text: str) -> list[Object]:
    """The objects of some JSON lines."""
    return [json.loads(line) for line in text.split("\n") if line.strip()]


def words(text: str) -> set[str]:
    """The words of a value that matter."""
    return {word.strip(".'’-:").lower() for word in _WORD.findall(text)} - _LIGHT


def share(one: set[str], other: set[str]) -> bool:
    """Whether two values share half of the shorter one's words."""
    return bool(one) and bool(other) and len(one & other) >= 0.5 * min(len(one), len(other))


@dataclass
class Heard:
    """Counts over people."""

    told: int = 0
    heard: int = 0
    facts: int = 0
    supported: int = 0

    def add(self, messages: Sequence[Object], facts: Iterable[Object]) -> list[Object]:
        """Count one person's; gives the facts that nothing supports."""
        gold = {message["id"]: [words(claim["o"]) for claim in message["claims"]] for message in messages}
        found: dict[str, set[int]] = collections.defaultdict(set)
        unsupported = []
        for fact in facts:
            turns = [source["external_id"] for source in fact["sources"] if source.get("external_id") in gold]
            if not turns:
                continue
            value = words(fact["object"]) or words(fact["text"])
            hits = [(turn, at) for turn in turns for at, one in enumerate(gold[turn]) if share(one, value)]
            self.facts += 1
            self.supported += bool(hits)
            unsupported += [] if hits else [fact]
            for turn, at in hits:
                found[turn].add(at)
        self.told += sum(map(len, gold.values()))
        self.heard += sum(map(len, found.values()))
        return unsupported

    def __str__(self) -> str:
        heard, supported = 100 * self.heard / max(1, self.told), 100 * self.supported / max(1, self.facts)
        return f"heard {heard:.1f} % of {self.told} told; {supported:.1f} % of {self.facts} facts supported"


def judge(question: Object, answer: Object) -> str:
    """What an answer comes to."""
    text, sources = answer.get("text") or "", answer.get("sources", [])

    def matches(patterns: Iterable[str], words: str) -> bool:
        return any(re.search(pattern, words, re.IGNORECASE) for pattern in patterns)

    quotes, turns = (
        " \n ".join(source.get("quote") or "" for source in sources),
        {s.get("external_id") for s in sources},
    )
    quoted = bool(turns & set(question["turns"])) and matches(question["accept"], quotes)
    declined = answer.get("abstained", False) or "so many words" in text
    if question["kind"] == "unknown":
        return "declined" if declined else "made up"
    if declined:
        return "quoted" if quoted else "irrelevant quote" if sources else "abstained"
    if matches(question["reject"], text):
        return "wrong"
    return "right" if matches(question["accept"], text) else "quoted" if quoted else "wrong"


@dataclass
class Noted:
    """How many of the messages that state anything were noted well."""

    told: int = 0
    well: int = 0

    def add(self, messages: Sequence[Object], facts: Sequence[Object]) -> None:
        by_message: dict[str, list[Object]] = collections.defaultdict(list)
        for fact in facts:
            for message in {source.get("external_id") for source in fact["sources"]}:
                by_message[message].append(fact)
        for message in messages:
            if message["claims"]:
                self.told += 1
                self.well += is_well(message, by_message[message["id"]])

    def __str__(self) -> str:
        return f"{100 * self.well / max(1, self.told):.1f} % of {self.told} messages"


def is_well(message: Object, facts: Sequence[Object]) -> bool:
    """Whether the facts of a message are what was marked, and no more is known."""
    marked = [(claim, words(claim["o"])) for claim in message["claims"]]
    values = [(fact, words(fact["object"]) or words(fact["text"])) for fact in facts]
    heard = all(
        any(share(told, value) and fits(message, claim, fact) for fact, value in values)
        for claim, told in marked
        if claim["st"] != "cancelled"  # nothing is left of it that could be listed
    )
    extra = [fact for fact, value in values if not any(share(told, value) for _, told in marked)]
    return heard and all(fact["unsure"] for fact in extra)


def fits(message: Object, claim: Object, fact: Object) -> bool:
    """Whether a fact is of the one whom a marked claim is of, and over if that is."""
    writer = message.get("speaker", "me")
    if (claim["s"] in ("me", writer)) != (fact["subject"] in ("me", writer)):
        return False
    gone = fact["negative"] or fact["valid_to"] is not None or fact["believed_to"] is not None
    if claim["st"] in ("ends", "was", "not", "cancelled"):
        return bool(gone) or fact["predicate"] == "event"
    return claim["st"] in ("event", "planned") or not fact["negative"]


@dataclass
class Tally:
    """What came of all people."""

    known: Heard = field(default_factory=Heard)
    both: Heard = field(default_factory=Heard)
    noted: Noted = field(default_factory=Noted)
    answers: collections.Counter[tuple[bool, str]] = field(default_factory=collections.Counter)
    misheard: list[Object] = field(default_factory=list)
    wrong: list[tuple[Object, Object]] = field(default_factory=list)


def run_person(messages: Sequence[Object], questions: Sequence[Object], tally: Tally) -> None:
    """Import, sleep, ask: through the command line, as a person would."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "m.db"
        tell(file, map(turn_of, messages), *speakers(messages))
        known = json.loads(erstwhile("--db", file, "facts", "--all", "--json"))["facts"]
        unsure = json.loads(erstwhile("--db", file, "facts", "--unsure", "--json"))["facts"]
        tally.misheard += tally.known.add(messages, known)
        tally.both.add(messages, [*known, *unsure])
        tally.noted.add(messages, [*known, *unsure])
        if not questions:
            return
        asked = "".join(json.dumps({"id": str(at), "question": one["q"]}) + "\n" for at, one in enumerate(questions))
        for question, answer in zip(
            questions, lines(erstwhile("--db", file, "ask", "-", "--no-model", stdin=asked)), strict=True
        ):
            verdict = judge(question, answer)
            tally.answers[question["kind"] == "unknown", verdict] += 1
            if verdict in ("wrong", "made up"):
                tally.wrong.append((question, answer))


def erstwhile(*said: object, stdin: str | None = None) -> str:
    """What the program prints."""
    command = [sys.executable, "-m", "app", *map(str, said)]
    return subprocess.run(command, input=stdin, capture_output=True, text=True, check=True).stdout


def tell(file: Path, turns: Iterable[Object], *me: str) -> None:
    """Make a memory of one person's turns, who is named so, and sleep over it."""
    told = file.with_suffix(".jsonl")
    told.write_text("".join(json.dumps(one) + "\n" for one in turns), "utf-8")
    erstwhile("--db", file, "import", told, "--format", "jsonl", *(part for name in me for part in ("--me", name)))
    erstwhile("--db", file, "sleep", "--no-model")
    told.unlink()


def speakers(messages: Sequence[Object]) -> list[str]:
    """Who writes, where two do: the first of them is the person."""
    return [message["speaker"] for message in messages[:1] if "speaker" in message]


def turn_of(message: Object) -> Object:
    return {
        "session": message["at"][:7], "id": message["id"], "speaker": message.get("speaker", "me"), "role": "user",
        "text": message["text"], "said_at": f"{message['at']}:00+00:00",
    }  # fmt: skip


def report(tally: Tally, show: int) -> None:
    told = sum(count for (unknown, _), count in tally.answers.items() if not unknown)
    for (unknown, verdict), count in sorted(tally.answers.items()):
        share = "" if unknown else f"  {100 * count / told:.1f} %"
        print(f"{'never told' if unknown else 'told':10} {verdict:17} {count:4}{share}")
    if tally.known.told:
        print(f"known       {tally.known}")
        print(f"with unsure {tally.both}")
        print(f"noted well  {tally.noted}")
    for fact in tally.misheard[:show] if tally.known.told else ():
        print(f"misheard: {fact['text']}  “{fact['sources'][0]['quote']}”")
    for question, answer in tally.wrong[:show]:
        print(f"wrong: {question['q']}  gold {question['gold']!r}, said {answer['text']!r}")


def held_out(name: str) -> list[Object]:
    """The lines of the corpus of people who are held out."""
    people = json.loads((CORPUS / "people.json").read_text("utf-8"))
    return [one for one in lines((CORPUS / name).read_text("utf-8")) if people[one["persona"]]["part"] == "held"]


def of_people(names: set[str]) -> list[Object]:
    """The messages of some people of the corpus."""
    return [one for one in lines((CORPUS / "messages.jsonl").read_text("utf-8")) if one["persona"] in names]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--messages", type=Path)
    parser.add_argument("--questions", type=Path)
    parser.add_argument("--show", type=int, default=0, help="print as many of what was misheard and answered wrongly")
    asked = parser.parse_args()
    questions = lines(asked.questions.read_text("utf-8")) if asked.questions else held_out("questions.jsonl")
    told = lines(asked.messages.read_text("utf-8")) if asked.messages else None
    messages = of_people({one["persona"] for one in questions}) if told is None else told
    tally = Tally()
    for person in dict.fromkeys(message["persona"] for message in messages):
        run_person(
            [one for one in messages if one["persona"] == person],
            [one for one in questions if one["persona"] == person], tally,
        )  # fmt: skip
    report(tally, asked.show)


if __name__ == "__main__":
    main()
