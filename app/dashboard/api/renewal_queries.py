"""Cached reads of renewals, which a deployment may lack: ask `queries.has_operation` first."""

import streamlit as st

from app.contract.renewals import AgreementRenewal
from app.dashboard.api.queries import OWN_SECONDS, client_for
from app.dashboard.deployment import Deployment


@st.cache_data(ttl=OWN_SECONDS, max_entries=200, show_spinner=False)
def load_renewal(deployment: Deployment, agreement_id: str) -> AgreementRenewal:
    """Load the renewal of an agreement. Needs `GET /v1/agreements/{}/renewal`."""
    return client_for(deployment).renewals.get(agreement_id)
