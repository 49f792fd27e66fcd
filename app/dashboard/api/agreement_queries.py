"""Cached reads of agreements, their renewals and prices, which a deployment may lack: ask
`queries.has_operation` first."""

from collections.abc import Sequence
from typing import Unpack

from app.contract.agreement_market import AgreementMarketPage, MarketQuery
from app.contract.agreement_purchases import AgreementPurchase
from app.contract.agreements import (
    Agreement,
    AgreementOccurrence,
    AgreementPage,
    AgreementQuery,
    CalendarFeed,
    DeadlineMail,
    MovedDeadlines,
    WorkingDays,
    WorkingDaysChange,
)
from app.contract.deal_accuracy import DealAccuracy
from app.contract.missing_details import MissingDetailsPage, MissingDetailsQuery
from app.contract.page import MAX_LIMIT, ListPage
from app.contract.price_history import PriceHistory
from app.contract.renewals import AgreementRenewal
from app.contract.spend import SpendQuery, SpendReport
from app.dashboard.api.cached_read import OWN_SECONDS, cached_read
from app.dashboard.api.queries import client_for
from app.dashboard.deployment import Deployment


@cached_read(OWN_SECONDS, max_entries=500)
def load_agreements(
    deployment: Deployment, *, limit: int = 25, offset: int = 0, **query: Unpack[AgreementQuery]
) -> AgreementPage:
    """Load a page of the agreements. Needs `GET /v1/agreements`."""
    return client_for(deployment).agreements.list(limit=limit, offset=offset, **query)


@cached_read(OWN_SECONDS, max_entries=500)
def load_agreement(deployment: Deployment, agreement_id: str) -> Agreement:
    """Load one agreement with its decisions. Needs `GET /v1/agreements/{}`."""
    return client_for(deployment).agreements.get(agreement_id)


@cached_read(OWN_SECONDS)
def load_renewals(deployment: Deployment, *, within: int, limit: int, offset: int = 0) -> AgreementPage:
    """Load a page of the agreements on which somebody must act within so many days. Needs
    `GET /v1/renewals`."""
    return client_for(deployment).agreements.renewals(within=within, limit=limit, offset=offset)


@cached_read(OWN_SECONDS)
def load_missing_details(
    deployment: Deployment, *, limit: int, offset: int = 0, **query: Unpack[MissingDetailsQuery]
) -> MissingDetailsPage:
    """Load a page of the agreements of which something is not known. Needs `GET /v1/missing-details`."""
    return client_for(deployment).agreements.missing_details(limit=limit, offset=offset, **query)


@cached_read(OWN_SECONDS)
def load_calendar_feeds(deployment: Deployment, limit: int) -> ListPage[CalendarFeed]:
    """Load the newest calendar feeds. Needs `GET /v1/calendar-feeds`."""
    return client_for(deployment).agreements.calendar_feeds(limit=limit)


@cached_read(OWN_SECONDS)
def load_occurrences(deployment: Deployment, agreement_id: str, limit: int) -> Sequence[AgreementOccurrence]:
    """Load the first terms of an agreement. Needs `GET /v1/agreements/{}/occurrences`."""
    return client_for(deployment).agreements.occurrences(agreement_id, limit=limit).data


@cached_read(OWN_SECONDS)
def load_working_days(deployment: Deployment) -> WorkingDays:
    """Load the days on which the organisation does not work. Needs `GET /v1/working-days`."""
    return client_for(deployment).agreements.working_days()


@cached_read(OWN_SECONDS)
def load_deadline_mail(deployment: Deployment) -> DeadlineMail:
    """Load whether owners get mail about deadlines. Needs `GET /v1/deadline-mail`."""
    return client_for(deployment).agreements.deadline_mail()


def preview_working_days(deployment: Deployment, change: WorkingDaysChange) -> MovedDeadlines:
    """Find which deadlines other working days would move. Needs `POST /v1/working-days/preview`."""
    return client_for(deployment).agreements.preview_working_days(change)


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
