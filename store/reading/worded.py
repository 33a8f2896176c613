"""Words that leave no doubt how a value stands are heeded, however the reader weighs them: never, no more, split up.

Each pattern holds on the statements of the corpus: of those beside which it stands, at least nine in ten are so.
"""

from __future__ import annotations

import re
from dataclasses import replace

from store.beliefs.predicates import find
from store.reading.encoder import Reader, Statement, Words
from store.reading.labels import LABELS
from store.text.forms import is_past

REACH = 200
_MARK = re.compile(r"[.!?;\n]")
_STOP = re.compile(r"[.!?;,\n]")
_PARTED = re.compile(
    r"(?i)\b(?:split(?:ting)? up|br[oe]a?ke?(?:n|ing)? up|split from|dumped|divorced|no longer together|"
    r"(?:are|is|was|were)(?: not|n['’]?t) together|called it off|finished with|separated|separation)\b"
)
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
_A_DAY = (
    r"(?:(?:the|next|this) )?(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:days?)?|\d+(?:st|nd|rd|th)?"
    r"|tomorrow|tmrw|tonight|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*)"
)
MOVED = re.compile(
    r"(?i)\b(?:(?:been|was|were|is|got|getting|being|now|['’]s) (?:moved|changed|pushed|delayed|shifted|bumped)"
    r"|(?:moved|changed|pushed|shifted) (?:the|my|our|his|her|it|[\w'’-]+['’]s)"
    rf"|(?:moved|pushed|bumped|shifted|changed) (?:back |on |up )?(?:to|from|till|until) {_A_DAY}"
    r"|(?:push(?:es)?|pushed|pull(?:s|ed)?|brought|brings?|puts?|slip(?:s|ped)?) (?:(?:the|my|our) )?(?:[\w'’-]+ )??"
    rf"(?:(?:back|forward|out) )?(?:again )?(?:to|till|until) {_A_DAY}"
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
_NOT_YET = re.compile(r"(?i)\b(?:if|hop(?:e|es|ing)|wish(?:es)?|when|until|once|unless|whether)\b|n['’]t\b")
_BY_NOW = re.compile(r"(?i)\b(?:now|again|nowadays|these days|after all|any ?more|at last|finally|no longer)\b")
_NO_MORE = re.compile(r"(?i)no more (?=\w)")
_MY_THING_IS = re.compile(r"(?i)\b(?:my|our) (?:[\w-]+ ){1,3}?is (?:now )?(?:an? |the )?\Z")
_STILL_THEN = re.compile(
    r"(?i)(?:^|[,;:])\W*(?P<when>(?:in|until|till|before|up to) [^,;:]{2,25}?),? [\w'’-]+ still (?P<verb>\w+)[^,;:]*\Z"
)
"""A past time that opens a clause of what lasted: "in February I still worked at"."""
_TRAVELS = re.compile(r"(?i)\b(?:boarding|layover|stopover|connecting|transit|flight|departs?|takes? off)\b")
_MY_PARTNER = re.compile(r"(?i)\bmy partner(?: is|['’]s|,)?(?: called| named)? \Z")
"""Before a name, that it is one's partner: for the reader it may as well be somebody at work."""
_BORROWED = re.compile(r"(?i)\b(?:borrowed|hired) [\w' ’-]{0,20}\Z")
_WISHED = re.compile(
    r"(?i)\b(?:want(?:s|ed)?|would (?:like|love)|['’]d (?:like|love)|hop(?:e|es|ing)|wish(?:es)?|keen|dream(?:s|ing)?) "
    r"(?:to|of) (?:be able to )?(?P<to>(?:(?:take up|start|try|get into) )?(?:learn(?:ing)?|play(?:ing)?"
    r"|tak(?:e|ing) up|speak(?:ing)?|start(?:ing)?|try(?:ing)?)(?: (?:to|some|a bit of|the))? )\Z"
)
"""Before what somebody wants to learn or take up, and does not do."""
_BECOMES = re.compile(r"(?i)\b(?:will|going to|gonna|['’]ll) (?:soon )?(?P<be>(?:be|become) an? )\Z")
"""Before what somebody will be to others: "I will be a grandfather" says nothing of a grandfather of one's own."""
_DONE_BY_WISH = frozenset(["learning", "speaks", "plays", "sport", "hobby", "habit"])
_EATEN = frozenset(["other", "diet", "allergic_to", "likes", "dislikes"])
"""What the reader takes a value for that somebody could not have."""
_HELD = frozenset(["is", "begins", "was", "corrects", "not"])
SHOWN = frozenset(["kind", "contact", "name", "nickname", "looks", "gender", "measure", "price", "located"])
"""What is seen of somebody or something that a sentence says something else of."""


def as_worded(text: str, said: Statement, reader: Reader) -> Statement:
    """A statement with the status that its own words give it, and as sure as they make it."""
    ahead, behind = around(text, said)
    beside = f"{ahead} {behind}"
    then = _STILL_THEN.search(ahead)
    if then is not None and said.status != "ends" and is_past(then["verb"]):
        first = said.value.start - len(ahead)
        when = said.when or Words(first + then.start("when"), first + then.end("when"))
        return _of_status(replace(said, when=when), "was", reader)
    until = _UNTIL.match(behind) if said.predicate == "habit" and said.status == "is" else None
    if until is not None and is_past(text[slice(*said.value)].partition(" ")[0].lower()):
        when = Words(*(said.value.end + end for end in until.span("when")))
        return _of_status(replace(said, when=when), "was", reader)
    if said.predicate == "reading" and said.when is not None and ahead.endswith(" read "):
        return _of_status(said, "was", reader)
    if said.predicate in ("colleague", "partner") and _MY_PARTNER.search(ahead):
        return of_predicate(said, "partner", reader)
    if said.predicate == "lives_in" and _TRAVELS.search(behind):
        return of_predicate(said, "other", reader)
    if said.predicate == "subscribes" and ahead.lower().endswith("i use "):
        return of_predicate(said, "uses", reader)
    if (plain := _in_plain_words(text, said, ahead, behind, reader)) is not None:
        return plain
    if _is_over(text, said, ahead, behind):
        return _of_status(said, "was", reader)
    if (wished := _wished(said, ahead, reader)) is not None:
        return wished
    if said.predicate == "kind" and said.subject is None and _MY_THING_IS.search(ahead):
        return of_predicate(said, "owns", reader)
    if said.status == "was" and said.when is not None and text.startswith("since ", said.when.start):
        return _of_status(said, "is", reader)  # what has been done since then is done still
    gone = _NO_MORE.match(text, said.value.start, said.value.end)
    if gone is not None and said.predicate in ("diet", "habit", "uses", "owns"):
        return _of_status(replace(said, value=Words(gone.end(), said.value.end)), "ends", reader)
    if said.predicate in _EATEN and said.status in ("ends", "not") and _CANNOT_HAVE.search(_STOP.split(ahead)[-1]):
        said = replace(said, revises=None, revising=0.0)  # it is no end of what harms
    if said.predicate == "partner" and _QUARREL.search(beside):
        return _of_status(of_predicate(said, "acquaintance", reader), "is", reader)
    if said.status not in {*_HELD, "ends"}:
        return said
    if said.status not in ("not", "ends") and NEVER_SAID.search(ahead):
        return _of_status(said, "not", reader)
    if said.predicate == "allergic_to" and said.status != "ends" and _CANNOT_HAVE.search(_STOP.split(ahead)[-1]):
        return said if said.status == "is" else _of_status(said, "is", reader)
    if said.status not in ("not", "ends") and said.predicate not in SHOWN and is_never(text, said):
        return _of_status(said, "not", reader)
    if is_harmless(text, said):
        harm = said if said.status == "ends" else of_predicate(said, "allergic_to", reader)
        return _of_status(harm, "ends", reader)
    parted = _PARTED.search(beside) if said.predicate == "partner" and said.status == "is" else None
    parts = parted is not None and _DENIES.search(beside, 0, parted.start()) is None  # "we never split up"
    return _of_status(said, "ends", reader) if parts else said


def _in_plain_words(text: str, said: Statement, ahead: str, behind: str, reader: Reader) -> Statement | None:
    """A statement as words say it that are plain for its kind alone: a debt, a friendship, what somebody can't eat."""
    if said.predicate == "owns" and _BORROWED.search(ahead):
        return of_predicate(replace(said, status="event"), "event", reader)
    if said.predicate == "diet" and said.status == "is" and _CANNOT_EAT.search(ahead) is not None:
        return _of_status(said, "not", reader)
    if said.predicate == "job" and said.status == "event" and text[slice(*said.value)].lower() == "retired":
        return _of_status(said, "begins", reader)
    if said.predicate in ("lives_in", "home") and _is_a_room(text, said):  # who moves there lives where they lived
        return of_predicate(replace(said, revises=None, revising=0.0), "other", reader)
    if said.predicate == "contact" and _LIVES_AT.search(ahead) is not None:
        return of_predicate(said, "contact", reader)
    if said.predicate == "price" and (owes := _OWES.search(ahead)) is not None:
        debt = replace(said, value=Words(said.value.start - len(ahead) + owes.start(), said.value.end), subject=None)
        return of_predicate(replace(debt, when=None), "other", reader)
    if said.predicate in ("health", "event") and said.when is not None and _EXPECTING.search(text, *said.value):
        return _of_status(replace(said, when=None), "is", reader)  # the day is when the child is due
    if said.status == "not" and _AFTER_ALL.match(behind) is not None:  # "it's not arthritis after all"
        return _of_status(replace(said, chances=(1.0, *said.chances[1:])), "not", reader)
    if said.predicate == "friend" and said.status in ("ends", "was", "not") and _are_friends(f"{ahead} {behind}"):
        return _of_status(replace(said, when=None), "is", reader)
    return None


_LIVES_AT = re.compile(r"(?i)\b(?:live|lives|living|moved|moving|stay|staying) (?:at|to) \Z")
_OWES = re.compile(r"(?i)\b(?:i|we|he|she|they|(?-i:[A-ZÀ-Þ])\w+)(?: still)? owe[sd]?\b[^.!?;\d]*\Z")
_EXPECTING = re.compile(r"(?i)\bexpecting\b")
_AFTER_ALL = re.compile(r"(?i) after all\b")
_CANNOT_EAT = re.compile(
    r"(?i)\b(?:can['’]?t|can(?:no| no)t|(?:do|does|wo|must|is)n['’]?t|(?:do|does|is) not|never|not allowed to)"
    r"(?: (?:really|even|ever|allowed to))? (?:eat|have|drink|touch)s?(?: (?:any|much))? \Z"
)


_A_ROOM = re.compile(r"(?i)(?:the )?(?:[\w-]+ ){0,3}(?:\w*room|attic|loft|sofa|couch)")
_INTO = re.compile(r"(?i)\b(?:mov(?:e|ed|ing)|sleep(?:ing|s)?|slept) (?:\w+ )?(?:in|into|to|on) (?:the |my |our )?\Z")


def _is_a_room(text: str, said: Statement) -> bool:
    """Whether somebody only moves to another room: "I moved into the" spare room."""
    return bool(_A_ROOM.fullmatch(text, *said.value) and _INTO.search(text, 0, said.value.start))


def _are_friends(beside: str) -> bool:
    """Whether a friendship is said to go on, or nothing to be over but where a friend lives or works."""
    return _STILL_FRIENDS.search(beside) is not None or _NO_FRIENDS.search(beside) is None


_STILL_FRIENDS = re.compile(r"(?i)\bstill (?:(?:my|our|a|the|very|good|best|close|great) )*(?:friends?|mates?|pals?)\b")
_NO_FRIENDS = re.compile(
    r"(?i)\b(?:not|never|no longer|any ?more|was|were|used to|ex|former|fell|fallen|falling|stopped|stop|friendship"
    r"|ended|unfriend\w*|cut|blocked|ghosted|drifted|betrayed|died|dead|passed|killed|lost|done"
    r"|(?:do|does|is|are|was|have|has)n['’]?t)\b"
)
"""What may say that somebody is no friend any longer."""
_DENIES = re.compile(r"(?i)(?:\bnever|\bnot|n['’]?t)(?: (?:actually|even|really|ever))? \Z")


def _is_over(text: str, said: Statement, ahead: str, behind: str) -> bool:
    """Whether the words leave no doubt that it was so once: "Laurent and I were married for twelve years", "I was
    married until 2020, not 2019"."""
    if said.predicate == "partner" and said.status == "is":
        return _WERE.match(behind) is not None
    ended = said.status == "corrects" and said.when is not None and _UNTIL_THEN.match(text, *said.when) is not None
    return ended and _WAS.search(ahead) is not None


def _wished(said: Statement, ahead: str, reader: Reader) -> Statement | None:
    """What somebody will be to others, or wants to learn or take up; None of all else."""
    become = _BECOMES.search(ahead) if said.status == "planned" and said.subject is None else None
    if become is not None and is_of_somebody(said):
        value = Words(said.value.start - len(become["be"]), said.value.end)
        return of_predicate(replace(said, value=value), "event", reader)
    wish = _WISHED.search(ahead) if said.status == "is" else None
    if wish is not None and said.predicate in _DONE_BY_WISH:
        return of_predicate(
            replace(said, value=Words(said.value.start - len(wish["to"]), said.value.end)), "goal", reader
        )
    return None


_WERE = re.compile(
    r"(?i) and (?:i|me) (?:were|had been|used to be) (?:married|together|engaged|a couple) (?:for|until|till|from)\b"
)
_UNTIL_THEN, _WAS = re.compile(r"(?i)(?:un)?till?\b"), re.compile(r"(?i)\b(?:was|were|used to)\b")
_UNTIL = re.compile(r"(?i)(?: (?:an?|per|every) (?:hour|day|week|month|year))? (?P<when>(?:un)?till? [^.!?;,\n]{3,25})")


def is_of_somebody(said: Statement) -> bool:
    """Whether its value is somebody: a sister, a boss, a dog."""
    return said.predicate == "acquaintance" or find(LABELS.get(said.predicate, LABELS["other"]).holds).is_relation


def is_harmless(text: str, said: Statement) -> bool:
    """Whether somebody may have again what had harmed them: "walnuts are fine now"."""
    if said.predicate not in _EATEN or said.status == "not" or not said.chances:
        return False
    ahead, behind = (_STOP.split(side)[place] for side, place in zip(around(text, said), (-1, 0), strict=True))
    fine = _HARMLESS.match(behind) is not None and not _NOT_YET.search(ahead)
    return fine and _BY_NOW.search(f"{ahead} {behind}") is not None


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
