"""Struck-out text is not read, and raised digits are no part of the number before them."""

import io
from decimal import Decimal
from email.message import EmailMessage

import openpyxl
import pytest
from openpyxl.styles import Font

from app.service.documents.extraction import Extraction
from app.service.documents.formats.html_rows import read_html_rows
from app.service.documents.reading import read_document
from tests.service.documents.formats.word_builder import (
    cell,
    paragraph,
    read_body,
    read_texts,
    row,
    run,
    save_body,
    table,
)

STRUCK = "The document has text that is struck out, which was not read."
CENTS = "Two raised digits behind a whole number were read as its cents."
HEADS = ("Description", "Qty", "Unit price", "Amount")


def read_mail(*rows: tuple[str, ...], after: str = "") -> Extraction:
    cells = "".join(f"<tr>{''.join(f'<td>{text}</td>' for text in row)}</tr>" for row in (HEADS, *rows))
    message = EmailMessage()
    message["From"], message["To"] = "Tom Reed <tom.reed@acme-software.example>", "ann@buyer.example"
    message["Subject"], message["Date"] = "Quote Q-77", "Mon, 09 Mar 2026 10:00:00 +0000"
    message.set_content("See the table.")
    message.add_alternative(f"<table>{cells}</table>{after}", subtype="html")
    return read_document(message.as_bytes(), "mail.eml")


def strike(text: str) -> str:
    return run(text, "<w:strike/>")


def raised(text: str) -> str:
    return run(text, '<w:vertAlign w:val="superscript"/>')


@pytest.mark.parametrize(
    ("opening", "closing"),
    [
        ("<s>", "</s>"),
        ("<strike>", "</strike>"),
        ("<del>", "</del>"),
        ('<span style="text-decoration: line-through red">', "</span>"),
        ('<span style="text-decoration-line:line-through">', "</span>"),
    ],
)
def test_a_struck_out_price_of_a_mail_is_not_read(opening: str, closing: str) -> None:
    old, old_sum = f"{opening}120.00{closing} 100.00", f"{opening}<b>1,400.00</b>{closing} 1,200.00"
    read = read_mail(
        ("Editor licences", "12", old, old_sum), ("Total EUR", "", "", f"{opening}1,400.00{closing} 1,200.00")
    )
    [item] = read.line_items
    assert (item.unit_price, item.amount, read.total) == (100, 1200, 1200)
    assert STRUCK in read.warnings


def test_a_struck_out_cell_keeps_its_column() -> None:
    rows, remarks = read_html_rows(
        '<table><tr><td>Editor</td><td style="text-decoration:line-through">120.00</td><td>100.00</td></tr>'
    )
    assert rows == [["Editor", "", "100.00"]]
    assert remarks == (STRUCK,)


def test_text_that_is_not_struck_out_needs_no_remark() -> None:
    rows, remarks = read_html_rows("<p><s> </s>Net 30 <u>days</u>, 2<sup>nd</sup> year</p>")
    assert (rows, remarks) == ([["Net 30 days, 2nd year"]], ())


def test_a_struck_out_price_of_a_word_file_is_not_read() -> None:
    content = save_body(
        paragraph(run("Quote Q-1001")),
        table(
            [
                row(*(cell(run(head)) for head in HEADS)),
                row(
                    cell(run("Editor licences")),
                    cell(run("12")),
                    cell(strike("120.00"), run(" 100.00")),
                    cell(run("1,400.00", "<w:dstrike/>"), run(" 1,200.00")),
                ),
                row(cell(run("Total EUR")), cell(), cell(), cell(strike("1,400.00 "), run("1,200.00"))),
            ],
            4,
        ),
    )
    read = read_document(content, "quote.docx")
    [item] = read.line_items
    assert (item.unit_price, item.amount, read.total) == (100, 1200, 1200)
    assert STRUCK in read.warnings


def test_what_is_no_longer_struck_out_is_read() -> None:
    page = read_body(paragraph(run("Net 30", '<w:strike w:val="0"/>'), strike(" ")))
    assert (read_texts(page), page.remarks) == ("Net 30", ())


def test_a_struck_out_cell_of_a_workbook_is_not_read() -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    for line in (["Product", "Qty", "Amount"], ["Seats", 10, 900], ["Support", 1, 250], ["Total", None, 900]):
        sheet.append(line)
    for struck in sheet[3]:
        struck.font = Font(strike=True)
    target = io.BytesIO()
    book.save(target)
    read = read_document(target.getvalue(), "quote.xlsx")
    assert [(item.description, item.amount) for item in read.line_items] == [("Seats", 900)]
    assert read.total == 900
    assert "The sheet Sheet has cells that are hidden or struck out, which were not read (cells: 3)." in (
        read.warnings
    )


@pytest.mark.parametrize("note", ["1", "(1)", "1)", "[1]", "1, 2", "12)"])
def test_the_number_of_a_footnote_is_no_part_of_a_price(note: str) -> None:
    price = f"850<sup>{note}</sup>"
    read = read_mail(("Editor licences", "1", price, price), ("Total EUR", "", "", price))
    [item] = read.line_items
    assert (item.quantity, item.amount, read.total) == (1, 850, 850)
    price = f'850<span style="vertical-align: super">{note}</span>'
    assert read_mail(("Editor licences", "1", price, price), ("Total EUR", "", "", price)).total == 850


@pytest.mark.parametrize(
    ("price", "amount"),
    [
        ("€855<sup>00</sup>", "855.00"),
        ("€1,855<sup>99</sup>", "1855.99"),
        ("1.855<sup>99</sup> €", "1855.99"),
        ("1 855€<sup>99</sup>", "1855.99"),
        ("€855.<sup>99</sup>", "855.99"),
        ("€855,<sup><b>9</b>9</sup>", "855.99"),
        ("€855.00<sup>12</sup>", "855.00"),
    ],
)
def test_two_raised_digits_behind_a_whole_number_are_its_cents(price: str, amount: str) -> None:
    read = read_mail(("Editor licences", "1", price, price), ("Total", "", "", price))
    [item] = read.line_items
    assert (item.amount, read.total) == (Decimal(amount), Decimal(amount))
    assert (CENTS in read.warnings) == ("<sup>12" not in price)


def test_raised_digits_of_a_word_file_are_read_alike() -> None:
    page = read_body(
        table([row(cell(run("850"), raised("1")), cell(run("€1,855"), raised("9"), raised("9")))], 2),
        paragraph(run("x"), run("2", '<w:vertAlign w:val="baseline"/>')),
    )
    assert read_texts(page) == "850¹ €1,855.99 x2"
    assert page.remarks == (CENTS,)


@pytest.mark.campaign
def test_a_footnote_is_no_part_of_the_days_and_months_of_a_clause() -> None:
    read = read_mail(
        ("Editor licences", "1", "850.00", "850.00"),
        after="<p>The subscription term is 12<sup>1</sup> months.</p><p>Payment: net 30<sup>2</sup> days</p>",
    )
    assert (read.term_months, read.payment_terms_days) == (12, 30)


def test_small_print_that_is_raised_as_a_whole_is_read() -> None:
    rows, _ = read_html_rows("<p><sup>* Prices are valid for 30 days.</sup></p>")
    assert rows == [["* Prices are valid for 30 days."]]
