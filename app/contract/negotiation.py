"""Negotiations: start, summary, escalations, updates."""

from datetime import date
from typing import Annotated, Any, Literal

from pydantic import Field

from .comments import Owner, Owners
from .model import Change, Part, Reply, Request
from .page import ListQuery, Pagination
from .savings import SavingsMeasure
from .scope import NewProductTerm, NewScopeTerm, ScopeTerm
from .strategy import PreviousPrice, StrategyShown
from .values import Email, Id, Instant, Name, Number, ReplyInstant, Text, max_bytes, open_words


class Faq(Reply):
    """A question and its answer. `answer` may hold simple HTML: sanitise it before it is shown."""

    question: str
    answer: str = Field(description="The answer; it may hold simple HTML.")


class Faqs(Reply):
    """All questions and answers about one supplier."""

    faqs: list[Faq] = Field(description="Questions with their answers.")
    last_updated_at: ReplyInstant


EngagementType = Literal["svc_led", "strategy_only"]
NegotiationStatus = Literal["planning", "pending", "active", "cancelled", "complete"]
FINAL_STATUSES: frozenset[NegotiationStatus] = frozenset({"cancelled", "complete"})
"""A negotiation in one of these states stays in it."""
EscalationStatus = Literal["open", "resolved", "expired"]


class NegotiationQuery(ListQuery, total=False):
    """Which negotiations are listed."""

    status: NegotiationStatus | None
    company_id: Id | None


class EscalationQuery(ListQuery, total=False):
    """Which escalations of a negotiation are listed."""

    status: EscalationStatus | None


EscalationReason = Literal[
    "quote_above_walk_away",
    "quote_above_target",
    "quote_within_target",
    "evidence_thin",
    "scope_mismatch",
    "supplier_silent",
    "quote_expiring",
    "no_estimate",
    "scope_needed",
    "contract_clause",
]
Decision = Literal["accept", "counter", "walk_away", "go_ahead", "other"]

MAX_OBJECT_BYTES = 64 * 1024
"""Of metadata or of a payload, as JSON."""
MAX_SCHEMA_BYTES = 256 * 1024


class NegotiationSupplier(Part):
    """The supplier to negotiate with; at least one key is required."""

    company_id: Id | None = None
    name: Name | None = None
    domain: Annotated[Text, Field(max_length=253)] | None = None
    contact_name: Name | None = None
    contact_email: Email | None = None


class Participant(Part):
    """A person who takes part in the negotiation."""

    name: Name
    email: Email
    role: Annotated[Text, Field(max_length=200)] | None = Field(
        default=None, description="The person's part in the purchase."
    )


class NegotiationScope(Part):
    """The id of a scope on record, or the terms of a new one."""

    scope_id: Id | None = Field(default=None, description="A scope on record, by its id.")
    scope_terms: Annotated[list[NewScopeTerm], Field(min_length=1, max_length=20)] | None = Field(
        default=None, description="For how long and at what price, where the scope is a new one."
    )
    product_terms: Annotated[list[NewProductTerm], Field(min_length=1, max_length=200)] | None = Field(
        default=None, description="What is bought, where the scope is a new one."
    )


class NegotiationFile(Part):
    """The id of an uploaded file."""

    file_id: Id


class StartNegotiation(Request):
    """The body of `POST /v1/negotiation/start`."""

    supplier: Annotated[NegotiationSupplier, Field(json_schema_extra={"minProperties": 1})]
    contact_email: Email
    contact_name: Name
    engagement_type: EngagementType
    metadata: Annotated[dict[str, Any], max_bytes(MAX_OBJECT_BYTES)] | None = Field(
        default=None, description="Anything that the caller wants to be kept with the negotiation."
    )
    participants: Annotated[list[Participant], Field(max_length=100)] | None = None
    scope: NegotiationScope | None = None
    file: NegotiationFile | None = None


class StartedNegotiation(Reply):
    """The id of the negotiation that was started."""

    negotiation_id: Id


class EscalationOption(Reply):
    """One decision that a person can take, and its consequence. `amount` is a total before tax in the
    negotiation's currency."""

    decision: Annotated[str, open_words(Decision)]
    label: str
    amount: Number | None = None
    consequence: str = Field(description="What follows from this decision, in a sentence.")


class Escalation(Reply):
    """A decision that a person must take, or had to take."""

    id: Id
    negotiation_id: Id | None = None
    reason: str = Field(description="Why it was raised, as one word.")
    status: Annotated[str, open_words(EscalationStatus)]
    title: str = Field(description="What has to be decided, in a few words.")
    description: str | None = Field(default=None, description="What has to be decided, and on what grounds.")
    options: list[EscalationOption]
    recommended: str | None = Field(default=None, description="The decision that the service would take.")
    created_at: ReplyInstant
    updated_at: ReplyInstant
    due_at: ReplyInstant = Field(default=None, description="When the decision should be taken.")
    resolved_at: ReplyInstant = Field(default=None, description="When it was decided.")
    resolution: str | None = Field(default=None, description="What was decided.")


