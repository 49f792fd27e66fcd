"""Spend by supplier, category, owner, cost centre or month: the price of a term, spread over its days."""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal
from functools import cache, lru_cache, partial
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy import Connection

from app.contract.agreements import AgreementLine
from app.contract.spend import SpendBy, SpendGroup, SpendReport
from app.service.agreements.dates.position import (
    AgreementTerms,
    count_months_of_renewal,
    find_position,
    iterate_occurrences,
)
from app.service.agreements.dates.working_days import ONE_DAY, WorkingDays
from app.service.agreements.line_amounts import PartOfTerm, list_parts
from app.service.agreements.stored_agreement import DateRow
from app.service.agreements.working_calendar import load_working_days
from app.service.charges.charge import round_money
from app.service.charges.months import add_months, count_exact_months, count_whole_months
from app.service.database.dialect import as_one_text
from app.service.database.tables import agreement, category, company
from app.service.database.visibility import counted


class MonthShare(NamedTuple):
    """What a month, by its first day, has of the price of the first term: `days` of `term_days`, so many
    `times`, of the `part` of that price that these days cost. `assumed` says that it is of a later term, at
    the price on record."""

    month: date
    days: int
    term_days: int
    times: int
    assumed: bool
    part: Decimal = Decimal(1)

    def of_price(self, price: Decimal) -> Decimal:
        """Return what it costs."""
        return price * self.part * (self.days * self.times) / self.term_days


class _PaidTerm(NamedTuple):
    """A term, or a part of one, up to the last day that counts. `days` cost `times` this `part` of the price
    of the first."""

    start: date
    end: date
    times: int
    days: int
    first: bool
    part: Decimal = Decimal(1)


def find_one_time_month(terms: AgreementTerms, first: date, last: date) -> date | None:
    """Return the month in which is paid what is paid once; None where it is not from `first` to `last`."""
    return terms.start.replace(day=1) if terms.start is not None and first <= terms.start <= last else None


def list_shares(
    terms: AgreementTerms,
    days: WorkingDays,
    first: date,
    last: date,
    *,
    by_month: bool = True,
    parts: Sequence[PartOfTerm] = (),
) -> list[MonthShare]:
    """Return the shares of the months from the day `first` to `last`. Both ends of the first term must be
    known; `parts` are those of it that do not cost the same, and what follows costs what the last of them
    does. Unless `by_month`, the months of a term are one, the first of them: their sums need no more."""
    shares: list[MonthShare] = []
    for term in (
        piece for whole in _list_paid_terms(terms, days, last) for piece in _divide(whole, terms, parts)
    ):
        day, until = max(term.start, first), min(term.end, last)
        while day <= until:
            month = day.replace(day=1)
            day_after = until + ONE_DAY
            if by_month:
                day_after = min(add_months(month, 1), day_after)
            shares.append(
                MonthShare(month, (day_after - day).days, term.days, term.times, not term.first, term.part)
            )
            day = day_after
    return shares


def _divide(term: _PaidTerm, terms: AgreementTerms, parts: Sequence[PartOfTerm]) -> Iterator[_PaidTerm]:
    """Yield the parts of a term that do not cost the same."""
    if not parts:
        yield term
        return
    assert terms.start is not None
    assert terms.end is not None
    months = sum(part.months for part in parts)
    later = parts[-1].share * months / parts[-1].months
    if not term.first:
        yield term._replace(part=later)
        return
    for part in parts:
        start = add_months(terms.start, part.first_month)
        day_after = add_months(terms.start, part.first_month + part.months)
        if start <= term.end:
            yield term._replace(
                start=start,
                end=min(day_after - ONE_DAY, term.end),
                days=(day_after - start).days,
                part=part.share,
            )
    if term.end > terms.end:  # it runs on until notice is given
        yield term._replace(start=terms.end + ONE_DAY, part=later)


