"""Find suppliers whose names may be similar to a name, without reading all names.

Names are compared by the parts of three characters that they share (`company_gram`). The parts that few names
have are looked up; one that many names have tells little.
"""

from functools import cache
from operator import itemgetter

import sqlalchemy as sa
from sqlalchemy import Connection, Row

from app.service.database.dialect import Dialect, dialect_of, list_parameter, listed_values
from app.service.database.tables.catalog import company, company_gram
from app.service.database.visibility import CALLER, visible_to

MAX_ENTRIES = 3_000
"""Entries of the index that are read: those of the rarest parts, until they are so many."""
MIN_SHARED = 0.25
"""Share of the looked-up parts that a similar name has."""
MAX_FOUND = 500
"""Names that are compared: those that share the most parts."""

SimilarName = Row[str, str]
"""A supplier's id and `name_key`."""


def find_similar_names(connection: Connection, organisation_id: str, key: str) -> list[SimilarName]:
    """Find real suppliers, among those that the organisation sees, that share the most
    parts of their `name_key` with the key."""
    grams = _choose_rare(connection, split_grams(key))
    if not grams:
        return []
    dialect = dialect_of(connection)
    least = max(1, round(MIN_SHARED * len(grams)))
    sharing = connection.scalars(_select_sharing(dialect), {"grams": grams, "least": least}).all()
    # In two steps: the planner would rather read all suppliers than look up those that it expects.
    parameters = {"ids": list(sharing), CALLER.key: organisation_id}
    return list(connection.execute(_select_names(dialect), parameters))


@cache
def _select_sharing(dialect: Dialect) -> sa.Select[str]:
    """Select the suppliers that have at least the number `least` of the parts `grams`, those with the most
    first. A list is one parameter: with one for each value PostgreSQL plans most statements anew."""
    shared = sa.func.count()
    return (
        sa.select(company_gram.c.company_id)
        .where(company_gram.c.gram.in_(listed_values(dialect, list_parameter("grams"))))
        .group_by(company_gram.c.company_id)
        .having(shared >= sa.bindparam("least", type_=sa.Integer))
        .order_by(shared.desc(), company_gram.c.company_id)
        .limit(MAX_FOUND)
    )


@cache
def _select_names(dialect: Dialect) -> sa.Select[str, str]:
    return sa.select(company.c.id, company.c.name_key).where(
        company.c.id.in_(listed_values(dialect, list_parameter("ids"))),
        company.c.sample.is_(sa.false()),
        visible_to(company.c, CALLER),
    )


def split_grams(key: str) -> list[str]:
    """Return the different parts of three characters of a key, as the triggers of `company_gram` do."""
    padded = f" {key} "
    return list(dict.fromkeys(padded[at : at + 3] for at in range(len(key))))


def _choose_rare(connection: Connection, grams: list[str]) -> list[str]:
    """Return the parts that the fewest names have, at least one of those that any has."""
    listed = listed_values(dialect_of(connection), list_parameter("grams")).subquery("wanted")
    [part] = listed.c
    entries = (
        sa.select(sa.literal(1).label("entry"))
        .where(company_gram.c.gram == part)
        .correlate(listed)
        .limit(MAX_ENTRIES)
        .subquery("entries")
    )
    count = sa.select(sa.func.count()).select_from(entries).scalar_subquery()
    rows = connection.execute(sa.select(part, count), {"grams": grams})
    counted: list[tuple[str, int]] = [(row[0], row[1]) for row in rows]
    chosen: list[str] = []
    read = 0
    for gram, names in sorted(counted, key=itemgetter(1)):
        if not names:
            continue
        read += names
        if chosen and read > MAX_ENTRIES:
            break
        chosen.append(gram)
    return chosen
