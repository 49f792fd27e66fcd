"""Read a page of a list."""

from typing import TypeVarTuple

import sqlalchemy as sa
from sqlalchemy import Connection, CursorResult, Select

from app.contract.page import PageRequest

Columns = TypeVarTuple("Columns")


def read_page(
    connection: Connection, listing: Select[*Columns], page: PageRequest
) -> tuple[int, CursorResult[*Columns]]:
    """Return how many rows a listing in its order has, and those of one page."""
    counting = listing.with_only_columns(sa.func.count(), maintain_column_froms=True).order_by(None)
    total = connection.scalar(counting) or 0
    return total, connection.execute(listing.limit(page.limit).offset(page.offset))
