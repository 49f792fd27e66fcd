"""A table of the audit log: when, who, what, to which thing."""

from collections.abc import Sequence

from app.contract.audit import Actor, AuditEntry
from components.elements.record_table import Address, Column, draw_record_table
from components.formatting import format_local_seconds

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


def draw_audit_table(entries: Sequence[AuditEntry], *, page: str) -> None:
    """Draw entries, the newest first. A row opens the page of its thing while that exists, else the entries
    of the same thing on `page`."""
    draw_record_table(
        entries,
        {
            "When": Column(lambda one: format_local_seconds(one.at)),
            "Who": Column(
                lambda one: (
                    _name_actor(one.actor)
                    + (f", asked by {_name_actor(one.asked_by)}" if one.asked_by else "")
                )
            ),
            "What": Column(lambda one: one.summary + (f": {', '.join(one.fields)}" if one.fields else "")),
            "Thing": Column(lambda one: f"{one.object.kind} {one.object.name or ''}".strip()),
            "Request": Column(lambda one: one.request_id, optional=True),
        },
        link=lambda one: _find_address(one, page),
        alt=f"{len(entries)} entries of the audit log, newest first",
    )


def _find_address(entry: AuditEntry, page: str) -> Address:
    thing = entry.object
    if thing.path and thing.id and thing.kind in PAGES:
        return PAGES[thing.kind], {"id": thing.id}
    return page, {"people-tab": "Audit log", **({"thing": thing.id} if thing.id else {"kind": thing.kind})}


def _name_actor(actor: Actor) -> str:
    if actor.kind in WITHOUT_ID:
        return actor.name or WITHOUT_ID[actor.kind]
    return f"{actor.name or 'unknown'} ({ACTOR_WORDS.get(actor.kind, actor.kind)})"
