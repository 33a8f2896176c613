"""Words that leave no doubt how a value stands are heeded, however the reader weighs them: never, no more, split up.

Each pattern holds on the statements of the corpus: of those beside which it stands, at least nine in ten are so.
"""

from __future__ import annotations

import re
from dataclasses import replace

from store.beliefs.predicates import find
from store.reading.encoder import Reader, Statement, Words
from store.reading.kin import RELATIONS
from store.reading.labels import LABELS
from store.reading.subjects import is_pronoun
from store.text.forms import is_past
from store.text.nouns import EVENT_NOUNS

REACH = 200
_MARK = re.compile(r"[.!?;\n]")
_STOP = re.compile(r"[.!?;,\n]")
_PARTED = re.compile(
    r"(?i)\b(?:split(?:ting)? up|br[oe]a?ke?(?:n|ing)? up|split from|dumped|divorced|no longer together|"
    r"(?:are|is|was|were)(?: not|n['’]?t) together|called it off|finished with|separated|separation)\b"
)
_SHARED = re.compile(
    r"(?i)\bsplit(?:ting)? (?:(?:the|an?|our|my|it|this|that|every|all|half)\b|\w+ (?:bills?|costs?|rent)\b)"
)
"""What two split between them does not part them: "Clara and I split the bill"."""
_QUARREL = re.compile(
    r"(?i)\b(?:ma[dk]e (?:it )?up(?! (?:to|of|for|my|his|her|our)\b)|(?:talking|speaking|friends|on terms) again"
    r"|(?:not|n['’]t) (?:talking|speaking)|f[ae]ll(?:en)? out"
    r"|(?:school|college|uni\w*|class|work\w*|army|course|choir|team)\b[^.!?;,]{0,15} together)\b"
)
"""Whom one falls out with and makes it up with, or was at school with, is somebody whom one knows."""
NEVER_SAID = re.compile(
    r"(?i)\b(?:i|we) (?:never (?:said|told you|claimed)|did(?: not|n['’]?t) (?:say|tell you|claim))\b[^.!?;\n]*\Z"
)
_NEVER_AHEAD = re.compile(r"(?i)\b(?:never|not ever|n['’]?t ever)(?: (?:really|actually|even))?(?: \w+){0,3}[^\w:]*\Z")
MOVED = re.compile(
    r"(?i)\b(?:(?:been|was|were|is|got|getting|being) (?:moved|changed|pushed|delayed|shifted)"
    r"|(?:moved|changed|pushed|shifted) (?:the|my|our|his|her|it|[\w'’-]+['’]s)"
    r"|['’]s (?:now |been )*(?:delayed|postponed|pushed|bumped|rescheduled)"
    r"|(?:has|have|['’]s) moved(?! (?:to|in|out|into|house)\b)"
    r"|(?:moved|pushed|bumped|shifted|changed) (?:back |on |up )?(?:to|from|till|until) (?:(?:the|next|this) )?"
    r"(?:(?:mon|tue|tues|wed|wednes|thu|thur|thurs|fri|sat|satur|sun)(?:days?)?|\d+(?:st|nd|rd|th)?|tomorrow|tmrw|tonight"
    r"|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*)"
    r"|(?:put|pushed|moved) (?:[\w'’-]+ ){1,3}?(?:back|forward)(?: by)? (?:a|an|one|two|\d+) (?:day|week|month|year)s?"
    r"|moved again|put back|brought forward|resched\w+|rearranged|postponed)\b"
)
"""What is given another time lies ahead; whoever "moved to Porto" was not."""
DENIED = re.compile(r"(?i)\bnot (?:on |in |at )?(?:the )?\Z")
"""Before a date, that it is not the one."""
NOT_THAT_DAY = re.compile(r"(?i)\bnot (?:on |the |in )*(?:\d|mon|tues|wednes|thurs|fri|satur|sun)")
"""What denies a day, and so leaves no doubt that another one is told: "not the 12th, it's the 19th"."""
_CANNOT_HAVE = re.compile(
    r"(?i)\b(?:can(?:no|['’]?)t|can not|can never|may never|couldn['’]?t|"
    r"mustn['’]?t|must not|not (?:allowed|supposed) to|daren['’]?t)\b"
    r"(?: \w+){0,2} (?:have|eat|take|drink|touch|do|wear|use|stand|tolerate|go near|be near|come near)\b[^,]*\Z"
)
"""Whom something harms cannot have it; that is no denial of the harm."""
_HARMLESS = re.compile(
    r"(?i)\W*(?:(?:is|are|was|were|seems?|should be|will be)|['’](?:s|re))(?: (?!not\b|never\b)\w+){0,2}? "
    r"(?:fine|ok|okay|alright|all right|safe|allowed|no (?:longer a )?(?:problem|bother|issue)|"
    r"not an? (?:problem|issue))\b"
)
_MAY_HAVE = re.compile(
    r"(?i)\b(?:can|could|able to|allowed(?: to)?|back (?:on|to)|fine with|ok(?:ay)? with)\b"
    r"(?: (?!not\b|only\b|never\b|hardly\b|barely\b)\w+){0,2}?"
    r"(?: (?:have|having|eat|eating|take|taking|drink|drinking|tolerate|handle|be (?:near|around)))?"
    r"(?: (?:the|some|any))?\W*\Z"
)
_CANNOT_BEAR = re.compile(
    r"(?i)\b(?:can(?:no|['’]?)t|can not|can never|couldn['’]?t|could never) (?:abide|bear|stand|stomach|face)\b"
    r"[^.!?;,\n]{0,20}\Z"
)
_NO_MORE = re.compile(r"(?i)no more (?=\w)")
_IS_SOMEBODYS = re.compile(
    r"(?i)(?:\s+(?:is|was|are|were)|['’]s|(?P<bare>(?<=[^\W\d_]s)(?= not\b)))"
    r"(?P<not>(?: not|n['’]?t)(?: \w+ly| even)?)? "
    r"(?:(?:my|our|his|her|their) |(?P<owner>[\w-]+)['’]s )(?:\w+ )?(?P<noun>[\w-]+)"
)
"""Behind a name, whose it is or is not: "Kofi is not Abena's child", "pauls not my boss"."""
_IS_THE = re.compile(r"(?i)(?: is|['’]s) (?:the|my|our) (?P<noun>[\w-]+)")
_IS_INSTEAD = re.compile(r"(?i) is(?: now| instead)?(?=\s*(?:[.,;!]|\Z))")
_TILL_THEN = re.compile(
    r"(?i)(?:^|[,;:])\W*(?:and |but )?(?P<when>(?:up )?(?:until|till) [^,;:]{2,30}?),? "
    r"(?:i|we|he|she|they|[^\W\d_][\w'’-]+) (?:was|were|used to|lived|worked|went|had)\b[^,;:]*\Z"
)
_THEN_DID = re.compile(
    r"(?i)(?:^|[,;:])\W*(?:and |but |so )?(?P<when>(?:back )?(?:in|until|till?|before|up to|back in) [^,;:]{2,25}?),? "
    r"(?:i|we|he|she|they|(?:my|our|his|her) [\w'’-]+|[A-Z][\w'’-]+)(?: (?:and|n) \w+)? "
    r"(?:still (?P<verb>\w+)|was|were|used to|lived|worked|drove|had|shared|rented|studied|taught|paid|earned|played"
    r"|weighed|measured|cost)\b[^,;:]*(?:, \w+ing\b(?:(?!\b(?:i|we|he|she|they|now|is|am|are|and|but)\b)[^,;:])*)?\Z"
)
"""A past time that opens a clause of what lasted: of 35 marked values behind one, 29 are over."""
_LATE = re.compile(r"(?i)\b(?:my|our|his|her|their|[\w-]+['’]s) late (?:wife|husband|partner|\w+),? \Z")
"""Whom one has lost."""
_UP_FROM = re.compile(r"(?i)\b(?:up|down|raised|increased|reduced|cut|gone|went) from (?:about |around )?[£$€]?\Z")
_PLAINLY_NOT = re.compile(
    r"(?i)\b(?:do|does|is|are|am|has|have)(?: not|n['’]?t) (?!only\b|really\b)(?:\w+ ){0,2}"
    r"(?:in |at |with |to )?(?:an? |the )?\Z"
)
_FRONTED = re.compile(r"(?i)(?:^|[.!?;,\n])\W*(?:back )?(?:at|in) \Z")
_WAS_THERE = re.compile(r"(?i),? (?:my|our) (?:[\w-]+ ){1,3}?(?:was|were)\b")
"""Where something of mine was, one was too: "at Philips my boss was Ineke"."""
_PLACES = frozenset(["works_at", "lives_in", "school"])
_FIGURES = frozenset(["price", "pay", "measure", "other"])
_NOT_YET = re.compile(r"(?i)\b(?:if|hop(?:e|es|ing)|wish(?:es)?|when|until|once|unless|whether)\b|n['’]t\b")
_BY_NOW = re.compile(r"(?i)\b(?:now|again|nowadays|these days|after all|any ?more|at last|finally|no longer)\b")
_FRONTING = _PLACES | {"boss", "colleague", "acquaintance"}
_EATEN = frozenset(["other", "diet", "allergic_to", "likes", "dislikes"])
"""What the reader takes a value for that somebody could not have."""
_HELD = frozenset(["is", "begins", "was", "corrects", "not"])
_DOES = re.compile(r"(?i)\b(?P<what>(?:do|does) (?:the |a )?[a-z][\w -]{2,30}?) (?:on|every|each) \Z")
"""Before the days on which somebody does something."""
_DOES_THE = re.compile(r"(?i)\b(?P<what>(?:do|does) (?:the |a )?)\Z")
_HAS_DONE = re.compile(r"(?i)(?:\b(?:have|has)|['’](?:ve|s)) \w+(?:ed|en|t) (?:\w+ )*\Z")
"""What has been done since then is done still."""
_PAYS = re.compile(r"(?i)\b(?:i|we|he|she|they) pays?(?: about| around)? \Z")
"""Before what somebody pays, which is nothing that they earn."""
_A_DAY = re.compile(r"(?i)[\w ,~]{0,20}\b\d+ (?:(?:cups?|cans?|pints?|glasses|bottles?) )?an? day\b")
"""Behind a drink, how many of it somebody has."""
_HAS_BEEN = re.compile(r"(?i)(?:\b(?:have|has)|['’](?:ve|s)) (?:now |already )?been\b")
_FOR_LONG = re.compile(
    r"(?i)for (?:about |over |almost |nearly |more than )?(?:an?|[\w-]+) (?:years|months|decades|weeks)"
)
"""How long something has been so, which did not begin just now."""
_GIVES_UP = re.compile(r"(?i)\b(?P<what>(?:giving up|moving out of|getting out of) (?:(?:the|my|our|his|her) )?)\Z")
"""Before what somebody is about to leave, which they do not move into."""
_BORROWED = re.compile(r"(?i)\b(?P<what>(?:borrowed|hired) (?:(?:an?|the|some|her|his|their) )?(?:[\w-]+ )?)\Z")
_JOB_ITSELF = re.compile(
    r"(?i)(?:(?:an?|the|my|new|other|another|second|part-time|full-time|better) )*(?:job|work|position|post|role)"
)
"""What is no job, but only says that somebody has one."""
_STARTS = re.compile(r"(?i)\b(?P<what>(?:start(?:s|ed|ing)?|begin(?:s|ning)?|began) (?:(?:at )?(?:the |a )?)?)\Z")
_SCHOOL_ITSELF = re.compile(
    r"(?i)(?:(?:big|primary|secondary|high|middle|infant|pre) ?)?(?:school|nursery|reception|uni|university|college"
    r"|kindergarten|kinder)"
)
"""What is no school by its name."""
_TOOK = re.compile(r"(?i)\b(?P<what>(?:started|got|found|took|began|landed|accepted) (?:(?:an?|the|my|her|his) )?)\Z")
_GREW_UP = re.compile(r"(?i)\b(?:grew up|was raised|were raised|was brought up) (?:in|near|outside) \Z")
_FORMER = re.compile(r"(?i)\b(?:former|retired|ex)[ -]\Z")
_NOT_THAT = re.compile(r"(?i), not (?:an? |the |on |in |at |my )?[\w£$€]+\W*\Z")
"""Behind what is right, what was wrong: "Oscar, not Otto"."""
_MOVED_THERE = re.compile(r"(?i)\b(?:i|we|he|she|they|[a-z]{3,}) moved (?:\w+ )?(?:to|into|in) \Z")
_BACK_FROM = re.compile(r"(?i)\b(?:back|home|over|here|round) from (?:\w+ in )?\Z")
"""Where somebody comes from is not where they live: "Tilda is back from Leeds"."""
SHOWN = frozenset(["kind", "contact", "name", "nickname", "looks", "gender", "measure", "price", "located"])
"""What is seen of somebody or something that a sentence says something else of."""


