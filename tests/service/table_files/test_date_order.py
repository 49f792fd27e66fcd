"""Whether a file writes the day or the month first: shown by a date of it, stated, or not known."""

from collections.abc import Sequence

import pytest

from app.contract.imports import DateOrder
from app.service.pricing.rates.files import ExchangeRate, read_rate_rows
from app.service.purchase_records.records import Purchase
from app.service.purchases.reading import read_purchase_rows
from app.service.table_files.exports import COUPA, XERO, resolve_columns
from app.service.tables.table import RejectedRow

COUPA_HEADER = ["order-header-id", "line-number", "description", "price", "quantity", "total", "currency"]
COUPA_HEADER += ["supplier", "order-date"]
XERO_HEADER = ["*ContactName", "*InvoiceNumber", "*InvoiceDate", "*Description", "*Quantity", "*UnitAmount"]
XERO_HEADER += ["Currency"]


def read(
    header: Sequence[str], dates: Sequence[str], order: DateOrder | None = None
) -> list[Purchase | RejectedRow]:
    coupa = ["1", "1", "Saw", "10", "2", "20", "USD", "Acme"]
    xero = ["Acme", "1", "", "Saw", "2", "10", "USD"]
    rows = [[*coupa, day] if header is COUPA_HEADER else [*xero[:2], day, *xero[3:]] for day in dates]
    mapping, ignore = resolve_columns(header, "purchases", {}, ())
    table = [(at, row) for at, row in enumerate([list(header), *rows], 1)]
    return list(read_purchase_rows(iter(table), mapping=mapping, ignore=ignore, date_order=order))


def list_days(rows: Sequence[Purchase | RejectedRow]) -> list[str]:
    return [row.reason if isinstance(row, RejectedRow) else row.purchase_date.isoformat() for row in rows]


@pytest.mark.parametrize("header", [COUPA_HEADER, XERO_HEADER], ids=[COUPA.name, XERO.name])
def test_the_order_of_an_export_is_shown_by_a_date_or_stated_and_never_guessed(header: list[str]) -> None:
    doubt = "is 3 April 2026 or 4 March 2026, and no date of the file shows which"
    refused, plain = list_days(read(header, ["03/04/2026", "2026-04-03"]))
    assert doubt in refused
    assert plain == "2026-04-03"
    assert list_days(read(header, ["03/04/2026", "25/04/2026"])) == ["2026-04-03", "2026-04-25"]
    assert list_days(read(header, ["03/04/2026", "04/25/2026"])) == ["2026-03-04", "2026-04-25"]
    assert list_days(read(header, ["03/04/2026"], "day_first")) == ["2026-04-03"]
    assert list_days(read(header, ["03/04/2026"], "month_first")) == ["2026-03-04"]
    contradiction = list_days(read(header, ["03/04/2026", "25/04/2026", "04/25/2026"]))
    assert doubt in contradiction[0]
    assert contradiction[1:] == ["2026-04-25", "2026-04-25"]


def test_the_first_date_that_shows_the_order_may_come_late() -> None:
    rows = read(COUPA_HEADER, ["03/04/2026"] * 5_000 + ["25/04/2026"])
    assert set(list_days(rows)) == {"2026-04-03", "2026-04-25"}


def test_exchange_rates_ask_too() -> None:
    def read_rates(order: DateOrder | None) -> list[str]:
        rows = [(1, ["date", "currency", "rate"]), (2, ["03/04/2026", "USD", "1.1"])]
        found = read_rate_rows(iter(rows), date_order=order)
        return [one.day.isoformat() if isinstance(one, ExchangeRate) else one.reason for one in found]

    assert "no date of the file shows which" in read_rates(None)[0]
    assert read_rates("day_first") == ["2026-04-03"]
