"""What is said to a message that needs neither the memory nor a model: each kind has its one sentence.

A greeting is greeted and thanks are taken; how something is done here is told with its key; a matter is let rest.
"""

from __future__ import annotations

import re

from store.reading.asking.forgetting import asks_to_forget, asks_to_undo, lets_rest, whom_to_forget
from store.reading.kin import RELATIONS

_ASKED = re.compile(
    r"(?i)\W*(?:(?:hey|hi|ok|okay|so|and|erstwhile),? )*(?:how (?:do|can|could|would|should) (?:i|we|you)|how to"
    r"|(?:can|could) (?:i|we|you)"
    r"|is there (?:a way|any way|a key|a command)|what (?:key|command)|where (?:do|can) i|what can (?:you|i) do)\b"
)
_HERE = re.compile(
    r"(?i)\b(?:you|your|erstwhile|(?:this|the) (?:app|chat|program|programme|memory|conversation|timeline)|chats?"
    r"|conversations?"
    r"|import(?:ing)?|memor(?:y|ies)|beliefs?|timeline|here|a reply|an answer)\b"
)
"""What says that it is about the program."""
HOW_TO: tuple[tuple[str, str], ...] = (
    (r"(?:make|let|have|get|tell) (?:you|erstwhile) (?:to )?forget|forget (?:some|any)"
     r"|(?:erase|delete|wipe|remove)\b.*"
     r"\b(?:person|people|some(?:one|body)|any(?:one|body)|everything|all)",
     "Write “Forget everything about” and the name: how much goes is shown, and nothing goes before you agree."),
    (r"(?:delete|erase|remove)\b.*\b(?:chat|conversation|message)",
     "ctrl+o lists the conversations: ctrl+x there erases one, after showing how much goes."),
    (r"(?:correct|change|fix|edit|put right)\b.*\b(?:you|belie\w+|memor\w+|remember\w*|noted|wrong)",
     "Say what is right, such as “no, it’s on Tuesday”; or ctrl+l lists the beliefs, where e corrects one and r "
     "takes it back."),
    (r"undo\b", "ctrl+p, then “memory: undo”, takes back the last thing that was done by hand."),
    (r"import\b|bring in|load\b.*\b(?:chats?|notes?|diary|export)",
     "f8 imports conversations and notes, after a look at what is in them."),
    (r"(?:export|save|download)\b.*\b(?:chats?|conversations?|memor\w+|everything|beliefs?|data)",
     "ctrl+p, then “chat: export”, writes this conversation to a file; `erstwhile export` writes the whole memory."),
    (r"attach|upload|(?:read|open|look at) (?:a|my|this) (?:file|document|pdf|text)",
     "alt+a attaches a text file to ask about; it teaches nothing about you."),
    (r"(?:why|where)\b.*\byou\b.*\b(?:know|think|say|said|answer\w*)|how (?:do|did|can|could) you know|sources?\b",
     "f2 shows what the last answer rests on, word for word."),
    (r"timeline|believed? when|over time|look back",
     "ctrl+t opens the timeline; v there shows what you believed when."),
    (r"(?:private|secret|off the record|incognito|not (?:be )?(?:saved?|remember\w*|written))",
     "ctrl+r begins a chat off the record, which writes nothing."),
    (r"(?:search|find)\b.*\b(?:chats?|conversations?|messages?|memor\w+|said)",
     "ctrl+f searches everything that was said; ctrl+/ searches this conversation."),
    (r"(?:larger|bigger|better|other|another|new|change|get|choose|switch) (?:the |a |your )?(?:language )?models?",
     "f3 lists the models of this machine, and fetches others."),
    (r"what can (?:you|i) do|how (?:do|does) (?:you|this|it|erstwhile) work|help\b.*\b(?:keys?|commands?)",
     "Tell me things, ask about them later, and correct me. f1 explains this screen, and ctrl+p lists all that can "
     "be done."),
)  # fmt: skip
"""(what a question about the program speaks of, how it is done)"""
_HOW_TO = tuple((re.compile(rf"(?i)\b(?:{words})"), sentence) for words, sentence in HOW_TO)


_REMIND = re.compile(
    r"(?i)(?:^|[.!?,;]\s*)\W*"
    r"(?:(?:ok|okay|right|and|so|please|hey|oh)\W+|(?:can|could|will|would) (?:you|u) (?:please )?){0,3}"
    r"remind me(?: (?:please|again))?(?: (?:at|on|in|tomorrow|tonight|later|before|after|next|this|every)\b[^.?!;]*?)?"
    r" (?:to|that i (?:have|need|must|should|ought))\b"
)
"""Wants to be reminded at a time; "remind me what I said" asks."""
NO_ALARM = "I have no alarm that rings. It is written down as you said it; what lies ahead stands in the brief: ctrl+e."

