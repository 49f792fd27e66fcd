"""Load the quote behind a scope from its document."""

from dataclasses import replace
from datetime import date
from decimal import Decimal

from sqlalchemy import Connection

from app.service.charges.charge import convert_price, round_stated
from app.service.scopes.quote import NO_CURRENCY, QuoteClauses, ScopeQuote, follow_corrections
from app.service.scopes.scope_documents import find_document
from app.service.scopes.store import StoredScope, find_scope
from app.service.scopes.stored_reading import StoredReading


def load_quote(connection: Connection, scope: StoredScope) -> ScopeQuote | None:
    """Load the quote behind a scope; None for a scope that was made by hand."""
    if scope.document_scope_id is None or scope.quote_lines is None:
        return None
    document = find_document(connection, scope.document_scope_id)
    if document is None or document.reading is None:
        return None
    read = document.reading
    as_read = find_scope(connection, scope.organisation_id, scope.document_scope_id)
    assert as_read is not None  # it has the document
    minimum = find_minimum(read, scope.months, scope.currency)
    net_total = follow_corrections(as_read.stated_total, as_read.quote_lines, scope.quote_lines, minimum)
    stated = scope.stated_total
    is_unconfirmed = scope.id == scope.document_scope_id
    # What has to be said before a price of a reading is judged: a confirmation says it.
    is_unnamed = scope.stated_currency is None or (is_unconfirmed and "currency" not in read)
    renews = scope.scope_terms[-1].auto_renew if scope.scope_terms else None
    is_read_without_term = is_unconfirmed and read.get("is_term_assumed", False)
    return ScopeQuote(
        scope_id=scope.document_scope_id,
        filename=document.filename,
        sha256=document.sha256,
        kind=read["kind"],
        currency=scope.currency,
        lines=scope.quote_lines,
        net_total=net_total,
        corrected_total=None if stated in {as_read.stated_total, net_total} else stated,
        minimum=minimum,
        supplier=read.get("supplier"),
        number=read.get("document_number"),
        dated=_read_date(read.get("document_date")),
        valid_until=_read_date(read.get("valid_until")),
        clauses=read_clauses(read) if renews is None else replace(read_clauses(read), auto_renew=renews),
        doubts=(*([NO_CURRENCY] if is_unnamed else ()), *(read.get("doubts", ()) if is_unconfirmed else ())),
        is_term_assumed=scope.stated_months is None or is_read_without_term,
    )


def list_warnings(reading: StoredReading, scope: StoredScope) -> list[str]:
    """Return those of the warnings of a document that a scope leaves open: who confirms it says its currency,
    and its term unless that stays a guess."""
    if scope.id == scope.document_scope_id:
        return reading["warnings"]
    settled = {*reading.get("doubts", ())}
    if scope.stated_currency is not None:
        settled.add(NO_CURRENCY)
    if scope.stated_months is not None:
        settled.update(reading.get("term_warnings", ()))
    return [one for one in reading["warnings"] if one not in settled]


def find_minimum(reading: StoredReading, term_months: int, currency: str) -> Decimal | None:
    """Return the least that is paid over the whole term; None where the document states none."""
    stated, months = reading.get("minimum_total"), reading.get("minimum_months")
    if stated is None:
        return None
    least = convert_price(Decimal(str(stated)), months or term_months or 1, term_months)
    return round_stated(least, currency)


def read_clauses(reading: StoredReading) -> QuoteClauses:
    """Return what a document says about later years and payment."""
    uplift = reading.get("renewal_uplift_percent")
    return QuoteClauses(
        uplift_percent=None if uplift is None else Decimal(str(uplift)),
        uplift_is_cap=bool(reading.get("renewal_uplift_is_cap")),
        auto_renew=reading.get("auto_renew"),
        notice_days=reading.get("notice_days"),
        notice_unit=reading.get("notice_unit"),
        payment_terms_days=reading.get("payment_terms_days"),
        billing=reading.get("billing"),
    )


def _read_date(text: str | None) -> date | None:
    return None if text is None else date.fromisoformat(text)
