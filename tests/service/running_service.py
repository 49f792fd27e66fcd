"""A running service with one of everything, for tests that call every operation."""

import io
import socket
import threading
import time
from collections.abc import Collection, Generator
from contextlib import contextmanager
from typing import Any

import httpx
import uvicorn
from starlette.testclient import TestClient
from starlette.types import ASGIApp

from app.http_server.connections import ConnectionLimits
from app.http_server.protocol import configure_server
from app.service.access.keys import find_organisation
from app.service.context import Context
from app.service.database.tables import membership, user_account
from app.service.ids import new_id
from app.service.imports.operator_files import import_files
from app.service.negotiation.jobs import plan_negotiation
from app.service.scopes.jobs import extract_document

PURCHASES = """\
purchase_date,supplier,product,product_family,category,quantity,unit,unit_price,currency,term_months,edition
{rows}
"""
QUOTE = b"description,quantity,unit price,amount\nAnalytics Suite,10,100.00,1000.00\n"

REQUIREMENT = {
    "name": "Analytics for two years",
    "currency": "USD",
    "termMonths": 24,
    "lines": [{"description": "Analytics seats", "quantity": 10, "unit": "seat"}],
}
SOURCING_QUOTE = {
    "supplierName": "Acme",
    "currency": "USD",
    "lines": [{"description": "Analytics seats", "quantity": 10, "unitPrice": 9, "recurring": "month"}],
}
AGREEMENT = {
    "name": "Analytics",
    "termStart": "2026-01-01",
    "termEnd": "2026-12-31",
    "renewalType": "auto_renew",
    "autoRenewalTermMonths": 12,
    "noticePeriod": {"value": 3, "unit": "month"},
}


def purchase_rows() -> str:
    """Twelve purchases of one product, three of another."""
    rows = [
        f"2026-0{1 + n % 9}-11,Works,Analytics Suite,Suites,Software,{10 + n},user,{100 - n},USD,12,gold"
        for n in range(12)
    ]
    rows += [
        f"2026-0{1 + n}-12,Works,Report Pack,Suites,Software,{5 + n},user,20,USD,,basic" for n in range(3)
    ]
    return PURCHASES.format(rows="\n".join(rows))


@contextmanager
def serving(
    app: ASGIApp,
    limits: ConnectionLimits | None = None,
    *,
    websockets: bool = False,
    origins: Collection[str] = (),
) -> Generator[str]:
    """The app on a socket of the loopback, served as the service is; its address."""
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    server = uvicorn.Server(
        configure_server(
            app,
            limits or ConnectionLimits(),
            origins=origins,
            log_level="critical",
            ws="websockets-sansio" if websockets else "none",
        )
    )
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    deadline = time.monotonic() + 30
    while not server.started:
        assert thread.is_alive(), "the service did not start"
        assert time.monotonic() < deadline, "the service did not start in time"
        time.sleep(0.01)
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(30)
        listener.close()


