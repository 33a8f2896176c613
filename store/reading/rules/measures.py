"""A figure is a claim only beside the noun that it measures; where nobody names an owner, it is the speaker's.

`measured` scans a sentence for "latency is 150ms now", "crash rate dropped from 2.1% to 0.3%", "got the F1 up to 58%";
`counted` reads "we hit 2000 beta users", "we're at 50 languages and 16 experts" in a clause of the person's own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from store.reading.rules.build import Draft, Mood
from store.reading.rules.clause import Clause
from store.reading.rules.look import Look
from store.reading.rules.people import Scene
from store.reading.rules.words import Token
from store.records import Cue
from store.text.lists import wordset

_METRICS = wordset(
    "latency rate rating accuracy score f1 loss throughput uptime traffic revenue mrr arr mau dau wau team headcount "
    "cluster map bleu auc precision recall users subscribers followers downloads sales turnover retention churn "
    "coverage "
    "satisfaction survey budget bandwidth temperature speed time times size count price cost valuation runway views "
    "nps "
    "growth conversion engagement weight pace mileage cadence"
)
_COUNTED = wordset(
    "users customers clients employees people engineers members subscribers followers schools students endpoints "
    "languages experts products countries stores pages views downloads installs reviews stars developers teachers "
    "patients orders parameters params nodes gpus servers repos tests listeners readers viewers players shops "
    "locations "
    "branches partners volunteers donors seats tables rooms beds acres hives hens plants accounts sessions requests "
    "tokens"
)
_CHANGES = wordset(
    "went dropped fell rose grew increased decreased improved jumped climbed hit reached shrank doubled declined "
    "slipped "
    "is was are were gets got"
)
_MOVES = _CHANGES - wordset("is was are were hit reached gets got")
_ABOUT = wordset("about around roughly only just now currently over under almost nearly approximately ~ at already")
_UNITS = wordset(
    "% ms s k m min mins minutes hours days gb mb kb tb mbps fps ghz mhz kw kwh stars points percent people"
)
_OPEN = wordset(
    "want wants need needs should could would might may must hope hoping target targeting goal expect expecting aim "
    "aiming think thinks if when until before says say said supposed maybe perhaps probably try trying"
)
_STOPS = wordset(
    "i we you he she it they this that these those which who what and but so or because since while of for in on at to "
    "from with by there here then than as is are was were be been my our your his her their its a an not n't 's 're "
    "'ve per each every across within out vs versus instead after before"
)
_NUMBER = re.compile(r"^\d[\d.,]*(?:k|m|b|x|ms|s|gb|mb|tb|kb|%|bn)?\+?$")
_MAX_NOUN = 4


class Amount(NamedTuple):
    """tokens[start:end] with its number, and the noun after it, if there is one."""

    text: str
    start: int
    end: int
    noun: str
    unit: str


def measured(tokens: Sequence[Token], limit: int, scene: Scene) -> Iterator[tuple[Draft, int, int]]:
    """Each figure of a sentence that names what it measures: (draft, first token, token after it)."""
    for at in range(1, limit - 1):
        low = tokens[at].low
        if low in _CHANGES and tokens[at].kind == "word":
            found = _of_noun(tokens, at, limit)
            if found is not None:
                yield found
        elif low in ("up", "down") and tokens[at + 1].low == "to":
            found = _got_to(tokens, at, limit)
            if found is not None:
                yield found
        elif tokens[at].text == "—" or (tokens[at].text in "–-" and tokens[at].start > tokens[at - 1].end):
            yield from _besides(tokens, at, limit)
    for at in range(limit):
        if tokens[at].low[:1].isdigit() and (found := _scored(tokens, at, limit)) is not None:
            yield found


def _of_noun(tokens: Sequence[Token], at: int, limit: int) -> tuple[Draft, int, int] | None:
    start = _noun_start(tokens, at)
    words = [token.low for token in tokens[start:at] if token.low not in ("total", "overall", "current", "the")]
    if not words or start == at or {token.low for token in tokens[max(0, start - 6) : start]} & _OPEN:
        return None
    old, new = _change(tokens, at, limit)
    if new is None or (old is None and words[-1] not in _METRICS):
        return None
    if old is None and tokens[at].low in ("was", "were", "got"):
        return None
    fresh = old is not None or tokens[at].low in _MOVES | {"hit", "reached"} or _now(tokens, at, new.end, limit)
    predicate = "team_size" if words == ["team"] else "_".join(words)
    subject = "~" + predicate if words[-1] != "team" else None
    counted = new.noun.lower().split()
    if counted and counted[-1].endswith("s") and words[-1] not in _METRICS | {"team"}:  # "the blog went to 900 views"
        predicate, subject = "_".join(counted), " ".join(words)
    draft = Draft(
        predicate,
        new.text,
        subject=subject,
        functional=True,
        cue="update" if fresh else "state",
        replaces=old.text if old is not None else None,
    )
    return draft, start, new.end


def _now(tokens: Sequence[Token], at: int, end: int, limit: int) -> bool:
    return "now" in {token.low for token in tokens[at : min(end + 2, limit)]}


def _noun_start(tokens: Sequence[Token], at: int) -> int:
    """Where the bare noun before a verb begins; `at` where there is none that begins its clause."""
    start = at
    while start > 0 and at - start < _MAX_NOUN and _nominal(tokens[start - 1]):
        start -= 1
    if start and tokens[start - 1].low == "the":
        start -= 1
    first = start == 0 or tokens[start - 1].kind in ("mark", "break") or tokens[start - 1].low in ("and", "but", "so")
    return start if first else at


def _nominal(token: Token) -> bool:
    return token.kind == "word" and token.low not in _STOPS and token.low[:1].isalpha() and token.low not in _CHANGES


def _change(tokens: Sequence[Token], at: int, limit: int) -> tuple[Amount | None, Amount | None]:
    """The old and the new figure after a verb: "from 2.1% to 0.3%", "to 22K", "is 150ms"."""
    place = at + 1
    low = tokens[at].low
    while place < limit and tokens[place].low in ("up", "down", "back", "again"):
        place += 1
    if tokens[place].low == "from":
        old = amount_at(tokens, place + 1, limit)
        if old is None or old.end >= limit - 1 or tokens[old.end].low not in ("to", "down", "up"):
            return None, None
        skip = old.end + 1 + (tokens[old.end].low != "to")
        return old, amount_at(tokens, skip, limit)
    if low in _MOVES:
        return None, amount_at(tokens, place + 1, limit) if tokens[place].low == "to" else None
    return None, amount_at(tokens, place, limit)


def amount_at(tokens: Sequence[Token], at: int, limit: int) -> Amount | None:
    """A figure in digits with its unit and the noun that it counts, None where there is none."""
    while at < limit and tokens[at].low in _ABOUT:
        at += 1
    start = at
    if at < limit and tokens[at].text in ("$", "€", "£"):
        at += 1
    if at >= limit or not _NUMBER.match(tokens[at].low):
        return None
    at += 1
    unit = ""
    while at < limit and (tokens[at].text in ("%", "+", "€", "$", "£") or tokens[at].low in _UNITS):
        unit = tokens[at].low
        at += 1
    end = at
    while at < limit and at - end < 3 and _nominal(tokens[at]) and tokens[at].low not in ("now", "total"):
        if tokens[at].low in ("monthly", "daily", "weekly") and (at + 1 >= limit or not _nominal(tokens[at + 1])):
            break
        at += 1
    noun = " ".join(token.text for token in tokens[end:at])
    return Amount(_text(tokens, start, end), start, end, noun, unit)


def _text(tokens: Sequence[Token], start: int, end: int) -> str:
    pieces = []
    for at in range(start, end):
        gap = at > start and tokens[at].start > tokens[at - 1].end
        pieces.append((" " if gap else "") + tokens[at].text)
    return "".join(pieces)


def _got_to(tokens: Sequence[Token], at: int, limit: int) -> tuple[Draft, int, int] | None:
    """ "Got the F1 up to 58%", "got the model down to 25M params"."""
    new = amount_at(tokens, at + 2, limit)
    verb = next((place for place in range(at - 1, max(-1, at - 6), -1) if tokens[place].low in _GOT), None)
    if new is None or verb is None or {token.low for token in tokens[max(0, verb - 4) : verb]} & _OPEN:
        return None
    words = [token.low for token in tokens[verb + 1 : at]]
    mine = bool(words) and words[0] in ("my", "our")
    if (
        not words
        or words[0] not in ("the", "my", "our")
        or not all(word.isalnum() for word in words[1:])
        or len(words) < 2
    ):
        return None
    noun = "_".join(words[1:])
    counted = new.noun.split()[0].lower() if new.noun else ""
    if counted in _COUNTED:
        end = new.end + 1
        return (
            Draft(counted, new.text, subject=f"me>{noun}" if mine else noun, functional=True, cue="update"),
            verb,
            end,
        )
    return Draft(noun, new.text, subject=f"~{noun}", functional=True, cue="update"), verb, new.end


_GOT = wordset("got brought pushed cut reduced")
_SCORES = wordset(
    "f1 accuracy precision recall auc map bleu rouge wer cer mse rmse mae iou perplexity ndcg mrr uptime nps gpa"
)
_SCORED = wordset("get gets got getting score scores scored reach reaches reached hit hits achieve achieves achieved")
_AVERAGED = wordset("average avg mean vs versus overall")


def _scored(tokens: Sequence[Token], at: int, limit: int) -> tuple[Draft, int, int] | None:
    """ "42% F1", "gets 0.81 average": a result in a known measure, or an average that somebody or something got."""
    found = amount_at(tokens, at, limit)
    if found is None or found.start != at or {token.low for token in tokens[max(0, at - 7) : at]} & _NOT_GOT:
        return None
    after = tokens[found.end].low if found.end < limit else ""
    before = tokens[at - 1].low if at else ""
    rated = "%" in found.text or "." in found.text
    if rated and after in _SCORES and before not in ("than", "of", "by", "at", "hit", "reached"):
        predicate = after
    elif rated and after in _AVERAGED and {token.low for token in tokens[max(0, at - 3) : at]} & _SCORED:
        predicate = "score"
    else:
        return None
    start = at
    while start and tokens[start - 1].kind == "word":
        start -= 1
    if predicate == "score" and not _is_ones_own(tokens, start, at):
        return None
    draft = Draft(predicate, found.text, subject=f"~{predicate}", functional=True, cue="update")
    return draft, start, found.end + 1


def _is_ones_own(tokens: Sequence[Token], start: int, at: int) -> bool:
    """What got the score is the speaker, a thing of theirs, or goes by an acronym; a person's result is not theirs."""
    before = tokens[start:at]
    own = {token.low for token in before} & {"i", "we", "my", "our", "the"}
    acronym = any(sum(letter.isupper() for letter in token.text) > 1 for token in before)
    return bool(own or acronym) and not {token.low for token in before} & {
        "he",
        "she",
        "they",
        "you",
        "his",
        "her",
        "'s",
    }


