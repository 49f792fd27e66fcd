"""The routes of the second opinion: whom an organisation asks about what is doubtful in its documents."""

from fastapi import APIRouter
from starlette.responses import Response

from app.contract.second_opinion import SecondOpinionChange, SecondOpinionSettings
from app.service.access.guard import CallerDep, GuardedRoute
from app.service.access.quotas import lock_organisation
from app.service.http.dependencies import ContextDep
from app.service.http.operations import extension
from app.service.http.responses import json_response
from app.service.second_opinion.settings import change_settings, describe_settings

router = APIRouter(prefix="/v1/second-opinion", tags=["Scope"], route_class=GuardedRoute)


@router.get(
    "",
    **extension(
        "secondOpinion.read", "Read whom the organisation asks for a second opinion", SecondOpinionSettings
    ),
)
def read_settings(context: ContextDep, caller: CallerDep) -> Response:
    """Return whom the organisation asks about what is doubtful in its documents, and how often it did today.
    Nobody is asked until it names somebody. The key is never shown."""
    with context.database.reading() as connection:
        return json_response(describe_settings(connection, caller.organisation_id, context.clock()))


@router.patch(
    "",
    **extension(
        "secondOpinion.update", "State whom the organisation asks for a second opinion", SecondOpinionSettings
    ),
)
def update_settings(body: SecondOpinionChange, context: ContextDep, caller: CallerDep) -> Response:
    """State the address of a service that is compatible with OpenAI's chat completions, the model and the
    key, how many calls a day are made, and whether it is asked. From then on the words of pages on which sums
    or lines are doubtful are sent there. Its answer names words of the page and makes no value certain."""
    now = context.clock()
    with context.database.writing() as connection:
        lock_organisation(connection, caller.organisation_id)
        change_settings(connection, context.vault, caller.organisation_id, body, now)
        return json_response(describe_settings(connection, caller.organisation_id, now))
