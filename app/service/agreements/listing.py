"""Lists of an organisation's agreements, in the order in which somebody must act."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy import ColumnElement, Connection

from app.contract.agreements import AgreementQuery
from app.contract.page import PageRequest
from app.service.agreements.dates.position import Position
from app.service.agreements.dates.working_days import WorkingDays
from app.service.agreements.store import load_agreements
from app.service.agreements.stored_agreement import DateRow, StoredAgreement
from app.service.agreements.stored_positions import build_position_columns, holds_on
from app.service.database.tables import agreement
from app.service.database.visibility import counted
from app.service.values.folding import fold_text


@dataclass(frozen=True, slots=True)
class ListedAgreement:
    """An agreement, and where it stands on the day of the list."""

    agreement: StoredAgreement
    position: Position


@dataclass(frozen=True, slots=True)
class StoredAgreementPage:
    """One page of a list: how many agreements match the query, how many of each status match the rest of it,
    and the agreements of the page."""

    total: int
    statuses: Mapping[str, int]
    agreements: Sequence[ListedAgreement]


class _Entry(NamedTuple):
    """What lists are sorted by: the days by which to act, then those without, last what has ended."""

    past: bool
    order_day: date
    id: str
    status: str
    stage: str


_ENTRY = [agreement.c[name] for name in _Entry._fields]


def list_agreements(
    connection: Connection,
    organisation_id: str,
    query: AgreementQuery,
    as_of: date,
    days: WorkingDays,
    page: PageRequest,
) -> StoredAgreementPage:
    """Return one page of the matching agreements."""
    conditions = _build_conditions(organisation_id, query)
    wanted = _Wanted(as_of, status=query.get("status"), stage=query.get("stage"))
    return _list_page(connection, conditions, wanted, days, page)


def list_renewals(
    connection: Connection,
    organisation_id: str,
    within: int,
    as_of: date,
    days: WorkingDays,
    page: PageRequest,
) -> StoredAgreementPage:
    """Return one page of the agreements on which somebody must act within so many days, those whose day has
    passed in their current term first."""
    owned = [counted(agreement.c, organisation_id)]
    wanted = _Wanted(as_of, act_by=as_of + timedelta(days=within))
    return _list_page(connection, owned, wanted, days, page)


def find_agreement_ids(
    connection: Connection, organisation_id: str, query: AgreementQuery, as_of: date, days: WorkingDays
) -> list[str]:
    """Return the ids of all matching agreements, in the order of the list."""
    conditions = _build_conditions(organisation_id, query)
    wanted = _Wanted(as_of, status=query.get("status"), stage=query.get("stage"))
    stored, computed = _find_entries(connection, conditions, wanted, days)
    rows = connection.execute(sa.select(*_ENTRY).where(*stored, *wanted.list_statuses()))
    return [one.id for one in sorted([*wanted.choose(computed), *(_Entry(*row) for row in rows)])]


@dataclass(frozen=True, slots=True)
class _Wanted:
    """Which agreements are on a list by where they stand on its day; those on which somebody must act on or
    before `act_by`, where it is given."""

    as_of: date
    status: str | None = None
    stage: str | None = None
    act_by: date | None = None

    def list_conditions(self) -> list[ColumnElement[bool]]:
        """Build the conditions of stored positions, but for that of the status."""
        conditions = [holds_on(self.as_of)]
        if self.stage is not None:
            conditions.append(agreement.c.stage == self.stage)
        if self.act_by is not None:
            conditions += [agreement.c.past.is_(sa.false()), agreement.c.order_day <= self.act_by]
        return conditions

    def list_statuses(self) -> list[ColumnElement[bool]]:
        """Build the condition of the status."""
        return [] if self.status is None else [agreement.c.status == self.status]

    def choose(self, computed: Sequence[_Entry]) -> list[_Entry]:
        """Return those of the status."""
        return [one for one in computed if self.status in (None, one.status)]

    def includes(self, one: _Entry) -> bool:
        """Say the same of an agreement whose position was computed."""
        in_time = self.act_by is None or (not one.past and one.order_day <= self.act_by)
        return in_time and self.stage in (None, one.stage)


def _list_page(
    connection: Connection,
    conditions: Sequence[ColumnElement[bool]],
    wanted: _Wanted,
    days: WorkingDays,
    page: PageRequest,
) -> StoredAgreementPage:
    """Return one page of the agreements that meet conditions. Stored positions of another day are computed
    anew and sorted in."""
    stored, computed = _find_entries(connection, conditions, wanted, days)
    statuses = Counter(one.status for one in computed)
    counts = sa.select(agreement.c.status, sa.func.count()).where(*stored).group_by(agreement.c.status)
    for status, count in connection.execute(counts):
        statuses[status] += count
    first = sa.select(*_ENTRY).where(*stored, *wanted.list_statuses()).order_by(*_ENTRY[:3])
    rows = connection.execute(first.limit(page.end))
    entries = sorted([*wanted.choose(computed), *(_Entry(*row) for row in rows)])
    chosen = [one.id for one in entries[page.offset : page.end]]
    loaded = load_agreements(connection, chosen)
    return StoredAgreementPage(
        total=statuses.total() if wanted.status is None else statuses[wanted.status],
        statuses=statuses,
        agreements=[
            ListedAgreement(loaded[one], loaded[one].dates.find_position(wanted.as_of, days))
            for one in chosen
            if one in loaded  # it may be gone since
        ],
    )


def _find_entries(
    connection: Connection, conditions: Sequence[ColumnElement[bool]], wanted: _Wanted, days: WorkingDays
) -> tuple[list[ColumnElement[bool]], list[_Entry]]:
    """Return the conditions of the stored positions that hold, and the entries whose position had to be
    computed, both of any status."""
    computed = _compute_entries(connection, conditions, wanted.as_of, days)
    return [*conditions, *wanted.list_conditions()], [one for one in computed if wanted.includes(one)]


def _compute_entries(
    connection: Connection, conditions: Sequence[ColumnElement[bool]], as_of: date, days: WorkingDays
) -> Iterator[_Entry]:
    """Yield the agreements whose stored position is not that of the day."""
    columns = [agreement.c[name] for name in DateRow._fields]
    outdated = sa.select(agreement.c.id).where(*conditions, sa.not_(holds_on(as_of)))  # in the index alone
    for row in connection.execute(sa.select(*columns).where(agreement.c.id.in_(outdated))):
        dates = DateRow(*row)
        position = build_position_columns(dates, as_of, days)
        yield _Entry(id=dates.id, **{name: position[name] for name in _Entry._fields if name != "id"})


def _build_conditions(organisation_id: str, query: AgreementQuery) -> list[ColumnElement[bool]]:
    """Build the conditions of the filters that no date is needed for."""
    conditions = [counted(agreement.c, organisation_id)]
    if part := fold_text(query.get("name") or ""):
        conditions.append(agreement.c.search_text.contains(part, autoescape=True))
    if renewal_type := query.get("renewal_type"):
        conditions.append(agreement.c.renewal_type == renewal_type)
    if company_id := query.get("company_id"):
        conditions.append(agreement.c.company_id == company_id)
    missing = query.get("missing")
    if missing is not None:
        something = sa.cast(agreement.c.missing, sa.Text) != "[]"
        conditions.append(something if missing else ~something)
    ids = query.get("ids")
    if ids is not None:
        conditions.append(agreement.c.id.in_(ids))
    return conditions
