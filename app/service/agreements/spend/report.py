"""Spend by supplier, category, owner, cost centre or month."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection

from app.contract.spend import SpendBy, SpendGroup, SpendReport
from app.service.agreements.dates.months import add_months
from app.service.agreements.dates.working_days import ONE_DAY
from app.service.agreements.spend.spread import ZERO, MonthCost, spread_cost
from app.service.agreements.stored_agreement import DateRow
from app.service.agreements.working_calendar import load_working_days
from app.service.database.tables.agreements import agreement
from app.service.database.tables.catalog import category, company
from app.service.database.visibility import owned_by

MOST_GROUPS = 500
"""The rest of the groups, the smallest, are one."""
UNKNOWN, OTHERS = "unknown", "others"
_CENT, _ONE = Decimal("0.01"), Decimal(1)

_DATES = len(DateRow._fields)

Place = tuple[str, str]
"""The key and the name of a group."""


@dataclass(slots=True)
class _Sum:
    recurring: Decimal = ZERO
    one_time: Decimal = ZERO
    assumed: Decimal = ZERO
    agreements: set[str] = field(default_factory=set[str])

    def add(self, agreement_id: str, cost: MonthCost, share: Decimal) -> None:
        self.recurring += cost.recurring * share
        if cost.one_time:
            self.one_time += cost.one_time * share
        if cost.assumed:
            self.assumed += cost.assumed * share
        self.agreements.add(agreement_id)

    def merge(self, other: "_Sum") -> None:
        self.recurring += other.recurring
        self.one_time += other.one_time
        self.assumed += other.assumed
        self.agreements |= other.agreements


_Groups = dict[tuple[Place, str], _Sum]


def build_spend_report(
    connection: Connection, organisation_id: str, by: SpendBy, first: date, last: date
) -> SpendReport:
    """Add up what agreements cost from the month that begins on `first` to the one that begins on `last`."""
    days = load_working_days(connection, organisation_id)
    until = add_months(last, 1) - ONE_DAY
    groups: _Groups = defaultdict(_Sum)
    sums: _Groups = defaultdict(_Sum)
    left_out = 0
    for row in _load(connection, organisation_id):
        terms = DateRow(*row[:_DATES]).terms
        content: Mapping[str, Any] = row.content
        currency, total = content.get("currency"), content.get("totalValue")
        if currency is None or total is None or terms.start is None or terms.end is None:
            left_out += 1
            continue
        once = _decimal(content.get("oneTimeValue"))
        places = _find_places(row, content, by)
        share = _ONE / len(places)
        recurring, by_month = _decimal(total) - once, by == "month"
        for cost in spread_cost(recurring, once, terms, days, first, until, by_month=by_month):
            if by_month:
                month = cost.month.isoformat()[:7]
                places = [(month, month)]
            for place in places:
                groups[place, currency].add(row.id, cost, share)
            sums[("total", "All"), currency].add(row.id, cost, _ONE)
    ranked = sorted(groups.items(), key=lambda item: _rank(item, by))
    if len(ranked) > MOST_GROUPS:
        ranked = [*ranked[:MOST_GROUPS], *_merge_others(ranked[MOST_GROUPS:])]
    return SpendReport(
        by=by,
        first=f"{first:%Y-%m}",
        last=f"{last:%Y-%m}",
        sums=[_build_group(*item) for item in sorted(sums.items(), key=lambda item: _rank(item, "supplier"))],
        groups=[_build_group(*item) for item in ranked],
        left_out=left_out,
    )


def _load(connection: Connection, organisation_id: str) -> Iterator[Any]:
    columns = [agreement.c[name] for name in (*DateRow._fields, "content", "company_id", "supplier_name")]
    joined = agreement.outerjoin(company, company.c.id == agreement.c.company_id).outerjoin(
        category, category.c.id == company.c.category_id
    )
    query = (
        sa.select(*columns, category.c.id.label("category_id"), category.c.name.label("category_name"))
        .select_from(joined)
        .where(owned_by(agreement.c, organisation_id))
    )
    yield from connection.execute(query)


def _find_places(row: Any, content: Mapping[str, Any], by: SpendBy) -> Sequence[Place]:
    """Return the groups that an agreement belongs to, in equal parts."""
    if by == "supplier" and row.supplier_name:
        return [(row.company_id or row.supplier_name, row.supplier_name)]
    if by == "category" and row.category_id:
        return [(row.category_id, row.category_name)]
    if by == "owner" and content.get("owners"):
        return [(one.get("email") or one["name"], one["name"]) for one in content["owners"]]
    if by == "costCenter" and content.get("costCenter"):
        return [(content["costCenter"], content["costCenter"])]
    return [(UNKNOWN, "Unknown")]


def _rank(item: tuple[tuple[Place, str], _Sum], by: SpendBy) -> tuple[Any, ...]:
    ((key, _), currency), total = item
    if by == "month":
        return key, currency
    return -(total.recurring + total.one_time), key, currency


def _merge_others(
    rest: Sequence[tuple[tuple[Place, str], _Sum]],
) -> Iterator[tuple[tuple[Place, str], _Sum]]:
    merged: _Groups = defaultdict(_Sum)
    for (_, currency), total in rest:
        merged[(OTHERS, "Others"), currency].merge(total)
    yield from sorted(merged.items())


def _build_group(key: tuple[Place, str], total: _Sum) -> SpendGroup:
    (place, name), currency = key
    return SpendGroup(
        key=place,
        name=name,
        currency=currency,
        agreements=len(total.agreements),
        recurring=_round(total.recurring),
        one_time=_round(total.one_time),
        assumed=_round(total.assumed),
    )


def _decimal(value: Any) -> Decimal:
    return Decimal(str(value or 0))


def _round(amount: Decimal) -> Decimal:
    return amount.quantize(_CENT, ROUND_HALF_UP)
