"""The correction of a quote that was read, and what the form amounts to."""

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any
from zlib import crc32

import streamlit as st
from pydantic import ValidationError

from app.client import ScopedClient
from app.contract.sourcing import Requirement, SourcingQuote
from app.contract.sourcing_changes import RemovedQuote, SourcingQuoteChange
from app.dashboard.api import queries
from app.dashboard.api.write_button import write_button
from app.dashboard.deployment import Deployment
from app.dashboard.kit.form import CheckedForm, form_button
from app.dashboard.kit.rows import get_cell_number, get_cell_text, join_row_faults, place_faults
from app.dashboard.record_change import begin_change, end_change
from app.dashboard.session_values import SessionValue, form_faults
from components.elements.form_fields import Fields, get_amount, get_date, get_months, get_text
from components.elements.table import Row
from components.formatting.texts import escape_markdown, shorten_text
from components.sourcing.quote_form import (
    BREAKS,
    BUNDLE,
    FIELDS,
    FROM_THERE_ON,
    PAID,
    PERIOD_WORDS,
    PRICE,
    QUANTITY,
    TAX,
    UNIT,
    draw_correction_form,
    make_correction_rows,
    read_correction_form,
    read_values,
)

_PLACES = {"percent": "discountPercent", "fromAmount": "discountFrom"}


def find_term_faults(fields: Fields) -> dict[str, str]:
    """Return what is wrong with the terms of a quote, by field."""
    faults: dict[str, str] = {}
    if not get_text(fields, "supplierName"):
        faults["supplierName"] = "Say whose quote it is."
    if not get_text(fields, "currency"):
        faults["currency"] = "Enter the currency of its prices, such as USD."
    percent, amount = get_amount(fields, "discountPercent"), get_amount(fields, "discountFrom")
    if percent is None and amount is not None:
        faults["discountPercent"] = "Enter the discount too."
    if percent is not None and amount is None:
        faults["discountFrom"] = "Enter from which order on; 0 for every order."
    return faults


def read_terms(fields: Fields) -> dict[str, Any]:
    """Return the terms by their names on the wire, but for discounts; None where a field is empty."""
    return {
        "supplierName": get_text(fields, "supplierName"),
        "currency": get_text(fields, "currency").upper(),
        "validUntil": get_date(fields, "validUntil"),
        "leadTimeDays": get_months(fields, "leadTimeDays"),
        "paymentTermsDays": get_months(fields, "paymentTermsDays"),
        "minimumOrder": get_amount(fields, "minimumOrder"),
    }


def read_discounts(fields: Fields) -> list[tuple[Decimal | None, Decimal]]:
    """Return the discount of the form: from which amount on, and per cent."""
    percent = get_amount(fields, "discountPercent")
    return [] if percent is None else [(get_amount(fields, "discountFrom"), percent)]


def find_price_fault(row: Row) -> str | None:
    price = get_cell_number(row, PRICE)
    return "enter the price of a unit, 0 where it is free." if price is None or price < 0 else None


def find_quantity_fault(row: Row) -> str | None:
    quantity = get_cell_number(row, QUANTITY)
    return "enter how many, more than 0." if quantity is None or quantity <= 0 else None


def find_period_fault(row: Row) -> str | None:
    return None if get_cell_text(row, PAID) in PERIOD_WORDS else "choose how often it is paid."


def find_breaks_fault(row: Row) -> str | None:
    written = read_breaks(get_cell_text(row, BREAKS)) is not None
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


def rename_places(faults: Mapping[str, str]) -> Mapping[str, str]:
    """Return the faults by the names of the form's fields."""
    return {_PLACES.get(name, name): fault for name, fault in faults.items()}


def validate_correction(
    fields: Fields, rows: Sequence[Row], quote: SourcingQuote
) -> CheckedForm[SourcingQuoteChange]:
    """Return what was changed, or the faults by field. A term that was emptied is removed."""
    faults = find_term_faults(fields)
    before = make_correction_rows(quote)
    wrong = [
        (place, fault)
        for place, (row, old) in enumerate(zip(rows, before, strict=True))
        if (fault := _find_fault(row, old))
    ]
    if wrong:
        faults["lines"] = join_row_faults(wrong)
    if faults:
        return CheckedForm(None, faults)
    changed = _list_changed_terms(fields, quote)
    lines = [
        {"id": line.id, **cells}
        for line, row, old in zip(quote.lines, rows, before, strict=True)
        if (cells := _list_changed_cells(row, old))
    ]
    if lines:
        changed["lines"] = lines
    if not changed:
        return CheckedForm(None, {"": "Nothing was changed."})
    try:
        return CheckedForm(SourcingQuoteChange.model_validate(changed), {})
    except ValidationError as refusal:
        return CheckedForm(None, rename_places(place_faults(refusal)))


