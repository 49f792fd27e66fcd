"""Exchange rates over HTTP: they count for one organisation, before those of the deployment, and undoing an
import makes those count again that counted before."""

from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from app.contract.imports import UNDO_TIME
from app.service.access.keys import find_organisation
from app.service.context import Context, open_context
from app.service.database.tables import data_import, exchange_rate
from app.service.database.visibility import EVERYBODY
from app.service.imports.operator_files import import_files
from app.service.imports.retention import forget_old_imports
from app.service.pricing.rates.store import RatesInMemory, load_rates
from app.service.worker.handlers import HANDLERS
from tests.service.imports.dry_reading import look_at
from tests.service.imports.import_driver import ImportDriver
from tests.service.interleaving import before_write
from tests.service.pricing.rates.test_store import HEADER, ten_of_the_product

MONDAY = date(2026, 3, 2)


def rates(*lines: str) -> bytes:
    return "\n".join(["date,base,currency,rate", *lines]).encode()


def dollars(context: Context, organisation: str | None = "Acme", day: date = MONDAY) -> float:
    """What a euro is worth for an organisation."""
    with context.database.reading() as connection:
        owner = EVERYBODY if organisation is None else find_organisation(connection, organisation)
        return load_rates(connection, owner).factor("EUR", "USD", day)


def share(context: Context, folder: Path, *lines: str) -> None:
    path = folder / "shared.csv"
    path.write_bytes(rates(*lines))
    import_files(context, "rates", [path])


def count(context: Context) -> int:
    with context.database.reading() as connection:
        return connection.scalar(sa.select(sa.func.count()).select_from(exchange_rate)) or 0


def test_rates_are_shown_count_for_their_organisation_and_are_undone(
    imports: ImportDriver, others: ImportDriver, context: Context, tmp_path: Path
) -> None:
    share(context, tmp_path, "2026-03-02,EUR,USD,1.25", "2026-03-02,EUR,GBP,0.5")
    one = imports.check(b"Date,USD,JPY,SKU,\n2026-03-02,2.5,150,7,\n2026-03-01,1e400,N/A,8,\nsoon,1,2,3,\n")
    preview = one["preview"]
    assert (one["status"], one["kind"]) == ("ready", "rates")
    assert [(c["name"], c["use"]) for c in preview["columns"]] == [
        ("Date", "field"),
        ("USD", "currency"),
        ("JPY", "currency"),
        ("SKU", "ignored"),
    ]
    assert [preview[name] for name in ("total", "new", "changed", "repeated", "refused")] == [4, 2, 0, 0, 2]
    assert preview["refusals"] == [
        {"line": 3, "column": "USD", "reason": "USD '1e400' is out of bounds"},
        {"line": 4, "column": "Date", "reason": "Date 'soon' is not a date"},
    ]
    assert dollars(context) == 1.25
    imports.confirm(one["id"])
    imports.work()
    one = imports.get(one["id"])
    assert one["result"] == {"imported": 2, "changed": 0, "repeated": 0, "refused": 2}
    assert dollars(context) == pytest.approx(2.5)
    assert dollars(context, "Other") == dollars(context, None) == 1.25
    with context.database.reading() as connection:
        mine = load_rates(connection, find_organisation(connection, "Acme"))
        assert mine.factor("GBP", "USD", MONDAY) == pytest.approx(5.0), "one leg of its own, the other shared"
        assert mine.convertible_currencies("USD") == {"EUR", "GBP", "JPY"}
        theirs = load_rates(connection, find_organisation(connection, "Other"))
        assert theirs.convertible_currencies("USD") == {"EUR", "GBP"}
    undone = imports.undo(one["id"])
    assert (undone["status"], undone["removal"]) == ("undone", {"rows": 2, "entries": 0, "kept": []})
    assert dollars(context) == 1.25
    assert count(context) == 2


@pytest.mark.campaign
def test_an_earlier_rate_counts_again_in_any_order_of_undoing(
    imports: ImportDriver, context: Context
) -> None:
    first, second, third = (imports.bring(rates(f"2026-03-02,EUR,USD,{rate}"))["id"] for rate in (2, 3, 4))
    assert dollars(context) == pytest.approx(4)
    imports.undo(second)
    assert dollars(context) == pytest.approx(4)
    imports.undo(third)
    assert dollars(context) == pytest.approx(2)
    again = imports.check(rates("2026-03-02,EUR,USD,2", "2026-03-02,EUR,USD,5", "2026-03-03,EUR,USD,2"))
    counted = ("new", "changed", "repeated", "refused")
    assert [again["preview"][name] for name in counted] == [1, 0, 1, 1]
    imports.undo(first)
    assert dollars(context) != dollars(context), "there is none"
    assert count(context) == 0


