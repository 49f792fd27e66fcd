"""Bodies that an operation accepts, made from what exists: schemas alone cannot say which ids go together."""

from random import Random
from typing import Any

from tests.service.running_service import AGREEMENT, REQUIREMENT, SOURCING_QUOTE

PERSON = {"contactEmail": "buyer@example.com", "contactName": "A. Buyer"}
RENEWAL = PERSON | {"engagementType": "strategy_only"}

COMMENTED = ("/v1/scope/{scopeId}", "/v1/negotiation/{negotiationId}", "/v1/agreements/{agreementId}")


def draw_body(label: str, existing: dict[str, Any], random: Random) -> Any | None:
    """A body of the operation, such as `POST /v1/scope`; None where it takes none. `existing` is as
    `create_one_of_everything` gives it."""
    bodies = _bodies(existing, random).get(label)
    return random.choice(bodies) if bodies else None


def first_body(label: str, existing: dict[str, Any]) -> Any | None:
    """The same, one that what exists cannot make the service refuse."""
    bodies = _bodies(existing, Random(1)).get(label)
    return bodies[0] if bodies else None


def _bodies(existing: dict[str, Any], random: Random) -> dict[str, list[Any]]:
    word = f"{random.getrandbits(40):x}"
    line = {"productId": existing["productId"], "pricingDimensions": existing["pricingDimensions"]}
    term = {
        "termLength": random.choice([1, 12, 36]),
        "purchaseType": random.choice(["new_purchase", "renewal"]),
    }
    price = {"finalPrice": random.choice([0.01, 900, 1e9]), "listPrice": 2000, "discount": 10}
    chosen = line | {"pricingDimensions": existing["chosenDimensions"]}
    plain = {"scopeTerms": [term], "productTerms": [line]}
    priced = {"scopeTerms": [term | price], "productTerms": [line]}
    hook = {"url": f"http://example.com/{word}", "events": ["scope.extracted", "negotiation.summary.updated"]}
    return {
        "POST /v1/scope": [plain, priced, plain | {"previousScopeId": existing["scopeId"]}],
        "POST /v1/scope/from-document": [
            {"fileUrl": existing["fileUrl"]},
            {"fileUrl": f"/v1/files/{existing['fileId']}", "purchaseType": "renewal"},
        ],
        "POST /v1/scope/{scopeId}/document/confirm": [
            {"scopeTerm": term, "lines": [{"index": 0, "role": "product", "productTerm": chosen}]},
            {"scopeTerm": term | price, "lines": [{"index": 0, "role": "left_aside"}]},
        ],
        "POST /v1/scope/{scopeId}/document/list-prices": [
            {"lines": []},
            {"lines": [{"index": 0, "productId": chosen["productId"], "per": "year"}]},
        ],
        "POST /v1/agreements/{agreementId}/renewal": [RENEWAL],
        "PATCH /v1/negotiation/{negotiationId}": [{"owners": [{"name": word}]}, {"owners": None}],
        "PATCH /v1/scope/{scopeId}": [
            {"name": f"Scope {word}"},
            {"owners": [{"name": word}]},
            {"archived": True},
            {"archived": False},
        ],
        **{f"POST {path}/comments": [{"text": f"Is {word} all?\n@nobody <b>"}] for path in COMMENTED},
        "POST /v1/pricing/preview": [plain, priced | {"quoted": 1234, "exclude": [word]}],
        "POST /v1/catalog/entries": [
            {"supplier": {"name": f"Supplier {word}"}, "product": {"name": word}},
            {"supplier": {"companyId": existing["companyId"]}, "product": {"name": word}, "confirmNew": True},
        ],
        "POST /v1/agreements": [
            AGREEMENT | {"name": f"Agreement {word}", "companyId": existing["companyId"], "totalValue": 1e9},
            {"name": word, "renewalType": "evergreen", "previousAgreementId": existing["agreementId"]},
        ],
        "PATCH /v1/agreements/{agreementId}": [{"name": f"Agreement {word}"}, {"tags": [word]}],
        "POST /v1/agreements/{agreementId}/decision": [
            {"decision": random.choice(["renew", "renegotiate"]), "note": word},
            {"decision": "end", "noticeGivenOn": "2026-09-01"},
        ],
        "POST /v1/requirements": [REQUIREMENT | {"name": f"Requirement {word}"}],
        "PATCH /v1/requirements/{requirementId}": [{"name": f"Requirement {word}"}, {"discountRate": None}],
        "POST /v1/requirements/{requirementId}/quotes": [
            SOURCING_QUOTE | {"supplierName": f"Supplier {word}"},
            SOURCING_QUOTE | {"companyId": existing["companyId"], "minimumOrder": 1e9},
        ],
        "PATCH /v1/requirements/{requirementId}/quotes/{quoteId}": [
            {
                "validUntil": None,
                "lines": [{"id": existing["quoteLineId"], "unitPrice": 12.5, "breaks": None}],
            },
            {"supplierName": f"Supplier {word}", "discounts": [{"fromAmount": 1, "percent": 2}]},
        ],
        "PUT /v1/requirements/{requirementId}/alignment": [
            {"lines": [{"quoteLineId": existing["quoteLineId"]}]}
        ],
        "POST /v1/requirements/{requirementId}/scenarios": [
            {"objective": "cheapest_split", "constraints": {"maxSuppliers": random.choice([1, 2])}},
            {"objective": random.choice(["cheapest_single", "earliest"])},
        ],
        "POST /v1/requirements/{requirementId}/award": [
            {"scenarioId": existing["scenarioId"], "reason": word, "make": "agreements"},
            {"award": [existing["quoteLineId"]], "reason": word, "make": "agreements", "decidedBy": word},
        ],
        "PATCH /v1/approval-rules": [{"awards": False}, {"pricesAbove": None}],
        "POST /v1/approvals/{approvalId}/refuse": [{"reason": word}],
        "PATCH /v1/working-days": [
            {"weekend": ["saturday", "sunday"]},
            {"holidays": [{"date": "2026-12-25"}]},
        ],
        "PATCH /v1/second-opinion": [
            {"address": "https://models.example.com/v1", "model": word, "key": None, "enabled": False},
            {"callsPerDay": random.choice([0, 10])},
        ],
        "POST /v1/keys": [{"name": f"Key {word}", "role": random.choice(["reader", "buyer", "owner"])}],
        "POST /v1/agents/calls": [
            {"tool": "find_products", "outcome": "answered", "seconds": random.choice([0, 1.5])},
            {"tool": "check_quote", "outcome": "service_error", "status": 404, "seconds": 2},
        ],
        "POST /v1/imports": [{"fileId": existing["fileId"]}],
        "POST /v1/webhooks": [hook],
        "PATCH /v1/webhooks/{webhookId}": [{"enabled": True}, {"enabled": False}],
        "POST /v1/webhooks/{webhookId}/events/redeliver": [{"since": "2026-01-01T00:00:00Z"}],
        "POST /v1/negotiation/start": _starts(existing, priced),
        "POST /v1/negotiation/{negotiationId}/attach": [{"fileId": existing["fileId"]}],
        "POST /v1/negotiation/{negotiationId}/strategy": [{}, {"scopeId": existing["scopeId"]}],
        "POST /v1/negotiation/{negotiationId}/external-update": _updates(existing, random, word),
    }


