"""The quote from what was entered into its form, or what is wrong with it."""

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any

from pydantic import ValidationError

from app.contract.sourcing import NewSourcingQuote, RequirementLine
from app.dashboard.api.form_button import CheckedForm
from app.dashboard.sourcing.form_rows import (
    get_cell_number,
    get_cell_text,
    join_row_faults,
    place_faults,
)
from components.elements.form_fields import Fields, get_amount, get_date, get_months, get_text
from components.elements.table import Row
from components.sourcing.quote_form import (
    ALTERNATE,
    BREAKS,
    BUNDLE,
    LINE,
    PAID,
    PERIOD_WORDS,
    PRICE,
    QUANTITY,
    TEXT,
    label_lines,
)

BREAKS_FAULT = "write price breaks as 50: 90; 100: 85.50, with points for decimals."
_PLACES = {"percent": "discountPercent", "fromAmount": "discountFrom"}


def validate_quote(
    fields: Fields, rows: Sequence[Row], lines: Sequence[RequirementLine]
) -> CheckedForm[NewSourcingQuote]:
    """Return the quote to send, or the faults by field. A row of the requirement without a price is a gap."""
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
    known = {line.id: line for line in lines}
    labels = label_lines(lines)
    priced = [(place, row) for place, row in enumerate(rows) if _is_priced(row)]
    wrong = [(place, fault) for place, row in priced if (fault := _find_fault(row, labels))]
    if not priced:
        faults["lines"] = "Enter at least one price."
    elif wrong:
        faults["lines"] = join_row_faults(wrong)
    if faults:
        return CheckedForm(None, faults)
    discounts = [] if percent is None else [{"fromAmount": amount, "percent": percent}]
    stated: dict[str, Any] = {
        "supplierName": get_text(fields, "supplierName"),
        "currency": get_text(fields, "currency").upper(),
        "validUntil": get_date(fields, "validUntil"),
        "leadTimeDays": get_months(fields, "leadTimeDays"),
        "paymentTermsDays": get_months(fields, "paymentTermsDays"),
        "minimumOrder": get_amount(fields, "minimumOrder"),
        "discounts": discounts or None,
        "lines": [_make_line(row, known.get(labels.get(_get_label(row), ""))) for _, row in priced],
    }
    try:
        sent = {name: value for name, value in stated.items() if value is not None}
        return CheckedForm(NewSourcingQuote.model_validate(sent), {})
    except ValidationError as refusal:
        return CheckedForm(None, rename_places(place_faults(refusal)))


def read_breaks(text: str) -> list[dict[str, Any]] | None:
    """Return the price breaks of `50: 90; 100: 85.50`; None for another form."""
    breaks: list[dict[str, Any]] = []
    for part in filter(None, re.split(r"[;\n]", text)):
        quantity, _, price = part.partition(":")
        try:
            numbers = [Decimal(quantity.strip()), Decimal(price.strip())]
        except InvalidOperation:
            return None
        if not all(number.is_finite() for number in numbers) or numbers[0] <= 0 or numbers[1] < 0:
            return None
        breaks.append({"fromQuantity": numbers[0], "unitPrice": numbers[1], "kind": "all_units"})
    return breaks


def _is_priced(row: Row) -> bool:
    """Whether the row is quoted: it has a price, or says something of its own."""
    own = any(get_cell_text(row, name) for name in (TEXT, BREAKS, BUNDLE))
    return own or row.get(PRICE) is not None


def _get_label(row: Row) -> str:
    value = row.get(LINE)
    return value if isinstance(value, str) else ""


def _find_fault(row: Row, labels: Mapping[str, str]) -> str | None:
    price, quantity = get_cell_number(row, PRICE), get_cell_number(row, QUANTITY)
    if price is None or price < 0:
        return "enter the price of a unit, 0 where it is free."
    if get_cell_text(row, PAID) not in PERIOD_WORDS:
        return "choose how often it is paid."
    if quantity is None or quantity <= 0:
        return "enter how many, more than 0."
    if _get_label(row) not in labels and not get_cell_text(row, TEXT):
        return "say what is quoted, or choose the line that it answers."
    return None if read_breaks(get_cell_text(row, BREAKS)) is not None else BREAKS_FAULT


def _make_line(row: Row, answered: RequirementLine | None) -> dict[str, Any]:
    text = get_cell_text(row, TEXT)
    line: dict[str, Any] = {
        "description": text or (answered.description if answered is not None else ""),
        "quantity": get_cell_number(row, QUANTITY),
        "unitPrice": get_cell_number(row, PRICE),
        "recurring": PERIOD_WORDS[get_cell_text(row, PAID)],
        "alternate": row.get(ALTERNATE) is True,
    }
    if answered is not None:
        line["requirementLineId"] = answered.id
    if breaks := read_breaks(get_cell_text(row, BREAKS)):
        line["breaks"] = breaks
    if bundle := get_cell_text(row, BUNDLE):
        line["bundleId"] = bundle
    return line


def rename_places(faults: Mapping[str, str]) -> Mapping[str, str]:
    """Return the faults by the names of the form's fields."""
    return {_PLACES.get(name, name): fault for name, fault in faults.items()}
