"""Which purchases are counted: one definition for every number that a record or a page shows.

"On record" are all purchases that the caller may see; "in the past two years" are those of them in the 730
days up to the day of the count.
"""

from collections.abc import Callable, Sequence
from datetime import date, timedelta
from typing import Any

import sqlalchemy as sa

from app.service.database.dialect import Dialect, latest_of_each
from app.service.database.tables import article, product, purchase
from app.service.database.visibility import Columns

PAST_TWO_YEARS = timedelta(days=730)


def in_past_two_years(rows: Columns, today: date) -> sa.ColumnElement[bool]:
    """Select rows of `purchase` in the 730 days up to `today`."""
    return sa.and_(rows.purchase_date > today - PAST_TWO_YEARS, rows.purchase_date <= today)


def select_newest_purchases(
    dialect: Dialect,
    company_id: str,
    columns: Sequence[str],
    wanted: Callable[[Columns], sa.ColumnElement[bool]],
    limit: int,
) -> sa.Select[*tuple[Any, ...]]:
    """Select the newest purchases of a company's products that are wanted: the id of the product, then these
    columns of each."""
    sold = (
        sa.select(article.c.id, article.c.product_id)
        .join(product, product.c.id == article.c.product_id)
        .where(product.c.company_id == company_id)
        .subquery("sold")
    )
    # By their articles: of all purchases by their day, the planner would look for those of a small company.
    source, newest = latest_of_each(
        dialect,
        purchase,
        "article_id",
        sold,
        "purchase_date",
        wanted,
        most=limit,
        columns=list(dict.fromkeys(("id", "purchase_date", *columns))),
    )
    chosen: list[sa.ColumnElement[Any]] = [sold.c.product_id, *(newest[name] for name in columns)]
    by_day = newest.purchase_date.desc(), newest.id.desc()
    return sa.select(*chosen).select_from(source).order_by(*by_day).limit(limit)
