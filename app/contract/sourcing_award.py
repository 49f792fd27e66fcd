"""Awards: what is decided of a requirement, by whom and why. An extension, see `/v1/openapi`."""

from typing import Annotated, Literal

from pydantic import Field

from .model import Reply, Request
from .negotiation import EngagementType
from .values import Date, Email, Id, Name, Number, ReplyInstant, Text, open_words

AwardForm = Literal["negotiations", "agreements"]
"""What an award makes for each quote: a negotiation that starts from it, or an agreement on its price."""
MAX_AWARDED_LINES = 1_000


class NewAward(Request):
    """The body of `POST /v1/requirements/{requirementId}/award`: a scenario that was solved, or `award`, the
    lines of quotes that a person awards. `reason` says why. `contactName` and `contactEmail` are of the
    person on our side who negotiates: negotiations need them. `decidedBy` is by default who calls, and for
    whom. An agreement begins on `termStart`, by default the day by which the requirement is needed, and runs
    for its term."""

    scenario_id: Id | None = Field(default=None, description="The scenario that is decided for, by its id.")
    award: Annotated[list[Id], Field(min_length=1, max_length=MAX_AWARDED_LINES)] | None = Field(
        default=None, description="The lines of quotes that are awarded by hand, by their ids."
    )
    make: AwardForm = Field(
        default="negotiations", description="What is to be made of it: negotiations or agreements."
    )
    reason: Annotated[Text, Field(min_length=1, max_length=5_000)] = Field(
        description="Why it is decided so."
    )
    decided_by: Name | None = Field(
        default=None, description="Who decided; by default who calls and on whose behalf."
    )
    contact_name: Name | None = None
    contact_email: Email | None = None
    engagement_type: EngagementType = "strategy_only"
    term_start: Date | None = Field(
        default=None, description="The first day of the agreements that are made."
    )


class AwardedQuote(Reply):
    """What one quote is awarded: its lines, what they cost with `discount` taken off, and the negotiation or
    the agreement that was made. `notes` say what that lacks."""

    quote_id: Id
    supplier_name: str
    company_id: Id | None = None
    quote_lines: list[Id] = Field(description="Its lines that are awarded, by their ids.")
    amount: Number = Field(description="What its lines cost, `discount` taken off.")
    discount: Number = Field(description="What its volume discounts take off.")
    scope_id: Id | None = Field(
        default=None, description="The scope of the quote, where all of it is awarded, by its id."
    )
    negotiation_id: Id | None = Field(
        default=None, description="The negotiation that was started, by its id."
    )
    agreement_id: Id | None = Field(
        default=None,
        description="The agreement that was made, by its id; absent where it was deleted since.",
    )
    notes: list[str] = Field(default_factory=list[str], description="What is not known of it, in sentences.")


class Award(Reply):
    """Whom a requirement was awarded to, by the scenario that was decided for; who decided, when and why.
    Amounts are in the requirement's currency and add up to `total`."""

    scenario_id: Id = Field(description="The scenario that was decided for, by its id.")
    make: Annotated[str, open_words(AwardForm)] = Field(
        description="What was made of it: negotiations or agreements."
    )
    decided_by: str | None = Field(default=None, description="Who decided.")
    decided_at: ReplyInstant = Field(description="When it was decided.")
    reason: str = Field(description="Why it was decided so.")
    total: Number = Field(description="What the award costs, discounts taken off.")
    quotes: list[AwardedQuote] = Field(description="What each quote is awarded.")
