"""The offer that a document makes: its price, its lines as products, its clauses."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from functools import cached_property
from typing import Any

from app.contract.values import MAX_AMOUNT, json_number
from app.service.catalog.line_match import LineMatch
from app.service.documents.extraction import Extraction, LineItem
from app.service.negotiation.offers.offer import Offer
from app.service.scopes.quote import QuoteClauses, QuoteLine
from app.service.scopes.quote_store import read_clauses
from app.service.scopes.scope_documents import ExtractedScope
from app.service.scopes.stored_reading import round_price

OFFER_DOCUMENT_KINDS = {"quote", "order_form", "contract", "order"}
"""Kinds of documents that ask for a price; an invoice or a price list is no offer."""


@dataclass(frozen=True)
class QuotedDocument:
    """A document as it was read, the product that each of its lines means, and the `scope` that was read in
    it; `matches` runs parallel to its lines."""

    extraction: Extraction
    matches: Sequence[LineMatch | None]
    scope: ExtractedScope

    @property
    def lines(self) -> Sequence[QuoteLine]:
        """The lines that the price is for, each with its amount for the whole term."""
        return self.scope.quote_lines

    @cached_property
    def clauses(self) -> QuoteClauses:
        """What the document says about later years and payment."""
        return read_clauses(self.scope.reading)

    def build_offer(self, happened_at: datetime, currency: str | None) -> Offer | None:
        """Return the offer that the document makes, in `currency` where it names none; None when it makes
        none. Its price is the total before tax."""
        read = self.extraction
        amount = self.scope.scope_terms[0].final_price
        currency = read.currency or currency
        if (
            read.kind not in OFFER_DOCUMENT_KINDS
            or amount is None
            or currency is None
            or not 0 < amount < MAX_AMOUNT
        ):
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
            options=self._options(),
            product_terms=self.scope.product_terms,
            clauses=self.clauses,
            document_number=read.document_number,
            **self._coverage(),
        )

    def build_payload(self, offer: Offer) -> dict[str, Any]:
        """Return the offer as a payload of `urn:svc:quote:1`, as if a person had entered it."""
        payload = {
            "amount": json_number(offer.amount),
            "currency": offer.currency,
            "termLength": offer.term_length,
            "validUntil": offer.valid_until.isoformat() if offer.valid_until else None,
            "lines": [_payload_line(line, match) for line, match in self._lines()],
        }
        return _drop_missing(payload)

    def _coverage(self) -> dict[str, Any]:
        """Return how much of the price is for lines of known products; empty where a line has no amount."""
        costing = [line for line in self.lines if line.amount is None or line.amount > 0]
        known = [line for line in costing if line.role == "product" and line.term is not None]
        if not costing or any(line.amount is None for line in costing):
            return {}
        covered = sum((line.amount or Decimal(0) for line in known), Decimal(0))
        return {"covered": covered, "line_count": len(costing), "covered_line_count": len(known)}

    def _options(self) -> dict[str, dict[str, str]]:
        """Return the options that the lines name: by product, the value of each dimension. Nothing for a
        product with several lines."""
        options_by_product: dict[str, dict[str, str]] = {}
        several: set[str] = set()
        lines = self.scope.reading.get("understood", [])
        for line, match in zip(lines, self.matches, strict=True):
            if match is None or line["role"] != "product":
                continue
            if match.product_id in options_by_product:
                several.add(match.product_id)
            options_by_product[match.product_id] = {
                one["id"]: str(one.get("value"))
                for one in line["dimensions"]
                if one["source"] == "read" and one["id"] != match.quantity_dimension_id
            }
        return {key: options for key, options in options_by_product.items() if key not in several and options}

    def _lines(self) -> list[tuple[LineItem, LineMatch | None]]:
        """Return the lines that the price is for, with their products."""
        pairs = zip(self.extraction.line_items, self.matches, strict=True)
        return [(line, match) for line, match in pairs if not line.optional]

    def _quantities(self) -> Mapping[str, Decimal | None]:
        """Return the offered quantity of each product; empty where a line that costs money is for an unknown
        product: it may be any of those asked for."""
        quantities: dict[str, Decimal | None] = {}
        for one in self.lines:
            if one.term is None:
                if one.role == "product" and one.amount != 0:
                    return {}
                continue
            product_id = self.scope.product_terms[one.term].product_id
            earlier, asked = quantities.get(product_id, Decimal(0)), self.extraction.line_items[one.index]
            quantities[product_id] = (
                None if earlier is None or asked.quantity is None else earlier + asked.quantity
            )
        return quantities


def _payload_line(line: LineItem, match: LineMatch | None) -> dict[str, Any]:
    price, amount = line.price_before_tax, line.amount_before_tax
    numbers = {
        "quantity": line.quantity,
        "unitPrice": None if price is None else round_price(price),
        "amount": None if amount is None else round_price(amount),
    }
    return _drop_missing(
        {
            "productId": match.product_id if match else None,
            "description": line.description,
            **{name: None if value is None else json_number(value) for name, value in numbers.items()},
        }
    )


def _drop_missing(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}