class EscalationRead(Reply):
    """The answer of `GET …/escalations/{escalationId}`."""

    escalation: Escalation = Field(description="The decision that a person must take.")


class SummarySupplier(Reply):
    """The supplier as far as known; empty while it is not."""

    company_id: Id | None = None
    name: str | None = None
    domain: str | None = None
    contact_name: str | None = None
    contact_email: str | None = None


class SummaryScope(Reply):
    """The scope as far as known; empty while it is not."""

    id: Id | None = Field(default=None, description="The scope, by its id.")
    scope_terms: list[ScopeTerm] | None = None
    product_names: list[str] | None = None


class Figures(Reply):
    """The numbers that a summary's text names: totals before tax, and `savings_rate` in per cent. `counter`
    is given only where the summary is about the buyer's own next offer."""

    quoted: Number | None = None
    opening: Number | None = None
    target: Number | None = None
    counter: Number | None = Field(default=None, description="The buyer's next offer: a total before tax.")
    walk_away: Number | None = None
    agreed: Number | None = None
    savings: Number | None = None
    savings_rate: Number | None = None


class ExecutiveSummary(Reply):
    """A summary of what happened. Every number of `text` is also in `figures`."""

    created_at: ReplyInstant
    title: str = Field(description="A heading.")
    text: str = Field(description="The summary, in sentences.")
    figures: Figures = Field(description="Every number that the text names.")


class NegotiationSummary(Reply):
    """The current state of a negotiation. `url` opens it in the dashboard. `executive_summaries` are newest
    first."""

    id: str
    status: Annotated[str, open_words(NegotiationStatus)] = Field(description="The state of the negotiation.")
    created_at: ReplyInstant
    updated_at: ReplyInstant
    url: str = Field(description="The address at which the dashboard shows it.")
    escalations: list[Escalation] = Field(
        description="The decisions that a person must take, or had to take."
    )
    supplier: SummarySupplier
    executive_summaries: list[ExecutiveSummary] = Field(
        description="Summaries of what happened, the newest first."
    )
    scope: SummaryScope


class ExternalUpdate(Request):
    """The body of `…/external-update`: something that happened outside. `schema` is the JSON Schema of
    `payload`; its `$id` says what the update is."""

    timestamp: Instant = Field(description="When it happened.")
    external_id: Annotated[Text, Field(min_length=1, max_length=500)]
    source: Annotated[Text, Field(min_length=1, max_length=500)] = Field(
        description="The system that it comes from."
    )
    payload_schema: Annotated[
        dict[str, Any],
        max_bytes(MAX_SCHEMA_BYTES),
        Field(
            alias="schema",
            description="The JSON Schema (2020-12) of the payload; its `$id` says what the update is.",
        ),
    ]
    payload: Annotated[dict[str, Any], max_bytes(MAX_OBJECT_BYTES)]


class AttachFile(Request):
    """The JSON body of `…/attach`."""

    file_id: Id


class AttachedFile(Reply):
    """The id of the attachment and the id of its file."""

    id: Id = Field(description="The id of the attachment.")
    file_id: Id


# Extensions: what our pages need beyond the interface's records.


class ListedNegotiation(Reply):
    """One row of `GET /v1/negotiation`. Money is a total before tax in `currency`; `quoted` is the newest
    offer, `best_offer` the lowest that can still be had for what is asked, `first_quoted` the first one.
    `measures` is what the agreed price saved against each baseline; `savings` is the first of them. `drafts`
    counts the letters that a person has still to send. `renews_agreement_id` is the agreement that it is to
    renew, and `act_by` by when."""

    id: Id
    status: Annotated[str, open_words(NegotiationStatus)]
    engagement_type: Annotated[str, open_words(EngagementType)]
    created_at: ReplyInstant
    updated_at: ReplyInstant
    supplier: SummarySupplier
    scope_id: Id | None = None
    product_names: list[str] | None = None
    currency: str | None = None
    open_escalations: int = Field(description="How many decisions are still to be taken.")
    first_quoted: Number | None = Field(
        default=None, description="The supplier's first offer: a total before tax."
    )
    quoted: Number | None = Field(default=None, description="The newest offer: a total before tax.")
    best_offer: Number | None = None
    target: Number | None = None
    walk_away: Number | None = None
    agreed: Number | None = None
    savings: Number | None = None
    savings_rate: Number | None = None
    measures: list[SavingsMeasure] = Field(default_factory=list[SavingsMeasure])
    drafts: int = Field(default=0, description="How many letters wait for a person to send them.")
    renews_agreement_id: Id | None = Field(
        default=None, description="The agreement that it is to renew, by its id."
    )
    act_by: date | None = None
    owners: list[Owner] | None = None


