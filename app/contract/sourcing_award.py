"""Awards: what is decided of a requirement, by whom and why. An extension, see `/v1/openapi`."""

from typing import Annotated, Literal, get_args

from pydantic import Field

from .email_address import Email
from .model import Reply, Request
from .negotiation import EngagementType
from .values import Date, Id, Name, Number, ReplyInstant, Text, open_words

AwardForm = Literal["negotiations", "agreements"]
"""What an award makes for each quote: a negotiation that starts from it, or an agreement on its price."""
MAX_AWARDED_LINES = 1_000


class NewAward(Request):
    """The body of `POST /v1/requirements/{requirementId}/award`: a scenario that was solved, or `award`, the
    lines of quotes that a person awards. `reason` says why. `contactName` and `contactEmail` are of the
    person on our side who negotiates: negotiations need them. `decidedBy` is the end user by default. An
    agreement begins on `termStart`, by default the day by which the requirement is needed, and runs for its
    term."""

    scenario_id: Id | None = None
    award: Annotated[list[Id], Field(min_length=1, max_length=MAX_AWARDED_LINES)] | None = None
    make: AwardForm = "negotiations"
    reason: Annotated[Text, Field(min_length=1, max_length=5_000)]
    decided_by: Name | None = None
    contact_name: Name | None = None
    contact_email: Email | None = None
    engagement_type: EngagementType = "strategy_only"
    term_start: Date | None = None


class AwardedQuote(Reply):
    """What one quote is awarded: its lines, what they cost with `discount` taken off, and the negotiation or
    the agreement that was made. `notes` say what that lacks."""

    quote_id: Id
    supplier_name: str
    company_id: Id | None = None
    quote_lines: list[Id]
    amount: Number
    discount: Number
    scope_id: Id | None = None
    negotiation_id: Id | None = None
    agreement_id: Id | None = None
    notes: list[str] = Field(default_factory=list[str])


class Award(Reply):
    """Whom a requirement was awarded to, by the scenario that was decided for; who decided, when and why.
    Amounts are in the requirement's currency and add up to `total`."""

    scenario_id: Id
    make: Annotated[str, open_words(*get_args(AwardForm))]
    decided_by: str | None = None
    decided_at: ReplyInstant
    reason: str
    total: Number
    quotes: list[AwardedQuote]
