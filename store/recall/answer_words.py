"""A word of a question and a word of a belief meet only if their keys are equal; a word that means nothing has no key.

`key` goes from "went" to "go", from "colours" to "color", from "mum" to "mother". The tables are English: closed
classes, irregular forms and common nouns of a kind. Nothing here knows what anybody said.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from store.reading.kin import FAMILIAR
from store.text.stem import stem

_TOKEN = re.compile(r"[^\W_]+(?:[.,:'’/&+-][^\W_]+)*(?:\+\+|#)?")
NUMBER = re.compile(
    r"(?i)\d|\b(?:no|none|once|twice|both|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|twenty"
    r"|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand)"
)


def words_of(text: str) -> list[str]:
    """The words of a table that is written as running text."""
    return text.split()


_IRREGULAR_FORMS = words_of(
    """
    be:am,is,are,was,were,been,being go:went,gone,goes have:has,had,having do:does,did,done,doing buy:bought
    sell:sold meet:met drive:drove,driven eat:ate,eaten drink:drank,drunk speak:spoke,spoken run:ran
    take:took,taken get:got,gotten write:wrote,written teach:taught think:thought believe:believed
    know:knew,known say:said tell:told give:gave,given leave:left lose:lost find:found keep:kept sleep:slept
    begin:began,begun become:became come:came see:saw,seen wear:wore,worn win:won ride:rode,ridden
    fly:flew,flown swim:swam,swum sing:sang,sung break:broke,broken choose:chose,chosen fall:fell,fallen
    feel:felt grow:grew,grown hear:heard hold:held make:made pay:paid send:sent spend:spent stand:stood
    throw:threw,thrown build:built catch:caught draw:drew,drawn bring:brought born:birth,birthday
    marry:married,marriage child:children,kids,kid color:colour,colours,colors
    favorite:favourite,favourites,favorites,fave neighbor:neighbour,neighbours,neighbors
    coworker:colleague,colleagues,coworkers flatmate:roommate,roommates,flatmates gray:grey wife:wives
    person:people man:men woman:women foot:feet tooth:teeth allergic:allergy,allergies
    program:programme,programmes theater:theatre center:centre tire:tyre tyres:tires
    apartment:flat,flats,apartments bicycle:bike,bikes,bicycles telephone:phone,phones,cellphone,smartphone
    movie:film,films,movies vacation:holiday,holidays,vacations license:licence doctor:dr,gp
    boss:manager,supervisor fiance:fiancé,fiancée,fiancee expire:expiry,expires,expiration,expired weigh:weight
    occupation:profession study:studies,studied employer:employers learn:learnt hide:hid,hidden
    steal:stole,stolen shake:shook,shaken shoot:shot forget:forgot,forgotten understand:understood lend:lent
    documentation:docs,doc
    feed:fed fight:fought lead:led mean:meant wake:woke,woken freeze:froze,frozen hang:hung dig:dug
    bite:bit,bitten blow:blew,blown deal:dealt sew:sewed,sewn sink:sank,sunk stick:stuck tear:tore,torn
    rise:rose,risen sit:sat smoke:smoker,smokers car:auto,automobile
    """
)
_IRREGULAR = {
    form: base for entry in _IRREGULAR_FORMS for base, forms in [entry.split(":")] for form in [base, *forms.split(",")]
} | FAMILIAR

EMPTY = frozenset(
    words_of(
        """
    a an the this that these those there here and or but so if then than as of in on at to for from by with
    about into onto off out up down over under through during within i me mine my myself we us our ours
    ourselves you your yours he him his himself she her hers herself it its itself they them their theirs not no
    nor any some every each all both either neither just also too very really actually exactly ever yet already
    now currently nowadays today still anymore more most much many what which who whom whose why will with where
    when how would shall should can could may might must s t re ve ll d m oh well ok okay hey hi please thanks
    again else only even always usually normally generally right presently kind sort type one ones thing things
    current new newest present actual latest remember recall memory am pm yes let us moment times date day exact
    own another other people person anything something someone somebody anyone anybody everything et etc long
    soon currently
    """
    )
)
"""Words that a belief need not explain."""


@lru_cache(maxsize=1 << 16)
def key(word: str) -> str:
    """The key of one word, "" for a word that means nothing by itself."""
    low = word.lower().replace("’", "'")
    if not low.isascii():
        low = "".join(one for one in unicodedata.normalize("NFD", low) if not unicodedata.combining(one))
    if low.endswith("'s"):
        low = low[:-2]
    low = low.rstrip("'")
    if low in EMPTY:
        return ""
    if low in _IRREGULAR:
        return stem(_IRREGULAR[low])
    found = stem(low) if low.isascii() and low.isalpha() else low
    return stem(_IRREGULAR[found]) if found in _IRREGULAR else found


def tokens(text: str) -> list[str]:
    """The words of a text as written."""
    return _TOKEN.findall(text)


@lru_cache(maxsize=1 << 16)
def keys(text: str) -> frozenset[str]:
    """The keys of the words of a text; a joined word also counts by its parts."""
    found: set[str] = set()
    for word in tokens(text.replace("_", " ")):
        found.add(key(word))
        if "-" in word or "/" in word:
            found.update(key(part) for part in re.split(r"[-/]", word))
    found.discard("")
    return frozenset(found)


def _keyed(words: str) -> frozenset[str]:
    return frozenset(key(word) for word in words.split())


LIGHT = _keyed("be do have own go get call named name use keep give make take")
"""Words so general that a question's other words decide, if it has any."""

