"""The requirement or its change from what was entered into a form, or what is wrong with it."""

from collections.abc import Sequence
from typing import Any

from pydantic import ValidationError

from app.contract.sourcing import NewRequirement, Requirement, RequirementChange
from app.dashboard.form_rows import (
    get_cell_number,
    get_cell_text,
    join_row_faults,
    place_faults,
)
from app.dashboard.kit.form import CheckedForm
from components.elements.form_fields import Fields, get_amount, get_date, get_months, get_text
from components.elements.table import Row
from components.sourcing.requirements import DESCRIPTION, MUST_HAVE, QUANTITY, UNIT


def validate_requirement(
    fields: Fields, rows: Sequence[Row], scope_id: str | None = None
) -> CheckedForm[NewRequirement]:
    """Return the requirement to send, or the faults by field. Blank rows are left out. The prices of
    the scope that it began with become its first quote."""
    faults: dict[str, str] = {}
    if not get_text(fields, "name"):
        faults["name"] = "Give it a name."
    if not get_text(fields, "currency"):
        faults["currency"] = "Enter the currency in which quotes are compared, such as USD."
    if get_months(fields, "termMonths") is None:
        faults["termMonths"] = "Enter for how many months it is needed; 1 for what is bought once."
    filled = [(place, row) for place, row in enumerate(rows) if _is_filled(row)]
    wrong = [(place, fault) for place, row in filled if (fault := _find_fault(row))]
    if not filled:
        faults["lines"] = "Enter at least one line: what is needed, and how many."
    elif wrong:
        faults["lines"] = join_row_faults(wrong)
    if faults:
        return CheckedForm(None, faults)
    stated: dict[str, Any] = {
        "scopeId": scope_id,
        "name": get_text(fields, "name"),
        "currency": get_text(fields, "currency").upper(),
        "termMonths": get_months(fields, "termMonths"),
        "neededBy": get_date(fields, "neededBy"),
        "discountRate": get_amount(fields, "discountRate"),
        "lines": [_make_line(row) for _, row in filled],
    }
    try:
        known = {name: value for name, value in stated.items() if value is not None}
        return CheckedForm(NewRequirement.model_validate(known), {})
    except ValidationError as refusal:
        return CheckedForm(None, place_faults(refusal))


def _is_filled(row: Row) -> bool:
    return bool(get_cell_text(row, DESCRIPTION) or get_cell_text(row, UNIT) or row.get(QUANTITY) is not None)


def _find_fault(row: Row) -> str | None:
    if not get_cell_text(row, DESCRIPTION):
        return "say what is needed."
    quantity = get_cell_number(row, QUANTITY)
    return None if quantity is not None and quantity > 0 else "enter how many, more than 0."


def _make_line(row: Row) -> dict[str, Any]:
    unit = get_cell_text(row, UNIT)
    return {
        "description": get_cell_text(row, DESCRIPTION),
        "quantity": get_cell_number(row, QUANTITY),
        "mustHave": row.get(MUST_HAVE) is not False,
        **({"unit": unit} if unit else {}),
    }


def validate_requirement_change(fields: Fields, requirement: Requirement) -> CheckedForm[RequirementChange]:
    """Return what was changed, or the faults. A day and a rate that were emptied are removed."""
    if not get_text(fields, "name"):
        return CheckedForm(None, {"name": "Give it a name."})
    stated: dict[str, Any] = {
        "name": get_text(fields, "name"),
        "neededBy": get_date(fields, "neededBy"),
        "discountRate": get_amount(fields, "discountRate"),
    }
    before = {
        "name": requirement.name,
        "neededBy": requirement.needed_by,
        "discountRate": requirement.discount_rate,
    }
    changed = {name: value for name, value in stated.items() if value != before[name]}
    if not changed:
        return CheckedForm(None, {"": "Nothing was changed."})
    try:
        return CheckedForm(RequirementChange.model_validate(changed), {})
    except ValidationError as refusal:
        return CheckedForm(None, place_faults(refusal))
