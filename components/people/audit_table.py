"""A table of the audit log: when, who, what, to which thing."""

from collections.abc import Sequence
from datetime import tzinfo

from app.contract.audit import Actor, AuditEntry
from components.elements.record_table import LEFT, Cell, RecordRow, draw_record_table
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
