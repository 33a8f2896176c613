"""Why a turn was found is shown as what each channel gave it: a bar says how much, a figure says the same."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from math import exp
from textwrap import wrap

from textual.content import Content

from store.records import Judged, JudgedHit
from widgets.choices import Row
from widgets.look import CHANGED, LINK, NEVER, NOW, QUIET, hung, lines, stacked
from widgets.plain import one_line, plain
from widgets.wording import count, day_words, whose

CHANNELS = {
    "lexical": "same words", "dense": "like meaning", "recency": "how recent", "graph": "same people",
    "importance": "importance",
}  # fmt: skip
REASONS = {
    "context": "its words and those around it", "context_share": "share of the question's words in it and around it",
    "context_sum": "rare words in it and around it", "own": "its own words",
    "own_share": "share of the question's words in it", "own_terms": "words of the question in it",
    "days": "it names the day that was asked about", "session": "the best turn of its conversation",
    "second_before": "words two turns before it", "second_after": "words two turns after it",
    "dense": "meaning", "dense_spread": "stands out in meaning", "dense_vague": "meaning, for a vague question",
    "dense_asked": "the question just before it means the same", "dense_before": "meaning of the turn before it",
    "dense_after": "meaning of the turn after it", "both": "like the question in words and in meaning",
    "session_terms": "words of the question in its conversation", "session_soft": "its conversation uses like words",
    "session_dense": "its conversation is about this",
    "session_dense_vague": "its conversation is about this, for a vague question",
    "soft": "answers words nearly the same", "soft_own": "words nearly the same",
    "soft_since": "words nearly the same, in it or just before",
    "soft_around": "words nearly the same, in the turns around it",
    "by_named": "said by the one who is asked about", "by_other": "said by somebody else",
    "by_named_context": "the one asked about uses these words", "by_user": "said by you",
    "when_days": "names a day, as was asked", "in_time": "said in the time asked about",
    "soon_after": "said soon after the time asked about", "lately": "said lately, as was asked",
    "asks": "is itself a question", "length": "how long it is", "length_context": "long, and full of these words",
    "short": "very short", "own_voice": "tells of oneself", "opening": "opens its conversation",
    "dated": "names a date", "named": "names somebody", "when=dated": "names a date, as was asked",
    "count=counted": "names a number, as was asked", "shown=shown": "shows something, as was asked",
    "where=placed": "names a place, as was asked", "who=named": "names somebody, as was asked",
    "which=named": "names which one, as was asked", "why=reasoned": "gives a reason, as was asked",
    "past=past": "tells of the past, as was asked", "opinion_not_past": "a view held now, as was asked",
}  # fmt: skip
"""What raises or lowers a turn, in people's words, by the names that the ranker gives it."""
REMOVED_WORDS = {
    "said later": "said after the time asked about",
    "another session": "from another conversation",
    "another speaker": "said by somebody else",
    "another source": "from another source",
    "hidden": "hidden: a secret, or an abandoned branch",
}


