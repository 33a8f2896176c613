"""A made-up memory over a plain list: what an answer needs of the store, without a store."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from store.episodes.terms import query_terms, terms
from store.reading.asking.encoder import Asker, Intent, Judgement, default_path
from store.reading.asking.pieces import Passage
from store.reading.encoder import Words
from store.recall.answers import answer
from store.recall.evidence import Evidence
from store.records import Answer, Entity, Fact, Hit, Instant, Precision, Source, Stretch


def at(text: str) -> Instant:
    """The first moment of "2023", "2023-06", "2023-06-05" or "2023-06-05T18:30", in UTC."""
    date, _, clock = text.partition("T")
    year, month, day = (*(int(part) for part in date.split("-")), 1, 1)[:3]
    hour, minute = (int(part) for part in clock.split(":")) if clock else (0, 0)
    return Instant.of(datetime(year, month, day, hour, minute, tzinfo=UTC))


def precision_of(text: str) -> Precision:
    if text.startswith("~"):
        return Precision.OPEN
    if "T" in text:
        return Precision.EXACT
    return (Precision.YEAR, Precision.MONTH, Precision.DAY)[text.count("-")]


def fact(
    subject: str,
    predicate: str,
    value: str,
    start: str = "~2023-02-01",
    end: str = "",
    *,
    heard: str = "2023-02-01",
    dropped: str = "",
    quote: str = "",
    negative: bool = False,
    disputed: bool = False,
    about: bool = False,
    companion: str = "",
    **qualifiers: str,
) -> Fact:
    """A rectangle; "~2023-02-01" is a start that nobody said. `about` opens the window of its end."""
    if companion:
        qualifiers["with"] = companion
    words = quote or f"{subject} {predicate} {value}"
    source = Source(f"e-{subject}-{predicate}-{value}", None, 0, len(words), words, at(heard), "me", "s1")
    return Fact(
        id=f"{subject}|{predicate}|{value}|{start}|{heard}",
        subject=subject,
        predicate=predicate,
        object=value,
        text=f"{subject} {predicate} {value}.",
        valid_from=at(start.lstrip("~")),
        valid_to=at(end.lstrip("~")) if end else None,
        believed_from=at(heard),
        believed_to=at(dropped) if dropped else None,
        precision=precision_of(start),
        precision_to=precision_of(end) if end else Precision.OPEN,
        change="new",
        supersedes=None,
        confidence=0.9,
        salience=0.5,
        sources=(source,),
        slot=f"{subject}|{predicate}",
        valid_to_after=at("2000") if about else None,
        disputed=disputed,
        negative=negative,
        qualifiers=tuple(sorted(qualifiers.items())),
    )


@dataclass
class Remembered:
    """`Beliefs` over lists."""

    every: list[Fact]
    known: list[Entity] = field(default_factory=list)
    said: list[Hit] = field(default_factory=list)
    context: dict[str, str] = field(default_factory=dict)
    """The whole turns behind quotes, by episode id."""

    def subjects(self) -> Sequence[Entity]:
        return self.known

    def facts(self, subject: str | None, predicates: Sequence[str] | None, *, believed: int | None) -> list[Fact]:
        return [
            one
            for one in self.every
            if (subject is None or one.subject.lower() == subject.lower())
            and (predicates is None or one.predicate in predicates)
            and _held(one, believed)
        ]

    def history(self, subject: str, predicate: str | None) -> list[Fact]:
        return [one for one in self.every if one.subject == subject and predicate in (None, one.predicate)]

    def unsure(self, subject: str, believed: int | None, predicate: str) -> list[Fact]:
        return []

    def resting_on(self, episodes: Sequence[str]) -> list[Fact]:
        return [one for one in self.every if any(source.episode in episodes for source in one.sources)]

    def texts(self, episodes: Sequence[str]) -> dict[str, str]:
        told = {source.episode: source.quote for one in self.every for source in one.sources}
        return {one: self.context.get(one, told[one]) for one in episodes if one in told}

    def evidence(self, question: str, k: int, believed: int | None) -> Sequence[Evidence]:
        """As recall ranks them: by the share of the question's words that they hold."""
        asked = set(query_terms(question))
        told = [one for one in self.turns(question, k, believed) if one.speaker != "assistant"]
        latest = max((one.said_at.us for one in told), default=0)
        share = {one.id: len(asked & set(terms(one.text))) / max(len(asked), 1) for one in told}
        found = [Evidence(replace(one, score=10 * share[one.id]), one.speaker == "me", "", latest) for one in told]
        return sorted(found, key=lambda one: -one.hit.score)

    def documents(self, question: str, k: int, believed: int | None) -> Sequence[Evidence]:
        return ()

    def said_next(self, after: Hit, k: int, believed: int | None) -> Sequence[Hit]:
        later = [one for one in self.turns("", len(self.said), believed) if one.said_at.us > after.said_at.us]
        return [one for one in later if one.speaker == after.speaker][:k]

    def turns(self, query: str, k: int, believed: int | None) -> Sequence[Hit]:
        return [one for one in self.said if believed is None or one.said_at.us <= believed][:k]


def _held(one: Fact, believed: int | None) -> bool:
    if believed is None:
        return one.believed_to is None
    return one.believed_from.us <= believed and (one.believed_to is None or one.believed_to.us > believed)


def turn(text: str, said: str, speaker: str = "me") -> Hit:
    return Hit("episode", f"t-{said}", None, "s1", speaker, text, at(said), 1.0)


NOW = at("2025-06-15T12:00")


class Trusting(Asker):
    """Takes every text for a question of memory, and every belief for one that may answer: its words are made up."""

    def intent(self, question: str) -> Intent:
        return Intent("memory", "value", "", "", "", (1.0, 0.0, 0.0, 0.0))

    def judge(self, question: str, turns: Sequence[Passage]) -> list[Judgement]:
        return [Judgement(0.5, Words(0, 0), 0.0, "neither", 0.0) for _ in turns]


def ask(memory: Remembered, question: str, *, as_of: str = "", believed: str = "") -> Answer:
    """Ask on 15 June 2025; `as_of` is a day, or "2023" for a year."""
    stretch = None
    if as_of:
        first = at(as_of)
        days = {Precision.YEAR: 365, Precision.MONTH: 30}.get(precision_of(as_of), 1)
        stretch = Stretch(first.us, first.us + days * 86_400_000_000, precision_of(as_of))
    held = at(believed).us if believed else None
    asker = None if memory.said else Trusting(default_path())
    return answer(question, memory, now=NOW, zone=UTC, as_of=stretch, believed=held, asker=asker)
