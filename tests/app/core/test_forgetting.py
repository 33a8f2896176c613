"""A message that asks to forget somebody is told from one that lets a matter rest."""

from __future__ import annotations

import pytest

from app.core.stock_replies import let_rest
from store.reading.asking.forgetting import asks_to_forget, whom_to_forget
from store.records import Entity


@pytest.mark.parametrize(
    ("text", "whom"),
    [
        ("please forget everything about Petra", "Petra"),
        ("Forget everything you know about my ex.", "my ex"),
        ("Can you delete everything about Marek please?", "Marek"),
        ("erase all memories of Tom", "Tom"),
        ("Remove anything I told you about the bakery", "the bakery"),
        ("delete what I said about Lena", "Lena"),
        ("wipe all of it about uncle Jo!", "uncle Jo"),
        ("Forget Marek.", "Marek"),
        ("Forget Dr. Nemec", "Dr. Nemec"),
        ("Please forget everything about Ida, I don't want her in here.", "Ida"),
        ("please erase Petra Novak altogether, would you?", "Petra Novak"),
        ("Please forget Isidor entirely.", "Isidor"),
        ("pls forget marek completely thx", "marek"),
        ("just wipe ottilie brandt from your memory", "ottilie brandt"),
        ("could you forget that Marek ever existed", "Marek"),
        ("take bram out of the memory please", "bram"),
        ("I'd like Bram deleted", "Bram"),
        ("I want you to forget my ex for good", "my ex"),
        ("stop remembering things about Odile", "Odile"),
        ("delete every trace of Odile now", "Odile"),
        ("Forget Dorte Lund too, all of it", "Dorte Lund"),
        ("forget odile, everything", "odile"),
        ("Erase Odile as well please", "Odile"),
        ("can you also wipe Odile clean", "Odile"),
        ("Forget Odile and everything she said", "Odile"),
        ("forget all of Bram", "Bram"),
        ("erase all you have on Odile", "Odile"),
        ("scrub every single thing about Odile", "Odile"),
        ("Wipe everything you've got on my ex Bram", "my ex Bram"),
        ("forget what I said about Bram too", "Bram"),
        ("forget what I said about the visa thing, changed my mind", "visa"),
    ],
)
def test_whom_it_names(text: str, whom: str) -> None:
    assert whom_to_forget(text) == whom


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("forget about Tom", "Tom"),
        ("ok, forget about the leak.", "the leak"),
        ("Please forget about it", "…"),
        ("forget about Una, will you", "Una"),
        ("forget pie", "pie"),
        ("forget nadia please", "nadia"),
        ("Forget about the dentist, they cancelled", "the dentist"),
    ],
)
def test_who_lets_a_matter_rest_is_told_that_nothing_went_and_how_it_would(text: str, what: str) -> None:
    assert let_rest(text) == f"Nothing was taken out of the memory. “Forget everything about {what}” would do that."
    assert whom_to_forget(text) == ""


@pytest.mark.parametrize(
    "text", ["forget everything about Tom", "I forget about things", "delete what I said about it"]
)
def test_nothing_is_said_of_it_to_anybody_else(text: str) -> None:
    assert let_rest(text) == ""


@pytest.mark.parametrize(
    "text",
    [
        "forget about it",
        "Forget about the dentist, they cancelled",
        "I keep forgetting everything about Petra",
        "don't forget about Petra's birthday",
        "I want to forget everything about last year, honestly",
        "please forget that",
        "forget it",
        "Forget Marek and come to the party",
        "can you forget about the dentist, they cancelled",
        "remove all of the icing",
        "forget everything about me",
        "Petra told me to delete all of it",
        "I never forget Una's birthday",
        "don't forget the oat milk",
        "I'll never forget Trieste",
        "I keep trying to forget Marek completely",
        "please forget that",
        "forget what I said",
        "forget the kayak completely",
        "forget the rent too, all of it",
        "I forget Rahul too",
        "forget it all",
    ],
)
def test_what_asks_for_nothing_of_the_kind(text: str) -> None:
    assert whom_to_forget(text) == ""


def _known() -> list[Entity]:
    return [
        Entity("me", "me", "person", ("me", "Odd")),
        Entity("g", "gudrun", "person", ("gudrun", "uncle gudrun")),
        Entity("t", "Tove Lind", "person", ("tove lind", "me>aunt"), "aunt"),
        Entity("k", "kayak", "thing", ("kayak",)),
    ]


@pytest.mark.parametrize(
    ("text", "whom"),
    [
        ("forget gudrun", "gudrun"),
        ("forget gudrun, dont want anything about her kept", "gudrun"),
        ("pls no. delete gudrun for good", ""),
        ("ok delete gudrun for good", "gudrun"),
        ("forget dinner", ""),
        ("forget the kayak, sold it", ""),
        ("forget kayak", ""),
        ("forget me", ""),
        ("forget gudrun and come over", ""),
        ("forget about gudrun", ""),
        ("forget gudrun please", "gudrun"),
        ("forget gudrun holm pls", "gudrun holm"),
        ("forget gudrun and go", ""),
        ("forget tove", "tove"),
        ("forget my aunt", "my aunt"),
        ("forget my aunt tove", "my aunt tove"),
        ("also forget gudrun", "gudrun"),
        ("forget lunch too", ""),
    ],
)
def test_a_name_in_small_letters_is_one_that_is_known(text: str, whom: str) -> None:
    assert whom_to_forget(text, _known) == whom


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("forget brunhild please", True),
        ("Forget Marek", True),
        ("forget about the dentist, they cancelled", False),
        ("forget the kayak, sold it", False),
        ("I never forget Una's birthday", False),
        ("forget what I said, I live in Porto", False),
    ],
)
def test_it_states_nothing_whoever_is_known(text: str, asks: bool) -> None:
    assert asks_to_forget(text) is asks
