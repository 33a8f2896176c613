"""A tool is what somebody uses, builds with or rewrites in; what it is for, and what it replaces, stands beside it.

"We use GitBook for hosting and Markdown for writing", "I'm rewriting in GDScript instead of C#".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from store.belief.reading.build import Draft, Mood
from store.belief.reading.clause import Clause
from store.belief.reading.forms import form_of
from store.belief.reading.lexicon import PRONOUN_OBJECTS
from store.belief.reading.lists import wordset
from store.belief.reading.look import Look
from store.belief.reading.nouns import LANGUAGES, NATIONALITIES
from store.belief.reading.objects import Value, listed, named, phrase
from store.belief.reading.software import is_software
from store.belief.reading.tastes import read_kind
from store.records import Cue

_REWRITES = wordset("rewrite port rebuild code")
_DECIDED = wordset("decided decision going chose")
_ROLES = wordset(
    "backbone framework base baseline backend frontend database editor engine model platform tool library language "
    "host "
    "hosting main primary default go-to"
)


def tooled(look: Look) -> Iterator[Draft]:
    """What the clause says about the tools of its subject."""
    group = look.clause.group
    old = _instead(look)
    if group.negative:
        return
    if look.lemma == "use" and not group.passive:
        if group.tense in ("present", "prog", "perfprog"):
            yield from _used(look, look.first(), "update" if old else None, old)
        elif group.tense in ("goingto", "future") and old:
            yield from _used(look, look.first(), "update", old, settled_on=True)
    elif look.lemma in ("write", "type") and group.tense == "prog" and look.low(group.after) == "this":
        yield from _device(look)
    elif look.lemma in _REWRITES and group.tense in ("prog", "past", "perfect", "perfprog"):
        yield from _rewritten(look, group.after, "state" if "prog" in group.tense else "onset", old)
    elif look.lemma in _WORKED and not group.passive and group.tense in ("present", "prog", "perfprog"):
        yield from _by_means(look)
    elif set(_words(look.clause)) & _DECIDED or group.lemma in ("decide", "rewrite"):
        yield from _resolved(look, old)


_WORKED = wordset(
    "write host build keep track manage plan edit store code design draw deploy record publish organise organize teach "
    "model run program draft mix animate compose prototype sketch do book schedule log document test train develop"
)
_ALSO_PEOPLE = wordset("hugo ray claude alexa julia ruby sage dart astro square clip")


def _by_means(look: Look) -> Iterator[Draft]:
    """ "I keep grades in Moodle", "we host it on Netlify": a known tool, and what it is used for."""
    clause = look.clause
    for at in range(clause.group.after, clause.end - 1):
        if clause.low(at) not in ("in", "on", "with", "via"):
            continue
        found = [one for one in listed(clause, at + 1) if is_software(one.text)]
        if clause.low(at) == "with" and any(one.text.lower() in _ALSO_PEOPLE for one in found):
            return
        side = object_of(replace(clause, end=at), clause.group.after) if at > clause.group.after else ()
        for one in found:
            yield Draft("uses", one.text, qualifiers=side or purpose(clause, one.end))
        if found:
            return


_EMPLOYER = re.compile(r"(?i)\b(?:my|our|the|this|new)\s+(?:new\s+)?(job|company|team|office|lab|firm|school)\b")


def theirs(look: Look) -> Iterator[Draft]:
    """ "I'll learn a lot on the job. They use TypeScript": what is used where the person works."""
    clause = look.clause
    if look.lemma != "use" or clause.group.tense != "present" or clause.group.negative or clause.group.passive:
        return
    said = look.clock.episode.text[: clause.tokens[clause.start].start]
    named = _EMPLOYER.findall(said[-160:])
    if not named:
        return
    for one in listed(clause, look.first()):
        if clause.tokens[one.start].capital:
            yield Draft("uses", one.text, subject=f"{look.scene.me}>{named[-1].lower()}")


def _device(look: Look) -> Iterator[Draft]:
    """ "I'm writing this from the InfinityBook", where the turn speaks of a laptop."""
    kinds = [kind for kind in ("laptop", "phone", "tablet", "computer") if kind in look.clock.episode.text.lower()]
    for at in look.after("from", "on")[:1]:
        found = _tools(look.clause, at + (look.low(at) in ("the", "my")))
        for one in found if len(kinds) == 1 and look.low(at) in ("the", "my") else ():
            yield Draft(kinds[0], one.text, cue="update")


def _words(clause: Clause) -> list[str]:
    return [token.low for token in clause.tokens[clause.start : clause.end]]


def _instead(look: Look) -> str | None:
    """What it takes the place of: "instead of (using) C#"."""
    clause = look.clause
    for at in range(clause.group.after, clause.end - 2):
        if clause.low(at) == "instead" and clause.low(at + 1) == "of":
            found = phrase(clause, at + 2 + (clause.low(at + 2) == "using"))
            return found[0].text if found and not _only_there(clause, found[0].end) else None
    return None


def _only_there(clause: Clause, after: int) -> bool:
    """ "At work I use ..., ... in the evening": what it takes the place of there goes on elsewhere."""
    led = clause.start > clause.floor and clause.low(clause.start - 1) not in ("and", "but", "so", "now", ",")
    return clause.group.lemma == "use" and (led or clause.low(after) in wordset("in on at when while during for"))


def _used(look: Look, at: int, cue: Cue | None, old: str | None, *, settled_on: bool = False) -> Iterator[Draft]:
    clause = look.clause
    for one in read_kind("tool")(clause, at):
        yield _draft("uses", one, purpose(clause, one.end), cue, old, settled_on)
    for place in range(at, clause.end - 1):
        low = clause.low(place)
        if low in ("and", "with") and clause.tokens[place + 1].capital:
            for one in _tools(clause, place + 1):
                follows = clause.low(one.end) == "for" or one.end >= clause.end or clause.low(one.end) == "as"
                if follows:
                    yield _draft("uses", one, purpose(clause, one.end), cue, old, settled_on)
        elif low == "as" and clause.low(place + 1) in ("the", "my", "our", "a") and clause.low(place + 2) in _ROLES:
            start = place
            while start > at and clause.tokens[start - 1].capital:
                start -= 1
            for one in _tools(clause, start):
                yield _draft(clause.low(place + 2), one, (), cue, old, settled_on)


def _draft(
    predicate: str, one: Value, side: tuple[tuple[str, str], ...], cue: Cue | None, old: str | None, settled_on: bool
) -> Draft:
    from store.belief.reading.times import OPEN

    return Draft(
        predicate,
        one.text,
        qualifiers=side,
        cue=cue,
        replaces=old,
        functional=predicate != "uses",
        valid=OPEN if settled_on else None,
    )


def _tools(clause: Clause, at: int) -> list[Value]:
    return [one for one in named(clause, at) if one.text.lower() not in LANGUAGES | NATIONALITIES]


def purpose(clause: Clause, at: int) -> tuple[tuple[str, str], ...]:
    """ "For all my note-taking": what a tool is for, as a side detail."""
    return object_of(clause, at + 1) if clause.low(at) == "for" else ()


def object_of(clause: Clause, at: int) -> tuple[tuple[str, str], ...]:
    """What something is done to, as what the tool beside it is for ("build our app using ...")."""
    while clause.low(at) in ("all", "my", "our", "the", "most", "of"):
        at += 1
    found = phrase(clause, at)
    return (("for", found[0].text),) if found and found[0].text.lower() not in PRONOUN_OBJECTS else ()


def _rewritten(look: Look, at: int, mood: Mood, old: str | None) -> Iterator[Draft]:
    """ "Rewriting (the app) in GDScript"."""
    clause = look.clause
    for place in range(at, min(at + 6, clause.end - 1)):
        if clause.low(place) in ("in", "to", "with"):
            side = object_of(replace(clause, end=place), at)
            for one in _tools(clause, place + 1)[:1]:
                yield Draft("uses", one.text, mood, cue="update", replaces=old, qualifiers=side)
            return


def _resolved(look: Look, old: str | None) -> Iterator[Draft]:
    """ "We made the decision to rewrite the app in Flutter", "we're going to port it to Rust"."""
    from store.belief.reading.times import OPEN

    clause = look.clause
    group = clause.group
    if group.lemma in _REWRITES and group.tense == "goingto":
        starts = [group.after]
    elif group.tense in ("past", "perfect"):
        starts = [
            at + 2
            for at in range(group.after, clause.end - 2)
            if clause.low(at) == "to" and (form_of(clause.low(at + 1)) or ("",))[0] in _REWRITES
        ]
    else:
        starts = []
    for start in starts[:1]:
        for draft in _rewritten(look, start, "state", old):
            yield replace(draft, mood="state", valid=OPEN)
