"""An organisation with a record in every state, and the views of the pages that show them."""

from datetime import UTC, datetime

import httpx

from app.dashboard.deployment import Deployment
from app.service.access.keys import find_organisation
from app.service.agreements.market.jobs import price_some
from app.service.negotiation.jobs import plan_negotiation
from app.service.scopes.jobs import extract_document
from tests.browser.test_looks import (
    views_of_agreements,
    views_of_failures,
    views_of_imports,
    views_of_requirements,
)
from tests.dashboard.conftest import RunningService
from tests.dashboard.page_helpers import call_service, create_scope, start_unplanned
from tests.dashboard.seed_data import ACME, PLATFORM
from tests.dashboard.sourcing.requirement_factory import fill_requirement
from tests.service.documents import pdf_builder

QUOTE = pdf_builder.quote(
    ["Description", "Qty", "Unit price", "Amount"],
    [["Training day", "1", "200.00", "200.00"], ["Acme Platform Business", "20", "95.00", "1,900.00"]],
    [("Total", "$2,100.00")],
    above=("Acme Cloud Inc.", "QUOTE Q-7", "Date: 4 March 2026"),
    below=("The subscription term is 24 months. It renews automatically.",),
)


def fill_organisation(service: RunningService, owner: str) -> dict[str, str]:
    """The address of each view by its name; every tab of each is to be opened."""
    deployment = Deployment(service.address, service.key(owner))
    scopes = [create_scope(deployment, users) for users in (20, 35)]
    scopes.append(create_scope(deployment, 40, previousScopeId=scopes[1]))
    documents = {name: _read(deployment, service, name, data) for name, data in _DOCUMENTS.items()}
    waiting = _post_file(deployment, "waiting.pdf", QUOTE)
    states = {
        "planning": start_unplanned(deployment)[0],
        "pending": _plan(deployment, service, scopes[0]),
        "offered": _plan(deployment, service, scopes[0]),
        "agreed": _plan(deployment, service, scopes[1]),
        "cancelled": _plan(deployment, service, scopes[1]),
    }
    for state in ("offered", "agreed"):
        _tell(deployment, states[state], "quote", amount=99_000, currency="USD")
    _tell(deployment, states["agreed"], "decision", decision="go_ahead")
    _tell(deployment, states["agreed"], "agreement", amount=1900, currency="USD")
    _tell(deployment, states["cancelled"], "cancelled", reason="No need any more")
    agreements = views_of_agreements(service, owner)
    _price_agreements(deployment, service, owner)
    requirements = views_of_requirements(service, owner)
    return {
        "overview": "/",
        **agreements,
        **requirements,
        "requirement of 8 × 60": f"/comparison?id={fill_requirement(deployment)['id']}",
        "catalog": "/catalog",
        "company": f"/company?id={ACME}",
        "product": f"/product?id={PLATFORM}",
        "deployment": "/deployment",
        "people": "/people",
        "not found": "/not_found?address=%2Fnosuchpage",
        "savings": "/savings",
        "scopes": "/quotes",
        "negotiations": "/negotiations",
        "scope": f"/quote?id={scopes[2]}",
        "scope waiting": f"/quote?id={waiting}",
        "estimate": f"/estimates?ids={scopes[0]}",
        "estimates": f"/estimates?ids={','.join(scopes)}",
        **{f"scope {name}": f"/quote?id={scope}" for name, scope in documents.items()},
        **{f"negotiation {state}": f"/negotiation?id={one}" for state, one in states.items()},
        **views_of_imports(service, owner),
        **views_of_failures(service, owner),
    }


_DOCUMENTS = {"quote.pdf": QUOTE, "unreadable.pdf": QUOTE[:400]}


def _price_agreements(deployment: Deployment, service: RunningService, owner: str) -> None:
    """Put agreements on record that cost more and less than others pay, and one that cannot be compared, and
    price them as the worker does."""
    for number, amount in enumerate((84_000, 12_000, 31_000)):
        line = {"description": "Acme Platform Business", "quantity": 40, "amount": amount, "recurring": True}
        agreed = {
            "name": f"Acme Platform, order {number + 1}",
            "companyId": ACME,
            "currency": "EUR" if number == 2 else "USD",
            "totalValue": amount,
            "oneTimeValue": 0,
            "costCenter": "Sales",
            "owners": [{"name": "Bea Buyer", "email": "buyer@acme.example"}],
            "termStart": "2026-01-01",
            "termEnd": "2026-12-31",
            "renewalType": "auto_renew",
            "autoRenewalTermMonths": 12,
            "noticePeriod": {"value": 1, "unit": "month"},
            "lines": [{**line, "productId": PLATFORM} if number < 2 else line],
        }
        call_service(deployment, "POST", "/v1/agreements", agreed)
    with service.context.database.reading() as connection:
        organisation_id = find_organisation(connection, owner)
    price_some(service.context, organisation_id)


def _post_file(deployment: Deployment, name: str, data: bytes) -> str:
    headers = {"Authorization": f"Bearer {deployment.api_key}"}
    answer = httpx.post(
        f"{deployment.base_url}/v1/scope/from-document",
        headers=headers,
        files={"file": (name, data)},
        timeout=60,
    )
    return str(answer.raise_for_status().json()["scopeId"])


def _read(deployment: Deployment, service: RunningService, name: str, data: bytes) -> str:
    scope_id = _post_file(deployment, name, data)
    extract_document(service.context, scope_id)
    return scope_id


def _plan(deployment: Deployment, service: RunningService, scope_id: str) -> str:
    [negotiation_id] = start_unplanned(deployment, scope={"scopeId": scope_id})
    plan_negotiation(service.context, negotiation_id)
    return negotiation_id


def _tell(deployment: Deployment, negotiation_id: str, kind: str, **payload: object) -> None:
    body = {
        "timestamp": datetime.now(UTC).isoformat(),
        "externalId": kind,
        "source": "test",
        "schema": {"$id": f"urn:svc:{kind}:1", "type": "object"},
        "payload": payload,
    }
    call_service(deployment, "POST", f"/v1/negotiation/{negotiation_id}/external-update", body)
