"""A predicate means one thing: its name, whether it holds one value at a time, how long it lasts, and how it is worded.

The registry is data. `find` settles an alias to its registry name; a predicate that is not here accumulates values and
is worded from its own name. `family` puts two predicates that exclude each other (likes, dislikes) into one slot.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from hashlib import blake2b
from typing import Literal

from store.beliefs import vocabulary

ACTIVITIES = frozenset(["goes_to", "member_of", "does", "plays", "sport", "hobby", "habit"])
Cardinality = Literal["one", "many"]
Temporal = Literal["state", "event", "permanent"]


@dataclass(frozen=True, slots=True)
class Predicate:
    """One way in which somebody or something can be described."""

    name: str
    cardinality: Cardinality
    temporal: Temporal
    first: str
    """Verb phrase for "you" and "I", present: "live in". The object follows."""
    third: str
    """Verb phrase for others, present: "lives in"."""
    past: str
    """Verb phrase in the past: "lived in"."""
    nouns: tuple[str, ...] = ()
    """Nouns by which a question may ask for it: "home", "city"."""
    verbs: tuple[str, ...] = ()
    """Base verbs by which a question may ask for it: "live"."""
    asks: tuple[str, ...] = ()
    """Question words that its value answers: where, who, what, how many, how often, when."""
    aliases: tuple[str, ...] = ()
    family: str = ""
    """The slot that it shares with its opposite; its own name where it has none."""
    exclusive: bool = False
    """A change ends what stands beside the value that held, too: who moves leaves the town and the street."""

    @property
    def alike(self) -> str:
        """The slot that it shares with predicates that say nearly the same of a value: whoever leaves the choir goes to
        it no more; "" where there are none."""
        return "activity" if self.name in ACTIVITIES else ""

    @property
    def slot_name(self) -> str:
        return self.family or self.alike or self.name

    @property
    def ended_by(self) -> tuple[str, ...]:
        """Slots in which an end of this very value ends it here, too: whoever sold the Clio drives it no more. A noun
        that the registry does not know ("my camera is a Nikon") is mostly of something that one has."""
        noun = self.name not in REGISTRY and self.asks == ("what",)
        return (OWNING,) if noun else tuple(slot for slot, names in _ENDED_BY.items() if self.name in names)


def _state(name: str, words: str, **more: tuple[str, ...] | str | bool) -> Predicate:
    return _make(name, "one", "state", words, **more)


def _many(name: str, words: str, **more: tuple[str, ...] | str | bool) -> Predicate:
    return _make(name, "many", "state", words, **more)


def _event(name: str, words: str, **more: tuple[str, ...] | str | bool) -> Predicate:
    return _make(name, "many", "event", words, **more)


def _fixed(name: str, words: str, **more: tuple[str, ...] | str | bool) -> Predicate:
    return _make(name, "one", "permanent", words, **more)


def _make(
    name: str, cardinality: Cardinality, temporal: Temporal, words: str, **more: tuple[str, ...] | str | bool
) -> Predicate:
    first, third, past = (part.strip() for part in words.split("/"))
    lists = {key: value for key, value in more.items() if isinstance(value, tuple)}
    family = more.get("family", "")
    assert isinstance(family, str)
    exclusive = bool(more.get("exclusive"))
    return Predicate(name, cardinality, temporal, first, third, past, family=family, exclusive=exclusive, **lists)


def _relation(name: str, cardinality: Cardinality, *aliases: str) -> Predicate:
    """A person whom the subject has: worded as "your brother is Paul"."""
    words = f"have the {name} / has the {name} / had the {name}".replace("_", " ")
    noun = name.replace("_", " ")
    return _make(name, cardinality, "state", words, nouns=(noun, f"{noun}s", *aliases), asks=("who",), aliases=aliases)


_RELATIONS = (
    _relation("partner", "one", "husband", "wife", "spouse", "boyfriend", "girlfriend", "fiance", "fiancee"),
    *(
        _relation(name, "one", *aliases)
        for name, *aliases in (
            ("mother", "mum", "mom"),
            ("father", "dad"),
            ("boss", "manager", "supervisor"),
            ("landlord", "landlady"),
            ("doctor", "gp"),
            ("dentist",),
            ("therapist",),
        )
    ),
    *(
        _relation(name, "many", *aliases)
        for name, *aliases in (
            ("brother",),
            ("sister",),
            ("son",),
            ("daughter",),
            ("child", "kid", "children", "kids"),
            ("cousin",),
            ("uncle",),
            ("aunt",),
            ("nephew",),
            ("niece",),
            ("grandmother", "grandma"),
            ("grandfather", "grandpa"),
            ("friend", "best_friend"),
            ("colleague", "coworker"),
            ("sibling",),
            ("parent",),
            ("relative",),
            ("ex",),
            ("neighbour", "neighbor"),
            ("roommate", "flatmate"),
            ("teacher",),
            ("pet",),
            ("dog", "puppy"),
            ("cat", "kitten"),
        )
    ),
)

_STATES = (
    _state(
        "lives_in",
        "live in / lives in / lived in",
        nouns=("home", "city", "town", "address", "residence"),
        verbs=("live", "reside", "stay"),
        asks=("where",),
        aliases=("live_in", "resides_in", "located_in", "moved_to"),
        exclusive=True,
    ),
    _state(
        "works_at",
        "work at / works at / worked at",
        nouns=("employer", "company", "workplace"),
        verbs=("work", "teach"),
        asks=("where",),
        aliases=("works_for", "employed_at", "employer", "company"),
    ),
    _state(
        "job",
        "work as / works as / worked as",
        nouns=("job", "occupation", "profession", "role", "position", "title"),
        verbs=("do",),
        asks=("what",),
        aliases=("works_as", "occupation", "profession", "role", "job_title"),
    ),
    _state(
        "studies", "study / studies / studied", nouns=("major", "subject", "degree"), verbs=("study",), asks=("what",)
    ),
    _state(
        "studies_at",
        "study at / studies at / studied at",
        nouns=("university", "college"),
        verbs=("study",),
        asks=("where",),
    ),
    _state(
        "school",
        "go to school at / goes to school at / went to school at",
        nouns=("school",),
        verbs=("go", "attend"),
        asks=("which", "where"),
        aliases=("attends_school",),
    ),
    _state("relationship_status", "are / is / was", nouns=("relationship status", "marital status"), asks=("what",)),
    _state("weight", "weigh / weighs / weighed", nouns=("weight",), verbs=("weigh",), asks=("how much",)),
    _state("height", "measure / measures / measured", nouns=("height",), asks=("how tall",)),
    _state("age", "are / is / was", nouns=("age",), asks=("how old",)),
    _state(
        "rent", "pay a rent of / pays a rent of / paid a rent of", nouns=("rent",), verbs=("pay",), asks=("how much",)
    ),
    _state("salary", "earn / earns / earned", nouns=("salary", "income"), verbs=("earn", "make"), asks=("how much",)),
    _state("diet", "eat / eats / ate", nouns=("diet",), verbs=("eat",), asks=("what",)),
    _state(
        "laptop",
        "use the laptop / uses the laptop / used the laptop",
        nouns=("laptop", "computer", "notebook"),
        verbs=("use",),
        asks=("what",),
    ),
    _state(
        "phone",
        "use the phone / uses the phone / used the phone",
        nouns=("phone", "smartphone", "mobile"),
        verbs=("use",),
        asks=("what",),
    ),
    _state(
        "editor",
        "use the editor / uses the editor / used the editor",
        nouns=("editor", "ide"),
        verbs=("use",),
        asks=("what",),
    ),
    _fixed("name", "are called / is called / was called", nouns=("name",), verbs=("call",), asks=("what", "who")),
    _fixed(
        "born_on",
        "were born on / was born on / was born on",
        nouns=("birthday", "birth date", "birthdate"),
        verbs=("born",),
        asks=("when",),
        aliases=("birthday",),
    ),
    _fixed(
        "born_in", "were born in / was born in / was born in", nouns=("birthplace",), verbs=("born",), asks=("where",)
    ),
    _fixed(
        "from",
        "come from / comes from / came from",
        nouns=("hometown", "home country"),
        verbs=("come",),
        asks=("where",),
        aliases=("comes_from", "origin"),
    ),
    _fixed(
        "native_language",
        "speak natively / speaks natively / spoke natively",
        nouns=("native language", "mother tongue"),
        asks=("what",),
        aliases=("mother_tongue", "first_language"),
    ),
)

_ACCUMULATING = (
    _many(
        "likes",
        "like / likes / liked",
        nouns=("hobby", "interest"),
        verbs=("like", "love", "enjoy", "prefer"),
        asks=("what",),
        aliases=("loves", "enjoys", "fond_of"),
        family="likes",
    ),
    _many(
        "dislikes",
        "dislike / dislikes / disliked",
        verbs=("dislike", "hate"),
        asks=("what",),
        aliases=("hates",),
        family="likes",
    ),
    _many("prefers", "prefer / prefers / preferred", nouns=("preference",), verbs=("prefer",), asks=("what",)),
    _many(
        "owns",
        "have / has / had",
        nouns=("possession",),
        verbs=("own", "have", "got"),
        asks=("what",),
        aliases=("has", "possesses"),
    ),
    _many("speaks", "speak / speaks / spoke", nouns=("language",), verbs=("speak",), asks=("what", "which")),
    _many("learning", "are learning / is learning / was learning", verbs=("learn",), asks=("what",)),
    _many(
        "plays", "play / plays / played", nouns=("instrument", "sport", "game"), verbs=("play",), asks=("what", "which")
    ),
    _many(
        "does",
        "do / does / did",
        nouns=("activity", "exercise", "sport", "habit", "hobby"),
        verbs=("do", "practise", "practice"),
        asks=("what",),
    ),
    _many(
        "goes_to",
        "go to / goes to / went to",
        nouns=("class", "gym", "club"),
        verbs=("go", "attend"),
        asks=("where",),
        aliases=("attends",),
    ),
    _many(
        "member_of",
        "are a member of / is a member of / was a member of",
        nouns=("membership", "club"),
        verbs=("belong",),
        asks=("what",),
    ),
    _many("uses", "use / uses / used", nouns=("tool", "app", "software"), verbs=("use",), asks=("what",)),
    _many(
        "subscribes_to",
        "subscribe to / subscribes to / subscribed to",
        nouns=("subscription",),
        verbs=("subscribe",),
        asks=("what",),
    ),
    _many(
        "allergic_to",
        "are allergic to / is allergic to / was allergic to",
        nouns=("allergy", "allergies"),
        verbs=("allergic",),
        asks=("what",),
    ),
    _many(
        "takes",
        "take / takes / took",
        nouns=("medication", "medicine", "pill", "supplement"),
        verbs=("take",),
        asks=("what",),
    ),
    _many(
        "has_condition",
        "have / has / had",
        nouns=("condition", "illness", "disease", "diagnosis"),
        verbs=("have", "suffer"),
        asks=("what",),
    ),
    _many("can", "can / can / could", nouns=("skill",), verbs=("can", "know"), asks=("what",)),
    _many("eats", "eat / eats / ate", nouns=("food",), verbs=("eat",), asks=("what",)),
    _many("drinks", "drink / drinks / drank", nouns=("drink",), verbs=("drink",), asks=("what",)),
    _many("wants", "want / wants / wanted", nouns=("goal", "wish", "dream"), verbs=("want", "hope"), asks=("what",)),
    _many("plans", "plan / plans / planned", nouns=("plan",), verbs=("plan",), asks=("what",)),
    _many("volunteers_at", "volunteer at / volunteers at / volunteered at", verbs=("volunteer",), asks=("where",)),
    _many(
        "response_style",
        "want answers like this: / wants answers like this: / wanted answers like this:",
        nouns=("answer", "explanation", "response style", "format", "style", "information", "code example"),
        verbs=("format", "structure", "explain", "present", "answer"),
        asks=("how",),
        aliases=("answer_style",),
    ),
    _many("works_on", "work on / works on / worked on", nouns=("project",), verbs=("work",), asks=("what",)),
    _many("acquaintance", "know / knows / knew", nouns=("acquaintance",), verbs=("know",), asks=("who",)),
    _many("married_to", "are married to / is married to / was married to", verbs=("marry",), asks=("who",)),
    _event(
        "visited",
        "visited / visited / visited",
        nouns=("trip", "visit"),
        verbs=("visit", "go", "travel"),
        asks=("where", "when"),
        aliases=("went_to", "travelled_to"),
    ),
    _event("bought", "bought / bought / bought", nouns=("purchase",), verbs=("buy",), asks=("what", "when")),
    _event("sold", "sold / sold / sold", verbs=("sell",), asks=("what", "when")),
    _event("met", "met / met / met", verbs=("meet", "see"), asks=("who", "when")),
    _event(
        "attended", "attended / attended / attended", nouns=("event",), verbs=("attend", "go"), asks=("what", "when")
    ),
    _event("did", "did / did / did", verbs=("do",), asks=("what", "when")),
    _event("finished", "finished / finished / finished", verbs=("finish", "complete"), asks=("what", "when")),
    _event("started", "started / started / started", verbs=("start", "begin"), asks=("what", "when")),
    _event(
        "event",
        "had / had / had",
        nouns=("event", "appointment"),
        verbs=("do", "happen", "be"),
        asks=("what", "when"),
        aliases=("appointment", "happened"),
    ),
)

_MAKERS = {"one": _state, "many": _many, "event": _event, "fixed": _fixed}
_TABLE = tuple(
    _MAKERS[kind](name, wording, nouns=nouns, verbs=verbs, asks=asks)
    for name, kind, wording, nouns, verbs, asks in vocabulary.rows()
)

REGISTRY: dict[str, Predicate] = {one.name: one for one in (*_TABLE, *_RELATIONS, *_STATES, *_ACCUMULATING)}


OWNING = "owns"
_ENDED_BY = {
    OWNING: frozenset(["drives", "uses", "laptop", "phone", "keeps", "raises", "pet", "dog", "cat", "wears"]),
    "activity": frozenset(["gym", "plays_in", "sings_in", "plays_for", "learning", "training_for", "coaches"]),
}
ENDING = frozenset(_ENDED_BY)
"""Slots in which an end may reach others of the same subject."""


@cache
def slots() -> str:
    """A fingerprint of what shares a slot, and how it is laid: beliefs that were folded by another are folded anew."""
    laid = sorted((one.name, one.slot_name, one.cardinality, one.temporal, one.ended_by) for one in REGISTRY.values())
    return blake2b(repr(laid).encode(), digest_size=8).hexdigest()


@lru_cache(maxsize=4096)
def ended_by(family: str) -> tuple[str, ...]:
    """The other slots in which an end of a value ends it in this one, too."""
    known = find(family)
    return known.ended_by if known.slot_name == family and family not in ENDING else ()


WEEKLY = frozenset(["lesson", "lessons", "class", "classes", "course", "training", "practice", "rehearsal", "shift"])
"""What takes place every week: its value is a weekday."""


@cache
def _by_alias() -> dict[str, str]:
    return {alias: one.name for one in REGISTRY.values() for alias in one.aliases if alias not in REGISTRY}


@lru_cache(maxsize=4096)
def find(name: str) -> Predicate:
    """The registry's predicate for a name or an alias; else one that accumulates and is worded from its own name."""
    key = name.strip().lower().replace(" ", "_")
    known = REGISTRY.get(_by_alias().get(key, key))
    if known is not None:
        return known
    noun = key.replace("_", " ")
    if noun.startswith("number of "):
        words = f"have this number of {noun[10:]}:"
        asks = (f"how many {noun[10:]}", "how many")
        return Predicate(
            key, "one", "state", words, f"has{words[4:]}", f"had{words[4:]}", nouns=(noun[10:],), asks=asks
        )
    if noun.startswith("taking "):
        return _taking(key, noun.removeprefix("taking "))
    if noun.startswith("favourite "):
        return Predicate(
            key, "one", "state", f"have as {noun}", f"has as {noun}", f"had as {noun}", nouns=(noun,), asks=("what",)
        )
    if noun.rpartition(" ")[2] in WEEKLY:
        tail = f"the {noun} on"
        asks = ("when", "what")
        return Predicate(key, "one", "state", f"have {tail}", f"has {tail}", f"had {tail}", nouns=(noun,), asks=asks)
    return Predicate(
        key, "many", "state", f"have as {noun}", f"has as {noun}", f"had as {noun}", nouns=(noun,), asks=("what",)
    )


def _taking(key: str, thing: str) -> Predicate:
    """How somebody takes their coffee."""
    verbs = ("take", "drink", "like", "have", "eat")
    first, third, past = (f"{verb} {thing}" for verb in ("take", "takes", "took"))
    return Predicate(key, "one", "state", first, third, past, nouns=(thing,), verbs=verbs, asks=("how",))
