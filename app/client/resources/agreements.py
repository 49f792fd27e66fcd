"""Agreements with suppliers and their dates: `/v1/agreements`, `/v1/renewals`. All of it is an extension: a
deployment may lack it, see `openapi.offered_operations`."""

from datetime import date
from typing import Unpack

from ...contract.agreement_market import AgreementMarket, AgreementMarketPage, MarketQuery
from ...contract.agreement_purchases import AgreementPurchase, PriceHistory, PurchaseDecision
from ...contract.agreements import (
    Agreement,
    AgreementChange,
    AgreementOccurrence,
    AgreementPage,
    AgreementQuery,
    CalendarFeed,
    DeadlineMail,
    DeadlineMailChange,
    DeletedAgreement,
    DeletedCalendarFeed,
    MissingDetailsPage,
    MissingDetailsQuery,
    MovedDeadlines,
    NewAgreement,
    NewAgreementFromDocument,
    NewDecision,
    RenewalQuery,
    WorkingDays,
    WorkingDaysChange,
)
from ...contract.page import MAX_LIMIT, ListPage
from ...contract.renewals import AgreementRenewal, StartRenewal
from ...contract.spend import SpendQuery, SpendReport
from ..paging import Listing, PagedList
from ..reply import FileContent
from ..request import Call, list_query
from .files import get_file
from .resource import DispatcherT, Resource, delete, get, iteration, operation, patch, post

_agreements = PagedList("/v1/agreements", AgreementPage)
_renewals = PagedList("/v1/renewals", AgreementPage)
_market = PagedList("/v1/market", AgreementMarketPage)
_purchases = PagedList("/v1/agreements/{}/purchases", ListPage[AgreementPurchase])


