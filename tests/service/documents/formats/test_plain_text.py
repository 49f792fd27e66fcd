"""Plain text is read line by line."""

from decimal import Decimal

import pytest

from app.service.documents.formats.plain_text import TEXT
from app.service.documents.reading import read_document


def test_wide_gaps_part_cells() -> None:
    [page] = TEXT.read_pages(b"Editor, ten seats   5.00\n", 300)
    assert [(word.text, word.cell) for word in page.words] == [
        ("Editor,", 0), ("ten", 0), ("seats", 0), ("5.00", 1),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "total"),
    [
        ("Quote 17 from Works Ltd\nBackup, 50 users, 12 months\nTotal USD 42,000.00\n", "42000"),
        ("Angebot 17\nLaptop 14 Zoll, 16 GB\nGesamt EUR 1.234,50\n", "1234.50"),
    ],
)
def test_a_total_is_read_whole(text: str, total: str) -> None:
    assert read_document(text.encode(), "quote.txt").total == Decimal(total)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "cp1250", "iso8859_2"])
def test_letters_are_those_of_the_encoding(encoding: str) -> None:
    text = "Zakład Łódzki Sp. z o.o., ul. Źródlana\nOferta ważna do końca miesiąca; płatność w ciągu dni\n"
    [page] = TEXT.read_pages(text.encode(encoding), 300)
    assert [word.text for word in page.words][:2] == ["Zakład", "Łódzki"]


def test_a_thing_of_a_list_does_not_go_on_in_the_next_one() -> None:
    text = "a) cleaning of the rooms on each day of the week, two hours: 520.00\nb) windows: 60.00\n"
    [page] = TEXT.read_pages(text.encode(), 300)
    assert len({word.cell for word in page.words}) == 2


def test_bars_part_the_cells_of_a_table_in_markdown() -> None:
    text = """# Prices
| Item   | Your price |
|:-------|-----------:|
| Hose   | $18.00     |
| Pump   | $1,232.50  |

Prices are per piece, or | by the box.
"""
    lines = read_document(text.encode(), "prices.txt").line_items
    assert [(line.description, line.unit_price) for line in lines] == [
        ("Hose", 18),
        ("Pump", Decimal("1232.5")),
    ]


@pytest.mark.parametrize("rest", ["", "Remote hands                             $40.00\n"])
def test_a_cell_that_is_left_out_between_others_is_empty(rest: str) -> None:
    text = f"""Item           Users   Per user/yr   Years    Total
Premium          850         $6.20       3   $15,810.00
Add-on            60        $18.00       3    $3,240.00
Set-up             1       $950.00             $950.00
{rest}"""
    lines = read_document(text.encode(), "quote.txt").line_items
    assert [(one.quantity, one.unit_price, one.amount, one.period_months) for one in lines[:3]] == [
        (850, Decimal("6.2"), 15810, 36),
        (60, 18, 3240, 36),
        (1, 950, 950, None),
    ]


def test_a_sentence_goes_on_in_the_next_line() -> None:
    text = (
        "The agreement renews for one year unless either party gives notice of at least\n45 days"
        " before the end of the term. Invoices are to be paid by the customer within a period\n"
        "of 60 days.\n\nDelivery of the first of the tables and its chairs to the town  12.00\nlamps  3.00\n"
    )
    [page] = TEXT.read_pages(text.encode(), 300)
    lines = {word.box.top for word in page.words}
    assert len(lines) == 4
    read = read_document(f"Agreement 7\n\n{text}".encode(), "contract.txt")
    assert (read.notice_days, read.payment_terms_days) == (45, 60)


def test_a_name_that_is_broken_at_the_end_of_an_even_line_is_one() -> None:
    text = (
        "This Maintenance Agreement is made this 3rd day of February, 2025 between Granite State\n"
        'Elevator Company ("Contractor") and Merrimack Housing Authority ("Customer").\n\n'
        "Contractor will maintain two passenger elevators at 90 Canal Street. The initial term\n"
        "of this Agreement is three (3) years beginning March 1, 2025. Thereafter it renews for\n"
        "one year at a time unless either party gives written notice of termination at least\n"
        "ninety (90) days before the end of the term then running.\n"
    )
    read = read_document(text.encode(), "agreement.txt")
    assert (read.supplier, read.buyer) == ("Granite State Elevator Company", "Merrimack Housing Authority")
    assert (read.term_months, read.notice_days) == (36, 90)


def test_dots_lead_to_an_amount_and_its_sign_stands_with_it() -> None:
    text = (
        "Linehaul ............ CAD 2,385.00\nFuel surcharge 27.5%  CAD   655.88\n"
        "Tailgate ... CAD    85.00\nTotal ............... CAD 3,125.88  plus taxes\n"
    )
    read = read_document(text.encode(), "quote.txt")
    assert {line.amount for line in read.line_items} == {2385, Decimal("655.88"), 85}
    [page] = TEXT.read_pages(b"Signed ........ at ........\n", 300)
    assert {word.cell for word in page.words} == {0}  # blanks to be filled in


def test_a_line_that_ends_with_money_goes_on_in_none_that_does() -> None:
    text = (
        "1 buc centrala termica in condensare de 24 kW - 5.890 lei\n"
        "montaj, kit evacuare si punere in functiune - 1.450 lei\n"
    )
    [page] = TEXT.read_pages(text.encode(), 300)
    assert len({word.box.top for word in page.words}) == 2


def test_bars_between_cells_part_them_where_several_lines_have_as_many() -> None:
    [page] = TEXT.read_pages(b"Desk for two | 30 | 74.00\nDesk | 2  | 59.00\nDate: 7 May | Due: 9 May\n", 300)
    assert max(word.cell or 0 for word in page.words if word.text == "74.00") == 2
    assert sum(word.text == "|" for word in page.words) == 1
