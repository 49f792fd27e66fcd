"""Two persons: what an organisation asks a second one for, and the calls that wait for it. Extensions, see
`/v1/openapi`."""

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from .model import Change, Reply, Request
from .page import ListQuery
from .values import Amount, Flag, Id, Number, ReplyInstant, Text, open_words

ApprovalKind = Literal["award", "price", "webhook", "rules"]
"""What a second person is asked for."""
APPROVED_THINGS: Mapping[str, str] = {
    "award": "The award of a requirement",
    "price": "An agreed price",
    "webhook": "A change of a webhook",
    "rules": "A change of what a second person is asked for",
}
"""What each kind is called where it waits."""
ApprovalStatus = Literal["waiting", "approved", "refused", "expired"]

DAYS_TO_APPROVE = 7
"""How long a call waits for the second person."""
MAX_REASON = 1_000


class ApprovalRulesChange(Change):
    """The body of `PATCH /v1/approval-rules`. What asks for less than before (a rule that is switched off, a
    higher amount) waits for a second owner itself, where there is one."""

    removable: ClassVar[frozenset[str]] = frozenset({"prices_above"})

    awards: Flag | None = Field(
        default=None, description="Whether a second person approves the award of a requirement."
    )
    webhooks: Flag | None = Field(
        default=None,
        description="Whether a second person approves a new webhook, a new secret of one and its deletion.",
    )
    prices_above: Amount | None = Field(
        default=None,
        description="A second person approves an agreed price above this total before tax, in the currency"
        " of the deployment; with `null` none.",
    )


class ApprovalRules(Reply):
    """What the organisation asks a second person for. Nothing, until an owner switches it on."""

    awards: bool = Field(description="Whether a second person approves the award of a requirement.")
    webhooks: bool = Field(
        description="Whether a second person approves a new webhook, a new secret of one and its deletion."
    )
    prices_above: Number | None = Field(
        default=None,
        description="A second person approves an agreed price above this total before tax, and one that"
        " cannot be converted; absent where none is asked for.",
    )
    currency: str = Field(description="The currency of the amount.")


class ApprovalQuery(ListQuery, total=False):
    """Which approvals are wanted."""

    status: Annotated[ApprovalStatus | None, Field(description="Only those that stand so.")]


class AskedBy(Reply):
    """A person or API key."""

    kind: Annotated[str, open_words("person", "key")] = Field(description="Whether a person or an API key.")
    id: Id
    name: str = Field(description="What they are called now.")


class Approval(Reply):
    """A call that was found valid and waits for a second person. Nothing of it is done until then; it is
    carried out as it was sent, once, or refused, or expires. `request` is its body, while it waits."""

    id: Id
    kind: Annotated[str, open_words(ApprovalKind)] = Field(description="What the second person is asked for.")
    summary: str = Field(description="What the call does, in words.")
    name: str = Field(description="What it is done to: a requirement, a supplier, an address, the rules.")
    amount: Number | None = Field(default=None, description="The total before tax, where there is one.")
    currency: str | None = Field(default=None, description="The currency of the amount.")
    details: list[str] = Field(description="What else the call decides, in sentences.")
    status: Annotated[str, open_words(ApprovalStatus)] = Field(description="How it stands.")
    asked_by: AskedBy = Field(description="Who made the call.")
    asked_at: ReplyInstant = Field(description="When the call was made.")
    expires_at: ReplyInstant = Field(description="Until when it may be approved.")
    settled_by: AskedBy | None = Field(default=None, description="Who approved or refused it.")
    settled_at: ReplyInstant = Field(default=None, description="When it was approved or refused.")
    reason: str | None = Field(default=None, description="Why it was refused.")
    may_approve: bool = Field(description="Whether the caller may approve it now.")
    may_refuse: bool = Field(description="Whether the caller may refuse it now, or take it back.")
    operation: str = Field(description="The id of the operation that is called.")
    path: str = Field(description="The path that is called.")
    request: dict[str, Any] | None = Field(default=None, description="The body of the call, while it waits.")


class ApprovedCall(Reply):
    """The call was carried out. `answer` is what it answered: of a new webhook it holds the secret, which is
    shown here and nowhere else."""

    approval: Approval = Field(description="The call as it stands now.")
    answer: Annotated[dict[str, Any] | None, Field(repr=False)] = Field(
        default=None, description="What the call answered; absent where it answers nothing."
    )


class RefuseApproval(Request):
    """The body of `POST /v1/approvals/{approvalId}/refuse`."""

    reason: Annotated[Text, Field(min_length=1, max_length=MAX_REASON, pattern=r"\S")] = Field(
        description="Why, for who asked."
    )
