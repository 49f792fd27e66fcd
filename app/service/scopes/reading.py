"""From what a document says to a scope: pure, so that every rule can be tested on its own."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from app.contract.catalog import CheckboxField, NumberField, PricingDimension, SelectField
from app.service.documents.extraction import Extraction, JsonValue, LineItem
from app.service.scopes.documents import ReadScope

ASSUMED_TERM_MONTHS = 12
LARGEST = Decimal(10) ** 12
CENT = Decimal("0.01")

DOCUMENT_TYPES = {"order_form": "order_form", "order": "order_form", "contract": "contract"}
"""The reader's kinds as the interface's document types; every other kind is `other`."""


@dataclass(frozen=True)
class LineMatch:
    """The catalog product that a line was found to be. `score` in per cent."""

    product_id: str
    product_name: str
    score: float
    matched_by: str
    dimensions: Sequence[PricingDimension]
    quantity_dimension_id: str | None


def read_scope(
    document: Extraction,
    matches: Sequence[LineMatch | None],
    *,
    purchase_type: str | None,
    currency: str,
) -> ReadScope:
    """The scope that a document describes. `matches` runs parallel to its lines, `currency` stands in where
    the document names none."""
    warnings = list(document.warnings)
    if document.term_months is None:
        warnings.append(f"The document states no term; {ASSUMED_TERM_MONTHS} months are assumed.")
    product_terms: list[dict[str, Any]] = []
    for line, match in zip(document.line_items, matches, strict=True):
        if match is not None and not line.optional:
            product_terms.append(_product_term(line, match))
    reading = dict(document.to_json())
    reading["warnings"] = list[JsonValue](warnings)
    reading["pages"] = [{"width": page.width, "height": page.height} for page in document.pages]
    reading["matches"] = [_match_record(match) for match in matches]
    return ReadScope(
        currency=document.currency or currency,
        document_type=DOCUMENT_TYPES.get(document.kind, "other"),
        scope_terms=[_scope_term(document, purchase_type)],
        product_terms=product_terms,
        reading=reading,
    )


def _scope_term(document: Extraction, purchase_type: str | None) -> dict[str, Any]:
    """finalPrice is the net total: money in terms is before tax."""
    term: dict[str, Any] = {
        "termLength": min(max(document.term_months or ASSUMED_TERM_MONTHS, 1), 1200),
        "purchaseType": purchase_type or "new_purchase",
    }
    net = document.net_total
    if net is None and document.total is not None:
        net = document.total - (document.tax_total or 0)
    _put_money(term, "finalPrice", net)
    if document.auto_renew is not None:
        term["autoRenew"] = document.auto_renew
    if document.start_date is not None:
        term["startDate"] = document.start_date.isoformat()
    if document.end_date is not None:
        term["endDate"] = document.end_date.isoformat()
    return term


def _product_term(line: LineItem, match: LineMatch) -> dict[str, Any]:
    term: dict[str, Any] = {
        "productId": match.product_id,
        "pricingDimensions": list(_dimension_values(line, match)),
    }
    _put_money(term, "finalPrice", line.amount)
    if line.discount_percent is not None and 0 <= line.discount_percent <= 100:
        term["discount"] = _number(line.discount_percent)
        if line.list_unit_price is not None and line.unit_price and line.amount is not None:
            _put_money(term, "listPrice", line.amount * line.list_unit_price / line.unit_price)
    return term


def _dimension_values(line: LineItem, match: LineMatch) -> Sequence[dict[str, Any]]:
    """The line's quantity, and for what else the product requires its default: a line does not say it."""
    values: list[dict[str, Any]] = []
    for dimension in match.dimensions:
        if dimension.id == match.quantity_dimension_id:
            values.append({"id": dimension.id, "value": _number(line.quantity or Decimal(1))})
        elif dimension.form_field.required and not dimension.depends_on.depends_on_dimension_id:
            values.append({"id": dimension.id, "value": _default(dimension)})
    return values


def _default(dimension: PricingDimension) -> int | float | str:
    match dimension.form_field:
        case CheckboxField(default_value=value):
            return 1 if value else 0
        case SelectField(default_value=value, options=options):
            return value or options[0].value
        case NumberField(default_value=value, min=low):
            return _number(value if value is not None else low if low is not None else Decimal(1))


def _put_money(term: dict[str, Any], name: str, value: Decimal | None) -> None:
    if value is not None and 0 <= value < LARGEST:
        term[name] = _number(value.quantize(CENT, ROUND_HALF_UP))


def _number(value: Decimal) -> int | float:
    return int(value) if value == value.to_integral_value() else float(value)


def _match_record(match: LineMatch | None) -> Mapping[str, JsonValue] | None:
    if match is None:
        return None
    return {
        "productId": match.product_id,
        "productName": match.product_name,
        "score": round(match.score, 1),
        "matchedBy": match.matched_by,
    }
