"""Quotes that answer a requirement: by hand, or from the scope that was made of one."""

from collections.abc import Mapping, Sequence
from datetime import datetime
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
from app.service.database.tables import company
from app.service.database.visibility import visible_to
from app.service.http.problems import ApiProblem, InvalidField, bad_request
from app.service.ids import new_id
from app.service.scopes.quote import NO_CURRENCY
from app.service.scopes.quote_store import load_quote
from app.service.scopes.scope_documents import find_document_behind
from app.service.scopes.store import find_scope, load_products
from app.service.sourcing.alignment import ComparedLine, align_lines
from app.service.sourcing.remembered_alignment import RememberedLine, recall_alignment
from app.service.sourcing.scope_lines import (
    QuotedScope,
    ScopeLine,
    find_discount,
    quote_lines,
    read_scope,
    warn_of_quote,
)
from app.service.sourcing.store import insert_quote, list_quotes, update_quote

NOTHING: Mapping[int, str] = {}


def add_quote(
    connection: Connection,
    organisation_id: str,
    requirement: Requirement,
    body: NewSourcingQuote,
    now: datetime,
    *,
    quoted: QuotedScope | None = None,
    answered: Mapping[int, str] = NOTHING,
) -> SourcingQuote:
    """Write a quote and return it, its lines aligned. `quoted` is its scope where that was loaded before,
    `answered` the line of the requirement that a line of the scope answers, by the place of this one. Raises
    ApiProblem 400, which names each place, and 409 where the requirement has as many quotes as it may, or the
    scope's document is still being read."""
    require_room_for_quote(requirement)
    places: Sequence[ScopeLine | None] = [None] * len(body.lines or ())
    warnings: Sequence[str] = ()
    if body.scope_id is not None:
        quoted = quoted or load_scope(connection, organisation_id, body.scope_id)
        body, places, warnings = _take_from_scope(quoted, body, requirement, answered)
    supplier_name = _check(connection, organisation_id, requirement, body)
    lines = body.lines or ()
    said = [line.description for line in lines]
    remembered = recall_alignment(connection, organisation_id, requirement, supplier_name, said)
    quote = SourcingQuote.model_validate(
        {
            **body.wire(),
            "id": new_id(),
            "requirementId": requirement.id,
            "supplierName": supplier_name,
            "currencyStated": quoted is None or quoted.states_currency,
            "warnings": warnings,
            "lines": align_quote(requirement, lines, places, remembered),
            "createdAt": now,
        }
    )
    quote = review_quote(quote)
    insert_quote(connection, quote)
    return quote


def require_room_for_quote(requirement: Requirement) -> None:
    """Raise ApiProblem 409 where a requirement has as many quotes as it may."""
    if requirement.quote_count >= MAX_QUOTES:
        raise ApiProblem(409, f"The requirement has {MAX_QUOTES} quotes, and may have no more.")


def align_quote(
    requirement: Requirement,
    lines: Sequence[NewSourcingQuoteLine],
    places: Sequence[ScopeLine | None],
    remembered: Mapping[int, RememberedLine],
) -> list[SourcingQuoteLine]:
    """Return the lines with what they answer; what the caller named is confirmed, and what a person decided
    before of the same wording is proposed. `places` run parallel to the lines: where each stands in a
    document; `remembered` are by the place of the line."""
    needed = [ComparedLine(line.description, line.quantity) for line in requirement.lines]
    remembered = {at: one for at, one in remembered.items() if lines[at].requirement_line_id is None}
    open_lines = [
        line for at, line in enumerate(lines) if line.requirement_line_id is None and at not in remembered
    ]
    taken = {one.place for one in remembered.values() if not one.alternate}
    compared = [ComparedLine(one.description, one.quantity) for one in open_lines]
    found = iter(align_lines(needed, compared, taken))
    aligned: list[SourcingQuoteLine] = []
    for at, (line, place) in enumerate(zip(lines, places, strict=True)):
        state: dict[str, Any] = {"alignment": "confirmed"}
        if before := remembered.get(at):
            state = {
                "alignment": "proposed",
                "requirementLineId": requirement.lines[before.place].id,
                "alternate": before.alternate,
                "alignmentReason": before.reason,
            }
        elif line.requirement_line_id is None:
            match = next(found)
            state = {"alignment": "none"}
            if match is not None:
                state = {
                    "alignment": "doubtful" if match.doubtful else "proposed",
                    "requirementLineId": requirement.lines[match.place].id,
                    "confidence": round(min(1.0, match.score), 3),
                }
        if place is not None:
            state |= {"documentLine": place.index, "page": place.page, "box": place.box}
        aligned.append(SourcingQuoteLine.model_validate({**line.wire(), "id": new_id(), **state}))
    return aligned


