"""Who may see a row that belongs to everybody or to one organisation. The only place that knows: its breach
would tell one organisation what another buys and pays."""

from typing import Any

import sqlalchemy as sa
from sqlalchemy.sql.base import ReadOnlyColumnCollection

Columns = ReadOnlyColumnCollection[str, Any]


def visible_to(rows: Columns, organisation_id: str | sa.BindParameter[str]) -> sa.ColumnElement[bool]:
    """The rows (the `.c` of a table, alias or subquery) that everybody sees, and the organisation's own."""
    return sa.or_(rows.organisation_id.is_(None), rows.organisation_id == organisation_id)


def shared(rows: Columns) -> sa.ColumnElement[bool]:
    """The rows that everybody sees."""
    return rows.organisation_id.is_(None)