UNDO = (
    "ctrl+l lists the beliefs: r there takes one back, and u undoes what was done last by hand. "
    "Right after a message, alt+e says it otherwise, and takes back what it taught."
)


CORRECT = (
    "Say what is right, in a sentence of its own. Or ctrl+l lists the beliefs: e there corrects one, and r takes it "
    "back."
)
_OBJECTS = re.compile(
    r"(?i)\W*(?:(?:no|but|sorry|hey)[,.! ]+)*(?:that|this|it|you)"
    r"(?:['’]?s|['’]?re| (?:is|are|was)(?:n['’]?t)?)? (?:(?:completely|just|all|so|still|not) )*"
    r"(?:wrong|incorrect|right|true|false|mistaken|a mistake|not so)\W*"
)
_WRONG = re.compile(r"(?i)\bnot\b|wrong|incorrect|false|mistake|n['’]t")
"""Says that something was wrong, and not what is right."""


def how_to(text: str) -> str:
    """The sentence that says how something is done here; empty where nothing of the kind is asked."""
    if asks_to_undo(text):
        return UNDO
    if _OBJECTS.fullmatch(text) is not None and _WRONG.search(text) is not None:
        return CORRECT
    if _REMIND.search(text) is not None:
        return NO_ALARM
    if _ASKED.match(text) is None or _HERE.search(text) is None:
        return ""
    return next((sentence for pattern, sentence in _HOW_TO if pattern.search(text)), "")


_OPENING = (
    r"(?:(?:oh|ok|okay|well|and|so|great|perfect|lovely|brilliant|awesome|cool|nice|good|yes|yeah|yay|wow|aww*"
    r"|(?:ha){2,}h?|lol|ooh|ah|aight|bet)[,.!]* ){0,3}"
)
_CLOSING = (
    r"(?: (?:love|mate|pal|buddy|hun|my friend|dear|darling|dude|bro|man|all|x+"
    r"|a lot|a million|so much|very much|again|then|everyone|there|you|to you|erstwhile"
    r"|for (?:now|that|this|it|everything|(?:all )?(?:the|your|ur) help|helping|listening|asking|(?:remind|tell)ing me"
    r"|the (?:company|chat))"
    r"))*"
    r"[\s.!…)(:;,👋🙏😊]*"
)
_GOOD = (
    r"(?:(?:really|so|very|pretty|quite|actually|all|the|an?) )*"
    r"(?:not (?:so |too |half )?bad|great|good|brilliant|perfect|lovely|nice|amazing|awesome|best|kind|sweet|helpful"
    r"|useful|clever|star|legend|gem|lifesaver)(?: at (?:this|that|it))?"
)
_YOU = rf"(?:you(?:['’]?re| are)|ur|u r|u are) {_GOOD}|(?:good|nice|great) (?:job|one|work|bot)|well done"
_BETTER = (
    r"(?:that|this|it)(?:['’]?s| is) (?:so |much |far |way |even )?(?:better|nicer|kinder|more \w+) than "
    r"(?:mine|(?:what )?i(?:(?:['’]?d| would| could)(?: ever)? have \w+| (?:expected|hoped|thought)))"
)
_THANKS = r"thanks?|thank (?:you|u)|thx|cheers|ta|much (?:appreciated|obliged)"
_COURTESIES = tuple(
    (re.compile(rf"(?i)\s*{_OPENING}(?:{words}){_CLOSING}"), reply)
    for words, reply in (
        (rf"(?:(?:{_YOU}|that(?:['’]?s| is| was) {_GOOD}) )?(?:{_THANKS})(?: (?:{_YOU}))?", "You’re welcome."),
        (rf"{_YOU}|bless (?:you|u)|(?:i )?(?:really )?love (?:it|that|this)|{_BETTER}", "Thank you."),
        (r"(?:ha){2,}h?|lol|perfect|excellent|wonderful|fantastic|superb|brilliant|lovely|amazing|awesome|spot on"
         r"|exactly|(?:all )?(?:done|sent|sorted)|(?:that|it)(?:['’]?ll| will)? (?:works?|do)"
         r"|that(?:['’]?s| is) (?:it|right)",
         "Good."),
        (r"(?:good )?morning", "Good morning."),
        (r"good (?:day|afternoon)", "Good afternoon."),
        (r"(?:good )?evening", "Good evening."),
        (r"(?:good ?)?night|sleep well|night(?:y)? night", "Good night."),
        (r"hi|hello|hey|hiya|howdy|greetings", "Hello."),
        (r"(?:good ?)?bye(?: bye)?|see you(?: (?:later|tomorrow|soon))?|later|ciao|cu|i['’]m off", "Goodbye."),
        (r"how (?:are|r) (?:you|u|things)(?: doing| keeping)?(?: today)?\??|how['’]?s (?:it going|things)\??"
         r"|(?:are )?you (?:alright|ok|okay|all right)(?: mate)?\??|what['’]?s up\??",
         "Well, thank you. What’s new with you?"),
        (r"ok|okay|k|aight|alright|all right|right|sure|fine|cool|great|good|nice|yes|yep|yeah|no|nope|hm+|i see|got it"
         rf"|that(?:['’]?s| is) {_GOOD}",
         "All right."),
    )
)  # fmt: skip


