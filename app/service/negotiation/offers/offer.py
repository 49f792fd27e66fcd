"""An offer of the supplier, and which of several offers are valid. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any, Literal, NotRequired, Self, TypedDict, cast

from app.service.documents.extraction import NoticeUnit
from app.service.negotiation.amounts import amount_to_text, parse_amount
from app.service.scopes.quote import QuoteClauses
from app.service.scopes.terms import StoredProductTerm

OfferOrigin = Literal["update", "document", "scope"]


EXPIRY_WARNING = timedelta(days=3)

FILE_SOURCE = "parley:file"
"""The source of offers read in files. Their external id is the file's SHA-256, so that the same file makes
one offer however often it comes."""


class ClausesRecord(TypedDict, total=False):
    """The clauses of a quote that are known. The percentage is an exact number as text."""

    autoRenew: bool
    renewalUpliftPercent: str
    renewalUpliftIsCap: bool
    noticeDays: int
    noticeUnit: NoticeUnit
    paymentTermsDays: int
    billing: str


class OfferRecord(TypedDict):
    """An offer as the timeline's row stores it. Amounts are exact numbers as text. Rows of earlier versions
    lack what is not required."""

    amount: str
    currency: str
    origin: OfferOrigin
    termLength: int | None
    validUntil: str | None
    quantities: Mapping[str, str | None]
    clauses: ClausesRecord
    options: NotRequired[Mapping[str, Mapping[str, str]]]
    terms: NotRequired[Sequence[Mapping[str, Any]]]
    covered: NotRequired[str | None]
    lines: NotRequired[int]
    linesCovered: NotRequired[int]
    number: NotRequired[str | None]
    fits: NotRequired[bool]


@dataclass(frozen=True, slots=True)
class Offer:
    """What the supplier asks for. `entry_id` is the timeline entry it is read from: the newest correction's
    where it was corrected; `first_entry_id` is the entry of the offer itself. `quantities` are those of its
    lines by product id, `options` the editions and the like that its lines name (by product and dimension, a
    value), `product_terms` its lines where it was read in a document, `clauses` those found in it. `covered`
    is the money of its lines for known products, None where no lines were read. `fits_scope` is false for an
    offer for another term, quantity or product than the scope's."""

    entry_id: str
    happened_at: datetime
    amount: Decimal
    currency: str
    origin: OfferOrigin = "update"
    term_length: int | None = None
    valid_until: date | None = None
    quantities: Mapping[str, Decimal | None] = field(default_factory=dict[str, Decimal | None])
    clauses: QuoteClauses = field(default_factory=QuoteClauses)
    options: Mapping[str, Mapping[str, str]] = field(default_factory=dict[str, Mapping[str, str]])
    product_terms: Sequence[StoredProductTerm] = ()
    covered: Decimal | None = None
    line_count: int = 0
    covered_line_count: int = 0
    document_number: str | None = None
    fits_scope: bool = True
    first_entry_id: str = field(default="", compare=False)

    @property
    def uncovered(self) -> Decimal:
        """What it asks for lines of no known product."""
        return Decimal(0) if self.covered is None else max(self.amount - self.covered, Decimal(0))

    @property
    def ends_at(self) -> datetime | None:
        """The end of the last day on which it is valid, in UTC."""
        if self.valid_until is None or self.valid_until == date.max:
            return None
        day = self.valid_until + timedelta(days=1)
        return datetime(day.year, day.month, day.day, tzinfo=UTC)

    @property
    def warn_at(self) -> datetime | None:
        """When to warn that it expires: three days before."""
        if self.ends_at is None or self.ends_at < datetime.min.replace(tzinfo=UTC) + 2 * EXPIRY_WARNING:
            return None
        return self.ends_at - timedelta(days=1) - EXPIRY_WARNING

    def to_record(self) -> OfferRecord:
        """Return the JSON object that the timeline's row stores; `from_record` reads it again."""
        return {
            "amount": amount_to_text(self.amount),
            "currency": self.currency,
            "origin": self.origin,
            "termLength": self.term_length,
            "validUntil": self.valid_until.isoformat() if self.valid_until else None,
            "quantities": {
                key: None if value is None else amount_to_text(value)
                for key, value in self.quantities.items()
            },
            "clauses": clauses_to_record(self.clauses),
            "options": {key: dict(chosen) for key, chosen in self.options.items()},
            "terms": [term.record() for term in self.product_terms],
            "covered": None if self.covered is None else amount_to_text(self.covered),
            "lines": self.line_count,
            "linesCovered": self.covered_line_count,
            "number": self.document_number,
            "fits": self.fits_scope,
        }

    @classmethod
    def from_record(cls, entry_id: str, happened_at: datetime, record: OfferRecord) -> Self:
        covered = record.get("covered")
        return cls(
            entry_id=entry_id,
            happened_at=happened_at,
            amount=parse_amount(record["amount"]),
            currency=record["currency"],
            origin=record["origin"],
            term_length=record["termLength"],
            valid_until=date.fromisoformat(record["validUntil"]) if record["validUntil"] else None,
            quantities={
                key: None if value is None else parse_amount(value)
                for key, value in record["quantities"].items()
            },
            clauses=_clauses_from_record(record["clauses"]),
            options=record.get("options", {}),
            product_terms=tuple(StoredProductTerm.from_record(term) for term in record.get("terms", ())),
            covered=None if covered is None else parse_amount(covered),
            line_count=record.get("lines", 0),
            covered_line_count=record.get("linesCovered", 0),
            document_number=record.get("number"),
            fits_scope=record.get("fits", True),
            first_entry_id=entry_id,
        )


def clauses_to_record(clauses: QuoteClauses) -> ClausesRecord:
    """Return the clauses that are known as the JSON object that the timeline's row stores."""
    uplift = clauses.uplift_percent
    record = {
        "autoRenew": clauses.auto_renew,
        "renewalUpliftPercent": None if uplift is None else f"{uplift.normalize():f}",
        "renewalUpliftIsCap": True if uplift is not None and clauses.uplift_is_cap else None,
        "noticeDays": clauses.notice_days,
        "noticeUnit": clauses.notice_unit,
        "paymentTermsDays": clauses.payment_terms_days,
        "billing": clauses.billing,
    }
    return cast(ClausesRecord, {name: value for name, value in record.items() if value is not None})


def _clauses_from_record(record: ClausesRecord) -> QuoteClauses:
    uplift = record.get("renewalUpliftPercent")
    return QuoteClauses(
        uplift_percent=None if uplift is None else parse_amount(uplift),
        uplift_is_cap=record.get("renewalUpliftIsCap", False),
        auto_renew=record.get("autoRenew"),
        notice_days=record.get("noticeDays"),
        notice_unit=record.get("noticeUnit"),
        payment_terms_days=record.get("paymentTermsDays"),
        billing=record.get("billing"),
    )


def list_valid_offers(offers: Sequence[Offer], now: datetime) -> list[Offer]:
    """Return the offers that have not expired, and the newest in any case. `offers` are in the order in which
    they happened."""
    return [offer for offer in offers if offer is offers[-1] or offer.ends_at is None or offer.ends_at > now]


def find_best_amount(offers: Sequence[Offer], now: datetime) -> Decimal | None:
    """Return the lowest valid offer that fits the scope; None where there is none."""
    return min((offer.amount for offer in list_valid_offers(offers, now) if offer.fits_scope), default=None)
