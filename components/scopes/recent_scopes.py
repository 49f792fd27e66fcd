"""A table of the scopes that were created last."""

from collections.abc import Sequence
from datetime import tzinfo

from app.contract.money import format_money
from app.contract.scope import Scope
from components.elements.record_table import (
    LEFT,
    RIGHT,
    Cell,
    RecordColumn,
    RecordRow,
    draw_record_table,
)
from components.formatting import datetimes
from components.formatting.counts import format_count
from components.formatting.terms import format_months
from components.scopes.fixtures import make_scope
from components.scopes.scope_card import get_listed_currency, get_quoted_total, make_scope_title

READING_STATES = {"pending": "waiting to be read", "processing": "being read", "failed": "could not be read"}


def draw_recent_scopes(scopes: Sequence[Scope], *, zone: tzinfo) -> None:
    """Draw the scopes."""
    rows = [RecordRow("scope", {"id": scope.id}, _make_cells(scope, zone)) for scope in scopes]
    draw_record_table(
        rows,
        alt=f"{format_count(len(rows), 'scope')}, newest first",
        columns={
            "Scope": LEFT,
            "Source": LEFT,
            "Term": RIGHT,
            "Quoted": RecordColumn("right", "Before tax, for the whole term"),
            "State": LEFT,
            "Created": RIGHT,
        },
        optional=("State",),
    )


def _make_cells(scope: Scope, zone: tzinfo) -> dict[str, Cell]:
    document = scope.document_processing
    quoted = get_quoted_total(scope)
    return {
        "Scope": make_scope_title(scope),
        "Source": document.filename if document else "by hand",
        "Quoted": None if quoted is None else format_money(quoted, get_listed_currency(scope)),
        "Term": ", ".join(format_months(term.term_length) for term in scope.scope_terms) or None,
        "State": READING_STATES.get(document.status) if document else None,
        "Created": datetimes.format_local_time(scope.created_on, zone),
    }


def example() -> None:
    draw_recent_scopes([make_scope()], zone=datetimes.get_reader_zone())