def courtesy(text: str) -> str:
    """What one says to a message that is only courtesies, to the last of several; empty for all others."""
    if reply := next((reply for pattern, reply in _COURTESIES if pattern.fullmatch(text)), ""):
        return reply
    parts = _BETWEEN.split(text.strip())
    replies = [courtesy(part) for part in parts] if len(parts) > 1 else [""]
    return replies[-1] if all(replies) else ""


_BETWEEN = re.compile(r"[,.!;…]+\s+(?:and\s+)?|\s+and\s+")


_DESPAIRS = re.compile(
    r"(?i)\b(?:(?:don['’]?t|do not) (?:know (?:if|how) i can (?:keep (?:doing (?:this|it)|going)"
    r"|(?:go|carry) on)(?! \w)"
    r"|want to (?:live|be here|be alive|wake up)(?= any ?more\b|\W*\Z|[.,;!…]| (?:and|but|if|like this|tomorrow)\b))"
    r"|can(?:['’]?t|not) (?:go on|carry on|cope|keep (?:doing this|going)|do this any ?more)"
    r"(?! (?!any ?more|like this)\w)"
    r"|wish i (?:was|were) dead|(?:want|wish) to die(?! (?:my|the|her|his|it|on|at|in|of|for)\b)|better off dead"
    r"|kill(?:ing)? myself|suicid(?!e (?:squad|prevention|door|bomb))\w+|end (?:it all|my life)(?! (?:as|story)\b)"
    r"|(?:want(?:ed)?|going|urge|need) to hurt myself|(?:about|of|been|keep) hurting myself(?! (?:at|playing|on the)\b)"
    r"|hurt(?:ing)? myself (?:on purpose|again)"
    r"|self[- ]?harm\w*|no point (?:in )?(?:living|going on)(?! (?!any ?more)\w))\b"
)
_WHO_FEELS = r"(?:i['’]?m|am|is|are|was|were|he['’]s|she['’]s|they['’]re|been|feel(?:ing|s)?|felt|left)"
_SORROW = re.compile(
    r"(?i)\b(?:i(?:['’]?ve| have| just)?(?: been)? cr(?:ied|ying)|cried (?:in|all|for|my)|in tears"
    r"|(?:can|could)n?['’]?t stop crying"
    r"|diagnosed with (?:[\w-]+ ){0,2}(?:cancer|leuk\w+|lymphoma|tumou?r|parkinson\w*|alzheimer\w*|dementia)"
    rf"|heart ?broken|{_WHO_FEELS} (?:\w+ )?(?:devastated|gutted)(?! by\b)"
    r"|\A\W*(?:devastated|gutted)(?=\W*\Z|[.,!;]| (?:that|about|for)\b)"
    r"|(?:so|very|really|terribly) (?:sad|lonely|worried|scared|upset)"
    r"|(?:feel(?:ing)?|felt) (?:so |very |really |a bit )?"
    r"(?:low|down|lonely|awful|terrible|hopeless)(?! (?:to earth|energy))|passed away(?! the\b)|depressed"
    r"|miscarriage(?! of justice)|miscarried(?! justice)|lost (?:the baby|my job)(?! \w*appl)"
    r"|(?:i|he|she|we|they|just|mum|dad|husband|wife|partner|brother|sister|son|daughter)(?:['’]s|['’]ve| have| has)?"
    r" (?:just )?(?:got|was|were|been) (?:sacked|fired(?! up)|made redundant|dumped(?! (?:in|on)\b))|broke my heart"
    r"|had (?:a|another) (?:(?:bad|nasty|mini|massive) )?(?:fall|stroke|heart attack|seizure)(?! (?:of|out)\b))\b"
)
_MISSES = re.compile(
    r"(?i)\bi (?:really |still |do )?miss (?:him|her|them|you|my \w+|(?-i:[A-Z][a-z]+))\b(?! (?:out|the (?:bus|train)))"
    r"|(?:\A|[.!?,;] )(?:really |still )?miss (?:him|her)\b|\b(?:ran away|(?:is|has|went|gone|goes) missing)\b"
    r"|\b(?:i )?wish (?:\w+ ){1,2}(?:was|were|could be) (?:still )?(?:here|alive|with (?:me|us))\b"
    r"|\bbroke up with me\b|\b(?:broke|split) up w(?:ith)? me\b|\bleft me (?:for|yesterday|today|last)\b"
    r"|\b(?:nervous|scared|frightened|terrified|anxious) (?:about|of) (?:the|my|his|her) "
    r"(?:\w+ )?(?:operation|op|surgery|scan|biopsy|results?|diagnosis|treatment|chemo)\b"
)
"""What somebody misses, fears, or was left by."""
_NOT_SO = re.compile(
    r"(?i)(?:\b(?:not|never|no longer|hardly)|n['’]?t)(?: (?:been|feel(?:ing)?|so|at all|any ?more|really))* \Z"
)
"""Before what is not felt: "I'm no longer depressed"."""
_JOKE = re.compile(r"(?i)\b(?:lol|lmao|ha(?:ha)+|laugh\w*|joking|(?:of|with|for) joy|happy tears)\b|😂|🤣")
_DIED = re.compile(r"(?i)\b(?P<who>(?:[\w'’]+ ){1,3})(?:has |have |just |sadly |suddenly )?died\b")
_MINE_DIED = re.compile(
    r"(?i)\b(?:my|our) (?P<kin>[\w-]+)(?: [\w-]+)?, [^.!?;\n]{1,60}, (?:has )?(?:just |sadly )?died\b"
)
"""Somebody of whom more is said before: "my brother Walter, who was 74, died"."""
_NAME_DIED = re.compile(
    r"(?:^|[.!?,;] |(?i:\b(?:and|but|that|when|because) ))(?!(?:The|My|Our|His|Her|It|This|That|Everything|Nothing)\b)"
    r"[A-Z][a-zà-ÿ]+(?: has| have)?(?: just| sadly| suddenly)? died\b(?! (?:down|out|off|of laugh|on (?:me|us|the))\b)"
)
"""Somebody by name, and not "the old Corsa"."""
DESPAIR = (
    "I’m sorry that it is so hard. I am only a program: please tell somebody whom you trust how you feel, today. "
    "A crisis line listens at any hour: 116 123 in the UK, Ireland and much of Europe, 988 in the US and Canada; "
    "where you may be in danger, call the emergency number."
)
SORRY = "I’m sorry to hear that."


