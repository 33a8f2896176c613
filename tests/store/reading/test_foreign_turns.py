"""English as people type it is read; what is in another language is not."""

import pytest

from store.reading.encoder import shipped
from store.reading.foreign import is_foreign


@pytest.mark.parametrize("text", [
    "nan has a lump. scan weds. cant sleep", "i take lisinopril 10 every nite", "leo isnt a vet hes a groomer",
    "sis does karate thurs", "dads got gout", "gaffer gave me nights", "mums allotment is plot 14b",
    "jomar works in radiology", "washers 14, dryers 16 - no, 18 - dryer 4 dead",
])  # fmt: skip
def test_english_without_much_spelling_is_read(text: str) -> None:
    assert not is_foreign(text, shipped().knows)


@pytest.mark.parametrize("text", [
    "mañana tengo dentista a las cinco", "ich arbeite seit zwei jahren als koch in leipzig",
    "ma cousine habite chez nous depuis mars", "domani porto il gatto dal veterinario",
    "mijn broer werkt bij de bakker op de hoek", "a minha avó mora em coimbra com o cão",
    "min syster bor ute vid havet", "moja siostra pracuje w szpitalu",
    "hij is gestopt met roken", "abito a milano da tre anni", "je vais chez le médecin demain",
])  # fmt: skip
def test_another_language_is_not_read(text: str) -> None:
    assert is_foreign(text, shipped().knows)
