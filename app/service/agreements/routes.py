"""The routes of agreements: what was agreed, until when, and by when somebody must act."""

from datetime import date, datetime
from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query
from sqlalchemy import Connection
from starlette.responses import Response

from app.contract.agreements import (
    DEFAULT_WITHIN,
    Agreement,
    AgreementChange,
    AgreementOccurrence,
    AgreementPage,
    AgreementQuery,
    AsOfDay,
    DeletedAgreement,
    NewAgreement,
    NewAgreementFromDocument,
    NewDecision,
    RenewalQuery,
)
from app.contract.page import ListPage
from app.contract.values import Id
from app.service.access.caller import Caller
from app.service.access.guard import CallerDep, GuardedRoute
from app.service.access.quotas import lock_organisation
from app.service.agreements.dates.position import iterate_occurrences
from app.service.agreements.listing import list_agreements, list_renewals
from app.service.agreements.recording import record_confirmed_document
from app.service.agreements.store import (
    insert_agreement,
    link_other_successors,
    list_followed,
    load_decisions,
    require_agreement,
    require_possible,
    save_agreed,
    take_decision,
)
from app.service.agreements.stored_agreement import StoredAgreement
from app.service.agreements.wire import agreement_page, agreement_record, occurrence_record
from app.service.agreements.working_calendar import load_working_days
from app.service.comments.naming_mail import tell_new_owners
from app.service.comments.people import name_decider
from app.service.context import Context
from app.service.database.imported_rows import forget_rows
from app.service.database.removal import delete_agreements
from app.service.database.tables import agreement
from app.service.http.dependencies import ContextDep
from app.service.http.operations import extension
from app.service.http.query_parameters import WITH_IDS, PageDep, page_response, query_parameters, read_ids
from app.service.http.responses import created_response, json_response
from app.service.purchases.agreement_lines import request_learning

router = APIRouter(prefix="/v1/agreements", tags=["Agreements"], route_class=GuardedRoute)
renewals_router = APIRouter(prefix="/v1", tags=["Agreements"], route_class=GuardedRoute)

AgreementId = Annotated[Id, Path(alias="agreementId")]
AsOf = Annotated[
    AsOfDay | None, Query(alias="asOf", description="The day that dates are computed for; today by default.")
]


@router.get("", **extension("agreements.list", "List agreements", AgreementPage, openapi_extra=WITH_IDS))
def agreements(
    context: ContextDep,
    caller: CallerDep,
    query: Annotated[AgreementQuery, Depends(query_parameters(AgreementQuery, ids=read_ids))],
    page: PageDep,
) -> Response:
    """List the organisation's agreements, first those to act on, by the day by which to act, then those
    without such a day, last those that have ended. Counts how many there are of each status."""
    as_of = query.get("as_of") or context.clock().date()
    with context.database.reading() as connection:
        days = load_working_days(connection, caller.organisation_id)
        found = list_agreements(connection, caller.organisation_id, query, as_of, days, page)
    return json_response(agreement_page(found, as_of, days, page))


@router.post("", **extension("agreements.create", "Put an agreement on record", Agreement, status_code=201))
def create(body: NewAgreement, context: ContextDep, caller: CallerDep) -> Response:
    """Put an agreement on record. What is not known is left out, and listed as missing."""
    with context.database.writing() as connection:
        require_possible(connection, caller.organisation_id, body)
        agreement_id = insert_agreement(
            connection,
            body,
            caller.make_origin(context.clock()),
            max_agreements=context.settings.max_agreements,
        )
        tell_new_owners(
            connection, context, caller, "agreement", agreement_id, before=None, after=body.owners
        )
    return created_response(_read(context, caller, agreement_id, None), f"/v1/agreements/{agreement_id}")


@router.post(
    "/from-document",
    **extension(
        "agreements.createFromDocument",
        "Make an agreement of a confirmed document",
        Agreement,
        status_code=201,
    ),
)
def create_from_document(body: NewAgreementFromDocument, context: ContextDep, caller: CallerDep) -> Response:
    """Put the agreement on record that a scope with a confirmed document describes, with the place of each
    value in the document as its evidence. What the document does not say, or says in two ways, is left out
    and listed as missing."""
    with context.database.writing() as connection:
        agreement_id = record_confirmed_document(
            connection,
            body.scope_id,
            caller.make_origin(context.clock()),
            max_agreements=context.settings.max_agreements,
        )
    return created_response(_read(context, caller, agreement_id, None), f"/v1/agreements/{agreement_id}")


@router.get("/{agreementId}", **extension("agreements.read", "Read an agreement", Agreement, 404))
def read(agreement_id: AgreementId, context: ContextDep, caller: CallerDep, as_of: AsOf = None) -> Response:
    """Return one agreement with its dates, and the decisions on it, the newest first."""
    return json_response(_read(context, caller, agreement_id, as_of))


