"""What the form of a quote and that of its correction share: the terms and the cells, and what is wrong with
them."""

import re
from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from typing import Any

from app.dashboard.form_rows import get_cell_number, get_cell_text
from components.elements.form_fields import Fields, get_amount, get_date, get_months, get_text
from components.elements.table import Row
from components.sourcing.quote_form import BREAKS, FROM_THERE_ON, PAID, PERIOD_WORDS, PRICE, QUANTITY

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