def as_worded(text: str, said: Statement, reader: Reader) -> Statement:
    """A statement with the status that its own words give it, and as sure as they make it."""
    ahead, behind = around(text, said)
    if said.status == "ends" and said.when is not None and text[slice(*said.when)].lower() == "now":
        said = replace(said, when=None)  # it says no more than that it has ended
    if said.status in ("ends", "was", "is", "begins") and (until := _until_when(text, said)) is not None:
        return _of_status(replace(said, when=until), "ends", reader)
    gone = _NO_MORE.match(text, said.value.start, said.value.end)
    if gone is not None and said.predicate in ("diet", "habit", "uses", "owns"):
        return _of_status(replace(said, value=Words(gone.end(), said.value.end)), "ends", reader)
    if (other := _another_kind(text, said, ahead, behind, reader)) is not None:
        return of_predicate(said, other, reader)
    said = _of_its_owner(text, said, reader) if said.status in _HELD else said
    if _is_over(said, ahead, behind):
        return _of_status(_then(said, ahead), "was", reader)
    if (plain := _in_plain_words(text, said, ahead, behind, reader)) is not None:
        return plain
    if said.status == "not" and said.predicate != "event" and _PLAINLY_NOT.search(ahead):
        return _of_status(said, "not", reader)
    if said.predicate in _FRONTING and said.status == "is" and _FRONTED.search(ahead) and _WAS_THERE.match(behind):
        place = said if said.predicate in _PLACES else of_predicate(said, "works_at", reader)
        return _of_status(place, "was", reader)
    if said.predicate != "event" and not is_of_somebody(said) and _CANNOT_BEAR.search(ahead):
        return _of_status(of_predicate(said, "dislikes", reader), "is", reader)
    if said.predicate in _EATEN and said.status in ("ends", "not") and _CANNOT_HAVE.search(_STOP.split(ahead)[-1]):
        said = replace(said, revises=None, revising=0.0)  # it is no end of what harms
    if said.predicate == "partner" and _QUARREL.search(f"{ahead} {behind}"):
        chances = (*said.chances[:1], 1.0, 1.0, *said.chances[3:])
        return replace(said, predicate="acquaintance", status="is", chances=chances, sure=reader.sure_of(chances))
    if said.status == "ends" and is_harmless(text, said):
        return _of_status(said, "ends", reader)
    if said.status not in _HELD:
        return said
    if said.status != "not" and NEVER_SAID.search(ahead):
        return _of_status(said, "not", reader)
    if said.predicate == "allergic_to" and _CANNOT_HAVE.search(_STOP.split(ahead)[-1]):
        return said if said.status == "is" else _of_status(said, "is", reader)
    if said.status != "not" and said.predicate not in SHOWN and is_never(text, said):
        return _of_status(said, "not", reader)
    if is_harmless(text, said):
        return _of_status(of_predicate(said, "allergic_to", reader), "ends", reader)
    parts = said.predicate == "partner" and said.status != "was" and _PARTED.search(f"{ahead} {behind}")
    return _of_status(said, "ends", reader) if parts else said


