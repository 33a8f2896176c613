"""Every form of a known verb leads to its base and to the tenses that the form can carry; unknown words are no verbs
here."""

from __future__ import annotations

from functools import cache

from store.text.lists import wordset

_IRREGULAR_TEXT = """
undergo underwent undergone; rewrite rewrote rewritten; rebuild rebuilt rebuilt; be was been; have had had;
do did done; go went gone; get got got,gotten; give gave given; take took taken; make made made; buy bought bought;
sell sold sold; meet met met; speak spoke spoken; drive drove driven; eat ate eaten; drink drank drunk; run ran run;
swim swam swum; sing sang sung; write wrote written; read read read; see saw seen; know knew known;
think thought thought; say said said; tell told told; leave left left; quit quit quit; cut cut cut; put put put;
become became become; begin began begun; break broke broken; lose lost lost; win won won; find found found;
build built built; teach taught taught; grow grew grown; keep kept kept; ride rode ridden; wear wore worn;
sleep slept slept; spend spent spent; pay paid paid; cost cost cost; fly flew flown; come came come; draw drew drawn;
wake woke woken; feel felt felt; hear heard heard; catch caught caught; bring brought brought; send sent sent;
hurt hurt hurt; fall fell fallen; hold held held; understand understood understood; split split split; set set set;
throw threw thrown; choose chose chosen; stand stood stood; bear bore born,borne; show showed shown; mean meant meant;
hit hit hit; cancel cancelled,canceled cancelled,canceled; travel travelled,traveled travelled,traveled;
enrol enrolled enrolled; lead led led; rise rose risen; shoot shot shot; hang hung hung; let let let; beat beat beaten;
sew sewed sewn,sewed; dream dreamed,dreamt dreamed,dreamt; learn learned,learnt learned,learnt;
misspeak misspoke misspoken; bleed bled bled; steal stole stolen; grind ground ground; freeze froze frozen;
hide hid hidden; feed fed fed; dig dug dug; tear tore torn; bend bent bent; blow blew blown;
burn burned,burnt burned,burnt; burst burst burst; creep crept crept; deal dealt dealt; fight fought fought;
flee fled fled; forget forgot forgotten; forgive forgave forgiven; kneel knelt knelt; lend lent lent; ring rang rung;
shake shook shaken; shine shone shone; shrink shrank shrunk; shut shut shut; sink sank sunk; sit sat sat;
slide slid slid; smell smelled,smelt smelled,smelt; spill spilled,spilt spilled,spilt; stick stuck stuck;
sting stung stung; strike struck struck; swear swore sworn; sweep swept swept; swing swung swung; weep wept wept;
babysit babysat babysat
"""
"""base past participle; alternatives are joined by commas."""

_IRREGULAR = {
    base: forms for base, _, forms in (" ".join(entry.split()).partition(" ") for entry in _IRREGULAR_TEXT.split(";"))
}

_REGULAR = """
renovate redecorate knit live move work start join study play own use like love enjoy adore prefer dislike weigh earn
marry divorce date retire promote hire fire lay train finish complete visit attend celebrate paint cook bake graduate
adopt switch change migrate replace trade relocate reside stay settle commute cycle bike walk smoke vape avoid practise
practice collect coach volunteer intern major order receive publish launch release record perform exhibit plant sign
register enrol enroll apply pass fail hike camp climb explore watch crochet photograph design program code develop
manage call name want need try hope wish plan book schedule postpone push reschedule realise realize mention remember
guess believe suppose reckon imagine pretend figure notice decide agree promise doubt wonder worry fear assume expect
prepare turn pick measure contain last lower reduce suffer diagnose specialise specialize focus host organize organise
arrive propose engage separate die injure sprain repair fix clean install upgrade owe donate raise foster rescue sponsor
mentor supervise report subscribe unsubscribe download delete stop drop skip miss tour rent lease share open close
create expand reach increase breed garden fish ski surf skate snowboard row sail kayak dance meditate exercise jog
sketch blog stream podcast game box fence compete audition rehearse invest transfer return accept reject
interview land test nominate award elect appoint crash total smash tattoo dye shave shorten borrow gift present
introduce hug kiss follow support target charge hate ship submit swap transition tend convert belong recover heal
assist serve race nurse farm bartend waitress translate edit consult freelance research tutor lecture integrate rely
deploy port gain admire handle combine discover deliver save pack surprise gather bowl assemble decorate happen roast
grill lift check decline slip jump improve scale cover groom announce capture attach attract detest loathe appreciate
binge listen root cheer chat wean cultivate brew insure prescribe stash bury depart bank expire end extend deactivate
uninstall commit refer trim
"""

_DOUBLED = wordset("""
    run swim get cut put quit stop drop plan swap jog sit chat knit set ship hit win begin prefer transfer submit commit
    refer let trim skip program blog bet rob step trip wed shop hug split
""")

Form = tuple[str, frozenset[str]]


def ing_of(base: str) -> str:
    if base.endswith("ie"):
        return base[:-2] + "ying"
    if base.endswith("e") and not base.endswith(("ee", "ye", "oe")) and base != "be":
        return base[:-1] + "ing"
    return base + (base[-1] if base in _DOUBLED else "") + "ing"


def third_of(base: str) -> str:
    """The third person: "paints", "studies", "has"."""
    if base in ("have", "be"):
        return "has" if base == "have" else "is"
    if base.endswith(("s", "x", "ch", "sh", "z", "o")):
        return base + "es"
    return base[:-1] + "ies" if base.endswith("y") and base[-2:-1] not in "aeiou" else base + "s"


def _ed(base: str) -> str:
    if base.endswith("e"):
        return base + "d"
    if base.endswith("y") and base[-2] not in "aeiou":
        return base[:-1] + "ied"
    return base + (base[-1] if base in _DOUBLED else "") + "ed"


@cache
def _table() -> dict[str, Form]:
    table: dict[str, tuple[str, set[str]]] = {}
    for base in dict.fromkeys([*_REGULAR.split(), *_IRREGULAR]):
        if base == "be":
            continue
        past, part = (_IRREGULAR.get(base) or f"{_ed(base)} {_ed(base)}").split()
        forms = [(base, "base"), (third_of(base), "s"), (ing_of(base), "ing")]
        forms += [(form, "past") for form in past.split(",")] + [(form, "part") for form in part.split(",")]
        for form, tag in forms:
            known = table.setdefault(form, (base, set()))
            if known[0] == base:
                known[1].add(tag)
    table |= {
        "lay": ("lay", {"base"}), "laid": ("lay", {"past", "part"}), "found": ("find", {"past", "part"}),
        "dating": ("date", {"ing"}), "cancelling": ("cancel", {"ing"}), "travelling": ("travel", {"ing"}),
    }  # fmt: skip
    return {form: (base, frozenset(tags)) for form, (base, tags) in table.items()}


def form_of(word: str) -> Form | None:
    """(base, tags) of a lower-case verb form; tags are base, s, ing, past and part. None for other words."""
    return _table().get(word)


def past_of(base: str) -> str:
    """The simple past of a verb: "painted", "bought"."""
    known = _IRREGULAR.get(base)
    return known.split()[0].split(",")[0] if known else _ed(base)


def is_past(word: str) -> bool:
    """Whether a word is a verb in the past, and no infinitive: "painted", "bought"."""
    known = form_of(word)
    if known is not None:
        return "past" in known[1] and "base" not in known[1]
    return len(word) > 4 and word.endswith("ed") and not word.endswith("eed")
