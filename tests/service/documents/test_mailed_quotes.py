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
            ["Editor licences", "onboarding"],
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


@pytest.mark.parametrize(
    ("offer", "lines"),
    [
        (
            "We can offer you 80 Editor licences for USD 41,001.60. The total is USD 41,001.60 before tax.",
            [("Editor licences", 80, None, 41001.6)],
        ),
        (
            "For 12 months we offer 120 Editor Team licences for 9,120.50 EUR and 25 Viewer licences for"
            " 1,000 EUR, so 10,120.50 EUR in total.",
            [("Editor Team licences", 120, None, 9120.5), ("Viewer licences", 25, None, 1000)],
        ),
        (
            "It covers 80 Editor licences at USD 12.50 per user per month for 12 months, which comes to USD"
            " 12,000.00. Onboarding is USD 500.00. The total is USD 12,500.00 before tax.",
            [("Editor licences", 80, 12.5, 12000), ("Onboarding", None, None, 500)],
        ),
        (
            "as discussed:\n- 200 x Editor @ USD 17.40 per month = USD 41,760.00\n- 50 x Vault @ USD 420.00"
            " per year = USD 21,000.00\nThe total is USD 62,760.00 before tax.",
            [("Editor", 200, 17.4, 41760), ("Vault", 50, 420, 21000)],
        ),
        (
            "we offer:\n80 Desk Team agents at USD 25.00 per agent per month, USD 48,000.00 for 24 months.\n"
            "25 Vault servers at USD 420.00 per server per year, USD 21,000.00 for 2 years.\n"
            "The total is USD 69,000.00 before tax.",
            [("Desk Team", 80, 25, 48000), ("Vault", 25, 420, 21000)],
        ),
        # Last year's price is no line, and nothing proves which sums are.
        ("Instead of USD 50,000.00 it is 80 Editor licences for USD 41,000.00 in all.", []),
    ],
)
def test_sentences_have_lines_where_their_sum_proves_them(
    offer: str, lines: list[tuple[str, int | None, float | None, float]]
) -> None:
    read = read_document(mail(f"Dear Ms Lee,\n\n{offer}\n\nRegards\n"), "mail.eml")
    found = [
        (one.description, *(None if value is None else float(value) for value in figures))
        for one in read.line_items
        if (figures := (one.quantity, one.unit_price, one.amount))[2]
    ]
    assert found == lines
    if lines:
        assert float(read.net_total or 0) == pytest.approx(sum(line[3] for line in lines))
        assert read.tax_total is None


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