def _list_paid_terms(terms: AgreementTerms, days: WorkingDays, last: date) -> Iterator[_PaidTerm]:
    """Yield the terms that begin up to a day, as if nobody acted, without the time in which the next
    agreement runs."""
    assert terms.start is not None
    assert terms.end is not None
    length = (terms.end + ONE_DAY - terms.start).days
    bound = last if terms.followed_on is None else min(last, terms.followed_on - ONE_DAY)
    if terms.renewal == "evergreen":
        ends_on = find_position(terms, last, days).ends_on
        yield _PaidTerm(terms.start, min(bound, ends_on or bound), 1, length, first=True)
        return
    months = count_exact_months(terms.start, terms.end + ONE_DAY)
    if terms.notice_given is None and terms.notice is not None:
        # Deadlines change no term unless notice was given; to find them took a quarter of the time.
        terms = replace(terms, notice=None)
    for occurrence in iterate_occurrences(terms, days):
        start, end = occurrence.start, occurrence.end
        if start is None or start > bound:
            return
        term = _PaidTerm(start, min(end, bound), 1, length, first=occurrence.index == 0)
        if occurrence.index:
            # A month of a renewal costs as much as one of the first term, whatever its days.
            share = count_months_of_renewal(terms, occurrence) / months
            term = term._replace(times=share.numerator, days=share.denominator * (end + ONE_DAY - start).days)
        yield term


MOST_GROUPS = 500
"""The rest of the groups, the smallest, are one."""
UNKNOWN, OTHERS = "unknown", "others"
ZERO, _ONE = Decimal(0), Decimal(1)

Place = tuple[str, str]
"""The key and the name of a group."""
_ALL = "total"

_NOTICE_COLUMNS = ("notice_value", "notice_unit", "notice_to", "delivery_buffer_days")
_TERM_COLUMNS = tuple(
    name
    for name in DateRow._fields
    if name not in ("id", "decision", "decided_on", "put_off_until", *_NOTICE_COLUMNS)
)
_DATE_COLUMNS = (*_TERM_COLUMNS, *_NOTICE_COLUMNS)
_DAYS = [name for name in _DATE_COLUMNS if isinstance(agreement.c[name].type, sa.Date)]
_GROUP_COLUMNS: Mapping[SpendBy, Sequence[sa.ColumnElement[Any]]] = {
    "supplier": (agreement.c.company_id, agreement.c.supplier_name),
    "category": (category.c.id, category.c.name),
    "owner": (sa.cast(agreement.c.owners, sa.Text),),
    "costCenter": (agreement.c.cost_center,),
    "month": (),
}
_WITH_CATEGORY = agreement.outerjoin(company, company.c.id == agreement.c.company_id).outerjoin(
    category, category.c.id == company.c.category_id
)


@dataclass(slots=True)
class _Price:
    """What agreements with the same course and groups cost together in their first term, and how many of them
    have something that is paid once."""

    recurring: Decimal = ZERO
    one_time: Decimal = ZERO
    agreements: int = 0
    paid_once: int = 0


class _Share(NamedTuple):
    """The share of a month, or of all months, in the price of a first term; `assumed` is the part of it that
    later terms cost, at the price on record. `once` says whether it has what is paid once, `runs` whether
    more than that."""

    key: str
    recurring: Decimal = ZERO
    assumed: Decimal = ZERO
    once: bool = False
    runs: bool = True


@dataclass(slots=True)
class _Sum:
    """What is spent in a group. Agreements of several groups are in `shared`, by what they have in common, so
    that none counts twice where groups are merged."""

    recurring: Decimal = ZERO
    one_time: Decimal = ZERO
    assumed: Decimal = ZERO
    alone: int = 0
    shared: dict[object, int] = field(default_factory=dict[object, int])

    @property
    def agreements(self) -> int:
        return self.alone + sum(self.shared.values())

    def add(self, price: _Price, share: _Share, parts: int = 1) -> None:
        """Add one of so many equal parts of a price."""
        recurring = price.recurring / parts if parts > 1 else price.recurring
        self.recurring += recurring * share.recurring
        if share.assumed:
            self.assumed += recurring * share.assumed
        if share.once and price.one_time:
            self.one_time += price.one_time / parts

    def merge(self, other: "_Sum") -> None:
        self.recurring += other.recurring
        self.one_time += other.one_time
        self.assumed += other.assumed
        self.alone += other.alone
        for one, number in other.shared.items():
            self.shared[one] = max(number, self.shared.get(one, 0))


