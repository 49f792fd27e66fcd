"""Which purchases are counted: one definition for every number that a record or a page shows.

"On record" are all purchases that the caller may see; "in the past two years" are those of them in the 730
days up to the day of the count.
"""

from datetime import date, timedelta

import sqlalchemy as sa

from app.service.database.visibility import Columns

PAST_TWO_YEARS = timedelta(days=730)


def in_past_two_years(rows: Columns, today: date) -> sa.ColumnElement[bool]:
    """Select rows of `purchase` in the 730 days up to `today`."""
    return sa.and_(rows.purchase_date > today - PAST_TWO_YEARS, rows.purchase_date <= today)
