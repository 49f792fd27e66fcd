"""Scopes in a list, and what their states are called."""

from collections.abc import Sequence
from datetime import tzinfo

from app.contract.scope import Scope
from app.contract.scope_list import ListedScope
from components.elements.page_header import Colour
from components.elements.record_table import (
    ColouredWord,
    Column,
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
    draw_record_table(
        scopes,
        {
            "Quote": Column(make_scope_title),
            "Status": Column(
                lambda one: ColouredWord(*status) if (status := label_scope_status(one)) else None,
                optional=True,
            ),
            "Supplier": Column(
                lambda one: one.supplier.name if isinstance(one, ListedScope) and one.supplier else None,
                optional=True,
            ),
            "Source": Column(_describe_source, optional=True),
            "Term": Column(
                lambda one: ", ".join(format_months(term.term_length) for term in one.scope_terms), "right"
            ),
            "Quoted": Column(_format_quoted, "right", "Before tax, for the whole term"),
            "State": Column(_describe_reading, optional=True),
            "Created": Column(
                lambda one: datetimes.format_local_time(one.created_on, zone), "right", varying=True
            ),
        },
        link=lambda one: ("quote", {"id": one.id}),
        alt=f"{format_count(len(scopes), 'scope')}, newest first",
    )


def _describe_source(scope: Scope) -> str | None:
    if label_scope_status(scope):
        return None
    return scope.document_processing.filename if scope.document_processing else "by hand"


def _describe_reading(scope: Scope) -> str | None:
    if label_scope_status(scope) or scope.document_processing is None:
        return None
    return READING_STATES.get(scope.document_processing.status)


def _format_quoted(scope: Scope) -> str | None:
    quoted, currency = get_quoted_total(scope), get_listed_currency(scope)
    return None if quoted is None else format_scope_money(quoted, currency)
