"""What is called a favourite, a passion or a hobby is one; an opinion is kept as the opinion that it is.

`favoured` scans a sentence for "dark green is my favourite colour", "dance is my passion", "I think scooters should be
banned", "my two dogs", and "as a jazz fan".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from store.belief.reading.build import Draft
from store.belief.reading.lexicon import FAMILY, NUMBERS, PETS, PLURALS, PRONOUN_OBJECTS, RELATIONS
from store.belief.reading.lists import wordset
from store.belief.reading.people import Scene
from store.belief.reading.words import Token

_IS = frozenset(["is", "are", "'s"])
_PASSIONS = wordset("passion passions hobby hobbies pastime pastimes")
_MINE = wordset("main biggest new first true all-time absolute real ultimate great big only own personal other")
_NOT_LEFT = wordset(
    "it this that these those they he she you what which who there here i we one both either neither all everything "
    "something anything nothing them him her time part way thing things choice favorite favourite "
    "mine yours theirs not n't never maybe perhaps if when so because but"
)
_KINDS = wordset(
    "colour color food dish meal drink tea coffee café cafe restaurant bar city place country season month day "
    "book author writer film movie show series song band singer artist album genre sport team player game hobby "
    "activity "
    "animal flower plant fruit vegetable snack dessert treat cake ice-cream flavor flavour subject language holiday "
    "beach "
    "park spot exercise dance style instrument piece composer painter painting character superhero brand shop store "
    "recipe cuisine sandwich pizza beer wine cocktail tree number toy board-game video-game podcast "
    "youtuber"
)
_FAN = wordset("big huge massive great real long-time lifelong longtime avid")
_FANNED = wordset("not n't your his her the that this my of no")


def favoured(tokens: Sequence[Token], limit: int, scene: Scene) -> Iterator[tuple[Draft, int, int]]:
    """Each such saying of a sentence: (draft, first token, token after it)."""
    for at in range(1, limit):
        low = tokens[at].low
        if low in _IS:
            yield from _favourite(tokens, at, limit)
        elif low == "fan":
            yield from _fan(tokens, at)
        elif low in ("should", "shouldn't") and tokens[0].low != "what":
            yield from _opinion(tokens, at, limit)
        elif low in NUMBERS or low.isdigit():
            yield from _how_many(tokens, at, limit)


def _favourite(tokens: Sequence[Token], at: int, limit: int) -> Iterator[tuple[Draft, int, int]]:
    place = at + 1
    while place < limit and tokens[place].low in ("also", "definitely", "still", "now", "really", "always"):
        place += 1
    if place + 1 >= limit or tokens[place].low not in ("my", "our"):
        return
    place += 1
    while place + 1 < limit and tokens[place].low in _MINE:
        place += 1
    start = _left(tokens, at)
    if start is None:
        return
    text = _text(tokens, start, at)
    if tokens[place].low in ("favourite", "favorite"):
        end = place + 1
        while (
            end < limit
            and end - place < 3
            and tokens[end].kind == "word"
            and tokens[end].low.replace("'", "") in _KINDS
        ):
            end += 1
        noun = "_".join(token.low for token in tokens[place + 1 : end]).replace("color", "colour")
        closed = (
            end >= limit or tokens[end].kind != "word" or tokens[end].low in wordset("and but so because now of ever")
        )
        if noun and closed and tokens[at].low != "are":
            now = end < limit and tokens[end].low == "now"
            yield Draft(f"favourite_{noun}", text, functional=True, cue="update" if now else None), start, end
        elif not noun and closed:
            yield Draft("likes", text, qualifiers=(("strength", "strong"),)), start, end
    elif tokens[place].low in _PASSIONS:
        yield from ((Draft("likes", one), start, place + 1) for one in _each(tokens, start, at))


def _left(tokens: Sequence[Token], at: int) -> int | None:
    """Where the bare noun phrase before a verb begins, None where there is none that begins its clause."""
    start = at
    while start > 0 and at - start < 6 and tokens[start - 1].kind in ("word", "quote"):
        if tokens[start - 1].low in _NOT_LEFT or tokens[start - 1].low in (
            "my",
            "your",
            "the",
            "a",
            "an",
            "his",
            "her",
        ):
            break
        start -= 1
    while start < at and tokens[start].low in ("and", "also", "plus", "to", "of", "in", "for", "well", "yeah", "still"):
        start += 1
    first = (
        start == 0
        or tokens[start - 1].kind in ("mark", "break")
        or tokens[start - 1].low in ("so", "because", "but", "and")
    )
    return start if first and start < at else None


def _each(tokens: Sequence[Token], start: int, end: int) -> Iterator[str]:
    """ "Playing games and watching films": each by itself."""
    cut = next((place for place in range(start + 1, end - 1) if tokens[place].low == "and"), None)
    if cut is not None and (cut == start + 1 or tokens[cut + 1].low.endswith("ing")):
        yield _text(tokens, start, cut)
        yield _text(tokens, cut + 1, end)
    else:
        yield _text(tokens, start, end)


def _fan(tokens: Sequence[Token], at: int) -> Iterator[tuple[Draft, int, int]]:
    """ "I'm a big video game fan", "as a Manchester City fan"."""
    start = at
    while (
        start > 0 and at - start < 4 and tokens[start - 1].kind == "word" and tokens[start - 1].low not in ("a", "an")
    ):
        start -= 1
    opener = start - 1
    while start < at and tokens[start].low in _FAN:
        start += 1
    mine = (
        opener >= 2
        and tokens[opener].low in ("a", "an")
        and (
            (tokens[opener - 1].low == "'m" and tokens[opener - 2].low == "i")
            or (tokens[opener - 1].low == "am" and tokens[opener - 2].low == "i")
        )
    )
    inside = {token.low for token in tokens[start:at]}
    if mine and start < at and not inside & _FANNED and (at + 1 >= len(tokens) or tokens[at + 1].low != "of"):
        yield Draft("likes", _text(tokens, start, at)), opener - 2, at + 1


def _opinion(tokens: Sequence[Token], at: int, limit: int) -> Iterator[tuple[Draft, int, int]]:
    """ "I think electric scooters should be banned": what the person thinks, in their words."""
    start = next((place for place in range(max(0, at - 7), at) if tokens[place].low in ("think", "believe")), None)
    if start is None or start == 0 or tokens[start - 1].low != "i" or at + 2 > limit:
        return
    first = start + 1 + (tokens[start + 1].low == "that")
    inside = {token.low for token in tokens[first:at]}
    end = next((place for place in range(at, limit) if tokens[place].kind != "word"), limit)
    if first < at and not inside & (PRONOUN_OBJECTS | wordset("i we you he she they your my")) and end - at < 14:
        yield Draft("thinks", _text(tokens, first, end)), start - 1, end


def _how_many(tokens: Sequence[Token], at: int, limit: int) -> Iterator[tuple[Draft, int, int]]:
    """ "My two dogs"."""
    if tokens[at - 1].low not in ("my", "our") or at + 1 >= limit or tokens[at].low in ("a", "an", "one"):
        return
    noun = tokens[at + 1].low
    single = PLURALS.get(noun, "")
    if single in FAMILY | PETS and not (at + 2 < limit and tokens[at + 2].low == "'s"):
        base = RELATIONS[single][0]
        plural = "children" if base == "child" else f"{base}s"
        yield Draft(f"number_of_{plural}", tokens[at].text, functional=True), at - 1, at + 2


def _text(tokens: Sequence[Token], start: int, end: int) -> str:
    return "".join(
        (" " if at > start and tokens[at].start > tokens[at - 1].end else "") + tokens[at].text
        for at in range(start, end)
    )
