"""The quote from what was entered into its form, or what is wrong with it."""

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from app.contract.sourcing import NewSourcingQuote, RequirementLine
from app.dashboard.form_rows import (
    get_cell_number,
    get_cell_text,
    join_row_faults,
    place_faults,
)
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
from components.sourcing.quote_form import (
    ALTERNATE,
    BREAKS,
    BUNDLE,
    LINE,
    PAID,
    PERIOD_WORDS,
    PRICE,
    QUANTITY,
    TAX,
    TEXT,
    UNIT,
    label_lines,
)


def validate_quote(
    fields: Fields, rows: Sequence[Row], lines: Sequence[RequirementLine]
) -> CheckedForm[NewSourcingQuote]:
    """Return the quote to send, or the faults by field. A row of the requirement without a price is a gap."""
    faults = find_term_faults(fields)
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
    stated = read_terms(fields) | {
        "discounts": [{"fromAmount": start, "percent": off} for start, off in read_discounts(fields)] or None,
        "lines": [_make_line(row, known.get(labels.get(_get_label(row), ""))) for _, row in priced],
    }
    try:
        sent = {name: value for name, value in stated.items() if value is not None}
        return CheckedForm(NewSourcingQuote.model_validate(sent), {})
    except ValidationError as refusal:
        return CheckedForm(None, rename_places(place_faults(refusal)))


def _is_priced(row: Row) -> bool:
    """Whether the row is quoted: it has a price, or says something of its own."""
    own = any(get_cell_text(row, name) for name in (TEXT, BREAKS, BUNDLE))
    return own or row.get(PRICE) is not None


def _get_label(row: Row) -> str:
    value = row.get(LINE)
    return value if isinstance(value, str) else ""


def _find_fault(row: Row, labels: Mapping[str, str]) -> str | None:
    if fault := find_price_fault(row) or find_period_fault(row) or find_quantity_fault(row):
        return fault
    if _get_label(row) not in labels and not get_cell_text(row, TEXT):
        return "say what is quoted, or choose the line that it answers."
    return find_breaks_fault(row)


def _make_line(row: Row, answered: RequirementLine | None) -> dict[str, Any]:
    text = get_cell_text(row, TEXT)
    line: dict[str, Any] = {
        "description": text or (answered.description if answered is not None else ""),
        "quantity": get_cell_number(row, QUANTITY),
        "unitPrice": get_cell_number(row, PRICE),
        "recurring": PERIOD_WORDS[get_cell_text(row, PAID)],
        "alternate": row.get(ALTERNATE) is True,
    }
    if unit := get_cell_text(row, UNIT):
        line["unit"] = unit
    if tax := get_cell_number(row, TAX):
        line |= {"taxIncluded": True, "taxPercent": tax}
    if answered is not None:
        line["requirementLineId"] = answered.id
    if breaks := read_breaks(get_cell_text(row, BREAKS)):
        line["breaks"] = breaks
    if bundle := get_cell_text(row, BUNDLE):
        line["bundleId"] = bundle
    return line
