"""Cached reads of what follows agreements, which a deployment may lack: ask `queries.has_operation` first."""

from collections.abc import Sequence

from app.contract.agreement_purchases import AgreementPurchase
from app.contract.deal_accuracy import DealAccuracy
from app.contract.page import MAX_LIMIT
from app.contract.price_history import PriceHistory
from app.contract.renewals import AgreementRenewal
from app.dashboard.api.cached_read import OWN_SECONDS, cached_read
from app.dashboard.api.queries import client_for
from app.dashboard.deployment import Deployment


@cached_read(OWN_SECONDS)
def load_renewal(deployment: Deployment, agreement_id: str) -> AgreementRenewal:
    """Load the renewal of an agreement. Needs `GET /v1/agreements/{}/renewal`."""
    return client_for(deployment).renewals.get(agreement_id)


@cached_read(OWN_SECONDS)
def load_price_history(
    deployment: Deployment, agreement_id: str | None, company_id: str | None
) -> PriceHistory:
    """Load what was paid for a unit over time. Needs `GET /v1/price-history`."""
    return client_for(deployment).renewals.price_history(agreement_id=agreement_id, company_id=company_id)


@cached_read(OWN_SECONDS)
def load_agreement_purchases(deployment: Deployment, agreement_id: str) -> Sequence[AgreementPurchase]:
    """Load what the first 100 lines of an agreement became. Needs `GET /v1/agreements/{}/purchases`."""
    return client_for(deployment).renewals.purchases(agreement_id, limit=MAX_LIMIT).data


@cached_read(OWN_SECONDS)
def load_deal_accuracy(deployment: Deployment) -> DealAccuracy:
    """Load how right estimates were before deals. Needs `GET /v1/negotiation/accuracy`."""
    return client_for(deployment).negotiations.accuracy()
