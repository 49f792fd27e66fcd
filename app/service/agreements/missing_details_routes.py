"""The route of what is not known of agreements."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Annotated, Any

import sqlalchemy as sa
from fastapi import APIRouter, Depends
from sqlalchemy import Connection
from starlette.responses import Response

from app.contract.agreements import MissingDetailsPage, MissingDetailsQuery, MissingField, NewAgreement
from app.contract.page import PageRequest, Pagination
from app.service.access.guard import CallerDep, GuardedRoute
from app.service.agreements.dates.working_days import WorkingDays
from app.service.agreements.store import load_agreements
from app.service.agreements.stored_agreement import DateRow
from app.service.agreements.stored_positions import build_position_columns, holds_on
from app.service.agreements.wire import agreement_record, compute_annualized_value
from app.service.agreements.working_calendar import load_working_days
from app.service.database.tables import agreement
from app.service.database.visibility import counted
from app.service.http.dependencies import ContextDep
from app.service.http.operations import extension
from app.service.http.query_parameters import PageDep, query_parameters
from app.service.http.responses import json_response
from app.service.pricing.rates.exchange import ExchangeRates
from app.service.pricing.rates.store import load_rates

router = APIRouter(prefix="/v1", tags=["Agreements"], route_class=GuardedRoute)


@router.get(
    "/missing-details",
    **extension("missingDetails.list", "List what is not known of agreements", MissingDetailsPage),
)
def missing_details(
    context: ContextDep,
    caller: CallerDep,
    query: Annotated[MissingDetailsQuery, Depends(query_parameters(MissingDetailsQuery))],
    page: PageDep,
) -> Response:
    """List the agreements of which something is not known that their dates, a reminder or a comparison need,
    those that cost most each year first. Counts which fields are missing, and how many deadlines cannot be
    computed because of that."""
    as_of = query.get("as_of") or context.clock().date()
    with context.database.reading() as connection:
        days = load_working_days(connection, caller.organisation_id)
        found = _list_missing_details(
            connection, caller.organisation_id, query, as_of, days, context.settings.currency, page
        )
    return json_response(found)


_DEADLINE_FIELDS = ("termEnd", "renewalType", "noticePeriod")
"""Without one of these nobody knows by when to act."""


@dataclass(frozen=True, slots=True)
class _Entry:
    agreement_id: str
    missing: Sequence[str]
    blocking: Sequence[str]
    rank: tuple[int, float]


def _list_missing_details(
    connection: Connection,
    organisation_id: str,
    asked: MissingDetailsQuery,
    as_of: date,
    days: WorkingDays,
    currency: str,
    page: PageRequest,
) -> MissingDetailsPage:
    """Return one page of the agreements of which something is not known, or this field. Values of other
    currencies are compared in `currency`."""
    ranks = _YearlyValues(load_rates(connection, organisation_id), as_of, currency)
    names = ("missing", "currency", "total_value", "one_time_value", "status", "past")
    query = sa.select(
        holds_on(as_of).label("holds"), *(agreement.c[name] for name in (*names, *DateRow._fields))
    ).where(
        counted(agreement.c, organisation_id),
        sa.cast(agreement.c.missing, sa.Text) != "[]",
    )
    entries: list[_Entry] = []
    for row in connection.execute(query).mappings():
        dates = DateRow._make(row[name] for name in DateRow._fields)
        missing: list[str] = row["missing"]
        position: Mapping[Any, Any] = row if row["holds"] else build_position_columns(dates, as_of, days)
        if not position["past"]:
            blocking = _find_blocking(dates, missing, position["status"], as_of)
            entries.append(_Entry(dates.id, missing, blocking, ranks.rank(dates, row)))
    field = asked.get("field")
    listed = [one for one in entries if field is None or field in one.missing]
    listed.sort(key=lambda one: (one.rank, one.agreement_id))
    chosen = [one.agreement_id for one in listed[page.offset : page.end]]
    loaded = load_agreements(connection, chosen)
    return MissingDetailsPage(
        data=[
            agreement_record(loaded[one], loaded[one].dates.find_position(as_of, days), as_of, days)
            for one in chosen
            if one in loaded  # it may be gone since
        ],
        pagination=Pagination(total=len(listed), limit=page.limit, offset=page.offset),
        fields=_count_fields(entries),
        without_deadline=sum(bool(one.blocking) for one in entries),
    )


def _find_blocking(dates: DateRow, missing: Sequence[str], status: str, as_of: date) -> Sequence[str]:
    """Return the missing fields without which nobody knows by when to act. One that runs until notice is
    given has no such day, and for how long an agreement renews matters once its first term is over."""
    if status not in ("unknown", "upcoming") or dates.renewal_type == "evergreen":
        return ()
    needed = [*_DEADLINE_FIELDS]
    if status == "unknown" and dates.term_end is not None and dates.term_end < as_of:
        needed.append("autoRenewalTermMonths")
    return [name for name in needed if name in missing]


def _count_fields(entries: Iterable[_Entry]) -> list[MissingField]:
    totals: Counter[str] = Counter()
    deadlines: Counter[str] = Counter()
    for one in entries:
        totals.update(one.missing)
        deadlines.update(one.blocking)
    counted = [
        MissingField(field=name, total=total, deadlines=deadlines[name]) for name, total in totals.items()
    ]
    return sorted(counted, key=lambda one: (-one.deadlines, -one.total, one.field))


class _YearlyValues:
    """What agreements cost for a year in one currency. One whose own currency is not known is taken as in
    that one: the order of a list needs no more."""

    def __init__(self, rates: ExchangeRates, as_of: date, currency: str) -> None:
        self._rates, self._as_of, self._currency = rates, as_of, currency
        self._factors: dict[str, float] = {}

    def rank(self, dates: DateRow, paid: Mapping[Any, Any]) -> tuple[int, float]:
        """Return what sorts an agreement by its value, the highest first: for a year, else, where the length
        of its term is not known, in all. Behind those come the ones in a currency without a rate, and last
        those whose value is not known."""
        if paid["total_value"] is None:
            return 2, 0.0
        currency = paid["currency"] or self._currency
        if currency not in self._factors:
            self._factors[currency] = self._rates.factor(currency, self._currency, self._as_of)
        total, once = Decimal(repr(paid["total_value"])), Decimal(repr(paid["one_time_value"] or 0))
        agreed = NewAgreement.model_construct(
            term_start=dates.term_start, term_end=dates.term_end, total_value=total, one_time_value=once
        )
        value, factor = float(compute_annualized_value(agreed) or total - once), self._factors[currency]
        return (1, -value) if math.isnan(factor) else (0, -value * factor)
