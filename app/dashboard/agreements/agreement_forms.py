"""The forms of an agreement, and what becomes of it: the decision, the renewal, or its deletion."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any, Literal
from zlib import crc32

import streamlit as st

from app.client import NotFound
from app.contract.agreements import (
    MAX_NOTICE,
    PAST_STATUSES,
    Agreement,
    AgreementChange,
    AgreementLine,
    AgreementOwner,
    LinePricePer,
    NewAgreement,
    NewDecision,
)
from app.contract.dates import format_day
from app.contract.money import format_exact_money, format_money, lower_first
from app.contract.price_level import format_next_step
from app.contract.pricing import NextStep
from app.contract.renewals import AgreementRenewal, StartRenewal
from app.dashboard import navigation
from app.dashboard.api import queries
from app.dashboard.api.write_button import confirmed_write, write_button
from app.dashboard.deployment import Deployment
from app.dashboard.failure_panel import failure_panel
from app.dashboard.kit.form import Form
from components.agreements.agreement_facts import DECISION_LABELS, RENEWAL_LABELS, UNIT_LABELS
from components.elements.form_fields import Field, Fields, mark_required
from components.elements.line_table import LineColumn, LineTable, make_rows

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
        deployment, "agreement", NewAgreement, FIELDS, shape=_shape, check_fields=_check, places=PLACES
    )


def make_change_form(deployment: Deployment, one: Agreement) -> Form[AgreementChange]:
    """Return the form that changes an agreement."""
    return Form(
        deployment,
        f"agreement-{one.id}",
        AgreementChange,
        FIELDS,
        shape=lambda values: _shape(values, (one.owners or ())[1:]),
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
    values: dict[str, object] = one.model_dump(by_alias=True)
    if one.notice_period is not None:
        values |= {"notice-value": one.notice_period.value, "notice-unit": one.notice_period.unit}
    if one.owners:
        values |= {"owner-name": one.owners[0].name, "owner-email": one.owners[0].email}
    return values


def _shape(values: Fields, other_owners: Sequence[AgreementOwner] = ()) -> dict[str, Any]:
    """Return what the form states of an agreement, which may have further owners than the one in it."""
    shaped = {name: value for name, value in values.items() if "-" not in name}
    if currency := shaped.get("currency"):
        shaped["currency"] = str(currency).upper()
    if "notice-value" in values:
        value, unit = values["notice-value"], values.get("notice-unit")
        shaped["noticePeriod"] = None if value is None else {"value": value, "unit": unit}
    if "owner-name" in values:
        name, email = values["owner-name"], values.get("owner-email")
        owners = [{"name": name, **({"email": email} if email else {})}] if name else []
        shaped["owners"] = [*owners, *(other.wire() for other in other_owners)] or None
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


PER_WORDS: Mapping[LinePricePer, str] = {
    "month": "a month",
    "quarter": "a quarter",
    "half_year": "half a year",
    "year": "a year",
    "term": "the term",
    "once": "all time",
}
LINE_COLUMNS = (
    # Up to the amount they fit a page of 800 pixels; a wider page gives all of them more.
    LineColumn("description", "What is bought", width=130, most=2_000, fault="Say what is bought."),
    LineColumn("productId", "Product", width=100),
    LineColumn("quantity", "Quantity", "number", width=80),
    LineColumn("amount", "For the term, or its part", "number", width=150),
    LineColumn("unit", "Unit", most=100, help="What the quantity counts, such as user."),
    LineColumn("unitPrice", "Price of a unit", "number"),
    LineColumn("pricePer", "Is for", words=PER_WORDS),
    LineColumn("recurring", "Paid", words={True: "again in the next term", False: "once"}),
    LineColumn(
        "firstMonth", "From month", "months", help="Of the first term, where it is for a part of it.", shift=1
    ),
    LineColumn("months", "Months", "months"),
)


def draw_line_changes(deployment: Deployment, one: Agreement) -> None:
    """Draw the form of an agreement's lines. Needs `PATCH /v1/agreements/{}`."""
    lines = one.lines or []
    with failure_panel("The products of the supplier"):
        # Another form behind each change of the lines: a table of them cannot be filled again.
        stored = "".join(line.model_dump_json() for line in lines)
        key = f"lines-{one.id}-{crc32(stored.encode())}"
        table = make_line_table(f"{key}/lines", lines, _label_products(deployment, one))
        form = make_lines_form(deployment, key, table)
        st.caption(
            "A line with a product, a quantity and what it costs for the term is a purchase of yours, which"
            " the next estimate knows and a renewal asks for. Prices are before tax. Leave out what is not"
            " known."
        )
        table.draw(form.faults.get("lines"))
        form.draw_fault()
        form.draw_button(
            "Save the lines",
            send=lambda client, change, _: client.agreements.update(one.id, change),
            what="Saving the lines",
            icon="save",
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


def make_line_table(key: str, lines: Sequence[AgreementLine], labels: Mapping[str, str]) -> LineTable:
    """Return the table of the lines on record; `labels` are the names of the products that a line may have,
    by their ids."""
    columns = [replace(one, words=labels) if one.name == "productId" else one for one in LINE_COLUMNS]
    return LineTable(key, "What is bought, line by line", columns, make_rows(columns, lines))


def make_lines_form(deployment: Deployment, key: str, table: LineTable) -> Form[AgreementChange]:
    """Return the form that changes the lines."""

    def list_changed() -> dict[str, Any]:
        is_changed = [row for _, row in table.read_rows()] != table.rows
        return {"lines": table.read_lines() or None} if is_changed else {}

    return Form(
        deployment,
        key,
        AgreementChange,
        (),
        check_fields=lambda _: table.find_faults(),
        places={"lines": "lines"},
        tables=list_changed,
    )


def draw_decision(deployment: Deployment, one: Agreement) -> None:
    """Draw the form and its button. Needs `POST /v1/agreements/{}/decision`."""
    form = make_decision_form(deployment, one)
    with form.drawing():
        form.draw_fields(["decision"])
        decision = form.read()["decision"]
        form.draw_fields(["until", "note"] if decision == "put_off" else ["note"])
        if one.renewal_type in ("auto_renew", "evergreen") and decision not in ("renew", "put_off"):
            form.draw_fields(["noticeGivenOn"])
    form.draw_button(
        "Store the decision",
        send=lambda client, body, key: client.agreements.decide(one.id, body, idempotency_key=key),
        what="Storing the decision",
        icon="gavel",
    )


def draw_decision_popover(deployment: Deployment, one: Agreement) -> None:
    """Draw the button that opens the form."""
    form = make_decision_form(deployment, one)
    place = form.draw_popover("Decide", icon="gavel", type="secondary")
    if place.open:
        with place:
            draw_decision(deployment, one)


START = "Renew"
_MONTHS_DIFFER = timedelta(days=3)
"""By how much as many months may differ."""
EXPLANATION = "Makes a request of its lines, or of its value, for the next term and opens the negotiation."


def draw_renewal(
    deployment: Deployment, one: Agreement, *, type: Literal["primary", "secondary"] = "primary"
) -> AgreementRenewal | None:
    """Draw the button for an agreement that is not over and that no other follows. Return the renewal that
    was begun, whose negotiation the button then opens."""
    if not queries.has_operation(deployment, "POST /v1/agreements/{}/renewal"):
        return None
    if one.next_agreement_id is not None or one.status in PAST_STATUSES:
        return None
    begun = None
    with failure_panel("The renewal of this contract"):
        begun = _find_renewal(deployment, one)
        if begun is not None:
            navigation.draw_link(
                "negotiation", "Open the negotiation", icon="handshake", id=begun.negotiation_id
            )
            return begun
        step = _find_next_step(deployment, one.id) if _costs_the_same_again(one) else None
        label, explanation = _describe_start(one, step)
        if any(owner.email for owner in one.owners or ()) and _knows_supplier(one):
            write_button(
                deployment,
                label,
                name=f"renewal-{one.id}",
                what="Starting the renewal",
                write=lambda client, key: client.renewals.start(one.id, idempotency_key=key),
                on_success=_open_negotiation,
                icon="autorenew",
                type=type,
                help=explanation,
            )
        else:
            _draw_start_with_questions(deployment, one, label, explanation, type)
    return begun


def _costs_the_same_again(one: Agreement) -> bool:
    """Whether what its lines cost for the first term is what they cost for the next, but for a rise."""
    following = one.next_term
    if following is None or following.start is None or following.end is None:
        return False
    if one.term_start is None or one.term_end is None or one.one_time_value:
        return False
    if any(line.months is not None or line.recurring is False for line in one.lines or ()):
        return False
    return abs((one.term_end - one.term_start) - (following.end - following.start)) <= _MONTHS_DIFFER


def _find_next_step(deployment: Deployment, agreement_id: str) -> NextStep | None:
    """What the market says about its price; None where the deployment does not say it, or not yet."""
    if not queries.has_operation(deployment, "GET /v1/market"):
        return None
    with failure_panel("The price of this agreement against the market"):
        priced = queries.load_market(deployment, limit=1, agreement_id=agreement_id).data
        return priced[0].next_step if priced and priced[0].agreement_id == agreement_id else None
    return None


def _describe_start(one: Agreement, step: NextStep | None) -> tuple[str, str]:
    """The label of the button, with what the next term costs where that is known, and what to ask for
    instead where the market says it; and what the button does."""
    forecast, currency = one.next_term, one.currency
    if forecast is None:
        return START, EXPLANATION
    if not forecast.amount or currency is None:
        unknown = "" if forecast.amount == 0 else " What a next term costs is not known."
        return START, f"{EXPLANATION}{unknown} {forecast.statement}"
    costs = format_exact_money(forecast.amount, currency)
    span = ""
    if forecast.start is not None and forecast.end is not None:
        span = f", {format_day(forecast.start)} to {format_day(forecast.end)},"
    explanation = (
        f"{EXPLANATION} If nobody acts, the next term{span} costs {costs} before tax. {forecast.statement}"
    )
    if step is None or step.amount is None or step.action != "ask" or step.amount >= forecast.amount:
        amount = format_money(forecast.amount, currency)
        return f"{START}: {amount} if nobody acts", explanation
    words = format_next_step(step.action, step.amount, currency)
    return (
        f"{START}: {lower_first(words)}, not {format_money(forecast.amount, currency)}",
        explanation,
    )


def _draw_start_with_questions(
    deployment: Deployment,
    one: Agreement,
    label: str,
    explanation: str,
    type: Literal["primary", "secondary"],
) -> None:
    """Draw the button behind what is not known: who negotiates, or with whom."""
    form = make_renewal_form(
        deployment, one, _suggest_contact(deployment, one), asks_supplier=not _knows_supplier(one)
    )
    place = form.draw_popover(label, icon="autorenew", type=type)
    if not place.open:
        return
    with place:
        st.caption(explanation)
        form.draw()
        form.draw_button(
            "Start the renewal",
            send=lambda client, answers, key: client.renewals.start(one.id, answers, idempotency_key=key),
            what="Starting the renewal",
            on_success=_open_negotiation,
            icon="autorenew",
        )


def _knows_supplier(one: Agreement) -> bool:
    return bool(one.company_id or one.supplier_name)


def _suggest_contact(deployment: Deployment, one: Agreement) -> tuple[str, str]:
    """Return the name and address that the form begins with, for the person to check: the owner's, the
    person's own, or those of the latest negotiation."""
    for owner in one.owners or ():
        if owner.email:
            return owner.name, owner.email
    if deployment.end_user_email:
        return deployment.user_name or deployment.end_user_email, deployment.end_user_email
    if queries.has_operation(deployment, "GET /v1/negotiation/{}/timeline"):
        for latest in queries.load_negotiations(deployment, limit=1).data:
            timeline = queries.load_timeline(deployment, latest.id)
            return timeline.contact_name, timeline.contact_email
    return "", ""


def _open_negotiation(begun: AgreementRenewal) -> None:
    navigation.open_page("negotiation", id=begun.negotiation_id)


def _find_renewal(deployment: Deployment, one: Agreement) -> AgreementRenewal | None:
    if one.stage != "in_progress":
        return None
    try:
        return queries.load_renewal(deployment, one.id)
    except NotFound:
        return None


def draw_agreement_deletion(deployment: Deployment, one: Agreement) -> None:
    """Draw a button that says what is lost, and asks before it is."""
    confirmed_write(
        deployment,
        "Delete",
        "The contract is gone for good, with the decisions on it, its alerts and the purchases that estimates"
        " learned from it. Its quote, document and negotiation stay.",
        confirm="Delete it for good",
        name=f"delete-{one.id}",
        operation="DELETE /v1/agreements/{}",
        what="Deleting the contract",
        write=lambda client, _: client.agreements.delete(one.id),
        on_success=lambda _: navigation.open_page("agreements"),
        icon="delete",
    )
