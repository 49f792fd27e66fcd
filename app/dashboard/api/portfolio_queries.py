"""Cached reads of agreements against the market and of spend, which a deployment may lack: ask
`queries.has_operation` first."""

from typing import Unpack

import streamlit as st

from app.contract.agreement_market import AgreementMarketPage, MarketQuery
from app.contract.spend import SpendQuery, SpendReport
from app.dashboard.api.queries import OWN_SECONDS, client_for
from app.dashboard.deployment import Deployment


@st.cache_data(ttl=OWN_SECONDS, max_entries=200, show_spinner=False)
def load_market(
    deployment: Deployment, *, limit: int = 25, offset: int = 0, **query: Unpack[MarketQuery]
) -> AgreementMarketPage:
    """Load a page of the agreements against the market. Needs `GET /v1/market`."""
    return client_for(deployment).agreements.market(limit=limit, offset=offset, **query)


@st.cache_data(ttl=OWN_SECONDS, max_entries=200, show_spinner=False)
def load_spend(deployment: Deployment, **query: Unpack[SpendQuery]) -> SpendReport:
    """Load what is spent. Needs `GET /v1/spend`."""
    return client_for(deployment).agreements.spend(**query)
