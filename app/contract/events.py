"""The events that a webhook can be registered for (part 6 of the interface) and what each carries."""

from typing import Annotated, Any, Literal, get_args

from app.contract.model import Reply
from app.contract.values import Id, ReplyInstant, open_words

EventName = Literal[
    "scope.extracted",
    "negotiation.summary.updated",
    "negotiation.escalation.created",
    "negotiation.escalation.updated",
]

EVENT_NAMES: tuple[EventName, ...] = get_args(EventName)


class ScopeExtracted(Reply):
    """A document was read, or could not be."""

    scope_id: Id
    status: Annotated[str, open_words("completed", "failed")]
    error_message: str | None = None


class NegotiationSummaryUpdated(Reply):
    """A negotiation changed in a way that its summary shows."""

    negotiation_id: Id
    status: Annotated[str, open_words("planning", "pending", "active", "cancelled", "complete")]
    updated_at: ReplyInstant


class NegotiationEscalationChanged(Reply):
    """A decision is waited for, or was taken, or is no longer needed."""

    negotiation_id: Id
    escalation_id: Id
    status: Annotated[str, open_words("open", "resolved", "expired")]


class DeliveredEvent(Reply):
    """The body that a webhook receives."""

    event_type: str
    data: dict[str, Any]


EVENT_DATA: dict[EventName, type[Reply]] = {
    "scope.extracted": ScopeExtracted,
    "negotiation.summary.updated": NegotiationSummaryUpdated,
    "negotiation.escalation.created": NegotiationEscalationChanged,
    "negotiation.escalation.updated": NegotiationEscalationChanged,
}
