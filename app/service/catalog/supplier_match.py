"""Find the company of the catalog that a supplier's name means."""

import sqlalchemy as sa
from rapidfuzz import fuzz, process
from sqlalchemy import Connection

from app.service.catalog.line_match import CompanyCandidate, SupplierMatch
from app.service.catalog.names import company_key, domain_key
from app.service.catalog.similar_names import find_similar_names
from app.service.database.tables.catalog import company
from app.service.database.visibility import visible_to

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