_Groups = dict[tuple[str, str], _Sum]
"""What is spent, by the key of a group and the currency."""


class _Course(NamedTuple):
    """When agreements are paid, and in which currency: the shares of their price that some months have."""

    currency: str
    shares: Sequence[_Share]


def build_spend_report(
    connection: Connection, organisation_id: str, by: SpendBy, first: date, last: date
) -> SpendReport:
    """Add up what agreements cost from the month that begins on `first` to the one that begins on `last`."""
    days = load_working_days(connection, organisation_id)
    until = add_months(last, 1) - ONE_DAY
    prices, left_out = _add_up_prices(connection, organisation_id, by)
    find_places = cache(partial(_find_places, by=by))
    groups: _Groups = defaultdict(_Sum)
    names = {_ALL: "All", OTHERS: "Others"}
    for stored, by_place in prices.items():
        course = _spread_course(stored, days, first, until, by_month=by == "month")
        if course is None:
            left_out += sum(price.agreements for price in by_place.values())
            continue
        currency, shares = course
        for named, price in by_place.items():
            for share in shares:
                places = ((share.key, share.key),) if by == "month" else find_places(named)
                if not (number := price.agreements if share.runs else price.paid_once):
                    continue
                for key, name in places:
                    names[key] = max(name, names.get(key, ""))  # one for all that spell it in several ways
                    group = groups[key, currency]
                    group.add(price, share, len(places))
                    if len(shares) > 1 or len(places) > 1:
                        group.shared[stored, named] = number
                    else:
                        group.alone += number
    sums: _Groups = defaultdict(_Sum)
    for (_, currency), group in groups.items():
        sums[_ALL, currency].merge(group)
    ranked = sorted(groups.items(), key=lambda item: _rank(item, by))
    if len(ranked) > MOST_GROUPS:
        ranked = [*ranked[:MOST_GROUPS], *_merge_others(ranked[MOST_GROUPS:])]
    return SpendReport(
        by=by,
        first=f"{first:%Y-%m}",
        last=f"{last:%Y-%m}",
        sums=[
            _build_group(*item, names)
            for item in sorted(sums.items(), key=lambda item: _rank(item, "supplier"))
        ],
        groups=[_build_group(*item, names) for item in ranked],
        left_out=left_out,
    )


def _name_month(month: date) -> str:
    return month.isoformat()[:7]


def _add_up_shares(
    shares: Sequence[MonthShare], paid_once_in: date | None, *, by_month: bool
) -> Sequence[_Share]:
    """Return the shares of each month; unless months are asked for, those of all of them in one."""
    summed: dict[str, _Share] = {}
    for share in shares:
        key = _name_month(share.month) if by_month else ""
        before, part = summed.get(key) or _Share(key), share.of_price(_ONE)
        assumed = before.assumed + part if share.assumed else before.assumed
        summed[key] = _Share(key, before.recurring + part, assumed)
    if paid_once_in is not None:
        key = _name_month(paid_once_in) if by_month else ""
        summed[key] = (summed.get(key) or _Share(key, runs=False))._replace(once=True)
    return tuple(summed.values())


def _add_up_prices(
    connection: Connection, organisation_id: str, by: SpendBy
) -> tuple[Mapping[str, Mapping[str, _Price]], int]:
    """Return the prices of agreements by their courses and groups, as they are stored: an organisation's
    thousands begin on some hundred days. And how many are left out, as their price is not known."""
    prices: dict[str, dict[str, _Price]] = defaultdict(lambda: defaultdict(_Price))
    left_out = 0
    rows = connection.execute(_build_query(connection, organisation_id, by)).all()
    for course, named, total, once in rows:
        if total is None:
            left_out += 1
            continue
        price = prices[course][named]
        price.agreements += 1
        price.recurring += Decimal(repr(total))
        if once:
            one_time = Decimal(repr(once))
            price.recurring -= one_time
            price.one_time += one_time
            price.paid_once += 1
    return prices, left_out