class NegotiationChange(Change):
    """The body of `PATCH /v1/negotiation/{negotiationId}`: who looks after it; `null` names nobody."""

    removable = frozenset({"owners"})

    owners: Owners | None = None


class TimelineEntry(Reply):
    """Something that happened. `opening`, `target` and `walk_away` are the numbers in force when it was
    recorded; `payload` is that of the external update behind it. `status` is that of an offer that was
    corrected or withdrawn later; `corrects` is the id of the entry that a correction is about."""

    id: Id
    kind: Annotated[
        str,
        open_words(
            "started",
            "planned",
            "state",
            "quote",
            "message",
            "decision",
            "agreement",
            "strategy",
            "correction",
            "purchase",
            "cancellation",
            "note",
            "attachment",
            "mail",
            "refused",
        ),
    ] = Field(description="What happened, as one word.")
    happened_at: ReplyInstant
    recorded_at: ReplyInstant = Field(description="When it was recorded.")
    text: str | None = Field(default=None, description="What is to be read, in words.")
    source: str | None = Field(default=None, description="The system or person that it came from.")
    external_id: str | None = None
    amount: Number | None = Field(default=None, description="The offer or agreed price: a total before tax.")
    currency: str | None = None
    payload: dict[str, Any] | None = None
    opening: Number | None = None
    target: Number | None = None
    walk_away: Number | None = None
    status: Annotated[str, open_words("corrected", "withdrawn")] | None = Field(
        default=None, description="Of an offer: whether it was corrected or withdrawn later."
    )
    corrects: Id | None = Field(default=None, description="The entry that this one corrects, by its id.")


class NegotiationDocument(Reply):
    """A file of the negotiation. `status` is that of its reading."""

    id: Id
    file_id: Id
    filename: str
    media_type: str = Field(description="The file's media type, by its content.")
    status: Annotated[str, open_words("pending", "completed", "failed")]
    created_at: ReplyInstant


class NegotiationParticipant(Reply):
    """A person who takes part in the negotiation."""

    name: str
    email: str
    role: str | None = Field(default=None, description="The person's part in the purchase.")


class NegotiationMail(Reply):
    """A message to the supplier: sent, waiting for the mail server, or waiting for a person (`draft`)."""

    id: Id
    status: Annotated[str, open_words("draft", "queued", "sent", "failed")] = Field(
        description="Whether it was sent, or waits for a person."
    )
    recipient: str | None = Field(default=None, description="The e-mail address that it goes to.")
    subject: str = Field(description="The subject of the letter.")
    body: str = Field(description="The text of the letter.")
    attempts: int = Field(description="How many times it was tried to send it.")
    error: str | None = None
    created_at: ReplyInstant
    sent_at: ReplyInstant = Field(default=None, description="When it was sent.")


class PlanAnew(Request):
    """The body of `…/strategy`, which calculates the three numbers again from what is on record now.
    `scope_id` replaces the negotiation's scope."""

    scope_id: Id | None = None


class Timeline(Reply):
    """What is on record about one negotiation; `entries` is a page of the newest ones, in the order in which
    they happened, and `pagination` its place, counted from the newest. `best_offer`
    is the lowest offer that can still be had for what is asked; `measures` what the agreed price saved, and
    `unmeasured` why not against other baselines.
    `quantity` (where one product is bought) and `term_months` turn totals into a price per unit and month;
    without `term_months`, it is not said or what is bought is paid once."""

    negotiation_id: Id
    status: Annotated[str, open_words(NegotiationStatus)]
    engagement_type: Annotated[str, open_words(EngagementType)]
    contact_name: str
    contact_email: str
    currency: str | None = None
    renews_agreement_id: Id | None = Field(
        default=None, description="The agreement that it is to renew, by its id."
    )
    agreement_id: Id | None = Field(
        default=None, description="The agreement that its price became, by its id."
    )
    act_by: date | None = None
    owners: list[Owner] | None = None
    strategy: StrategyShown = Field(description="Opening, target and walk-away with their reasons.")
    next_offer: Number | None = Field(default=None, description="What the buyer should offer next.")
    best_offer: Number | None = None
    measures: list[SavingsMeasure] = Field(default_factory=list[SavingsMeasure])
    unmeasured: str | None = None
    quantity: Number | None = None
    term_months: int | None = None
    previous: PreviousPrice | None = Field(
        default=None, description="What the caller paid for the same before."
    )
    entries: list[TimelineEntry] = Field(description="What happened, in the order in which it did.")
    pagination: Pagination | None = None
    documents: list[NegotiationDocument] = Field(description="The files that belong to the negotiation.")
    participants: list[NegotiationParticipant]
    mails: list[NegotiationMail] = Field(description="The letters to the supplier.")
