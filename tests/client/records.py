"""The smallest records of the interface that hold all that is required."""

from typing import Any

ID = "018f2c5e-7b1a-7c3d-9e4f-5a6b7c8d9e0f"
OTHER_ID = "018f2c5e-7b1a-7c3d-9e4f-000000000002"
THEN = "2026-11-20T09:30:00.000Z"

Record = dict[str, Any]


def problem(status: int, detail: str = "There is no such thing.", **more: Any) -> Record:
    return {
        "type": "about:blank",
        "title": "Wrong",
        "status": status,
        "detail": detail,
        "instance": "/v1/somewhere",
        "trace": {"timestamp": THEN, "requestId": "traced-1"},
        **more,
    }


def page(records: list[Record], total: int | None = None, limit: int = 10, offset: int = 0) -> Record:
    count = len(records) if total is None else total
    return {"data": records, "pagination": {"total": count, "limit": limit, "offset": offset}}


def company_in_list(**more: Any) -> Record:
    return {
        "id": ID,
        "name": "Acme",
        "legalName": "Acme Ltd",
        "domain": "acme.example",
        "description": "",
        "discontinued": False,
        "lastUpdatedAt": THEN,
        **more,
    }


def company(**more: Any) -> Record:
    return company_in_list(productFamilies=[], products=[], learningDataSamples=[], competitors=[], **more)


def family(**more: Any) -> Record:
    return {"id": ID, "name": "Suite", "lastUpdatedAt": THEN, **more}


def product_in_list(**more: Any) -> Record:
    return {
        "id": ID,
        "name": "Writer",
        "description": "",
        "pricingDimensions": [],
        "includedFeatures": [],
        "lastUpdatedAt": THEN,
        "competitors": [],
        **more,
    }


def product(**more: Any) -> Record:
    supplier = {"id": ID, "name": "Acme", "legalName": "Acme Ltd", "domain": "acme.example"}
    return product_in_list(company=supplier, **more)


def scope(**more: Any) -> Record:
    return {"id": ID, "source": "manual", "createdOn": THEN, "scopeTerms": [], "productTerms": [], **more}


def new_scope() -> Record:
    return {
        "scopeTerms": [{"termLength": 12, "purchaseType": "renewal"}],
        "productTerms": [{"productId": ID, "pricingDimensions": [{"id": OTHER_ID, "value": 25}]}],
    }


def basic_estimate() -> Record:
    estimate = {"percentile25": 1, "percentile50": 2, "percentile75": 3}
    return {"estimate": estimate, "currency": "USD", "timestamp": THEN}


def advanced_estimate() -> Record:
    return {
        "estimate": {f"percentile{percent}": percent for percent in range(10, 95, 5)},
        "productEstimates": [],
        "currency": "USD",
        "timestamp": THEN,
        "realPurchaseCount": [],
        "realSimilarPurchases": [],
    }


def sample_data() -> dict[str, Any]:
    ids = {"scopeIds": [ID], "negotiationIds": [], "webhookIds": []}
    return {"counted": True, "suppliers": 1, "purchases": 2, **ids}


def second_opinion() -> dict[str, Any]:
    asked = {"address": "https://models.example.com/v1", "model": "small", "hasKey": True}
    return {"enabled": True, **asked, "callsPerDay": 50, "callsToday": 3, "updatedAt": THEN}


def sample_removal() -> dict[str, Any]:
    counts = {"scopes": 1, "negotiations": 0, "webhooks": 0, "files": 1}
    return {**counts, "suppliers": 1, "products": 3, "purchases": 2, "kept": []}


def sample_quote() -> dict[str, Any]:
    return {
        "number": "Q-4107",
        "filename": "Acme-Q-4107.pdf",
        "supplierName": "Acme",
        "productNames": ["Desk"],
        "amount": 1200.0,
        "currency": "USD",
        "quotedOn": "2026-11-21",
        "validUntil": "2026-12-21",
    }


