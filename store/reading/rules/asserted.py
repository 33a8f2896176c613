"""What stands under a question, a condition, a wish or somebody else's opinion is asserted by nobody, and is dropped.

`asserted_until` cuts a sentence before its question or its condition; `admitted` drops the clauses that hang on such
a verb.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from store.reading.rules.lexicon import HYPOTHETICAL, INTERJECTIONS, MAYBES
from store.reading.rules.words import Sentence, Token
from store.text.lists import wordset

if TYPE_CHECKING:
    from store.reading.rules.clause import Clause

THINK = wordset("think guess believe suppose reckon assume figure feel")
SAY = wordset("say tell mention report announce confirm reveal explain write text email call")
OPEN_VERBS = wordset("hope wish want imagine pretend dream doubt wonder fear expect worry swear bet")
EMBED = (
    THINK
    | SAY
    | OPEN_VERBS
    | wordset("know realise realize remember notice decide hear find see be learn mean show forget love like hate")
)
PLAIN = frozenset(["be", "love", "like", "hate"])
GAP = wordset("that me him her us you them , all once everyone people folks y'all to")
_WH = wordset("what how why where whom whose which whatever wherever however whichever than like whether whoever")
_TEMPORAL = wordset("when whenever while once until till before after as time day moment by")
MARKS = wordset(", ; : - – — ( ) . ! / …")
STRONG = wordset("; : — – ( ) …")
_WH_START = wordset("what how why where who which when whose any anything")
_AUX = wordset("do does did is are was were can could would will should have has am shall may isn aren ca wo wan")


def asserted_until(sentence: Sentence) -> int:
    """The index up to which a sentence asserts; 0 if it is a question, a condition or a task from its start."""
    tokens = sentence.tokens
    limit = len(tokens)
    if sentence.question:
        limit = _before_question(tokens)
    first = next((token.low for token in tokens if token.kind == "word" and token.low not in INTERJECTIONS), "")
    if first in ("say", "according", "let", "let's") or (
        first in _WH_START and not sentence.question and first not in ("when", "any")
    ):
        return 0
    words = [at for at in range(limit) if tokens[at].kind == "word"]
    if words and tokens[words[-1]].low in MAYBES:  # "I'm giving it up, maybe."
        limit = _boundary_before(tokens, words[-1])
    for at in range(limit):
        low = tokens[at].low
        if low == "otherwise" and at and tokens[at - 1].text in MARKS:
            return at - 1
        if low in HYPOTHETICAL or (low == "as" and at + 1 < limit and tokens[at + 1].low in ("though",)):
            return _boundary_before(tokens, at)
    return limit


def _before_question(tokens: Sequence[Token]) -> int:
    """Where the interrogative part begins; 0 if that is the whole."""
    for at in range(len(tokens) - 2, 0, -1):
        before, low = tokens[at - 1], tokens[at].low
        starts = before.text in MARKS or before.low in ("and", "so", "but", "or")
        asks = low in _WH_START or (low in _AUX and tokens[at + 1].low not in ("to",))
        if starts and asks and at > 2:
            first = tokens[0].low
            return 0 if first in _AUX or first in _WH_START else _cut_back(tokens, at)
    return 0


def _cut_back(tokens: Sequence[Token], at: int) -> int:
    while at > 0 and (tokens[at - 1].text in MARKS or tokens[at - 1].low in ("and", "so", "but", "or")):
        at -= 1
    return at


def _boundary_before(tokens: Sequence[Token], at: int) -> int:
    for back in range(at - 1, 0, -1):
        if tokens[back].text in STRONG or (tokens[back].text == "," and tokens[back + 1].low in ("and", "but", "so")):
            return back
        if tokens[back].low in ("but", "so") and back + 1 < at - 1:
            return back
    return 0


def admitted(tokens: Sequence[Token], found: list[Clause]) -> list[Clause]:
    """The clauses that stand by themselves, or under a verb that vouches for them."""
    if (
        found
        and tokens[0].low in ("when", "whenever", "once", "while", "if")
        and found[0].start < 3
        and found[0].group.tense not in ("past", "perfect", "pastprog")
    ):
        return []
    admitted: list[Clause] = []
    for place, clause in enumerate(found):
        judged = _judged(tokens, found[place - 1] if place else None, clause)
        if judged is not None:
            admitted.append(judged)
    return admitted


def _judged(tokens: Sequence[Token], last: Clause | None, clause: Clause) -> Clause | None:
    """The clause as far as it is asserted, None where it hangs on something that is not."""
    before = tokens[clause.start - 1].low if clause.start else ""
    if before in _WH and clause.pronoun != "who":
        return None
    if before in _TEMPORAL and clause.group.tense not in ("past", "perfect", "pastprog", "usedto"):
        return None
    if clause.group.tense == "modal" or clause.group.maybe:
        return None
    if last is None or last.start == clause.start or not _embeds(tokens, last, clause):
        return clause
    if last.group.lemma in OPEN_VERBS or last.group.negative or last.group.tense in ("modal", "future", "goingto"):
        return None
    by_me = last.pronoun in ("i", "(i)")
    if by_me and last.group.lemma in THINK:
        return replace(clause, confidence=0.6)
    if by_me or (last.group.lemma == "be" and last.thing is None):
        return clause
    own = clause.keys or ((clause.thing.holder,) if clause.thing is not None else ())
    return clause if last.group.lemma in SAY and last.keys and last.keys == own else None


def _embeds(tokens: Sequence[Token], last: Clause, clause: Clause) -> bool:
    gap = tokens[last.group.after : clause.start]
    if last.group.lemma in EMBED - PLAIN and all(token.low in GAP for token in gap):
        return True
    if last.group.lemma in SAY and len(gap) <= 4 and gap and gap[-1].low == "that":
        return True
    return (
        last.group.lemma == "be"
        and any(token.low in ("sure", "hoping", "afraid", "worried") for token in gap)
        and len(gap) <= 3
    )
