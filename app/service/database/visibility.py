"""Which purchases and catalog entries an organisation may see: its own, and those without an owner; and
whether sample data counts: only while the organisation has no data of its own.

No other module states these rules. Breaking the first would tell one organisation what another buys and pays.
As soon as there is real data, lists, figures, sums, counts and what waits for a person leave sample data out,
so that no page mixes the two. Who asks for a record by its id still sees it.
"""

from functools import lru_cache
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Table
from sqlalchemy.sql.base import ReadOnlyColumnCollection

from app.service.database.tables import (
    agreement,
    article,
    negotiation,
    organisation_view,
    purchase,
    requirement,
    scope,
)

Columns = ReadOnlyColumnCollection[str, Any]
Viewer = str | sa.ColumnElement[str]
"""An organisation's id, or the parameter or column that holds it."""
CALLER: sa.BindParameter[str] = sa.bindparam("organisation", type_=sa.String)
"""The parameter of statements that are built once."""
EVERYBODY = ""
"""The owner that `attribute_column` names where other tables have null: it is part of a primary key."""


def visible_to(rows: Columns, organisation_id: Viewer | None) -> sa.ColumnElement[bool]:
    """Select the rows that everybody sees, and the organisation's own; with None, only those that everybody
    sees. `rows` are the columns (`.c`) of a table, alias or subquery."""
    if organisation_id is None:
        return shared(rows)
    return sa.or_(rows.organisation_id.is_(None), rows.organisation_id == organisation_id)


def shared(rows: Columns) -> sa.ColumnElement[bool]:
    """Select the rows that everybody sees."""
    return rows.organisation_id.is_(None)


def owned_by(rows: Columns, organisation_id: Viewer | None) -> sa.ColumnElement[bool]:
    """Select the organisation's own rows; with None, those that everybody sees."""
    return shared(rows) if organisation_id is None else rows.organisation_id == organisation_id


def decided_for(rows: Columns, organisation_id: str | None) -> sa.ColumnElement[bool]:
    """Select the rows of `attribute_column` for everybody and the organisation's own."""
    return rows.organisation_id.in_([EVERYBODY, organisation_id or EVERYBODY])


def as_seen_by(table: Table, organisation_id: Viewer | None) -> sa.Subquery:
    """Select the rows of a catalog table as the organisation sees them: its own purchases and products change
    some of their columns. With None, select them as everybody sees them. The subquery has the columns of the
    table."""
    if organisation_id is None:
        return sa.select(table).where(shared(table.c)).subquery(table.name)
    own = organisation_view.alias("own_view")
    columns = [
        sa.func.coalesce(own.c[seen], column, type_=column.type).label(column.name)
        if (seen := _SEEN.get(column.name))
        else column
        for column in table.c
    ]
    of_viewer = sa.and_(own.c.record_id == table.c.id, owned_by(own.c, organisation_id))
    return (
        sa.select(*columns)
        .select_from(table.outerjoin(own, of_viewer))
        .where(visible_to(table.c, organisation_id))
        .subquery(table.name)
    )


_SEEN = {
    "real_purchase_count": "purchase_count",
    **{
        name: name
        for name in ("dimensions", "dimension_source", "currency", "default_price", "purchase_count")
    },
    **{name: name for name in ("estimate_available", "last_updated_at", "wire_read", "wire_list")},
}
"""The columns that can differ for an organisation, and the column of its view that holds the value."""


def counted(rows: Columns, organisation_id: str) -> sa.ColumnElement[bool]:
    """Select the organisation's own rows that count: real ones, and sample ones while it has none of its own.
    `rows` are the columns (`.c`) of a table that marks its sample data."""
    is_counted = sa.or_(rows.sample.is_(sa.false()), ~has_real_data(organisation_id))
    return sa.and_(owned_by(rows, organisation_id), is_counted)


@lru_cache(maxsize=1000)
def has_real_data(organisation_id: str | None) -> sa.ColumnElement[bool]:
    """Whether the organisation has a scope, requirement, negotiation or agreement of its own, or sees a real
    purchase."""
    bought, wording = purchase.alias(), article.alias()
    return sa.or_(
        *(
            sa.exists().where(owned_by(own.c, organisation_id), own.c.sample.is_(sa.false()))
            for own in (scope.alias(), requirement.alias(), negotiation.alias(), agreement.alias())
        ),
        sa.exists().where(
            bought.c.article_id == wording.c.id,
            wording.c.sample.is_(sa.false()),
            visible_to(bought.c, organisation_id),
        ),
    )
