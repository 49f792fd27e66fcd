"""What a letter says around its offer is told from the offer, in each language."""

import pytest

from app.service.documents.lexicon.letters import is_of_letter, strip_letter_words


@pytest.mark.parametrize(
    "text",
    [
        "Dear Ms Lee,",
        "Dear Ms. Lee",
        "Dear Sir or Madam:",
        "Hi Ann,",
        "Thank you for your enquiry no. 4711 of 3 March 2026",
        "Thanks for getting in touch!",
        "Kind regards",
        "Sehr geehrte Damen und Herren,",
        "Vielen Dank für Ihre Anfrage vom 03.03.2026.",
        "Gerne bieten wir Ihnen an:",
        "Bonjour Madame Lee,",
        "merci pour votre demande du 3 mars. Voici notre offre :",
        "Beste mevrouw Jansen,",
        "Estimada Sra. Ruiz:",
        "Gentile Signora Rossi,",
        "Prezada Sra. Costa,",
    ],
)
def test_greetings_thanks_and_closings_are_of_the_letter(text: str) -> None:
    assert is_of_letter(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Hello Kitty licence",
        "Madame Tussauds tickets",
        "Beste Software Suite",
        "Cara Software",
        "Regards & Co. annual plan",
        "Thanks for the 25 seats at $120.00",
        "We are pleased to offer 25 seats for EUR 3,000.00",
    ],
)
def test_names_and_offers_stay(text: str) -> None:
    assert not is_of_letter(text)
    assert strip_letter_words(text) == text


def test_an_offer_after_a_greeting_is_left() -> None:
    text = "Dear Ms Lee, thank you for your enquiry of 3 March. 25 licences for 3,000.00 EUR"
    assert strip_letter_words(text) == "25 licences for 3,000.00 EUR"
