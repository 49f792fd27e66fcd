"""Draw the document of a sample quote: `quote.typ` lays it out."""

import json
from datetime import UTC, date, datetime, time
from decimal import Decimal
from hashlib import sha256
from pathlib import Path

import typst

from app.service.files.store import SAMPLE_DOCUMENT_TEXT
from app.service.sample.quotes import BUYER, TAX_PERCENT, SampleQuote

_LAYOUT = Path(__file__).with_name("quote.typ").read_bytes()
COLOURS = ("#1a4d8c", "#732640", "#1a664d", "#4d4080")
"""The colours of letterheads."""


def draw_quote_pdf(quote: SampleQuote) -> bytes:
    """Return the quote as a PDF of one page; the same for the same quote."""
    supplier = quote.supplier.row
    document = {
        "title": f"Quote {quote.number}",
        "mark": SAMPLE_DOCUMENT_TEXT,
        "colour": COLOURS[sha256(supplier["name"].encode()).digest()[0] % len(COLOURS)],
        "supplier": supplier["legal_name"],
        "address": f"12 Sample Street, 10115 Sampleton | sales@{supplier['domain']}",
        "buyer": [BUYER, "4 Oak Lane", "20095 Sampleton"],
        "facts": [
            ("Quote number", quote.number),
            ("Date", _format_date(quote.dated)),
            ("Valid until", _format_date(quote.valid_until)),
            ("Start date", _format_date(quote.starts)),
            ("Term", f"{quote.term_months} months"),
            ("Currency", quote.currency),
        ],
        "headings": ["Item", "Description", "Quantity", "Unit", "Unit price", "Amount"],
        "lines": _list_lines(quote),
        "sums": [
            ("Net total", _format_amount(quote.net)),
            (f"VAT {TAX_PERCENT} %", _format_amount(quote.tax)),
            ("Total", _format_amount(quote.total)),
        ],
        "sentences": _list_terms(quote),
    }
    return typst.compile(
        _LAYOUT,
        sys_inputs={"quote": json.dumps(document)},
        timestamp=datetime.combine(quote.dated, time(), UTC),
    )


def _list_lines(quote: SampleQuote) -> list[list[str]]:
    is_mixed = any(one.currency != quote.currency for one in quote.lines)
    return [
        [
            *(line.item_id, line.description, f"{line.quantity:,}", line.unit),
            *(
                f"{line.currency} {_format_amount(amount)}" if is_mixed else _format_amount(amount)
                for amount in (line.unit_price, line.amount)
            ),
        ]
        for line in quote.lines
    ]


def _list_terms(quote: SampleQuote) -> list[str]:
    sentences = [
        f"Prices are in {quote.currency}, before tax, for the whole term of {quote.term_months} months.",
        f"Payment is due within {quote.payment_days} days of the invoice date.",
    ]
    if quote.notice_days is None:
        return [*sentences, "The agreement ends with its term and does not renew automatically."]
    return [
        *sentences,
        "The agreement renews automatically for further terms of 12 months unless either party gives notice"
        f" {quote.notice_days} days before the end of the term.",
        f"The price of a renewal increases by at most {quote.uplift_percent} %.",
    ]


def _format_amount(amount: Decimal) -> str:
    return f"{amount:,.2f}"


def _format_date(day: date) -> str:
    return f"{day.day} {day:%B %Y}"
