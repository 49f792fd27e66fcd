"""The steps from pages of words to an Extraction."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal

from app.service.documents.extraction import Box, Extraction, Kind, LineItem, PageSize, Provenance
from app.service.documents.fields import document_dates, totals
from app.service.documents.fields.clauses import read_clauses
from app.service.documents.fields.identity import find_kind, find_language, find_number
from app.service.documents.fields.parties import find_parties
from app.service.documents.layout.document import lay_out
from app.service.documents.layout.pages import Page
from app.service.documents.layout.rows import Row
from app.service.documents.tables.detection import find_tables, rows_outside_tables
from app.service.documents.tables.headerless_lines import read_multiplying_rows, read_summed_rows
from app.service.documents.tables.inline_calculations import read_inline_calculations
from app.service.documents.tables.key_value_lines import read_key_value_lines
from app.service.documents.tables.line_amounts import correct_amounts
from app.service.documents.tables.line_currencies import find_line_currencies
from app.service.documents.tables.table_lines import read_table_lines
from app.service.documents.values.dates import find_day_order
from app.service.documents.values.durations import count_months_between
from app.service.documents.values.locale import writes_month_first
from app.service.documents.values.money import find_document_currency


def read_pages(pages: Sequence[Page], filename: str) -> Extraction:
    """The Extraction of a document whose pages are known."""
    document = lay_out(pages)
    rows, sentences = document.rows, document.sentences
    language = find_language(document.text)
    texts = [row.text for row in rows]
    currency, named = find_document_currency(texts, home_currency=document.home_currency)
    clauses = read_clauses(sentences)
    tables = find_tables(rows)
    items = read_table_lines(tables, clauses.term_months)
    for others in (read_inline_calculations(rows), read_key_value_lines(rows), read_multiplying_rows(rows)):
        items = others if len(others) > len(items) else items
    items = items or read_summed_rows(rows)
    kind = _find_kind(rows, items)
    sums = totals.Totals()
    if kind != "price_list":
        printed = totals.find_sums(rows, sentences)
        items = correct_amounts(items, {one.value for one in printed if one.kind in ("net", "gross", "due")})
        if kind == "other" and any(one.kind == "paid" for one in printed):
            kind = "invoice"  # what was paid for is a receipt
        sums = totals.choose_totals(printed, items, sum_lines(items))
    order = find_day_order(texts, american=writes_month_first(document.home_currency, currency, language))
    dates = document_dates.choose_dates(
        document_dates.find_date_candidates(rows, document.paragraphs, order), offer=kind == "quote"
    )
    read = dict(clauses.provenance)
    offered = read.pop("validity_days", None)
    if kind == "quote" and offered is not None:
        dates = document_dates.with_validity_period(dates, clauses.validity_days, offered)
    if kind == "order" and dates.valid_until:
        kind = "order_form"  # what must be signed by a day is the seller's
    term = clauses.term_months
    if term is None and dates.start_date and dates.end_date:
        between = count_months_between(dates.start_date, dates.end_date)
        # A month of service on an invoice is what is billed, not what was agreed.
        term = between if between and between > 1 else None
    mixed = find_line_currencies(items, rows)
    around = rows_outside_tables(rows, tables)
    parties = find_parties(document.pages, around, document.paragraphs)
    number = find_number(around, sentences, kind)
    if kind == "price_list" and clauses.term_months is None:
        term, dates = None, document_dates.as_dates_of_price_list(dates)
    provenance: dict[str, Provenance] = {
        **sums.provenance,
        **dates.provenance,
        **parties.provenance,
        **read,
    }
    if number:
        provenance["document_number"] = number[1]
    if currency:
        provenance["currency"] = Provenance(1, None, 0.95 if named else 0.6, named)
    extraction = replace(
        Extraction(file=filename),
        kind=kind,
        language=language,
        supplier=parties.supplier,
        buyer=parties.buyer,
        currency=currency,
        document_number=number[0] if number else None,
        document_date=dates.document_date,
        valid_until=dates.valid_until,
        net_total=sums.net,
        tax_total=sums.tax,
        total=sums.total,
        line_items=tuple(items),
        term_months=term,
        start_date=dates.start_date,
        end_date=dates.end_date,
        billing=clauses.billing,
        payment_terms_days=clauses.payment_terms_days,
        auto_renew=clauses.auto_renew,
        renewal_uplift_percent=clauses.renewal_uplift_percent,
        renewal_uplift_is_cap=clauses.renewal_uplift_is_cap,
        notice_days=clauses.notice_days,
        warnings=(*sums.warnings, *([f"The lines are in {' and '.join(mixed)}."] if len(mixed) > 1 else [])),
        provenance=provenance,
        pages=tuple(PageSize(page.width, page.height) for page in document.pages),
        line_currencies=mixed,
    )
    return _restore_slope(extraction, pages) if any(page.slope for page in pages) else extraction


def _find_kind(rows: Sequence[Row], items: Sequence[LineItem]) -> Kind:
    """The kind of the title; prices without quantities and amounts make a price list, titled or not."""
    kind = find_kind(rows)
    priced = len(items) > 1 and all(item.quantity is None and item.amount is None for item in items)
    return "price_list" if priced and kind in ("other", "order", "quote") else kind


def _restore_slope(extraction: Extraction, pages: Sequence[Page]) -> Extraction:
    """Move the boxes back to where the words stand on a crooked page."""
    slopes = {page.number: page.slope for page in pages}
    return _change_provenance(extraction, lambda place: _move_box(place, slopes))


def remove_places(extraction: Extraction) -> Extraction:
    """The reading of a format without pages: where its cells were laid out for reading is nobody's page."""
    return replace(
        _change_provenance(extraction, lambda place: replace(place, page=None, box=None)), pages=()
    )


def _change_provenance(extraction: Extraction, change: Callable[[Provenance], Provenance]) -> Extraction:
    def changed(provenance: Mapping[str, Provenance]) -> dict[str, Provenance]:
        return {name: change(place) for name, place in provenance.items()}

    items = tuple(replace(item, provenance=changed(item.provenance)) for item in extraction.line_items)
    return replace(extraction, line_items=items, provenance=changed(extraction.provenance))


def _move_box(place: Provenance, slopes: Mapping[int, float]) -> Provenance:
    if place.box is None or place.page is None:
        return place
    shift = slopes[place.page] * place.box.centre
    box = Box(place.box.x0, place.box.top + shift, place.box.x1, place.box.bottom + shift)
    return replace(place, box=box)


def sum_lines(items: Sequence[LineItem]) -> Decimal | None:
    """What the lines that count add up to; None when a line shows no amount."""
    counted = [item for item in items if not item.optional]
    amounts = [item.amount for item in counted if item.amount is not None]
    return sum(amounts, Decimal(0)) if amounts and len(amounts) == len(counted) else None
