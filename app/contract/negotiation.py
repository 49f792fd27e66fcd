"""Negotiations (part 2 and 4 of the interface): start, summary, escalations, updates, FAQs."""

from typing import Annotated, Any, Literal

from pydantic import EmailStr, Field

from app.contract.model import Part, Reply, Request
from app.contract.scope import NewProductTerm, NewScopeTerm, ScopeTerm
from app.contract.values import Id, Instant, Name, Number, ReplyInstant, Text, open_words

EngagementType = Literal["svc_led", "strategy_only"]
NegotiationStatus = Literal["planning", "pending", "active", "cancelled", "complete"]
EscalationStatus = Literal["open", "resolved", "expired"]
EscalationReason = Literal[
    "quote_above_walk_away",
    "quote_within_target",
    "scope_mismatch",
    "supplier_silent",
    "quote_expiring",
    "no_estimate",
    "scope_needed",
    "contract_clause",
]
Decision = Literal["accept", "counter", "walk_away", "go_ahead", "other"]

Email = Annotated[EmailStr, Field(max_length=254)]


class NegotiationSupplier(Part):
    """With whom to negotiate; at least one key."""

    company_id: Id | None = None
    name: Name | None = None
    domain: Annotated[Text, Field(max_length=253)] | None = None
    contact_name: Name | None = None
    contact_email: Email | None = None


class Participant(Part):
    name: Name
    email: Email
    role: Annotated[Text, Field(max_length=200)] | None = None


class NegotiationScope(Part):
    """A scope on record, or the terms of one to make."""

    scope_id: Id | None = None
    scope_terms: Annotated[list[NewScopeTerm], Field(min_length=1, max_length=20)] | None = None
    product_terms: Annotated[list[NewProductTerm], Field(min_length=1, max_length=200)] | None = None


class NegotiationFile(Part):
    """An uploaded file."""

    file_id: Id


class StartNegotiation(Request):
    """The body of `POST /v1/negotiation/start`."""

    supplier: Annotated[NegotiationSupplier, Field(json_schema_extra={"minProperties": 1})]
    contact_email: Email
    contact_name: Name
    engagement_type: EngagementType
    metadata: dict[str, Any] | None = None
    participants: Annotated[list[Participant], Field(max_length=100)] | None = None
    scope: NegotiationScope | None = None
    file: NegotiationFile | None = None


class StartedNegotiation(Reply):
    negotiation_id: Id


class EscalationOption(Reply):
    """One way to decide, and what follows from it."""

    decision: Annotated[str, open_words("accept", "counter", "walk_away", "go_ahead", "other")]
    label: str
    amount: Number | None = None
    consequence: str


class Escalation(Reply):
    """Something that a person must decide."""

    id: Id
    negotiation_id: Id | None = None
    reason: str
    status: Annotated[str, open_words("open", "resolved", "expired")]
    title: str
    description: str | None = None
    options: list[EscalationOption]
    recommended: str | None = None
    created_at: ReplyInstant
    updated_at: ReplyInstant
    due_at: ReplyInstant = None
    resolved_at: ReplyInstant = None
    resolution: str | None = None


class EscalationRead(Reply):
    escalation: Escalation


class SummarySupplier(Reply):
    """The supplier as far as known; empty while it is not."""

    company_id: Id | None = None
    name: str | None = None
    domain: str | None = None
    contact_name: str | None = None
    contact_email: str | None = None


class SummaryScope(Reply):
    """The scope as far as known; empty while it is not."""

    id: Id | None = None
    scope_terms: list[ScopeTerm] | None = None
    product_names: list[str] | None = None


class Figures(Reply):
    """The numbers that a summary's text speaks of: totals before tax; `savings_rate` in per cent."""

    quoted: Number | None = None
    opening: Number | None = None
    target: Number | None = None
    walk_away: Number | None = None
    agreed: Number | None = None
    savings: Number | None = None
    savings_rate: Number | None = None


class ExecutiveSummary(Reply):
    """What happened, in words; every number of `text` stands in `figures`."""

    created_at: ReplyInstant
    title: str
    text: str
    figures: Figures


class NegotiationSummary(Reply):
    """Where a negotiation stands. `url` opens it in the dashboard; summaries come newest first."""

    id: str
    status: Annotated[str, open_words("planning", "pending", "active", "cancelled", "complete")]
    created_at: ReplyInstant
    updated_at: ReplyInstant
    url: str
    escalations: list[Escalation]
    supplier: SummarySupplier
    executive_summaries: list[ExecutiveSummary]
    scope: SummaryScope


class ExternalUpdate(Request):
    """The body of `…/external-update`: something that happened outside. `schema` is the JSON Schema of
    `payload`; its `$id` says what the update is."""

    timestamp: Instant
    external_id: Annotated[Text, Field(min_length=1, max_length=500)]
    source: Annotated[Text, Field(min_length=1, max_length=500)]
    payload_schema: Annotated[dict[str, Any], Field(alias="schema")]
    payload: dict[str, Any]


class AttachFile(Request):
    """The JSON body of `…/attach`."""

    file_id: Id


class AttachedFile(Reply):
    id: Id
    file_id: Id


class Faq(Reply):
    """`answer` may hold simple HTML: sanitise it before it is shown."""

    question: str
    answer: str


class Faqs(Reply):
    faqs: list[Faq]
    last_updated_at: ReplyInstant