def _in_plain_words(text: str, said: Statement, ahead: str, behind: str, reader: Reader) -> Statement | None:
    """A statement whose own words say what it is, and how it stands, in the commonest way; None where none do."""
    first = said.value.start - len(ahead)
    if said.predicate == "schedule" and (does := _DOES.search(ahead)) is not None:
        what = Words(first + does.start("what"), first + does.end("what"))
        return of_predicate(replace(said, value=what, when=said.value), "habit", reader)
    if said.predicate == "diet" and said.status == "is" and _A_DAY.match(text, said.value.end):
        return of_predicate(said, "diet", reader)
    since = said.status == "was" and said.when is not None and text.startswith("since ", said.when.start)
    if since and _HAS_DONE.search(ahead):
        return _of_status(said, "is", reader)
    if said.predicate == "reading" and said.status == "is" and said.when is not None and ahead.endswith(" read "):
        return _of_status(said, "was", reader)
    if said.predicate == "habit" and (does := _DOES_THE.search(ahead)) is not None:
        return replace(said, value=Words(first + does.start("what"), said.value.end))
    lasts = said.status == "begins" and said.when is not None and _FOR_LONG.fullmatch(text, *said.when) is not None
    if lasts and _HAS_BEEN.search(ahead):
        return _of_status(said, "is", reader)
    left = _GIVES_UP.search(ahead) if said.predicate in ("home", *_PLACES) else None
    if left is not None and said.status in ("planned", "begins"):
        what = Words(first + left.start("what"), said.value.end)
        return of_predicate(replace(said, value=what, status="planned"), "event", reader)
    borrowed = _BORROWED.search(ahead) if said.predicate in ("owns", "uses", "drives") else None
    if borrowed is not None and said.status in ("is", "begins"):
        what = Words(first + borrowed.start("what"), said.value.end)
        return of_predicate(replace(said, value=what, status="event"), "event", reader)
    if (
        said.predicate == "job"
        and _JOB_ITSELF.fullmatch(text, *said.value)
        and (took := _TOOK.search(ahead)) is not None
    ):
        what = Words(first + took.start("what"), said.value.end)
        return of_predicate(replace(said, value=what, status="event"), "event", reader)
    starts = _STARTS.search(ahead) if said.predicate in ("school", "studies_at") else None
    if starts is not None and _SCHOOL_ITSELF.fullmatch(text, *said.value):
        what = Words(first + starts.start("what"), said.value.end)
        return of_predicate(replace(said, value=what), "event", reader)
    if said.predicate in (*_PLACES, "from", "other") and _GREW_UP.search(ahead):
        return _of_status(of_predicate(said, "from", reader), "is", reader)
    if said.predicate == "job" and said.status == "was" and _FORMER.search(ahead):
        chances = (1.0, 1.0, 1.0, *said.chances[3:])
        return replace(said, chances=chances, sure=reader.sure_of(chances))
    if said.status == "corrects" and _NOT_THAT.match(behind):
        return _of_status(said, "corrects", reader)
    value = text[slice(*said.value)]
    if said.status in _MAY_BE_DROPPED and said.predicate in _GONE_TO and _dropped(ahead, value, behind):
        return _of_status(said, "cancelled", reader)
    if said.predicate == "lives_in" and said.status == "planned" and _MOVED_THERE.search(ahead):
        return _of_status(said, "begins", reader)
    shared = said.predicate == "partner" and said.status == "ends" and _SHARED.search(behind)
    return _of_status(said, "is", reader) if shared and not _PARTED.search(behind) else None


