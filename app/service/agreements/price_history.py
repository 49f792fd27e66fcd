"""What an organisation paid for a unit over time, by supplier, product, unit, currency and payment."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import date
from itertools import pairwise
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection

from app.contract.agreement_purchases import MAX_HISTORY_PURCHASES, PriceHistory, PriceLine, PricePoint
from app.contract.dates import format_day
from app.service.agreements.store import find_agreement, list_product_ids
from app.service.agreements.stored_agreement import StoredAgreement
from app.service.charges.charge import price_of_month
from app.service.database.tables import (
    agreement,
    agreement_purchase,
    company,
    product,
    purchase,
    purchase_with_product,
)
from app.service.database.visibility import owned_by, visible_to
from app.service.pricing.product_prices import round_unit_price
from app.service.pricing.wire import round_to_step
from app.service.purchase_records import PricePeriod

MAX_CHAIN = 100
JUMP = 3
"""A price of so many times the one before, or the reverse, is probably for something else."""


@dataclass(frozen=True, slots=True)
class PaidUnit:
    """A purchase of the organisation, with the agreement that it is a line of."""

    id: str
    company_id: str
    supplier: str
    product_id: str
    product_name: str
    purchase_date: date
    currency: str
    quantity: float
    unit: str | None
    unit_price: float
    price_period: PricePeriod
    term_months: int | None
    order_id: str | None
    attributes: Mapping[str, Any]
    agreement_id: str | None
    agreement_name: str | None
    alike: Sequence[str] | None

    @property
    def recurring(self) -> bool:
        return self.price_period != "once"

    @property
    def price(self) -> float:
        """The price of one unit, of one month where it is paid for a time."""
        price = price_of_month(self.unit_price, self.price_period, self.term_months)
        assert price is not None  # only such are loaded
        return price

    @property
    def kind(self) -> tuple[str, str, str, str, bool]:
        """What is compared with nothing else."""
        return self.company_id, self.product_id, (self.unit or "").casefold(), self.currency, self.recurring


def load_supplier_history(connection: Connection, organisation_id: str, company_id: str) -> PriceHistory:
    paid = _load_paid(connection, organisation_id, product.c.company_id == company_id)
    return PriceHistory(lines=build_lines(paid), doubts=[])


def load_agreement_history(connection: Connection, one: StoredAgreement) -> PriceHistory:
    """Load the history of the products of an agreement and of those before and after it."""
    chain = load_chain(connection, one)
    products = {key for each in chain for key in list_product_ids(each.agreed.lines)}
    if not products:
        return PriceHistory(lines=[], doubts=[])
    paid = _load_paid(connection, one.organisation_id, product.c.id.in_(products))
    seen = visible_to(product.c, one.organisation_id)
    named = sa.select(product.c.id, product.c.name).where(product.c.id.in_(products), seen)
    names = dict(connection.execute(named).all())
    return PriceHistory(lines=build_lines(paid), doubts=list(_compare_chain(chain, names)))


def load_chain(connection: Connection, one: StoredAgreement) -> list[StoredAgreement]:
    """Load the agreements before an agreement, it, and those after it, in this order."""
    chain, seen = [one], {one.id}
    while len(chain) < MAX_CHAIN:
        before = chain[0].agreed.previous_agreement_id
        found = find_agreement(connection, one.organisation_id, before) if before else None
        if found is None or found.id in seen:
            break
        seen.add(found.id)
        chain.insert(0, found)
    while len(chain) < MAX_CHAIN:
        after = chain[-1].next_agreement_id
        found = find_agreement(connection, one.organisation_id, after) if after else None
        if found is None or found.id in seen:
            break
        seen.add(found.id)
        chain.append(found)
    return chain


def build_lines(paid: Iterable[PaidUnit]) -> list[PriceLine]:
    """Return a line for each kind of what was paid, that bought last first."""
    groups: defaultdict[tuple[str, str, str, str, bool], list[PaidUnit]] = defaultdict(list)
    for one in sorted(paid, key=lambda one: (one.purchase_date, one.id)):
        groups[one.kind].append(one)
    ordered = sorted(groups.values(), key=lambda points: points[-1].purchase_date, reverse=True)
    kinds: defaultdict[str, list[PaidUnit]] = defaultdict(list)
    for points in ordered:
        kinds[points[0].product_id].append(points[0])
    return [_build_line(points, kinds[points[0].product_id]) for points in ordered]


def _build_line(points: Sequence[PaidUnit], kinds: Sequence[PaidUnit]) -> PriceLine:
    last = points[-1]
    return PriceLine.build_from(
        last,
        points=[
            PricePoint.build_from(
                one,
                purchase_id=one.id,
                unit_price=round_unit_price(one.price),
                quantity=round_to_step(one.quantity, "0.0001"),
                order_id=None if one.order_id == one.agreement_id else one.order_id,
            )
            for one in points
        ],
        doubts=[*_find_doubts(points), *_name_other_kinds(last, kinds)],
    )


def _find_doubts(points: Sequence[PaidUnit]) -> Iterator[str]:
    """Yield why purchases of one line may not be of the same thing, or may be one and the same."""
    for name in sorted({name for one in points for name in one.attributes}):
        values = sorted({str(one.attributes.get(name, "not stated")) for one in points})
        if len(values) > 1:
            yield f"{name} differs ({', '.join(values[:4])}): these prices may not be for the same thing."
    for before, after in pairwise(points):
        if max(before.price, after.price) >= JUMP * min(before.price, after.price):
            yield (
                f"Between {format_day(before.purchase_date)} and {format_day(after.purchase_date)} the price"
                " changed more than threefold: this may not be the same thing, or not the same period."
            )
    days = {one.id: one.purchase_date for one in points}
    for one in points:
        for key in one.alike or ():
            if key in days:
                yield (
                    f"The purchases of {format_day(one.purchase_date)} and {format_day(days[key])} may be one"
                    " and the same: both are shown."
                )


def _name_other_kinds(one: PaidUnit, kinds: Sequence[PaidUnit]) -> Iterator[str]:
    for other in kinds:
        if other.kind != one.kind:
            unit = f"by {other.unit}" if other.unit else "without a stated unit"
            payment = "paid for a time" if other.recurring else "paid once"
            yield f"It was also bought {unit}, {payment}, in {other.currency}: that is a line of its own."


def _compare_chain(chain: Sequence[StoredAgreement], names: Mapping[str, str]) -> Iterator[str]:
    for before, after in pairwise(chain):
        gone = list_product_ids(before.agreed.lines) - list_product_ids(after.agreed.lines)
        for key in sorted(gone, key=lambda key: names.get(key, key)):
            if key in names and list_product_ids(after.agreed.lines):
                yield (
                    f"{names[key]} is in “{before.agreed.name}” and not in the agreement that follows it:"
                    " whether another product takes its place is not known."
                )


_OF_OTHER_TABLES = {
    "company_id": company.c.id,
    "supplier": company.c.name,
    "product_id": product.c.id,
    "product_name": product.c.name,
    "agreement_id": agreement.c.id,
    "agreement_name": agreement.c.name,
    "alike": agreement_purchase.c.alike,
}


def _load_paid(
    connection: Connection, organisation_id: str, condition: sa.ColumnElement[bool]
) -> Collection[PaidUnit]:
    columns = [
        (_OF_OTHER_TABLES[field.name] if field.name in _OF_OTHER_TABLES else purchase.c[field.name]).label(
            field.name
        )
        for field in fields(PaidUnit)
    ]
    rows = connection.execute(
        sa.select(*columns)
        .select_from(
            purchase_with_product.join(company, company.c.id == product.c.company_id)
            .outerjoin(
                agreement_purchase,
                sa.and_(
                    agreement_purchase.c.purchase_id == purchase.c.id,
                    owned_by(agreement_purchase.c, organisation_id),
                ),
            )
            .outerjoin(agreement, agreement.c.id == agreement_purchase.c.agreement_id)
        )
        .where(
            owned_by(purchase.c, organisation_id),
            condition,
            # A price for a term that is not stated is comparable with no other.
            sa.or_(purchase.c.price_period != "term", purchase.c.term_months > 0),
        )
        .order_by(purchase.c.purchase_date.desc(), purchase.c.id, agreement.c.id)
        .limit(MAX_HISTORY_PURCHASES)
    )
    # Of two agreements that one purchase is a line of, the first.
    return {row.id: PaidUnit(*row) for row in reversed(rows.all())}.values()
