"""Confirm every line of a quote: create the scope that follows its document, and store the quoted prices."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from decimal import Decimal
from operator import attrgetter
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection

from app.contract.scope import ConfirmDocument, ConfirmedLine, NewProductTerm, find_stated_price
from app.service.access.caller import RecordOrigin
from app.service.charges.charge import round_stated
from app.service.charges.months import MONTHS_PER_YEAR
from app.service.database.tables import product, quoted_price, scope
from app.service.database.visibility import owned_by
from app.service.http.problems import ApiProblem, InvalidField
from app.service.ids import new_id
from app.service.scopes.listing import refresh_listing
from app.service.scopes.quote import QuoteLine, follow_corrections
from app.service.scopes.quote_store import find_minimum
from app.service.scopes.scope_documents import find_document, save_supplier, select_same_quotes
from app.service.scopes.store import (
    ScopeProduct,
    StoredScope,
    find_scope,
    insert_scope,
    link_scopes,
    load_products,
)
from app.service.scopes.stored_reading import StoredLine, StoredReading, count_for_term, price_quantity
from app.service.scopes.terms import (
    StoredProductTerm,
    StoredScopeTerm,
    check_choices_made,
    check_product_term,
    find_quantity,
)
from app.service.values.currencies import list_codes

NO_PRODUCT = (
    "No line is a product, so there is nothing to estimate. Give at least one line a product of the catalog;"
    " one that is not there yet can be added first (POST /v1/catalog/entries)."
)


def confirm_document(
    connection: Connection,
    before: StoredScope,
    body: ConfirmDocument,
    *,
    follows: str,
    now: datetime,
    end_user: dict[str, str] | None,
) -> str:
    """Write the scope that is a confirmed document, and return its id. `before` is the scope whose document
    was read, and `follows` the one that was looked at: that one or a later version. The new version takes the
    place of the newest there is; what is confirmed again as it is makes none. Raises ApiProblem 400 with a
    pointer to each mistake."""
    document = find_document(connection, before.id)
    assert document is not None
    assert document.reading is not None
    reading = document.reading
    bought = [(at, line.product_term) for at, line in enumerate(body.lines) if line.product_term is not None]
    products = load_products(connection, {term.product_id for _, term in bought}, before.organisation_id)
    dimensions = {key: known.dimensions for key, known in products.items()}
    wrong = [*_check_lines(body.lines, reading)]
    for at, term in bought:
        pointer = f"/lines/{at}/productTerm"
        wrong += check_product_term(term, dimensions, [body.scope_term], pointer)
        wrong += check_choices_made(term, dimensions.get(term.product_id, ()), pointer)
    currency = body.currency or before.currency
    if currency not in list_codes():
        wrong.append(InvalidField("/currency", "must be a currency of ISO 4217"))
    if not wrong and not bought:
        wrong.append(InvalidField("/lines", NO_PRODUCT))
    priced, whole = list(body.lines), body.scope_term.term_length
    understood = reading.get("understood") or [None] * len(reading["line_items"])
    if not wrong:
        for at, term in bought:
            index = body.lines[at].index
            part = _build_term(term, reading["line_items"][index], understood[index] or {}, whole)
            first, months = part.first_month or 0, part.months or 1
            if first + months > whole:
                read = f"It was read for months {first + 1} to {first + months}, and ends after the {whole}"
                wrong.append(InvalidField(f"/lines/{at}/productTerm/months", f"{read} months of the term."))
            try:
                priced[at] = _add_price(body.lines[at], before, reading, products, whole, currency)
            except ValueError as problem:
                wrong.append(InvalidField(f"/lines/{at}/productTerm", str(problem)))
    if wrong:
        raise ApiProblem(400, "The document cannot be confirmed like this.", errors=wrong)
    if body.supplier_name is not None:
        save_supplier(connection, document, reading, body.supplier_name)
    # In the document's order, as a scope has its products.
    lines = sorted(priced, key=lambda line: line.index)
    terms = [
        _build_term(
            line.product_term,
            reading["line_items"][line.index],
            understood[line.index] or {},
            whole,
        )
        for line in lines
        if line.product_term is not None
    ]
    quote_lines = _build_quote_lines(lines, reading, before, whole)
    minimum = find_minimum(reading, whole, currency)
    scope_terms = [_add_total(StoredScopeTerm.from_request(body.scope_term), before, quote_lines, minimum)]
    newest = _find_newest_version(connection, before)
    confirmed = (currency, scope_terms, terms, quote_lines)
    parts = attrgetter("currency", "scope_terms", "product_terms", "quote_lines")
    if newest is not None and confirmed == parts(newest):
        refresh_listing(connection, newest.id)
        return newest.id
    scope_id = insert_scope(
        connection,
        RecordOrigin(before.organisation_id, now, before.sample, end_user),
        source="manual",
        currency=currency,
        scope_terms=scope_terms,
        product_terms=terms,
        document_scope_id=before.id,
        quote_lines=quote_lines,
    )
    follows = newest.id if newest is not None else follows
    link_scopes(connection, before.organisation_id, follows, scope_id)
    months = None if body.scope_term.term_assumed else whole
    _save_quoted_prices(connection, before, scope_id, currency, reading, months, terms, quote_lines, now)
    return scope_id


def _add_price(
    line: ConfirmedLine,
    before: StoredScope,
    reading: StoredReading,
    products: Mapping[str, ScopeProduct],
    whole: int,
    currency: str,
) -> ConfirmedLine:
    """The line with the price of what is bought, where none is stated: that for the confirmed term, or of
    its quantity, where its document states only that of a unit. Raises ValueError where it states none for
    this quantity."""
    term, item = line.product_term, reading["line_items"][line.index]
    if term is None or find_stated_price(term) is not None:
        return line
    understood = reading.get("understood")
    meant: Mapping[str, Any] = (understood[line.index] if understood else None) or {}
    stored = StoredProductTerm.from_request(term)
    quantity = find_quantity(stored, products[term.product_id].quantity_dimension_id)
    months = stored.own_months or meant.get("months")
    price = _count_for_term(line.index, before, reading, whole)
    if item.get("amount") is None and quantity is not None and item.get("unit_price") is not None:
        price = price_quantity(
            reading["line_items"],
            line.index,
            quantity,
            recurring=meant.get("recurring"),
            months=months or whole,
        )
    if price is None or price < 0:
        return line
    return line.model_copy(
        update={"product_term": term.model_copy(update={"final_price": round_stated(price, currency)})}
    )


def _count_for_term(index: int, before: StoredScope, reading: StoredReading, whole: int) -> Decimal | None:
    """What a line costs for the confirmed term: as it was read, but where that was for another term and the
    document states a price of a month or year. None where no amount was read for it."""
    line = next((one for one in before.quote_lines or () if one.index == index), None)
    if line is None or line.amount is None or not line.recurring or whole == before.months:
        return None if line is None else line.amount
    return count_for_term(reading["line_items"][index], line.amount, before.months, whole)


def _find_newest_version(connection: Connection, before: StoredScope) -> StoredScope | None:
    """Return the version of what was read that no other follows; None where it was never confirmed."""
    newest = connection.scalar(
        sa.select(scope.c.id)
        .where(
            scope.c.organisation_id == before.organisation_id,
            scope.c.document_scope_id == before.id,
            scope.c.id != before.id,
            scope.c.next_scope_id.is_(None),
        )
        .order_by(scope.c.created_on.desc(), scope.c.id.desc())
        .limit(1)
        .with_for_update()
    )
    return None if newest is None else find_scope(connection, before.organisation_id, newest)


def _build_term(
    term: NewProductTerm, item: StoredLine, meant: Mapping[str, Any], whole: int
) -> StoredProductTerm:
    """The term of a line, for the part of the whole term that the line was read for unless it states one."""
    first, months = item.get("first_month"), None
    if first is not None and item.get("period_months") is not None:
        months = MONTHS_PER_YEAR  # of a document that was read when lines were known by their year alone
    built = StoredProductTerm.from_request(term)
    built = built.with_own_months(meant.get("months", months), meant.get("firstMonth", first))
    return replace(built, months=None, first_month=None) if built.months == whole else built


def _check_lines(lines: Sequence[ConfirmedLine], reading: StoredReading) -> Iterator[InvalidField]:
    """Check that every line of the document is there once, with a product term where it is a product."""
    count = len(reading["line_items"])
    seen: set[int] = set()
    for at, line in enumerate(lines):
        if line.index >= count:
            yield InvalidField(f"/lines/{at}/index", f"The document has {count} lines, counted from 0.")
        elif line.index in seen:
            yield InvalidField(f"/lines/{at}/index", "This line appears twice.")
        seen.add(line.index)
        if line.role == "product" and line.product_term is None:
            yield InvalidField(
                f"/lines/{at}/productTerm",
                "A line that is a product needs its product and quantity; else confirm it as not_product or"
                " left_aside.",
            )
        elif line.role != "product" and line.product_term is not None:
            yield InvalidField(f"/lines/{at}/productTerm", "Only a line whose role is product has one.")
    for index in range(count):
        if index not in seen:
            described = reading["line_items"][index].get("description") or f"number {index + 1}"
            yield InvalidField("/lines", f"The line {described} (index {index}) is missing.")


def _add_total(
    term: StoredScopeTerm, before: StoredScope, lines: Sequence[QuoteLine], minimum: Decimal | None
) -> StoredScopeTerm:
    """Add the quote's total where the request states no other: lines that are left aside are part of it."""
    read = before.stated_total
    if find_stated_price(term) not in {None, read}:
        return term
    return replace(term, final_price=follow_corrections(read, before.quote_lines, lines, minimum))


