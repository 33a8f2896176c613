"""Secrets are found by shape, and ordinary talk about codes, numbers and passwords is left alone."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any

import pytest

from store.episodes.secrets import secret_spans
from store.memory import Memory

SECRETS = [
    ("my password is hunter2", "hunter2"),
    ("pw: correct-horse", "correct-horse"),
    ("My wifi password is sunflower.", "sunflower"),
    ("the api key is 8f14e45fceea167a", "8f14e45fceea167a"),
    ("use sk-abcdEFGH1234567890abcd for it", "sk-abcdEFGH1234567890abcd"),
    ("token ghp_abcdefghijklmnopqrstuvwxyz0123", "ghp_abcdefghijklmnopqrstuvwxyz0123"),
    ("AKIAIOSFODNN7EXAMPLE is the id", "AKIAIOSFODNN7EXAMPLE"),
    ("card 4111 1111 1111 1111 thanks", "4111 1111 1111 1111"),
    ("IBAN DE89 3704 0044 0532 0130 00 please", "DE89 3704 0044 0532 0130 00"),
    ("my pin is 4421", "4421"),
    ("postgres://bob:s3cret@db.example.org/x", "s3cret"),
    ("my SSN is 078-05-1120", "078-05-1120"),
    ("my passphrase is correct horse battery staple", "correct horse battery staple"),
    ("Recovery phrase: maple river stone lantern quiet", "maple river stone lantern quiet"),
    ("btw i use hunter2x everywhere", "hunter2x"),
    ("I use Tr0ub4dor&3 for all my accounts, I know", "Tr0ub4dor&3"),
    ("The alarm code is 4471.", "4471"),
    ("combination to the safe: 12-34-56", "12-34-56"),
    ("our safe code is 8812 by the way", "8812"),
    ("mein Passwort lautet Sonnenblume7", "Sonnenblume7"),
    ("Mein Kennwort ist Regenbogen.", "Regenbogen"),
    ("die Geheimzahl ist 4711", "4711"),
    ("mi contraseña es girasol99", "girasol99"),
    ("la clave es Mariposa_7", "Mariposa_7"),
    ("내 비밀번호는 haru2024", "haru2024"),
    ("wifi密码是 chunjie88", "chunjie88"),
    ("mot de passe: tournesol", "tournesol"),
    ("the router's password was changed to Gr33nh0use", "Gr33nh0use"),
    ("netflix pw = popcorn", "popcorn"),
    ("my bank PIN is 0907, don't tell", "0907"),
    ("the locker combination is 14-02-31", "14-02-31"),
    ("passcode for the ipad is 270193", "270193"),
    ("ich nehme Fritz2011 überall", "Fritz2011"),
    ("My Spotify login is now B1ueMo0n$", "B1ueMo0n$"),
    ("changed the bank login to Fj0rd#Kayak yesterday", "Fj0rd#Kayak"),
    ("the login for the shop: Qu1etRiver!7", "Qu1etRiver!7"),
    ("Mein Login bei der Bahn ist jetzt W4ldKauz!x", "W4ldKauz!x"),
]
PLAIN = [
    "The door code of the office is 4471.",
    "My phone number is +49 170 1234567.",
    "My order number is 4111 2222 3333.",
    "The password is wrong.",
    "I forgot my password.",
    "My password manager is Bitwarden.",
    "The secret is to add salt.",
    "The secret to a good crust is time.",
    "I put a pin in it.",
    "Flight LH 1234 leaves at 9:30 on 2024-05-03.",
    "It costs 1234567890123 won.",
    "Key to success: sleep.",
    "See https://example.org/a/b?c=1",
    "The alarm is set for 6:30.",
    "I use Firefox everywhere.",
    "I use my GTX1080 for everything but work.",
    "The key phrase is 'less is more'.",
    "The safe is behind the door.",
    "We had all 12 cousins over for dinner.",
    "Die Losung heute war Geduld haben und warten.",
    "La clave es la paciencia con los niños, dice mi madre siempre.",
    "Her passphrase is too long for me to type.",
    "Our alarm code changes every month.",
    "My password is in the manager.",
    "Ask him what the combination is.",
    "我的密码本是蓝色封面的",
    "The zip code on my card is 94110.",
    "The shop opens with 20 bikes on Monday.",
    "The card says code 20 is out, my phone says 30 minutes.",
    "My SIM card arrived in 2019.",
    "I sign in with Office365 at work.",
    "I log in with GitHub.",
    "I work as a nurse, as 1st of three.",
    "The pin was made in 1984.",
    "The wifi is down and the key is under the mat.",
    "Der Schlüssel für das Fahrradschloss ist weg.",
    "Ma phrase secrète est trop longue pour moi.",
    "My phone opens with a click.",
    "I got into the team with number 7.",
    "The security question is annoying?",
    "La tarjeta abre con dificultad la puerta 1024.",
    "The locker is number 12.",
    "My passport number 1 wish: fewer queues.",
    "My Netflix login is anna_k82.",
    "I changed my login to Anna2020!",
    "My login is anna.kruse+films@example.org now.",
    "The login is on the sticky note.",
    "My login for the course is AKruse1987.",
    "The login page moved to https://example.org/Log1n#Top.",
]
FREE: list[dict[str, str]] = [
    json.loads(line) for line in Path(__file__).with_name("free_secrets.jsonl").read_text("utf-8").splitlines()
]
"""Forty that somebody wrote who had seen no pattern, each with the words that nobody may learn."""
MISSED = {"47B12": "half the street knows the code of a front door: such a code is no secret here"}


@pytest.mark.parametrize(("text", "secret"), SECRETS)
def test_a_secret_is_found_to_the_character(text: str, secret: str) -> None:
    assert [text[start:end] for start, end in secret_spans(text)] == [secret]


@pytest.mark.parametrize("text", PLAIN)
def test_ordinary_talk_is_no_secret(text: str) -> None:
    assert secret_spans(text) == []


def test_a_private_key_block_is_one_secret() -> None:
    text = "Here:\n-----BEGIN RSA PRIVATE KEY-----\nMIIEow\n-----END RSA PRIVATE KEY-----\nthanks"
    ((start, end),) = secret_spans(text)
    assert text[start:end].startswith("-----BEGIN")
    assert text[end:] == "\nthanks"


def free() -> list[Any]:
    """The forty as parameters of a test."""
    return [
        pytest.param(
            one["text"], one["secret"], id=one["secret"],
            marks=[pytest.mark.xfail(strict=True, reason=MISSED[one["secret"]])] if one["secret"] in MISSED else [],
        )
        for one in FREE
    ]  # fmt: skip


@pytest.mark.parametrize(("text", "secret"), free())
def test_a_secret_in_free_words_is_found(text: str, secret: str) -> None:
    assert any(secret in text[start:end] for start, end in secret_spans(text))


def test_no_secret_becomes_a_belief_or_an_answer(memory: Memory, say: Callable[..., None]) -> None:
    say("2026-03-02", "I live in Porto.", *(one["text"] for one in FREE))
    facts = [*memory.beliefs.facts(everything=True), *memory.reading.unsure()]
    secrets = [one["secret"].casefold() for one in FREE if one["secret"] not in MISSED]
    assert ("lives_in", "Porto") in {(one.predicate, one.object) for one in facts}
    assert not [one for one in facts for secret in secrets if secret in one.object.casefold()]
    for question in ("What is my password?", "What is the code of our alarm?", "¿Cuál es el PIN de mi tarjeta?"):
        told = memory.answering.ask(question).text.casefold()
        assert not [secret for secret in secrets if secret in told]


@pytest.mark.parametrize("words", ["my pin ", "password ", "code alarm is ", "login with ", "1 ", "my safe opens "])
def test_a_long_text_is_looked_at_quickly(words: str) -> None:
    began = perf_counter()
    secret_spans(words * (20_000 // len(words)))
    assert perf_counter() - began < 1
