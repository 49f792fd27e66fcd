"""Quotes that answer a requirement: by hand, or from the scope that was made of one."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection

from app.contract.sourcing import (
    MAX_QUOTES,
    AlignedLine,
    NewSourcingQuote,
    NewSourcingQuoteLine,
    Requirement,
    SourcingQuote,
    SourcingQuoteLine,
)
from app.service.database.tables.catalog import company
from app.service.database.visibility import visible_to
from app.service.http.problems import ApiProblem, InvalidField, bad_request
from app.service.ids import new_id
from app.service.scopes.quote import QuoteLine
from app.service.scopes.scope_documents import find_document_behind
from app.service.scopes.store import find_scope
from app.service.sourcing.alignment import ComparedLine, align_lines
from app.service.sourcing.store import insert_quote, list_quotes, update_quote


def add_quote(
    connection: Connection,
    organisation_id: str,
    requirement: Requirement,
    body: NewSourcingQuote,
    now: datetime,
) -> SourcingQuote:
    """Write a quote and return it, its lines aligned. Raises ApiProblem 400, which names each place, and 409
    where the requirement has as many quotes as it may."""
    if requirement.quote_count >= MAX_QUOTES:
        raise ApiProblem(409, f"The requirement has {MAX_QUOTES} quotes, and may have no more.")
    if body.scope_id is not None:
        body = _take_from_scope(connection, organisation_id, body)
    supplier_name = _check(connection, organisation_id, requirement, body)
    quote = SourcingQuote.model_validate(
        {
            **body.wire(),
            "id": new_id(),
            "requirementId": requirement.id,
            "supplierName": supplier_name,
            "lines": align_quote(requirement, body.lines or ()),
            "createdAt": now,
        }
    )
    insert_quote(connection, quote)
    return quote


def align_quote(requirement: Requirement, lines: Sequence[NewSourcingQuoteLine]) -> list[SourcingQuoteLine]:
    """Return the lines with what they answer; what the caller named is confirmed."""
    needed = [ComparedLine(line.description, line.quantity) for line in requirement.lines]
    open_lines = [line for line in lines if line.requirement_line_id is None]
    found = iter(align_lines(needed, [ComparedLine(one.description, one.quantity) for one in open_lines]))
    aligned: list[SourcingQuoteLine] = []
    for line in lines:
        state: dict[str, Any] = {"alignment": "confirmed"}
        if line.requirement_line_id is None:
            match = next(found)
            state = {"alignment": "none"}
            if match is not None:
                state = {
                    "alignment": "doubtful" if match.doubtful else "proposed",
                    "requirementLineId": requirement.lines[match.place].id,
                    "confidence": round(min(1.0, match.score), 3),
                }
        aligned.append(SourcingQuoteLine.model_validate({**line.wire(), "id": new_id(), **state}))
    return aligned


def confirm_alignment(
    connection: Connection, requirement: Requirement, decided: Sequence[AlignedLine]
) -> list[SourcingQuote]:
    """Store what a person decided and return all quotes. Raises ApiProblem 400, which names each place."""
    quotes = list_quotes(connection, requirement.id)
    lines = {line.id for line in requirement.lines}
    quoted = {line.id for quote in quotes for line in quote.lines}
    wrong = [
        InvalidField(f"/lines/{place}/{name}", f"There is no such line of the {where}.")
        for place, one in enumerate(decided)
        for name, where, missing in (
            ("quoteLineId", "quotes", one.quote_line_id not in quoted),
            (
                "requirementLineId",
                "requirement",
                one.requirement_line_id is not None and one.requirement_line_id not in lines,
            ),
        )
        if missing
    ]
    if wrong:
        raise ApiProblem(400, "The alignment is not valid.", errors=wrong)
    by_line = {one.quote_line_id: one for one in decided}
    result: list[SourcingQuote] = []
    for quote in quotes:
        changed = [_decide(line, by_line.get(line.id)) for line in quote.lines]
        if changed != quote.lines:
            quote = quote.model_copy(update={"lines": changed})
            update_quote(connection, quote)
        result.append(quote)
    return result


def _decide(line: SourcingQuoteLine, one: AlignedLine | None) -> SourcingQuoteLine:
    if one is None:
        return line
    return line.model_copy(
        update={
            "requirement_line_id": one.requirement_line_id,
            "alternate": one.alternate,
            "alignment": "confirmed",
            "confidence": None,
        }
    )


def _check(
    connection: Connection, organisation_id: str, requirement: Requirement, body: NewSourcingQuote
) -> str:
    """Return the supplier's name."""
    wrong: list[InvalidField] = []
    name = body.supplier_name
    if body.company_id is not None:
        query = sa.select(company.c.name).where(
            company.c.id == body.company_id, visible_to(company.c, organisation_id)
        )
        name = connection.scalar(query)
        if name is None:
            wrong.append(InvalidField("/companyId", "There is no such company."))
    elif name is None:
        wrong.append(InvalidField("/supplierName", "Say whose quote it is: supplierName or companyId."))
    if body.currency is None:
        wrong.append(InvalidField("/currency", "Say in which currency it is."))
    if not body.lines:
        wrong.append(InvalidField("/lines", "A quote has at least one line."))
    lines = {line.id for line in requirement.lines}
    wrong += [
        InvalidField(f"/lines/{place}/requirementLineId", "There is no such line of the requirement.")
        for place, line in enumerate(body.lines or ())
        if line.requirement_line_id is not None and line.requirement_line_id not in lines
    ]
    if wrong:
        raise ApiProblem(400, "The quote is not valid.", errors=wrong)
    return name or ""


def _take_from_scope(
    connection: Connection, organisation_id: str, body: NewSourcingQuote
) -> NewSourcingQuote:
    """The quote of a scope: its supplier and currency, and its lines with what they cost in the whole
    term."""
    scope = find_scope(connection, organisation_id, body.scope_id or "")
    if scope is None:
        raise bad_request("/scopeId", "There is no such scope.")
    document = find_document_behind(connection, scope.id)
    items = ((document.reading if document is not None else None) or {}).get("line_items") or ()
    lines = [
        _take_line(line, line.amount, items[line.index] if line.index < len(items) else {})
        for line in scope.quote_lines or ()
        if line.amount is not None and line.amount >= 0
    ]
    if not lines:
        raise bad_request("/scopeId", "No line of this scope states an amount.")
    return body.model_copy(
        update={
            "company_id": body.company_id or scope.company_id,
            "supplier_name": body.supplier_name or scope.supplier_name,
            "currency": scope.currency,
            "lines": lines,
        }
    )


def _take_line(line: QuoteLine, amount: Decimal, item: Mapping[str, Any]) -> NewSourcingQuoteLine:
    """A line with the price of a unit for the whole term."""
    stated = item.get("quantity")
    quantity = Decimal(str(stated)) if stated and stated > 0 else Decimal(1)
    return NewSourcingQuoteLine(
        description=line.description[:2_000] or "A line without a text",
        quantity=quantity,
        unit_price=amount / quantity,
        recurring="once" if line.recurring is False else "term",
    )
