"""The correction of a quote that was read, and what the form amounts to."""

import re
from collections.abc import Callable, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any
from zlib import crc32

import streamlit as st

from app.contract.sourcing import Requirement, SourcingQuote
from app.contract.sourcing_changes import SourcingQuoteChange
from app.dashboard.api import queries
from app.dashboard.api.write_button import confirmed_write
from app.dashboard.deployment import Deployment
from app.dashboard.kit.form import Form, get_cell_number, join_row_faults
from app.dashboard.session_values import SessionValue
from components.elements.form_fields import Field, Fields, draw_fault, get_text, mark_required
from components.elements.table import Row, read_edited_rows
from components.formatting.texts import escape_markdown, shorten_text
from components.sourcing.requirements import (
    BREAKS,
    BUNDLE,
    FROM_THERE_ON,
    PAID,
    PERIOD_WORDS,
    PRICE,
    QUANTITY,
    TAX,
    UNIT,
    draw_correction_table,
    make_correction_rows,
)

TERM_FIELDS = (
    Field("supplierName", mark_required("Supplier"), "Say whose quote it is."),
    Field("currency", mark_required("Currency"), "Enter the currency of its prices, such as USD.", most=3),
    Field("validUntil", "Valid until"),
    Field("leadTimeDays", "Days until delivery"),
    Field("paymentTermsDays", "Days to pay"),
    Field("minimumOrder", "Smallest order"),
    Field(
        "discountFrom", "Discount from an order of", kind="amount", help="Before the discount is taken off."
    ),
    Field("discountPercent", "Discount in %", kind="amount", help="On everything it is awarded."),
)
"""Whose a quote is, and its terms."""
PLACES = {"percent": "discountPercent", "fromAmount": "discountFrom", "lines": "lines"}


def check_terms(values: Fields) -> dict[str, str]:
    """Return what is wrong with the discount of a quote, by field."""
    percent, amount = values["discountPercent"], values["discountFrom"]
    if percent is None and amount is not None:
        return {"discountPercent": "Enter the discount too."}
    if percent is not None and amount is None:
        return {"discountFrom": "Enter from which order on; 0 for every order."}
    return {}


def shape_terms(values: Fields) -> dict[str, Any]:
    """Return the terms by their names on the wire; None where a field is empty."""
    percent, amount = values["discountPercent"], values["discountFrom"]
    return {
        **{name: value for name, value in values.items() if not name.startswith("discount")},
        "currency": str(values["currency"] or "").upper(),
        "discounts": None if percent is None else [{"fromAmount": amount, "percent": percent}],
    }


def find_price_fault(row: Row) -> str | None:
    price = get_cell_number(row, PRICE)
    return "enter the price of a unit, 0 where it is free." if price is None or price < 0 else None


def find_quantity_fault(row: Row) -> str | None:
    quantity = get_cell_number(row, QUANTITY)
    return "enter how many, more than 0." if quantity is None or quantity <= 0 else None


def find_period_fault(row: Row) -> str | None:
    return None if get_text(row, PAID) in PERIOD_WORDS else "choose how often it is paid."


def find_breaks_fault(row: Row) -> str | None:
    written = read_breaks(get_text(row, BREAKS)) is not None
    return (
        None
        if written
        else "write price breaks as 50: 90; 100: 85.50, with points for decimals, and all of them with"
        f" “{FROM_THERE_ON}” or none."
    )