def _build_quote_lines(
    lines: Sequence[ConfirmedLine], reading: StoredReading, before: StoredScope, whole: int
) -> list[QuoteLine]:
    """Return the lines of the quote as confirmed. An optional line counts only if it is bought."""
    known = {line.index: line for line in before.quote_lines or ()}
    understood = reading.get("understood") or [None] * len(reading["line_items"])
    quote_lines: list[QuoteLine] = []
    terms = 0
    for line in lines:
        item = reading["line_items"][line.index]
        meant = understood[line.index] or {}
        earlier = known.get(line.index)
        is_step = item.get("from_quantity") is not None and item.get("amount") is None
        if line.product_term is None and (earlier is None or is_step):
            continue  # it is in no total, and costs nothing by itself
        recurring = earlier.recurring if earlier else meant.get("recurring")
        # What is in no total of the quote may still be priced by the month or year.
        read = None if item.get("tax_included") else item.get("amount")
        amount = (
            _count_for_term(line.index, before, reading, whole)
            if earlier
            else meant.get("termAmount") or read
        )
        price = find_stated_price(line.product_term) if line.product_term is not None else None
        quote_lines.append(
            QuoteLine(
                index=line.index,
                description=item.get("description") or f"Line {line.index + 1}",
                role=line.role,
                amount=price if price is not None else None if amount is None else Decimal(str(amount)),
                recurring=recurring,
                term=terms if line.product_term is not None else None,
                amount_with_tax=earlier.amount_with_tax if earlier and price is None else None,
            )
        )
        terms += line.product_term is not None
    return quote_lines


def _save_quoted_prices(
    connection: Connection,
    before: StoredScope,
    scope_id: str,
    currency: str,
    reading: StoredReading,
    months: int | None,
    terms: Sequence[StoredProductTerm],
    lines: Sequence[QuoteLine],
    now: datetime,
) -> None:
    """Store the quoted price of each product. The same quote, confirmed again or uploaded again, is the same
    evidence, so its earlier prices are replaced. `months` is None where nobody has said the term."""
    same = select_same_quotes(before.organisation_id, before.id)
    of_quote = sa.select(scope.c.id).where(
        scope.c.organisation_id == before.organisation_id, scope.c.document_scope_id.in_(same)
    )
    connection.execute(
        quoted_price.delete().where(
            owned_by(quoted_price.c, before.organisation_id), quoted_price.c.scope_id.in_(of_quote)
        )
    )
    bought = product.c.id.in_({term.product_id for term in terms})
    counted: dict[str, str | None] = dict(
        connection.execute(sa.select(product.c.id, product.c.quantity_dimension_id).where(bought)).all()
    )
    quoted_on = reading.get("document_date")
    rows = [
        {
            "id": new_id(),
            "organisation_id": before.organisation_id,
            "scope_id": scope_id,
            "line": line.index,
            "product_id": term.product_id,
            "quoted_on": date.fromisoformat(quoted_on) if quoted_on else now.date(),
            "currency": currency,
            "quantity": float(quantity),
            "term_months": None if line.recurring is False else term.own_months or months,
            "amount": float(line.amount),
            "pricing_dimensions": [one.to_record() for one in term.dimensions],
        }
        for line in lines
        if line.term is not None and line.amount is not None and line.amount > 0
        for term in [terms[line.term]]
        # A price for an unknown number of units is no evidence.
        if (quantity := find_quantity(term, counted.get(term.product_id))) is not None
    ]
    if rows:
        connection.execute(quoted_price.insert(), rows)