def feeling(text: str) -> str:
    """What one says first to a message that tells of despair or of sorrow; empty for all others."""
    if _JOKE.search(text) is not None:
        return ""
    if _DESPAIRS.search(text) is not None:
        return DESPAIR
    died = _DIED.search(text)  # somebody did, and not the van
    who = set() if died is None else set(died["who"].lower().split())
    lost = not RELATIONS.keys().isdisjoint(who) and who.isdisjoint(("nearly", "almost"))
    mine = _MINE_DIED.search(text)
    lost = lost or (mine is not None and mine["kin"].lower() in RELATIONS)
    lost = lost or _NAME_DIED.search(text) is not None or _MISSES.search(text) is not None
    sad = any(_NOT_SO.search(text, 0, one.start()) is None for one in _SORROW.finditer(text))
    return SORRY if lost or sad else ""


FORGET = "Forget everything about "  # what a message that asks for it may begin with
LET_REST = "Nothing was taken out of the memory. “{}” would do that."  # which may have been meant
_NAMED = re.compile(
    r"(?i)\bforget (?!(?:about )?(?:it|that|this|them|him|her)\b)(?:about )?(?P<who>\w[^,;.!?\n]{0,60}?)"
    r"(?: (?:too|as well|also|now|then|please|pls|plz|thanks|thx|ok|okay|will you))*\s*(?:[,;.!?\n]|$)"
)


def let_rest(text: str) -> str:
    """What one says to "forget about the dentist", and to forgetting what is nobody known; empty to all else."""
    if not (lets_rest(text) or (asks_to_forget(text) and not whom_to_forget(text))):
        return ""
    named = _NAMED.search(text)
    return LET_REST.format(f"{FORGET}{named['who'] if named else '…'}")