def create_one_of_everything(context: Context, api: httpx.Client | TestClient, folder: Any) -> dict[str, Any]:
    """Makes one of everything through the interface; what exists, by the name that parameters give it."""
    path = folder / "purchases.csv"
    path.write_text(purchase_rows())
    import_files(context, "purchases", [path])
    company = _get(api, "/v1/catalog/companies")["data"][0]
    family = _get(api, f"/v1/catalog/companies/{company['id']}/product-families")["data"][0]
    products = _get(api, f"/v1/catalog/companies/{company['id']}/products")["data"]
    product = next(one for one in products if one["name"] == "Analytics Suite")
    category = _get(api, "/v1/catalog/categories")["data"][0]
    dimensions = [
        {"id": one["id"], "value": 10}
        for one in product["pricingDimensions"]
        if one["formField"]["type"] == "number" and one["formField"]["required"]
    ]
    scope = _post(
        api,
        "/v1/scope",
        {
            "scopeTerms": [{"termLength": 12, "purchaseType": "new_purchase"}],
            "productTerms": [{"productId": product["id"], "pricingDimensions": dimensions}],
        },
    )
    webhook = _post(
        api,
        "/v1/webhooks",
        {"url": "http://127.0.0.1:9/hook", "events": ["scope.extracted", "negotiation.summary.updated"]},
    )
    uploaded = api.post("/v1/files/upload", files={"file": ("quote.csv", io.BytesIO(QUOTE))}).json()
    document = _post(api, "/v1/scope/from-document", {"fileUrl": f"{api.base_url}/v1/files/{uploaded['id']}"})
    extract_document(context, document["scopeId"])
    started = _post(
        api,
        "/v1/negotiation/start",
        {
            "supplier": {"companyId": company["id"]},
            "contactEmail": "buyer@example.com",
            "contactName": "A. Buyer",
            "engagementType": "strategy_only",
        },
    )
    plan_negotiation(context, started["negotiationId"])
    escalations = _get(api, f"/v1/negotiation/{started['negotiationId']}/escalations")["data"]
    events = _get(api, f"/v1/webhooks/{webhook['id']}/events")
    requirement = _post(api, "/v1/requirements", REQUIREMENT)
    path = f"/v1/requirements/{requirement['id']}"
    quote = _post(api, f"{path}/quotes", SOURCING_QUOTE)
    return {
        "companyId": company["id"],
        "productFamilyId": family["id"],
        "productId": product["id"],
        "categoryId": category["id"],
        "parentCategoryId": category["id"],
        "ids": [company["id"], product["id"], family["id"]],
        "pricingDimensions": dimensions,
        "chosenDimensions": [*dimensions, *_choose_options(product)],
        "scopeId": scope["id"],
        "previousScopeId": scope["id"],
        "documentScopeId": document["scopeId"],
        "webhookId": webhook["id"],
        "eventId": events[0]["id"],
        "fileId": uploaded["id"],
        "fileUrl": f"{api.base_url}/v1/files/{uploaded['id']}",
        "importId": _post(api, "/v1/imports", {"fileId": uploaded["id"]})["id"],
        "negotiationId": started["negotiationId"],
        "escalationId": escalations[0]["id"],
        "agreementId": _post(api, "/v1/agreements", AGREEMENT)["id"],
        "approvalId": leave_waiting(
            context, api, _get(api, "/v1/access")["organisation"], "http://example.com/waiting"
        ),
        "commentId": _post(api, f"/v1/scope/{scope['id']}/comments", {"text": "Is this all?"})["id"],
        "requirementId": requirement["id"],
        "quoteId": quote["id"],
        "quoteLineId": quote["lines"][0]["id"],
        "scenarioId": _post(api, f"{path}/scenarios", {"objective": "cheapest_split"})["id"],
        "keyId": _post(api, "/v1/keys", {"name": "reports", "role": "reader"})["id"],
        "memberId": add_member(context, _get(api, "/v1/access")["organisation"], "A. Member"),
        "feedId": _post(api, "/v1/calendar-feeds", {})["id"],
        "quoteNumber": "Q-4107",
    }


def add_member(context: Context, organisation_name: str, name: str, role: str = "buyer") -> str:
    """The id of a person who has signed in once, as the identity provider would have let them."""
    user_id, now = new_id(), context.clock()
    with context.database.writing() as connection:
        organisation_id = find_organisation(connection, organisation_name)
        connection.execute(user_account.insert().values(id=user_id, name=name, created_at=now))
        connection.execute(
            membership.insert().values(
                user_id=user_id, organisation_id=organisation_id, role=role, created_at=now
            )
        )
    return user_id


def leave_waiting(context: Context, api: Any, organisation_name: str, url: str) -> str:
    """The id of an approval: a call for a webhook that waits for a second person, of whom there is none any
    more, so that nothing else waits."""
    people = [add_member(context, organisation_name, name, "admin") for name in ("A. Admin", "B. Admin")]
    assert api.patch("/v1/approval-rules", json={"webhooks": True}).status_code == 200
    asked = api.post("/v1/webhooks", json={"url": url, "events": ["scope.extracted"]})
    assert api.patch("/v1/approval-rules", json={"webhooks": False}).status_code == 200
    with context.database.writing() as connection:
        connection.execute(membership.delete().where(membership.c.user_id.in_(people)))
    return asked.json()["approvalId"]


def _choose_options(product: Any) -> list[dict[str, Any]]:
    """The first option of each choice, without which no line of a document is confirmed."""
    fields = [(one["id"], one["formField"]) for one in product["pricingDimensions"]]
    return [
        {"id": id, "value": field["options"][0]["value"]} for id, field in fields if field["type"] == "select"
    ]


def _get(api: httpx.Client | TestClient, path: str) -> Any:
    answer = api.get(path)
    assert answer.status_code == 200, answer.text
    return answer.json()


def _post(api: httpx.Client | TestClient, path: str, body: dict[str, Any]) -> Any:
    answer = api.post(path, json=body)
    assert answer.status_code == 201, answer.text
    return answer.json()