def read_breaks(text: str) -> list[dict[str, Any]] | None:
    """Return the price breaks of `50: 90; 100: 85.50`, or of `50: 90 from there on`; None for another form,
    and where both are mixed."""
    breaks: list[dict[str, Any]] = []
    parts = [part.strip() for part in re.split(r"[;\n]", text) if part.strip()]
    beyond = {part.endswith(FROM_THERE_ON) for part in parts}
    if len(beyond) > 1:
        return None
    kind = "incremental" if True in beyond else "all_units"
    for part in parts:
        quantity, _, price = part.removesuffix(FROM_THERE_ON).partition(":")
        try:
            numbers = [Decimal(quantity.strip()), Decimal(price.strip())]
        except InvalidOperation:
            return None
        if not all(number.is_finite() for number in numbers) or numbers[0] <= 0 or numbers[1] < 0:
            return None
        breaks.append({"fromQuantity": numbers[0], "unitPrice": numbers[1], "kind": kind})
    return breaks


def make_correction_form(
    deployment: Deployment, key: str, quote: SourcingQuote, read_rows: Callable[[], Sequence[Row]]
) -> Form[SourcingQuoteChange]:
    """Return the form that corrects a quote; `read_rows` gives its lines. A term that was emptied is removed.
    The form shows one discount: several stay unless another one is entered."""
    rows_before = make_correction_rows(quote)

    def check(values: Fields) -> dict[str, str]:
        wrong = [
            (place, fault)
            for place, (row, old) in enumerate(zip(read_rows(), rows_before, strict=True))
            if (fault := _find_fault(row, old))
        ]
        return {**check_terms(values), **({"lines": join_row_faults(wrong)} if wrong else {})}

    def list_changed_lines() -> dict[str, Any]:
        lines = [
            {"id": line.id, **cells}
            for line, row, old in zip(quote.lines, read_rows(), rows_before, strict=True)
            if (cells := _list_changed_cells(row, old))
        ]
        return {"lines": lines} if lines else {}

    return Form(
        deployment,
        key,
        SourcingQuoteChange,
        TERM_FIELDS,
        shape=shape_terms,
        check_fields=check,
        places=PLACES,
        tables=list_changed_lines,
        record=read_terms(quote),
        changes="quote",
    )


def read_terms(quote: SourcingQuote) -> dict[str, object]:
    """Return what the fields hold of the terms of the quote on record; of several discounts none."""
    discounts = quote.discounts or []
    discount = discounts[0] if len(discounts) == 1 else None
    return {
        "supplierName": quote.supplier_name,
        "currency": quote.currency if quote.currency_stated else None,
        "validUntil": quote.valid_until,
        "leadTimeDays": quote.lead_time_days,
        "paymentTermsDays": quote.payment_terms_days,
        "minimumOrder": None if quote.minimum_order is None else float(quote.minimum_order),
        "discountFrom": float(discount.from_amount) if discount else None,
        "discountPercent": float(discount.percent) if discount else None,
    }


def _find_fault(row: Row, before: Row) -> str | None:
    if fault := find_price_fault(row) or find_quantity_fault(row):
        return fault
    # What stands on record and is not changed may be more than the form can write.
    if get_text(row, PAID) != before[PAID] and (fault := find_period_fault(row)):
        return fault
    return find_breaks_fault(row) if get_text(row, BREAKS) != get_text(before, BREAKS) else None


def _list_changed_cells(row: Row, before: Row) -> dict[str, Any]:
    """What was changed of a line; what was emptied is removed."""
    changed: dict[str, Any] = {}
    if get_cell_number(row, PRICE) != get_cell_number(before, PRICE):
        changed["unitPrice"] = get_cell_number(row, PRICE)
    if get_cell_number(row, QUANTITY) != get_cell_number(before, QUANTITY):
        changed["quantity"] = get_cell_number(row, QUANTITY)
    if get_text(row, UNIT) != get_text(before, UNIT):
        changed["unit"] = get_text(row, UNIT) or None
    if (tax := get_cell_number(row, TAX)) != get_cell_number(before, TAX):
        # 0 says, as an emptied cell does, that the price is before tax.
        changed |= {"taxPercent": tax or None, "taxIncluded": True if tax else None}
    if get_text(row, PAID) != get_text(before, PAID):
        changed["recurring"] = PERIOD_WORDS[get_text(row, PAID)]
    if get_text(row, BREAKS) != get_text(before, BREAKS):
        changed["breaks"] = read_breaks(get_text(row, BREAKS)) or None
    if get_text(row, BUNDLE) != get_text(before, BUNDLE):
        changed["bundleId"] = get_text(row, BUNDLE) or None
    return changed


