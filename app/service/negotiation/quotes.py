"""What a document that was read says as an offer: its price, its lines as products, its clauses."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from functools import cached_property
from typing import Any

from app.service.documents.extraction import Extraction, LineItem
from app.service.negotiation.amounts import on_the_wire
from app.service.negotiation.offers import Offer
from app.service.negotiation.updates import LARGEST
from app.service.scopes.quote import Clauses
from app.service.scopes.reading import LineMatch

OFFERING = {"quote", "order_form", "contract", "order"}
"""Kinds of documents that ask for a price; an invoice or a price list is no offer."""


@dataclass(frozen=True)
class QuotedDocument:
    """A reading with the product that each of its lines means; `matches` runs parallel to its lines."""

    extraction: Extraction
    matches: Sequence[LineMatch | None]

    @cached_property
    def clauses(self) -> dict[str, Any]:
        """The clauses, as an offer keeps them."""
        read = self.extraction
        return clauses_of(
            Clauses(
                uplift_percent=read.renewal_uplift_percent,
                uplift_is_cap=bool(read.renewal_uplift_is_cap),
                auto_renew=read.auto_renew,
                notice_days=read.notice_days,
                payment_terms_days=read.payment_terms_days,
                billing=read.billing,
            )
        )

    def offer(self, happened_at: datetime, currency: str | None) -> Offer | None:
        """The offer that the document makes, `currency` where it names none; None when it makes none. Its
        price is the total before tax."""
        read = self.extraction
        amount = read.net_total
        if amount is None and read.total is not None:
            amount = read.total - (read.tax_total or Decimal(0))
        currency = read.currency or currency
        if read.kind not in OFFERING or amount is None or currency is None or not 0 < amount < LARGEST:
            return None
        return Offer(
            entry_id="",
            happened_at=happened_at,
            amount=amount,
            currency=currency,
            origin="document",
            term_length=read.term_months,
            valid_until=read.valid_until,
            quantities=self._quantities(),
            clauses=self.clauses,
            number=read.document_number,
            **self._covered(),
        )

    def payload(self, offer: Offer) -> dict[str, Any]:
        """The offer in the words of `urn:svc:quote:1`, as if somebody had typed it in."""
        said = {
            "amount": on_the_wire(offer.amount),
            "currency": offer.currency,
            "termLength": offer.term_length,
            "validUntil": offer.valid_until.isoformat() if offer.valid_until else None,
            "lines": [_line(line, match) for line, match in self._lines()],
        }
        return _known(said)

    def _covered(self) -> dict[str, Any]:
        """How much of the price is for lines of known products; nothing where a line has no amount."""
        costing = [(line, match) for line, match in self._lines() if line.amount is None or line.amount > 0]
        known = [line for line, match in costing if match is not None]
        if not costing or any(line.amount is None for line, _ in costing):
            return {}
        covered = sum((line.amount or Decimal(0) for line in known), Decimal(0))
        return {"covered": covered, "lines": len(costing), "lines_covered": len(known)}

    def _lines(self) -> list[tuple[LineItem, LineMatch | None]]:
        """Those that the price is for."""
        pairs = zip(self.extraction.line_items, self.matches, strict=True)
        return [(line, match) for line, match in pairs if not line.optional]

    def _quantities(self) -> Mapping[str, Decimal | None]:
        """What is offered, by product. Nothing where a line that costs is of an unknown product: it may be
        any of those asked for."""
        quantities: dict[str, Decimal | None] = {}
        for line, match in self._lines():
            if match is None and line.amount != 0:
                return {}
            if match is not None:
                earlier = quantities.get(match.product_id, Decimal(0))
                quantities[match.product_id] = (
                    None if earlier is None or line.quantity is None else earlier + line.quantity
                )
        return quantities


def clauses_of(clauses: Clauses) -> dict[str, Any]:
    """Clauses as an offer keeps them: those that are known."""
    uplift = clauses.uplift_percent
    return _known(
        {
            "autoRenew": clauses.auto_renew,
            "renewalUpliftPercent": None if uplift is None else f"{uplift.normalize():f}",
            "renewalUpliftIsCap": True if uplift is not None and clauses.uplift_is_cap else None,
            "noticeDays": clauses.notice_days,
            "paymentTermsDays": clauses.payment_terms_days,
            "billing": clauses.billing,
        }
    )


def _line(line: LineItem, match: LineMatch | None) -> dict[str, Any]:
    numbers = {"quantity": line.quantity, "unitPrice": line.unit_price, "amount": line.amount}
    return _known(
        {
            "productId": match.product_id if match else None,
            "description": line.description,
            **{name: None if value is None else on_the_wire(value) for name, value in numbers.items()},
        }
    )


def _known(said: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in said.items() if value is not None}
