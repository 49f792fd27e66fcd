"""A mail is read as the document that is attached to it, or as its own text."""

from contextlib import suppress
from dataclasses import replace
from email.message import EmailMessage
from email.policy import SMTP

import pytest

from app.service.documents.faults import UnreadableDocument
from app.service.documents.formats.registry import recognise_format
from app.service.documents.formats.rendering import render_page
from app.service.documents.reading import read_document
from tests.service.documents import pdf_builder

ROWS = [
    ["SKU", "Product", "Unit", "Qty", "Unit Price", "Total"],
    ["ED-1", "Editor seats", "user", "10", "7,000.00", "70,000.00"],
    ["VI-1", "Viewer seats", "user", "50", "97.60", "4,880.00"],
    ["", "", "", "", "Total", "USD 74,880.00"],
]
QUOTE = pdf_builder.quote(
    ["Product", "Qty", "Unit Price", "Total"],
    [["Editor seats", "10", "7,000.00", "70,000.00"], ["Viewer seats", "50", "97.60", "4,880.00"]],
    [("Total", "USD 74,880.00")],
)
TABLE = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in ROWS)


def mail(text: str = "Dear buyer,\n\nPlease find our quote attached.\n", html: str = "") -> EmailMessage:
    message = EmailMessage(SMTP)
    message["From"] = "Jo Seller <jo@example-software.com>"
    message["To"] = "Sam Buyer <sam@example.org>"
    message["Subject"] = "Quote Q-1001"
    message["Date"] = "Tue, 04 Mar 2025 10:00:00 +0100"
    message.set_content(text)
    if html:
        message.add_alternative(html, subtype="html")
    return message


def attach(message: EmailMessage, content: bytes, filename: str, kind: str = "application/pdf") -> None:
    maintype, subtype = kind.split("/")
    message.add_attachment(content, maintype=maintype, subtype=subtype, filename=filename)


@pytest.mark.parametrize("name", ["quote.eml", "quote.txt", "quote"])
def test_a_mail_is_known_by_its_headers(name: str) -> None:
    content = bytes(mail())
    assert recognise_format(content, name).media_type == "message/rfc822"
    assert recognise_format(b"Return-Path: <a@b.example>\r\n" + content, name).media_type == "message/rfc822"


def test_a_table_with_a_column_of_senders_is_no_mail() -> None:
    assert recognise_format(b"From: A,To: B,Date: C\n1,2,3\n", "t.csv").media_type == "text/csv"


def test_the_attached_quote_is_read_and_drawn() -> None:
    message = mail()
    attach(message, b"\x89PNG\r\n\x1a\n not a picture", "logo.png", "image/png")
    attach(message, QUOTE, "quote.pdf")
    extraction = read_document(bytes(message), "mail.eml")
    assert extraction.warnings == (
        "Read from the attachment quote.pdf; the text of the mail was not read."
        " Other attachments were not read either: logo.png.",
    )
    assert replace(extraction, file="quote.pdf", warnings=()) == read_document(QUOTE, "quote.pdf")
    assert extraction.total == 74_880
    assert render_page(bytes(message), "mail.eml", 1, 300).startswith(b"\x89PNG")


def test_the_attachment_of_a_forwarded_mail_is_read() -> None:
    inner = mail()
    attach(inner, QUOTE, "quote.pdf")
    outer = mail("See below")
    outer.add_attachment(inner)
    assert read_document(bytes(outer), "mail.eml").total == 74_880


@pytest.mark.parametrize(
    "message",
    [
        mail("\n".join("\t".join(row) for row in ROWS)),
        mail("\n".join("> " + "   ".join(row).strip() for row in ROWS)),
        mail("Plain mails cannot show this.", f"<p>Our quote:</p><table>{TABLE}</table>"),
        mail("", f"<style>td {{color: red}}</style><table><tr><td><table>{TABLE}</table></td></tr></table>"),
    ],
    ids=["tabs", "quoted, with gaps", "table", "table within a table"],
)
def test_a_quote_in_the_text_is_read(message: EmailMessage) -> None:
    extraction = read_document(bytes(message), "mail.eml")
    assert extraction.total == 74_880
    assert [line.amount for line in extraction.line_items] == [70_000, 4_880]
    assert str(extraction.document_date) == "2025-03-04"


