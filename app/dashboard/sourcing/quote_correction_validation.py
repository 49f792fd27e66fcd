"""The change of a quote from what was entered into its form, or what is wrong with it."""

from collections.abc import Sequence
from typing import Any

from pydantic import ValidationError

from app.contract.sourcing import SourcingQuote
from app.contract.sourcing_changes import SourcingQuoteChange
from app.dashboard.form_rows import get_cell_number, get_cell_text, join_row_faults, place_faults
from app.dashboard.kit.form import CheckedForm
from app.dashboard.sourcing.quote_fields import (
    find_breaks_fault,
    find_period_fault,
    find_price_fault,
    find_quantity_fault,
    find_term_faults,
    read_breaks,
    read_discounts,
    read_terms,
    rename_places,
)
from components.elements.form_fields import Fields
from components.elements.table import Row
from components.sourcing.quote_correction_form import make_correction_rows
from components.sourcing.quote_form import (
    BREAKS,
    BUNDLE,
    PAID,
    PERIOD_WORDS,
    PRICE,
    QUANTITY,
    TAX,
    UNIT,
)


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
