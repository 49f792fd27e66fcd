"""Draw the document of a sample quote."""

from datetime import date
from decimal import Decimal
from hashlib import sha256

from app.service.sample.pdf_page import WIDTH, Colour, PdfPage
from app.service.sample.quotes import BUYER, TAX_PERCENT, SampleQuote

LEFT, RIGHT = 50.0, WIDTH - 50.0
GREY: Colour = (0.4, 0.4, 0.4)
PALE: Colour = (0.93, 0.94, 0.96)
COLOURS: tuple[Colour, ...] = ((0.10, 0.30, 0.55), (0.45, 0.15, 0.30), (0.10, 0.40, 0.30), (0.30, 0.25, 0.50))
"""The colours of letterheads."""

COLUMNS = (
    ("Item", LEFT + 6, False),
    ("Description", LEFT + 82, False),
    ("Quantity", 345.0, True),
    ("Unit", 358.0, False),
    ("Unit price", 465.0, True),
    ("Amount", RIGHT - 6, True),
)
"""The columns of lines: heading, edge, and whether it is the right one."""
ROW_HEIGHT = 18.0


def draw_quote_pdf(quote: SampleQuote) -> bytes:
    """Return the quote as a PDF of one page; the same for the same quote."""
    page = PdfPage()
    _draw_letterhead(page, quote)
    _draw_terms(page, quote, _draw_lines(page, quote, 262.0))
    page.write(LEFT, 812, "Sample data: supplier, products and prices are invented.", size=7.5, colour=GREY)
    return page.to_bytes()


def _draw_letterhead(page: PdfPage, quote: SampleQuote) -> None:
    supplier = quote.supplier.row
    colour = COLOURS[sha256(supplier["name"].encode()).digest()[0] % len(COLOURS)]
    page.fill(0, 0, WIDTH, 10, colour)
    page.write(LEFT, 56, supplier["legal_name"], size=17, bold=True, colour=colour)
    page.write(
        LEFT, 74, f"12 Sample Street, 10115 Sampleton | sales@{supplier['domain']}", size=8, colour=GREY
    )
    page.write(LEFT, 120, "QUOTE", size=15, bold=True)
    page.write(LEFT, 146, "Prepared for:", size=8, colour=GREY)
    page.write(LEFT, 160, BUYER, bold=True)
    page.write(LEFT, 174, "4 Oak Lane")
    page.write(LEFT, 188, "20095 Sampleton")
    facts = (
        ("Quote number", quote.number),
        ("Date", _format_date(quote.dated)),
        ("Valid until", _format_date(quote.valid_until)),
        ("Start date", _format_date(quote.starts)),
        ("Term", f"{quote.term_months} months"),
        ("Currency", quote.currency),
    )
    for row, (label, value) in enumerate(facts):
        page.write(350, 120 + 16 * row, f"{label}:", colour=GREY)
        page.write(440, 120 + 16 * row, value)


def _draw_lines(page: PdfPage, quote: SampleQuote, top: float) -> float:
    """Draw the lines and the sums; return how far down they reach."""
    page.fill(LEFT, top - 13, RIGHT - LEFT, ROW_HEIGHT, PALE)
    for heading, edge, right in COLUMNS:
        page.write(edge, top, heading, size=8.5, bold=True, right=right)
    for line in quote.lines:
        top += ROW_HEIGHT
        price, amount = _format_amount(line.unit_price), _format_amount(line.amount)
        if any(one.currency != quote.currency for one in quote.lines):
            price, amount = f"{line.currency} {price}", f"{line.currency} {amount}"
        cells = (line.item_id, line.description, f"{line.quantity:,}", line.unit, price, amount)
        for (_, edge, right), cell in zip(COLUMNS, cells, strict=True):
            page.write(edge, top, cell, size=8.5, right=right)
    page.fill(LEFT, top + 8, RIGHT - LEFT, 0.7, GREY)
    top += 10
    sums = (("Net total", quote.net), (f"VAT {TAX_PERCENT} %", quote.tax), ("Total", quote.total))
    for label, value in sums:
        top += 17
        is_total = label == "Total"
        page.write(400, top, label, bold=is_total)
        page.write(RIGHT - 6, top, _format_amount(value), bold=is_total, right=True)
    return top


def _draw_terms(page: PdfPage, quote: SampleQuote, top: float) -> None:
    sentences = [
        f"Prices are in {quote.currency}, before tax, for the whole term of {quote.term_months} months.",
        f"Payment is due within {quote.payment_days} days of the invoice date.",
    ]
    if quote.notice_days is None:
        sentences.append("The agreement ends with its term and does not renew automatically.")
    else:
        sentences += [
            "The agreement renews automatically for further terms of 12 months",
            f"unless either party gives notice {quote.notice_days} days before the end of the term.",
            f"The price of a renewal increases by at most {quote.uplift_percent} %.",
        ]
    page.write(LEFT, top + 44, "Terms", bold=True)
    for row, sentence in enumerate(sentences):
        page.write(LEFT, top + 62 + 15 * row, sentence)


def _format_amount(amount: Decimal) -> str:
    return f"{amount:,.2f}"


def _format_date(day: date) -> str:
    return f"{day.day} {day:%B %Y}"
