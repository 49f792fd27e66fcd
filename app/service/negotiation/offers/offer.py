"""An offer of the supplier, and which of several offers are valid. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, Field

from app.service.scopes.quote import QuoteClauses
from app.service.scopes.terms import StoredProductTerm
from app.service.stored_record import StoredRecord

OfferOrigin = Literal["update", "document", "scope"]


EXPIRY_WARNING = timedelta(days=3)

FILE_SOURCE = "parley:file"
"""The source of offers read in files. Their external id is the file's SHA-256, so that the same file makes
one offer however often it comes."""


@dataclass(frozen=True, slots=True)
class Offer(StoredRecord):
    """What the supplier asks for. `entry_id` is the timeline entry it is read from: the newest correction's
    where it was corrected; `first_entry_id` is the entry of the offer itself. `quantities` are those of its
    lines by product id, `options` the editions and the like that its lines name (by product and dimension, a
    value), `product_terms` its lines where it was read in a document, `clauses` those found in it. `covered`
    is the money of its lines for known products, None where no lines were read. `fits_scope` is false for an
    offer for another term, quantity or product than the scope's."""

    entry_id: Annotated[str, Field(exclude=True)]
    happened_at: Annotated[datetime, Field(exclude=True)]
    amount: Decimal
    currency: str
    origin: OfferOrigin = "update"
    term_length: int | None = None
    valid_until: date | None = None
    quantities: Mapping[str, Decimal | None] = field(default_factory=dict[str, Decimal | None])
    clauses: QuoteClauses = field(default_factory=QuoteClauses)
    options: Mapping[str, Mapping[str, str]] = field(default_factory=dict[str, Mapping[str, str]])
    product_terms: Annotated[Sequence[StoredProductTerm], Field(alias="terms"), AfterValidator(tuple)] = ()
    covered: Decimal | None = None
    line_count: Annotated[int, Field(alias="lines")] = 0
    covered_line_count: Annotated[int, Field(alias="linesCovered")] = 0
    document_number: Annotated[str | None, Field(alias="number")] = None
    fits_scope: Annotated[bool, Field(alias="fits")] = True
    first_entry_id: Annotated[str, Field(exclude=True)] = field(default="", compare=False)

    @classmethod
    def of_entry(cls, entry_id: str, happened_at: datetime, record: Mapping[str, Any]) -> Self:
        """Build the offer that an entry of the timeline stores."""
        entry = {"entryId": entry_id, "happenedAt": happened_at, "firstEntryId": entry_id}
        return cls.from_record({**record, **entry})

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


def list_valid_offers(offers: Sequence[Offer], now: datetime) -> list[Offer]:
    """Return the offers that have not expired, and the newest in any case. `offers` are in the order in which
    they happened."""
    return [offer for offer in offers if offer is offers[-1] or offer.ends_at is None or offer.ends_at > now]


def find_best_amount(offers: Sequence[Offer], now: datetime) -> Decimal | None:
    """Return the lowest valid offer that fits the scope; None where there is none."""
    return min((offer.amount for offer in list_valid_offers(offers, now) if offer.fits_scope), default=None)
