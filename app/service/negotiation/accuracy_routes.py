"""The route of how right the estimates of negotiations were."""

from fastapi import APIRouter
from starlette.responses import Response

from app.contract.deal_accuracy import DealAccuracy
from app.service.access.guard import CallerDep, GuardedRoute
from app.service.http.dependencies import ContextDep
from app.service.http.operations import extension
from app.service.http.responses import json_response
from app.service.negotiation.deal_accuracy import measure_deals

router = APIRouter(prefix="/v1/negotiation", tags=["Negotiation"], route_class=GuardedRoute)


@router.get(
    "/accuracy",
    **extension("dealAccuracy.read", "Read how right the estimates of negotiations were", DealAccuracy),
)
def accuracy(context: ContextDep, caller: CallerDep) -> Response:
    """Compare each agreed price with what was estimated before it was agreed, of the same scope and term.
    What cannot be compared is counted with the reason."""
    with context.database.reading() as connection:
        return json_response(measure_deals(connection, caller.organisation_id))
