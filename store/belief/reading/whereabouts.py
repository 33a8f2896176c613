"""Where a thing lies is said of a thing that is put somewhere, by a preposition of place; a thing that takes place is
nowhere.

"The spare key is under the blue flowerpot", "I keep my passport in the top drawer", "I've moved the key, it's in the
shed now": (spare key, location, "under the blue flowerpot").
"""

from __future__ import annotations

from collections.abc import Iterator

from store.belief.reading.build import Draft, Mood
from store.belief.reading.lexicon import DETERMINERS
from store.belief.reading.lists import wordset
from store.belief.reading.look import Look
from store.belief.reading.objects import run_end, source
from store.belief.reading.things import Thing, thing_of_words
from store.records import Cue

_WHERE = wordset("in under on behind at inside beneath beside above below near next between atop")
_STOWED = wordset(
    "key keys passport passports charger chargers documents document papers certificate glasses wallet purse tools "
    "toolbox "
    "ladder drill umbrella torch flashlight remote suitcase suitcases luggage backpack tent bike helmet lock padlock "
    "medicine medication pills thermometer stapler scissors tape cable cables adapter battery batteries box boxes "
    "card cards cash money jewellery jewelry ring necklace watch will deeds contract receipt receipts warranty manual "
    "folder binder album albums notebook diary letter letters usb stick drive backup camera tripod lens guitar skis "
    "decorations ornaments candles matches fuse fusebox valve stopcock router modem safe ticket tickets voucher"
)
"""Things that one puts somewhere and looks for again."""
_PUT = wordset("keep put store hide stash leave park stow bury tuck")
_PLACED = _WHERE | wordset("away")
_NOWHERE = wordset(
    "mind order place advance case time progress transit way use hand touch fact order trouble total front general "
    "condition shape pieces good bad danger doubt need search "
    "sale fire stock charge point line"
)
_BARE = wordset("storage home work here there")
_ALLOW = frozenset(["of", "in", "on", "to", "at", "by", "under", "behind", "with"])


def lies(look: Look, thing: Thing) -> Iterator[Draft]:
    """ "The spare key is under the flowerpot": for things that are put away, and for those that were just moved."""
    group = look.clause.group
    if look.lemma not in ("be", "hang", "lie", "live", "keep", "hide", "store", "stash", "bury") or group.negative:
        return
    if group.tense != "present" or thing.noun.split()[-1] not in _STOWED or thing.whole:
        return
    yield from (_kept(look, thing, where, "state") for where in _where(look, look.first()))


def puts(look: Look) -> Iterator[Draft]:
    """ "I keep my passport in the top drawer", "I've moved the key to the shed"."""
    clause, at = look.clause, look.first()
    if look.lemma not in _PUT | {"move"} or clause.group.negative or clause.group.passive:
        return
    if look.low(at) not in ("my", "our", "the", "his", "her") or clause.group.tense not in (
        "present", "past", "perfect"
    ):  # fmt: skip
        return
    thing = thing_of_words(clause.tokens, at, clause.end, look.scene, _PLACED | {"to", "into"})
    if thing is None or thing.whole or thing.noun.split()[-1] not in _STOWED:
        return
    places = _PLACED | ({"to", "into"} if look.lemma == "move" else frozenset())
    for index in range(thing.end, clause.end):
        if look.low(index) in places:
            mood: Mood = "state" if clause.group.tense == "present" else "onset"
            skip = look.low(index) in ("to", "into", "away")
            yield from (_kept(look, thing, where, mood) for where in _where(look, index, bare=skip))
            return


def moved_there(look: Look) -> Iterator[Draft]:
    """ "I've moved the spare key, it's in the shed now": "it" is the thing that the sentence moved."""
    clause = look.clause
    before = [token.low for token in clause.tokens[: clause.start]]
    verb = next((at for at, word in enumerate(before) if word in ("moved", "put", "hid", "found")), None)
    if verb is None or look.lemma != "be" or clause.group.tense != "present" or clause.group.negative:
        return
    thing = thing_of_words(clause.tokens, verb + 1, clause.start, look.scene, frozenset([",", "and", ";", "-", "—"]))
    if thing is not None and not thing.whole and thing.noun.split()[-1] in _STOWED:
        yield from (_kept(look, thing, where, "switch") for where in _where(look, look.first()))


def _kept(look: Look, thing: Thing, where: str, mood: Mood) -> Draft:
    """A thing of one's own is known by its noun alone: one speaks of "my key" and "the key" alike."""
    subject = thing.noun if thing.holder in ("", look.scene.me) else f"{thing.holder}>{thing.noun}"
    cue: Cue | None = "update" if mood == "switch" else None
    return Draft("location", where, "state" if cue else mood, subject=subject, functional=True, cue=cue)


def _where(look: Look, at: int, *, bare: bool = False) -> Iterator[str]:
    """The words of a place from its preposition on, or after it where it says no more than "to"."""
    clause = look.clause
    start = at + bare
    if start >= clause.end or (not bare and clause.low(start) not in _WHERE):
        return
    first = start + (clause.low(start) in _WHERE)
    stop = run_end(clause, first + (clause.low(first) in ("to",)), _ALLOW)
    words = [token.low for token in clause.tokens[first:stop]]
    if not words or not (words[0] in DETERMINERS or words[0] in _BARE or clause.tokens[first].low[:1].isdigit()):
        return  # "in German", "under review"
    if not set(words) & (_NOWHERE | {"you", "your", "it"}) and words[-1] not in ("mail", "post"):
        yield source(clause, start, stop)
