"""A secret is known by its shape: keys, tokens, card numbers, IBANs, passwords and private keys, with few false alarms.

A door code, a phone number, a flight number or an order number is not a secret; ordinary prose never is.
"""

from __future__ import annotations

import math
import re
from collections import Counter

from store.text.lists import wordset

Span = tuple[int, int]

_KEY_BLOCK = r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)"
_TOKENS = (
    r"\bsk-(?:ant-|proj-|or-)?[A-Za-z0-9_-]{16,}",
    r"\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_-]{16,})",
    r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b",
    r"\bAIza[0-9A-Za-z_-]{30,}",
    r"\bxox[abpors]-[A-Za-z0-9-]{10,}",
    r"\b(?:[rps]k_(?:live|test)_[A-Za-z0-9]{10,}|whsec_[A-Za-z0-9]{16,})",
    r"\b(?:hf_|npm_|pypi-|dop_v1_|shpat_|SG\.)[A-Za-z0-9_.-]{20,}",
    r"\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{4,}",
    r"\b[a-z][a-z0-9+.-]*://[^\s:/@]+:(?P<urlpass>[^\s:/@]{3,})@",
)
_SHAPES = re.compile("|".join((_KEY_BLOCK, *_TOKENS)), re.DOTALL)
_LABEL = (
    r"(?:\bpass ?words?\b|\bpasswd\b|\bpass ?phrase\b|\bpass ?code\b|\bpwd\b|\bpw\b|\bapi[ _-]?key\b|\bsecret(?:[ "
    r"_-]?key)?\b"
    r"|\baccess[ _-]?(?:key|token)\b|\bauth(?:orization)?[ _-]?token\b|\bbearer\b|\bclient[ _-]?secret\b|"
    r"\brecovery (?:code|phrase)\b"
    r"|\bseed phrase\b|\bpin(?: code)?\b|\bcvv2?\b|\bcvc\b|\bpasswort\b|\bkennwort\b|\bgeheimzahl\b"
    r"|\b(?:alarm|safe|vault|locker|padlock)(?: box)? (?:code|comb(?:ination|o)|pin)\b"
    r"|\bcombination (?:to|for|of) the safe\b"
    r"|\balarmcode\b|\bcontraseña\b|\bclave\b|\bmot de passe\b|\b비밀번호|\b암호|密码|密碼|口令)"
)
_SAID = re.compile(
    rf"(?i)(?P<label>{_LABEL})(?! (?:manager|policy|reset|hint|field|"
    rf"prompt))(?P<between>[^\n.!?:=]{{0,32}}?)(?P<link>\s*[:=]\s*|\s+(?:is|was|are|ist|es|est|to|lautet|war|hei(?:ß|ss)t|c['’]est)\s+"
    rf"(?:now\s+|jetzt\s+|ahora\s+|(?:changed|set|reset) to\s+)?|"
    rf"\s*[은는이가]\s*|\s*[是为為：]\s*)"
    r"[\"'“‘`]?(?P<value>[^\s\"'”’`]{3,80})"
)
_BEARER = re.compile(r"\bbearer\s+(?P<value>[A-Za-z0-9._~+/-]{16,}=*)", re.IGNORECASE)
_SEED = re.compile(
    r"(?i)\b(?:seed|recovery|mnemonic)(?: phrase| words)?(?:\s+is)?\s*:?\s*(?P<value>(?:[a-z]{3,8}[ "
    r",]+){11,23}[a-z]{3,8})\b"
)
_PHRASE = re.compile(
    r"(?i)\b(?:pass ?phrase|passsatz|frase (?:de (?:contraseña|paso)|secreta)|phrase (?:de passe|secr[èe]te)|"
    r"recovery phrase)\b[^\n.!?:=]{0,24}?"
    r"(?:\s*[:=]\s*|\s+(?:is|ist|lautet|es|est)\s+)[\"'“‘`]?(?!(?:too|not|very|so|in|on|at|the|a|that|this|still|never|"
    r"zu|sehr|im|nicht|muy|demasiado|en|la|el|trop|très|dans|le|une?)\s)"
    r"(?P<value>[^\W\d_]+(?:[ -][^\W\d_]+){2,7})(?=[\"'”’`]?[.,;!)]*(?:\s*$|\s+[A-Z]|\n))"
)
_EVERYWHERE = re.compile(
    r"\b(?:use|using|have|benutze|nehme|uso)\s+[\"'“‘`]?(?P<value>(?=\S*\d)(?=\S*[a-z])[^\s\"'”’`]{6,40})[\"'”’`]?\s+"
    r"(?:everywhere|(?:for|on) (?:all|every) (?:of )?(?:my )?(?:accounts?|logins?|sites?|websites?)|for every ?thing"
    r"|überall|für alles|en todas partes|para todo)\b",
    re.IGNORECASE,
)
"""What is used for everything, and looks like no word, is a password."""
_MIXED = r"[\"'“‘`]?(?P<value>(?=[^\s@]*\d)(?=[^\s@]*[a-z])[^\s\"'”’`@]{5,40})"
_OF_WORDS = r"(?:pass ?words?|pass ?phrase|pwd|pw|passwort|kennwort|contraseña|mot de passe)"
_BESIDE = re.compile(
    rf"{_MIXED}[\"'”’`]?\s+(?:as|als|como|comme)\s+(?:\w{{1,5}}\s+)?(?:{_OF_WORDS}|clave)\b", re.IGNORECASE
)  # fmt: skip
_AFTER = re.compile(rf"\b(?i:{_OF_WORDS})\s+{_MIXED}")
"""A word with figures in it right before or after what says that it is a password."""
_LOGIN = re.compile(
    r"\b(?i:log-?ins?|sign-?in|zugang|credentials?|anmeldung)\b(?! page)[^\n.!?:=]{0,40}?"
    r"(?:\s*[:=]\s*|\s+(?:is|to|ist|es|est|auf)\s+)(?:now\s+|jetzt\s+)?[\"'“‘`]?"
    r"(?P<value>(?=\S*\d)(?=\S*[a-z])(?=\S*[A-Z])[^\s@\"'”’`/]{6,40})(?P<goes_on>[ \t]+[a-z])?"
)
_SIGN = re.compile(r"[!#$%&*?^~]")
"""An account is named there as often as its password; but no account has small and capital letters, figures and such a
sign in its name."""
_ENTERED = re.compile(
    r"(?:\b(?i:get|log|sign)(?:s|ged|ging)? (?:me )?(?:in|into|on|onto)\b[^\n.!?]{0,40}?\b(?:with|using)"
    r"|\bkomme\s+(?:ich\s+)?mit|\bentr(?:ar|o)\b[^\n.!?]{0,40}?\b(?:con|pongo|uso)"
    rf"|\b(?:connecte|accède)\b[^\n.!?]{{0,40}}?\bavec)\s+(?=[\"'“‘`]?[a-z]){_MIXED}"
)
"""What one gets in with; a capital would make it the name of a service ("sign in with Office365")."""
_LOCK = (
    r"(?:alarm\w*|safe|vault|locker|(?:pad|bike )?lock|tresor\w*|\w*schloss|schlie(?:ß|ss)fach|caja fuerte|candado|"
    r"coffre(?:-fort)?|cadenas|antivol)"
)
_LOCKED = (
    rf"(?:{_LOCK}|phone|laptop|tablet|handy|m[óo]vil|t[ée]l[ée]phone|card|\w*karte|tarjeta|carte|unlock\w*|"
    r"entsperr\w*|desbloqueo|d[ée]verrouillage)"
)
_DIALLED = r"(?P<value>\d(?:[ -]?\d){2,9}|\d{1,2}(?: \w+,? \d{1,2}){1,3}(?: (?:left|right))?)(?![\w-])"
_CODE = re.compile(
    r"(?i)(?<!zip )(?<!post )(?<!area )(?<!promo )\b(?:code|pin|comb(?:ination|o)|kombination|código|combinaci[óo]n|"
    rf"combinaison)\b[^\n.!?:=]{{0,24}}?\b{_LOCKED}\b[^\n.!?:=]{{0,24}}?"
    rf"(?:\s*[:=]\s*|\s+(?:is|ist|lautet|es|est)\s+|,?\s+c['’]est\s+){_DIALLED}"
)
_OPENS = re.compile(
    rf"\b{_LOCKED}\b[^\n.!?]{{0,24}}?\b(?:opens?|unlocks?|geht|öffnet|abre|ouvre|d[ée]verrouille)\b[^\n.!?]{{0,12}}?"
    rf"\s(?:with|mit|con|avec)\s+{_DIALLED}",
    re.IGNORECASE,
)
_LOCK_IS = re.compile(
    rf"\b{_LOCK}(?:\s+(?:it\s+)?(?:is|ist|es|est)|,?\s+it['’]s|,?\s+c['’]est|:)\s+(?P<value>\d+(?:-\d+){{2,}})(?!\w)",
    re.IGNORECASE,
)
"""The figures that open something locked; a door code is known to half the street."""
_NETWORK = re.compile(
    r"(?:\b(?:wi-?fi|wlan)\b[^\n!?]{0,60}?\b(?:key|schlüssel|clé|clave)|\b(?:key|schlüssel|clé|clave)\b[^\n.!?]{0,12}?"
    r"\b(?:wi-?fi|wlan)\b)[^\n.!?:=]{0,32}?(?:\s*[:=]\s*|\s+(?:is|ist|lautet|es|est)\s+)"
    r"[\"'“‘`]?(?P<value>(?=\S*[\d-])[^\s\"'”’`]{6,63})",
    re.IGNORECASE,
)
_REPLY = re.compile(
    r"(?i)\b(?:answer|antwort|respuesta|réponse)\b[^\n.!?]{0,20}\b"
    r"(?:security question|sicherheitsfrage|pregunta de seguridad|question (?:secrète|de sécurité))\s+"
    r"(?:is|ist|lautet|es|est)\s+(?P<value>[^\n.!?]{2,60})"
)
_TOLD_PIN = re.compile(
    r"\b(?:(?i:(?:my|our|bank|atm|card|sim)\s+pin\b)[^\n.!?]{0,40}?(?<! in)(?<!since)[\s:]|PIN )"
    r"(?P<value>\d{4,6})(?!\w)"
)
_CARD = re.compile(r"(?<![\d.-])\d(?:[ -]?\d){12,18}(?![\d-])")
_IBAN = re.compile(r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?\b")
_SOCIAL = re.compile(r"(?i:\bssn\b|\bsocial security (?:number|no\.?))[^\d\n]{0,12}(?P<value>\d{3}-?\d{2}-?\d{4})\b")
_RANDOM = re.compile(
    r"(?<![\w/+.=-])(?=[A-Za-z0-9_+/-]*\d)(?=[A-Za-z0-9_+/-]*[a-z])(?=[A-Za-z0-9_+/-]*[A-Z])[A-Za-z0-9_+/-]{32,}={0,2}(?![\w/])"
)
_PLAIN = wordset(
    "the a an my your his her their our not too very that this it so on in at for of to and or easy "
    "hard weak strong wrong right required needed expired safe secure lost forgotten correct "
    "incorrect set gone reset changed working invalid always never still being here there what "
    "something missing stored saved good bad fine long short same different stuck blocked leaked"
)

_MARKS = (
    "-----BEGIN", "sk-", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "AKIA", "ASIA", "AIza", "xox",
    "k_live_", "k_test_", "whsec_", "hf_", "npm_", "pypi-", "dop_v1_", "shpat_", "SG.", "eyJ",
)  # fmt: skip
_LABELLED = re.compile(
    r"[abckprs비密](?:(?<=密)码|(?<!\w\w)(?:pi[ _-]?key|ccess|uth|earer|lient|ontrase|v[cv]|ennwort|ass|in\b|wd?\b"
    r"|ecovery|ecret|eed|밀번호))"
)
"""What any label begins with; it is found by its first letter, ten times faster than the labels."""
_OTHER_LABELS = (
    "geheimzahl", "alarm", "safe", "vault", "locker", "padlock", "clave", "mot de passe", "암호", "口令", "密碼"
)  # fmt: skip
_SPOKEN = (
    (_BEARER, ("bearer",)), (_SEED, ("seed", "recovery", "mnemonic")), (_SOCIAL, ("ssn", "social security")),
    (_PHRASE, ("phrase", "passsatz", "frase")), (_REPLY, ("question", "sicherheitsfrage", "pregunta")),
    (_TOLD_PIN, ("pin ",)), (_NETWORK, ("wifi", "wi-fi", "wlan")),
    (_BESIDE, (" as ", " als ", " como ", " comme ")), (_AFTER, ("pass", "pw", "kennwort", "contrase")),
    (_ENTERED, (" with ", " using ", " mit ", "entr", " avec ")),
    (_CODE, ("code", "pin", "comb", "kombi", "código")), (_OPENS, ("open", "unlock", "geht", "öffne", "abre", "ouvr")),
    (_LOCK_IS, ("alarm", "safe", "vault", "lock", "tresor", "schlo", "caja", "candado", "coffre", "cadenas")),
    (_EVERYWHERE, ("every", " all ", "überall", "alles", "todas", "para todo")),
)  # fmt: skip
"""Patterns, each with words of which one must be there: to look for a word is a hundred times faster."""
_LOWER = {0x130: "i", 0x131: "i", 0x17F: "s", 0x212A: "k"}
"""The letters outside of ASCII that `re.IGNORECASE` takes for one of it."""


def secret_spans(text: str) -> list[Span]:
    """The (start, end) of everything in the text that has the shape of a secret, in order, not overlapping."""
    spans = list[Span]()
    if _any(_MARKS, text) or ("://" in text and "@" in text):
        spans += [match.span("urlpass" if match["urlpass"] else 0) for match in _SHAPES.finditer(text)]
    low = (text if text.isascii() else text.translate(_LOWER)).lower()
    for pattern, words in _SPOKEN:
        if _any(words, low):
            spans += [_trimmed(text, match.span("value")) for match in pattern.finditer(text)]
    for match in _LOGIN.finditer(text):
        # "!" ends a sentence, unless that goes on with a small letter
        span = match.span("value") if match["goes_on"] else _trimmed(text, match.span("value"))
        if _SIGN.search(text, *span):
            spans.append(span)
    if _LABELLED.search(low) or _any(_OTHER_LABELS, low):
        spans += [_trimmed(text, match.span("value")) for match in _SAID.finditer(text) if _is_password(match)]
    for pattern, is_one in _CHECKED:
        spans += [match.span() for match in pattern.finditer(text) if is_one(match.group())]
    return _joined(spans)


def _any(words: tuple[str, ...], text: str) -> bool:
    return any(word in text for word in words)


def _trimmed(text: str, span: Span) -> Span:
    start, end = span
    while end > start + 1 and text[end - 1] in ".,;:!?)":
        end -= 1
    return start, end


_NUMBERED = ("pin", "cv", "geheim", "alarm", "safe", "vault", "locker", "padlock", "combination")
"""Labels of secrets that are numbers."""
_ENDS = re.compile(r"[\"'”’`]?[.,;!)]*(?:\s*$|\s+[A-Z]|\n)")
"""What follows a value that ends its sentence: "my password is sunflower.", not "sunflower-shaped and ..."."""
_WORDED = ("pass", "pw", "kenn", "contra", "clave", "mot", "비", "암", "密", "口")
"""Labels after which a plain word that ends its sentence is a secret, too."""


def _is_password(match: re.Match[str]) -> bool:
    """A labelled value is one unless it is an ordinary word ("the password is wrong") or a bare card-less PIN talk."""
    value = match.group("value").strip(".,;:!?)")
    label = match.group("label").lower()
    if label[0] > "\u2e80" and match.group("between").strip():  # "密码本是": the book of codes is no code
        return False
    if value.lower() in _PLAIN or len(value) < 3:
        return False
    if label.startswith(_NUMBERED):
        return len(value.replace("-", "")) <= 8 and value.replace("-", "").isdigit()
    odd = any(not letter.isalpha() for letter in value) or (value != value.lower() and value != value.title())
    if ":" in match.group("link") or "=" in match.group("link"):
        return True
    return odd or (label.startswith(_WORDED) and _ENDS.match(match.string, match.end("value")) is not None)


def _is_card(written: str) -> bool:
    digits = [int(letter) for letter in written if letter.isdigit()]
    if len(digits) < 13 or len(set(digits)) < 2 or digits[0] not in (2, 3, 4, 5, 6):
        return False
    doubled = [
        digit if place % 2 == 0 else (digit * 2 - 9 if digit > 4 else digit * 2)
        for place, digit in enumerate(reversed(digits))
    ]
    return sum(doubled) % 10 == 0


def _is_iban(written: str) -> bool:
    plain = written.replace(" ", "")
    if not 15 <= len(plain) <= 34:
        return False
    turned = plain[4:] + plain[:4]
    return int("".join(str(int(letter, 36)) for letter in turned)) % 97 == 1


def _is_random(written: str) -> bool:
    """By Shannon's entropy per character."""
    return -sum(n / len(written) * math.log2(n / len(written)) for n in Counter(written).values()) > 4.0


_CHECKED = ((_CARD, _is_card), (_IBAN, _is_iban), (_RANDOM, _is_random))


def _joined(spans: list[Span]) -> list[Span]:
    joined: list[Span] = []
    for start, end in sorted(spans):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined
