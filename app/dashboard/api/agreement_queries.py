"""Cached reads of agreements, their renewals and prices, which a deployment may lack: ask
`queries.has_operation` first."""

from collections.abc import Sequence
from typing import Unpack

from app.contract.agreement_purchases import AgreementPurchase
from app.contract.agreements import (
    AgreementOccurrence,
    AgreementPage,
    AgreementQuery,
    MovedDeadlines,
    WorkingDaysChange,
)
from app.contract.page import MAX_LIMIT
from app.dashboard.api.cached_read import OWN_SECONDS, cached_read
from app.dashboard.api.queries import client_for, client_read
from app.dashboard.deployment import Deployment


@cached_read(OWN_SECONDS, max_entries=500)
def load_agreements(
    deployment: Deployment, *, limit: int = 25, offset: int = 0, **query: Unpack[AgreementQuery]
) -> AgreementPage:
    """Load a page of the agreements. Needs `GET /v1/agreements`."""
    return client_for(deployment).agreements.list(limit=limit, offset=offset, **query)


load_agreement = client_read(lambda client: client.agreements.get, OWN_SECONDS, max_entries=500)
load_renewals = client_read(lambda client: client.agreements.renewals, OWN_SECONDS)
load_missing_details = client_read(lambda client: client.agreements.missing_details, OWN_SECONDS)
load_calendar_feeds = client_read(lambda client: client.agreements.calendar_feeds, OWN_SECONDS)


@cached_read(OWN_SECONDS)
def load_occurrences(deployment: Deployment, agreement_id: str, limit: int) -> Sequence[AgreementOccurrence]:
    """Load the first terms of an agreement. Needs `GET /v1/agreements/{}/occurrences`."""
    return client_for(deployment).agreements.occurrences(agreement_id, limit=limit).data


load_working_days = client_read(lambda client: client.agreements.working_days, OWN_SECONDS)
load_deadline_mail = client_read(lambda client: client.agreements.deadline_mail, OWN_SECONDS)


def preview_working_days(deployment: Deployment, change: WorkingDaysChange) -> MovedDeadlines:
    """Find which deadlines other working days would move. Needs `POST /v1/working-days/preview`."""
    return client_for(deployment).agreements.preview_working_days(change)


load_market = client_read(lambda client: client.agreements.market, OWN_SECONDS)
load_spend = client_read(lambda client: client.agreements.spend, OWN_SECONDS)
load_renewal = client_read(lambda client: client.renewals.get, OWN_SECONDS)
load_price_history = client_read(lambda client: client.renewals.price_history, OWN_SECONDS)


@cached_read(OWN_SECONDS)
def load_agreement_purchases(deployment: Deployment, agreement_id: str) -> Sequence[AgreementPurchase]:
    """Load what the first 100 lines of an agreement became. Needs `GET /v1/agreements/{}/purchases`."""
    return client_for(deployment).renewals.purchases(agreement_id, limit=MAX_LIMIT).data


load_deal_accuracy = client_read(lambda client: client.negotiations.accuracy, OWN_SECONDS)
