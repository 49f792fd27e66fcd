"""Agreed prices: as purchases of the organisation, its own evidence for the next negotiation, and as savings
and the accuracy of estimates count them.

Only the organisation sees the purchases, as everything that it imports. The task that writes them may run
again after a crash: the key of each line follows from the negotiation, so that it is written once.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from fractions import Fraction
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection

from app.contract.agreements import AgreementLine
from app.contract.money import format_count, format_exact_money
from app.service.charges.charge import share_out, to_decimal
from app.service.database.dialect import lock_imports
from app.service.database.rows import count_rows
from app.service.database.tables import category, company, purchase
from app.service.ids import build_purchase_id
from app.service.negotiation import store
from app.service.negotiation.offers.savings import AgreedPrice, Savings, select_main
from app.service.negotiation.rows import NegotiationRow
from app.service.pricing.catalog_product import CatalogProduct, load_products
from app.service.pricing.estimator.distribution import PriceDistribution
from app.service.pricing.past_purchases import choose_unit, load_units
from app.service.pricing.scope_estimate import build_price_query, estimate_scope
from app.service.purchases.own_purchases import find_one_time_products, find_or_insert_article
from app.service.purchases.product_refresh import mark_stale
from app.service.scopes.quote import ScopeQuote
from app.service.scopes.quote_store import load_quote
from app.service.scopes.schedule import build_schedule, ends_after, read_stated_prices
from app.service.scopes.store import StoredScope
from app.service.scopes.terms import StoredProductTerm, find_months_of_part, find_quantity


@dataclass(frozen=True, slots=True)
class AgreedNegotiationRow:
    """One agreed negotiation, with its row as stored; `sample` says that it or its supplier is sample data.
    `purchases` counts those behind its estimate; `measures` is empty without a baseline for the same term;
    `unmeasured` says in words where there was one for another."""

    row: NegotiationRow
    negotiation_id: str
    supplier: str
    company_id: str | None
    category_id: str | None
    category: str | None
    sample: bool
    signed_at: datetime
    currency: str
    amount: Decimal
    target: Decimal | None
    measures: Sequence[Savings]
    unmeasured: str | None
    purchases: int

    @property
    def savings(self) -> Savings | None:
        """The savings that count in sums."""
        return select_main(self.measures)


def load_counted_negotiations(connection: Connection, organisation_id: str) -> list[AgreedNegotiationRow]:
    """Load every agreed negotiation of an organisation that counts, in the order in which the negotiations
    began."""
    rows = store.load_agreed_negotiations(connection, organisation_id)
    ids = {row.company_id for row in rows if row.company_id is not None}
    sellers = {
        seller.id: seller
        for seller in connection.execute(
            sa.select(
                company.c.id,
                company.c.name,
                company.c.sample,
                company.c.category_id,
                category.c.name.label("category"),
            )
            .outerjoin(category, category.c.id == company.c.category_id)
            .where(company.c.id.in_(ids))
        )
    }
    agreements: list[AgreedNegotiationRow] = []
    for row in rows:
        seller = sellers.get(row.company_id) if row.company_id is not None else None
        supplier = seller.name if seller else row.supplier.get("name") or row.supplier.get("domain")
        if row.agreement is None or row.currency is None:
            continue  # not reached: an agreed negotiation has both
        agreements.append(
            AgreedNegotiationRow(
                row=row,
                negotiation_id=row.id,
                supplier=supplier or "Unknown",
                company_id=row.company_id,
                category_id=seller.category_id if seller else None,
                category=seller.category if seller else None,
                sample=row.sample or (seller is not None and seller.sample),
                signed_at=row.agreement.signed_at,
                currency=row.currency,
                amount=row.agreement.amount,
                target=row.agreement.target,
                measures=row.agreement.measures,
                unmeasured=row.agreement.unmeasured,
                purchases=row.strategy.purchases if row.strategy else 0,
            )
        )
    return agreements


SAVE_AGREED_PURCHASE = "agreed_purchase"
"""The kind of the task that saves an agreed price."""

ZERO = Decimal(0)
UNMATCHED = (
    "it is no product of the scope, until its line on the agreement is matched with one of the catalog"
)
UNCOUNTED = "how many were agreed is not stated, until it is on the line of the agreement"
UNKNOWN_OFFER = (
    "The price was agreed for something else than the scope, and how much of each product that is, is not"
    " known, so it is not saved as a purchase."
)
UNKNOWN_PARTS = (
    "The price was agreed for {months}, and parts of the scope end later: what of them it is for is"
    " not known, so it is not saved as a purchase."
)
UNDATED = "for how long it is paid is not stated, until both ends of the term are on the agreement"


@dataclass(frozen=True, slots=True)
class AgreedLine:
    """What was agreed for one product term, by its place: `amount` is before tax for the whole quantity and
    term."""

    product: CatalogProduct
    term_index: int
    term: StoredProductTerm
    quantity: Decimal
    amount: Decimal
    recurring: bool


@dataclass(frozen=True, slots=True)
class PriceSplit:
    """An agreed price by product, and what else it is for, each with the reason why it is no purchase.
    `method` says how the price was split; where nothing can be saved, `lines` is empty and `method` says
    why."""

    lines: Sequence[AgreedLine]
    method: str
    unsaved: Sequence[tuple[AgreementLine, str]] = ()


def split_by_product(
    connection: Connection, agreement: AgreedPrice, currency: str, scope: StoredScope, now: datetime
) -> PriceSplit:
    """Split an agreed price over the products of its scope, and what else it is for: the parts, with the
    decimals of the currency, add up to it. What is paid for a time that nobody has said is no purchase."""
    terms, months = scope.product_terms, agreement.term_length or scope.stated_months
    quote = load_quote(connection, scope)
    others = [line for line in (quote.lines if quote else ()) if line.term is None]
    unsaved = [
        (_build_line(line.description, None, line.recurring), UNMATCHED)
        for line in others
        if line.amount is None or line.amount > 0
    ]
    if not terms:
        return PriceSplit(
            (),
            "No product of the scope is in the catalog, so the agreed price is not saved as a purchase.",
            unsaved,
        )
    products = load_products(connection, {term.product_id for term in terms}, scope.organisation_id)
    sellers = {products[term.product_id].company_id for term in terms}
    if count_rows(connection, company, company.c.sample, company.c.id.in_(sellers)):
        return PriceSplit((), "The products are sample data, so the agreed price is not saved as a purchase.")
    if agreement.term_length and any(
        ends_after(scope.scope_terms, term, agreement.term_length) for term in terms
    ):
        return PriceSplit(
            (), UNKNOWN_PARTS.format(months=format_count(agreement.term_length, "month")), unsaved
        )
    weights = _weigh_terms(connection, scope, quote, now)
    weighed = [*weights.terms, *(one.amount for one in weights.others)]
    if not sum(weighed):
        return PriceSplit(
            (),
            "How the price splits over the products is not known, so it is not saved as a purchase.",
            unsaved,
        )
    amounts = share_out(Fraction(agreement.amount), [Fraction(one) for one in weighed], currency)
    if weights.others:
        unsaved = [
            (_build_line(line.description, amount, line.recurring), UNMATCHED)
            for line, amount in zip(weights.others, amounts[len(terms) :], strict=True)
        ]
    one_time = find_one_time_products(connection, scope.organisation_id, products)
    recurring = {line.term: line.recurring for line in (quote.lines if quote else ())}
    lines: list[AgreedLine] = []
    for term_index, (term, amount) in enumerate(zip(terms, amounts[: len(terms)], strict=True)):
        bought = products[term.product_id]
        quantity = find_quantity(term, bought.quantity_dimension_id)
        stated = recurring.get(term_index)
        recurs = term.product_id not in one_time if stated is None else stated
        if quantity is None:
            unsaved.append((_build_line(bought.name, amount, recurs, bought.id), UNCOUNTED))
        elif recurs and not (months or find_months_of_part(term, scope.months)):
            unsaved.append((_build_line(bought.name, amount, recurs, bought.id, quantity), UNDATED))
        elif amount > 0:
            lines.append(AgreedLine(bought, term_index, term, quantity, amount, recurs))
    method = weights.method
    if not lines:
        reasons = dict.fromkeys(reason for line, reason in unsaved if line.product_id is not None)
        method = f"Nothing is saved as a purchase: {'; '.join(reasons) or UNCOUNTED}."
    return PriceSplit(lines, method, unsaved)


def _build_line(
    description: str,
    amount: Decimal | None,
    recurring: bool | None,
    product_id: str | None = None,
    quantity: Decimal | None = None,
) -> AgreementLine:
    return AgreementLine(
        product_id=product_id,
        description=description[:2_000],
        quantity=quantity,
        amount=amount,
        recurring=recurring,
    )


def describe_split(split: PriceSplit, currency: str) -> str:
    """Describe for the timeline what was saved of an agreed price."""
    if not split.lines:
        return split.method
    parts = [f"{line.product.name} {format_exact_money(line.amount, currency)}" for line in split.lines]
    sentence = f"Saved as a purchase of your organisation, {split.method}: {', '.join(parts)}."
    for reason in dict.fromkeys(reason for _, reason in split.unsaved):
        named = [
            line.description
            + ("" if line.amount is None else f" {format_exact_money(line.amount, currency)}")
            for line, why in split.unsaved
            if why == reason
        ]
        sentence += f" No purchase, because {reason}: {', '.join(named)}."
    return sentence


def insert_purchases(
    connection: Connection,
    negotiation_id: str,
    agreement: AgreedPrice,
    scope: StoredScope,
    lines: Sequence[AgreedLine],
    currency: str,
) -> int:
    """Insert each line as a purchase of the organisation; return how many are new. Only one transaction
    inserts at a time."""
    lock_imports(connection)
    new = {build_purchase_id("negotiation", negotiation_id, line.term_index): line for line in lines}
    for known in connection.scalars(sa.select(purchase.c.id).where(purchase.c.id.in_(list(new)))).all():
        del new[known]
    for purchase_id, line in new.items():
        values = _purchase_values(connection, agreement, scope, line, currency)
        connection.execute(purchase.insert().values(**values, id=purchase_id, order_id=negotiation_id))
    mark_stale(connection, {line.product.id for line in new.values()}, scope.organisation_id)
    return len(new)


def _purchase_values(
    connection: Connection, agreement: AgreedPrice, scope: StoredScope, line: AgreedLine, currency: str
) -> dict[str, Any]:
    query = build_price_query(line.product, line.term, scope.scope_terms, currency)
    months = find_months_of_part(line.term, scope.months) or agreement.term_length or query.term_months
    term = months if line.recurring else None
    units = load_units(connection, scope.organisation_id, [line.product.id])
    return {
        "organisation_id": scope.organisation_id,
        "article_id": find_or_insert_article(
            connection, scope.organisation_id, line.product.id, line.product.name
        ),
        "purchase_date": agreement.signed_at.date(),
        "currency": currency,
        "quantity": float(line.quantity),
        "unit": choose_unit(line.product, query.unit, units.get(line.product.id, ())),
        "unit_price": float(line.amount / line.quantity),
        "price_period": "term" if line.recurring else "once",
        "term_months": term,
        "purchase_type": query.purchase_type,
        "attributes": dict(query.attributes),
    }


@dataclass(frozen=True, slots=True)
class _Other:
    """What a price is for beside the products of a scope."""

    description: str
    amount: Decimal
    recurring: bool | None


@dataclass(frozen=True, slots=True)
class _Weights:
    """How much of a price each product term is, and what else it is for; `method` says how that is known."""

    terms: Sequence[Decimal]
    method: str
    others: Sequence[_Other] = ()


def _weigh_terms(
    connection: Connection, scope: StoredScope, quote: ScopeQuote | None, now: datetime
) -> _Weights:
    terms = scope.product_terms
    names = [term.product_id for term in terms]
    stated = quote or read_stated_prices(scope.scope_terms, terms, currency=scope.currency, names=names)
    schedule = build_schedule(stated, scope.scope_terms, terms, counted={})
    amounts = [
        schedule.total(only=[number for number, charge in enumerate(schedule.charges) if charge.line == at])
        for at in range(len(terms))
    ]
    if all(amount.value > 0 and not amount.covers.missing for amount in amounts):
        others = [
            _Other(charge.what, to_decimal(paid), None if charge.kind is None else charge.kind == "recurring")
            for number, charge in enumerate(schedule.charges)
            if charge.line is None and (paid := schedule.total(only=[number]).value) > 0
        ]
        of = "prices in the scope" if quote is None else "lines of the quote"
        return _Weights([to_decimal(amount.value) for amount in amounts], f"split by the {of}", others)
    if len(terms) == 1:
        return _Weights([Decimal(1)], "as a whole")
    priced = estimate_scope(
        connection,
        organisation_id=scope.organisation_id,
        scope_terms=scope.scope_terms,
        product_terms=terms,
        currency=scope.currency,
        today=now.date(),
    )
    medians = [
        Decimal(repr(float(part.price.quantile(0.5)))) if isinstance(part.price, PriceDistribution) else ZERO
        for part in priced.products
    ]
    known = all(median > 0 for median in medians)
    return _Weights(medians if known else [ZERO] * len(terms), "split by the estimate of each product")
