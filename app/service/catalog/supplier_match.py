"""Find the company of the catalog that a supplier's name means, without reading all names.

Names are compared by the parts of three characters that they share (`company_gram`). The parts that few names
have are looked up; one that many names have tells little.
"""

from functools import cache
from operator import itemgetter

import sqlalchemy as sa
from rapidfuzz import fuzz, process
from sqlalchemy import Connection, Row

from app.service.catalog.line_match import CompanyCandidate, SupplierMatch
from app.service.catalog.names import company_key, domain_key
from app.service.database.dialect import Dialect, dialect_of, list_parameter, listed_values
from app.service.database.tables import company, company_gram
from app.service.database.visibility import CALLER, visible_to

MIN_SIMILARITY_SAME = 92.0
"""Similarity from which a name means a company."""
MIN_SIMILARITY_CANDIDATE = 72.0
"""Similarity from which a company is a candidate."""
MAX_CANDIDATES = 5


def find_company(
    connection: Connection, organisation_id: str, *, name: str | None = None, domain: str | None = None
) -> str | None:
    """Return the id of the company, among those that the organisation sees, with that domain (or address),
    else that name, else a similar name; None when several fit equally well or none does. A sample company is
    found by its exact name or domain only, and only where no real company has it."""
    if domain and (host := domain_key(domain)):
        company_id = _find_single(connection, organisation_id, company.c.domain == host)
        if company_id:
            return company_id
    if not name or not name.strip():
        return None
    key = company_key(name)
    same = sa.select(company.c.id).where(company.c.name_key == key, visible_to(company.c, organisation_id))
    if connection.scalar(same.limit(1)) is not None:
        return _find_single(connection, organisation_id, company.c.name_key == key)
    likeliest = _find_similar(connection, organisation_id, key, MIN_SIMILARITY_SAME, 2)
    if not likeliest or (len(likeliest) == 2 and likeliest[0][1] == likeliest[1][1]):
        return None
    return likeliest[0][0]


def match_supplier(
    connection: Connection, organisation_id: str, name: str | None, known: str | None = None
) -> SupplierMatch:
    """Find who a document is from, with candidates where that is not certain. `known` is the company's id
    where it is known already."""
    company_id = known or find_company(connection, organisation_id, name=name)
    if company_id is not None:
        name_query = connection.scalar(sa.select(company.c.name).where(company.c.id == company_id))
        return SupplierMatch(name, company_id, name_query)
    if not name or not name.strip():
        return SupplierMatch(name)
    alike = _find_similar(
        connection, organisation_id, company_key(name), MIN_SIMILARITY_CANDIDATE, MAX_CANDIDATES
    )
    name_query = sa.select(company.c.id, company.c.name).where(company.c.id.in_([one for one, _ in alike]))
    names = {row.id: row.name for row in connection.execute(name_query)}
    return SupplierMatch(
        name,
        candidates=[
            CompanyCandidate(ident, names[ident], f"The names are {score:.0f} % similar.")
            for ident, score in alike
        ],
    )


def _find_single(
    connection: Connection, organisation_id: str, condition: sa.ColumnElement[bool]
) -> str | None:
    """Return the only real company that meets the condition, else the only sample company."""
    rows = connection.execute(
        sa.select(company.c.id, company.c.sample)
        .where(condition, visible_to(company.c, organisation_id))
        .order_by(company.c.sample, company.c.id)
        .limit(3)
    ).all()
    real = [row.id for row in rows if not row.sample] or [row.id for row in rows]
    return real[0] if len(real) == 1 else None


def _find_similar(
    connection: Connection, organisation_id: str, key: str, least: float, most: int
) -> list[tuple[str, float]]:
    """Return real companies with names similar to the key, the likeliest first: (id, per cent)."""
    names = {row[0]: row[1] for row in find_similar_names(connection, organisation_id, key)}
    similar = process.extract(  # pyrefly: ignore[no-matching-overload]
        key, names, scorer=fuzz.token_sort_ratio, score_cutoff=least, limit=most
    )
    return [(ident, score) for _, score, ident in similar]


_MAX_ENTRIES = 3_000
"""Entries of the index that are read: those of the rarest parts, until they are so many."""
_MIN_SHARED = 0.25
"""Share of the looked-up parts that a similar name has."""
_MAX_FOUND = 500
"""Names that are compared: those that share the most parts."""

_SimilarName = Row[str, str]
"""A supplier's id and `name_key`."""


def find_similar_names(connection: Connection, organisation_id: str, key: str) -> list[_SimilarName]:
    """Find real suppliers, among those that the organisation sees, that share the most
    parts of their `name_key` with the key."""
    grams = _choose_rare(connection, _split_grams(key))
    if not grams:
        return []
    dialect = dialect_of(connection)
    least = max(1, round(_MIN_SHARED * len(grams)))
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
        .limit(_MAX_FOUND)
    )


@cache
def _select_names(dialect: Dialect) -> sa.Select[str, str]:
    return sa.select(company.c.id, company.c.name_key).where(
        company.c.id.in_(listed_values(dialect, list_parameter("ids"))),
        company.c.sample.is_(sa.false()),
        visible_to(company.c, CALLER),
    )


def _split_grams(key: str) -> list[str]:
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
        .limit(_MAX_ENTRIES)
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
        if chosen and read > _MAX_ENTRIES:
            break
        chosen.append(gram)
    return chosen
