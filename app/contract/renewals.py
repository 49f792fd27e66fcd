"""The renewal of an agreement: what starts it, and what it is. An extension, see `/v1/openapi`."""

from datetime import date
from typing import Annotated

from .email_address import Email
from .model import Reply, Request
from .negotiation import EngagementType
from .values import Id, Name, ReplyInstant, open_words


class StartRenewal(Request):
    """The body of `POST /v1/agreements/{agreementId}/renewal`: who negotiates, and
    with whom. What is left out is taken from the agreement: the first owner who has an e-mail address, and
    its supplier."""

    contact_name: Name | None = None
    contact_email: Email | None = None
    supplier_name: Name | None = None
    engagement_type: EngagementType = "strategy_only"


class AgreementRenewal(Reply):
    """The renewal of an agreement: the follow-up scope, and the negotiation about it. `actBy` is by when it
    must be decided; `deadlineMissed` says that this day had passed when the renewal was started. `leftOut`
    are the lines of the agreement that the scope does not have, with the reason. `statement` says all that in
    sentences."""

    agreement_id: Id
    scope_id: Id | None = None
    negotiation_id: Id
    status: Annotated[str, open_words("planning", "pending", "active", "cancelled", "complete")]
    act_by: date | None = None
    deadline_missed: bool
    left_out: list[str]
    statement: str
    next_agreement_id: Id | None = None
    started_at: ReplyInstant
    started_by: str | None = None
