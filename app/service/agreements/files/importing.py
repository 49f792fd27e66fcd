"""Put agreements of files on record."""

from collections.abc import Collection, Sequence

import sqlalchemy as sa
from sqlalchemy import Connection

from app.contract.agreements import NewAgreement
from app.contract.imports import ImportResult
from app.service.access.quotas import lock_organisation
from app.service.agreements.files.agreement_row import AgreementPlanner, AgreementRow
from app.service.agreements.store import build_row, follow_insertion
from app.service.context import Context
from app.service.database.imported_rows import ImportedRows
from app.service.database.tables import agreement, negotiation
from app.service.ids import new_id
from app.service.tables.table import RejectedRow


class AgreementWriter:
    """Writes the rows of a file, in batches. `import_id` is that of an import that can be undone."""

    def __init__(self, context: Context, organisation_id: str, *, import_id: str | None = None) -> None:
        self._database, self._organisation_id, self._now = context.database, organisation_id, context.clock()
        self._imported = self._repeated = 0
        self._planner = AgreementPlanner(organisation_id)
        self._imported_rows = ImportedRows(import_id)

    def write(self, rows: Sequence[AgreementRow]) -> Sequence[RejectedRow]:
        """Store the agreements that are new, and return the rows that are refused."""
        with self._database.writing() as connection:
            lock_organisation(connection, self._organisation_id)
            plan = self._planner.plan(connection, rows)
            self._imported_rows.name_again(connection, agreement, plan.known)
            if plan.new:
                added = [self._build_row(agreed) for agreed in plan.new]
                connection.execute(agreement.insert(), added)
                ids = [str(row["id"]) for row in added]
                follow_insertion(connection, self._organisation_id, ids, self._now)
                self._imported_rows.add(connection, agreement, ids)
        self._imported += len(plan.new)
        self._repeated += plan.repeated
        return plan.refused

    def finish(self) -> ImportResult:
        """Return how many were new, and how many there."""
        return ImportResult(imported=self._imported, repeated=self._repeated, refused=0)

    def _build_row(self, agreed: NewAgreement) -> dict[str, object]:
        return {
            "id": new_id(),
            "organisation_id": self._organisation_id,
            **build_row(agreed),
            "evidence": {},
            "sample": False,
            "created_at": self._now,
            "updated_at": self._now,
        }


def find_touched(connection: Connection, ids: Collection[str]) -> set[str]:
    """Return those of the agreements that were changed or decided on since they were put on record, or that
    another agreement or a negotiation refers to. All are locked, so that nobody changes one before this
    transaction ends."""
    rows = connection.execute(
        sa.select(
            agreement.c.id, agreement.c.created_at, agreement.c.updated_at, agreement.c.next_agreement_id
        )
        .where(agreement.c.id.in_(ids))
        .order_by(agreement.c.id)
        .with_for_update()
    )
    touched = {row.id for row in rows if row.updated_at != row.created_at or row.next_agreement_id}
    for column in (agreement.c.previous_agreement_id, negotiation.c.agreement_id):
        touched.update(connection.scalars(sa.select(column).where(column.in_(ids))))
    return touched