def _list_changed_terms(fields: Fields, quote: SourcingQuote) -> dict[str, Any]:
    before = {
        "supplierName": quote.supplier_name,
        "currency": quote.currency,
        "validUntil": quote.valid_until,
        "leadTimeDays": quote.lead_time_days,
        "paymentTermsDays": quote.payment_terms_days,
        "minimumOrder": quote.minimum_order,
    }
    changed = {name: value for name, value in read_terms(fields).items() if value != before[name]}
    discounts = read_discounts(fields)
    on_record = [(one.from_amount, one.percent) for one in quote.discounts or ()]
    # The form shows one discount: several stay unless another one is entered.
    if discounts != on_record and (discounts or len(on_record) == 1):
        changed["discounts"] = [{"fromAmount": start, "percent": off} for start, off in discounts] or None
    return changed


def _find_fault(row: Row, before: Row) -> str | None:
    if fault := find_price_fault(row) or find_quantity_fault(row):
        return fault
    # What stands on record and is not changed may be more than the form can write.
    if get_cell_text(row, PAID) != before[PAID] and (fault := find_period_fault(row)):
        return fault
    return find_breaks_fault(row) if get_cell_text(row, BREAKS) != get_cell_text(before, BREAKS) else None


def _list_changed_cells(row: Row, before: Row) -> dict[str, Any]:
    """What was changed of a line; what was emptied is removed."""
    changed: dict[str, Any] = {}
    if get_cell_number(row, PRICE) != get_cell_number(before, PRICE):
        changed["unitPrice"] = get_cell_number(row, PRICE)
    if get_cell_number(row, QUANTITY) != get_cell_number(before, QUANTITY):
        changed["quantity"] = get_cell_number(row, QUANTITY)
    if get_cell_text(row, UNIT) != get_cell_text(before, UNIT):
        changed["unit"] = get_cell_text(row, UNIT) or None
    if (tax := get_cell_number(row, TAX)) != get_cell_number(before, TAX):
        # 0 says, as an emptied cell does, that the price is before tax.
        changed |= {"taxPercent": tax or None, "taxIncluded": True if tax else None}
    if get_cell_text(row, PAID) != get_cell_text(before, PAID):
        changed["recurring"] = PERIOD_WORDS[get_cell_text(row, PAID)]
    if get_cell_text(row, BREAKS) != get_cell_text(before, BREAKS):
        changed["breaks"] = read_breaks(get_cell_text(row, BREAKS)) or None
    if get_cell_text(row, BUNDLE) != get_cell_text(before, BUNDLE):
        changed["bundleId"] = get_cell_text(row, BUNDLE) or None
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
    form = f"correct-{quote.id}-{crc32(lines.encode())}"
    faults = form_faults(form).get()
    begun = begin_change(form, quote, values_of=read_values, what="quote")

    def send(client: ScopedClient, change: SourcingQuoteChange, _: str) -> SourcingQuote:
        return client.requirements.update_quote(requirement.id, quote.id, change)

    def finish(_: SourcingQuote) -> None:
        end_change(form, FIELDS)
        st.toast("The quote was corrected.", icon=":material/check:")

    draw_correction_form(begun, key=form, faults=faults)
    if faults.get(""):
        st.caption(faults[""])
    form_button(
        deployment,
        "Save the corrections",
        form=form,
        check=lambda: validate_correction(*read_correction_form(begun, key=form), begun),
        send=send,
        what="Correcting the quote",
        on_success=finish,
        icon=":material/save:",
        operation=CHANGE_OPERATION,
    )


def _draw_removal(deployment: Deployment, requirement: Requirement, quote: SourcingQuote) -> None:
    def remove(client: ScopedClient, _: str) -> RemovedQuote:
        return client.requirements.remove_quote(requirement.id, quote.id)

    def finish(_: RemovedQuote) -> None:
        st.toast("The quote was removed.", icon=":material/check:")

    with st.popover("Remove this quote", icon=":material/delete:", key="remove-quote"):
        scope = " The quote that it was read into stays." if quote.scope_id else ""
        st.markdown(
            f"Remove the quote of {escape_markdown(quote.supplier_name)} for good?{scope} Scenarios that were"
            " solved with it will say so."
        )
        write_button(
            deployment,
            "Remove for good",
            name=f"remove-quote-{quote.id}",
            operation=REMOVE_OPERATION,
            what="Removing the quote",
            write=remove,
            on_success=finish,
            type="primary",
        )
