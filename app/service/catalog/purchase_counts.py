"""Which purchases are counted: one definition for every number that a record or a page shows.

"On record" are all that the caller may know; "in the past two years" those of them from two years before the
day of the count up to that day.
"""

from datetime import date, timedelta

import sqlalchemy as sa

from app.service.database.visibility import Columns

PAST_TWO_YEARS = timedelta(days=730)


def in_past_two_years(rows: Columns, today: date) -> sa.ColumnElement[bool]:
    """Of rows of `purchase`."""
    return sa.and_(rows.purchase_date > today - PAST_TWO_YEARS, rows.purchase_date <= today)
