"""Every call that changes something and takes an Idempotency-Key, ready to be made again and again."""

import io
from collections.abc import Callable
from typing import Any

from starlette.testclient import TestClient

from app.service.context import Context
from app.service.negotiation.jobs import plan_negotiation
from tests.service.running_service import AGREEMENT, QUOTE

Call = tuple[str, dict[str, Any]]
"""The path, and the arguments of the client's `post`."""

START = {"contactEmail": "a@example.com", "contactName": "A", "engagementType": "strategy_only"}


def with_planned_negotiation(context: Context, api: TestClient, existing: dict[str, Any]) -> dict[str, Any]:
    """`existing`, its negotiation one whose strategy is made, so that it is pending."""
    scope = {"scopeId": existing["scopeId"]}
    started = api.post("/v1/negotiation/start", json={**START, "supplier": {"name": "Works"}, "scope": scope})
    negotiation_id = started.json()["negotiationId"]
    plan_negotiation(context, negotiation_id)
    return {**existing, "negotiationId": negotiation_id}


def write_calls(existing: dict[str, Any]) -> dict[str, Callable[[str], Call]]:
    """Each kind of call, made from a word that no other call has; `existing` as `create_one_of_everything`
    gives it."""
    terms = {
        "scopeTerms": [{"termLength": 12, "purchaseType": "new_purchase"}],
        "productTerms": [
            {"productId": existing["productId"], "pricingDimensions": existing["pricingDimensions"]}
        ],
    }
    webhook = f"/v1/webhooks/{existing['webhookId']}"
    negotiation = f"/v1/negotiation/{existing['negotiationId']}"

    def form(name: str) -> dict[str, Any]:
        return {"files": {"file": (f"{name}.csv", io.BytesIO(QUOTE))}}

    def update(kind: str, payload: dict[str, Any]) -> Callable[[str], Call]:
        return lambda word: (
            f"{negotiation}/external-update",
            {
                "json": {
                    "timestamp": "2026-11-20T09:30:00Z",
                    "externalId": word,
                    "source": "test",
                    "schema": {"$id": f"urn:svc:{kind}:1"},
                    "payload": payload,
                }
            },
        )

    return {
        "scope": lambda _: ("/v1/scope", {"json": terms}),
        "from-document by form": lambda word: ("/v1/scope/from-document", form(word)),
        "from-document": lambda _: ("/v1/scope/from-document", {"json": {"fileUrl": existing["fileUrl"]}}),
        "upload": lambda word: ("/v1/files/upload", form(word)),
        "entry": lambda word: (
            "/v1/catalog/entries",
            {
                "json": {
                    "supplier": {"name": f"Supplier {word}"},
                    "product": {"name": word},
                    "confirmNew": True,
                }
            },
        ),
        "agreement": lambda word: ("/v1/agreements", {"json": {**AGREEMENT, "name": word}}),
        "agreement decision": lambda word: (
            f"/v1/agreements/{existing['agreementId']}/decision",
            {"json": {"decision": "end", "note": word, "noticeGivenOn": "2026-09-01"}},
        ),
        "scope comment": lambda word: (f"/v1/scope/{existing['scopeId']}/comments", {"json": {"text": word}}),
        "negotiation comment": lambda word: (f"{negotiation}/comments", {"json": {"text": word}}),
        "agreement comment": lambda word: (
            f"/v1/agreements/{existing['agreementId']}/comments",
            {"json": {"text": word}},
        ),
        "key": lambda word: ("/v1/keys", {"json": {"name": word, "role": "reader"}}),
        "import": lambda _: ("/v1/imports", {"json": {"fileId": existing["fileId"]}}),
        "webhook": lambda word: (
            "/v1/webhooks",
            {"json": {"url": f"http://example.com/{word}", "events": ["scope.extracted"]}},
        ),
        "rotation": lambda _: (f"{webhook}/secret", {}),
        "test event": lambda _: (f"{webhook}/test", {}),
        "redelivery": lambda _: (f"{webhook}/events/{existing['eventId']}/redeliver", {}),
        "start": lambda _: (
            "/v1/negotiation/start",
            {"json": {**START, "supplier": {"name": "Works"}, "scope": terms}},
        ),
        "note": update("note", {"any": "thing"}),
        "message": update("message", {"from": "supplier", "text": "hello"}),
        "quote": update("quote", {"amount": 1000, "currency": "USD"}),
        "refused update": update("agreement", {"amount": 1000, "currency": "USD"}),
        "attachment": lambda word: (f"{negotiation}/attach", form(word)),
        "strategy": lambda _: (f"{negotiation}/strategy", {"json": {}}),
    }


def make(api: TestClient, call: Call, idempotency_key: str) -> Any:
    path, arguments = call
    return api.post(path, headers={"Idempotency-Key": idempotency_key}, **arguments)
