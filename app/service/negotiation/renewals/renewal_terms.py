"""The terms of the scope that follows an agreement: what is paid again, for the next term."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date

from app.contract.agreements import AgreementLine, NewAgreement
from app.contract.money import format_exact_money
from app.contract.scope import DimensionValue, NewProductTerm, NewScopeTerm
from app.service.agreements.dates.position import Position
from app.service.agreements.dates.working_days import ONE_DAY
from app.service.agreements.line_amounts import match_terms
from app.service.agreements.market.renewal_cost import find_current_price
from app.service.charges.months import add_months, count_months
from app.service.pricing.catalog_product import CatalogProduct
from app.service.scopes.store import StoredScope
from app.service.scopes.terms import StoredProductTerm

USUAL_MONTHS = 12
"""The length of the next term where the agreement does not say it."""
EARLIER_PART = "it is for an earlier part of the term."


@dataclass(slots=True)
class RenewalTerms:
    """What the follow-up scope asks for. `left_out` says of each line that it does not have why not;
    `assumed` says what the agreement leaves open."""

    term: NewScopeTerm
    products: list[NewProductTerm] = field(default_factory=list[NewProductTerm])
    left_out: list[str] = field(default_factory=list[str])
    assumed: list[str] = field(default_factory=list[str])


def build_renewal_terms(
    agreed: NewAgreement,
    position: Position,
    scope: StoredScope | None,
    products: Mapping[str, CatalogProduct],
) -> RenewalTerms:
    """Return the terms that follow those of an agreement. `scope` is what it was agreed for, which states the
    choices that no line does; `products` are those of lines and scope, as the organisation sees them."""
    assumed: list[str] = []
    months = _count_months(agreed)
    if months is None:
        months = USUAL_MONTHS
        assumed.append(f"The length of the next term is not known: {months} months are assumed.")
    start = None if position.term_end is None else position.term_end + ONE_DAY
    terms = RenewalTerms(_build_term(agreed, months, start), assumed=assumed)
    of_scope = scope.product_terms if scope is not None else ()
    lines = agreed.lines or ()
    known = match_terms(lines, of_scope)
    paid_again = [
        term
        for line, term in zip(lines, known, strict=True)
        if term is not None and line.recurring is not False
    ]
    for line, term in zip(lines, known, strict=True):
        bought = products.get(line.product_id) if line.product_id is not None else None
        if line.recurring is False:
            terms.left_out.append(f"{line.description}: it is paid once.")
        elif bought is None:
            terms.left_out.append(f"{line.description}: it is not matched to a product of the catalog.")
        elif term is not None and _is_followed(term, paid_again):
            terms.left_out.append(f"{line.description}: {EARLIER_PART}")
        else:
            terms.products.append(_build_product_term(line, bought, term))
    for term in () if lines else of_scope:
        bought = products.get(term.product_id)
        if bought is not None and _is_followed(term, of_scope):
            terms.left_out.append(f"{bought.name}: {EARLIER_PART}")
        elif bought is not None:
            terms.products.append(_repeat(term))
    return terms


def describe_price(agreed: NewAgreement, months: int) -> str:
    """Say what the agreement costs today, which is all that is known where it has no line that can be
    priced."""
    price = find_current_price(agreed, months)
    if price is None or agreed.currency is None:
        return "No line of it can be priced, and what it costs today is not known."
    paid = format_exact_money(price, agreed.currency)
    return f"No line of it can be priced: it is renewed by its value, {paid} for {months} months today."


def _count_months(agreed: NewAgreement) -> int | None:
    if agreed.renewal_type in ("auto_renew", "option") and agreed.auto_renewal_term_months is not None:
        return agreed.auto_renewal_term_months
    if agreed.term_start is None or agreed.term_end is None:
        return None
    return count_months(agreed.term_start, agreed.term_end + ONE_DAY)


def _build_term(agreed: NewAgreement, months: int, start: date | None) -> NewScopeTerm:
    renews = {"auto_renew": True, "none": False}.get(agreed.renewal_type or "")
    return NewScopeTerm(
        term_length=months,
        purchase_type="renewal",
        auto_renew=renews,
        start_date=start,
        end_date=None if start is None else add_months(start, months) - ONE_DAY,
    )


def _is_followed(term: StoredProductTerm, others: Iterable[StoredProductTerm]) -> bool:
    """Say whether a product is bought for one year of the term and others for a later one, or the product
    itself between later dates."""
    if term.months is not None and term.first_month is not None:
        years = (other.first_month for other in others if other.months is not None)
        return any(year is not None and year > term.first_month for year in years)
    if term.end_date is None:
        return False
    starts = (other.start_date for other in others if other.product_id == term.product_id)
    return any(start is not None and start > term.end_date for start in starts)


def _build_product_term(
    line: AgreementLine, bought: CatalogProduct, term: StoredProductTerm | None
) -> NewProductTerm:
    """Return the product term of a line: its quantity, and the choices of the scope."""
    values = {one.id: one.value for one in (term.dimensions if term is not None else ())}
    if line.quantity is not None and bought.quantity_dimension_id is not None:
        values[bought.quantity_dimension_id] = line.quantity
    return NewProductTerm.model_construct(
        product_id=bought.id,
        pricing_dimensions=[
            DimensionValue(id=name, value=value) for name, value in values.items() if value is not None
        ],
    )


def _repeat(term: StoredProductTerm) -> NewProductTerm:
    values = [DimensionValue(id=one.id, value=one.value) for one in term.dimensions if one.value is not None]
    return NewProductTerm.model_construct(product_id=term.product_id, pricing_dimensions=values)
