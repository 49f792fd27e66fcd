"""The figures of products whose purchases were taken back, before they are computed anew."""

import sqlalchemy as sa
from sqlalchemy import Connection

from app.service.database.tables.catalog import organisation_view, product
from app.service.database.visibility import owned_by


def reset_stale_figures(connection: Connection, organisation_id: str) -> None:
    """Forget the prices that stale products of the organisation, and its stale views of shared ones, got from
    purchases: without any left, none is computed in their place."""
    view = organisation_view.c
    connection.execute(
        organisation_view.update()
        .where(owned_by(view, organisation_id), view.stale.is_(sa.true()))
        .values(currency=None, default_price=None)
    )
    connection.execute(
        product.update()
        .where(owned_by(product.c, organisation_id), product.c.stale.is_(sa.true()))
        .values(default_price=None)
    )
