"""A table of scopes, the newest first."""

from collections.abc import Sequence
from datetime import tzinfo

from app.contract.scope import Scope
from app.contract.scope_list import ListedScope
from components.elements.record_table import (
    LEFT,
    RIGHT,
    Cell,
    ColouredWord,
    RecordColumn,
    RecordRow,
    draw_record_table,
)
from components.formatting import datetimes
from components.formatting.counts import format_count
from components.formatting.terms import format_months
from components.scopes.scope_card import (
    format_scope_money,
    get_listed_currency,
    get_quoted_total,
    make_scope_title,
)
from components.scopes.scope_status import label_scope_status

READING_STATES = {"pending": "waiting to be read", "processing": "being read", "failed": "could not be read"}


def draw_recent_scopes(scopes: Sequence[Scope], *, zone: tzinfo) -> None:
    """Draw the scopes. A deployment that states no status and no supplier shows where they are from and how
    far the reading of their documents is."""
    rows = [RecordRow("quote", {"id": scope.id}, _make_cells(scope, zone)) for scope in scopes]
    draw_record_table(
        rows,
        alt=f"{format_count(len(rows), 'scope')}, newest first",
        columns={
            "Quote": LEFT,
            "Status": LEFT,
            "Supplier": LEFT,
            "Source": LEFT,
            "Term": RIGHT,
            "Quoted": RecordColumn("right", "Before tax, for the whole term"),
            "State": LEFT,
            "Created": RIGHT,
        },
        optional=("Status", "Supplier", "Source", "State"),
    )


def _make_cells(scope: Scope, zone: tzinfo) -> dict[str, Cell]:
    status = label_scope_status(scope)
    cells: dict[str, Cell] = {
        "Quote": make_scope_title(scope),
        "Quoted": _format_quoted(scope),
        "Term": ", ".join(format_months(term.term_length) for term in scope.scope_terms) or None,
        "Created": datetimes.format_local_time(scope.created_on, zone),
    }
    if isinstance(scope, ListedScope) and status is not None:
        supplier = scope.supplier.name if scope.supplier else None
        return cells | {"Status": ColouredWord(*status), "Supplier": supplier}
    document = scope.document_processing
    return cells | {
        "Source": document.filename if document else "by hand",
        "State": READING_STATES.get(document.status) if document else None,
    }


def _format_quoted(scope: Scope) -> str | None:
    quoted, currency = get_quoted_total(scope), get_listed_currency(scope)
    return None if quoted is None else format_scope_money(quoted, currency)
