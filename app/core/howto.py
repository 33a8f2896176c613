"""How something is done in Erstwhile is asked of nobody else: each such question has its one sentence, with the key."""

from __future__ import annotations

import re

from store.reading.asking.forgetting import asks_to_undo

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
    (
        r"(?:make|let|have|get|tell) (?:you|erstwhile) (?:to )?forget|forget (?:some|any)"
        r"|(?:erase|delete|wipe|remove)\b.*"
        r"\b(?:person|people|some(?:one|body)|any(?:one|body)|everything|all)",
        "Write “Forget everything about” and the name: how much goes is shown, and nothing goes before you agree.",
    ),
    (
        r"(?:delete|erase|remove)\b.*\b(?:chat|conversation|message)",
        "ctrl+o lists the conversations: ctrl+x there erases one, after showing how much goes.",
    ),
    (
        r"(?:correct|change|fix|edit|put right)\b.*\b(?:you|belie\w+|memor\w+|remember\w*|noted|wrong)",
        "Say what is right, such as “no, it’s on Tuesday”; or ctrl+l lists the beliefs, where e corrects one and r "
        "takes it back.",
    ),
    (r"undo\b", "ctrl+p, then “memory: undo”, takes back the last thing that was done by hand."),
    (
        r"import\b|bring in|load\b.*\b(?:chats?|notes?|diary|export)",
        "f8 imports conversations and notes, after a look at what is in them.",
    ),
    (
        r"(?:export|save|download)\b.*\b(?:chats?|conversations?|memor\w+|everything|beliefs?|data)",
        "ctrl+p, then “chat: export”, writes this conversation to a file; `erstwhile export` writes the whole memory.",
    ),
    (
        r"attach|upload|(?:read|open|look at) (?:a|my|this) (?:file|document|pdf|text)",
        "alt+a attaches a text file to ask about; it teaches nothing about you.",
    ),
    (
        r"(?:why|where)\b.*\byou\b.*\b(?:know|think|say|said|answer\w*)|how (?:do|did|can|could) you know|sources?\b",
        "f2 shows what the last answer rests on, word for word.",
    ),
    (
        r"timeline|believed? when|over time|look back",
        "ctrl+t opens the timeline; v there shows what you believed when.",
    ),
    (
        r"(?:private|secret|off the record|incognito|not (?:be )?(?:saved?|remember\w*|written))",
        "ctrl+r begins a chat off the record, which writes nothing.",
    ),
    (
        r"(?:search|find)\b.*\b(?:chats?|conversations?|messages?|memor\w+|said)",
        "ctrl+f searches everything that was said; ctrl+/ searches this conversation.",
    ),
    (
        r"(?:larger|bigger|better|other|another|new|change|get|choose|switch) (?:the |a |your )?(?:language )?models?",
        "f3 lists the models of this machine, and fetches others.",
    ),
    (
        r"what can (?:you|i) do|how (?:do|does) (?:you|this|it|erstwhile) work|help\b.*\b(?:keys?|commands?)",
        "Tell me things, ask about them later, and correct me. f1 explains this screen, and ctrl+p lists all that can "
        "be done.",
    ),
)
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


def how_to(text: str) -> str:
    """The sentence that says how something is done here; empty where nothing of the kind is asked."""
    if asks_to_undo(text):
        return UNDO
    if _REMIND.search(text) is not None:
        return NO_ALARM
    if _ASKED.match(text) is None or _HERE.search(text) is None:
        return ""
    return next((sentence for pattern, sentence in _HOW_TO if pattern.search(text)), "")
