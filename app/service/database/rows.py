"""Rows of queries: as records, in batches, so that no statement has more parameters than a store takes, and
as pages of a list. How many companies and products there are, triggers count
(`tables.catalog.entry_count`)."""

from collections.abc import Iterable, Iterator
from dataclasses import fields
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar

from sqlalchemy import RowMapping

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    Record = TypeVar("Record", bound=DataclassInstance)
else:
    Record = TypeVar("Record")
from collections import Counter
from collections.abc import Sequence
from typing import TypeVarTuple

import sqlalchemy as sa
from sqlalchemy import Connection, CursorResult, Select

from app.contract.page import PageRequest
from app.service.database.engine import Database
from app.service.database.tables import entry_count
from app.service.database.visibility import Viewer, visible_to


def read_row(kind: type[Record], row: RowMapping, **others: Any) -> Record:
    """Make a dataclass of the columns that are called like its fields, and of `others`. Raises KeyError for a
    field that is neither."""
    own = {field.name: row[field.name] for field in fields(kind) if field.name not in others}
    return kind(**own, **others)


Item = TypeVar("Item")


def batched(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    """`items` in lists of at most `size`."""
    rest = iter(items)
    while batch := list(islice(rest, size)):
        yield batch


Columns = TypeVarTuple("Columns")


def count_rows(connection: Connection, rows: sa.FromClause, *conditions: sa.ColumnElement[bool]) -> int:
    """Count the rows of a table, or of a query, that fulfil the conditions."""
    return connection.scalar(sa.select(sa.func.count()).select_from(rows).where(*conditions)) or 0


def read_page(
    connection: Connection, listing: Select[*Columns], page: PageRequest
) -> tuple[int, CursorResult[*Columns]]:
    """Return how many rows a listing in its order has, and those of one page."""
    counting = listing.with_only_columns(sa.func.count(), maintain_column_froms=True).order_by(None)
    total = connection.scalar(counting) or 0
    return total, connection.execute(listing.limit(page.limit).offset(page.offset))


COMPANIES = ""
"""The list of all companies. Every other list is that of the products of a company, by the company's id."""
_LISTS_AT_ONCE = 1_000


def select_number(list_id: sa.BindParameter[str] | str, viewer: Viewer | None) -> sa.Select[int]:
    """Select the number of entries of a list that the viewer sees."""
    return sa.select(sa.func.coalesce(sa.func.sum(entry_count.c.number), 0)).where(
        entry_count.c.list_id == list_id, visible_to(entry_count.c, viewer)
    )


def sum_up_counts(database: Database) -> None:
    """Replace the rows of each list by their sum, so that reading a number stays quick."""
    while True:
        with database.reading() as connection:
            lists = connection.scalars(_SPLIT).all()
        if not lists:
            return
        with database.writing() as connection:
            _sum_up(connection, lists)


_SPLIT = (
    sa.select(entry_count.c.list_id)
    .group_by(entry_count.c.list_id, entry_count.c.organisation_id)
    .having(sa.or_(sa.func.count() > 1, sa.func.sum(entry_count.c.number) == 0))
    .limit(_LISTS_AT_ONCE)
)
"""Lists with more rows than they need."""


def _sum_up(connection: Connection, lists: Sequence[str]) -> None:
    """What others add meanwhile stays apart, and of two who take the same rows, the second finds none."""
    columns = entry_count.c.list_id, entry_count.c.organisation_id, entry_count.c.number
    taken = sa.delete(entry_count).where(entry_count.c.list_id.in_(lists)).returning(*columns)
    numbers: Counter[tuple[str, str | None]] = Counter()
    for list_id, organisation_id, number in connection.execute(taken):
        numbers[list_id, organisation_id] += number
    sums = [
        {"list_id": list_id, "organisation_id": organisation_id, "number": number}
        for (list_id, organisation_id), number in numbers.items()
        if number
    ]
    if sums:
        connection.execute(entry_count.insert(), sums)
