"""A quote in the text of a mail: its lines are called by what is offered, never by the letter around it."""

from email.message import EmailMessage

import pytest

from app.service.documents.reading import read_document


def mail(body: str) -> bytes:
    message = EmailMessage()
    message["From"], message["To"] = "Tom Reed <tom.reed@acme-software.example>", "ann@buyer.example"
    message["Subject"], message["Date"] = "Quote Q-77 for Parley Ltd", "Mon, 09 Mar 2026 10:00:00 +0000"
    message.set_content(body)
    return message.as_bytes()


@pytest.mark.parametrize(
    ("body", "names"),
    [
        (
            "Dear Ms Lee,\n\nthank you for your enquiry. We can offer you 25 Editor licences for 3,000.00 EUR"
            " and onboarding for 500 EUR, so 3,500.00 EUR in total.\n\nRegards\n",
            ["25 Editor licences"],
        ),
        (
            "Bonjour Madame Lee,\nmerci pour votre demande du 3 mars 2026. Voici notre offre :\n"
            "25 licences Editor à 120,00 € = 3 000,00 €\n1 mise en service à 500,00 € = 500,00 €\n"
            "Total HT : 3 500,00 €\nCordialement\n",
            ["licences Editor", "mise en service"],
        ),
        (
            "Dear Ms Lee,\nthank you for your enquiry 4711.\n10 x Editor at EUR 120.00 = EUR 1,200.00\n"
            "1 x Onboarding at EUR 500.00 = EUR 500.00\nTotal: EUR 1,700.00\n",
            ["Editor", "Onboarding"],
        ),
    ],
)
def test_a_line_is_not_called_by_the_letter(body: str, names: list[str]) -> None:
    read = read_document(mail(body), "mail.eml")
    found = [line.description or "" for line in read.line_items]
    assert len(found) == len(names)
    for name, description in zip(names, found, strict=True):
        assert name in description
        assert not any(word in description for word in ("Dear", "thank", "Bonjour", "merci"))
