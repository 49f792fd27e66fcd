"""Quotes that are read from an uploaded file in the background: the file becomes a scope as any other, and
what that scope says becomes the quote."""

from collections.abc import Sequence

from sqlalchemy import Connection

from app.contract.sourcing import MAX_QUOTES, NewSourcingQuote, Requirement, SourcingQuote
from app.service.access.audit import QUOTE_FAILED, QUOTE_READ, Subject, record_outcome
from app.service.access.caller import Caller
from app.service.access.quotas import lock_organisation
from app.service.background.tasks import finish_task
from app.service.context import Context
from app.service.files.store import find_file
from app.service.http.problems import ApiProblem, InvalidField, bad_request
from app.service.ids import new_id
from app.service.scopes.jobs import extract_document, fail_extraction
from app.service.scopes.scope_documents import begin_reading, find_document
from app.service.scopes.store import find_scope
from app.service.sourcing.quotes import (
    align_quote,
    check_supplier,
    load_scope,
    require_room_for_quote,
    review_quote,
)
from app.service.sourcing.remembered_alignment import recall_alignment
from app.service.sourcing.scope_lines import find_discount, quote_lines, warn_of_quote
from app.service.sourcing.store import (
    find_quotes_being_read,
    find_requirement,
    insert_quote,
    list_quotes,
    update_quote,
)

READ_QUOTE = "read_quote"


def begin_quote(
    connection: Connection,
    context: Context,
    caller: Caller,
    requirement: Requirement,
    body: NewSourcingQuote,
) -> SourcingQuote:
    """Write a quote that is being read from a file, and the task to read it. Raises ApiProblem 400, which
    names each place, and 409 where the requirement has as many quotes as it may."""
    require_room_for_quote(requirement)
    stated = {"/scopeId": body.scope_id, "/currency": body.currency, "/lines": body.lines}
    wrong = [
        InvalidField(pointer, "It is read from the file.")
        for pointer, value in stated.items()
        if value is not None
    ]
    if wrong:
        raise ApiProblem(400, "The quote is not valid.", errors=wrong)
    supplier_name = check_supplier(connection, caller.organisation_id, body)
    stored = find_file(connection, caller.organisation_id, body.file_id or "")
    if stored is None:
        raise bad_request("/fileId", "There is no such file.")
    now = context.clock()
    scope_id = begin_reading(
        connection,
        caller.make_origin(now),
        currency=context.settings.currency,
        stored=stored,
        url=None,
        purchase_type=None,
        task=READ_QUOTE,
    )
    quote = SourcingQuote.model_validate(
        {
            **body.wire(),
            "id": new_id(),
            "requirementId": requirement.id,
            "status": "reading",
            "scopeId": scope_id,
            "supplierName": supplier_name or stored.filename,
            "currency": requirement.currency,
            "lines": [],
            "createdAt": now,
        }
    )
    insert_quote(connection, quote)
    return quote


def read_quote(context: Context, scope_id: str) -> None:
    """Read the file of a quote until the quote is ready, needs a review, or failed with a reason."""
    extract_document(context, scope_id)
    finish_quote(context, scope_id)


def give_up_reading(context: Context, scope_id: str, reason: str) -> None:
    """Say of a quote that its file cannot be read."""
    fail_extraction(context, scope_id, reason)
    finish_quote(context, scope_id)


def finish_quote(context: Context, scope_id: str) -> None:
    """Store what was read as the quote that waits for it, and a quote for each other one that its file holds;
    nothing where that was done before."""
    with context.database.reading() as connection:
        read = {quote.id: quote for quote in _complete_quotes(connection, context, scope_id)}
    with context.database.writing() as connection:
        waiting = find_quotes_being_read(connection, scope_id)
        for organisation_id, requirement_id, quote_id in waiting:
            lock_organisation(connection, organisation_id)
            if quote_id not in read or not any(
                quote_id == found for _, _, found in find_quotes_being_read(connection, scope_id)
            ):
                continue
            quote = read.pop(quote_id)
            update_quote(connection, quote)
            requirement = find_requirement(connection, organisation_id, requirement_id)
            subject = Subject(organisation_id, requirement_id, requirement.name, part=quote_id)
            outcome = QUOTE_FAILED if quote.status == "failed" else QUOTE_READ
            record_outcome(connection, outcome, subject, context.clock())
            for other in list(read.values())[: MAX_QUOTES - requirement.quote_count]:
                insert_quote(connection, other)
        finish_task(connection, kind=READ_QUOTE, subject_id=scope_id)


