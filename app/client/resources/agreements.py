"""Agreements with suppliers and their dates: `/v1/agreements`, `/v1/renewals`. All of it is an extension: a
deployment may lack it, see `openapi.offered_operations`."""

from datetime import date
from typing import Unpack

from ...contract.agreement_market import AgreementMarket, AgreementMarketPage, MarketQuery
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
    MovedDeadlines,
    NewAgreement,
    NewAgreementFromDocument,
    NewDecision,
    RenewalQuery,
    WorkingDays,
    WorkingDaysChange,
)
from ...contract.missing_details import MissingDetailsPage, MissingDetailsQuery
from ...contract.page import MAX_LIMIT, ListPage
from ...contract.spend import SpendQuery, SpendReport
from ..paging import AllRecords, PagedList
from ..reply import FileContent, read_as
from ..request import Call, list_query
from .files import read_file_content
from .resource import DispatcherT, Resource, iteration, operation

_agreement = read_as(Agreement)
_missing = read_as(MissingDetailsPage)
_page = read_as(AgreementPage)
_agreements = PagedList("/v1/agreements", _page)
_renewals = PagedList("/v1/renewals", _page)
_market_page = read_as(AgreementMarketPage)
_market = PagedList("/v1/market", _market_page)
_spend = read_as(SpendReport)
_occurrences = read_as(ListPage[AgreementOccurrence])
_working_days = read_as(WorkingDays)
_moved = read_as(MovedDeadlines)
_deadline_mail = read_as(DeadlineMail)
_feed = read_as(CalendarFeed)
_feeds = read_as(ListPage[CalendarFeed])
_deleted_agreement = read_as(DeletedAgreement)
_deleted_feed = read_as(DeletedCalendarFeed)


def _export(path: str, query: AgreementQuery) -> Call[FileContent]:
    return Call("GET", path, (), read_file_content, query=list_query(query, None, None), accept="*/*")


