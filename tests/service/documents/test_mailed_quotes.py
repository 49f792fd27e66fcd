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


@pytest.mark.parametrize(
    ("below", "supplier"),
    [
        ("Kind regards\nAcme Software", "Acme Software"),
        ("Mit freundlichen Grüßen\nTom Reed\nAcme Software", "Acme Software"),
        ("Best regards,\nTom Reed\nBorrowed Name", None),  # no address speaks for it
    ],
)
def test_the_supplier_signs_a_mail(below: str, supplier: str | None) -> None:
    body = f"Dear Ms Lee,\n\n10 x Editor at EUR 120.00 = EUR 1,200.00\n\n{below}\n"
    message = mail(body).replace(b"Quote Q-77 for Parley Ltd", b"Quote Q-77")
    assert read_document(message, "mail.eml").supplier == supplier


@pytest.mark.parametrize(
    ("sender", "supplier"),
    [
        ("Pixel & Post <orders@pixelpost.example>", "Pixel & Post"),
        ("Hillside Run Club Store <shop@hillside.example>", "Hillside Run Club Store"),
        ("Tom Reed <tom.reed@acme-software.example>", None),  # a person's own address
    ],
)
def test_a_shop_is_called_as_its_mail_is_sent(sender: str, supplier: str | None) -> None:
    message = EmailMessage()
    message["From"], message["To"] = sender, "Ann Holt <ann@buyer.example>"
    message["Subject"], message["Date"] = "Your order 88120", "Mon, 09 Mar 2026 10:00:00 +0000"
    lines = "Ann Holt<br>Holt Timber Ltd<br>4 Mill Rd<br>Boise, ID 83702"
    address = f"<td><h2>{{}} address</h2><address>{lines}</address></td>"
    message.set_content(
        "<table><tr><th>Product</th><th>Quantity</th><th>Price</th></tr>"
        "<tr><td>Sock<br>SKU 4</td><td>3</td><td>$42.00</td></tr>"
        "<tr><th colspan=2>Total:</th><td>$42.00</td></tr></table>"
        f"<table><tr>{address.format('Billing')}{address.format('Shipping')}</tr></table>",
        subtype="html",
    )
    read = read_document(message.as_bytes(), "mail.eml")
    assert read.supplier == supplier
    assert read.buyer in ("Holt Timber Ltd", "Ann Holt")
    assert [(one.description, one.quantity, one.amount) for one in read.line_items] == [("Sock", 3, 42)]


@pytest.mark.parametrize(("freight", "tax", "total"), [(5, "16.17", 97), (12, "17.33", 104)])
def test_a_charge_is_a_line_where_all_prices_hold_the_tax(freight: int, tax: str, total: int) -> None:
    text = (
        f"4 x Mug\n    Unit price: EUR 18.00      EUR 72.00\n\n1 x Napkin set\n    Unit price: EUR 20.00"
        f"      EUR 20.00\n\nSubtotal:      EUR 92.00\nShipping (DHL):      EUR {freight}.00\n"
        f"Grand total:      EUR {total}.00\nincl. 20 % VAT:      EUR {tax}\n"
    )
    read = read_document(mail(text), "mail.eml")
    assert [float(one.amount or 0) for one in read.line_items] == [72, 20, freight]
    assert read.total == total