START = _keyed(
    """start begin move join become adopt switch change open launch learn marry buy get meet pick arrive
    acquire enrol enroll hire relocate rise increase raise upgrade promote update replace"""
)
"""Verbs that ask for the beginning of a state."""

STOP = _keyed("stop quit leave sell cancel end finish give drop lose abandon resign retire close cease split divorce")
"""Verbs that ask for its end."""

TELL = _keyed("tell mention say")
"""Verbs that ask for the telling."""


_KINDS = {
    "language": """
        english german french spanish portuguese italian dutch polish russian ukrainian czech greek turkish
        arabic hebrew hindi urdu bengali tamil chinese mandarin cantonese japanese korean vietnamese thai
        swedish norwegian danish finnish hungarian romanian bulgarian croatian serbian catalan basque welsh
        irish latin swahili esperanto icelandic persian farsi indonesian malay tagalog
    """,
    "programming": """
        python javascript typescript java c c++ c# rust go ruby php kotlin swift scala haskell r julia perl
        lua sql clojure elixir erlang zig dart gdscript
    """,
    "instrument": """
        cello violin viola bass piano guitar ukulele banjo mandolin drum flute clarinet oboe bassoon saxophone
        sax trumpet trombone tuba horn harp organ accordion harmonica recorder keyboard synthesizer bagpipe
        lute sitar percussion double-bass
    """,
    "sport": """
        football soccer tennis badminton squash volleyball basketball handball hockey rugby golf cricket
        baseball swimming running climbing bouldering cycling rowing skiing snowboarding surfing judo karate
        boxing fencing yoga pilates crossfit triathlon athletics gymnastics padel table-tennis sailing archery
        wrestling
    """,
    "game": "chess go poker bridge backgammon scrabble minecraft tetris checkers dominoes catan",
    "pet": """
        dog cat hamster rabbit parrot budgie canary tortoise turtle fish goldfish horse pony guinea-pig snake
        lizard
    """,
    "drink": "tea coffee water wine beer milk juice cola lemonade whisky gin cocoa espresso matcha",
    "country": """
        albania argentina armenia australia austria belgium bolivia brazil bulgaria cambodia canada chile
        china colombia croatia cuba cyprus denmark ecuador egypt england estonia ethiopia finland france
        georgia germany ghana greece hungary iceland india indonesia iran iraq ireland israel italy jamaica
        japan jordan kenya kingdom korea laos latvia lebanon lithuania luxembourg malaysia malta mexico
        moldova mongolia montenegro morocco nepal netherlands nigeria norway pakistan panama peru philippines
        poland portugal romania russia scotland serbia singapore slovakia slovenia spain sweden switzerland
        taiwan tanzania thailand tunisia turkey uganda ukraine uruguay usa venezuela vietnam wales zealand
    """,
    "vehicle": "car motorbike motorcycle scooter van truck bicycle bike moped",
}
KIND_OF = {**{key(word): kind for kind, words in _KINDS.items() for word in words.split()}}
"""Common nouns by the kind that a question may name ("which instruments")."""
KIND_NAMES = {key(kind): kind for kind in _KINDS if kind != "programming"}


@lru_cache(maxsize=1 << 14)
def kind_of(value: str) -> str | None:
    """The kind of thing that a value is ("instrument" of "the cello"), None where the list does not know it."""
    return next((KIND_OF[word] for word in map(key, reversed(tokens(value))) if word in KIND_OF), None)