CHANGE_OPERATION = "PATCH /v1/requirements/{}/quotes/{}"
REMOVE_OPERATION = "DELETE /v1/requirements/{}/quotes/{}"
CORRECTABLE = ("ready", "needs_review")
CHOSEN = SessionValue[str | None]("correct-quote", None)
_LONGEST_NAME = 60


def draw_quote_correction(
    deployment: Deployment, requirement: Requirement, quotes: Sequence[SourcingQuote]
) -> None:
    """Draw the choice of a quote, its form and its removal, as far as the deployment has them."""
    can_change = queries.has_operation(deployment, CHANGE_OPERATION)
    can_remove = queries.has_operation(deployment, REMOVE_OPERATION)
    if not can_change and not can_remove:
        return
    names = {
        one.id: f"{number}. {shorten_text(' '.join(one.supplier_name.split()), _LONGEST_NAME)}"
        for number, one in enumerate(quotes, 1)
    }
    if CHOSEN.get() not in names:
        CHOSEN.pop()
    chosen = st.selectbox(
        "Correct or remove a quote",
        list(names),
        index=None,
        format_func=lambda ident: names[ident],
        key=CHOSEN.key,
        placeholder="Choose a quote",
        width=420,
    )
    quote = next((one for one in quotes if one.id == chosen), None)
    if quote is None:
        return
    with st.container(border=True, key="quote-correction"):
        award = requirement.award
        if award is not None and any(part.quote_id == quote.id for part in award.quotes):
            st.caption("It was awarded lines of this requirement, so it stays as it was decided on.")
            return
        if can_change and quote.status in CORRECTABLE:
            _draw_form(deployment, requirement, quote)
        if can_remove:
            _draw_removal(deployment, requirement, quote)


def _draw_form(deployment: Deployment, requirement: Requirement, quote: SourcingQuote) -> None:
    # Another form behind each change of the lines: a table of them cannot be filled again.
    lines = "".join(line.model_dump_json() for line in quote.lines)
    key = f"correct-{quote.id}-{crc32(lines.encode())}"
    rows = make_correction_rows(quote)
    form = make_correction_form(deployment, key, quote, lambda: read_edited_rows(rows, key=f"{key}/lines"))
    form.draw(columns=4)
    if quote.discounts and len(quote.discounts) > 1:
        st.caption(f"It has {len(quote.discounts)} discounts, which stay unless another one is entered.")
    draw_correction_table(rows, key=f"{key}/lines")
    draw_fault(form.faults.get("lines"))
    form.draw_button(
        "Save the corrections",
        send=lambda client, change, _: client.requirements.update_quote(requirement.id, quote.id, change),
        what="Correcting the quote",
        on_success=lambda _: st.toast("The quote was corrected.", icon=":material/check:"),
        icon=":material/save:",
        operation=CHANGE_OPERATION,
    )


def _draw_removal(deployment: Deployment, requirement: Requirement, quote: SourcingQuote) -> None:
    scope = " The quote that it was read into stays." if quote.scope_id else ""
    confirmed_write(
        deployment,
        "Remove this quote",
        f"Remove the quote of {escape_markdown(quote.supplier_name)} for good?{scope} Scenarios that were"
        " solved with it will say so.",
        confirm="Remove for good",
        name=f"remove-quote-{quote.id}",
        operation=REMOVE_OPERATION,
        what="Removing the quote",
        write=lambda client, _: client.requirements.remove_quote(requirement.id, quote.id),
        on_success=lambda _: st.toast("The quote was removed.", icon=":material/check:"),
        icon=":material/delete:",
    )