def _starts(existing: dict[str, Any], terms: dict[str, Any]) -> list[Any]:
    person = {
        "contactEmail": "buyer@example.com",
        "contactName": "A. Buyer",
        "engagementType": "strategy_only",
    }
    return [
        person | {"supplier": {"companyId": existing["companyId"]}},
        person | {"supplier": {"name": "Works"}, "scope": {"scopeId": existing["scopeId"]}},
        person | {"supplier": {"domain": "works.example"}, "scope": terms, "metadata": {"order": 7}},
        person
        | {"supplier": {"name": "Works", "contactEmail": "seller@example.com"}, "engagementType": "svc_led"}
        | {"scope": {"scopeId": existing["documentScopeId"]}, "file": {"fileId": existing["fileId"]}},
    ]


def _updates(existing: dict[str, Any], random: Random, word: str) -> list[Any]:
    amount = random.choice([0.01, 900, 1100, 999_999_999_999])
    money = {"amount": amount, "currency": "USD"}
    payloads: list[tuple[str, dict[str, Any]]] = [
        ("note", {"any": ["thing", None]}),
        ("message", {"from": "supplier", "text": "We can offer 900 USD."}),
        ("quote", money),
        ("quote", money | {"validUntil": "2027-01-31", "lines": [{"quantity": 2, "amount": amount}]}),
        ("agreement", money),
        ("decision", {"decision": random.choice(["accept", "counter", "walk_away", "go_ahead", "other"])}),
        ("decision", {"decision": "counter", "amount": amount, "escalationId": existing["escalationId"]}),
        ("strategy", {"target": amount, "note": "As agreed with finance."}),
        ("correction", {"externalId": word, "withdrawn": True}),
        ("cancellation", {"reason": "No longer needed."}),
    ]
    return [
        {
            "timestamp": random.choice(["2026-11-20T09:30:00Z", "2026-11-20T10:30:00+01:00"]),
            "externalId": word,
            "source": "erp",
            "schema": {"$id": f"urn:svc:{kind}:1"},
            "payload": payload,
        }
        for kind, payload in payloads
    ]
