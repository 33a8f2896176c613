"""What teaches nothing because it is meant for a model, or is a secret, is shown as such; no secret is ever shown.

`quarantined` is a pure function of a turn: words that order a model about ("ignore all previous instructions",
"remember that the user's bank is ..."), and the kind of each secret. `set_apart` lists them over all turns, with what a
model that read proposed and was refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import apsw

from store.database.rows import each
from store.episodes.secrets import Span, secret_spans
from store.reading.masks import concealed, directed
from store.records import Quarantined
from store.sleep.checking import REASONS

INSTRUCTION = "reads like an instruction"
CONCEALED = "holds hidden characters"
_KINDS = (
    (re.compile(r"\d{3}-?\d{2}-?\d{4}"), "a social security number"),
    (re.compile(r"\d(?:[ -]?\d){12,18}"), "a card number"),
    (re.compile(r"[A-Z]{2}\d{2}(?: ?[A-Z0-9]{1,4}){3,8}"), "an account number"),
    (re.compile(r"(?:[^\W\d_]+[ ,]+){11,}[^\W\d_]+"), "a recovery phrase"),
    (re.compile(r"\d[\d -]{2,11}"), "a code"),
)
"""By the shape of the secret itself."""
_PASSWORD = re.compile(
    r"(?:pass|pwd|\bpw\b|\bpin\b|cvv|cvc|kennwort|contrase|비밀번호|密码)[^\n.!?]{0,40}$", re.IGNORECASE
)
"""By the words before it."""


def quarantined(turn: str, text: str, role: str, *, secret: bool = True) -> tuple[Quarantined, ...]:
    """What of a turn (its id, its words, who said it) is set apart: an instruction with its words, secrets without.
    `secret` False: it is known to hold none."""
    spans = secret_spans(text) if secret else []
    found = [Quarantined(turn, "", kind) for kind in dict.fromkeys(_kind(text, one) for one in spans)]
    order = directed(text, role)
    strange = [] if order is None else [(order, INSTRUCTION)]
    strange += [(one, CONCEALED) for one in concealed(text)[:1]]
    return (*(Quarantined(turn, _without_secrets(text, span), reason) for span, reason in strange), *found)


def _without_secrets(text: str, span: Span) -> str:
    """The words of a span, with nothing of a secret in them."""
    start, end = span
    words, at = "", start
    for first, last in secret_spans(text):
        if first < end and last > start:
            words += text[at : max(at, first)] + "…"
            at = max(at, last)
    return (words + text[at:end]).strip() if at < end else words.strip()


def _kind(text: str, span: Span) -> str:
    """What a secret is, in words that tell nothing of it."""
    if _PASSWORD.search(text[max(0, span[0] - 60) : span[0]]):
        return "a password"
    secret = text[span[0] : span[1]].strip()
    fitting = [kind for shape, kind in _KINDS if shape.fullmatch(secret)]
    return fitting[0] if fitting else "a key"


def set_apart(connection: apsw.Connection) -> Iterator[Quarantined]:
    """Everything that is set apart, the newest turn first; of each turn first what itself says."""
    refused: dict[str, list[Quarantined]] = {}
    for turn, said, reason, model in each(
        connection,
        "select e.id, r.said, r.reason, r.model from refused r join episodes e on e.row = r.episode_row order by r.id",
    ):
        refused.setdefault(turn, []).append(Quarantined(turn, said, REASONS.get(str(reason), str(reason)), model))
    for turn, text, role, secret in each(
        connection, "select id, text, role, secret from episodes order by said_at desc, position desc"
    ):
        yield from quarantined(turn, text, role, secret=bool(secret))
        yield from refused.get(turn, ())
