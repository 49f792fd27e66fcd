"""Rows of a query as the records that the service works with. Pure."""

from dataclasses import fields
from typing import TYPE_CHECKING, Any, TypeVar

from sqlalchemy import RowMapping

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    Record = TypeVar("Record", bound=DataclassInstance)
else:
    Record = TypeVar("Record")


def read_row(kind: type[Record], row: RowMapping, **others: Any) -> Record:
    """Make a dataclass of the columns that are called like its fields, and of `others`. Raises KeyError for a
    field that is neither."""
    own = {field.name: row[field.name] for field in fields(kind) if field.name not in others}
    return kind(**own, **others)
