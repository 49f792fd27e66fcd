"""The main job over real sockets: from a quote to a price, a negotiation, its renewal and a delivery."""

import json
import time
from pathlib import Path

import pytest
from standardwebhooks import Webhook as Verifier

from app.client import ApiClient, ScopedClient
from app.contract.catalog import PricingDimension
from app.contract.events import EVENT_NAMES
from app.contract.negotiation import StartNegotiation
from app.contract.scope import NewScope
from app.contract.webhooks import WebhookEvent
from tests.flows.deployment import parley_up
from tests.flows.estimable_product import PURCHASES, find_estimable_product, take_real_purchases
from tests.flows.receiver import receiving
from tests.flows.renewal_walk import walk_renewal
from tests.shared_material import shared


def readable_by_others(folder: Path) -> list[Path]:
    """What anybody but the owner may read, write or list."""
    return [path for path in (folder, *folder.rglob("*")) if path.stat().st_mode & 0o077]


QUOTES = ("en-cable-quotation.pdf", "en-sliced-invoice.pdf")


@pytest.mark.timeout(240)
def test_from_a_quote_to_a_price_a_negotiation_and_a_delivery(tmp_path: Path) -> None:
    purchases = take_real_purchases(tmp_path)
    with parley_up(tmp_path / "data", "--empty", umask=0o022) as deployment, receiving() as receiver:
        key = deployment.new_key()
        assert f"{PURCHASES} purchases imported" in deployment.parley("import", "purchases", str(purchases))
        with ApiClient(deployment.service, api_key=key) as parley:
            hook = parley.webhooks.create(receiver.url, EVENT_NAMES)
            assert hook.secret is not None
            verifier = Verifier(hook.secret)

            for name in QUOTES:
                path = shared(f"data/documents/files/{name}")
                truth = json.loads(shared(f"data/documents/truth/{path.stem}.json").read_text())
                uploaded = parley.files.upload(path.read_bytes(), filename=name)
                started = parley.scopes.from_document(parley.files.address(uploaded.id))
                told = receiver.wait_for_word(started.scope_id, "scope.extracted")
                verifier.verify(told.body.decode(), told.headers)
                assert json.loads(told.body) == {
                    "eventType": "scope.extracted",
                    "data": {"scopeId": started.scope_id, "status": "completed"},
                }
                scope = parley.scopes.get(started.scope_id)
                assert scope.document_processing is not None
                assert scope.document_processing.status == "completed"
                assert scope.scope_terms[0].final_price == truth["net_total"]
                reading = parley.scopes.document(started.scope_id)
                assert len(reading.lines) == len(truth["line_items"])

            # Webhooks may go to the loopback here; documents do not come from it.
            refused = parley.scopes.from_document(receiver.url)
            told = receiver.wait_for_word(refused.scope_id, "scope.extracted", '"failed"')
            assert "a loopback address, which is not called" in told.body.decode()

            product = find_estimable_product(parley)
            terms = _terms(product.id, product.pricing_dimensions)
            scope = parley.scopes.create(terms)
            basic = parley.pricing.basic(scope.id).estimate
            advanced = parley.pricing.advanced(scope.id)
            assert 0 < basic.percentile25 <= basic.percentile50 <= basic.percentile75
            assert advanced.estimate.percentile50 == basic.percentile50
            assert advanced.product_estimates[0].status == "success"
            assert advanced.real_similar_purchases
            assert advanced.currency == "USD"

            negotiation_id = parley.negotiations.start(
                StartNegotiation.model_validate(
                    {
                        "supplier": {"name": "The supplier"},
                        "contactEmail": "buyer@example.com",
                        "contactName": "A. Buyer",
                        "engagementType": "strategy_only",
                        "scope": {"scopeId": scope.id},
                    }
                )
            ).negotiation_id
            receiver.wait_for_word(negotiation_id, '"pending"')
            summary = parley.negotiations.summary(negotiation_id)
            assert summary.status == "pending"
            assert summary.executive_summaries
            assert summary.scope.id == scope.id
            assert summary.url.startswith(deployment.dashboard)

            company_id = next(iter(parley.catalog.iter_companies())).id
            walk_renewal(parley, company_id, product, terms, basic.percentile50)

            for record in _succeeded(parley, hook.id, len(QUOTES) + 1):
                read = parley.webhooks.event(hook.id, record.id)
                assert read.response_status == 204
                assert read.data.body["eventType"] in EVENT_NAMES
        assert readable_by_others(deployment.folder) == []


def _terms(product_id: str, dimensions: list[PricingDimension]) -> NewScope:
    required = [one for one in dimensions if one.form_field.required]
    values = [{"id": one.id, "value": 100} for one in required if one.form_field.type == "number"]
    return NewScope.model_validate(
        {
            "scopeTerms": [{"termLength": 12, "purchaseType": "new_purchase"}],
            "productTerms": [{"productId": product_id, "pricingDimensions": values}],
        }
    )


def _succeeded(parley: ScopedClient, webhook_id: str, at_least: int) -> list[WebhookEvent]:
    deadline = time.monotonic() + 30
    while True:
        records = [one for one in parley.webhooks.events(webhook_id).data if one.status == "succeeded"]
        if len(records) >= at_least or time.monotonic() > deadline:
            assert len(records) >= at_least
            return records
        time.sleep(0.1)