def _dropped(ahead: str, value: str, behind: str) -> bool:
    """Whether a plan is dropped: "we're not moving to Lisbon after all", "we decided against moving to Lisbon"."""
    plain = _NOT_GOING.search(f"{ahead}{value}") is not None and _AFTER_ALL.search(f"{ahead} {behind}") is not None
    return plain or _DECIDED_AGAINST.search(f"{ahead}{value}") is not None


_MAY_BE_DROPPED = frozenset(["planned", "not", "ends", "cancelled"])
_GONE_TO = _PLACES | {"studies_at", "visited", "event"}
_GOING = r"(?:mov|go|com|join|start|relocat|transferr|emigrat|tak)(?:e|ing)?\b[^.!?;,\n]{0,40}\Z"
_NOT_GOING = re.compile(rf"(?i)(?:\bnot|n['’]?t)(?: now| even| actually)?(?: going to| gonna)? {_GOING}")
_AFTER_ALL = re.compile(r"(?i)\b(?:after all|any ?more|any longer|no longer|now|in the end)\b")
_DECIDED_AGAINST = re.compile(
    rf"(?i)\b(?:decided (?:not to|against)|changed (?:my|our|his|her|their|me) minds? about) {_GOING}"
)


def _another_kind(text: str, said: Statement, ahead: str, behind: str, reader: Reader) -> str | None:
    """What a value is that cannot be what the reader takes it for: a bike owns no Rog, but is one."""
    if said.status == "event" and said.predicate == "job":  # "I retired in 2019"
        return "event"
    if is_of_somebody(said):
        last = text[slice(*said.value)].lower().split()[-1:]
        if said.status in ("planned", "event", "corrects") and EVENT_NOUNS.intersection(last):
            return "event"  # "dr appt w/ Okafor moved to dec 10"
        if said.predicate == "partner" and _TREATS.search(f"{ahead[-60:]}{text[slice(*said.value)]}"):
            return "acquaintance"  # "I've been seeing a therapist, Dr Lowe"
        if _WORKS_FOR_ONE_CALLED.search(ahead):
            return "works_at"
        if _PLACE_CALLED.search(ahead):
            return "works_at" if _WORK_THERE.search(ahead) else "other"
    if said.predicate == "kind" and said.subject is None and _MY_THING_IS.search(ahead):
        return "owns"
    if said.predicate == "subscribes" and _USES.search(ahead):
        return "uses"
    if said.predicate == "pay" and _PAYS.search(ahead):
        return "price"
    passes = _BACK_FROM.search(ahead) or _TRAVELS.search(behind)
    if said.predicate == "lives_in" and said.status in ("is", "begins") and passes:
        return "other"
    thing = "" if said.subject is None else text[slice(*said.subject)]
    noun = thing.islower() and thing.isalpha() and reader.knows(thing)
    of_thing = noun and thing not in RELATIONS and not is_pronoun(thing)
    return "kind" if said.predicate == "owns" and of_thing and text[slice(*said.value)].istitle() else None