class Agreements(Resource[DispatcherT]):
    """What was agreed with suppliers, until when, and by when somebody must act."""

    @operation
    def get(self, agreement_id: str, *, as_of: date | None = None) -> Call[Agreement]:
        """An agreement with its dates as of a day, and the decisions on it. NotFound for one of another
        organisation."""
        query = {"asOf": None if as_of is None else as_of.isoformat()}
        return get("/v1/agreements/{}", Agreement, agreement_id, query=query)

    @operation
    def list(
        self, *, limit: int | None = None, offset: int | None = None, **query: Unpack[AgreementQuery]
    ) -> Call[AgreementPage]:
        """A page of the organisation's agreements, first those to act on, with how many there are of each
        status."""
        return get("/v1/agreements", AgreementPage, query=list_query(query, limit, offset))

    @iteration
    def iter(self, *, page_size: int = MAX_LIMIT, **query: Unpack[AgreementQuery]) -> Listing[Agreement]:
        """Every agreement of the organisation, page by page."""
        return _agreements.all(query, page_size)

    @operation
    def export_csv(self, **query: Unpack[AgreementQuery]) -> Call[FileContent]:
        """The agreements of a list as CSV, a row for each line, which an import reads back."""
        return get_file("/v1/agreements.csv", query=list_query(query, None, None))

    @operation
    def export_xlsx(self, **query: Unpack[AgreementQuery]) -> Call[FileContent]:
        """The same table as a workbook."""
        return get_file("/v1/agreements.xlsx", query=list_query(query, None, None))

    @operation
    def export_ocds(self, **query: Unpack[AgreementQuery]) -> Call[FileContent]:
        """The agreements of a list as a release package of the Open Contracting Data Standard 1.1."""
        return get_file("/v1/agreements.ocds.json", query=list_query(query, None, None))

    @operation
    def create(self, agreement: NewAgreement, *, idempotency_key: str | None = None) -> Call[Agreement]:
        """Put an agreement on record. BadRequest names each place that is wrong."""
        return post("/v1/agreements", Agreement, body=agreement, key=idempotency_key)

    @operation
    def from_document(self, scope_id: str, *, idempotency_key: str | None = None) -> Call[Agreement]:
        """Put the agreement on record that a scope with a confirmed document describes. Conflict where the
        document is not confirmed, or was put on record before."""
        return post(
            "/v1/agreements/from-document",
            Agreement,
            body=NewAgreementFromDocument(scope_id=scope_id),
            key=idempotency_key,
        )

    @operation
    def update(self, agreement_id: str, change: AgreementChange) -> Call[Agreement]:
        """Change the fields that `change` was given; those given as None are removed. BadRequest names each
        place that is wrong."""
        return patch("/v1/agreements/{}", Agreement, agreement_id, body=change)

    @operation
    def delete(self, agreement_id: str) -> Call[DeletedAgreement]:
        """Delete an agreement for good, with the decisions on it and the purchases made of its lines."""
        return delete("/v1/agreements/{}", DeletedAgreement, agreement_id)

    @operation
    def occurrences(
        self, agreement_id: str, *, limit: int | None = None, offset: int | None = None
    ) -> Call[ListPage[AgreementOccurrence]]:
        """A page of the terms of an agreement, the first first."""
        path = "/v1/agreements/{}/occurrences"
        return get(path, ListPage[AgreementOccurrence], agreement_id, query=list_query({}, limit, offset))

    @operation
    def decide(
        self, agreement_id: str, decision: NewDecision, *, idempotency_key: str | None = None
    ) -> Call[Agreement]:
        """Store what is to become of an agreement when its current term ends."""
        return post("/v1/agreements/{}/decision", Agreement, agreement_id, body=decision, key=idempotency_key)

    @operation
    def renewals(
        self, *, limit: int | None = None, offset: int | None = None, **query: Unpack[RenewalQuery]
    ) -> Call[AgreementPage]:
        """A page of the agreements on which somebody must act soon, by the day by which to act."""
        return get("/v1/renewals", AgreementPage, query=list_query(query, limit, offset))

    @iteration
    def iter_renewals(
        self, *, page_size: int = MAX_LIMIT, **query: Unpack[RenewalQuery]
    ) -> Listing[Agreement]:
        """Every agreement on which somebody must act soon, page by page."""
        return _renewals.all(query, page_size)

    @operation
    def missing_details(
        self, *, limit: int | None = None, offset: int | None = None, **query: Unpack[MissingDetailsQuery]
    ) -> Call[MissingDetailsPage]:
        """A page of the agreements of which something is not known, those that cost most each year first,
        with how many deadlines cannot be computed because of that."""
        return get("/v1/missing-details", MissingDetailsPage, query=list_query(query, limit, offset))

    @operation
    def market(
        self, *, limit: int | None = None, offset: int | None = None, **query: Unpack[MarketQuery]
    ) -> Call[AgreementMarketPage]:
        """A page of the agreements with what they would cost today, those first where most can be saved."""
        return get("/v1/market", AgreementMarketPage, query=list_query(query, limit, offset))

    @iteration
    def iter_market(
        self, *, page_size: int = MAX_LIMIT, **query: Unpack[MarketQuery]
    ) -> Listing[AgreementMarket]:
        """Every priced agreement, page by page."""
        return _market.all(query, page_size)

    @operation
    def spend(self, **query: Unpack[SpendQuery]) -> Call[SpendReport]:
        """What is spent in some months, in groups."""
        return get("/v1/spend", SpendReport, query=list_query(query, None, None))

    @operation
    def working_days(self) -> Call[WorkingDays]:
        """The days on which the organisation does not work."""
        return get("/v1/working-days", WorkingDays)

    @operation
    def update_working_days(self, change: WorkingDaysChange) -> Call[WorkingDays]:
        """State the weekend or all holidays of the organisation, or both; what is left out stays."""
        return patch("/v1/working-days", WorkingDays, body=change)

    @operation
    def preview_working_days(self, change: WorkingDaysChange) -> Call[MovedDeadlines]:
        """The deadlines that other working days would move. Nothing is changed."""
        return post("/v1/working-days/preview", MovedDeadlines, body=change)

    @operation
    def deadline_mail(self) -> Call[DeadlineMail]:
        """Whether the owners of agreements get mail about their deadlines."""
        return get("/v1/deadline-mail", DeadlineMail)

    @operation
    def switch_deadline_mail(self, *, enabled: bool) -> Call[DeadlineMail]:
        """Switch the mail to the owners of agreements on or off, for the whole organisation."""
        return patch("/v1/deadline-mail", DeadlineMail, body=DeadlineMailChange(enabled=enabled))

    @operation
    def calendar_feeds(
        self, *, limit: int | None = None, offset: int | None = None
    ) -> Call[ListPage[CalendarFeed]]:
        """A page of the organisation's feeds of deadlines, newest first, without their addresses."""
        return get("/v1/calendar-feeds", ListPage[CalendarFeed], query=list_query({}, limit, offset))

    @operation
    def create_calendar_feed(self, *, idempotency_key: str | None = None) -> Call[CalendarFeed]:
        """Make a feed of deadlines that calendar programs subscribe to; `url` is its address, shown once."""
        return post("/v1/calendar-feeds", CalendarFeed, key=idempotency_key)

    @operation
    def revoke_calendar_feed(self, feed_id: str) -> Call[DeletedCalendarFeed]:
        """Revoke a feed: its address answers 404 from then on."""
        return delete("/v1/calendar-feeds/{}", DeletedCalendarFeed, feed_id)