_NOT_GOT = _OPEN | wordset("baseline vs versus below above than losing without under need least")


def _besides(tokens: Sequence[Token], at: int, limit: int) -> Iterator[tuple[Draft, int, int]]:
    """ "I own our docs — about 150 endpoints across 3 products": what there is of it, by count."""
    if tokens[0].low not in ("i", "we", "my", "our") or {token.low for token in tokens[:at]} & _OPEN:
        return
    place = at + 1
    while (found := amount_at(tokens, place, limit)) is not None:
        words = found.noun.lower().split()
        if not words or words[-1] not in _COUNTED:
            return
        end = found.end + len(words)
        yield Draft(f"number_of_{'_'.join(words)}", found.text, functional=True), place, end
        place = end + 1 if end < limit and tokens[end].low in ("and", "across", "over", "in", "with") else limit


def counted(look: Look) -> Iterator[Draft]:
    """ "We're at 11 people", "we hit 2000 beta users", "I expanded to 50 languages and 16 experts"."""
    clause = look.raw
    group = clause.group
    if clause.keys != (look.scene.me,) or group.negative or group.passive:
        return
    at = _figures(clause)
    fresh = group.tense in ("past", "perfect") or "now" in look.words() or "now" in group.adverbs
    while at is not None and at < clause.end:
        found = amount_at(clause.tokens, at, clause.end)
        if found is None:
            return
        yield from _count(look, found, fresh)
        after = found.end + len(found.noun.split())
        at = after + 1 if clause.low(after) in ("and", "across", "over", "with") else None


