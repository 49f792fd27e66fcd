"""The events that a webhook can be registered for, and what each carries.

To add an event, add its name to `EventName`, write its class, and add the class to `EVENTS`. The OpenAPI
document, the form that registers a webhook and the check of a registration all read this list. It is sent
in the transaction of the change, by `record_changes` or by `_emit` of a negotiation's session.
"""

from datetime import date
from typing import Annotated, Any, ClassVar, Literal

from pydantic import ConfigDict, Field

from .agreements import AgreementStatus
from .model import Reply
from .negotiation import EscalationStatus, NegotiationStatus
from .values import Id, ReplyInstant, open_words

EventName = Literal[
    "scope.extracted",
    "negotiation.summary.updated",
    "negotiation.escalation.created",
    "negotiation.escalation.updated",
    "agreement.notice.approaching",
    "agreement.notice.missed",
    "agreement.renewed",
    "agreement.ended",
]


class Event(Reply):
    """The data of one event. A subclass says which event it is."""

    event_name: ClassVar[EventName]
    explanation: ClassVar[str]
    """When the event is sent, in one sentence for whoever chooses which events to receive."""


class ScopeExtracted(Event):
    """The reading of a document ended. `status` says whether it was read."""

    event_name = "scope.extracted"
    explanation = "A document was read into a scope, or could not be."

    scope_id: Id
    status: Annotated[str, open_words("completed", "failed")] = Field(
        description="Whether the document could be read."
    )
    error_message: str | None = Field(default=None, description="Why the document could not be read.")


class NegotiationSummaryUpdated(Event):
    """A negotiation changed in a way that its summary shows."""

    event_name = "negotiation.summary.updated"
    explanation = "A negotiation changed: its state, an offer, its summary."

    negotiation_id: Id
    status: Annotated[str, open_words(NegotiationStatus)]
    updated_at: ReplyInstant


class NegotiationEscalationChanged(Event):
    """A decision is needed, was taken, or is no longer needed."""

    # The schema of both events below, under this one name.
    model_config = ConfigDict(title="NegotiationEscalationChanged")

    negotiation_id: Id
    escalation_id: Id = Field(description="The escalation, by its id.")
    status: Annotated[str, open_words(EscalationStatus)]


class NegotiationEscalationCreated(NegotiationEscalationChanged):
    event_name = "negotiation.escalation.created"
    explanation = "Somebody must decide something."


class NegotiationEscalationUpdated(NegotiationEscalationChanged):
    event_name = "negotiation.escalation.updated"
    explanation = "A decision was taken, or is no longer needed."


class AgreementNoticeApproaching(Event):
    """The day by which somebody must act on an agreement is near: 120, 90, 60, 30, 14 and 7 days before it,
    each once. Who was not reachable on such a day is told of the last one alone."""

    event_name = "agreement.notice.approaching"
    explanation = "120, 90, 60, 30, 14 and 7 days before somebody must act on an agreement."

    agreement_id: Id
    status: Annotated[str, open_words(AgreementStatus)] = Field(
        description="How it stands; `unknown` where its last day to act is not known: `actBy` is then the end"
        " of its term."
    )
    act_by: date
    days_left: int = Field(description="How many days are left until then.")


class AgreementNoticeMissed(Event):
    """The deadline of an agreement passed without notice or a decision to renew."""

    event_name = "agreement.notice.missed"
    explanation = "The deadline of an agreement passed without notice or a decision to renew."

    agreement_id: Id
    notice_deadline: date = Field(description="The day that has passed.")


class AgreementRenewed(Event):
    """A new term of an agreement began."""

    event_name = "agreement.renewed"
    explanation = "A new term of an agreement began."

    agreement_id: Id
    current_term_start: date
    current_term_end: date


class AgreementEnded(Event):
    """An agreement ended, by itself or by notice."""

    event_name = "agreement.ended"
    explanation = "An agreement ended, by itself or by notice."

    agreement_id: Id
    term_end: date = Field(description="The last day of the agreement.")


EVENTS: tuple[type[Event], ...] = (
    ScopeExtracted,
    NegotiationSummaryUpdated,
    NegotiationEscalationCreated,
    NegotiationEscalationUpdated,
    AgreementNoticeApproaching,
    AgreementNoticeMissed,
    AgreementRenewed,
    AgreementEnded,
)
"""Every event, in the order in which they are listed to people."""

EVENT_NAMES: tuple[EventName, ...] = tuple(event.event_name for event in EVENTS)


class DeliveredEvent(Reply):
    """The body that a webhook receives."""

    event_type: str
    data: dict[str, Any]