@pytest.mark.parametrize(
    "older",
    [
        "> Total   USD 99,000.00",
        "On 3 March 2025, Sam Buyer wrote:\nTotal   USD 99,000.00",
        "-----Ursprüngliche Nachricht-----\nTotal   USD 99,000.00",
        "Von: Sam Buyer\nGesendet: 3. März 2025\nBetreff: Angebot\nTotal   USD 99,000.00",
    ],
)
def test_an_older_mail_is_not_read_where_the_newest_states_prices(older: str) -> None:
    newest = "\n".join("\t".join(row) for row in ROWS)
    extraction = read_document(bytes(mail(f"{newest}\n\n{older}\n")), "mail.eml")
    assert extraction.total == 74_880
    assert any("older" in one for one in extraction.warnings)
    assert read_document(bytes(mail(f"See below.\n\n{older}\n")), "mail.eml").total == 99_000


def test_hidden_text_of_a_mail_is_not_read() -> None:
    hidden = "<p style='display: none'>Net 180 days</p><p><span style='font-size:0px'>Net 99 days</span></p>"
    message = mail("-", f"{hidden}<p>Payment terms: Net 30 days</p><table>{TABLE}</table>")
    assert read_document(bytes(message), "mail.eml").payment_terms_days == 30


def test_an_attachment_that_cannot_be_read_is_named() -> None:
    message = mail()
    attach(message, QUOTE[:200], "quote.pdf")
    with pytest.raises(UnreadableDocument, match="The attachment quote"):
        read_document(bytes(message), "mail.eml")


@pytest.mark.parametrize(
    "content",
    [
        b"From: a\nSubject: b\nTo: c\nContent-Type: multipart/mixed; boundary=x\n\n--x\n" * 50,
        b"From: a\nSubject: =?utf-8?b?//8=?=\nDate: no day\nTo: " + b"<" * 2000 + b"\n\nQuote, 5.00",
        b"From: a\nTo: b\nSubject: c\nContent-Type: text/html; charset=nothing\n\n"
        + b"<table><tr><td>" * 2000,
        b"From: a\nTo: b\nSubject: c\nContent-Transfer-Encoding: base64\n\n!!!!",
    ],
)
def test_a_malformed_mail_is_read_or_refused(content: bytes) -> None:
    with suppress(UnreadableDocument):
        assert read_document(content, "mail.eml").total is None


FORWARDED = [
    ("FW: Quote", "-----Original Message-----\nFrom: Jo Seller <jo@seller.example>\nSent: 3 March 2025"),
    ("WG: Angebot", "Von: Jo Seller <jo@seller.example>\nGesendet: 3. März 2025\nBetreff: Angebot"),
    (
        "Quote",
        "---------- Forwarded message ---------\nFrom: Jo Seller <jo@seller.example>\nDate: 3 March 2025",
    ),
]


@pytest.mark.parametrize(("subject", "head"), FORWARDED)
def test_the_mail_that_another_hands_on_is_read(subject: str, head: str) -> None:
    quote = "\n".join("\t".join(row) for row in ROWS)
    message = mail(f"See below. Last year they asked for USD 70,000.00.\n\n{head}\n\n{quote}\n")
    message.replace_header("Subject", subject)
    extraction = read_document(bytes(message), "mail.eml")
    assert (extraction.total, str(extraction.document_date)) == (74_880, "2025-03-03")
    assert any("forwards" in one for one in extraction.warnings)


def test_a_price_above_a_mail_that_states_none_is_read() -> None:
    quote = "\n".join("\t".join(row) for row in ROWS)
    message = mail(f"{quote}\n\n{FORWARDED[0][1]}\n\nPlease quote for 10 seats.\n")
    message.replace_header("Subject", "FW: Request")
    assert read_document(bytes(message), "mail.eml").total == 74_880
