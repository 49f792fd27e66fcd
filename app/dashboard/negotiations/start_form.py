"""The form that starts a negotiation, and what it amounts to."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation
from typing import Any

import streamlit as st
from pydantic import ValidationError

from app.client import ScopedClient
from app.contract.negotiation import (
    EngagementType,
    NegotiationFile,
    NegotiationSupplier,
    Participant,
    StartedNegotiation,
    StartNegotiation,
)
from app.dashboard import navigation
from app.dashboard.api import queries
from app.dashboard.deployment import Deployment
from app.dashboard.failure_panel import failure_panel
from app.dashboard.kit.form import Form
from app.dashboard.negotiations.update_reports import Report, report, write_update
from app.dashboard.product_choice import choose_supplier
from app.dashboard.scopes.scope_creation import find_scope_currency
from app.dashboard.scopes.scope_listing import draw_outcome, draw_scope_choice, name_scope
from components.elements.form_fields import (
    AMOUNT_FAULT,
    Field,
    Fields,
    draw_document_upload,
    get_amount,
    get_text,
    is_valid_amount,
    mark_required,
)
from components.elements.page_header import draw_heading
from components.formatting import escape_markdown
from components.scopes import make_scope_title

ENGAGEMENTS: dict[EngagementType, tuple[str, str]] = {
    "strategy_only": ("We talk to the supplier", "You get the strategy and log what the supplier says."),
    "svc_led": (
        "The service writes the letters",
        "Letters are sent by email if a mail server is set up; otherwise you copy and send each one.",
    ),
}
_PERSON = re.compile(r"^\s*(?P<name>[^<>,;]+?)\s*<(?P<email>[^<>\s]+)>\s*(?:[,;]\s*(?P<role>.+?))?\s*$")
_PEOPLE = ("contactName", "contactEmail", "supplierContact", "supplierEmail")
_NUMBERS = ("target", "budget", "quote")


@dataclass(frozen=True)
class NegotiationSubject:
    """What the negotiation is about, from the first step: a supplier, and a scope where there is one."""

    company_id: str | None = None
    supplier_name: str | None = None
    scope_id: str | None = None
    scope_title: str = ""


def _parse_participants(text: str) -> tuple[list[Mapping[str, str]], str]:
    """Return the people, and what is wrong with the first line that names none."""
    people: list[Mapping[str, str]] = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        match = _PERSON.match(line)
        if not match:
            return [], f"Line {number}: write Name <email>, role."
        people.append({name: words for name, words in match.groupdict().items() if words})
        try:
            Participant.model_validate(people[-1])
        except ValidationError:
            return [], f"Line {number}: {match['email']} is not an email address."
    return people, ""


SCOPE, FILE, SUPPLIER = "A quote", "A quote file", "A supplier"
FORM = "start"
QUOTE = "quote"
"""What the supplier asks now, in the address: a total that was typed beside the estimate of the scope."""


def draw_start_form(deployment: Deployment, *, on_started: Callable[[StartedNegotiation], None]) -> None:
    """Draw the steps; the second and third once the first is answered."""
    draw_heading("1. What is it about?")
    kind = st.radio(
        "What it is about",
        [SCOPE, FILE, SUPPLIER],
        horizontal=True,
        key="about",
        bind="query-params",
        label_visibility="collapsed",
    )
    subject: NegotiationSubject | None = None
    file = None
    with failure_panel("The subject of the negotiation"):
        if kind == SCOPE:
            subject = _choose_scope(deployment)
        else:
            if kind == FILE:
                file = draw_document_upload("Quote", key="start-file")
            subject = _choose_supplier(deployment)
    if subject is None or (kind == FILE and file is None):
        if kind != SCOPE or not st.query_params.get("scope"):
            st.caption("Choose one to continue.")
        return
    draw_heading("2. Who negotiates?")
    _draw_people_and_button(
        deployment, subject, file.getvalue() if file else None, file.name if file else "", on_started
    )


def make_start_form(
    deployment: Deployment, subject: NegotiationSubject, quote_currency: str = ""
) -> Form[StartNegotiation]:
    """Return the form of who negotiates and of the buyer's own numbers, which are no part of the request.
    Participants stand in a line each: `Name <email>, role`."""
    is_led = st.session_state.get(f"{FORM}/engagement") == "svc_led"
    email, needed = "Email of the supplier's contact", "This field is required."
    fields = (
        Field(
            "engagement",
            "Who talks to the supplier",
            kind="radio",
            words={each: words for each, (words, _) in ENGAGEMENTS.items()},
            captions=[caption for _, caption in ENGAGEMENTS.values()],
            default="strategy_only",
        ),
        Field("contactName", mark_required("Your name"), needed, most=254),
        Field("contactEmail", mark_required("Your email"), needed, kind="email", most=254),
        Field("supplierContact", "Name of the supplier's contact", most=254),
        Field("supplierEmail", mark_required(email) if is_led else email, kind="email", most=254),
        Field(
            "participants",
            "Other participants",
            kind="area",
            placeholder="Kim Lee <kim@example.com>, finance",
            help="One per line: name, email in angle brackets, a comma and the role.",
            height=80,
        ),
        Field("target", "Target", kind="amount"),
        Field("budget", "Budget (walk away above this)", kind="amount"),
        Field("quote", f"What the supplier asks now, in {quote_currency}", kind="amount"),
    )

    def check(values: Fields) -> dict[str, str]:
        amounts = {name: get_amount(values, name) for name in _NUMBERS}
        given = {name: amount for name, amount in amounts.items() if amount is not None}
        faults = {name: AMOUNT_FAULT for name, amount in given.items() if not is_valid_amount(amount)}
        if "target" in given and "budget" in given and given["target"] > given["budget"]:
            faults["target"] = "The target is above the budget."
        if not (subject.company_id or subject.supplier_name):
            faults[""] = "Name the supplier in the first step."
        if values["engagement"] == "svc_led" and not values["supplierEmail"]:
            faults["supplierEmail"] = "Needed to address letters."
        if wrong := _parse_participants(get_text(values, "participants"))[1]:
            faults["participants"] = wrong
        return faults

    def shape(values: Fields) -> dict[str, Any]:
        return {
            "supplier": NegotiationSupplier.model_construct(
                company_id=subject.company_id,
                name=subject.supplier_name,
                contact_name=values["supplierContact"],
                contact_email=values["supplierEmail"],
            ).wire(),
            "contactName": values["contactName"],
            "contactEmail": values["contactEmail"],
            "engagementType": values["engagement"] or "strategy_only",
            "participants": _parse_participants(get_text(values, "participants"))[0] or None,
            "scope": {"scopeId": subject.scope_id} if subject.scope_id else None,
        }

    return Form(
        deployment,
        FORM,
        StartNegotiation,
        fields,
        shape=shape,
        check_fields=check,
        places={"supplier": "supplierEmail", "participants": "participants"},
        record={
            "quote": _read_quote() if quote_currency else None,
            "contactName": deployment.user_name,
            "contactEmail": deployment.end_user_email,
        },
    )


def _choose_scope(deployment: Deployment) -> NegotiationSubject | None:
    """Draw the search for a scope, or that of the address (`?scope=`) with a way to choose another. The
    supplier is that of its first product."""
    chosen = st.query_params.get("scope")
    if not chosen:
        draw_scope_choice(deployment, "start", "scope")
        return None
    with st.container(horizontal=True, vertical_alignment="center"):
        scope = queries.load_scope(deployment, chosen)
        navigation.draw_link("scope", escape_markdown(name_scope(scope)), icon="description", id=scope.id)
        st.button(
            "Choose another quote",
            type="tertiary",
            icon=":material/undo:",
            on_click=st.query_params.__setitem__,
            args=("scope", ""),
        )
    if draw_outcome(deployment, scope):
        return None
    if not scope.product_terms:
        supplier = _choose_supplier(deployment)
        about = {"scope_id": scope.id, "scope_title": make_scope_title(scope)}
        return replace(supplier, **about) if supplier else None
    company = queries.load_product(deployment, scope.product_terms[0].product_id).company
    st.caption(f"Supplier: {escape_markdown(company.name)}")
    return NegotiationSubject(company.id, company.name, scope.id, make_scope_title(scope))


def _choose_supplier(deployment: Deployment) -> NegotiationSubject | None:
    """Draw the choice of a supplier of the catalog, or of one that it does not know, by name."""
    company, unknown_name = choose_supplier(deployment, key=FORM)
    if company:
        return NegotiationSubject(company.id, company.name)
    if unknown_name:
        st.caption(
            f"“{escape_markdown(unknown_name)}” is not in the catalog. The negotiation will use this name."
        )
        return NegotiationSubject(supplier_name=unknown_name)
    return None


@st.fragment
def _draw_people_and_button(
    deployment: Deployment,
    subject: NegotiationSubject,
    content: bytes | None,
    filename: str,
    on_started: Callable[[StartedNegotiation], None],
) -> None:
    """Draw the second and third step, which are redrawn alone while the reader types. `content` is the quote
    file to upload with the request."""
    currency = find_scope_currency(deployment, subject.scope_id) if subject.scope_id else ""
    form = make_start_form(deployment, subject, currency)
    form.begin()
    form.draw_fields(("engagement",))
    form = make_start_form(deployment, subject, currency)
    with st.grid(2, min_column_width=320):
        form.draw_fields(_PEOPLE)
    form.draw_fields(("participants",))
    is_expanded = bool({"numbers", QUOTE} & set(st.query_params) or set(_NUMBERS) & form.faults.keys())
    with st.expander("Your own numbers", expanded=is_expanded):
        st.caption(
            "Optional: the numbers are calculated where there are comparable purchases. What you enter here"
            " is used instead and marked as yours. In the quote's currency, before tax, for the whole term."
        )
        names = _NUMBERS if currency else _NUMBERS[:-1]
        with st.grid(len(names), min_column_width=150):
            form.draw_fields(names)
    draw_heading("3. Check and start")
    typed = form.read()
    engagement = ENGAGEMENTS["svc_led" if typed.get("engagement") == "svc_led" else "strategy_only"]
    what = (
        subject.scope_title
        if subject.scope_id
        else f"the quote in {filename}"
        if content
        else "what you will specify later"
    )
    st.markdown(
        f"With **{escape_markdown(subject.supplier_name or 'the supplier')}** about"
        f" **{escape_markdown(what)}**. {engagement[1]}"
    )

    def start(client: ScopedClient, body: StartNegotiation, idempotency_key: str) -> StartedNegotiation:
        if content is not None:
            file = client.files.upload(content, filename=filename, idempotency_key=f"{idempotency_key}-file")
            body = body.model_copy(update={"file": NegotiationFile(file_id=file.id)})
        started = client.negotiations.start(body, idempotency_key=idempotency_key)
        target, budget, quote = (get_amount(typed, name) for name in _NUMBERS)
        note = "Entered at the start"
        reports: dict[str, Report] = {}
        if quote is not None:
            reports["quote"] = report("quote", amount=quote, currency=currency, note=note)
        if target is not None or budget is not None:
            reports["numbers"] = report("strategy", target=target, walkAway=budget, note=note)
        for name, made in reports.items():
            write_update(started.negotiation_id, made)(client, f"{idempotency_key}-{name}")
        return started

    form.draw_fault()
    form.keep_draft()
    form.draw_button(
        "Start the negotiation",
        send=start,
        what="Starting the negotiation",
        on_success=on_started,
        icon="play_arrow",
    )


def _read_quote() -> float | None:
    """The quote of the address; None where it names none that can be sent."""
    try:
        quote = Decimal(st.query_params.get(QUOTE, ""))
    except InvalidOperation:
        return None
    return float(quote) if is_valid_amount(quote) else None
