"""The routes that correct a quote of a requirement, and remove a wrong one."""

from typing import Annotated

from fastapi import APIRouter, Path
from starlette.responses import Response

from app.contract.sourcing import SourcingQuote
from app.contract.sourcing_changes import RemovedQuote, SourcingQuoteChange
from app.contract.values import Id
from app.service.access.guard import CallerDep, GuardedRoute
from app.service.access.quotas import lock_organisation
from app.service.http.dependencies import ContextDep
from app.service.http.operations import extension
from app.service.http.responses import json_response
from app.service.sourcing.quote_changes import change_quote, remove_quote
from app.service.sourcing.store import find_requirement

router = APIRouter(prefix="/v1/requirements", tags=["Sourcing"], route_class=GuardedRoute)

RequirementId = Annotated[Id, Path(alias="requirementId")]
QuoteId = Annotated[Id, Path(alias="quoteId")]


@router.patch(
    "/{requirementId}/quotes/{quoteId}",
    **extension("requirements.updateQuote", "Correct a quote of a requirement", SourcingQuote, 404, 409),
)
def update(
    requirement_id: RequirementId,
    quote_id: QuoteId,
    body: SourcingQuoteChange,
    context: ContextDep,
    caller: CallerDep,
) -> Response:
    """Correct what a quote asks and its terms. Scenarios that were solved before say that they rest on an
    earlier state. A quote that was awarded something stays as it is."""
    with context.database.writing() as connection:
        lock_organisation(connection, caller.organisation_id)
        found = find_requirement(connection, caller.organisation_id, requirement_id)
        changed = change_quote(connection, found, quote_id, body)
    return json_response(changed)


@router.delete(
    "/{requirementId}/quotes/{quoteId}",
    **extension("requirements.removeQuote", "Remove a quote from a requirement", RemovedQuote, 404, 409),
)
def remove(
    requirement_id: RequirementId, quote_id: QuoteId, context: ContextDep, caller: CallerDep
) -> Response:
    """Remove a wrong quote; the scope that it was taken from stays. Scenarios that were solved before say
    that they rest on an earlier state. A quote that was awarded something stays."""
    with context.database.writing() as connection:
        lock_organisation(connection, caller.organisation_id)
        found = find_requirement(connection, caller.organisation_id, requirement_id)
        remove_quote(connection, found, quote_id)
    return json_response(RemovedQuote(id=quote_id))