def bar(share: float, width: int, empty: str = "─") -> str:
    halves = round(max(0.0, min(1.0, share)) * width * 2)
    return ("━" * (halves // 2) + "╸" * (halves % 2)).ljust(width, empty)


def judged_rows(judged: Judged, given: Collection[str], but: Collection[str], width: int) -> list[Row]:
    """The candidates, best first, with the line below which nothing was used; `given` are the ids that were, `but`
    those of the question itself and of its answer."""
    rows: list[Row] = []
    hits = [hit for hit in judged.hits if hit.hit.id in given or not (hit.hit.id in but or _tells_nothing(hit))]
    strongest: dict[str, float] = {}
    for name, _rank, score in (channel for hit in hits for channel in hit.channels):
        strongest[name] = max(strongest.get(name, 0.0), score)
    cut = max((hit.rank for hit in hits if hit.hit.id in given), default=0)
    for place, hit in enumerate(hits, 1):
        rows.append(Row(_candidate(place, hit, strongest, hit.hit.id in given, width), hit))
        if hit.rank == cut and hit is not hits[-1]:
            words, rest = "what stands above was used", " " + "─" * max(0, width - 32)
            rows.append(Row(lines(("── ", CHANGED), (words, CHANGED), (rest, CHANGED))))
    if not hits:
        rows.append(Row(lines(("Nothing came near this question.", QUIET))))
    rows.append(Row(_rest(judged, len(hits))))
    return rows


_TOLD_TOO = re.compile(r"[.!]\s")  # a sentence before the question


def _tells_nothing(hit: JudgedHit) -> bool:
    """The memory's own answers and what was only asked are compared, and answer nothing."""
    text = hit.hit.text.strip()
    asks = text.endswith("?") or any(name == "asks" for name, _points in hit.reasons)
    return hit.hit.speaker == "memory" or (asks and _TOLD_TOO.search(text) is None)


def judged_detail(hit: JudgedHit | None, width: int) -> Content:
    """One candidate: its words, each channel's rank and score, and what raised or lowered it."""
    if hit is None:
        return lines(("enter opens it", QUIET))
    said = [lines(row) for row in wrap(plain(hit.hit.text), max(20, width))[:8]]
    rows = [lines((f"{whose(hit.hit.speaker, 14)}, {day_words(hit.hit.said_at)}", QUIET)), *said, lines()]
    for name, rank, score in hit.channels:
        ago = f", {count(round(score), 'day')} ago" if name == "recency" else ""
        ending = "th" if rank % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(rank % 10, "th")
        rows.append(lines((f"{CHANNELS.get(name, one_line(name)):<14}", QUIET), f"{rank}{ending} of all{ago}"))
    if hit.reasons:
        most = max(abs(points) for _name, points in hit.reasons) or 1.0
        rows += [lines(), lines(("what speaks for it (+), and what against it (−)", QUIET))]
        for name, points in hit.reasons[:10]:
            sign, style = ("+", NOW) if points > 0 else ("−", NEVER)
            why = REASONS.get(name) or one_line(name.replace("_", " "), 40)
            rows.append(hung(lines((f"{sign} ", style), (bar(abs(points) / most, 8), style), "  "), why, width))
    return stacked(rows)


def prompt_rows(parts: Sequence[tuple[str, str, int]], tokens: int, budget: int, width: int) -> Content:
    """The exact prompt: (role, text, tokens) of each message, under a bar of how much of the budget it takes."""
    share = tokens / budget if budget else 0.0
    room = max(10, min(40, width - 34))
    head = lines(
        ("PROMPT  ", "bold"), (bar(share, room), CHANGED if share > 0.9 else NOW),
        f"  {tokens:,} of {budget:,} tokens", (f" · {share:.0%}", QUIET),
    )  # fmt: skip
    rows = [head, lines(("every word that the model was sent, and nothing else", QUIET)), lines()]
    for role, text, cost in parts:
        rows.append(lines((role, f"bold {LINK}"), (f"  {count(cost, 'token')}", QUIET)))
        rows += [lines(f"  {line}") for line in plain(text).splitlines() or [""]]
        rows.append(lines())
    return stacked(rows)


def _candidate(place: int, hit: JudgedHit, strongest: dict[str, float], given: bool, width: int) -> Content:
    mark = ("● ", NOW) if given else ("○ ", QUIET)
    tail = f"  {whose(hit.hit.speaker, 14)} · {day_words(hit.hit.said_at)}"
    room = max(8, width - len(tail) - 7)
    text = one_line(hit.hit.text)
    shown = lines(text).truncate(room, ellipsis=True)
    first = lines((f"{place:>2} ", QUIET), mark, shown, " " * max(0, room - shown.cell_length), (tail, QUIET))
    return stacked([first, *_channels(hit, strongest, LINK if given else QUIET, width)])


def _channels(hit: JudgedHit, strongest: dict[str, float], style: str, width: int) -> list[Content]:
    """The bar of each channel, as many side by side as there is room for."""
    size = 8 if width >= 90 else 5 if width >= 60 else 3
    found: list[Content] = []
    for name, _rank, score in hit.channels:
        # Of the strongest; for recency, whose figure is days, how much of it is left after a month of fading.
        share = exp(-max(0.0, score) / 30) if name == "recency" else score / (strongest[name] or 1.0)
        one = lines((f"{CHANNELS.get(name, one_line(name))} ", QUIET), (bar(share, size), style))
        if found and found[-1].cell_length + one.cell_length + 3 <= width:
            found[-1] = lines(found[-1], "   ", one)
        else:
            found.append(lines("     ", one))
    return [row.truncate(max(10, width), ellipsis=True) for row in found]


def _rest(judged: Judged, shown: int) -> Content:
    """What was compared and is not in the list, and the question's words that a search goes by."""
    hidden, left = len(judged.hits) - shown, max(0, judged.candidates - len(judged.hits))
    rows = [lines(), lines((f"{count(judged.candidates, 'turn')} compared", QUIET))]
    if hidden:
        rows.append(lines((f"{count(hidden, 'turn')} not shown: a question, or an answer of the memory", QUIET)))
    if left:
        rows.append(lines((f"{count(left, 'turn')} not shown: further from the question than these", QUIET)))
    for reason, number in Counter(reason for _id, reason in judged.removed).items():
        rows.append(lines((f"{count(number, 'turn')} not let in: {REMOVED_WORDS.get(reason, reason)}", QUIET)))
    if judged.terms:
        words = ", ".join(_asked(term, judged.query) for term, _turns, weight in judged.terms[:8] if weight > 0)
        rows.append(lines((f"words looked for, in any form: {words}", QUIET)))
    return stacked(rows)


def _asked(term: str, query: str) -> str:
    """The word of the question that was cut to this stem, as it was typed; the stem where none begins with it."""
    least = term.lower() if len(term) < 5 else term.lower()[:-1]  # "happy" is cut to "happi"
    typed = (word for word in re.findall(r"[\w']+", query) if word.lower().startswith(least))
    return one_line(next(typed, term))
