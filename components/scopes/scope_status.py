"""The status of a scope as a word with a colour."""

from app.contract.scope import Scope
from app.contract.scope_list import ListedScope
from components.elements.page_header import Colour

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