def test_rates_that_are_not_completed_do_not_count(imports: ImportDriver, context: Context) -> None:
    one = imports.check(rates("2026-03-02,EUR,USD,9"))
    imports.confirm(one["id"])
    with before_write(context, 2, lambda: imports.delete(one["id"])) as met:
        HANDLERS["import"].run(context, one["id"])
    assert met
    assert count(context) == 1
    context.database.memory.forget(RatesInMemory)
    assert dollars(context) != dollars(context)
    imports.work()
    assert imports.get(one["id"])["status"] == "cancelled"
    assert count(context) == 0


@pytest.mark.campaign
def test_rates_that_another_process_imported_count_at_once(imports: ImportDriver, context: Context) -> None:
    other = open_context(context.settings)
    imports.bring(rates("2026-03-02,EUR,USD,2"))
    assert dollars(other) == pytest.approx(2)
    imports.bring(rates("2026-03-02,EUR,USD,3"))
    assert dollars(other) == pytest.approx(3)
    other.close()


@pytest.mark.campaign
def test_a_base_is_named_where_the_file_names_none(imports: ImportDriver, context: Context) -> None:
    content = b"date,EUR\n2026-03-02,0.5\n"
    one = imports.check(content, baseCurrency="USD")
    assert one["baseCurrency"] == "USD"
    imports.confirm(one["id"])
    imports.work()
    assert dollars(context) == pytest.approx(2)
    wrong = {"fileId": imports.upload(content), "baseCurrency": "dollars"}
    refused = imports.api.post("/v1/imports", json=wrong)
    assert refused.json()["errors"][0]["pointer"] == "/baseCurrency"


@pytest.mark.campaign
def test_nobodys_rates_move_anothers_estimate(
    imports: ImportDriver, others: ImportDriver, context: Context, tmp_path: Path
) -> None:
    path = tmp_path / "purchases.csv"
    lines = [f"2026-02-{day:02},Works,Blue pen,10,each,{2 + day / 100},EUR" for day in range(1, 9)]
    path.write_text(HEADER + "\n".join(lines))
    import_files(context, "purchases", [path])
    share(context, tmp_path, "2026-01-30,EUR,USD,2")

    def estimate(driver: ImportDriver) -> Any:
        scope = driver.api.post("/v1/scope", json=ten_of_the_product(driver.api)).json()["id"]  # type: ignore[arg-type]
        return driver.api.get(f"/v1/pricing/advanced/{scope}").json()["estimate"]

    before = estimate(imports)
    hostile = others.bring(
        rates("2026-01-30,EUR,USD,1000", "2026-01-30,USD,EUR,1000", "2026-01-30,EUR,JPY,1")
    )
    assert hostile["result"]["imported"] == 3
    assert estimate(imports) == before
    assert estimate(others)["percentile50"] > 100 * before["percentile50"]


@pytest.mark.campaign
def test_rates_have_a_quota(imports: ImportDriver, context: Context) -> None:
    context.settings.max_rates = 2
    three = rates(*(f"2026-03-0{day},EUR,USD,2" for day in (1, 2, 3)))
    one = imports.check(three)
    assert (one["status"], one["error"]) == ("failed", "The file has more than 2 rates (PARLEY_MAX_RATES).")
    imports.bring(rates("2026-03-02,EUR,USD,2", "2026-03-03,EUR,USD,2"))
    one = imports.check(rates("2026-03-02,EUR,USD,2"))
    assert "PARLEY_MAX_RATES" in imports.confirm(one["id"], 409)["detail"]


@pytest.mark.campaign
def test_rates_that_count_no_more_are_deleted_when_nothing_can_bring_them_back(
    imports: ImportDriver, context: Context
) -> None:
    ids = [
        imports.bring(rates(f"2026-03-02,EUR,USD,{rate}", f"2026-03-0{3 + rate},EUR,USD,7"))["id"]
        for rate in (1, 2, 3)
    ]
    forget_old_imports(context)
    assert count(context) == 6
    with context.database.writing() as connection:
        for age, import_id in enumerate(ids[1::-1]):
            completed_at = context.clock() - UNDO_TIME - timedelta(minutes=1 + age)
            mine = data_import.c.id == import_id
            connection.execute(data_import.update().where(mine).values(completed_at=completed_at))
    forget_old_imports(context)
    assert count(context) == 5
    assert dollars(context) == pytest.approx(3)
    imports.undo(ids[2])
    assert dollars(context) == pytest.approx(2)
    assert "for a day" in imports.delete(ids[0], 409)["detail"]


@pytest.mark.parametrize(
    "heading", ["Currency Units per £1", "Rate per 1 GBP", "Units per GBP", "Kurs je 1 £"]
)
def test_a_heading_says_what_one_of_a_currency_is_worth(heading: str) -> None:
    table = f"Currency Code,{heading},Date\nUSD,1.2623,2025-03-01\n"
    _, [row] = look_at(table, "rates", mapping={"rate": heading})
    assert (row["base"], row["currency"], row["rate"]) == ("GBP", "USD", 1.2623)
