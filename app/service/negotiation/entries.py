"""Reads the timeline of a negotiation: a page of it, and what other parts must know of all its entries."""

from collections.abc import Collection

import sqlalchemy as sa
from sqlalchemy import Connection

from app.contract.page import PageRequest
from app.service.database.rows import count_rows, read_page, read_row
from app.service.database.tables import attachment, entry
from app.service.http.problems import ApiProblem
from app.service.negotiation.rows import EntryRow


def load_entries(
    connection: Connection, negotiation_id: str, page: PageRequest
) -> tuple[int, list[EntryRow]]:
    """Return how many entries there are, and those of one page: of the newest, in the order in which they
    happened."""
    own = entry.c.negotiation_id == negotiation_id
    newest_first = entry.c.happened_at.desc(), entry.c.id.desc()
    total, newest = read_page(connection, sa.select(entry).where(own).order_by(*newest_first), page)
    return total, [read_row(EntryRow, row) for row in newest.mappings()][::-1]


def load_corrections(connection: Connection, negotiation_id: str) -> dict[str, bool]:
    """Return the ids of the entries that were corrected later, and whether they were withdrawn: what the
    newest correction of each says."""
    rows = connection.execute(
        sa.select(entry.c.content["corrects"].label("corrects"), entry.c.content["offer"].label("offer"))
        .where(entry.c.negotiation_id == negotiation_id, entry.c.kind == "correction")
        .order_by(entry.c.id)
    )
    return {row.corrects: row.offer is None for row in rows}


def is_full(connection: Connection, negotiation_id: str, max_updates: int) -> bool:
    """Return whether as many updates and files came from outside as a negotiation may have, refused ones
    counted too. It holds for the transaction in which the negotiation is locked."""
    from_outside = entry.c.negotiation_id == negotiation_id, entry.c.content_digest.is_not(None)
    files = count_rows(connection, attachment, attachment.c.negotiation_id == negotiation_id)
    return count_rows(connection, entry, *from_outside) + files >= max_updates


def require_room(connection: Connection, negotiation_id: str, max_updates: int) -> None:
    """Raises ApiProblem 409 for a negotiation that is full."""
    if not is_full(connection, negotiation_id, max_updates):
        return
    raise ApiProblem(
        409,
        f"The negotiation has {max_updates:,} updates and files, as many as it may have (PARLEY_MAX_UPDATES)."
        " End it with an agreed price or a cancellation and start another, or ask the operator for more.",
    )


def has_entry(connection: Connection, negotiation_id: str, kinds: Collection[str]) -> bool:
    """Return whether something of these kinds happened since the start."""
    stated = connection.scalars(
        sa.select(entry.c.content["atStart"]).where(
            entry.c.negotiation_id == negotiation_id, entry.c.kind.in_(kinds)
        )
    )
    return not all(stated)


def find_signer(connection: Connection, negotiation_id: str) -> dict[str, str] | None:
    """Return on whose behalf the price was agreed: by the newest agreement or decision of the timeline; None
    where nobody was named."""
    return connection.scalar(
        sa.select(entry.c.end_user)
        .where(entry.c.negotiation_id == negotiation_id, entry.c.kind.in_(("agreement", "decision")))
        .order_by(entry.c.happened_at.desc(), entry.c.id.desc())
        .limit(1)
    )
