"""An offer, and what about it a person must decide."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any, Literal, Self

from app.contract.negotiation import EscalationReason
from app.service.negotiation.amounts import amount_of, kept
from app.service.negotiation.strategy import Strategy

Origin = Literal["update", "document", "scope"]

PRICE_REASONS: frozenset[EscalationReason] = frozenset(
    {"quote_above_walk_away", "quote_within_target", "scope_mismatch"}
)
"""What is judged anew when the numbers change."""

EXPIRES_SOON = timedelta(days=3)

FROM_FILE = "parley:file"
"""The source of offers read in files; their external id is the file's SHA-256, so that the same file, however
often it comes, makes one offer."""


@dataclass(frozen=True, slots=True)
class Offer:
    """What the supplier asks for. `quantities` are those of its lines by product id; `clauses` those seen in
    its document (`renewalUpliftPercent`, `autoRenew`, `noticeDays`)."""

    entry_id: str
    happened_at: datetime
    amount: Decimal
    currency: str
    origin: Origin = "update"
    term_length: int | None = None
    valid_until: date | None = None
    quantities: Mapping[str, Decimal | None] = field(default_factory=dict[str, Decimal | None])
    clauses: Mapping[str, Any] = field(default_factory=dict[str, Any])

    @property
    def ends_at(self) -> datetime | None:
        """The end of the last day on which it is valid, in UTC."""
        if self.valid_until is None or self.valid_until == date.max:
            return None
        day = self.valid_until + timedelta(days=1)
        return datetime(day.year, day.month, day.day, tzinfo=UTC)

    @property
    def warn_at(self) -> datetime | None:
        """When to say that it expires: three days before."""
        if self.ends_at is None or self.ends_at < datetime.min.replace(tzinfo=UTC) + 2 * EXPIRES_SOON:
            return None
        return self.ends_at - timedelta(days=1) - EXPIRES_SOON

    def record(self) -> dict[str, Any]:
        """As the timeline's row keeps it; `from_record` reads it again."""
        return {
            "amount": kept(self.amount),
            "currency": self.currency,
            "origin": self.origin,
            "termLength": self.term_length,
            "validUntil": self.valid_until.isoformat() if self.valid_until else None,
            "quantities": {
                key: None if value is None else kept(value) for key, value in self.quantities.items()
            },
            "clauses": dict(self.clauses),
        }

    @classmethod
    def from_record(cls, entry_id: str, happened_at: datetime, record: Mapping[str, Any]) -> Self:
        return cls(
            entry_id=entry_id,
            happened_at=happened_at,
            amount=amount_of(record["amount"]),
            currency=record["currency"],
            origin=record["origin"],
            term_length=record["termLength"],
            valid_until=date.fromisoformat(record["validUntil"]) if record["validUntil"] else None,
            quantities={
                key: None if value is None else amount_of(value)
                for key, value in record["quantities"].items()
            },
            clauses=record["clauses"],
        )


@dataclass(frozen=True, slots=True)
class ScopeFacts:
    """What is to be bought: the term in months, and the quantities by product id."""

    term_length: int | None
    quantities: Mapping[str, Decimal]


@dataclass(frozen=True, slots=True)
class Finding:
    """One reason to ask a person; `because` says in sentences what was found."""

    reason: EscalationReason
    because: str


def in_hand(offers: Sequence[Offer], now: datetime) -> list[Decimal]:
    """Amounts of the quotes that can still be had: those not expired, and the newest in any case. `offers` in
    the order in which they happened."""
    return [
        offer.amount
        for offer in offers
        if offer is offers[-1] or offer.ends_at is None or offer.ends_at > now
    ]


def judge(offer: Offer, strategy: Strategy | None, scope: ScopeFacts | None) -> list[Finding]:
    """What about this offer a person must decide. `strategy` is already held to the quotes in hand. An offer
    for something else than the scope cannot be measured by the scope's numbers."""
    findings = list(_clauses(offer))
    differences = list(_differences(offer, scope)) if scope is not None else []
    if differences:
        return [Finding("scope_mismatch", " ".join(differences)), *findings]
    if strategy is None:
        return findings
    if offer.amount > strategy.walk_away.amount:
        return [Finding("quote_above_walk_away", "The quote is above the walk-away."), *findings]
    if offer.amount <= strategy.target.amount:
        return [Finding("quote_within_target", "The quote is within the target."), *findings]
    return findings


def _differences(offer: Offer, scope: ScopeFacts) -> Iterable[str]:
    if offer.term_length and scope.term_length and offer.term_length != scope.term_length:
        yield f"The offer runs {offer.term_length} months, the scope {scope.term_length}."
    if not offer.quantities:
        return
    extra = offer.quantities.keys() - scope.quantities.keys()
    missing = scope.quantities.keys() - offer.quantities.keys()
    if extra:
        yield f"The offer has {_products(len(extra))} that the scope has not."
    if missing:
        yield f"The offer lacks {_products(len(missing))} of the scope."
    for key in sorted(offer.quantities.keys() & scope.quantities.keys()):
        offered = offer.quantities[key]
        if offered is not None and offered != scope.quantities[key]:
            yield f"The offer has a quantity of {offered}, the scope {scope.quantities[key]}."


def _products(count: int) -> str:
    return "a product" if count == 1 else f"{count} products"


def _clauses(offer: Offer) -> Iterable[Finding]:
    uplift, renews = offer.clauses.get("renewalUpliftPercent"), offer.clauses.get("autoRenew")
    seen: list[str] = []
    if uplift is not None:
        seen.append(f"The price rises by {uplift} % at renewal.")
    if renews:
        notice = offer.clauses.get("noticeDays")
        seen.append(
            "It renews by itself" + (f" unless notice is given {notice} days before." if notice else ".")
        )
    if seen:
        yield Finding("contract_clause", " ".join(seen))
