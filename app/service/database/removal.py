"""What is asked and deleted elsewhere before a record goes: where records name suppliers and products of the
catalog, and what was stored about agreements."""

import json
from collections.abc import Collection
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection

from app.contract.values import UUID
from app.service.database.tables import (
    agreement,
    agreement_alert,
    agreement_decision,
    comment,
    letter,
    list_price,
    negotiation,
    quoted_price,
    requirement,
    same_purchase,
    scope,
    scope_document,
    sourcing_quote,
)

_NAMING: tuple[tuple[sa.Select[*tuple[Any, ...]], sa.Column[str]], ...] = (
    (sa.select(scope.c.product_terms, scope.c.quote_lines, scope.c.company_id), scope.c.organisation_id),
    (
        sa.select(scope_document.c.reading).join(scope, scope.c.id == scope_document.c.scope_id),
        scope.c.organisation_id,
    ),
    (sa.select(negotiation.c.company_id, negotiation.c.supplier), negotiation.c.organisation_id),
    (sa.select(agreement.c.company_id, agreement.c.content), agreement.c.organisation_id),
    (sa.select(requirement.c.content), requirement.c.organisation_id),
    (
        sa.select(sourcing_quote.c.content).join(
            requirement, requirement.c.id == sourcing_quote.c.requirement_id
        ),
        requirement.c.organisation_id,
    ),
    (sa.select(quoted_price.c.product_id), quoted_price.c.organisation_id),
    (sa.select(list_price.c.product_id), list_price.c.organisation_id),
)
"""The columns that name entries, and that which says whose they are."""
NAMED_BY = "scopes, negotiations, agreements, requirements or purchases"
"""What these records are called, with purchases, where a sentence says why an entry stays."""


def find_named_ids(connection: Connection, organisation_id: str | None = None) -> set[str]:
    """Return every id that these records of an organisation hold; without one, those of all."""
    found: set[str] = set()
    for query, owner in _NAMING:
        wanted = query if organisation_id is None else query.where(owner == organisation_id)
        for row in connection.execute(wanted):
            for value in row:
                found.update(UUID.findall(value if isinstance(value, str) else json.dumps(value)))
    return found


def delete_rows(connection: Connection, ids: Collection[str], *columns: sa.Column[str]) -> None:
    """Delete the rows that name one of the ids in these columns, table by table."""
    for column in columns:
        connection.execute(sa.delete(column.table).where(column.in_(ids)))


def _forget_in_awards(connection: Connection, ids: Collection[str]) -> None:
    owners = sa.select(agreement.c.organisation_id).where(agreement.c.id.in_(ids))
    awarded = sa.select(requirement.c.id, requirement.c.content).where(
        requirement.c.organisation_id.in_(owners),
        requirement.c.content["award"]["make"].as_string() == "agreements",
    )
    for requirement_id, content in connection.execute(awarded).all():
        made = content["award"]["quotes"]
        quotes = [
            {name: value for name, value in one.items() if name != "agreementId" or value not in ids}
            for one in made
        ]
        if quotes != made:
            changed = {**content, "award": {**content["award"], "quotes": quotes}}
            connection.execute(
                requirement.update().where(requirement.c.id == requirement_id).values(content=changed)
            )


def delete_agreements(connection: Connection, ids: Collection[str]) -> None:
    """Delete agreements, the decisions and events about them, and what other agreements, negotiations and
    awards say of them."""
    _forget_in_awards(connection, ids)
    parts = (part.c.agreement_id for part in (agreement_decision, agreement_alert, same_purchase))
    delete_rows(connection, ids, *parts, comment.c.object_id, letter.c.object_id)
    is_before, is_after = agreement.c.next_agreement_id.in_(ids), agreement.c.previous_agreement_id.in_(ids)
    connection.execute(agreement.update().where(is_before).values(next_agreement_id=None, next_start=None))
    connection.execute(agreement.update().where(is_after).values(previous_agreement_id=None))
    connection.execute(
        negotiation.update().where(negotiation.c.agreement_id.in_(ids)).values(agreement_id=None)
    )
    delete_rows(connection, ids, agreement.c.id)
