"""Requirements: made and changed."""

from datetime import datetime

import sqlalchemy as sa
from sqlalchemy import Connection

from app.contract.sourcing import NewRequirement, Requirement, RequirementChange
from app.service.database.tables.catalog import product
from app.service.database.visibility import visible_to
from app.service.http.problems import ApiProblem, InvalidField
from app.service.ids import new_id


def make_requirement(
    connection: Connection, organisation_id: str, body: NewRequirement, now: datetime
) -> Requirement:
    """Return the requirement with ids. Raises ApiProblem 400, which names each line with a product that the
    organisation does not see."""
    named = {line.product_id for line in body.lines if line.product_id is not None}
    query = sa.select(product.c.id).where(product.c.id.in_(named), visible_to(product.c, organisation_id))
    known = set(connection.scalars(query)) if named else set[str]()
    wrong = [
        InvalidField(f"/lines/{place}/productId", "There is no such product.")
        for place, line in enumerate(body.lines)
        if line.product_id is not None and line.product_id not in known
    ]
    if wrong:
        raise ApiProblem(400, "The requirement is not valid.", errors=wrong)
    return Requirement.model_validate(
        {
            **body.wire(),
            "id": new_id(),
            "lines": [{**line.wire(), "id": new_id()} for line in body.lines],
            "quoteCount": 0,
            "createdAt": now,
            "updatedAt": now,
        }
    )


def change_requirement(found: Requirement, change: RequirementChange) -> Requirement:
    """Return the requirement with what the change names."""
    return Requirement.model_validate({**found.wire(), **change.wire()})
