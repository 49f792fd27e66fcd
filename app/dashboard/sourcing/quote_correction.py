"""The correction of a quote that was read, and what the form amounts to."""

import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal, InvalidOperation
from typing import Any
from zlib import crc32

import streamlit as st

from app.contract.price_steps import PriceBreak
from app.contract.sourcing import Requirement, SourcingQuote
from app.contract.sourcing_changes import SourcingQuoteChange
from app.dashboard.api import queries
from app.dashboard.api.write_button import confirmed_write
from app.dashboard.deployment import Deployment
from app.dashboard.kit.form import Form
from app.dashboard.session_values import SessionValue
from components.elements.form_fields import Field, Fields, mark_required
from components.elements.line_table import LineColumn, LineTable, is_positive, make_rows
from components.formatting import escape_markdown, shorten_text
from components.sourcing.requirements import PERIOD_WORDS

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


FROM_THERE_ON = "from there on"
"""Written behind a price break that holds for the units beyond its quantity, not for all."""


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


def _write_breaks(breaks: Sequence[PriceBreak]) -> str:
    parts = (
        f"{one.from_quantity.normalize():f}: {one.unit_price.normalize():f}"
        + ("" if one.kind == "all_units" else f" {FROM_THERE_ON}")
        for one in breaks
    )
    return "; ".join(parts)


TEXT = LineColumn("description", "Quoted as", most=2_000)
QUANTITY = LineColumn(
    "quantity", "Quantity", "number", fault="enter how many, more than 0.", is_valid=is_positive
)
PRICE_COLUMNS = (
    LineColumn(
        "unitPrice",
        "Unit price",
        "number",
        fault="enter the price of a unit, 0 where it is free.",
        is_valid=lambda price: price is not None and price >= 0,
    ),
    LineColumn("recurring", "Paid", words=PERIOD_WORDS, fault="choose how often it is paid."),
    QUANTITY,
    LineColumn("unit", "Unit", most=100, help="What the quantity counts, such as pcs, kg or bag of 100."),
)
EXTRA_COLUMNS = (
    LineColumn(
        "taxPercent",
        "Tax in the price, %",
        "number",
        most=100,
        help="The rate of the tax that the price includes, which is taken out. Empty where the price is"
        " before tax.",
    ),
    LineColumn(
        "breaks",
        "Price breaks",
        help="Prices of all units from a quantity on: `50: 90; 100: 85.50`. Prices of the units beyond it"
        f" alone: `50: 90 {FROM_THERE_ON}`.",
        fault="write price breaks as 50: 90; 100: 85.50, with points for decimals, and all of them with"
        f" “{FROM_THERE_ON}” or none.",
        parse=read_breaks,
        write=_write_breaks,
    ),
    LineColumn("bundleId", "Bundle", most=100, help="Lines of one bundle have the same word here."),
)


def state_tax(line: dict[str, Any]) -> dict[str, Any]:
    """Return the line with whether its price includes a tax, where it says its rate: 0 says, as an emptied
    cell does, that the price is before tax."""
    if "taxPercent" not in line:
        return line
    rate = line["taxPercent"] or None
    return line | {"taxPercent": rate, "taxIncluded": rate and True}


def make_correction_table(key: str, quote: SourcingQuote) -> LineTable:
    """Return the table of what a quote asks, with what is on record in its rows."""
    what = replace(TEXT, width="medium", help="What the line says stays: it was matched by that.")
    columns = (what, *PRICE_COLUMNS, *EXTRA_COLUMNS)
    rows = make_rows(columns, quote.lines)
    return LineTable(key, "What the quote asks, line by line", columns, rows, corrects=True)


def make_correction_form(
    deployment: Deployment, key: str, quote: SourcingQuote, table: LineTable
) -> Form[SourcingQuoteChange]:
    """Return the form that corrects a quote, with the `table` of its lines. A term that was emptied is
    removed. The form shows one discount: several stay unless another one is entered."""

    def list_changed_lines() -> dict[str, Any]:
        changes = zip(quote.lines, table.read_lines(), strict=True)
        lines = [{"id": line.id, **state_tax(changed)} for line, changed in changes if changed]
        return {"lines": lines} if lines else {}

    return Form(
        deployment,
        key,
        SourcingQuoteChange,
        TERM_FIELDS,
        shape=shape_terms,
        check_fields=lambda values: check_terms(values) | table.find_faults(),
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
        **quote.model_dump(by_alias=True),
        "currency": quote.currency if quote.currency_stated else None,
        "discountFrom": discount and discount.from_amount,
        "discountPercent": discount and discount.percent,
    }


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
    table = make_correction_table(f"{key}/lines", quote)
    form = make_correction_form(deployment, key, quote, table)
    form.draw(columns=4)
    if quote.discounts and len(quote.discounts) > 1:
        st.caption(f"It has {len(quote.discounts)} discounts, which stay unless another one is entered.")
    table.draw(form.faults.get("lines"))
    form.draw_button(
        "Save the corrections",
        send=lambda client, change, _: client.requirements.update_quote(requirement.id, quote.id, change),
        what="Correcting the quote",
        on_success=lambda _: st.toast("The quote was corrected.", icon=":material/check:"),
        icon="save",
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
        icon="delete",
    )