class Agreements(Resource[DispatcherT]):
    """What was agreed with suppliers, until when, and by when somebody must act."""

    @operation
    def get(self, agreement_id: str, *, as_of: date | None = None) -> Call[Agreement]:
        """An agreement with its dates as of a day, and the decisions on it. NotFound for one of another
        organisation."""
        query = {} if as_of is None else {"asOf": as_of.isoformat()}
        return Call("GET", "/v1/agreements/{}", (agreement_id,), _agreement, query=query)

    @operation
    def list(
        self, *, limit: int | None = None, offset: int | None = None, **query: Unpack[AgreementQuery]
    ) -> Call[AgreementPage]:
        """A page of the organisation's agreements, first those to act on, with how many there are of each
        status."""
        return Call("GET", "/v1/agreements", (), _page, query=list_query(query, limit, offset))

    @iteration
    def iter(self, *, page_size: int = MAX_LIMIT, **query: Unpack[AgreementQuery]) -> AllRecords[Agreement]:
        """Every agreement of the organisation, page by page."""
        return _agreements.all(query, page_size)

    @operation
    def export_csv(self, **query: Unpack[AgreementQuery]) -> Call[FileContent]:
        """The agreements of a list as CSV, a row for each line, which an import reads back."""
        return _export("/v1/agreements.csv", query)

    @operation
    def export_xlsx(self, **query: Unpack[AgreementQuery]) -> Call[FileContent]:
        """The same table as a workbook."""
        return _export("/v1/agreements.xlsx", query)

    @operation
    def export_ocds(self, **query: Unpack[AgreementQuery]) -> Call[FileContent]:
        """The agreements of a list as a release package of the Open Contracting Data Standard 1.1."""
        return _export("/v1/agreements.ocds.json", query)

    @operation
    def create(self, agreement: NewAgreement, *, idempotency_key: str | None = None) -> Call[Agreement]:
        """Put an agreement on record. BadRequest names each place that is wrong."""
        return Call(
            "POST", "/v1/agreements", (), _agreement, json=agreement.wire(), idempotency_key=idempotency_key
        )

    @operation
    def from_document(self, scope_id: str, *, idempotency_key: str | None = None) -> Call[Agreement]:
        """Put the agreement on record that a scope with a confirmed document describes. Conflict where the
        document is not confirmed, or was put on record before."""
        return Call(
            "POST",
            "/v1/agreements/from-document",
            (),
            _agreement,
            json=NewAgreementFromDocument(scope_id=scope_id).wire(),
            idempotency_key=idempotency_key,
        )

    @operation
    def update(self, agreement_id: str, change: AgreementChange) -> Call[Agreement]:
        """Change the fields that `change` was given; those given as None are removed. BadRequest names each
        place that is wrong."""
        return Call("PATCH", "/v1/agreements/{}", (agreement_id,), _agreement, json=change.wire())

    @operation
    def delete(self, agreement_id: str) -> Call[DeletedAgreement]:
        """Delete an agreement for good, with the decisions on it and the purchases made of its lines."""
        return Call("DELETE", "/v1/agreements/{}", (agreement_id,), _deleted_agreement)

    @operation
    def occurrences(
        self, agreement_id: str, *, limit: int | None = None, offset: int | None = None
    ) -> Call[ListPage[AgreementOccurrence]]:
        """A page of the terms of an agreement, the first first."""
        path = "/v1/agreements/{}/occurrences"
        return Call("GET", path, (agreement_id,), _occurrences, query=list_query({}, limit, offset))

    @operation
    def decide(
        self, agreement_id: str, decision: NewDecision, *, idempotency_key: str | None = None
    ) -> Call[Agreement]:
        """Store what is to become of an agreement when its current term ends."""
        return Call(
            "POST",
            "/v1/agreements/{}/decision",
            (agreement_id,),
            _agreement,
            json=decision.wire(),
            idempotency_key=idempotency_key,
        )

    @operation
    def renewals(
        self, *, limit: int | None = None, offset: int | None = None, **query: Unpack[RenewalQuery]
    ) -> Call[AgreementPage]:
        """A page of the agreements on which somebody must act soon, by the day by which to act."""
        return Call("GET", "/v1/renewals", (), _page, query=list_query(query, limit, offset))

    @iteration
    def iter_renewals(
        self, *, page_size: int = MAX_LIMIT, **query: Unpack[RenewalQuery]
    ) -> AllRecords[Agreement]:
        """Every agreement on which somebody must act soon, page by page."""
        return _renewals.all(query, page_size)

    @operation
    def missing_details(
        self, *, limit: int | None = None, offset: int | None = None, **query: Unpack[MissingDetailsQuery]
    ) -> Call[MissingDetailsPage]:
        """A page of the agreements of which something is not known, those that cost most each year first,
        with how many deadlines cannot be computed because of that."""
        return Call("GET", "/v1/missing-details", (), _missing, query=list_query(query, limit, offset))

    @operation
    def market(
        self, *, limit: int | None = None, offset: int | None = None, **query: Unpack[MarketQuery]
    ) -> Call[AgreementMarketPage]:
        """A page of the agreements with what they would cost today, those first where most can be saved."""
        return Call("GET", "/v1/market", (), _market_page, query=list_query(query, limit, offset))

    @iteration
    def iter_market(
        self, *, page_size: int = MAX_LIMIT, **query: Unpack[MarketQuery]
    ) -> AllRecords[AgreementMarket]:
        """Every priced agreement, page by page."""
        return _market.all(query, page_size)

    @operation
    def spend(self, **query: Unpack[SpendQuery]) -> Call[SpendReport]:
        """What is spent in some months, in groups."""
        return Call("GET", "/v1/spend", (), _spend, query=list_query(query, None, None))

    @operation
    def working_days(self) -> Call[WorkingDays]:
        """The days on which the organisation does not work."""
        return Call("GET", "/v1/working-days", (), _working_days)

    @operation
    def update_working_days(self, change: WorkingDaysChange) -> Call[WorkingDays]:
        """State the weekend or all holidays of the organisation, or both; what is left out stays."""
        return Call("PATCH", "/v1/working-days", (), _working_days, json=change.wire())

    @operation
    def preview_working_days(self, change: WorkingDaysChange) -> Call[MovedDeadlines]:
        """The deadlines that other working days would move. Nothing is changed."""
        return Call("POST", "/v1/working-days/preview", (), _moved, json=change.wire())

    @operation
    def deadline_mail(self) -> Call[DeadlineMail]:
        """Whether the owners of agreements get mail about their deadlines."""
        return Call("GET", "/v1/deadline-mail", (), _deadline_mail)

    @operation
    def switch_deadline_mail(self, *, enabled: bool) -> Call[DeadlineMail]:
        """Switch the mail to the owners of agreements on or off, for the whole organisation."""
        return Call(
            "PATCH", "/v1/deadline-mail", (), _deadline_mail, json=DeadlineMailChange(enabled=enabled).wire()
        )

    @operation
    def calendar_feeds(
        self, *, limit: int | None = None, offset: int | None = None
    ) -> Call[ListPage[CalendarFeed]]:
        """A page of the organisation's feeds of deadlines, newest first, without their addresses."""
        return Call("GET", "/v1/calendar-feeds", (), _feeds, query=list_query({}, limit, offset))

    @operation
    def create_calendar_feed(self, *, idempotency_key: str | None = None) -> Call[CalendarFeed]:
        """Make a feed of deadlines that calendar programs subscribe to; `url` is its address, shown once."""
        return Call("POST", "/v1/calendar-feeds", (), _feed, idempotency_key=idempotency_key)

    @operation
    def revoke_calendar_feed(self, feed_id: str) -> Call[DeletedCalendarFeed]:
        """Revoke a feed: its address answers 404 from then on."""
        return Call("DELETE", "/v1/calendar-feeds/{}", (feed_id,), _deleted_feed)
