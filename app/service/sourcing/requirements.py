"""Requirements: made and changed."""

from dataclasses import replace
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy import Connection

from app.contract.sourcing import (
    MAX_LINES,
    NewRequirement,
    NewSourcingQuote,
    Requirement,
    RequirementChange,
)
from app.service.database.tables import product
from app.service.database.visibility import visible_to
from app.service.http.problems import ApiProblem, InvalidField, bad_request
from app.service.ids import new_id
from app.service.sourcing.quotes import add_quote, load_scope
from app.service.sourcing.scope_lines import list_needs, name_needs
from app.service.sourcing.store import insert_requirement


def make_requirement(
    connection: Connection,
    organisation_id: str,
    body: NewRequirement,
    now: datetime,
    *,
    sample: bool = False,
) -> Requirement:
    """Write a requirement and return it with ids; the prices of the scope that it is taken from are its first
    quote. `sample` marks it as sample data. Raises ApiProblem 400, which names each line with a product that
    the organisation does not see."""
    if body.scope_id is None:
        made = _build_requirement(connection, organisation_id, body, now)
        insert_requirement(connection, organisation_id, made, sample=sample)
        return made
    quoted = load_scope(connection, organisation_id, body.scope_id)
    needs = list_needs(quoted)
    if body.lines is None and not 0 < len(needs) <= MAX_LINES:
        raise bad_request("/scopeId", f"It has {len(needs)} lines; a requirement has 1 to {MAX_LINES}.")
    if not (body.term_months or quoted.months):
        raise bad_request("/termMonths", "The scope does not say for how many months it is: state it here.")
    lines = body.lines or [need for _, need in needs]
    made = _build_requirement(
        connection,
        organisation_id,
        body.model_copy(
            update={
                "name": body.name or name_needs(quoted, lines),
                "currency": body.currency or quoted.currency,
                "term_months": body.term_months or quoted.months,
                "lines": lines,
            }
        ),
        now,
    )
    insert_requirement(connection, organisation_id, made, sample=sample)
    if not any(line.has_price for line in quoted.lines):
        return made
    # Each line of the first quote answers the line that was made of it.
    answered = (
        {line.place: need.id for (line, _), need in zip(needs, made.lines, strict=True)}
        if body.lines is None
        else {}
    )
    first = NewSourcingQuote(scope_id=body.scope_id)
    if not (quoted.supplier_name or quoted.company_id):
        first = NewSourcingQuote(scope_id=body.scope_id, supplier_name=quoted.title[:500])
        said = "The scope does not say whose quote it is; its name stands for the supplier's."
        quoted = replace(quoted, warnings=[*quoted.warnings, said])
    add_quote(connection, organisation_id, made, first, now, quoted=quoted, answered=answered)
    return made.model_copy(update={"quote_count": 1})


def _build_requirement(
    connection: Connection, organisation_id: str, body: NewRequirement, now: datetime
) -> Requirement:
    lines = body.lines or []
    named = {line.product_id for line in lines if line.product_id is not None}
    query = sa.select(product.c.id).where(product.c.id.in_(named), visible_to(product.c, organisation_id))
    known = set(connection.scalars(query)) if named else set[str]()
    wrong = [
        InvalidField(f"/lines/{place}/productId", "There is no such product.")
        for place, line in enumerate(lines)
        if line.product_id is not None and line.product_id not in known
    ]
    if wrong:
        raise ApiProblem(400, "The requirement is not valid.", errors=wrong)
    return Requirement.model_validate(
        {
            **body.wire(),
            "id": new_id(),
            "lines": [{**line.wire(), "id": new_id()} for line in lines],
            "quoteCount": 0,
            "createdAt": now,
            "updatedAt": now,
        }
    )


def change_requirement(found: Requirement, change: RequirementChange) -> Requirement:
    return Requirement.model_validate({**found.wire(), **change.wire()})
