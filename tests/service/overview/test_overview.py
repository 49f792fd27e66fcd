"""What waits, what changed, and the figures of an organisation, and nothing of another."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from app.contract.values import wire_instant
from app.service.context import Context
from app.service.database.tables import company, delivery, entry, escalation
from app.service.imports.operator_files import import_files
from tests.service.conftest import key_for
from tests.service.organisation_factory import Organisation, furnish, import_rows, run_tasks


@pytest.fixture
def quokka(app: FastAPI, api: TestClient, context: Context, tmp_path: Path) -> Organisation:
    """An organisation that has something of everything, beside that of `api`, which has nothing."""
    path = tmp_path / "acme.csv"
    path.write_text("name,products\nAcme,Chair\n", encoding="utf-8")
    import_files(context, "catalog", [path])
    client = TestClient(app, follow_redirects=False)
    client.headers["Authorization"] = f"Bearer {key_for(context, 'Quokka Traders')}"
    owner = Organisation(client, context, "Quokka Traders", "quokka", 7654321)
    furnish(owner, tmp_path)
    return owner


def test_what_waits_and_what_changed_is_the_organisations_own(
    quokka: Organisation, api: TestClient, context: Context, tmp_path: Path
) -> None:
    webhook = quokka.ids["webhookId"][0]
    quote = b"Currency,USD\n\nDescription,Quantity,Unit price,Amount\nOak,1,10.00,10.00\nTotal,,,10.00\n"
    unread = quokka.post("/v1/scope/from-document", files={"file": ("second.csv", quote)})["scopeId"]
    run_tasks(context)
    with context.database.writing() as connection:
        connection.execute(
            delivery.update().where(delivery.c.webhook_id == webhook).values(status="failed", next_at=None)
        )
    seen: Any = quokka.get("/v1/overview")
    groups = {group["kind"]: group for group in seen["waiting"]}
    negotiation = quokka.ids["negotiationId"][0]
    assert set(groups) >= {"review", "draft", "webhook", "decision"}
    assert [item["scopeId"] for item in groups["review"]["items"]] == [unread], "the other was confirmed"
    [review] = groups["review"]["items"]
    told = (review["name"], review["currency"], review["amount"])
    assert told == ("second.csv", "USD", 10), "what the quote asks"
    at_stake = {
        (one["negotiationId"], one["currency"], one["amount"])
        for kind in ("decision", "draft")
        for one in groups[kind]["items"]
    }
    # The attached quote prints no total: it asks what its four lines do.
    attached = 4 * quokka.amount
    assert at_stake == {(negotiation, "USD", attached)}
    assert groups["draft"]["total"] == groups["draft"]["items"][0]["count"] >= 1
    assert groups["webhook"]["items"][0]["webhookId"] == webhook
    assert groups["webhook"]["items"][0]["count"] >= 1
    kinds = {change["kind"] for change in seen["changes"]}
    assert kinds >= {"document_read", "decision_needed", "offer"}
    today = context.clock().date()
    body = {"termStart": f"{today - timedelta(days=300)}", "renewalType": "none", "supplierName": "Wool Ltd"}
    before = quokka.get("/v1/overview/figures")["due"]
    for name, days in (("later", 60), ("last", 29), ("first", 3)):
        end = f"{today + timedelta(days=days)}"
        quokka.post("/v1/agreements", json={**body, "name": name, "termEnd": end})
    [deadlines] = [one for one in quokka.get("/v1/overview")["waiting"] if one["kind"] == "deadline"]
    items = {one["name"]: one for one in deadlines["items"]}
    assert [name for name in items if name in {"first", "last", "later"}] == ["first", "last"]
    assert deadlines["total"] == len(items)
    assert items["first"]["detail"].startswith("Renew or replace it by")
    assert items["first"]["agreementId"]
    figures: Any = quokka.get("/v1/overview/figures")
    # What renews costs what the sentence says; of the two that end nothing is known but that they do.
    [renewed] = before
    assert f"{renewed['currency']} {renewed['amount']:,}" in " ".join(one["detail"] for one in items.values())
    assert figures["due"] == [renewed, {"records": 2, "amount": 0, "unpriced": 2}]
    assert figures["atStake"] == [{"currency": "USD", "records": 1, "amount": attached, "unpriced": 0}]
    moments = [change["happenedAt"] for change in seen["changes"]]
    assert moments == sorted(moments, reverse=True)
    assert (seen["scopes"], seen["negotiations"]) == (5, 1)
    first, soon = quokka.ids["escalationId"][0], datetime(2026, 11, 1, tzinfo=UTC)
    with context.database.writing() as connection:
        connection.execute(
            escalation.update().where(escalation.c.id == first).values(status="open", due_at=soon)
        )
    [decisions] = [one for one in quokka.get("/v1/overview")["waiting"] if one["kind"] == "decision"]
    assert decisions["items"][0]["dueAt"] == wire_instant(soon), "the most urgent first"
    later = wire_instant(context.clock() + timedelta(minutes=1)).replace("+", "%2B")
    assert quokka.get(f"/v1/overview?since={later}")["changes"] == []
    long_ago = context.clock() - timedelta(days=300)
    with context.database.writing() as connection:
        connection.execute(entry.update().values(happened_at=long_ago))
    kinds = {change["kind"] for change in quokka.get("/v1/overview")["changes"]}
    assert kinds.isdisjoint({"offer", "agreement"}), "what is reported late happened when it did"
    nothing = {"waiting": [], "changes": [], "moreChanges": False, "scopes": 0, "negotiations": 0}
    assert api.get("/v1/overview").json() == nothing
    figures = api.get("/v1/overview/figures").json()
    assert (figures["agreed"], figures["spent"]) == ([], [])
    assert api.get("/v1/overview?since=yesterday").status_code == 400
    _assert_sample_data_is_in_no_real_figure(quokka, context, tmp_path)


def _assert_sample_data_is_in_no_real_figure(quokka: Organisation, context: Context, folder: Path) -> None:
    before: Any = quokka.get("/v1/overview/figures")
    negotiation = quokka.ids["negotiationId"][0]
    for kind, amount in (("quote", 100), ("agreement", 90)):
        update = {
            "timestamp": wire_instant(context.clock()),
            "externalId": kind,
            "source": "mail",
            "schema": {"$id": f"urn:svc:{kind}:1"},
            "payload": {"amount": amount, "currency": "USD"},
        }
        quokka.post(f"/v1/negotiation/{negotiation}/external-update", 204, json=update)
    after: Any = quokka.get("/v1/overview/figures")
    [real] = after["agreed"]
    assert (real["sample"], real["agreements"], real["agreed"]) == (False, 1, 90)
    today = context.clock().date()
    rows = [
        f"{today},Yearly,Seat,,3,seat,100.50,EUR,,,oak",
        f"{today - timedelta(days=400)},Yearly,Seat,,3,seat,1000,EUR,,,oak",
    ]
    import_rows(context, folder, rows, "Quokka Traders")
    spent = {one["currency"]: one for one in quokka.get("/v1/overview/figures")["spent"]}
    assert spent["EUR"] == {
        "currency": "EUR",
        "purchases": 1,
        "suppliers": 1,
        "amount": 301.5,
        "withoutTerm": 0,
    }
    assert spent["USD"]["amount"] >= before["spent"][0]["amount"]
    with context.database.writing() as connection:
        connection.execute(company.update().values(sample=True))
    sample: Any = quokka.get("/v1/overview/figures")
    assert [(one["sample"], Decimal(one["agreed"])) for one in sample["agreed"]] == [(True, Decimal(90))]
    assert sample["spent"] == []
