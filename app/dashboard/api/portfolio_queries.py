"""Cached reads of agreements against the market and of spend, which a deployment may lack: ask
`queries.has_operation` first."""

from typing import Unpack

from app.contract.agreement_market import AgreementMarketPage, MarketQuery
from app.contract.spend import SpendQuery, SpendReport
from app.dashboard.api.cached_read import OWN_SECONDS, cached_read
from app.dashboard.api.queries import client_for
from app.dashboard.deployment import Deployment


@cached_read(OWN_SECONDS)
def load_market(
    deployment: Deployment, *, limit: int = 25, offset: int = 0, **query: Unpack[MarketQuery]
) -> AgreementMarketPage:
    """Load a page of the agreements against the market. Needs `GET /v1/market`."""
    return client_for(deployment).agreements.market(limit=limit, offset=offset, **query)


@cached_read(OWN_SECONDS)
def load_spend(deployment: Deployment, **query: Unpack[SpendQuery]) -> SpendReport:
    """Load what is spent. Needs `GET /v1/spend`."""
    return client_for(deployment).agreements.spend(**query)
