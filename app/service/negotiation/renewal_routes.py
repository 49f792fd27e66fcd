"""The routes of the renewal of an agreement."""

from typing import Annotated, Any

import sqlalchemy as sa
from fastapi import APIRouter, Path
from sqlalchemy import Connection
from starlette.responses import Response

from app.contract.dates import format_day
from app.contract.renewals import AgreementRenewal, StartRenewal
from app.contract.values import Id
from app.service.access.guard import CallerDep, GuardedRoute
from app.service.agreements.store import require_agreement
from app.service.agreements.stored_agreement import StoredAgreement
from app.service.database.tables import entry
from app.service.http.dependencies import ContextDep
from app.service.http.operations import extension
from app.service.http.problems import require
from app.service.http.responses import created_response, json_response
from app.service.negotiation.renewals import find_days_to_act, find_renewal, is_missed, start_renewal
from app.service.negotiation.store import find_any_negotiation

AgreementId = Annotated[Id, Path(alias="agreementId")]

router = APIRouter(prefix="/v1/agreements", tags=["Agreements"], route_class=GuardedRoute)


@router.post(
    "/{agreementId}/renewal",
    **extension(
        "agreementRenewals.create",
        "Start the renewal of an agreement",
        AgreementRenewal,
        404,
        409,
        status_code=201,
    ),
)
def create(agreement_id: AgreementId, body: StartRenewal, context: ContextDep, caller: CallerDep) -> Response:
    """Make the follow-up scope of an agreement with its lines and its next term, and start the negotiation
    about it, whose date is the day by which somebody must act. There is one: asked again, also by two at
    once, it is the same. When its price is agreed, the agreement that follows is put on record by itself, and
    this one is decided to be renewed. 409 where it ended, has no line to renew, or is followed already."""
    with context.database.writing() as connection:
        one = require_agreement(connection, caller.organisation_id, agreement_id, to_change=True)
        negotiation_id = find_renewal(connection, agreement_id)
        if negotiation_id is None:
            negotiation_id = start_renewal(connection, context, caller, one, body)
        record = _build_record(connection, one, negotiation_id)
    return created_response(record, f"/v1/agreements/{agreement_id}/renewal")


@router.get(
    "/{agreementId}/renewal",
    **extension("agreementRenewals.read", "Read the renewal of an agreement", AgreementRenewal, 404),
)
def read(agreement_id: AgreementId, context: ContextDep, caller: CallerDep) -> Response:
    """Return the renewal that was started; 404 where there is none, or its negotiation was cancelled."""
    with context.database.reading() as connection:
        one = require_agreement(connection, caller.organisation_id, agreement_id)
        negotiation_id = require(find_renewal(connection, agreement_id), "renewal")
        return json_response(_build_record(connection, one, negotiation_id))


def _build_record(connection: Connection, one: StoredAgreement, negotiation_id: str) -> AgreementRenewal:
    row = find_any_negotiation(connection, negotiation_id)
    assert row is not None  # negotiations are never deleted
    content: dict[str, Any] = (
        connection.scalar(
            sa.select(entry.c.content).where(
                entry.c.negotiation_id == negotiation_id, entry.c.kind == "started"
            )
        )
        or {}
    )
    person = row.end_user or {}
    act_by, statement = (
        find_days_to_act(connection, one.organisation_id, [row])[row.id],
        content.get("text") or "",
    )
    if act_by != row.act_by:
        day = "is not known" if act_by is None else f"is {format_day(act_by)}"
        statement = f"{statement} Its dates were changed since: by when it must be decided {day}."
    return AgreementRenewal.build_from(
        row,
        agreement_id=one.id,
        negotiation_id=negotiation_id,
        act_by=act_by,
        deadline_missed=is_missed(act_by, row.created_at),
        left_out=content.get("leftOut") or [],
        statement=statement,
        next_agreement_id=one.next_agreement_id,
        started_at=row.created_at,
        started_by=person.get("email") or person.get("identifier"),
    )