def _complete_quotes(connection: Connection, context: Context, scope_id: str) -> list[SourcingQuote]:
    """The quote that waits for a scope as it was read, then a new one for each other one of its file."""
    complete: list[SourcingQuote] = []
    for organisation_id, requirement_id, quote_id in find_quotes_being_read(connection, scope_id):
        requirement = find_requirement(connection, organisation_id, requirement_id)
        [waiting] = (one for one in list_quotes(connection, requirement_id) if one.id == quote_id)
        scope_ids = _list_scopes(connection, scope_id)
        room = MAX_QUOTES - requirement.quote_count
        for place, each in enumerate(scope_ids):
            quote = _complete_quote(connection, organisation_id, requirement, waiting, each)
            if place:
                quote = quote.model_copy(update={"id": new_id(), "created_at": context.clock()})
            elif len(scope_ids) - 1 > room:
                said = f"The file holds {len(scope_ids)} quotes; there was room for {room + 1} of them."
                quote = quote.model_copy(update={"warnings": [*quote.warnings, said]})
            complete.append(quote)
    return complete


def _list_scopes(connection: Connection, scope_id: str) -> Sequence[str]:
    """The scopes that a file of several quotes was read into, this one first; of most files it is alone."""
    document = find_document(connection, scope_id)
    reading = document.reading if document is not None else None
    several = reading.get("quotes", ()) if reading is not None else ()
    return [scope_id, *(one["scope_id"] for one in several if one["scope_id"] != scope_id)]


def _complete_quote(
    connection: Connection,
    organisation_id: str,
    requirement: Requirement,
    waiting: SourcingQuote,
    scope_id: str,
) -> SourcingQuote:
    scope = find_scope(connection, organisation_id, scope_id)
    document = None if scope is None else scope.document
    if scope is None or document is None or document.status != "completed":
        reason = (document.error if document is not None else None) or "Its file could not be read."
        return waiting.model_copy(update={"status": "failed", "reason": reason})
    quoted = load_scope(connection, organisation_id, scope_id)
    named = waiting.company_id is not None or waiting.supplier_name != document.filename
    supplier = waiting.supplier_name if named else quoted.supplier_name
    warnings = [*quoted.warnings, *warn_of_quote(quoted, requirement.term_months)]
    if supplier is None:
        warnings.append("The file does not say whose quote it is; its name stands for the supplier's.")
    priced = quote_lines(quoted, requirement.term_months)
    name, lines = supplier or document.filename, [line for _, line in priced]
    said = [line.description for line in lines]
    remembered = recall_alignment(connection, organisation_id, requirement, name, said)
    discount = find_discount(quoted, requirement.term_months)
    known = {
        "scope_id": scope_id,
        "discounts": [discount] if waiting.discounts is None and discount is not None else waiting.discounts,
        "supplier_name": name,
        "company_id": waiting.company_id if named else quoted.company_id,
        "currency": quoted.currency,
        "currency_stated": quoted.states_currency,
        "valid_until": waiting.valid_until or quoted.valid_until,
        "payment_terms_days": quoted.payment_terms_days
        if waiting.payment_terms_days is None
        else waiting.payment_terms_days,
        "warnings": warnings,
        "lines": align_quote(requirement, lines, [place for place, _ in priced], remembered),
    }
    quote = waiting.model_copy(update=known)
    if not priced:
        reason = "No line of it states an amount that can be compared."
        return quote.model_copy(update={"status": "failed", "reason": reason})
    return review_quote(quote)