@router.patch("/{agreementId}", **extension("agreements.update", "Change an agreement", Agreement, 404))
def update(
    agreement_id: AgreementId, body: AgreementChange, context: ContextDep, caller: CallerDep
) -> Response:
    """Change what is on record of an agreement. What is left out stays as it is, `null` removes it. A changed
    value loses its evidence from the document."""
    with context.database.writing() as connection:
        if "previous_agreement_id" in body.model_fields_set:
            # Of two changes at once, each alone possible, the second sees the first: no circle.
            lock_organisation(connection, caller.organisation_id)
        one = require_agreement(connection, caller.organisation_id, agreement_id, to_change=True)
        changes = {name: getattr(body, name) for name in body.model_fields_set}
        if changes.get("supplier_name", one.agreed.supplier_name) != one.agreed.supplier_name:
            changes.setdefault("company_id", None)
        agreed = one.agreed.model_copy(update=changes)
        require_possible(
            connection, caller.organisation_id, agreed, on_record=one.agreed.lines, agreement_id=one.id
        )
        save_agreed(connection, one, agreed, context.clock())
        tell_new_owners(
            connection,
            context,
            caller,
            "agreement",
            agreement_id,
            before=one.agreed.owners,
            after=agreed.owners,
        )
    return json_response(_read(context, caller, agreement_id, None))


@router.delete(
    "/{agreementId}", **extension("agreements.delete", "Delete an agreement", DeletedAgreement, 404)
)
def delete(agreement_id: AgreementId, context: ContextDep, caller: CallerDep) -> Response:
    """Delete an agreement for good, with the decisions on it and the purchases that were made of its lines.
    The agreements before and after it stay, without their link to it; so do its scope, its document and its
    negotiation."""
    with context.database.writing() as connection:
        lock_organisation(connection, caller.organisation_id)
        one = require_agreement(connection, caller.organisation_id, agreement_id, to_change=True)
        _delete_agreement(connection, one, context.clock())
    return json_response(DeletedAgreement(id=agreement_id))


@router.get(
    "/{agreementId}/occurrences",
    **extension(
        "agreementOccurrences.list", "List the terms of an agreement", ListPage[AgreementOccurrence], 404
    ),
)
def occurrences(agreement_id: AgreementId, context: ContextDep, caller: CallerDep, page: PageDep) -> Response:
    """List the terms of an agreement, the first first, and those to which it renews unless notice is given,
    as far as 2098. One that runs until notice is given has none."""
    with context.database.reading() as connection:
        one = require_agreement(connection, caller.organisation_id, agreement_id)
        days = load_working_days(connection, caller.organisation_id)
    terms = [*iterate_occurrences(one.dates.terms, days)]
    chosen = terms[page.offset : page.end]
    return page_response([occurrence_record(each) for each in chosen], len(terms), page)


@router.post(
    "/{agreementId}/decision",
    **extension("agreementDecisions.create", "Decide what becomes of an agreement", Agreement, 404),
)
def decide(agreement_id: AgreementId, body: NewDecision, context: ContextDep, caller: CallerDep) -> Response:
    """Store what is to become of an agreement when its current term ends, with who decided it, when and why.
    A decision gives no notice: the deadline is watched until `noticeGivenOn` is known. To renew takes the
    option where there is one."""
    with context.database.writing() as connection:
        if body.next_agreement_id is not None:
            lock_organisation(connection, caller.organisation_id)
        one = require_agreement(connection, caller.organisation_id, agreement_id, to_change=True)
        now = context.clock()  # of two at once, the one that counts is the later
        position = one.dates.find_position(now.date(), load_working_days(connection, caller.organisation_id))
        decided_by = name_decider(connection, caller)
        take_decision(connection, one, position, body, now=now, decided_by=decided_by)
    return json_response(_read(context, caller, agreement_id, None))


@renewals_router.get("/renewals", **extension("renewals.list", "List what must be decided", AgreementPage))
def renewals(
    context: ContextDep,
    caller: CallerDep,
    query: Annotated[RenewalQuery, Depends(query_parameters(RenewalQuery))],
    page: PageDep,
) -> Response:
    """List the agreements on which somebody must act soon, by the day by which to act. A deadline that was
    missed stays on the list until the term ends."""
    as_of = query.get("as_of") or context.clock().date()
    within = query.get("within")
    within = DEFAULT_WITHIN if within is None else within
    with context.database.reading() as connection:
        days = load_working_days(connection, caller.organisation_id)
        found = list_renewals(connection, caller.organisation_id, within, as_of, days, page)
    return json_response(agreement_page(found, as_of, days, page))


def _read(context: Context, caller: Caller, agreement_id: str, as_of: date | None) -> Agreement:
    as_of = as_of or context.clock().date()
    with context.database.reading() as connection:
        one = require_agreement(connection, caller.organisation_id, agreement_id)
        days = load_working_days(connection, caller.organisation_id)
        decisions = load_decisions(connection, agreement_id)
    return agreement_record(one, one.dates.find_position(as_of, days), as_of, days, decisions)


def _delete_agreement(connection: Connection, one: StoredAgreement, now: datetime) -> None:
    """Delete an agreement with its decisions, events and prices of today. The one before it is followed by
    another that says so, or by nothing, from then on, so that its dates change; the background takes back the
    purchases that were made of its lines."""
    before = list_followed(connection, one.organisation_id, one.id)
    delete_agreements(connection, [one.id])
    forget_rows(connection, agreement.name, [one.id])
    link_other_successors(connection, one.organisation_id, before, now)
    request_learning(connection, one.organisation_id, now)