def agreement() -> dict[str, Any]:
    return {
        "id": ID,
        "name": "Pages",
        "status": "active",
        "stage": "not_started",
        "termEnd": "2026-12-31",
        "statement": "The term ends on 31 December 2026.",
        "missing": ["owners"],
        "evidence": {"termEnd": {"page": 1, "box": [1, 2, 3, 4], "confidence": 0.9}},
        "createdAt": THEN,
        "updatedAt": THEN,
    }


def missing_details() -> dict[str, Any]:
    field = {"field": "owners", "total": 1, "deadlines": 0}
    return {**page([agreement()]), "fields": [field], "withoutDeadline": 0}


def market() -> dict[str, Any]:
    return {
        "agreementId": ID,
        "name": "Analytics",
        "status": "active",
        "compared": 0,
        "certainty": "thin",
        "renewal": {"statement": "Whether it renews is not known."},
        "lines": [{"description": "Seats", "statement": "The quantity is not known."}],
        "pricedAt": "2026-11-20T09:30:00.000Z",
    }


def spend() -> dict[str, Any]:
    return {"by": "month", "first": "2026-01", "last": "2026-12", "sums": [], "groups": [], "leftOut": 1}


def agreement_renewal() -> dict[str, Any]:
    return {
        "agreementId": ID,
        "scopeId": OTHER_ID,
        "negotiationId": OTHER_ID,
        "status": "planning",
        "actBy": "2026-09-30",
        "deadlineMissed": False,
        "leftOut": [],
        "statement": "The renewal of “Pages”.",
        "startedAt": THEN,
    }


def agreement_purchase() -> dict[str, Any]:
    return {
        "line": 0,
        "description": "Pages",
        "state": "not_learned",
        "reason": "It costs nothing.",
        "alike": [],
    }


def audit_entry(**more: Any) -> dict[str, Any]:
    return {
        "id": ID,
        "at": THEN,
        "actor": {"kind": "key", "id": OTHER_ID, "name": "reports"},
        "action": "scopes.create",
        "summary": "Make a scope",
        "object": {"kind": "scope", "id": ID},
        "fields": ["name"],
        "requestId": "traced-1",
        **more,
    }


def agent_call(**more: Any) -> dict[str, Any]:
    return {
        "id": ID,
        "at": THEN,
        "actor": {"kind": "key", "id": OTHER_ID, "name": "reports"},
        "tool": "find_products",
        "outcome": "answered",
        "seconds": 0.25,
        **more,
    }


def agent_tool_count(**more: Any) -> dict[str, Any]:
    return {"tool": "find_products", "calls": 1, "failed": 0, "lastAt": THEN, **more}


def api_key(**more: Any) -> dict[str, Any]:
    return {"id": ID, "name": "reports", "hint": "parley_abcde", "role": "reader", "createdAt": THEN, **more}


def approval(**more: Any) -> dict[str, Any]:
    return {
        **{"id": ID, "kind": "webhook", "summary": "Delete a webhook", "name": "https://a.example/hook"},
        **{"details": [], "status": "waiting", "askedBy": {"kind": "key", "id": OTHER_ID, "name": "erp"}},
        **{"askedAt": THEN, "expiresAt": THEN, "mayApprove": True, "mayRefuse": True},
        **{"operation": "webhooks.delete", "path": f"/v1/webhooks/{ID}", **more},
    }


def member(**more: Any) -> dict[str, Any]:
    return {"id": ID, "name": "Bea Buyer", "role": "buyer", "sessions": 1, **more}


def calendar_feed() -> dict[str, Any]:
    return {"id": ID, "createdAt": THEN}


