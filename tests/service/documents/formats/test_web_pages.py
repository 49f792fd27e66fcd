"""A web page that was saved is read as it shows itself; nothing of it is run or fetched."""

from decimal import Decimal

import pytest

from app.service.documents.formats.format import PagedFormat
from app.service.documents.formats.registry import recognise_format
from app.service.documents.formats.rendering import render_page
from app.service.documents.reading import read_document
from tests.service.documents.formats.test_mail import TABLE, attach, mail

BODY = f"<p>Seller Ltd.</p><h1>Quote Q-1001</h1><table>{TABLE}</table>"
PAGE = f"<!doctype html><html><head><title>9 of 9</title></head><body>{BODY}</body></html>"


@pytest.mark.parametrize(
    "text",
    [
        PAGE,
        BODY,
        f"<!-- saved from url=(0014)about:internet -->\r\n{PAGE}",
        f'<?xml version="1.0" encoding="UTF-8"?>\n{PAGE}',
        PAGE.replace("<head>", "<head><script>document.write('<table><tr><td>1</td></tr></table>')</script>"),
        PAGE.replace("<p>", "<img src='http://127.0.0.1:9/total.png'><p>"),
    ],
)
def test_a_saved_page_is_read_as_it_shows_itself(text: str) -> None:
    found = read_document(text.encode(), "quote.html")
    assert [(line.quantity, line.amount) for line in found.line_items] == [(10, 70000), (50, 4880)]
    assert (found.total, found.currency, found.document_number) == (74880, "USD", "Q-1001")


@pytest.mark.parametrize(
    ("stated", "written"),
    [("utf-8", "utf-8"), ("iso-8859-2", "iso-8859-2"), ("unicode", "utf-16"), ("utf-16", "utf-8")],
)
def test_the_page_says_in_which_encoding_it_is(stated: str, written: str) -> None:
    page = f'<html><meta content="text/html; charset={stated}"><p>Łódź 5 zł</p></html>'
    found = recognise_format(page.encode(written), "oferta.htm")
    assert isinstance(found, PagedFormat)
    assert found.name == "HTML"
    words = [word.text for one in found.read_pages(page.encode(written), 1) for word in one.words]
    assert words == ["Łódź", "5", "zł"]


def test_a_page_is_drawn_as_it_was_read() -> None:
    assert render_page(PAGE.encode(), "quote.html", 1, 600).startswith(b"<svg")


def test_a_page_that_is_attached_to_a_mail_is_read_and_the_end_of_the_mail_is_not() -> None:
    message = mail()
    attach(message, PAGE.encode(), "quote.html", "text/html")
    assert read_document(bytes(message), "mail.eml").total == 74880
    message = mail("", f"<table>{TABLE}</table>")
    attach(message, b"<html><body>Kind regards</body></html>", "ATT00001.htm", "text/html")
    assert read_document(bytes(message), "mail.eml").total == 74880


def test_the_lines_of_a_cell_stay_lines() -> None:
    rows = "".join(
        f"<tr><td>{name} × {count}<br>Ref. 55{count}</td><td>{amount} €</td></tr>"
        for name, count, amount in (("Notebook", 25, "112,50"), ("Pen", 10, "85,00"))
    )
    total = "<tr><td>Total</td><td><b>197,50 €</b><br>VAT included 32,92 €</td></tr>"
    read = read_document(f"<p>Order 4711</p><table>{rows}{total}</table>".encode(), "order.html")
    assert [(one.description, one.quantity, one.amount) for one in read.line_items] == [
        ("Notebook", 25, Decimal("112.5")), ("Pen", 10, 85),
    ]  # fmt: skip
    assert (read.total, read.tax_total) == (Decimal("197.5"), Decimal("32.92"))


def test_a_value_stands_beside_its_term() -> None:
    sums = {"Goods": "$60.00", "Sales tax": "$6.00", "Total": "$66.00"}
    terms = "".join(f"<dt>{term}</dt><dd>{value}</dd>" for term, value in sums.items())
    page = f"<p>Quote 4711</p><dl>{terms}</dl>"
    read = read_document(page.encode(), "quote.html")
    assert (read.tax_total, read.total) == (6, 66)
