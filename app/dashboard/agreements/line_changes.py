"""The lines of an agreement on its page: changed, added to and removed."""

from collections.abc import Sequence
from zlib import crc32

from pydantic import ValidationError

from app.client import ScopedClient
from app.contract.agreements import Agreement, AgreementChange, AgreementLine
from app.dashboard.api import queries
from app.dashboard.deployment import Deployment
from app.dashboard.failure_panel import failure_panel
from app.dashboard.kit.form import CheckedForm, form_button
from app.dashboard.kit.rows import get_cell_number, get_cell_text, join_row_faults, place_faults
from app.dashboard.session_values import form_faults
from components.agreements.lines_form import (
    AMOUNT,
    PAID,
    PAID_WORDS,
    PER,
    PER_WORDS,
    PRICE,
    PRODUCT,
    QUANTITY,
    TEXT,
    UNIT,
    draw_lines_form,
    read_lines_form,
)
from components.elements.form_fields import draw_fault
from components.elements.table import Row


def draw_line_changes(deployment: Deployment, one: Agreement) -> None:
    """Draw the form of an agreement's lines. Needs `PATCH /v1/agreements/{}`."""
    lines = one.lines or []
    with failure_panel("The products of the supplier"):
        labels = _label_products(deployment, one)
        # Another form behind each change of the lines: a table of them cannot be filled again.
        stored = "".join(line.model_dump_json() for line in lines)
        form = f"lines-{one.id}-{crc32(stored.encode())}"

        def send(client: ScopedClient, change: AgreementChange, _: str) -> Agreement:
            return client.agreements.update(one.id, change)

        faults = form_faults(form).get()
        draw_lines_form(lines, labels, key=form, faults=faults)
        draw_fault(faults.get(""))
        form_button(
            deployment,
            "Save the lines",
            form=form,
            check=lambda: validate_lines(read_lines_form(lines, labels, key=form), lines, labels),
            send=send,
            what="Saving the lines",
            icon=":material/save:",
        )


def _label_products(deployment: Deployment, one: Agreement) -> dict[str, str]:
    """Return the names of the products that a line may have, by their ids: those of the supplier, and those
    that lines have. Of several with the same name, each has its number."""
    products = queries.load_all_products(deployment, one.company_id) if one.company_id is not None else []
    names = {each.id: each.name for each in products}
    for line in one.lines or ():
        if line.product_id is not None and line.product_id not in names:
            names[line.product_id] = queries.load_product(deployment, line.product_id).name
    labels: dict[str, str] = {}
    for product_id, name in names.items():
        taken = sum(label == name or label.startswith(f"{name} (") for label in labels.values())
        labels[product_id] = f"{name} ({taken + 1})" if taken else name
    return labels


def validate_lines(
    rows: Sequence[Row], lines: Sequence[AgreementLine], labels: dict[str, str]
) -> CheckedForm[AgreementChange]:
    """Return the changed lines, or what is wrong with them. A row that holds nothing is none."""
    ids = {label: product_id for product_id, label in labels.items()}
    filled = [row for row in rows if any(value not in (None, "") for value in row.values())]
    wrong = [
        (place, "Say what is bought.") for place, row in enumerate(filled) if not get_cell_text(row, TEXT)
    ]
    if wrong:
        return CheckedForm(None, {"lines": join_row_faults(wrong)})
    stated = [
        {
            "description": get_cell_text(row, TEXT),
            "productId": ids.get(get_cell_text(row, PRODUCT)),
            "quantity": get_cell_number(row, QUANTITY),
            "unit": get_cell_text(row, UNIT) or None,
            "unitPrice": get_cell_number(row, PRICE),
            "pricePer": PER_WORDS.get(get_cell_text(row, PER)),
            "amount": get_cell_number(row, AMOUNT),
            "recurring": PAID_WORDS.get(get_cell_text(row, PAID)),
        }
        for row in filled
    ]
    try:
        changed = AgreementChange.model_validate({"lines": stated or None})
    except ValidationError as refusal:
        return CheckedForm(None, place_faults(refusal))
    if list(changed.lines or ()) == list(lines):
        return CheckedForm(None, {"": "Nothing was changed."})
    return CheckedForm(changed, {})
