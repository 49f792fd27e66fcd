"""Spend by supplier, category, owner, cost centre or month."""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from itertools import chain
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy import Connection

from app.contract.agreements import AgreementLine
from app.contract.spend import SpendBy, SpendGroup, SpendReport
from app.service.agreements.dates.occurrences import AgreementTerms
from app.service.agreements.dates.working_days import ONE_DAY
from app.service.agreements.parts_of_term import PartOfTerm, list_parts
from app.service.agreements.spend.spread import MonthShare, find_one_time_month, list_shares
from app.service.agreements.stored_agreement import DateRow
from app.service.agreements.working_calendar import load_working_days
from app.service.charges.months import add_months, count_whole_months
from app.service.database.sample_rule import counted
from app.service.database.tables.agreements import agreement
from app.service.database.tables.catalog import category, company
from app.service.database.visibility import owned_by

MOST_GROUPS = 500
"""The rest of the groups, the smallest, are one."""
UNKNOWN, OTHERS = "unknown", "others"
ZERO, _ONE, _CENT = Decimal(0), Decimal(1), Decimal("0.01")

Place = tuple[str, str]
"""The key and the name of a group."""
_ALL: Place = ("total", "All")

_NOTICE_COLUMNS = ("notice_value", "notice_unit", "notice_to", "delivery_buffer_days")
_TERM_COLUMNS = tuple(
    name for name in DateRow._fields if name not in ("id", "decision", "decided_on", *_NOTICE_COLUMNS)
)
_DATE_COLUMNS = (*_TERM_COLUMNS, *_NOTICE_COLUMNS)
_RENEWAL_AT, _NOTICE_AT = _TERM_COLUMNS.index("renewal_type"), _TERM_COLUMNS.index("notice_given_on")
_GROUP_COLUMNS: Mapping[SpendBy, Sequence[sa.ColumnElement[Any]]] = {
    "supplier": (agreement.c.company_id, agreement.c.supplier_name),
    "category": (category.c.id, category.c.name),
    "owner": (agreement.c.content["owners"].as_string(),),
    "costCenter": (agreement.c.content["costCenter"].as_string(),),
    "month": (),
}
_WITH_CATEGORY = agreement.outerjoin(company, company.c.id == agreement.c.company_id).outerjoin(
    category, category.c.id == company.c.category_id
)


@dataclass(slots=True)
class _Price:
    """What agreements with the same dates and groups cost together in their first term."""

    recurring: Decimal = ZERO
    one_time: Decimal = ZERO
    ids: list[str] = field(default_factory=list[str])
    paid_once: list[str] = field(default_factory=list[str])


@dataclass(slots=True)
class _Sum:
    recurring: Decimal = ZERO
    one_time: Decimal = ZERO
    assumed: Decimal = ZERO
    ids: list[Sequence[str]] = field(default_factory=list[Sequence[str]])

    @property
    def agreements(self) -> int:
        return len(set(chain.from_iterable(self.ids)))

    def add(self, price: Decimal, share: "_Share", ids: Sequence[str]) -> None:
        self.recurring += price * share.recurring
        if share.assumed:
            self.assumed += price * share.assumed
        self.ids.append(ids)

    def add_one_time(self, price: Decimal, ids: Sequence[str]) -> None:
        self.one_time += price
        self.ids.append(ids)

    def merge(self, other: "_Sum") -> None:
        self.recurring += other.recurring
        self.one_time += other.one_time
        self.assumed += other.assumed
        self.ids += other.ids


_Groups = dict[tuple[Place, str], _Sum]
_Dates = tuple[Any, ...]
_Course = tuple[_Dates, tuple[PartOfTerm, ...]]
"""When agreements are paid: their dates, and the parts of their first term."""
_Prices = dict[tuple[_Course, Sequence[Place], str], _Price]


class _Share(NamedTuple):
    """The share of a month, or of all months, in the price of a first term; `assumed` is the part of it that
    later terms cost, at the price on record."""

    key: str
    recurring: Decimal
    assumed: Decimal


def build_spend_report(
    connection: Connection, organisation_id: str, by: SpendBy, first: date, last: date
) -> SpendReport:
    """Add up what agreements cost from the month that begins on `first` to the one that begins on `last`."""
    days = load_working_days(connection, organisation_id)
    until = add_months(last, 1) - ONE_DAY
    terms_of, prices, left_out = _add_up_prices(connection, organisation_id, by)
    shares_of = {
        course: _add_up_shares(
            list_shares(terms_of[course[0]], days, first, until, by_month=by == "month", parts=course[1]),
            by,
        )
        for course in {course for course, _, _ in prices}
    }
    groups: _Groups = defaultdict(_Sum)
    sums: _Groups = defaultdict(_Sum)
    for (course, places, currency), price in prices.items():
        paid_once_in = find_one_time_month(terms_of[course[0]], first, until)
        if paid_once_in is not None and price.one_time:
            keys = [(month := _name_month(paid_once_in), month)] if by == "month" else places
            sums[_ALL, currency].add_one_time(price.one_time, price.paid_once)
            for key in keys:
                groups[key, currency].add_one_time(price.one_time / len(keys), price.paid_once)
        for share in shares_of[course]:
            keys = [(share.key, share.key)] if by == "month" else places
            sums[_ALL, currency].add(price.recurring, share, price.ids)
            part = price.recurring / len(keys) if len(keys) > 1 else price.recurring
            for key in keys:
                groups[key, currency].add(part, share, price.ids)
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


