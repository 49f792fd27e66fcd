"""The calibration learnt from purchases is stored, used and shown."""

import random
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

import httpx
import pytest
import sqlalchemy as sa

from app.service.background.tasks import finish_task
from app.service.catalog.estimate_check import ALL_PRODUCTS, CHECK_TASK
from app.service.context import Context
from app.service.database.tables import article, calibration, company, organisation, task
from app.service.database.tables import purchase as purchase_table
from app.service.pricing.calibration_store import (
    STORED_CALIBRATIONS,
    load_accuracy,
    load_latest_calibration,
    store_calibration,
)
from app.service.pricing.estimator.calibration import VERSION, Calibration
from app.service.pricing.relearning import learn_and_store, learn_from_purchases
from app.service.purchase_records import Purchase
from app.service.purchases.importing import ALL_PURCHASES, LEARN_DELAY, LEARN_TASK, PurchaseWriter
from app.service.sample.seeding import ensure_calibration
from tests.service.conftest import key_for
from tests.service.pricing.availability import check_promises

NOW = datetime(2026, 3, 5, 12, tzinfo=UTC)


def bought(number: int) -> list[Purchase]:
    chance = random.Random(5)
    return [
        Purchase(
            id=f"r-{at}",
            purchase_date=date(2024, 1, 1) + timedelta(days=3 * at),
            supplier=f"Supplier {at % 3}",
            product=f"Widget {at % 4}",
            quantity=Decimal(1 + at % 7),
            unit_price=Decimal(str(round((20 + 10 * (at % 4)) * chance.lognormvariate(0, 0.1), 2))),
            total_price=Decimal(1),
            currency="USD",
            order_id=f"o-{at // 2}",
        )
        for at in range(number)
    ]


def imported(context: Context, number: int) -> None:
    write(context, bought(number), None)


def write(context: Context, purchases: list[Purchase], owner: str | None) -> None:
    writer = PurchaseWriter(context.database, owner, NOW)
    writer.write(purchases)
    writer.finish()


@pytest.mark.campaign
def test_an_import_is_learnt_from_measured_and_shown(context: Context, api: httpx.Client) -> None:
    imported(context, 120)
    with context.database.reading() as connection:
        asked = connection.execute(sa.select(task.c.kind, task.c.subject_id)).all()
        assert load_latest_calibration(connection).learnt_on == 0
    assert set(asked) == {(LEARN_TASK, ALL_PURCHASES), (CHECK_TASK, ALL_PRODUCTS)}

    learn_from_purchases(context, ALL_PURCHASES)
    check_promises(api, every=True)
    with context.database.reading() as connection:
        learnt = load_latest_calibration(connection)
        assert load_latest_calibration(connection) is learnt
    assert learnt.learnt_on == 120
    with context.database.reading() as connection:
        measured = load_accuracy(connection, sample=False)
    assert measured.overall is not None
    assert (measured.overall.n, sum(one.n for one in measured.by_level.values())) == (30, 30)
    assert 0 < (measured.overall.mdape or 0) < 0.3
    assert measured.verdicts is not None
    assert 0 <= (measured.wrong_verdicts or 0) <= measured.verdicts


@pytest.mark.campaign
def test_an_estimate_says_that_it_is_not_learnt_yet_and_then_moves_within_its_range(
    context: Context, api: httpx.Client
) -> None:
    imported(context, 120)
    scopes = [make_scope(api, product) for product in find_products(api)]
    before = [api.get(f"/v1/pricing/advanced/{scope}").json()["estimate"] for scope in scopes]
    waiting = [explain(api, scope) for scope in scopes]
    assert {one["learntOn"] for one in waiting} == {0}
    assert {datetime.fromisoformat(one["learningDue"]) for one in waiting} == {NOW + LEARN_DELAY}

    learn_from_purchases(context, ALL_PURCHASES)
    with context.database.writing() as connection:
        finish_task(connection, kind=LEARN_TASK, subject_id=ALL_PURCHASES)
    for scope, then in zip(scopes, before, strict=True):
        learnt = api.get(f"/v1/pricing/advanced/{scope}").json()["estimate"]
        assert then["percentile10"] < learnt["percentile50"] < then["percentile90"]
        explained = explain(api, scope)
        assert explained["learntOn"] == 120
        assert "learningDue" not in explained


