"""A greeting is greeted and thanks are taken, where no model speaks: nothing in such a message is to be remembered."""

from __future__ import annotations

import re

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
    """What one says to a message that is courtesies and nothing else, to the last of several ("thanks, night"); empty
    for all others."""
    if reply := next((reply for pattern, reply in _COURTESIES if pattern.fullmatch(text)), ""):
        return reply
    parts = _BETWEEN.split(text.strip())
    replies = [courtesy(part) for part in parts] if len(parts) > 1 else [""]
    return replies[-1] if all(replies) else ""


_BETWEEN = re.compile(r"[,.!;…]+\s+(?:and\s+)?|\s+and\s+")
