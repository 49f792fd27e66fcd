"""The routes that correct a quote of a requirement, and remove a wrong one."""

from collections import Counter
from typing import Annotated, Any

from fastapi import APIRouter, Path
from sqlalchemy import Connection
from starlette.responses import Response

from app.contract.sourcing import Requirement, SourcingQuote
from app.contract.sourcing_changes import ChangedQuoteLine, RemovedQuote, SourcingQuoteChange
from app.contract.values import Id
from app.service.access.guard import CallerDep, GuardedRoute
from app.service.access.quotas import lock_organisation
from app.service.http.dependencies import ContextDep
from app.service.http.operations import extension
from app.service.http.problems import ApiProblem, InvalidField, not_found
from app.service.http.responses import json_response
from app.service.scopes.quote import NO_CURRENCY
from app.service.sourcing.quotes import require_not_awarded, review_quote
from app.service.sourcing.remembered_alignment import forget_alignment
from app.service.sourcing.store import delete_quote, find_requirement, list_quotes, update_quote

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
        changed = _change_quote(connection, found, quote_id, body)
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
        _remove_quote(connection, found, quote_id)
    return json_response(RemovedQuote(id=quote_id))


_SHOWN_TEXT = 60


def _change_quote(
    connection: Connection, requirement: Requirement, quote_id: str, change: SourcingQuoteChange
) -> SourcingQuote:
    """Store what the change names and return the quote. Raises ApiProblem 400, which names each place, 404,
    and 409 where the quote was awarded something, is being read, or could not be read."""
    found = _find_changeable(connection, requirement, quote_id)
    if found.status in ("reading", "failed"):
        why = "is still being read." if found.status == "reading" else "could not be read: remove the quote."
        raise ApiProblem(409, f"The document of this quote {why}")
    _require_known_lines(found, change.lines or ())
    changed = _apply(found, change)
    if change.lines or changed.currency_stated != found.currency_stated:
        changed = review_quote(changed)
    update_quote(connection, changed)
    return changed


def _remove_quote(connection: Connection, requirement: Requirement, quote_id: str) -> None:
    """Delete a quote; the scope that it was taken from stays. Raises ApiProblem 404, and 409 where the quote
    was awarded something."""
    found = _find_changeable(connection, requirement, quote_id)
    forget_alignment(connection, [found.id])
    delete_quote(connection, found.id)


def _find_changeable(connection: Connection, requirement: Requirement, quote_id: str) -> SourcingQuote:
    found = next((one for one in list_quotes(connection, requirement.id) if one.id == quote_id), None)
    if found is None:
        raise not_found("quote")
    require_not_awarded(requirement, found)
    return found


def _require_known_lines(found: SourcingQuote, lines: Any) -> None:
    known = {line.id for line in found.lines}
    times = Counter(line.id for line in lines)
    wrong = [
        InvalidField(
            f"/lines/{place}/id",
            "The quote has no such line." if line.id not in known else "The line is named twice.",
        )
        for place, line in enumerate(lines)
        if line.id not in known or times[line.id] > 1
    ]
    if wrong:
        raise ApiProblem(400, "The change is not valid.", errors=wrong)


def _apply(found: SourcingQuote, change: SourcingQuoteChange) -> SourcingQuote:
    body, by_id = change.wire(), {line.id: line for line in change.lines or ()}
    record = {**found.wire(), **body}
    lines = [_merge(line, by_id.get(line["id"])) for line in found.wire()["lines"]]
    record["lines"] = lines
    if record["supplierName"] != found.supplier_name:
        record.pop("companyId", None)
    if "currency" in body and not found.currency_stated:
        record["currencyStated"] = True
        record["warnings"] = [one for one in record["warnings"] if one != NO_CURRENCY]
    elif found.currency != body.get("currency", found.currency) and found.scope_id is not None:
        said = f"Its document says {found.currency}; the currency was changed by hand."
        record["warnings"] = _add(record["warnings"], said)
    for line, before in zip(lines, found.lines, strict=True):
        if before.document_line is not None and line != before.wire():
            said = f"“{before.description[:_SHOWN_TEXT]}” was changed by hand: its document says otherwise."
            record["warnings"] = _add(record["warnings"], said)
    return SourcingQuote.model_validate(record)


def _merge(line: dict[str, Any], change: ChangedQuoteLine | None) -> dict[str, Any]:
    if change is None:
        return line
    return {name: value for name, value in {**line, **change.wire()}.items() if value is not None}


def _add(warnings: list[str], said: str) -> list[str]:
    return warnings if said in warnings else [*warnings, said]
