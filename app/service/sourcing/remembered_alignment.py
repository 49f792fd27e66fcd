"""Which line a person said that a supplier's wording answers, for the next quote with the same wording.

A decision is remembered for the organisation whose person made it, by the supplier's name, what the line of
the quote says, and what the line of the requirement says; it goes with the quote that it was made on.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256

import sqlalchemy as sa
from sqlalchemy import Connection

from app.contract.dates import format_day
from app.contract.sourcing import AlignedLine, Requirement, SourcingQuote
from app.service.database.dialect import upsert
from app.service.database.rows import batched
from app.service.database.tables import remembered_alignment
from app.service.database.visibility import owned_by
from app.service.values.folding import fold_text

_AT_ONCE = 400


@dataclass(frozen=True, slots=True)
class RememberedLine:
    """The line of the requirement, by its place, that a person said such a line answers, and who and when."""

    place: int
    alternate: bool
    reason: str


def remember_alignment(
    connection: Connection,
    organisation_id: str,
    requirement: Requirement,
    quotes: Sequence[SourcingQuote],
    decided: Sequence[AlignedLine],
    decided_by: str,
    now: datetime,
) -> None:
    """Remember what a person decided of these quotes' lines; an earlier decision on the same wording that
    says otherwise about this requirement is forgotten."""
    needs = {line.id: _key(line.description) for line in requirement.lines}
    lines = {line.id: (quote, line) for quote in quotes for line in quote.lines}
    rows: dict[tuple[str, ...], dict[str, object]] = {}
    said: defaultdict[str, set[str]] = defaultdict(set)
    for one in decided:
        quote, line = lines[one.quote_line_id]
        supplier, wording = _key(quote.supplier_name), _key(line.description)
        said[supplier].add(wording)
        if one.requirement_line_id is not None:
            need = needs[one.requirement_line_id]
            rows[supplier, wording, need] = {
                "organisation_id": organisation_id,
                "supplier_key": supplier,
                "wording_key": wording,
                "need_key": need,
                "alternate": one.alternate,
                "quote_id": quote.id,
                "decided_by": decided_by,
                "decided_at": now,
            }
    for supplier, wordings in said.items():
        _forget(connection, organisation_id, supplier, sorted(wordings), list(needs.values()))
    if rows:
        upsert(connection, remembered_alignment, list(rows.values()))


def recall_alignment(
    connection: Connection,
    organisation_id: str,
    requirement: Requirement,
    supplier_name: str,
    descriptions: Sequence[str],
) -> Mapping[int, RememberedLine]:
    """Return what was decided before of such lines, by their places. Of two lines of the quote or of the
    requirement that say the same, nothing is known: which is meant cannot be told."""
    needs = _place_once([line.description for line in requirement.lines])
    wordings = _place_once(descriptions)
    table, found = remembered_alignment.c, dict[int, RememberedLine]()
    for some in batched(wordings, _AT_ONCE):
        rows = connection.execute(
            sa.select(remembered_alignment)
            .where(
                owned_by(table, organisation_id),
                table.supplier_key == _key(supplier_name),
                table.wording_key.in_(some),
            )
            .order_by(table.decided_at)
        )
        for row in rows:
            place = needs.get(row.need_key)
            if place is not None:
                said = f"Matched as before, by {row.decided_by} on {format_day(row.decided_at.date())}."
                found[wordings[row.wording_key]] = RememberedLine(place, row.alternate, said)
    taken = [one.place for one in found.values() if not one.alternate]
    return {at: one for at, one in found.items() if one.alternate or taken.count(one.place) == 1}


def forget_alignment(connection: Connection, quote_ids: Sequence[str]) -> None:
    connection.execute(remembered_alignment.delete().where(remembered_alignment.c.quote_id.in_(quote_ids)))


def _forget(
    connection: Connection,
    organisation_id: str,
    supplier: str,
    wordings: Sequence[str],
    needs: Sequence[str],
) -> None:
    table = remembered_alignment.c
    for some in batched(wordings, _AT_ONCE):
        connection.execute(
            remembered_alignment.delete().where(
                owned_by(table, organisation_id),
                table.supplier_key == supplier,
                table.wording_key.in_(some),
                table.need_key.in_(needs),
            )
        )


def _key(text: str) -> str:
    """A digest of a text, the same for other capitals, accents and spaces."""
    return sha256(" ".join(fold_text(text).split()).encode()).hexdigest()[:32]


def _place_once(texts: Sequence[str]) -> dict[str, int]:
    """The place of each text that no other is the same as, by its key."""
    keys = [_key(text) for text in texts]
    times = Counter(keys)
    return {key: place for place, key in enumerate(keys) if times[key] == 1}
