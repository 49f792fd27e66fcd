"""Corrections of quotes, and the removal of wrong ones; what was awarded stays as it was awarded."""

from collections import Counter
from typing import Any

from sqlalchemy import Connection

from app.contract.sourcing import Requirement, SourcingQuote
from app.contract.sourcing_changes import ChangedQuoteLine, SourcingQuoteChange
from app.service.http.problems import ApiProblem, InvalidField, not_found
from app.service.sourcing.quotes import review_quote
from app.service.sourcing.remembered_alignment import forget_alignment
from app.service.sourcing.store import delete_quote, list_quotes, update_quote

_SHOWN_TEXT = 60


def change_quote(
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
    if change.lines:
        changed = review_quote(changed)
    update_quote(connection, changed)
    return changed


def remove_quote(connection: Connection, requirement: Requirement, quote_id: str) -> None:
    """Delete a quote; the scope that it was taken from stays. Raises ApiProblem 404, and 409 where the quote
    was awarded something."""
    found = _find_changeable(connection, requirement, quote_id)
    forget_alignment(connection, [found.id])
    delete_quote(connection, found.id)


def _find_changeable(connection: Connection, requirement: Requirement, quote_id: str) -> SourcingQuote:
    found = next((one for one in list_quotes(connection, requirement.id) if one.id == quote_id), None)
    if found is None:
        raise not_found("quote")
    award = requirement.award
    if award is not None and any(part.quote_id == quote_id for part in award.quotes):
        raise ApiProblem(
            409, f"{found.supplier_name} was awarded lines of this quote, so it stays as it was decided on."
        )
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
    if found.currency != body.get("currency", found.currency) and found.scope_id is not None:
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