def _build_query(connection: Connection, organisation_id: str, by: SpendBy) -> sa.Select[str, str, Any, Any]:
    """Select of each agreement the course and the groups, each as one text, which is read once for all
    agreements that share it; the price of the first term, and what of it is paid once."""
    columns = agreement.c
    lines = sa.case((columns.priced_by_part, columns.content["lines"]))
    course = (columns.currency, lines, *(columns[name] for name in _TERM_COLUMNS))
    notice = (columns[name] for name in _NOTICE_COLUMNS)
    # Deadlines change no term unless notice was given.
    ended = sa.or_(columns.notice_given_on.is_not(None), columns.renewal_type == "evergreen")
    query = sa.select(
        sa.case((ended, as_one_text(connection, *course, *notice)), else_=as_one_text(connection, *course)),
        as_one_text(connection, *_GROUP_COLUMNS[by]),
        columns.total_value,
        columns.one_time_value,
    )
    return query.select_from(_WITH_CATEGORY if by == "category" else agreement).where(
        counted(columns, organisation_id)
    )


@lru_cache(maxsize=4_000)
def _spread_course(
    stored: str, days: WorkingDays, first: date, until: date, *, by_month: bool
) -> _Course | None:
    """Return the course of agreements, as selected, in the months from the day `first` to `until`; None
    where the currency or an end of the first term is not known. Kept, as whoever reads the spend by one group
    reads that of the same months by another."""
    currency, lines, *dates = json.loads(stored)
    stated: dict[str, Any] = dict.fromkeys(DateRow._fields)
    stated |= zip(_DATE_COLUMNS, dates, strict=False)
    stated |= {name: date.fromisoformat(stated[name]) for name in _DAYS if stated[name] is not None}
    terms = DateRow(**stated).terms
    if currency is None or terms.start is None or terms.end is None:
        return None
    parts: Sequence[PartOfTerm] = ()
    if lines is not None and (months := count_whole_months(terms.start, terms.end + ONE_DAY)) is not None:
        parts = list_parts([AgreementLine.model_validate(one) for one in lines], months)
    spread = list_shares(terms, days, first, until, by_month=by_month, parts=parts)
    paid_once_in = find_one_time_month(terms, first, until)
    return _Course(currency, _add_up_shares(spread, paid_once_in, by_month=by_month))


def _find_places(stored: str, by: SpendBy) -> Sequence[Place]:
    """Return the groups that an agreement belongs to, in equal parts, from the columns of groups."""
    named = json.loads(stored)
    if by == "supplier" and named[1]:
        return ((named[0] or named[1], named[1]),)
    if by == "category" and named[0]:
        return ((named[0], named[1]),)
    if by == "owner" and named[0] and (owners := json.loads(named[0])):
        return tuple(((one.get("email") or "").lower() or one["name"], one["name"]) for one in owners)
    if by == "costCenter" and named[0]:
        return ((named[0], named[0]),)
    return ((UNKNOWN, "Unknown"),)


def _rank(item: tuple[tuple[str, str], _Sum], by: SpendBy) -> tuple[Any, ...]:
    (key, currency), total = item
    if by == "month":
        return key, currency
    return -(total.recurring + total.one_time), key, currency


def _merge_others(
    rest: Sequence[tuple[tuple[str, str], _Sum]],
) -> Iterator[tuple[tuple[str, str], _Sum]]:
    merged: _Groups = defaultdict(_Sum)
    for (_, currency), total in rest:
        merged[OTHERS, currency].merge(total)
    yield from sorted(merged.items())


def _build_group(place: tuple[str, str], total: _Sum, names: Mapping[str, str]) -> SpendGroup:
    key, currency = place
    return SpendGroup(
        key=key,
        name=names[key],
        currency=currency,
        agreements=total.agreements,
        recurring=round_money(total.recurring, currency),
        one_time=round_money(total.one_time, currency),
        assumed=round_money(total.assumed, currency),
    )