_MY_THING_IS = re.compile(r"(?i)\b(?:my|our) (?:[\w-]+ ){1,3}?is (?:now )?(?:an? |the )?\Z")
_USES = re.compile(r"(?i)\bus(?:e|es|ing) \Z")
_TRAVELS = re.compile(r"(?i)\b(?:boarding|layover|stopover|connecting|transit|flight|departs?|takes? off)\b")
_PLACE_CALLED = re.compile(
    r"(?i)\b(?:place|restaurant|bar|caf[eé]|shop|company|firm|hotel|pub|school|hospital|office|bakery|garage|salon|agency)"
    r",? (?:called|named)(?: the)? \Z"
)
_WORKS_FOR_ONE_CALLED = re.compile(
    r"(?i)\b(?:work(?:s|ed|ing)?|job|started|employed)\b[^.!?;\n]{0,40}?\b(?:for|at|in|with) (?:an?|this|the)"
    r"(?: [\w-]+){1,4},? (?:called|named)(?: the)? \Z"
)
_TREATS = re.compile(
    r"(?i)\b(?:therapist|counsell?or|psychologist|psychiatrist|physio\w*|doctor|specialist|consultant|dentist|gp|midwife"
    r"|osteopath|chiropractor|dietician|nutritionist|tutor|coach|trainer|lawyer|solicitor)\b[^.!?;]{0,12}\Z|\b(?:Dr|Prof)\b"
)
"""Before a name, that one sees them for their work."""
_WORK_THERE = re.compile(r"(?i)\b(?:work|job|started|employed)")


