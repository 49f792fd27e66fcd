"""The forms of an agreement: what was agreed, its lines, what is not known of it, and the decision."""

from collections.abc import Sequence
from typing import Any
from zlib import crc32

from pydantic import ValidationError

from app.client import ScopedClient
from app.contract.agreements import (
    MAX_NOTICE,
    Agreement,
    AgreementChange,
    AgreementLine,
    NewAgreement,
    NewDecision,
)
from app.contract.renewals import StartRenewal
from app.dashboard.api import queries
from app.dashboard.deployment import Deployment
from app.dashboard.failure_panel import failure_panel
from app.dashboard.kit.form import CheckedForm, Form, form_button
from app.dashboard.kit.rows import get_cell_number, get_cell_text, join_row_faults, place_faults
from app.dashboard.session_values import form_faults
from components.agreements.agreement_words import DECISION_LABELS, RENEWAL_LABELS, UNIT_LABELS
from components.agreements.lines_form import (
    AMOUNT,
    FROM,
    MONTHS,
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
from components.elements.form_fields import Field, Fields, draw_fault, mark_required
from components.elements.table import Row

FIELDS = (
    Field("name", mark_required("Name"), "Give it a name."),
    Field("supplierName", "Supplier"),
    Field("termStart", "First day"),
    Field("termEnd", "Last day of the first term"),
    Field("renewalType", "What happens at the end", words=RENEWAL_LABELS),
    Field("autoRenewalTermMonths", "Renewal term"),
    Field("notice-value", "Notice period", kind="number", least=0, most=MAX_NOTICE),
    Field("notice-unit", "Notice is counted in", kind="choice", words=UNIT_LABELS),
    Field("deliveryBufferDays", "Days for its delivery"),
    Field("maxRenewals", "Renews at most so many times"),
    Field("noticeGivenOn", "Notice was given on"),
    Field("currency", "Currency", placeholder="USD"),
    Field("totalValue", "Total of the first term", help="Before tax."),
    Field("oneTimeValue", "Of it paid once"),
    Field("owner-name", "Owner", most=200),
    Field("owner-email", "Owner's email", most=254),
    Field("reference", "Contract number"),
    Field("costCenter", "Cost centre"),
)
"""Those of an agreement by their names on the wire, and parts of its lists."""
PLACES = {"noticePeriod": "notice-value", "owners": "owner-name"}
PARTS: dict[str, Sequence[str]] = {
    "owners": ("owner-name", "owner-email"),
    "noticePeriod": ("notice-value", "notice-unit"),
    # What happens at the end decides whether the others are needed: they are asked for at once.
    "renewalType": ("renewalType", "autoRenewalTermMonths", "notice-value", "notice-unit"),
}
"""The fields of the form for a missing field, where they are not the one of its name."""


def make_new_form(deployment: Deployment) -> Form[NewAgreement]:
    """Return the form that puts an agreement on record. The service checks what dates are possible."""
    return Form(
        deployment,
        "agreement",
        NewAgreement,
        FIELDS,
        shape=_shape,
        check_fields=_check,
        places=PLACES,
    )


def make_change_form(deployment: Deployment, one: Agreement) -> Form[AgreementChange]:
    """Return the form that changes an agreement."""
    return Form(
        deployment,
        f"agreement-{one.id}",
        AgreementChange,
        FIELDS,
        shape=_shape,
        check_fields=_check,
        places=PLACES,
        record=read_values(one),
        changes="contract",
    )


def make_missing_form(deployment: Deployment, one: Agreement) -> Form[AgreementChange]:
    """Return the form with a field for each thing that is not known of an agreement."""
    known = read_values(one)
    asked = {part for name in one.missing for part in PARTS.get(name, (name,)) if known.get(part) is None}
    return Form(
        deployment,
        f"missing-{one.id}",
        AgreementChange,
        [each for each in FIELDS if each.name in asked],
        shape=lambda values: _shape({**known, **values}),
        check_fields=lambda values: _check({**known, **values}),
        places=PLACES,
        changes="contract",
    )


def make_decision_form(deployment: Deployment, one: Agreement) -> Form[NewDecision]:
    """Return the form of a decision: `until` goes with what is put off, `noticeGivenOn` with an end."""
    return Form(
        deployment,
        f"decision-{one.id}",
        NewDecision,
        (
            Field("decision", "Renewal decision", "Choose one.", kind="radio", words=DECISION_LABELS),
            Field("until", "Ask again on"),
            Field("note", "Why", height=80),
            Field(
                "noticeGivenOn",
                "Notice was given on",
                help="A decision gives no notice: the deadline is watched until this day is known.",
            ),
        ),
        shape=lambda values: {
            **values,
            "until": values["until"] if values["decision"] == "put_off" else None,
        },
    )


def make_renewal_form(
    deployment: Deployment, one: Agreement, contact: tuple[str, str], *, asks_supplier: bool
) -> Form[StartRenewal]:
    """Return the form of what a renewal needs and the agreement does not say: who negotiates, which begins
    with name and address of `contact`, and with whom."""
    fields = (
        Field("contactName", "Who negotiates", "Enter the name."),
        Field("contactEmail", "Their email", "Enter the address."),
        Field("supplierName", "Supplier", "Enter the supplier."),
    )
    return Form(
        deployment,
        f"renewal-{one.id}",
        StartRenewal,
        fields if asks_supplier else fields[:2],
        record=dict(zip(("contactName", "contactEmail"), contact, strict=True)),
    )


def read_values(one: Agreement) -> dict[str, object]:
    """Return what is on record of an agreement, by the fields of the form."""
    record = one.model_dump(by_alias=True)
    values: dict[str, object] = {each.name: record.get(each.name) for each in FIELDS}
    for name in ("totalValue", "oneTimeValue"):
        values[name] = None if values[name] is None else float(str(values[name]))
    if one.notice_period is not None:
        values |= {"notice-value": one.notice_period.value, "notice-unit": one.notice_period.unit}
    if one.owners:
        values |= {"owner-name": one.owners[0].name, "owner-email": one.owners[0].email}
    return values


def _shape(values: Fields) -> dict[str, Any]:
    shaped = {name: value for name, value in values.items() if "-" not in name}
    if currency := shaped.get("currency"):
        shaped["currency"] = str(currency).upper()
    if "notice-value" in values:
        value, unit = values["notice-value"], values.get("notice-unit")
        shaped["noticePeriod"] = None if value is None else {"value": value, "unit": unit}
    if "owner-name" in values:
        name, email = values["owner-name"], values.get("owner-email")
        shaped["owners"] = [{"name": name, **({"email": email} if email else {})}] if name else None
    return shaped


def _check(values: Fields) -> dict[str, str]:
    faults: dict[str, str] = {}
    value, unit = values.get("notice-value"), values.get("notice-unit")
    if value is not None and not unit:
        faults["notice-unit"] = "Choose months, days or business days: three months are not 90 days."
    if unit and value is None:
        faults["notice-value"] = "Enter how many."
    if values.get("owner-email") and not values.get("owner-name"):
        faults["owner-name"] = "Enter the owner's name too."
    return faults


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
            "firstMonth": None if (first := get_cell_number(row, FROM)) is None else first - 1,
            "months": get_cell_number(row, MONTHS),
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
