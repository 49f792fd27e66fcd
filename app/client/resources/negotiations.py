"""Negotiations with suppliers: `/v1/negotiation`."""

from collections.abc import Iterator
from typing import Unpack

from ...contract.faqs import Faqs
from ...contract.negotiation import (
    AttachedFile,
    AttachFile,
    Escalation,
    EscalationQuery,
    EscalationRead,
    ExternalUpdate,
    ListedNegotiation,
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
from ...contract.savings import SavingsReport
from ...contract.strategy import StrategyShown
from ..paging import iter_records
from ..reply import ignore_body, read_as
from ..request import Call, list_query
from .files import Content, as_upload
from .resource import Resource

_started = read_as(StartedNegotiation)
_summary = read_as(NegotiationSummary)
_listed = read_as(ListPage[ListedNegotiation])
_escalation = read_as(EscalationRead)
_escalations = read_as(ListPage[Escalation])
_attached = read_as(AttachedFile)
_faqs = read_as(Faqs)
_timeline = read_as(Timeline)
_savings = read_as(SavingsReport)
_strategy = read_as(StrategyShown)
_mail = read_as(NegotiationMail)


class Negotiations(Resource):
    """Starts, follows and informs negotiations."""

    def start(
        self, negotiation: StartNegotiation, *, idempotency_key: str | None = None
    ) -> StartedNegotiation:
        """Start a negotiation. It is called with the key only, without the end user."""
        return self._ask(
            Call(
                "POST",
                "/v1/negotiation/start",
                (),
                _started,
                json=negotiation.wire(),
                identity="key",
                idempotency_key=idempotency_key,
            )
        )

    def summary(self, negotiation_id: str) -> NegotiationSummary:
        """The state of a negotiation. NotFound for another organisation's."""
        return self._ask(Call("GET", "/v1/negotiation/{}/summary", (negotiation_id,), _summary))

    def escalations(
        self,
        negotiation_id: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        **query: Unpack[EscalationQuery],
    ) -> ListPage[Escalation]:
        """A page of escalations: what a person must decide or has decided."""
        template, parameters = "/v1/negotiation/{}/escalations", list_query(query, limit, offset)
        return self._ask(Call("GET", template, (negotiation_id,), _escalations, query=parameters))

    def iter_escalations(
        self, negotiation_id: str, *, page_size: int = MAX_LIMIT, **query: Unpack[EscalationQuery]
    ) -> Iterator[Escalation]:
        """Every escalation of a negotiation, page by page."""
        return iter_records(
            lambda limit, offset: self.escalations(negotiation_id, limit=limit, offset=offset, **query),
            page_size=page_size,
        )

    def escalation(self, negotiation_id: str, escalation_id: str) -> Escalation:
        """One escalation with its description and options."""
        values = (negotiation_id, escalation_id)
        return self._ask(Call("GET", "/v1/negotiation/{}/escalations/{}", values, _escalation)).escalation

    def external_update(
        self, negotiation_id: str, update: ExternalUpdate, *, idempotency_key: str | None = None
    ) -> None:
        """Report what happened outside. Conflict when the negotiation's state does not allow it,
        Unprocessable when the payload does not match its schema."""
        self._ask(
            Call(
                "POST",
                "/v1/negotiation/{}/external-update",
                (negotiation_id,),
                ignore_body,
                json=update.wire(),
                idempotency_key=idempotency_key,
            )
        )

    def attach(
        self, negotiation_id: str, file_id: str, *, idempotency_key: str | None = None
    ) -> AttachedFile:
        """Attach an uploaded file."""
        return self._ask(
            Call(
                "POST",
                "/v1/negotiation/{}/attach",
                (negotiation_id,),
                _attached,
                json=AttachFile(file_id=file_id).wire(),
                idempotency_key=idempotency_key,
            )
        )

    def attach_upload(
        self,
        negotiation_id: str,
        content: Content,
        *,
        filename: str | None = None,
        mime_type: str | None = None,
        idempotency_key: str | None = None,
    ) -> AttachedFile:
        """Upload a file and attach it in one call."""
        return self._ask(
            Call(
                "POST",
                "/v1/negotiation/{}/attach",
                (negotiation_id,),
                _attached,
                upload=as_upload(content, filename, mime_type),
                idempotency_key=idempotency_key,
            )
        )

    def faqs(self, company_id: str) -> Faqs:
        """Frequent questions about buying from a company. Answers may contain HTML: sanitise them."""
        return self._ask(Call("GET", "/v1/negotiation/faqs/{}", (company_id,), _faqs))

    # Additions of ours: a deployment may lack them, see `openapi.offered_operations`.

    def list(
        self, *, limit: int | None = None, offset: int | None = None, **query: Unpack[NegotiationQuery]
    ) -> ListPage[ListedNegotiation]:
        """A page of the organisation's own negotiations, newest first."""
        return self._ask(Call("GET", "/v1/negotiation", (), _listed, query=list_query(query, limit, offset)))

    def iter(
        self, *, page_size: int = MAX_LIMIT, **query: Unpack[NegotiationQuery]
    ) -> Iterator[ListedNegotiation]:
        """Every negotiation of the organisation, page by page."""
        return iter_records(
            lambda limit, offset: self.list(limit=limit, offset=offset, **query), page_size=page_size
        )

    def timeline(
        self, negotiation_id: str, *, limit: int | None = None, offset: int | None = None
    ) -> Timeline:
        """What is on record about a negotiation, with a page of the newest entries: 100 unless `limit` asks
        for fewer. `offset` leaves out so many of the newest."""
        query = list_query({}, limit, offset)
        return self._ask(
            Call("GET", "/v1/negotiation/{}/timeline", (negotiation_id,), _timeline, query=query)
        )

    def iter_entries(self, negotiation_id: str, *, page_size: int = MAX_LIMIT) -> Iterator[TimelineEntry]:
        """Every entry of a negotiation's timeline, the newest first."""

        def page_at(limit: int, offset: int) -> ListPage[TimelineEntry]:
            timeline = self.timeline(negotiation_id, limit=limit, offset=offset)
            newest_first = timeline.entries[::-1]
            # A deployment without pages has them all on the first.
            place = timeline.pagination or Pagination(total=len(newest_first), limit=limit, offset=offset)
            return ListPage(data=newest_first, pagination=place)

        return iter_records(page_at, page_size=page_size)

    def plan_anew(
        self, negotiation_id: str, scope_id: str | None = None, *, idempotency_key: str | None = None
    ) -> StrategyShown:
        """Compute opening, target and walk-away again from what is on record now, for another scope if one is
        named. Conflict when the negotiation has ended."""
        return self._ask(
            Call(
                "POST",
                "/v1/negotiation/{}/strategy",
                (negotiation_id,),
                _strategy,
                json=PlanAnew(scope_id=scope_id).wire(),
                idempotency_key=idempotency_key,
            )
        )

    def mark_sent(
        self, negotiation_id: str, mail_id: str, *, idempotency_key: str | None = None
    ) -> NegotiationMail:
        """Record that a person has sent this letter. Conflict when the mail server has it."""
        return self._ask(
            Call(
                "POST",
                "/v1/negotiation/{}/mails/{}/sent",
                (negotiation_id, mail_id),
                _mail,
                idempotency_key=idempotency_key,
            )
        )

    def savings(self) -> SavingsReport:
        """What was saved, by supplier, month and category."""
        return self._ask(Call("GET", "/v1/negotiation/savings", (), _savings))