def _of_its_owner(text: str, said: Statement, reader: Reader) -> Statement:
    """Somebody who is called by what they are to another is of that one; or is not, if that is said."""
    plainly = _IS_THE.match(text, said.value.end) if said.status == "not" and is_of_somebody(said) else None
    instead = said.status == "not" and is_of_somebody(said) and _IS_INSTEAD.match(text, said.value.end) is not None
    if instead or (plainly is not None and plainly["noun"].lower() in RELATIONS):
        return _of_status(said, "is", reader)  # "Craig is the manager, Bev isn't", "Tom isn't my boss, Sara is"
    owned = _IS_SOMEBODYS.match(text, said.value.end)
    relation = "" if owned is None else RELATIONS.get(owned["noun"].lower(), ("", ""))[0]
    if owned is None or not relation or not (said.predicate == "other" or is_of_somebody(said)):
        return said
    if owned["owner"]:
        said = replace(said, subject=Words(*owned.span("owner")))
    if owned["bare"] is not None:
        said = replace(said, value=Words(said.value.start, said.value.end - 1))
    if not owned["not"]:
        return said
    said = said if owned["owner"] else replace(said, subject=None)
    alike = find(relation).is_a(LABELS.get(said.predicate, LABELS["other"]).holds)
    denied = said if alike else of_predicate(said, "acquaintance", reader)
    return _of_status(replace(denied, chances=(1.0, *denied.chances[1:])), "not", reader)


