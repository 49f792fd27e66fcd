"""The rows of a negotiation's tables as types. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Annotated, Any, Self, TypedDict, cast

from sqlalchemy import RowMapping

from app.contract.comments import Owner
from app.contract.negotiation import (
    Decision,
    EngagementType,
    EscalationReason,
    EscalationStatus,
    NegotiationStatus,
)
from app.service.database.rows import read_row
from app.service.negotiation.offers.savings import AgreedPrice
from app.service.negotiation.strategy.levers import StrategyLever
from app.service.negotiation.strategy.strategy import Strategy
from app.service.stored_record import OMITTED, StoredRecord

_Numbers = Mapping[str, str]
"""Opening, target and walk-away as exact amounts."""


EntryContent = TypedDict(
    "EntryContent",
    {
        "payload": Mapping[str, object],
        "schema": object,
        "text": str,
        "atStart": bool,
        "attachmentId": str,
        "clauses": Mapping[str, Any],
        "offer": Mapping[str, Any] | None,
        "corrects": str,
        "escalationId": str,
        "counter": str,
        "answers": str,
        "from": _Numbers | str | None,
        "to": _Numbers | str | None,
        "because": str,
        "kind": str,
        "externalId": str,
        "purchases": int,
        "mailId": str,
        "byHand": bool,
    },
    total=False,
)
"""What an entry of the timeline says. Of an external update it has the `payload` and the `schema` as they
came; a correction of the offer in the entry that it `corrects` withdraws it without an `offer`; `atStart`
says of an offer that it was there when the negotiation began, `counter` what the buyer offers and `answers`
in answer to which offer, by its entry. `from` and
`to` are the numbers or the status before and after, or the source of an update that was refused; `purchases`
counts those that an estimate rests on, and `byHand` says that a person did it, and not the background."""


class SupplierRecord(TypedDict, total=False):
    """The supplier as the caller named it, completed from the catalog; at least one key."""

    companyId: str
    name: str
    domain: str
    contactName: str
    contactEmail: str


@dataclass(frozen=True, slots=True)
class NegotiationRow:
    """One negotiation. `scopes_tried` are the ids of the attached files that were read into a scope;
    `unavailable` says why there is no strategy; `coverage` says how much of the quote the estimate is for;
    `next_offer` is the amount the buyer decided to offer next; `agreement_id` is the agreement to renew by
    `act_by`."""

    id: str
    organisation_id: str
    status: NegotiationStatus
    engagement_type: EngagementType
    contact_name: str
    contact_email: str
    supplier: SupplierRecord
    company_id: str | None
    scope_id: str | None
    scopes_tried: Sequence[str]
    participants: Sequence[Mapping[str, Any]]
    metadata: Mapping[str, Any] | None
    strategy: Strategy | None
    levers: Sequence[StrategyLever]
    unavailable: str | None
    coverage: str | None
    next_offer: Decimal | None
    currency: str | None
    agreement_id: str | None
    act_by: date | None
    agreement: AgreedPrice | None
    end_user: dict[str, str] | None
    sample: bool
    created_at: datetime
    updated_at: datetime
    owners: Sequence[Owner]

    @classmethod
    def from_row(cls, row: RowMapping) -> Self:
        strategy, agreement, next_offer = row["strategy"], row["agreement"], row["next_offer"]
        return read_row(
            cls,
            row,
            owners=[Owner.model_validate(one) for one in row["owners"] or ()],
            strategy=Strategy.from_record(strategy) if strategy else None,
            levers=[StrategyLever.from_record(record) for record in row["levers"]],
            agreement=AgreedPrice.from_record(agreement) if agreement else None,
            next_offer=None if next_offer is None else Decimal(str(next_offer)),
        )


def to_column(value: object) -> object:
    """Return a field of a `NegotiationRow` as its column stores it."""
    if isinstance(value, Decimal):
        return str(value)
    if isinstance(value, StoredRecord):
        return value.to_record()
    if isinstance(value, (list, tuple)):
        return [to_column(item) for item in cast(Sequence[object], value)]
    return value


@dataclass(frozen=True, slots=True)
class EntryRow:
    """One entry of the timeline. `numbers` are the opening, target and walk-away when it was recorded."""

    id: str
    negotiation_id: str
    kind: str
    happened_at: datetime
    recorded_at: datetime
    source: str | None
    external_id: str | None
    content_digest: str | None
    content: Mapping[str, Any]
    numbers: Mapping[str, str] | None
    end_user: Mapping[str, str] | None


@dataclass(frozen=True, slots=True)
class StoredOption(StoredRecord):
    """A decision that a person can take, with its consequence in a sentence. `amount` is the price that it
    accepts or offers."""

    decision: Decision
    label: str
    consequence: str
    amount: Annotated[Decimal | None, OMITTED] = None


@dataclass(frozen=True, slots=True)
class EscalationRow:
    """A decision that a person must take, or had to. `offer_entry_id` is the entry of the offer."""

    id: str
    negotiation_id: str
    reason: EscalationReason
    status: EscalationStatus
    offer_entry_id: str | None
    title: str
    description: str
    options: Sequence[StoredOption]
    recommended: Decision | None
    created_at: datetime
    updated_at: datetime
    due_at: datetime | None
    resolved_at: datetime | None
    resolution: str | None

    @classmethod
    def from_row(cls, row: RowMapping) -> Self:
        return read_row(cls, row, options=[StoredOption.from_record(record) for record in row["options"]])


@dataclass(frozen=True, slots=True)
class ListedEscalationRow:
    """An escalation as a summary lists it: without its description, its options as JSON text."""

    id: str
    negotiation_id: str
    reason: EscalationReason
    status: EscalationStatus
    title: str
    options: str
    recommended: Decision | None
    created_at: datetime
    updated_at: datetime
    due_at: datetime | None
    resolved_at: datetime | None
    resolution: str | None


@dataclass(frozen=True, slots=True)
class SummaryRow:
    """An executive summary; `figures` are exact amounts as text."""

    created_at: datetime
    title: str
    text: str
    figures: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class AttachmentRow:
    """An attached file; `at_start` says that the negotiation began with it."""

    id: str
    negotiation_id: str
    file_id: str
    created_at: datetime
    at_start: bool
    reading_status: str
    filename: str
    media_type: str
    sha256: str
    organisation_id: str


@dataclass(frozen=True, slots=True)
class MailRow:
    """A letter to the supplier."""

    id: str
    status: str
    recipient: str | None
    subject: str
    body: str
    attempts: int
    error: str | None
    created_at: datetime
    sent_at: datetime | None


@dataclass(frozen=True, slots=True)
class TimerRow:
    """A time at which something is to be looked at: `kind` is supplier_silent, quote_expiring or plan."""

    id: str
    negotiation_id: str
    kind: str
    due_at: datetime
    content: Mapping[str, str]
