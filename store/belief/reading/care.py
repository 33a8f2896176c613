"""Who looks after somebody and what they are given is said of the patient, whoever the subject of the clause is.

"My doctor took me off metformin", "I was put on statins", "I see a therapist every other week", "I changed dentists,
I see Dr. Lindqvist now", "I'm seeing someone new, her name is Ines".
"""

from __future__ import annotations

from collections.abc import Iterator

from store.belief.reading.build import Draft, Mood
from store.belief.reading.clauses import Clause
from store.belief.reading.lexicon import PLURALS, RELATIONS
from store.belief.reading.lists import wordset
from store.belief.reading.look import Look
from store.belief.reading.objects import phrase
from store.belief.reading.people import name_at, relation_noun
from store.belief.reading.tastes import medicine

CARERS = wordset(
    "doctor gp dentist therapist psychologist psychiatrist physio physiotherapist vet lawyer accountant hairdresser "
    "barber tutor teacher coach trainer babysitter nanny mentor landlord boss manager"
)
"""Whom one has by what they do, and may change."""
_SEEN = CARERS | wordset(
    "counsellor counselor chiropractor osteopath dietician dietitian nutritionist cardiologist dermatologist "
    "neurologist oncologist optician orthodontist podiatrist masseuse acupuncturist specialist midwife"
)
_CHANGED = wordset("change changed changing switch switched switching swap swapped replace replaced")
_CALLED = wordset("called named")
_MINE = wordset("my our a the another")
_NOT_DRUGS = wordset(
    "it that this them a an the my list phone hook team project case road way earth map leave duty course hold edge"
)


def treated(look: Look) -> Iterator[Draft]:
    """take somebody off, put somebody on, prescribe somebody: the patient takes it from then on, or no longer."""
    clause, at = look.clause, look.clause.group.after
    patient = _patient(look)
    if patient is None:
        return
    at += not clause.group.passive
    if look.lemma == "prescribe":
        yield from _given(look, at, "onset", patient)
    elif look.lemma in ("take", "put", "start", "wean", "switch", "move") and clause.low(at) in ("off", "on", "onto"):
        yield from _given(look, at + 1, "stop" if clause.low(at) == "off" else "onset", patient)
    elif look.lemma in ("switch", "move"):
        yield from (
            draft for index in look.after("to", "onto") for draft in _given(look, index, "onset", patient) if index > at
        )


def _patient(look: Look) -> str | None:
    """Who is treated: the subject of a passive, else "me" or "him" right after the verb."""
    clause = look.clause
    if clause.group.negative:
        return None
    if clause.group.passive:
        return clause.keys[0] if len(clause.keys) == 1 else None
    word = clause.low(clause.group.after)
    if word in ("me", "us"):
        return look.scene.me
    return look.scene.meant_by({"him": "he", "her": "she"}.get(word, ""))


def _given(look: Look, at: int, mood: Mood, patient: str) -> Iterator[Draft]:
    found = medicine(look.clause, at) or [one for one in phrase(look.clause, at) if _may_be_drug(look.clause, at)]
    if look.clause.group.tense in ("past", "perfect"):
        yield from (Draft("takes", one.text, mood, subject=patient) for one in found[:1])


def _may_be_drug(clause: Clause, at: int) -> bool:
    """One bare word that ends the clause: "off metformin"; a common verb particle or a determiner is none."""
    bare = clause.low(at) not in _NOT_DRUGS and len(clause.low(at)) > 4
    last = at + 1 >= clause.end or clause.tokens[at + 1].kind != "word"
    doctor = clause.person is not None and clause.person.key.rpartition(">")[2] in ("doctor", "vet", "therapist")
    return bare and last and (doctor or clause.group.passive or clause.group.lemma == "prescribe")


def sees(look: Look) -> Iterator[Draft]:
    """see a therapist, and how often; see Dr. Lindqvist after a change of dentists; see someone new."""
    clause, at = look.clause, look.first()
    tense = clause.group.tense
    if tense in ("prog", "perfprog") and look.low(at) == "someone":
        yield from _someone(clause, at + 1)
        return
    if tense not in ("present", "usedto", "prog", "perfprog"):
        return
    word, after = relation_noun(clause.tokens, at + 1, clause.end) if look.low(at) in _MINE else ("", at)
    word = word or (look.low(at + 1) if look.low(at) in _MINE and look.low(at + 1) in _SEEN else "")
    often = look.frequency()
    if PLURALS.get(word, word) in _SEEN and (often or tense != "present" or after >= clause.end):
        yield Draft("sees", word, qualifiers=(("frequency", often),) if often else ())
        return
    role = _role_changed(clause)
    name, _ = name_at(clause.tokens, at, clause.end)
    if role and name and tense in ("present", "prog"):
        yield Draft(RELATIONS[role][0], name, cue="update", subject=look.scene.me)


def _someone(clause: Clause, at: int) -> Iterator[Draft]:
    """ "... someone new, her name is Ines": the name that follows at once."""
    tokens = clause.tokens
    at += at < len(tokens) and tokens[at].low in ("new", "else", "now")
    at += at < len(tokens) and tokens[at].text in (",", ":", "-", "—", "–", ".")
    if at < len(tokens) and tokens[at].low in ("his", "her", "their"):
        named = [token.low for token in tokens[at + 1 : at + 3]]
        at += 3 if named[:1] == ["name"] and named[1:] in (["is"], ["'s"]) else 0
    elif at < len(tokens) and tokens[at].low in _CALLED:
        at += 1
    elif at + 2 < len(tokens) and tokens[at].low in ("he", "she") and tokens[at + 2].low in _CALLED:
        at += 3
    name, _ = name_at(tokens, at, len(tokens)) if at < len(tokens) else ("", at)
    if name:
        yield Draft("partner", name, cue="update")


def _role_changed(clause: Clause) -> str:
    """The role that the words before speak of changing ("I changed dentists, ..."), "" if none."""
    before = [token.low for token in clause.tokens[: clause.start]]
    if not _CHANGED & set(before):
        return ""
    roles = [PLURALS.get(word, word) for word in before]
    return next((role for role in roles if role in CARERS and role in RELATIONS), "")


def changes_role(look: Look) -> Iterator[Draft]:
    """ "switched dentists to Dr. Lindqvist", "changed my doctor, it's Dr. Abebe now"."""
    at = look.first()
    at += look.low(at) in ("my", "our")
    role = PLURALS.get(look.low(at), look.low(at))
    if role not in CARERS or role not in RELATIONS:
        return
    for index in look.after("to"):
        name, _ = name_at(look.clause.tokens, index, look.clause.end)
        if name:
            yield Draft(RELATIONS[role][0], name, "switch")