def is_of_somebody(said: Statement) -> bool:
    """Whether its value is somebody: a sister, a boss, a dog."""
    return said.predicate == "acquaintance" or find(LABELS.get(said.predicate, LABELS["other"]).holds).is_relation


def _is_over(said: Statement, ahead: str, behind: str) -> bool:
    """Whether its words say that it was so and is so no more."""
    figure = said.predicate in _FIGURES
    measured = said.predicate in SHOWN and not figure
    holds = ("is", "begins", "planned", "event") if figure else ("is", "begins", "planned")
    if said.status in holds and not measured and _lasted(ahead):
        return True
    if figure and said.when is not None and _WAS_IN.match(behind):
        return True
    if said.status == "is" and _LATE.search(ahead):
        return True
    return figure and said.status in ("is", "begins") and _UP_FROM.search(ahead) is not None


_WAS_IN = re.compile(
    r"(?i) (?:was|were) (?:just |only )?(?:back |what it was )?(?:in |last |on )?(?:(?:early|mid|late) )?"
    r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|spring|summer|autumn|winter|year|month|week|\d{4})[a-z]*\W*\Z"
)
"""Behind a figure, when it was so: "281 was March"."""


def _then(said: Statement, ahead: str) -> Statement:
    """With the time that opens its clause, where the reader points at none."""
    found, first = _THEN_DID.search(ahead), said.value.start - len(ahead)
    if said.when is not None or found is None:
        return said
    return replace(said, when=Words(first + found.start("when"), first + found.end("when")))


def _lasted(ahead: str) -> bool:
    """Whether a time gone by opens the clause of a value, and a verb of what lasted: "in May I still worked at"."""
    found = _THEN_DID.search(ahead)
    return found is not None and (found["verb"] is None or is_past(found["verb"]))


def _until_when(text: str, said: Statement) -> Words | None:
    """Up to when it was so, where that opens the clause of the value: "till October we were living in Linz"."""
    ahead, _ = around(text, said)
    found = _TILL_THEN.search(ahead)
    first = said.value.start - len(ahead)
    return None if found is None else Words(first + found.start("when"), first + found.end("when"))


def is_harmless(text: str, said: Statement) -> bool:
    """Whether somebody may have again what had harmed them: "walnuts are fine now", "she can eat eggs again"."""
    if said.predicate not in _EATEN or said.status == "not" or not said.chances:
        return False
    ahead, behind = (_STOP.split(side)[place] for side, place in zip(around(text, said), (-1, 0), strict=True))
    told = _HARMLESS.match(behind) or _MAY_HAVE.search(ahead)
    return told is not None and not _NOT_YET.search(ahead) and _BY_NOW.search(f"{ahead} {behind}") is not None


def is_never(text: str, said: Statement) -> bool:
    """Whether it is said never to have been so."""
    ahead, _ = around(text, said)
    return _NEVER_AHEAD.search(ahead) is not None or NEVER_SAID.search(ahead) is not None


def is_never_denied(text: str, said: Statement) -> bool:
    """Whether it is said that nobody denied it: "I did not say that Ana is not my boss"."""
    return said.status == "not" and NEVER_SAID.search(around(text, said)[0]) is not None


def around(text: str, said: Statement) -> tuple[str, str]:
    """What stands before a value in its sentence, and behind it, at most REACH characters each."""
    first = max(0, said.value.start - REACH)
    behind = text[said.value.end : said.value.end + REACH]
    return _MARK.split(text[first : said.value.start])[-1], _MARK.split(behind)[0]


def of_predicate(said: Statement, predicate: str, reader: Reader) -> Statement:
    """A statement whose words leave no doubt what kind it is, as sure as that makes it."""
    chances = (said.chances[0], 1.0, *said.chances[2:])
    return replace(said, predicate=predicate, chances=chances, sure=reader.sure_of(chances))


def _of_status(said: Statement, status: str, reader: Reader) -> Statement:
    chances = (*said.chances[:2], 1.0, *said.chances[3:])
    return replace(said, status=status, chances=chances, sure=reader.sure_of(chances))
