"""The renewal of an agreement: what starts it, and what it is. An extension, see `/v1/openapi`."""

from datetime import date
from typing import Annotated

from pydantic import Field

from .model import Reply, Request
from .negotiation import EngagementType, NegotiationStatus
from .values import Email, Id, Name, ReplyInstant, open_words


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

    agreement_id: Id = Field(description="The agreement that is renewed, by its id.")
    scope_id: Id | None = None
    negotiation_id: Id
    status: Annotated[str, open_words(NegotiationStatus)] = Field(description="The state of the negotiation.")
    act_by: date | None = None
    deadline_missed: bool = Field(
        description="Whether the day by which to decide had passed when it was started."
    )
    left_out: list[str] = Field(
        description="Each line of the agreement that the scope does not have, with the reason."
    )
    statement: str = Field(description="What is renewed and by when it must be decided, in sentences.")
    next_agreement_id: Id | None = None
    started_at: ReplyInstant = Field(description="When it was started.")
    started_by: str | None = Field(default=None, description="The person on whose behalf it was started.")