def find_products(api: httpx.Client) -> list[Any]:
    companies = api.get("/v1/catalog/companies").json()["data"]
    found = [api.get(f"/v1/catalog/companies/{one['id']}/products").json()["data"] for one in companies]
    assert len(found) == 3
    return [api.get(f"/v1/catalog/products/{one['id']}").json() for products in found for one in products]


def make_scope(api: httpx.Client, product: Any) -> str:
    number = {"id": product["pricingDimensions"][0]["id"], "value": 3}
    body = {
        "scopeTerms": [{"termLength": 12, "purchaseType": "new_purchase"}],
        "productTerms": [{"productId": product["id"], "pricingDimensions": [number]}],
    }
    return str(api.post("/v1/scope", json=body).json()["id"])


def explain(api: httpx.Client, scope: str) -> Any:
    [product] = api.get(f"/v1/pricing/explanation/{scope}").json()["products"]
    return product


def test_what_is_learnt_from_sample_purchases_comes_with_them_and_stays_apart(
    context: Context,
) -> None:
    imported(context, 120)
    with context.database.writing() as connection:
        for table in (company, article):
            connection.execute(table.update().values(sample=True))
        ensure_calibration(connection, NOW)
    learn_and_store(context)
    with context.database.reading() as connection:
        assert load_latest_calibration(connection).learnt_on == 0
        learnt = load_latest_calibration(connection, sample=True)
    assert (learnt.learnt_on, learnt.learnt_until) == (15_000, NOW.date() - timedelta(days=1))
    with context.database.reading() as connection:
        of_sample, of_real = (load_accuracy(connection, sample=sample) for sample in (True, False))
    assert of_real.overall is None, "the sample says nothing of real ones"
    assert of_sample.verdicts
    assert 0 < (of_sample.wrong_verdicts or 0) <= 0.03 * of_sample.verdicts

    real = [replace(one, id=f"real-{one.id}", supplier=f"Real {one.supplier}") for one in bought(50)]
    write(context, real, None)
    learn_and_store(context)
    with context.database.reading() as connection:
        assert load_latest_calibration(connection).learnt_on == 50
        assert load_latest_calibration(connection, sample=True) is learnt


def test_another_process_learns_of_a_new_calibration_and_few_are_kept(context: Context) -> None:
    with context.database.writing() as connection:
        first = load_latest_calibration(connection)
        for minute in range(STORED_CALIBRATIONS + 2):
            store_calibration(connection, first, {}, NOW + timedelta(minutes=minute))
    with context.database.reading() as connection:
        assert load_latest_calibration(connection) is not first
        assert connection.scalar(sa.select(sa.func.count()).select_from(calibration)) == STORED_CALIBRATIONS
        assert load_accuracy(connection, sample=False).overall is None


def test_purchases_of_an_organisation_alone_are_not_learnt_from(context: Context) -> None:
    imported(context, 45)
    key_for(context)
    with context.database.writing() as connection:
        owner = connection.scalar(sa.select(organisation.c.id))
        connection.execute(purchase_table.update().values(organisation_id=owner))
    learn_and_store(context)
    with context.database.reading() as connection:
        assert load_latest_calibration(connection).learnt_on == 0


def test_the_calibration_of_another_version_is_ignored(
    context: Context, caplog: pytest.LogCaptureFixture
) -> None:
    with context.database.writing() as connection:
        store_calibration(connection, Calibration(learnt_on=7), {}, NOW)
        connection.execute(
            calibration.update().values(
                learnt=sa.func.replace(calibration.c.learnt, f'"version": {VERSION}', '"version": 0')
            )
        )
        assert load_latest_calibration(connection).learnt_on == 0
    assert f"version 0, not {VERSION}" in caplog.text
