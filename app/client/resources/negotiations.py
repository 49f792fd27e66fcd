"""Negotiations with suppliers: `/v1/negotiation`."""

from collections.abc import Sequence
from typing import Unpack

from ...contract.comments import Owner
from ...contract.negotiation import (
    AttachedFile,
    AttachFile,
    Escalation,
    EscalationQuery,
    EscalationRead,
    ExternalUpdate,
    Faqs,
    ListedNegotiation,
    NegotiationChange,
    NegotiationMail,
    NegotiationQuery,
    NegotiationSummary,
    PlanAnew,
    StartedNegotiation,
    StartNegotiation,
    Timeline,
    TimelineEntry,
)
from ...contract.page import MAX_LIMIT, ListPage, Pagination
from ...contract.savings import DealAccuracy, SavingsReport
from ...contract.strategy import StrategyShown
from ..paging import Listing, PagedList, Piece, piece_of
from ..request import Call, list_query
from .files import Content, as_upload
from .resource import DispatcherT, Resource, get, iteration, operation, patch, post, post_only

_negotiations = PagedList("/v1/negotiation", ListPage[ListedNegotiation])
_escalations = PagedList("/v1/negotiation/{}/escalations", ListPage[Escalation])


class Negotiations(Resource[DispatcherT]):
    """Starts, follows and informs negotiations."""

    @operation
    def start(
        self, negotiation: StartNegotiation, *, idempotency_key: str | None = None
    ) -> Call[StartedNegotiation]:
        """Start a negotiation. It is called with the key only, without the end user."""
        return post(
            "/v1/negotiation/start", StartedNegotiation, body=negotiation, identity="key", key=idempotency_key
        )

    @operation
    def update(self, negotiation_id: str, *, owners: Sequence[Owner]) -> Call[ListedNegotiation]:
        """Name who looks after a negotiation; `[]` names nobody."""
        body = NegotiationChange(owners=[*owners] or None)
        return patch("/v1/negotiation/{}", ListedNegotiation, negotiation_id, body=body)

    @operation
    def summary(self, negotiation_id: str) -> Call[NegotiationSummary]:
        """The state of a negotiation. NotFound for another organisation's."""
        return get("/v1/negotiation/{}/summary", NegotiationSummary, negotiation_id)

    @operation
    def escalations(
        self,
        negotiation_id: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        **query: Unpack[EscalationQuery],
    ) -> Call[ListPage[Escalation]]:
        """A page of escalations: what a person must decide or has decided."""
        return _escalations.page(query, limit, offset, values=(negotiation_id,))

    @iteration
    def iter_escalations(
        self, negotiation_id: str, *, page_size: int = MAX_LIMIT, **query: Unpack[EscalationQuery]
    ) -> Listing[Escalation]:
        """Every escalation of a negotiation, page by page."""
        return _escalations.all(query, page_size, values=(negotiation_id,))

    @operation
    def escalation(self, negotiation_id: str, escalation_id: str) -> Call[Escalation]:
        """One escalation with its description and options."""
        values = (negotiation_id, escalation_id)
        read = get("/v1/negotiation/{}/escalations/{}", EscalationRead, *values)
        return read.then(lambda answer: answer.escalation)

    @operation
    def external_update(
        self, negotiation_id: str, update: ExternalUpdate, *, idempotency_key: str | None = None
    ) -> Call[None]:
        """Report what happened outside. Conflict when the negotiation's state does not allow it,
        Unprocessable when the payload does not match its schema."""
        path = "/v1/negotiation/{}/external-update"
        return post_only(path, negotiation_id, body=update, key=idempotency_key)

    @operation
    def attach(
        self, negotiation_id: str, file_id: str, *, idempotency_key: str | None = None
    ) -> Call[AttachedFile]:
        """Attach an uploaded file."""
        return post(
            "/v1/negotiation/{}/attach",
            AttachedFile,
            negotiation_id,
            body=AttachFile(file_id=file_id),
            key=idempotency_key,
        )

    @operation
    def attach_upload(
        self,
        negotiation_id: str,
        content: Content,
        *,
        filename: str | None = None,
        mime_type: str | None = None,
        idempotency_key: str | None = None,
    ) -> Call[AttachedFile]:
        """Upload a file and attach it in one call."""
        return post(
            "/v1/negotiation/{}/attach",
            AttachedFile,
            negotiation_id,
            upload=as_upload(content, filename, mime_type),
            key=idempotency_key,
        )

    @operation
    def faqs(self, company_id: str) -> Call[Faqs]:
        """Frequent questions about buying from a company. Answers may contain HTML: sanitise them."""
        return get("/v1/negotiation/faqs/{}", Faqs, company_id)

    # Extensions: a deployment may lack them, see `openapi.offered_operations`.

    @operation
    def list(
        self, *, limit: int | None = None, offset: int | None = None, **query: Unpack[NegotiationQuery]
    ) -> Call[ListPage[ListedNegotiation]]:
        """A page of the organisation's own negotiations, newest first."""
        return _negotiations.page(query, limit, offset)

    @iteration
    def iter(
        self, *, page_size: int = MAX_LIMIT, **query: Unpack[NegotiationQuery]
    ) -> Listing[ListedNegotiation]:
        """Every negotiation of the organisation, page by page."""
        return _negotiations.all(query, page_size)

    @operation
    def timeline(
        self, negotiation_id: str, *, limit: int | None = None, offset: int | None = None
    ) -> Call[Timeline]:
        """What is on record about a negotiation, with a page of the newest entries: 100 unless `limit` asks
        for fewer. `offset` leaves out so many of the newest."""
        return _timeline_page(negotiation_id, limit, offset)

    @iteration
    def iter_entries(self, negotiation_id: str, *, page_size: int = MAX_LIMIT) -> Listing[TimelineEntry]:
        """Every entry of a negotiation's timeline, the newest first."""
        return lambda offset, _: _timeline_page(negotiation_id, page_size, offset).then(
            lambda timeline: _entries(timeline, page_size, offset)
        )

    @operation
    def plan_anew(
        self, negotiation_id: str, scope_id: str | None = None, *, idempotency_key: str | None = None
    ) -> Call[StrategyShown]:
        """Compute opening, target and walk-away again from what is on record now, for another scope if one is
        named. Conflict when the negotiation has ended."""
        return post(
            "/v1/negotiation/{}/strategy",
            StrategyShown,
            negotiation_id,
            body=PlanAnew(scope_id=scope_id),
            key=idempotency_key,
        )

    @operation
    def mark_sent(
        self, negotiation_id: str, mail_id: str, *, idempotency_key: str | None = None
    ) -> Call[NegotiationMail]:
        """Record that a person has sent this letter. Conflict when the mail server has it."""
        return post(
            "/v1/negotiation/{}/mails/{}/sent", NegotiationMail, negotiation_id, mail_id, key=idempotency_key
        )

    @operation
    def savings(self) -> Call[SavingsReport]:
        """What was saved, by supplier, month and category."""
        return get("/v1/negotiation/savings", SavingsReport)

    @operation
    def accuracy(self) -> Call[DealAccuracy]:
        """How right the estimates were that were made before prices were agreed."""
        return get("/v1/negotiation/accuracy", DealAccuracy)


def _timeline_page(negotiation_id: str, limit: int | None, offset: int | None) -> Call[Timeline]:
    query = list_query({}, limit, offset)
    return get("/v1/negotiation/{}/timeline", Timeline, negotiation_id, query=query)


def _entries(timeline: Timeline, limit: int, offset: int) -> Piece[TimelineEntry]:
    newest_first = timeline.entries[::-1]
    # A deployment without pages has them all on the first.
    place = timeline.pagination or Pagination(total=len(newest_first), limit=limit, offset=offset)
    return piece_of(ListPage(data=newest_first, pagination=place), limit, offset)
