"""What is asked is answered from what was said and believed by then; an earlier answer is made anew when in doubt.

A question is answered from the beliefs; else the turn that answers it is quoted. What rests on other people's words, or
on a model's, is checked against the turns.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta, tzinfo
from time import perf_counter
from typing import TYPE_CHECKING

from store.beliefs.hand import fact_named
from store.database.connections import Database
from store.episodes import person
from store.errors import NotFound
from store.parts.recall import Recall
from store.protocols import Clock
from store.recall import stamps
from store.recall.cache import Cache, CachedTimes, State
from store.records import EPOCH, Answer, Fact, Hit, Instant, Source, Stretch
from store.sleep import summaries
from store.text.cleaning import whole

if TYPE_CHECKING:
    from store.recall.evidence import Evidence
    from store.recall.views import Beliefs


MOST_SENTENCES = 3
"""Of a summary, beside the turns themselves."""


class Answering:
    """Ask, and weigh what an answer is made from."""

    def __init__(
        self, database: Database, clock: Clock, zone: tzinfo, recall: Recall, latest: Callable[[], int]
    ) -> None:
        self._database, self._clock, self._zone, self._recall, self._latest = database, clock, zone, recall, latest
        self._answers = Cache()

    def ask(self, question: str, *, as_of: Stretch | None = None, believed: int | None = None) -> Answer:
        """Answer from the beliefs, quote the turn that answers, or say that it was never told; never calls a chat
        model. Tier 0 or 1: the answer was made before, and nothing that it rests on has changed since."""
        from store.recall.query import asked_in

        began, question = perf_counter(), asked_in(whole(question))
        now = Instant(self._latest() if believed is None else believed, self._clock.now().offset)
        # What the file is like before anything is read from it: what changes meanwhile makes the answer anew.
        reader = self._database.reader()
        state = State(stamps.beliefs(reader), (id(reader), int(reader.execute("pragma data_version").get)))
        times = CachedTimes(as_of, believed, now.offset)
        answer = self._answers.find(question, state, times, now.us)
        if answer is None or (answer.tier == 1 and not _asks(question)):
            answer = self._answered(question, state, times, now)
        return replace(answer, elapsed_ms=round((perf_counter() - began) * 1000, 3))

    def _answered(self, question: str, state: State, times: CachedTimes, now: Instant) -> Answer:
        from store.recall import answers

        beliefs = self._beliefs()
        answer = answers.answer(question, beliefs, now=now, zone=self._zone, as_of=times.as_of, believed=times.believed)
        if answer.about != "memory":
            return answer
        if _steady(question, now, self._zone):
            until = beliefs.holds_until(now.us, _midnight(now.us, self._zone), answer)
            self._answers.keep(question, state, times, now.us, until, answer, read_turns=beliefs.read_turns)
        return answer

    def _beliefs(self) -> Beliefs:
        from store.recall.views import Beliefs

        return Beliefs(self._database.reader(), self._latest(), self._recall.evidence)

    def asked_about(self, question: str) -> tuple[tuple[str, str], ...]:
        """The subjects and predicates that a question asks for in their own words, with or without its sign: whether
        it can be answered is another matter."""
        from store.recall import answers
        from store.recall.answer_match import fits
        from store.recall.answer_sense import sense
        from store.recall.query import asked_in

        now = Instant(self._latest(), self._clock.now().offset)
        asking = answers.ask(
            asked_in(whole(question)), self._beliefs(), now=now, zone=self._zone, as_of=None, believed=None
        )
        asked, whom = asking.asked.required, asking.asked.subjects[:1]
        found = [one for one in asking.facts if one.subject in whom and asked and asked <= sense(one.predicate).exact]
        fitting = [one for one in found if fits(asking.question, one)] or found
        return tuple(dict.fromkeys((one.subject, one.predicate) for one in fitting))

    def tells(self, text: str) -> bool:
        """Whether a text tells something, and asks nothing."""
        from store.reading.asking.encoder import shipped as asker
        from store.reading.asking.telling import tells
        from store.reading.encoder import shipped as reader

        return tells(whole(text), asker(), reader())

    def bearing(
        self, question: str, hits: Sequence[Hit], *, as_of: Stretch | None = None, believed: int | None = None
    ) -> tuple[Hit, ...]:
        """Of some turns, those that may answer a question, the best first; for a world time (`as_of`), of those that
        were said by its end or soon after."""
        from store.reading.asking.encoder import shipped
        from store.recall import turns
        from store.recall.fitting import SOON

        until = None if as_of is None or as_of.end is None else as_of.end + SOON
        told = [hit for hit in hits if until is None or hit.said_at.us < until]
        return tuple(one.hit for one in turns.bearing(whole(question), shipped(), self._of_hits(told, believed)))

    def borne_out(
        self, question: str, reply: str, hits: Sequence[Hit], *, believed: int | None = None
    ) -> tuple[Source, ...]:
        """The turns, of those that a model was given, that bear out what it replied, and those of the beliefs that it
        was given and repeats; empty where none does."""
        from store.reading.asking.encoder import shipped
        from store.recall import turns

        found = turns.borne_out(whole(question), whole(reply), shipped(), self._of_hits(hits, believed))
        facts = [one for hit in hits if hit.kind == "fact" for one in self._fact(hit.id)]
        return (*found, *(source for fact in facts if turns.repeats(reply, fact) for source in fact.sources[:1]))

    def _fact(self, fact_id: str) -> tuple[Fact, ...]:
        """A belief; none where a sleep has folded its slot anew since."""
        try:
            return (fact_named(self._database.reader(), fact_id, self._latest()),)
        except NotFound:
            return ()

    def _of_hits(self, hits: Sequence[Hit], believed: int | None) -> tuple[Evidence, ...]:
        from store.recall import evidence

        reader = self._database.reader()
        return evidence.of_hits(reader, hits, believed=believed, person=person.speakers(reader))

    def context(
        self, question: str, hits: Sequence[Hit], *, as_of: Stretch | None = None, believed: int | None = None
    ) -> tuple[Hit, ...]:
        """What a model is to know for a question, best first: the beliefs that bear on it, the turns that were found
        (`hits`, of `recall` for the same times), and what else the best one's conversation was about."""
        from store.recall import answers, assembly

        now = Instant(self._latest() if believed is None else believed, self._clock.now().offset)
        asking = answers.ask(question, self._beliefs(), now=now, zone=self._zone, as_of=as_of, believed=believed)
        return assembly.assembled(asking, hits, self._around(hits))

    def _around(self, hits: Sequence[Hit]) -> tuple[Source, ...]:
        """The sentences that sum up the conversation of the best turn; none where it is too short to be summed up."""
        best = next((hit for hit in hits if hit.kind == "episode"), None)
        if best is None:
            return ()
        try:
            return summaries.of_session(self._database.reader(), best.session).sentences[:MOST_SENTENCES]
        except NotFound:  # nothing in it can be summed up: it holds secrets, or commands only
            return ()

    def forget(self) -> None:
        """Let go of all that was read or answered and is kept in this process for a while."""
        from store.reading.asking.encoder import shipped as asker
        from store.reading.encoder import shipped as reader
        from store.time import reader as times

        self._answers.clear()
        times.forget()
        for network in (asker(), reader()):
            network.forget()


def _asks(question: str) -> bool:
    """Whether words that differ from a question's by its sign ask, too, and do not tell."""
    from store.reading.asking.encoder import shipped

    return shipped().intent(question).about in ("memory", "told")


def _steady(question: str, now: Instant, zone: tzinfo) -> bool:
    """Whether the question means the same times a minute later: "two hours ago" does not."""
    from store.recall.questions import parse

    one, other = (parse(question, Instant(at, now.offset), zone) for at in (now.us, now.us + 60_000_000))
    return one == other


def _midnight(us: int, zone: tzinfo) -> int:
    """The next one in a zone, in microseconds UTC."""
    here = (EPOCH + timedelta(microseconds=us)).astimezone(zone)
    following = datetime.combine(here.date() + timedelta(days=1), datetime.min.time(), zone)
    return Instant.of(following).us
