"""Sample data counts only while there is nothing real, and its removal takes nothing that is real."""

from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from fastapi import FastAPI
from starlette.testclient import TestClient

from app.contract.values import wire_instant
from app.service.access.keys import create_key
from app.service.catalog.entries import company_row, product_row
from app.service.catalog.rows import quantity_dimension
from app.service.context import Context
from app.service.database.tables import audit_entry, company, delivery, product, sample_story, task
from app.service.ids import new_id
from app.service.purchase_records import Purchase
from app.service.purchases.importing import PurchaseWriter
from app.service.sample.removal import DELETE_FILE
from app.service.worker.handlers import HANDLERS
from app.settings import Settings
from tests.service.conftest import key_for
from tests.service.organisation_factory import Organisation, import_rows, make_terms, run_tasks

SUPPLIERS = ("Invented Works", "Imagined Labs")
QUOTE = b"""Supplier,Invented Works
Quote number,Q-1
Date,2026-11-02
Currency,USD

Description,Quantity,Unit,Unit price,Amount
Invented Works Suite,10,user,120,1200
"""


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return settings.model_copy(update={"inbox": True})


def _client(app: FastAPI, key: str) -> TestClient:
    client = TestClient(app, follow_redirects=False)
    client.headers["Authorization"] = f"Bearer {key}"
    return client


@pytest.fixture
def catalog(context: Context) -> dict[str, str]:
    """Two sample suppliers with a product each; the products' ids by the names of the suppliers."""
    now, ids = context.clock(), dict[str, str]()
    with context.database.writing() as connection:
        for name in SUPPLIERS:
            row = company_row(new_id(), name, now, sample=True, details={})
            dimension = quantity_dimension(new_id(), "user")
            sold = product_row(
                new_id(), row, f"{name} Suite", now, sort_order=0, dimensions=[dimension],
                quantity_dimension_id=dimension["id"], stale=True, details={},
            )  # fmt: skip
            connection.execute(company.insert().values(**row))
            connection.execute(product.insert().values(**sold))
            ids[name] = sold["id"]
    writer = PurchaseWriter(context.database, None, now, new_id, sample=True)
    writer.write([_purchase(name, number) for name in SUPPLIERS for number in range(8)])
    writer.finish()
    return ids


def _purchase(supplier: str, number: int) -> Purchase:
    price = Decimal(80 + number)
    return Purchase(
        id="", purchase_date=date(2026, 1 + number, 3), supplier=supplier, product=f"{supplier} Suite",
        quantity=Decimal(10), unit="user", unit_price=price, total_price=10 * price, currency="USD",
        term_months=12, price_period="term", order_id=f"{supplier}-{number}", attributes={},
    )  # fmt: skip


@pytest.fixture
def seeded(app: FastAPI, api: TestClient, context: Context, catalog: dict[str, str]) -> Organisation:
    """The organisation of `api` with a negotiation that was agreed, a quote to review and an inbox, all of it
    made with a sample key."""
    with context.database.writing() as connection:
        _, key = create_key(
            connection, name="s", organisation_name="Acme", role="owner", sample=True, now=context.clock()
        )
    one = Organisation(_client(app, key), context, "Acme", "invented", 1200)
    inbox = one.post("/v1/webhooks/inbox")["id"]
    one.post("/v1/scope/from-document", files={"file": ("quote.csv", QUOTE)})
    scope = one.post("/v1/scope", json=make_terms(one.get(f"/v1/catalog/products/{catalog[SUPPLIERS[0]]}")))
    started = one.post(
        "/v1/negotiation/start",
        json={
            "supplier": {"companyId": one.company("invented")["id"]},
            "contactEmail": "buyer@acme.example",
            "contactName": "B. Buyer",
            "engagementType": "svc_led",
            "scope": {"scopeId": scope["id"]},
        },
    )["negotiationId"]
    run_tasks(context)
    for kind, amount in (("quote", 1200), ("agreement", 1000)):
        body = {
            "timestamp": wire_instant(context.clock() - timedelta(days=3)),
            "externalId": kind,
            "source": "sample data",
            "schema": {"$id": f"urn:svc:{kind}:1"},
            "payload": {"amount": amount, "currency": "USD"},
        }
        one.post(f"/v1/negotiation/{started}/external-update", 204, json=body)
    last = context.clock().date() + timedelta(days=200)
    agreement = {
        **{"name": "Invented", "scopeId": scope["id"], "currency": "USD", "totalValue": 1000},
        **{"termStart": f"{last - timedelta(days=364)}", "termEnd": f"{last}", "renewalType": "auto_renew"},
        **{"autoRenewalTermMonths": 12, "noticePeriod": {"value": 30, "unit": "day"}},
    }
    one.has("agreementId", one.post("/v1/agreements", json=agreement)["id"])
    one.has("negotiationId", started)
    one.has("scopeId", scope["id"])
    one.has("webhookId", inbox)
    with context.database.writing() as connection:
        connection.execute(delivery.update().values(status="succeeded", next_at=None))
    return one


