"""Sample quotes are read completely and right by our own reader."""

from datetime import date
from decimal import Decimal

import pytest

from app.service.documents.reading import read_document
from app.service.sample.quote_pdf import draw_quote_pdf
from app.service.sample.quotes import BUYER, TRIAL_QUOTES, SampleQuote, draw_quote
from app.service.sample.suppliers import sample_catalog

DAYS = (date(2026, 1, 31), date(2026, 11, 22), date(2028, 2, 29))


def _draw(number: str, day: date, currency: str = "USD") -> SampleQuote:
    return draw_quote(number, TRIAL_QUOTES[number], sample_catalog(currency).suppliers, day, currency)


@pytest.mark.parametrize("day", DAYS, ids=str)
@pytest.mark.parametrize("number", TRIAL_QUOTES)
def test_every_value_of_a_quote_is_read_as_it_was_drawn(number: str, day: date) -> None:
    quote = _draw(number, day, "EUR" if day.month == 1 else "USD")
    read = read_document(draw_quote_pdf(quote), quote.filename)
    assert (read.kind, read.supplier, read.buyer) == ("quote", quote.supplier.row["legal_name"], BUYER)
    assert (read.document_number, read.currency) == (quote.number, quote.currency)
    assert (read.document_date, read.valid_until, read.start_date) == (
        quote.dated,
        quote.valid_until,
        quote.starts,
    )
    assert (read.net_total, read.tax_total, read.total) == (quote.net, quote.tax, quote.total)
    assert (read.term_months, read.payment_terms_days) == (quote.term_months, quote.payment_days)
    assert (read.auto_renew, read.notice_days) == (quote.notice_days is not None, quote.notice_days)
    assert read.renewal_uplift_percent == (None if quote.notice_days is None else quote.uplift_percent)
    lines = [
        (one.item_id, one.description, one.quantity, one.unit, one.unit_price, one.amount)
        for one in read.line_items
    ]
    assert lines == [
        (one.item_id, one.description, Decimal(one.quantity), one.unit, one.unit_price, one.amount)
        for one in quote.lines
    ]
    assert read.warnings == ()


def test_the_document_of_a_day_is_always_the_same() -> None:
    number = next(iter(TRIAL_QUOTES))
    first, second = (draw_quote_pdf(_draw(number, DAYS[1])) for _ in range(2))
    assert first == second != draw_quote_pdf(_draw(number, DAYS[0]))
