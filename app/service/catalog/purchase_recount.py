"""Count the purchases of the past two years again as time passes: of the companies for which it changed.

An import counts what it changes. After that a count changes where a purchase's day enters or leaves the two
years, so only companies with purchases on these days are counted, and nothing twice on a day.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import date, timedelta

import sqlalchemy as sa
from sqlalchemy import Connection

from app.service.catalog.denormalise import (
    COMPANY_BATCH,
    count_recent_purchases,
    rebuild_records,
)
from app.service.catalog.purchase_counts import PAST_TWO_YEARS
from app.service.context import Context
from app.service.database.dialect import insert_missing
from app.service.database.rows import batched
from app.service.database.tables import (
    company,
    organisation_view,
    product,
    purchase,
    purchase_recount,
    purchase_with_product,
)
from app.service.database.visibility import as_seen_by

COUNT_BATCH = 1_000
OVERLAP = timedelta(days=1)
"""An import that began before midnight counts for the day before."""

Viewer = str | None
"""An organisation, or None for everybody."""


def update_purchase_counts(context: Context) -> int:
    """Update the purchase counts, a few companies in each transaction. To be run periodically. Returns the
    number of companies whose count changed, as everybody or an organisation sees it."""
    today = context.clock().date()
    with context.database.reading() as connection:
        counted_on = connection.scalar(sa.select(sa.func.max(purchase_recount.c.counted_on)))
        buying = _select_buying(counted_on, today) if counted_on else sa.true()
        pairs = (
            sa.select(purchase.c.organisation_id, product.c.company_id)
            .select_from(purchase_with_product)
            .where(buying)
            .distinct()
        )
        chosen: defaultdict[Viewer, list[str]] = defaultdict(list)
        if counted_on != today:
            for viewer, company_id in connection.execute(pairs):
                chosen[viewer].append(company_id)
        if counted_on is None:
            chosen[None] = list(connection.scalars(sa.select(company.c.id)))
        for viewer, company_id in connection.execute(_UNFINISHED):
            chosen[viewer].append(company_id)
    changed = sum(
        _recount(context, viewer, chosen[viewer]) for viewer in sorted(chosen, key=lambda v: v or "")
    )
    with context.database.writing() as connection:
        insert_missing(connection, purchase_recount, [{"counted_on": today}])
        connection.execute(purchase_recount.delete().where(purchase_recount.c.counted_on != today))
    return changed


_UNFINISHED = sa.union(
    sa.select(product.c.organisation_id, product.c.company_id).where(product.c.stale.is_(sa.true())),
    sa.select(organisation_view.c.organisation_id, product.c.company_id)
    .join(product, product.c.id == organisation_view.c.record_id)
    .where(organisation_view.c.stale.is_(sa.true())),
)
"""Viewer and company of products whose import has not ended."""


def _select_buying(counted_on: date, today: date) -> sa.ColumnElement[bool]:
    """Select the purchases whose days entered or left the past two years between two days."""
    first, last = min(counted_on, today) - OVERLAP, max(counted_on, today)
    day = purchase.c.purchase_date
    return sa.or_(
        sa.and_(day > first, day <= last),
        sa.and_(day > first - PAST_TWO_YEARS, day <= last - PAST_TWO_YEARS),
    )


def _recount(context: Context, viewer: Viewer, company_ids: Sequence[str]) -> int:
    """Rebuild the records of those companies whose count differs; returns their number."""
    now = context.clock()
    changed: list[str] = []
    for some in batched(sorted(set(company_ids)), COUNT_BATCH):
        with context.database.reading() as connection:
            counts = count_recent_purchases(connection, some, now, viewer)
            known = _load_counts(connection, some, viewer)
        changed += [key for key, counted in known.items() if counts.get(key, 0) != counted]
    for batch in batched(changed, COMPANY_BATCH):
        with context.database.writing() as connection:
            rebuild_records(connection, batch, now, viewer)
    return len(changed)


def _load_counts(connection: Connection, company_ids: Sequence[str], viewer: Viewer) -> Mapping[str, int]:
    seen = as_seen_by(company, viewer).c
    known = sa.select(seen.id, seen.real_purchase_count).where(seen.id.in_(company_ids))
    return {row[0]: row[1] for row in connection.execute(known)}
