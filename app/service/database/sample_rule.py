"""Whether sample data counts: only while the organisation has no data of its own.

No other module states this rule. As soon as there is real data, lists, figures, sums, counts and what waits
for a person leave sample data out, so that no page mixes the two. Who asks for a record by its id still sees
it.
"""

from functools import lru_cache
from typing import Any

import sqlalchemy as sa
from sqlalchemy.sql.base import ReadOnlyColumnCollection

from app.service.database.tables.agreements import agreement
from app.service.database.tables.negotiation import negotiation
from app.service.database.tables.purchases import article, purchase
from app.service.database.tables.scopes import scope
from app.service.database.tables.sourcing import requirement
from app.service.database.visibility import owned_by, visible_to


def counted(rows: ReadOnlyColumnCollection[str, Any], organisation_id: str) -> sa.ColumnElement[bool]:
    """Select the rows that count for the organisation: real ones, and sample ones while it has none of its
    own. `rows` are the columns (`.c`) of a table that marks its sample data."""
    return sa.or_(rows.sample.is_(sa.false()), ~has_real_data(organisation_id))


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
