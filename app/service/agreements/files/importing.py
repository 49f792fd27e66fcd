"""Import files of agreements that an operator names."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy import Connection

from app.contract.agreements import NewAgreement
from app.service.access.keys import find_organisation
from app.service.access.quotas import lock_organisation, require_room
from app.service.agreements.dates.working_days import WorkingDays
from app.service.agreements.files.agreement_row import AgreementPlan, AgreementPlanner, AgreementRow
from app.service.agreements.files.row_reader import prepare_agreements, read_agreement_rows
from app.service.agreements.store import build_row, follow_insertion
from app.service.agreements.working_calendar import load_working_days
from app.service.context import Context
from app.service.database.batches import batched
from app.service.database.imported_rows import ImportedRows
from app.service.database.paging import count_rows
from app.service.database.tables import agreement, negotiation
from app.service.database.visibility import owned_by
from app.service.ids import new_id
from app.service.table_files.exports import recognise_export
from app.service.table_files.isolated_reading import open_table_file
from app.service.table_files.options import NOTHING_STATED, FileOptions
from app.service.table_files.reading import name_file_in_errors
from app.service.tables.reading import list_rows
from app.service.tables.table import RejectedRow, Table, UnreadableTable

BATCH_ROWS = 1_000
MAX_LISTED = 20

Remark = tuple[str, int, str]
"""A file, a line in it, and a sentence."""


@dataclass
class AgreementReport:
    """What an import did: how many rows were put on record, were there already and were refused, how many
    values are doubtful, and the first refusals and doubts."""

    imported: int = 0
    repeated: int = 0
    refused: int = 0
    doubtful: int = 0
    refusals: list[Remark] = field(default_factory=list[Remark])
    doubts: list[Remark] = field(default_factory=list[Remark])

    def add(
        self, path: Path, plan: AgreementPlan, rows: Sequence[AgreementRow], refused: Sequence[RejectedRow]
    ) -> None:
        """Count some rows of a file."""
        left_out = {row.line for row in refused}
        doubts = [doubt for row in rows if row.line not in left_out for doubt in row.doubts]
        self.imported += len(plan.new)
        self.repeated += plan.repeated
        self.refused += len(refused)
        self.doubtful += len(doubts)
        for listed, remarks in ((self.refusals, refused), (self.doubts, doubts)):
            listed += [(path.name, one.line, one.reason) for one in remarks[: MAX_LISTED - len(listed)]]


def import_agreements(
    context: Context,
    paths: Sequence[Path],
    said: FileOptions = NOTHING_STATED,
    *,
    organisation: str,
) -> AgreementReport:
    """Put the agreements of files on record, of all files or of none. Raises UnreadableTable with the
    file's name, UnknownOrganisation, and ApiProblem where the organisation may not have as many."""
    report = AgreementReport()
    with context.database.writing() as connection:
        owner = find_organisation(connection, organisation)
        days = load_working_days(connection, owner)
        writer = AgreementWriter(owner, context.clock())
        for path in paths:
            with name_file_in_errors(path), open_table_file(path, said) as found:
                for some in batched(_read(found, days, said), BATCH_ROWS):
                    agreements = [row for row in some if isinstance(row, AgreementRow)]
                    plan = writer.write(connection, agreements)
                    refused = [row for row in some if isinstance(row, RejectedRow)] + plan.refused
                    report.add(path, plan, agreements, refused)
        require_room(
            count_rows(connection, agreement, owned_by(agreement.c, owner)) - 1,
            context.settings.max_agreements,
            things="agreements with these",
            setting="PARLEY_MAX_AGREEMENTS",
            way_out="Import fewer",
        )
    return report


def _read(table: Table, days: WorkingDays, said: FileOptions) -> Iterator[AgreementRow | RejectedRow]:
    export = recognise_export(table.head.headings)
    if export is not None and export.kind != "agreements":
        raise UnreadableTable(export.refusal or f"this file holds {export.kind}: import it as such")
    table, said, _ = prepare_agreements(table, said)
    return read_agreement_rows(list_rows(table), days, said)


class AgreementWriter:
    """Writes the rows of a file, in batches. `import_id` is that of an import that can be undone."""

    def __init__(self, organisation_id: str, now: datetime, *, import_id: str | None = None) -> None:
        self._organisation_id = organisation_id
        self._now = now
        self._planner = AgreementPlanner(organisation_id)
        self._imported_rows = ImportedRows(import_id)

    def write(self, connection: Connection, rows: Sequence[AgreementRow]) -> AgreementPlan:
        """Store the agreements that are new, and return what became of the rows."""
        lock_organisation(connection, self._organisation_id)
        plan = self._planner.plan(connection, rows)
        self._imported_rows.name_again(connection, agreement, plan.known)
        if plan.new:
            added = [self._build_row(agreed) for agreed in plan.new]
            connection.execute(agreement.insert(), added)
            ids = [str(row["id"]) for row in added]
            follow_insertion(connection, self._organisation_id, ids, self._now)
            self._imported_rows.add(connection, agreement, ids)
        return plan

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
