"""Lists of an organisation's agreements, in the order in which somebody must act."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

import sqlalchemy as sa
from sqlalchemy import ColumnElement, Connection

from app.contract.agreements import AgreementQuery
from app.contract.page import PageRequest
from app.service.agreements.dates.position import Position
from app.service.agreements.dates.working_days import WorkingDays
from app.service.agreements.store import load_agreements
from app.service.agreements.stored_agreement import DateRow, StoredAgreement
from app.service.database.tables.agreements import agreement
from app.service.database.visibility import owned_by
from app.service.text_folding import fold_text

PAST = ("expired", "ended")


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


@dataclass(frozen=True, slots=True)
class _Entry:
    row: DateRow
    position: Position

    @property
    def rank(self) -> tuple[bool, date, str]:
        """What lists are sorted by: the days by which to act, then those without, last what has ended."""
        past = self.position.status in PAST
        return past, self.position.act_by or date.max, self.row.id


def list_agreements(
    connection: Connection,
    organisation_id: str,
    query: AgreementQuery,
    as_of: date,
    days: WorkingDays,
    page: PageRequest,
) -> StoredAgreementPage:
    """Return one page of the matching agreements. Dates move with the day, so those of all are computed."""
    conditions = _build_conditions(organisation_id, query)
    entries = list(_find_positions(connection, conditions, as_of, days))
    stage = query.get("stage")
    if stage is not None:
        entries = [one for one in entries if one.row.find_stage(one.position) == stage]
    statuses = Counter(one.position.status for one in entries)
    status = query.get("status")
    if status is not None:
        entries = [one for one in entries if one.position.status == status]
    return StoredAgreementPage(len(entries), statuses, _load_page(connection, entries, page))


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
    last = as_of + timedelta(days=within)
    owned = [owned_by(agreement.c, organisation_id)]
    entries = [
        one
        for one in _find_positions(connection, owned, as_of, days)
        if one.position.act_by is not None and one.position.act_by <= last and one.position.status not in PAST
    ]
    statuses = Counter(one.position.status for one in entries)
    return StoredAgreementPage(len(entries), statuses, _load_page(connection, entries, page))


def _find_positions(
    connection: Connection, conditions: Sequence[ColumnElement[bool]], as_of: date, days: WorkingDays
) -> Iterator[_Entry]:
    columns = [agreement.c[name] for name in DateRow._fields]
    for row in connection.execute(sa.select(*columns).where(*conditions)):
        dates = DateRow(*row)
        yield _Entry(dates, dates.find_position(as_of, days))


def _load_page(
    connection: Connection, entries: Sequence[_Entry], page: PageRequest
) -> Sequence[ListedAgreement]:
    chosen = sorted(entries, key=lambda one: one.rank)[page.offset : page.offset + page.limit]
    stored = load_agreements(connection, [one.row.id for one in chosen])
    return [ListedAgreement(stored[one.row.id], one.position) for one in chosen]


def _build_conditions(organisation_id: str, query: AgreementQuery) -> list[ColumnElement[bool]]:
    """Build the conditions of the filters that no date is needed for."""
    conditions = [owned_by(agreement.c, organisation_id)]
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
