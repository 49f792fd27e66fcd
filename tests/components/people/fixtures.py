"""Records for tests of people."""

from typing import Any

from app.contract.audit import Actor, AuditedObject, AuditEntry
from components.audit_table import WITHOUT_ID
from tests.components.fixtures import NOON, make_id


def make_entry(number: int, *, kind: str = "scope", gone: bool = False) -> AuditEntry:
    """Return an entry for examples."""
    return AuditEntry(
        id=make_id(number),
        at=NOON,
        actor=Actor(kind="person", id=make_id(number + 1), name="Bea Buyer"),
        action=f"{kind}s.update",
        summary=f"Change a {kind}",
        object=AuditedObject(
            kind=kind, id=make_id(number + 2), name="Pages", path=None if gone else "/v1/scope/1"
        ),
        fields=["name"],
        request_id="traced-1",
    )


def make_outcome(number: int) -> AuditEntry:
    """Return an entry of what the service did by itself, for examples."""
    asked = make_entry(number)
    changes: dict[str, Any] = {
        "actor": Actor(kind="service", name=WITHOUT_ID["service"]),
        "asked_by": asked.actor,
        "action": "service.readDocument",
        "summary": "Read a document into a quote",
        "fields": [],
    }
    return asked.model_copy(update=changes)
