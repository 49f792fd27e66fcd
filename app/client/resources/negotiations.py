"""Negotiations with suppliers: `/v1/negotiation`."""

from collections.abc import Iterator
from typing import Unpack

from app.client.paging import each
from app.client.reply import nothing, record
from app.client.request import Call, list_query
from app.client.resources.files import Content, as_upload
from app.client.resources.resource import Resource
from app.contract.faqs import Faqs
from app.contract.negotiation import (
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
    StrategyShown,
    Timeline,
)
from app.contract.page import MAX_LIMIT, ListPage
from app.contract.savings import SavingsReport

_started = record(StartedNegotiation)
_summary = record(NegotiationSummary)
_listed = record(ListPage[ListedNegotiation])
_escalation = record(EscalationRead)
_escalations = record(ListPage[Escalation])
_attached = record(AttachedFile)
_faqs = record(Faqs)
_timeline = record(Timeline)
_savings = record(SavingsReport)
_strategy = record(StrategyShown)
_mail = record(NegotiationMail)


class Negotiations(Resource):
    """Starting, following and informing negotiations."""

    def start(
        self, negotiation: StartNegotiation, *, idempotency_key: str | None = None
    ) -> StartedNegotiation:
        """Starts a negotiation. Takes the key only, never the end user (part 5 of the interface)."""
        return self._ask(
            Call(
                "POST",
                "/v1/negotiation/start",
                (),
                _started,
                json=negotiation.wire(),
                speaker="key",
                idempotency_key=idempotency_key,
            )
        )

    def summary(self, negotiation_id: str) -> NegotiationSummary:
        """Where a negotiation stands. NotFound for another organisation's."""
        return self._ask(Call("GET", "/v1/negotiation/{}/summary", (negotiation_id,), _summary))

    def escalations(
        self,
        negotiation_id: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        **query: Unpack[EscalationQuery],
    ) -> ListPage[Escalation]:
        """A page of what a person must or had to decide."""
        template, asked = "/v1/negotiation/{}/escalations", list_query(query, limit, offset)
        return self._ask(Call("GET", template, (negotiation_id,), _escalations, query=asked))

    def iter_escalations(
        self, negotiation_id: str, *, page_size: int = MAX_LIMIT, **query: Unpack[EscalationQuery]
    ) -> Iterator[Escalation]:
        """Every escalation of a negotiation, page by page."""
        return each(
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
        """Tells what happened outside. Conflict when the negotiation's state refuses it, Unprocessable when
        the payload breaks its schema."""
        self._ask(
            Call(
                "POST",
                "/v1/negotiation/{}/external-update",
                (negotiation_id,),
                nothing,
                json=update.wire(),
                idempotency_key=idempotency_key,
            )
        )

    def attach(
        self, negotiation_id: str, file_id: str, *, idempotency_key: str | None = None
    ) -> AttachedFile:
        """Attaches an uploaded file."""
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
        """Uploads a file and attaches it in one call."""
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
        """What is usually asked about buying from a company. Answers may hold HTML: sanitise them."""
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
        return each(lambda limit, offset: self.list(limit=limit, offset=offset, **query), page_size=page_size)

    def timeline(self, negotiation_id: str) -> Timeline:
        """Everything on record about a negotiation, with the three numbers at each entry."""
        return self._ask(Call("GET", "/v1/negotiation/{}/timeline", (negotiation_id,), _timeline))

    def plan_anew(
        self, negotiation_id: str, scope_id: str | None = None, *, idempotency_key: str | None = None
    ) -> StrategyShown:
        """Makes the three numbers anew from what is on record now, for another scope where one is named.
        Conflict when the negotiation is over."""
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
        """Says that a person has sent this letter. Conflict when the mail server has it."""
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
