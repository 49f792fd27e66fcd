"""The column types that both stores share."""

from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Dialect
from sqlalchemy.dialects import postgresql
from sqlalchemy.types import TypeDecorator

from app.service.ids import to_purchase_id, to_purchase_key


class Instant(TypeDecorator[datetime]):
    """A moment in UTC, aware in Python on both stores (SQLite keeps no zone)."""

    impl = sa.DateTime
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> Any:
        if dialect.name == "postgresql":
            return dialect.type_descriptor(postgresql.TIMESTAMP(timezone=True))
        return dialect.type_descriptor(sa.DateTime())

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"a moment without a zone: {value!r}")
        value = value.astimezone(UTC)
        return value if dialect.name == "postgresql" else value.replace(tzinfo=None)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class PurchaseId(TypeDecorator[str]):
    """The id of a purchase, which its row keeps as its key (`ids`)."""

    impl = sa.String(36)
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        return None if value is None else to_purchase_key(value)

    def process_result_value(self, value: str | None, dialect: Dialect) -> str | None:
        return None if value is None else to_purchase_id(value)


Json = sa.JSON(none_as_null=True).with_variant(postgresql.JSONB(none_as_null=True), "postgresql")
"""A JSON value; PostgreSQL may reorder its keys, so what must stay byte for byte is Text."""

Document = sa.JSON(none_as_null=True)
"""A JSON value whose keys keep their order on both stores; it is read whole, never searched."""

Ordered = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
"""Text sorted by its code points on both stores; PostgreSQL would follow the language of its machine."""

metadata = sa.MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)