_PATH = "/v1/agreements/{}/renewal"


class Renewals(Resource[DispatcherT]):
    """The follow-up scope of an agreement, the negotiation about it, and the purchases of agreements."""

    @operation
    def start(
        self, agreement_id: str, renewal: StartRenewal | None = None, *, idempotency_key: str | None = None
    ) -> Call[AgreementRenewal]:
        """Start the renewal of an agreement; asked again, it is the same. Conflict where the agreement ended,
        has no line to renew, or is followed already."""
        return post(
            _PATH, AgreementRenewal, agreement_id, body=renewal or StartRenewal(), key=idempotency_key
        )

    @operation
    def purchases(
        self, agreement_id: str, *, limit: int | None = None, offset: int | None = None
    ) -> Call[ListPage[AgreementPurchase]]:
        """A page of an agreement's lines with the purchases that they became."""
        return _purchases.page({}, limit, offset, values=(agreement_id,))

    @iteration
    def iter_purchases(self, agreement_id: str, *, page_size: int = MAX_LIMIT) -> Listing[AgreementPurchase]:
        """Every line of an agreement with the purchase that it became, page by page."""
        return _purchases.all({}, page_size, values=(agreement_id,))

    @operation
    def decide_purchase(
        self, agreement_id: str, decision: PurchaseDecision, *, idempotency_key: str | None = None
    ) -> Call[AgreementPurchase]:
        """Decide of a purchase that may be that of a line whether it is. BadRequest where nothing is to be
        decided."""
        path = "/v1/agreements/{}/purchases/decision"
        return post(path, AgreementPurchase, agreement_id, body=decision, key=idempotency_key)

    @operation
    def price_history(
        self, *, agreement_id: str | None = None, company_id: str | None = None
    ) -> Call[PriceHistory]:
        """What was paid for a unit over time, of an agreement with those before and after it, or of a
        supplier. BadRequest unless one of them is named."""
        named = {"agreementId": agreement_id, "companyId": company_id}
        query = {name: value for name, value in named.items() if value is not None}
        return get("/v1/price-history", PriceHistory, query=query)

    @operation
    def get(self, agreement_id: str) -> Call[AgreementRenewal]:
        """The renewal that was started. NotFound where there is none, or its negotiation was cancelled."""
        return get(_PATH, AgreementRenewal, agreement_id)
