"""The forms of a requirement: what is needed, line by line, and how quotes for it are compared."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from app.contract.sourcing import NewRequirement, Requirement, RequirementChange
from app.dashboard.deployment import Deployment
from app.dashboard.kit.form import Form
from app.dashboard.kit.rows import get_cell_number, get_cell_text, join_row_faults
from components.elements.form_fields import Field, Fields, mark_required
from components.elements.table import Columns, Row

DESCRIPTION, QUANTITY, UNIT, MUST_HAVE = "Description", "Quantity", "Unit", "Must have"
BLANK_ROWS: Sequence[Row] = [{DESCRIPTION: "", QUANTITY: None, UNIT: "", MUST_HAVE: True}] * 3
LINE_COLUMNS: Columns = {
    DESCRIPTION: st.column_config.TextColumn(width="large", max_chars=2_000),
    QUANTITY: st.column_config.NumberColumn(min_value=0, format="localized"),
    UNIT: st.column_config.TextColumn(max_chars=100, help="Such as seats, months or kg."),
    MUST_HAVE: st.column_config.CheckboxColumn(
        default=True, help="A line without it may stay open in an award."
    ),
}
_NAME = Field("name", mark_required("Name"), "Give it a name.")
_NEEDED_BY = Field("neededBy", "Needed by")
_DISCOUNT = Field(
    "discountRate",
    "Discount rate",
    help="Per cent a year, for what later payments are worth today. Without it, amounts alone count.",
)


def make_requirement_form(
    deployment: Deployment, read_rows: Callable[[], Sequence[Row]], scope_id: str | None = None
) -> Form[NewRequirement]:
    """Return the form of a new requirement; `read_rows` gives its lines, without blank ones. The prices of
    the scope that it began with become its first quote."""

    def check(_: Fields) -> Mapping[str, str]:
        filled = [(place, row) for place, row in enumerate(read_rows()) if _is_filled(row)]
        wrong = [(place, fault) for place, row in filled if (fault := _find_fault(row))]
        if not filled:
            return {"lines": "Enter at least one line: what is needed, and how many."}
        return {"lines": join_row_faults(wrong)} if wrong else {}

    def shape(values: Fields) -> dict[str, Any]:
        return {
            **values,
            "scopeId": scope_id,
            "currency": str(values["currency"]).upper(),
        }

    return Form(
        deployment,
        f"requirement-{scope_id or 'new'}",
        NewRequirement,
        (
            _NAME,
            Field(
                "currency",
                mark_required("Currency to compare in"),
                "Enter the currency in which quotes are compared, such as USD.",
                placeholder="USD",
                most=3,
            ),
            Field(
                "termMonths",
                mark_required("Months of the term"),
                "Enter for how many months it is needed; 1 for what is bought once.",
            ),
            _NEEDED_BY,
            _DISCOUNT,
        ),
        shape=shape,
        check_fields=check,
        places={"lines": "lines"},
        tables=lambda: {"lines": [_make_line(row) for row in read_rows() if _is_filled(row)]},
    )


def draw_requirement_change(deployment: Deployment, requirement: Requirement) -> None:
    """Draw the form that changes what leaves the lines as they are. Needs `PATCH /v1/requirements/{}`."""
    rate = requirement.discount_rate
    form = Form(
        deployment,
        f"change-{requirement.id}",
        RequirementChange,
        (_NAME, _NEEDED_BY, _DISCOUNT),
        record={
            "name": requirement.name,
            "neededBy": requirement.needed_by,
            "discountRate": None if rate is None else float(rate),
        },
        changes="requirement",
    )
    form.draw(columns=3)
    st.caption("Lines, currency and term stay as they are: quotes were matched with them.")
    form.draw_button(
        "Save the changes",
        send=lambda client, change, _: client.requirements.update(requirement.id, change),
        what="Saving the changes",
        icon=":material/save:",
    )


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
