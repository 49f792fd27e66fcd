"""Load the quote behind a scope from its document."""

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection

from app.service.database.tables.files import file
from app.service.database.tables.scopes import scope_document
from app.service.scopes.quote import Clauses, ScopeQuote
from app.service.scopes.stored_scope import StoredScope


def load_quote(connection: Connection, scope: StoredScope) -> ScopeQuote | None:
    """Load the quote behind a scope; None for a scope that was made by hand."""
    if scope.document_scope_id is None or scope.quote_lines is None:
        return None
    row = connection.execute(_DOCUMENT, {"scope": scope.document_scope_id}).first()
    if row is None or row.reading is None:
        return None
    read: Mapping[str, Any] = row.reading
    return ScopeQuote(
        scope_id=scope.document_scope_id,
        filename=row.filename,
        sha256=row.sha256,
        kind=read["kind"],
        currency=scope.currency,
        lines=scope.quote_lines,
        net_total=_read_net_total(read),
        supplier=read.get("supplier"),
        number=read.get("document_number"),
        dated=_read_date(read.get("document_date")),
        valid_until=_read_date(read.get("valid_until")),
        clauses=read_clauses(read),
    )


def read_clauses(reading: Mapping[str, Any]) -> Clauses:
    """Return the clauses of a document as it was read."""
    uplift = reading.get("renewal_uplift_percent")
    return Clauses(
        uplift_percent=None if uplift is None else Decimal(str(uplift)),
        uplift_is_cap=bool(reading.get("renewal_uplift_is_cap")),
        auto_renew=reading.get("auto_renew"),
        notice_days=reading.get("notice_days"),
        payment_terms_days=reading.get("payment_terms_days"),
        billing=reading.get("billing"),
    )


def _read_net_total(reading: Mapping[str, Any]) -> Decimal | None:
    net, total = reading.get("net_total"), reading.get("total")
    if net is not None:
        return Decimal(str(net))
    return None if total is None else Decimal(str(total)) - Decimal(str(reading.get("tax_total") or 0))


def _read_date(text: str | None) -> date | None:
    return None if text is None else date.fromisoformat(text)


_DOCUMENT = (
    sa.select(scope_document.c.filename, scope_document.c.reading, file.c.sha256)
    .outerjoin(file, file.c.id == scope_document.c.file_id)
    .where(scope_document.c.scope_id == sa.bindparam("scope"))
)
