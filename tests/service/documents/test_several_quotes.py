"""Several quotes in one file are read each by itself."""

from decimal import Decimal

from app.service.documents.layout.document import lay_out
from app.service.documents.layout.pages import Page
from app.service.documents.pipeline import read_pages
from app.service.documents.several_quotes import MOST_QUOTES, split_quotes
from tests.service.documents.typewriter import type_page

LINES = """
    Item               Qty    Price     Amount

    Seats               10    80.00     800.00
    Support              2   150.00     300.00
    Subtotal                          1,100.00
    VAT 20 %                            220.00
    Total                             1,320.00
"""
OTHER_LINES = """
    Item               Qty    Price     Amount

    Seats               20    70.00   1,400.00
    Subtotal                          1,400.00
    VAT 20 %                            280.00
    Total                             1,680.00
"""
TERMS = "Terms\nForm 4711. All prices are in EUR and do not contain the tax.\n"


def _type_quotes(*texts: str) -> list[Page]:
    return [type_page(text, number) for number, text in enumerate(texts, 1)]


def test_each_quote_has_its_lines_its_sums_and_its_pages() -> None:
    pages = _type_quotes(f"Quote Q-1001\n{LINES}", TERMS, f"Quote Q-1002\n{OTHER_LINES}")
    read = read_pages(pages, "quotes.pdf")
    assert (read.net_total, read.total, read.document_number) == (None, None, None)
    assert [item.amount for item in read.line_items] == [800, 300, 1400]
    assert [(quote.document_number, quote.net_total, quote.total) for quote in read.quotes] == [
        ("Q-1001", Decimal(1100), Decimal(1320)),
        ("Q-1002", Decimal(1400), Decimal(1680)),
    ]
    assert [[page.number for page in quote.pages] for quote in read.quotes] == [[1, 2], [3]]
    assert {place.page for place in read.quotes[1].line_items[0].provenance.values()} == {3}
    assert read.warnings[0] == (
        "The file holds 2 quotes: Q-1001, Q-1002. Each is read by itself, and no sum is one of all."
    )
    assert [quote["total"] for quote in read.to_json()["quotes"]] == [1320, 1680]  # type: ignore[index, union-attr]


def test_one_quote_over_several_pages_is_one() -> None:
    text, sums = LINES.split("    Subtotal")
    pages = _type_quotes(f"Quote Q-1001\n{text}", f"Quote Q-1001\n    Subtotal{sums}", TERMS)
    read = read_pages(pages, "quote.pdf")
    assert (read.quotes, read.total) == ((), Decimal(1320))


def test_a_quote_with_the_order_form_that_accepts_it_is_one() -> None:
    pages = _type_quotes(f"Quote Q-1001\n{LINES}", f"Order form OF-7\n{LINES}")
    assert read_pages(pages, "quote.pdf").quotes == ()


def test_a_file_of_which_a_part_has_no_lines_is_read_as_one() -> None:
    pages = _type_quotes(f"Quote Q-1001\n{LINES}", f"Quote Q-1002\n{TERMS}")
    read = read_pages(pages, "quotes.pdf")
    assert (read.quotes, read.total) == ((), Decimal(1320))


def test_more_quotes_than_a_file_holds_are_read_as_one() -> None:
    pages = _type_quotes(*(f"Quote Q-{1000 + number}\n{LINES}" for number in range(MOST_QUOTES + 1)))
    assert split_quotes(lay_out(pages)) == [tuple(pages)]


def test_a_term_is_doubted_in_its_own_quote_and_in_the_file() -> None:
    texts = (f"Quote Q-1001\n{LINES}\nTerm: 0 months", f"Quote Q-1002\n{OTHER_LINES}\nTerm: 12 months")
    read = read_pages(_type_quotes(*texts), "quotes.pdf")
    assert [len(quote.term_doubts) for quote in (read, *read.quotes)] == [1, 1, 0]
