"""Finding a caller's negotiation, for all routes that name one."""

from sqlalchemy import Connection

from app.service.access.caller import Caller
from app.service.http.problems import not_found
from app.service.negotiation import store
from app.service.negotiation.rows import NegotiationRow


def require_negotiation(connection: Connection, caller: Caller, negotiation_id: str) -> NegotiationRow:
    """Return the caller's negotiation. Raises ApiProblem 404 where there is none of that id."""
    row = store.find_negotiation(connection, caller.organisation_id, negotiation_id)
    if row is None:
        raise not_found("negotiation")
    return row