def _name_month(month: date) -> str:
    return month.isoformat()[:7]


def _add_up_shares(shares: Sequence[MonthShare], by: SpendBy) -> list[_Share]:
    """Return the shares of each month; unless months are asked for, those of all of them in one."""
    summed: dict[str, tuple[Decimal, Decimal]] = {}
    for share in shares:
        key = _name_month(share.month) if by == "month" else ""
        recurring, assumed = summed.get(key, (ZERO, ZERO))
        part = share.of_price(_ONE)
        summed[key] = recurring + part, assumed + part if share.assumed else assumed
    return [_Share(key, *both) for key, both in summed.items()]


def _add_up_prices(
    connection: Connection, organisation_id: str, by: SpendBy
) -> tuple[Mapping[_Dates, AgreementTerms], _Prices, int]:
    """Return the terms by their columns, and the prices of agreements, those with the same dates and groups
    in one sum: an organisation's thousands begin on some hundred days. And how many are left out, as
    something of them is not known."""
    prices: _Prices = defaultdict(_Price)
    terms_of: dict[_Dates, AgreementTerms | None] = {}
    places_of: dict[tuple[Any, ...], Sequence[Place]] = {}
    left_out = 0
    for agreement_id, currency, total, once, lines, *rest in _load(connection, organisation_id, by):
        # Deadlines change no term unless notice was given.
        ended = rest[_NOTICE_AT] is not None or rest[_RENEWAL_AT] == "evergreen"
        dates = tuple(rest[: len(_DATE_COLUMNS if ended else _TERM_COLUMNS)])
        named = tuple(rest[len(_DATE_COLUMNS) :])
        if dates not in terms_of:
            terms_of[dates] = _read_terms(dates)
        terms = terms_of[dates]
        if currency is None or total is None or terms is None:
            left_out += 1
            continue
        places = places_of.get(named)
        if places is None:
            places = places_of[named] = _find_places(named, by)
        price = prices[(dates, _find_parts(lines, terms)), places, currency]
        price.ids.append(agreement_id)
        price.recurring += Decimal(str(total))
        if once and (one_time := Decimal(str(once))):
            price.recurring -= one_time
            price.one_time += one_time
            price.paid_once.append(agreement_id)
    return {dates: terms for dates, terms in terms_of.items() if terms is not None}, prices, left_out


def _find_parts(lines: str | None, terms: AgreementTerms) -> tuple[PartOfTerm, ...]:
    """Return the parts of the first term by the lines of an agreement, as they are stored."""
    if lines is None or terms.start is None or terms.end is None:
        return ()
    months = count_whole_months(terms.start, terms.end + ONE_DAY)
    read = [AgreementLine.model_validate(one) for one in json.loads(lines)]
    return () if months is None else list_parts(read, months)


def _read_terms(dates: Sequence[Any]) -> AgreementTerms | None:
    """Return the terms of columns, or of the first of them; None where an end of the first term is not
    known."""
    stated: dict[str, Any] = dict.fromkeys(DateRow._fields)
    stated |= zip(_DATE_COLUMNS, dates, strict=False)
    terms = DateRow(**stated).terms
    if terms.start is None or terms.end is None:
        return None
    return terms


def _load(connection: Connection, organisation_id: str, by: SpendBy) -> Sequence[Any]:
    """Return of each agreement the id, the currency, the price of the first term, what is paid once, its
    lines where some are for a part of that term, the columns of dates and those of the groups."""
    lines = agreement.c.content["lines"].as_string()
    query = (
        sa.select(
            agreement.c.id,
            *(agreement.c.content[name].as_string() for name in ("currency", "totalValue", "oneTimeValue")),
            sa.case((lines.contains('"months"'), lines)),
            *(agreement.c[name] for name in _DATE_COLUMNS),
            *_GROUP_COLUMNS[by],
        )
        .select_from(_WITH_CATEGORY if by == "category" else agreement)
        .where(owned_by(agreement.c, organisation_id), counted(agreement.c, organisation_id))
    )
    return connection.execute(query).all()


def _find_places(named: Sequence[Any], by: SpendBy) -> Sequence[Place]:
    """Return the groups that an agreement belongs to, in equal parts, from the columns of groups."""
    if by == "supplier" and named[1]:
        return ((named[0] or named[1], named[1]),)
    if by == "category" and named[0]:
        return ((named[0], named[1]),)
    if by == "owner" and named[0] and (owners := json.loads(named[0])):
        return tuple((one.get("email") or one["name"], one["name"]) for one in owners)
    if by == "costCenter" and named[0]:
        return ((named[0], named[0]),)
    return ((UNKNOWN, "Unknown"),)


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
        agreements=total.agreements,
        recurring=_round(total.recurring),
        one_time=_round(total.one_time),
        assumed=_round(total.assumed),
    )


def _round(amount: Decimal) -> Decimal:
    return amount.quantize(_CENT, ROUND_HALF_UP)
