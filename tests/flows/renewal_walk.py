"""A renewal over real sockets: negotiated and agreed, it is known to the next estimate."""

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import TypeVar

from app.client import ScopedClient
from app.contract.agreements import NewAgreement
from app.contract.catalog import ProductInList
from app.contract.negotiation import ExternalUpdate
from app.contract.pricing import PricePreview
from app.contract.scope import NewScope

WAIT_SECONDS = 60
Found = TypeVar("Found")


def walk_renewal(
    parley: ScopedClient, company_id: str, product: ProductInList, bought: NewScope, price: Decimal
) -> None:
    """Put an agreement on record, renew it at this price for the whole scope, and estimate the product
    anew."""
    [term] = bought.product_terms
    yesterday = datetime.now(UTC).date() - timedelta(days=1)
    before = parley.agreements.create(
        NewAgreement.model_validate(
            {
                "name": "The supply of last year",
                "companyId": company_id,
                "owners": [{"name": "A. Buyer", "email": "buyer@example.com"}],
                "currency": "USD",
                "termStart": yesterday - timedelta(days=300),
                "termEnd": yesterday + timedelta(days=60),
                "renewalType": "auto_renew",
                "autoRenewalTermMonths": 12,
                "noticePeriod": {"value": 1, "unit": "month"},
                "lines": [
                    {
                        "productId": product.id,
                        "description": product.name,
                        "quantity": term.pricing_dimensions[0].value,
                    }
                ],
            }
        )
    )
    renewal = parley.renewals.start(before.id)
    assert parley.renewals.start(before.id).negotiation_id == renewal.negotiation_id
    assert renewal.act_by == before.notice_deadline
    _wait_for(lambda: parley.renewals.get(before.id).status == "pending")
    _report(parley, renewal.negotiation_id, "message", {"from": "Seller", "text": "Agreed."})
    deal = {"amount": float(price), "currency": "USD", "signedAt": yesterday.isoformat()}
    _report(parley, renewal.negotiation_id, "agreement", deal)
    after_id = _wait_for(lambda: parley.agreements.get(before.id).next_agreement_id)
    after = parley.agreements.get(after_id)
    assert after.previous_agreement_id == before.id
    assert after.term_start == yesterday + timedelta(days=61)
    assert parley.agreements.get(before.id).stage == "will_renew"

    def find_learned() -> str | None:
        [line] = parley.renewals.purchases(after_id).data
        return line.purchase.id if line.state == "learned" and line.purchase is not None else None

    purchase_id = _wait_for(find_learned)
    priced = parley.pricing.preview(PricePreview(**bought.model_dump()))
    assert purchase_id in {one.id for one in priced.products[0].comparables if one.own}


def _report(parley: ScopedClient, negotiation_id: str, kind: str, payload: dict[str, object]) -> None:
    update = {
        "timestamp": datetime.now(UTC),
        "externalId": kind,
        "source": "test",
        "schema": {"$id": f"urn:svc:{kind}:1", "type": "object"},
        "payload": payload,
    }
    parley.negotiations.external_update(negotiation_id, ExternalUpdate.model_validate(update))


def _wait_for(find: Callable[[], Found | None]) -> Found:
    """Return what is found once it is there."""
    deadline = time.monotonic() + WAIT_SECONDS
    while not (found := find()):
        assert time.monotonic() < deadline, "the worker has not done it"
        time.sleep(0.1)
    return found