def import_record() -> dict[str, Any]:
    return {
        "id": ID,
        "status": "ready",
        "kind": "purchases",
        "fileId": OTHER_ID,
        "filename": "orders.csv",
        "mapping": {"supplier": "whom"},
        "ignore": [],
        "preview": {
            "columns": [{"name": "whom", "field": "supplier", "use": "field"}],
            "fields": [{"name": "supplier", "required": True}],
            "missing": [],
            "rows": [["Acme"]],
            "total": 1,
            "new": 0,
            "repeated": 0,
            "refused": 1,
            "refusals": [{"line": 2, "reason": "product is missing"}],
        },
        "rowsDone": 0,
        "createdAt": THEN,
        "updatedAt": THEN,
    }


def webhook(**more: Any) -> Record:
    return {"id": "w1", "url": "https://receiver.example/", "events": ["scope.extracted"], **more}


def webhook_event(**more: Any) -> Record:
    return {
        "id": "e1",
        "attempts": 1,
        "responseStatus": 200,
        "lastAttemptAt": THEN,
        "nextAttemptAt": "",
        "successfulAt": THEN,
        "updatedAt": THEN,
        "createdAt": THEN,
        "status": "succeeded",
        **more,
    }


def webhook_detail() -> Record:
    return webhook(enabled=True, createdAt=THEN, health={"attempts": 0, "waiting": 0, "hours": []})


def attempt() -> Record:
    return {
        "number": 1,
        "startedAt": THEN,
        "durationMs": 12,
        "outcome": "succeeded",
        "requestHeaders": {},
        "responseStatus": 200,
    }


def inbox_message() -> Record:
    return {"id": "m1", "receivedAt": THEN, "headers": {}, "body": "{}"}


def sent_request() -> Record:
    return {"headers": {}, "body": {}, "query": "", "parsedQuery": {}, "path": "/"}


def escalation() -> Record:
    return {
        "id": ID,
        "reason": "no_estimate",
        "status": "open",
        "title": "Nothing to go by",
        "options": [],
        "createdAt": THEN,
        "updatedAt": THEN,
    }


def summary() -> Record:
    return {
        "id": ID,
        "status": "pending",
        "createdAt": THEN,
        "updatedAt": THEN,
        "url": "https://dashboard.example/negotiation?id=1",
        "escalations": [],
        "supplier": {},
        "executiveSummaries": [],
        "scope": {},
    }


def health(status: str = "ok") -> Record:
    return {
        "status": status,
        "timestamp": THEN,
        "version": "0.1.0",
        "services": [{"name": "database", "status": status}],
    }


def reading() -> Record:
    return {
        "scopeId": ID,
        "fileId": ID,
        "filename": "quote.pdf",
        "kind": "quote",
        "pages": [{"number": 1, "width": 595, "height": 842}],
        "values": [{"name": "total", "value": 12.5}],
        "lines": [],
        "warnings": [],
    }


def explanation() -> Record:
    return {"currency": "USD", "timestamp": THEN, "products": []}


def product_prices() -> Record:
    kind = {"recurring": True, "purchases": 4, "ownPurchases": 0, "reason": "No price range."}
    return {
        "productId": ID,
        "currency": "USD",
        "timestamp": THEN,
        "purchasesOnRecord": 4,
        "notConverted": 0,
        "ranges": [kind],
    }


def listed_negotiation() -> Record:
    return {
        "id": ID,
        "status": "pending",
        "engagementType": "strategy_only",
        "createdAt": THEN,
        "updatedAt": THEN,
        "supplier": {},
        "openEscalations": 0,
    }


def timeline() -> Record:
    return {
        "negotiationId": ID,
        "status": "pending",
        "engagementType": "strategy_only",
        "contactName": "A Buyer",
        "contactEmail": "buyer@example.com",
        "strategy": {"levers": []},
        "entries": [],
        "documents": [],
        "participants": [],
        "mails": [],
    }


def savings() -> Record:
    return {"total": [], "bySupplier": [], "byMonth": [], "byCategory": [], "negotiations": []}


def comment(**more: Any) -> Record:
    return {
        "id": ID,
        "text": "Finance has agreed.",
        "author": "Bea Buyer",
        "authorKind": "person",
        "createdAt": THEN,
        "mayDelete": True,
        **more,
    }
