"""Files of agreements: lists of contracts, and the exports of other systems that are such."""

from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection

from app.contract.agreements import AgreementLine, NewAgreement
from app.contract.dates import format_day
from app.contract.imports import ImportResult
from app.contract.money import format_exact_quantity, format_money
from app.service.access.quotas import lock_organisation
from app.service.agreements.files.agreement_row import AgreementPlanner, AgreementRow
from app.service.agreements.files.columns import AgreementColumns
from app.service.agreements.files.row_reader import read_agreement_rows
from app.service.agreements.store import build_row, follow_insertion
from app.service.context import Context
from app.service.database.imported_rows import ImportedRows, forget_rows
from app.service.database.removal import delete_agreements
from app.service.database.tables import agreement, imported_row, negotiation
from app.service.ids import new_id
from app.service.imports.entry_removal import describe_kept_entries
from app.service.imports.file_kind import Compare, FileKind, Reading, RowCounts, with_lines
from app.service.imports.removal import add_to_removal, end_removal, find_rows_of_live_imports, list_brought
from app.service.imports.store import Quota, StoredImport, count_owned
from app.service.purchases.agreement_lines import request_learning
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


REMOVED_ROWS = 500


def _list_values(row: AgreementRow) -> dict[str, Any]:
    return row.agreed.wire() | ({"doubt": " ".join(one.reason for one in row.doubts)} if row.doubts else {})


def _describe(row: AgreementRow) -> str:
    agreed = row.agreed
    start = f", from {format_day(agreed.term_start)}" if agreed.term_start else ""
    end = f"{' to' if start else ', until'} {format_day(agreed.term_end)}" if agreed.term_end else ""
    name = agreed.name or agreed.reference or "An agreement"
    supplier = f" with {agreed.supplier_name}" if agreed.supplier_name else ""
    value = f", {format_money(agreed.total_value, agreed.currency or '')}" if agreed.total_value else ""
    bought = "; ".join(filter(None, (_describe_line(line, agreed.currency) for line in agreed.lines or ())))
    return f"{name}{supplier}{start}{end or ', end not known'}{value}{f' ({bought})' if bought else ''}"


_PER: Mapping[str | None, str] = {
    "month": " a month",
    "quarter": " a quarter",
    "half_year": " for half a year",
    "year": " a year",
    "term": " for the term",
}


def _describe_line(line: AgreementLine, currency: str | None) -> str:
    """Return what a line says that units cost, such as `50 user × EUR 10.00 a month`."""
    if line.quantity is None or line.unit_price is None:
        return ""
    unit = f" {line.unit}" if line.unit else ""
    price = format_money(line.unit_price, currency or "")
    return f"{format_exact_quantity(line.quantity)}{unit} × {price}{_PER.get(line.price_per, '')}"


def _compare(context: Context, one: StoredImport, _reading: Reading, counts: RowCounts) -> Compare:
    counts.doubtful = 0
    planner = AgreementPlanner(one.organisation_id)

    def compare(agreements: Sequence[AgreementRow]) -> Sequence[RejectedRow]:
        with context.database.reading() as connection:
            plan = planner.plan(connection, agreements)
        left_out = {row.line for row in plan.refused}
        for row in agreements:
            if row.line not in left_out:
                counts.say(partial(_describe, row))
        counts.new += len(plan.new)
        counts.repeated += plan.repeated
        return plan.refused

    return compare


def _open_writer(context: Context, organisation_id: str | None, import_id: str | None) -> AgreementWriter:
    assert organisation_id is not None  # agreements are an organisation's
    return AgreementWriter(context, organisation_id, import_id=import_id)


def _take_back(context: Context, one: StoredImport) -> None:
    """Delete the agreements of an import, a batch in each transaction. One that a person has changed or
    decided on since stays, as does one that another import brought too."""
    last: str | None = ""
    while last is not None:
        last = _remove_some(context, one, last)
    with context.database.writing() as connection:
        row_ids = list_brought(connection, _brought_by(one))
        shared = find_rows_of_live_imports(connection, agreement.name, row_ids)
        kept = describe_kept_entries(connection, one.id)
        forget_rows(connection, agreement.name, [row_id for row_id in row_ids if row_id not in shared])
        connection.execute(imported_row.delete().where(imported_row.c.import_id == one.id))
        end_removal(context, connection, one, kept=kept)


def _brought_by(one: StoredImport) -> Sequence[sa.ColumnElement[bool]]:
    return imported_row.c.import_id == one.id, imported_row.c.table_name == agreement.name


def _remove_some(context: Context, one: StoredImport, last: str) -> str | None:
    """Delete some of the agreements after the id `last`; return the last that was looked at, None at the
    end."""
    with context.database.writing() as connection:
        lock_organisation(connection, one.organisation_id)
        row_ids = list_brought(connection, _brought_by(one), last, REMOVED_ROWS)
        kept = find_rows_of_live_imports(connection, agreement.name, row_ids)
        kept |= find_touched(connection, [row_id for row_id in row_ids if row_id not in kept])
        gone = [row_id for row_id in row_ids if row_id not in kept]
        delete_agreements(connection, gone)
        forget_rows(connection, agreement.name, gone)
        add_to_removal(context, connection, one.id, rows=len(gone))
        request_learning(connection, one.organisation_id, context.clock())
    return row_ids[-1] if len(row_ids) == REMOVED_ROWS else None


QUOTA = Quota(
    "agreements", "PARLEY_MAX_AGREEMENTS", lambda settings: settings.max_agreements, count_owned(agreement)
)


AGREEMENTS = FileKind(
    columns=AgreementColumns,
    read=with_lines(lambda how, rows: read_agreement_rows(rows, how.days, how.options, how.questions)),
    describe=_list_values,
    compare=_compare,
    open_writer=_open_writer,
    take_back=_take_back,
    quota=QUOTA,
    added={"imported": "agreement"},
    batch_rows=1_000,
    is_whole=True,
    list_doubts=lambda row: [RejectedRow(one.line, one.reason, column=one.column) for one in row.doubts],
)
