"""Import files of exchange rates that an operator names."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

from app.service.access.keys import find_organisation
from app.service.catalog.estimate_check import request_estimate_check
from app.service.context import Context
from app.service.database.visibility import EVERYBODY
from app.service.pricing.rates.files import ExchangeRate, read_rate_rows
from app.service.pricing.rates.store import RatesInMemory, write_rates
from app.service.purchases.agreement_lines import reprice_agreements
from app.service.table_files.isolated_reading import read_table_file
from app.service.table_files.reading import NOTHING_STATED, FileOptions, name_file_in_errors
from app.service.tables.table import RejectedRow

MAX_REFUSALS = 20


@dataclass
class RateReport:
    """What an import did: the number of rates written and of those refused, and the first of these as (file,
    line, reason)."""

    imported: int = 0
    refused: int = 0
    refusals: list[tuple[str, int, str]] = field(default_factory=list[tuple[str, int, str]])

    def add_refusal(self, path: Path, row: RejectedRow) -> None:
        """Count a rate that was refused."""
        self.refused += 1
        if len(self.refusals) < MAX_REFUSALS:
            self.refusals.append((path.name, row.line, row.reason))


def import_rates(
    context: Context,
    paths: Iterable[Path],
    said: FileOptions = NOTHING_STATED,
    *,
    organisation: str | None = None,
) -> RateReport:
    """Write the rates of files, all or none; one that is there already is replaced. With `organisation`, a
    name, they count for it alone. Raises UnreadableTable with the file's name, and UnknownOrganisation."""
    with context.database.reading() as connection:
        owner = None if organisation is None else find_organisation(connection, organisation)
    report = RateReport()
    rates: dict[tuple[str, str, date], ExchangeRate] = {}
    for path in paths:
        with name_file_in_errors(path):
            rows = read_table_file(path, sheet=said.sheet, encoding=said.encoding)
            for row in read_rate_rows(rows, said):
                if isinstance(row, RejectedRow):
                    report.add_refusal(path, row)
                else:
                    rates[row.base, row.currency, row.day] = row
    now = context.clock()
    with context.database.writing() as connection:
        write_rates(connection, list(rates.values()), now, owner=owner or EVERYBODY)
        request_estimate_check(connection, owner, now)
        if owner is not None:
            reprice_agreements(connection, owner, now)
    context.database.memory.forget(RatesInMemory)
    report.imported = len(rates)
    return report
