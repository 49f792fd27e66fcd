"""A table of the audit log: when, who, what, to which thing."""

from collections.abc import Sequence
from datetime import UTC, tzinfo
from typing import Any

from app.contract.audit import Actor, AuditedObject, AuditEntry
from components.elements.record_table import LEFT, Cell, RecordRow, draw_record_table
from components.fixtures import NOON, make_id
from components.formatting.datetimes import format_local_seconds

PAGES = {
    "agreement": "agreement",
    "import": "import_file",
    "negotiation": "negotiation",
    "product": "product",
    "requirement": "requirement",
    "scope": "scope",
    "webhook": "webhook",
}
"""The kinds of things that have a page of their own, by its name."""
ACTOR_WORDS = {"person": "person", "key": "API key"}
WITHOUT_ID = {"service": "Parley, in the background", "command": "Operator, command line"}
"""Those who are no person and no key, as they are called in the log, by their kind."""


def draw_audit_table(entries: Sequence[AuditEntry], *, page: str, zone: tzinfo) -> None:
    """Draw entries, the newest first. A row opens the page of its thing while that exists, else the entries
    of the same thing on `page`."""
    draw_record_table(
        [_make_row(entry, page, zone) for entry in entries],
        alt=f"{len(entries)} entries of the audit log, newest first",
        columns={"When": LEFT, "Who": LEFT, "What": LEFT, "Thing": LEFT, "Request": LEFT},
        optional=("Request",),
    )


def _make_row(entry: AuditEntry, page: str, zone: tzinfo) -> RecordRow:
    thing = entry.object
    cells: dict[str, Cell] = {
        "When": format_local_seconds(entry.at, zone),
        "Who": _name_actor(entry.actor)
        + (f", asked by {_name_actor(entry.asked_by)}" if entry.asked_by else ""),
        "What": entry.summary + (f": {', '.join(entry.fields)}" if entry.fields else ""),
        "Thing": f"{thing.kind} {thing.name}" if thing.name else thing.kind,
        "Request": entry.request_id,
    }
    if thing.path and thing.id and thing.kind in PAGES:
        return RecordRow(PAGES[thing.kind], {"id": thing.id}, cells)
    narrowed = {"thing": thing.id} if thing.id else {"kind": thing.kind}
    return RecordRow(page, {"people-tab": "Audit log", **narrowed}, cells)


def _name_actor(actor: Actor) -> str:
    if actor.kind in WITHOUT_ID:
        return actor.name or WITHOUT_ID[actor.kind]
    return f"{actor.name or 'unknown'} ({ACTOR_WORDS.get(actor.kind, actor.kind)})"


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


def example() -> None:
    entries = [make_outcome(7), make_entry(1), make_entry(4, gone=True)]
    draw_audit_table(entries, page="people", zone=UTC)
