"""Secrets are found by shape, and ordinary talk about codes, numbers and passwords is left alone."""

from __future__ import annotations

import pytest

from store.writing.secrets import secret_spans

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
]


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
