"""What an agreement's lines are as purchases: the price of a unit, before tax and after discounts. Pure."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

from app.contract.agreements import AgreementLine, NewAgreement
from app.contract.scope import PurchaseType
from app.service.agreements.line_amounts import (
    NOT_KNOWN,
    count_term_months,
    find_discounted_share,
    list_line_amounts,
    match_terms,
)
from app.service.pricing.catalog_product import CatalogProduct
from app.service.pricing.past_purchases import choose_unit
from app.service.pricing.scope_estimate import build_price_query
from app.service.scopes.store import StoredScope
from app.service.scopes.terms import StoredProductTerm, find_months_of_part


@dataclass(frozen=True, slots=True)
class LinePurchase:
    """A line of an agreement as a purchase. `amount` is before tax for the whole quantity and term, less its
    share of a discount on the whole; `term_months` is None for what is paid once."""

    line: int
    product: CatalogProduct
    purchase_date: date
    currency: str
    quantity: float
    unit: str | None
    amount: float
    term_months: int | None
    purchase_type: PurchaseType | None
    attributes: Mapping[str, Any]

    @property
    def unit_price(self) -> float:
        return self.amount / self.quantity


@dataclass(frozen=True, slots=True)
class NotLearned:
    """A line that is no purchase, and why, in a sentence."""

    line: int
    product_id: str | None
    reason: str


@dataclass(frozen=True, slots=True)
class AgreementFacts:
    """What the lines of an agreement are read with: `agreed_on` is the day of the deal, `months`
    the length of the term where that was negotiated, `scope` what it was
    agreed for, `products` those of its lines as the organisation sees them, `units` those of their purchases
    on record, `paid_once` the ids of those that are mostly paid once."""

    agreed: NewAgreement
    agreed_on: date | None
    months: int | None
    scope: StoredScope | None
    products: Mapping[str, CatalogProduct]
    units: Mapping[str, Collection[str]]
    paid_once: Collection[str]


def read_lines(facts: AgreementFacts) -> Iterator[LinePurchase | NotLearned]:
    """Yield each line of an agreement as a purchase, or why it is none."""
    lines = facts.agreed.lines or ()
    share = find_discounted_share(facts.agreed)
    terms = match_terms(lines, facts.scope.product_terms if facts.scope is not None else ())
    amounts = list_line_amounts(facts.agreed)
    for at, (line, term, amount) in enumerate(zip(lines, terms, amounts, strict=True)):
        product = facts.products.get(line.product_id) if line.product_id is not None else None
        if product is None:
            yield NotLearned(at, None, "It is not matched to a product of the catalog.")
            continue
        bought = _read_line(facts, line, at, product, term, amount, share)
        yield NotLearned(at, product.id, bought) if isinstance(bought, str) else bought


def _read_line(
    facts: AgreementFacts,
    line: AgreementLine,
    at: int,
    product: CatalogProduct,
    term: StoredProductTerm | None,
    amount: Decimal | None,
    share: Decimal | None,
) -> LinePurchase | str:
    agreed = facts.agreed
    if product.company_sample:
        return "Its supplier is sample data."
    if agreed.currency is None or facts.agreed_on is None:
        return "The currency is not known." if agreed.currency is None else "It is not known when it begins."
    if share is None:
        return NOT_KNOWN
    query, part = None, line.months
    if facts.scope is not None and term is not None:
        query = build_price_query(product, term, facts.scope.scope_terms, agreed.currency)
        part = part or find_months_of_part(term, facts.scope.months)
    quantity = float(line.quantity) if line.quantity is not None else query.quantity if query else None
    if not quantity:
        return "Its quantity is not known."
    if not amount:
        return "What it costs for the term (amount) is not known." if amount is None else "It costs nothing."
    recurring = line.recurring if line.recurring is not None else product.id not in facts.paid_once
    months = (part or count_term_months(agreed) or facts.months) if recurring else None
    if recurring and months is None:
        return "The length of the term is not known."
    renewal = agreed.previous_agreement_id is not None
    return LinePurchase(
        line=at,
        product=product,
        purchase_date=facts.agreed_on,
        currency=agreed.currency,
        quantity=quantity,
        unit=choose_unit(product, query.unit if query else None, facts.units.get(product.id, ()), line.unit),
        amount=float(amount * share),
        term_months=months,
        purchase_type="renewal" if renewal else query.purchase_type if query else None,
        attributes=dict(query.attributes) if query else {},
    )