_HANDLES = wordset("cover support serve handle see treat process ship sell produce publish bake roast teach")
_OFTEN = wordset("day week month year quarter hour night season")


def _figures(clause: Clause) -> int | None:
    """Where the figure stands that the verb leads to, None for other verbs."""
    group = clause.group
    at = group.after
    while clause.low(at) in ("now", "already", "currently", "just", "also"):
        at += 1
    low = clause.low(at)
    if group.lemma == "be" and group.tense in ("present", "past") and low in ("at", "up", "down"):
        return at + 1 + (clause.low(at + 1) in ("to", "at"))
    if group.lemma in ("hit", "reach", "pass") and group.tense in ("past", "perfect", "present"):
        return at
    if group.lemma in ("grow", "expand", "scale", "increase", "go") and group.tense in ("past", "perfect"):
        return at + 1 + (low in ("up", "down")) if low == "to" or clause.low(at + 1) == "to" else None
    if group.lemma in _HANDLES and group.tense in ("present", "prog", "perfprog"):
        return at
    return None


def _count(look: Look, found: Amount, fresh: bool) -> Iterator[Draft]:
    words = found.noun.split()
    mood: Mood = "switch" if look.clause.group.tense in ("past", "perfect") else "state"
    cue: Cue | None = "update" if fresh else None
    after = found.end + len(words)
    often = look.raw.low(after) in ("per", "a", "each", "every") and look.raw.low(after + 1) in _OFTEN
    if look.lemma in _HANDLES - wordset("cover support serve handle") and not often:
        return
    side = (("frequency", f"{look.raw.low(after)} {look.raw.low(after + 1)}"),) if often else ()
    staff = bool(words) and words[0].lower() in ("people", "employees", "engineers")
    if look.lemma == "be" and (found.unit == "people" or staff):
        text = found.text + ("" if found.unit else f" {words[0]}")
        yield Draft("team_size", text, mood, functional=True, cue=cue)
    elif found.unit == "%" and words:
        yield Draft(words[0].lower(), found.text, mood, functional=True, cue=cue)
    elif words and (often or set(found.noun.lower().split()) & _COUNTED or words[0].isupper()):
        known = (place for place, word in enumerate(words) if word.lower() in _COUNTED or word.isupper())
        name = "_".join(words[: next(known, len(words) - 1 if often else 0) + 1]).lower()
        yield Draft(f"number_of_{name}", found.text, mood, functional=True, cue=cue, qualifiers=side)
