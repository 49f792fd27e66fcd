"""Scopes in a list, and what their states are called."""

from collections.abc import Sequence
from datetime import tzinfo

from app.contract.scope import Scope
from app.contract.scope_list import ListedScope
from components.elements.page_header import Colour
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
from components.formatting.counts import format_count, format_months
from components.scopes.scope_card import (
    format_scope_money,
    get_listed_currency,
    get_quoted_total,
    make_scope_title,
)

STATUS_LABELS: dict[str, tuple[str, Colour]] = {
    "reading": ("Being read", "blue"),
    "unreadable": ("Could not be read", "red"),
    "review": ("Waiting for review", "orange"),
    "ready": ("Ready", "green"),
    "in_negotiation": ("In negotiation", "violet"),
    "agreed": ("Agreed", "green"),
    "replaced": ("Replaced", "gray"),
}
"""Label and colour of each status, in the order in which a scope has them."""
ARCHIVED_LABEL: tuple[str, Colour] = ("Archived", "gray")
WAITING_WORDS = {
    "review": ("waits for review", "wait for review"),
    "unreadable": ("could not be read", "could not be read"),
    "reading": ("is being read", "are being read"),
}
"""What one scope, and several, do that wait."""


def is_archived(scope: Scope) -> bool:
    """Return whether the scope is archived, where the deployment states it."""
    return isinstance(scope, ListedScope) and scope.archived_at is not None


def label_scope_status(scope: Scope) -> tuple[str, Colour] | None:
    """Return label and colour of the status of a scope; None where the deployment does not state it. A status
    that is not known here is shown as it is."""
    if not isinstance(scope, ListedScope) or scope.status is None:
        return None
    if scope.archived_at is not None:
        return ARCHIVED_LABEL
    return STATUS_LABELS.get(scope.status, (scope.status.replace("_", " "), "gray"))


def describe_waiting(status: str, total: int) -> str:
    """Return `2 wait for review`."""
    return f"{total:,} {WAITING_WORDS[status][total != 1]}"


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
        varying=("Created",),
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
