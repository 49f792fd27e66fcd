"""Prices of agreements are computed anew once purchases or rates that they follow from come or go."""

from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from fastapi import FastAPI
from starlette.testclient import TestClient

from app.service.access.keys import find_organisation
from app.service.agreements.learning.reconciling import learn_from_agreements
from app.service.agreements.market.jobs import price_some
from app.service.context import Context
from app.service.database.tables import task
from app.service.purchases.agreement_lines import MARKET_TASK
from tests.service.agreements.market.test_market import line, price
from tests.service.agreements.test_routes import YEAR, get, put
from tests.service.agreements.test_routes import app as app
from tests.service.imports.import_driver import ImportDriver
from tests.service.interleaving import before_write
from tests.service.pricing.scope_requests import HEADER, imported, product, row


def purchases(unit_price: float, supplier: str = "Works") -> list[str]:
    buyers = "ABCDEF"
    return [
        row(
            at, supplier=supplier, price=unit_price + at % 3, buyer=buyers[at % 6], day=f"2026-05-{at + 1:02}"
        )
        for at in range(18)
    ]


def due_tasks(context: Context) -> list[Any]:
    with context.database.reading() as connection:
        return list(connection.scalars(sa.select(task.c.due_at).where(task.c.kind == MARKET_TASK)))


def forget_tasks(context: Context) -> None:
    with context.database.writing() as connection:
        connection.execute(sa.delete(task).where(task.c.kind == MARKET_TASK))


@pytest.mark.campaign
def test_an_import_of_purchases_and_its_undo_change_the_prices_of_what_they_touch(
    app: FastAPI, api: TestClient, context: Context, tmp_path: Path
) -> None:
    imported(context, tmp_path, [*purchases(100), *purchases(100, "Others")])
    of_product = put(api, name="Of the product", lines=[line(product(api)["id"], 15_000)])
    [supplier] = api.get("/v1/catalog/companies?name=Works").json()["data"]
    of_supplier = put(api, name="Of the supplier", supplierName=None, companyId=supplier["id"])
    put(api, name="Of another", lines=[line(product(api, supplier="Others")["id"], 15_000)])
    with context.database.reading() as connection:
        organisation_id = find_organisation(connection, "Acme")
    learn_from_agreements(context, organisation_id)
    before = {one["agreementId"]: one for one in price(context, api)["data"]}
    forget_tasks(context)
    driver = ImportDriver(api, context)
    cheap = [line.replace("o-Works", "cheap") for line in purchases(60)]
    one = driver.bring((HEADER + "\n".join(cheap)).encode())
    assert one["result"]["imported"] == len(cheap)
    assert get(api, "/v1/market")["waiting"] == 2, "not the one of another supplier"
    assert due_tasks(context)
    during = {one["agreementId"]: one for one in price(context, api)["data"]}
    assert get(api, "/v1/market")["waiting"] == 0
    [was], [now] = before[of_product["id"]]["lines"], during[of_product["id"]]["lines"]
    assert now["median"] < was["median"]
    assert during.keys() == before.keys() >= {of_supplier["id"]}
    forget_tasks(context)
    driver.undo(one["id"])
    assert get(api, "/v1/market")["waiting"] == 2
    assert due_tasks(context)
    after = {one["agreementId"]: one for one in price(context, api)["data"]}
    assert after[of_product["id"]]["lines"] == before[of_product["id"]]["lines"]


def test_an_import_of_rates_and_its_undo_change_what_is_converted(
    app: FastAPI, api: TestClient, context: Context, tmp_path: Path
) -> None:
    lines = [row(at, price=100, currency="EUR", buyer=f"B{at % 6}", day="2026-05-11") for at in range(12)]
    imported(context, tmp_path, lines)
    put(api, **{**YEAR, "currency": "EUR", "lines": [line(product(api)["id"], 20_000)]})
    price(context, api)
    driver = ImportDriver(api, context)
    one = driver.bring(b"date,base,currency,rate\n2026-07-14,EUR,USD,1.25\n")
    assert get(api, "/v1/market")["waiting"] == 1
    [priced] = price(context, api)["data"]
    assert priced["savingConverted"]["rate"] == 1.25
    driver.undo(one["id"])
    assert get(api, "/v1/market")["waiting"] == 1
    [priced] = price(context, api)["data"]
    assert "savingConverted" not in priced


@pytest.mark.campaign
def test_what_changes_while_it_is_priced_is_priced_again(
    app: FastAPI, api: TestClient, context: Context, tmp_path: Path
) -> None:
    imported(context, tmp_path, purchases(100))
    put(api, lines=[line(product(api)["id"], 15_000)])
    with context.database.reading() as connection:
        organisation_id = find_organisation(connection, "Acme")
    learn_from_agreements(context, organisation_id)
    cheap = [line.replace("o-Works", "cheap") for line in purchases(60)]
    for waiting in (1, 0):  # the second import brings nothing new
        with before_write(context, 1, lambda: imported(context, tmp_path, cheap, organisation="Acme")) as met:
            assert price_some(context, organisation_id) == 1
        assert met
        assert get(api, "/v1/market")["waiting"] == waiting


def test_many_are_priced_in_turns(app: FastAPI, api: TestClient, context: Context) -> None:
    for name in ("First", "Second", "Third"):
        put(api, name=name)
    forget_tasks(context)
    with context.database.reading() as connection:
        organisation_id = find_organisation(connection, "Acme")
    assert price_some(context, organisation_id, 2) == 2
    assert get(api, "/v1/market")["waiting"] == 1
    assert due_tasks(context) == [context.clock()], "the rest comes at once, behind what others wait for"
    forget_tasks(context)
    assert price_some(context, organisation_id, 2) == 1
    assert due_tasks(context) == []