def review_quote(quote: SourcingQuote) -> SourcingQuote:
    """Return a quote that was read with what a person must still say of it."""
    doubtful = sum(line.alignment == "doubtful" for line in quote.lines)
    reason = None
    if doubtful:
        reason = f"{doubtful} of its lines may answer another line than the one proposed, or none."
    elif not quote.currency_stated:
        reason = NO_CURRENCY
    elif not any(line.requirement_line_id for line in quote.lines):
        reason = "None of its lines answers a line of the requirement."
    return quote.model_copy(update={"status": "needs_review" if reason else "ready", "reason": reason})


def require_not_awarded(requirement: Requirement, quote: SourcingQuote) -> None:
    """Raise ApiProblem 409 where a quote was awarded something."""
    award = requirement.award
    if award is not None and any(part.quote_id == quote.id for part in award.quotes):
        raise ApiProblem(
            409, f"{quote.supplier_name} was awarded lines of this quote, so it stays as it was decided on."
        )


def confirm_alignment(
    connection: Connection, requirement: Requirement, decided: Sequence[AlignedLine]
) -> list[SourcingQuote]:
    """Store what a person decided and return all quotes. Raises ApiProblem 400, which names each place, and
    409 where it would change a quote that was awarded something."""
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
            require_not_awarded(requirement, quote)
            quote = review_quote(quote.model_copy(update={"lines": changed}))
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
            "alignment_reason": None,
        }
    )


def _check(
    connection: Connection, organisation_id: str, requirement: Requirement, body: NewSourcingQuote
) -> str:
    """Return the supplier's name."""
    wrong: list[InvalidField] = []
    name = check_supplier(connection, organisation_id, body)
    if name is None:
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


def check_supplier(connection: Connection, organisation_id: str, body: NewSourcingQuote) -> str | None:
    """Return the supplier's name where one is named. Raises ApiProblem 400 for a company that the
    organisation does not see."""
    if body.company_id is None:
        return body.supplier_name
    query = sa.select(company.c.name).where(
        company.c.id == body.company_id, visible_to(company.c, organisation_id)
    )
    name = connection.scalar(query)
    if name is None:
        raise bad_request("/companyId", "There is no such company.")
    return name


def load_scope(connection: Connection, organisation_id: str, scope_id: str) -> QuotedScope:
    """Return what a scope says as a quote. Raises ApiProblem 400 where there is no such scope or its document
    could not be read, 409 where it is still being read."""
    scope = find_scope(connection, organisation_id, scope_id)
    if scope is None:
        raise bad_request("/scopeId", "There is no such scope.")
    if scope.is_being_read:
        raise ApiProblem(409, "The document of this scope is still being read: ask again when it is.")
    if scope.document is not None and not scope.is_complete:
        raise bad_request("/scopeId", f"Its document could not be read: {scope.document.error or 'unknown'}")
    document = find_document_behind(connection, scope.id)
    products = load_products(connection, scope.product_ids, organisation_id)
    quote = load_quote(connection, scope)
    total = scope.stated_total if quote is None else quote.total
    return read_scope(scope, document.reading if document is not None else None, products, total)


def _take_from_scope(
    quoted: QuotedScope, body: NewSourcingQuote, requirement: Requirement, answered: Mapping[int, str]
) -> tuple[NewSourcingQuote, list[ScopeLine], list[str]]:
    """The quote of a scope: its supplier and currency, and its lines with what they cost."""
    priced = quote_lines(quoted, requirement.term_months)
    if not priced:
        raise bad_request("/scopeId", "No line of this scope states an amount.")
    discount = find_discount(quoted, requirement.term_months)
    update = {
        "discounts": [discount] if body.discounts is None and discount is not None else body.discounts,
        "company_id": body.company_id or quoted.company_id,
        "supplier_name": body.supplier_name or quoted.supplier_name,
        "currency": quoted.currency,
        "valid_until": body.valid_until or quoted.valid_until,
        "payment_terms_days": quoted.payment_terms_days
        if body.payment_terms_days is None
        else body.payment_terms_days,
        "lines": [
            line.model_copy(update={"requirement_line_id": answered.get(place.place)})
            for place, line in priced
        ],
    }
    warnings = [*quoted.warnings, *warn_of_quote(quoted, requirement.term_months)]
    return body.model_copy(update=update), [place for place, _ in priced], warnings