def _numbers(api: TestClient) -> dict[str, Any]:
    """Every number that sample data could be in."""
    overview = api.get("/v1/overview").json()
    savings = api.get("/v1/negotiation/savings").json()
    market = api.get("/v1/market").json()
    week = {"weekend": ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday"]}
    sundays = {"weekend": ["sunday"]}
    return {
        "scopes": overview["scopes"],
        "negotiations": overview["negotiations"],
        "waiting": sum(group["total"] for group in overview["waiting"]),
        "changes": len(overview["changes"]),
        "agreed": len(api.get("/v1/overview/figures").json()["agreed"]),
        "savings": len(savings["total"]) + len(savings["negotiations"]),
        "market": market["pagination"]["total"] + market["waiting"],
        "moved": sum(
            api.post("/v1/working-days/preview", json=days).json()["total"] for days in (week, sundays)
        ),
    }


@pytest.mark.campaign
def test_sample_data_is_in_no_number_once_there_is_real_data(
    app: FastAPI, api: TestClient, seeded: Organisation, context: Context, tmp_path: Path
) -> None:
    assert all(_numbers(api).values())
    before = api.get("/v1/sample").json()
    assert before["counted"]
    assert [len(before[f"{kind}Ids"]) for kind in ("scope", "negotiation", "webhook")] == [2, 1, 1]
    assert (before["suppliers"], before["purchases"]) == (2, 16)
    _client(app, key_for(context, "Other")).post("/v1/scope", json=_terms(api, 1))
    assert all(_numbers(api).values()), "data of another organisation is not ours"
    follow = {**_terms(api, 0), "previousScopeId": seeded.ids["scopeId"][0]}
    assert api.post("/v1/scope", json=follow).status_code == 201
    assert _numbers(api)["scopes"] == len(api.get("/v1/sample").json()["scopeIds"]) == 3, (
        "what follows it is sample"
    )
    import_rows(context, tmp_path, ["2026-05-20,Real,Stool,,2,piece,10,USD,,,"], "Acme")
    assert not any(_numbers(api).values())
    assert not api.get("/v1/sample").json()["counted"]
    assert api.post("/v1/scope", json=_terms(api, 0)).status_code == 201
    assert _numbers(api)["scopes"] == 1
    assert api.get("/v1/scope").json()["pagination"]["total"] == 1, "no list mixes the two"
    assert all(
        api.get(path).json()["pagination"]["total"] == 0 for path in ("/v1/negotiation", "/v1/agreements")
    )
    assert api.get("/v1/webhooks").json() == []
    sample = api.get("/v1/sample").json()
    groups = api.get("/v1/search?q=invented").json()["groups"]
    found = {hit["id"] for group in groups for hit in group["hits"]}
    assert not found & {*sample["scopeIds"], *sample["negotiationIds"]}
    assert api.post("/v1/agreements", json={"name": "Invented too"}).status_code == 201
    groups = api.get("/v1/search?q=invented&limit=1").json()["groups"]
    [group] = [one for one in groups if one["kind"] == "agreement"]
    assert ([hit["name"] for hit in group["hits"]], group["more"]) == (["Invented too"], False)
    assert api.get(f"/v1/scope/{sample['scopeIds'][0]}").status_code == 200, "who names it still sees it"


def _terms(api: TestClient, supplier: int) -> dict[str, Any]:
    [found] = api.get(f"/v1/catalog/companies?name={SUPPLIERS[supplier]}").json()["data"]
    [sold] = api.get(f"/v1/catalog/companies/{found['id']}/products").json()["data"]
    return make_terms(api.get(f"/v1/catalog/products/{sold['id']}").json())


@pytest.mark.campaign
def test_removal_takes_all_that_is_sample_and_nothing_that_is_real(
    app: FastAPI, api: TestClient, seeded: Organisation, context: Context, tmp_path: Path
) -> None:
    import_rows(context, tmp_path, ["2026-05-20,Real,Stool,,2,piece,10,USD,,,"], "Acme")
    other = _client(app, key_for(context, "Other"))
    real = api.post("/v1/scope", json=_terms(api, 1)).json()["id"]
    file = api.get("/v1/scope/{}/document".format(api.get("/v1/sample").json()["scopeIds"][0])).json()
    answer = api.delete("/v1/sample").json()
    assert (answer["scopes"], answer["negotiations"], answer["webhooks"], answer["files"]) == (2, 1, 1, 1)
    assert (answer["suppliers"], answer["products"], answer["purchases"]) == (1, 1, 8)
    [kept] = answer["kept"]
    assert SUPPLIERS[1] in kept
    assert "invented" not in str(api.get("/v1/search?q=invented").json()).lower()
    negotiation = seeded.ids["negotiationId"][0]
    assert api.get(f"/v1/negotiation/{negotiation}/summary").status_code == 404
    assert api.get("/v1/agreements").json()["data"] == []
    assert api.get("/v1/webhooks").json() == []
    assert api.get(f"/v1/files/{file['fileId']}").status_code == 404
    assert [one["id"] for one in api.get("/v1/scope").json()["data"]] == [real]
    assert api.get(f"/v1/scope/{real}").json()["productTerms"][0]["productName"].startswith(SUPPLIERS[1])
    assert api.get(f"/v1/pricing/basic/{real}").status_code == 200, "its supplier stays whole"
    names = {one["name"] for one in other.get("/v1/catalog/companies").json()["data"]}
    assert names == {SUPPLIERS[1]}
    _assert_rows_are_gone(context, seeded, file["fileId"])
    assert api.delete("/v1/sample").json()["scopes"] == 0, "nothing is left to remove"
    with context.database.reading() as connection:
        assert connection.scalar(sa.select(sample_story.c.status)) == "removed"


def _assert_rows_are_gone(context: Context, seeded: Organisation, file_id: str) -> None:
    """No table names a removed record, except the task that deletes the file, which then does so, and the
    audit log, which keeps what was done."""
    gone = {*seeded.ids["agreementId"], *seeded.ids["scopeId"], *seeded.ids["negotiationId"], file_id}
    assert context.files.stat(file_id) is not None
    with context.database.reading() as connection:
        inspector = sa.inspect(connection)
        for name in inspector.get_table_names():
            if name in {task.name, audit_entry.name} or name.startswith("search_"):
                continue
            for row in connection.execute(sa.text(f'SELECT * FROM "{name}"')):
                assert not any(one in str(row) for one in gone), name
        kinds = connection.scalars(sa.select(task.c.kind).where(task.c.subject_id == file_id)).all()
    assert kinds == [DELETE_FILE]
    HANDLERS[DELETE_FILE].run(context, file_id)
    assert context.files.stat(file_id) is None


@pytest.mark.usefixtures("seeded")
def test_a_scope_that_is_a_quote_of_a_requirement_stays(api: TestClient) -> None:
    scopes = api.get("/v1/sample").json()["scopeIds"]
    quoted = [one for one in scopes if api.get(f"/v1/scope/{one}/document").status_code == 200]
    requirement = api.post("/v1/requirements", json={"scopeId": quoted[0]})
    assert requirement.status_code == 201, requirement.text
    answer = api.delete("/v1/sample")
    assert answer.status_code == 200, answer.text
    assert answer.json()["scopes"] == len(scopes) - 1
    table = api.get(f"/v1/requirements/{requirement.json()['id']}/matrix").json()
    assert table["quotes"][0]["total"] == 1200
    assert api.get(f"/v1/scope/{quoted[0]}").status_code == 200
