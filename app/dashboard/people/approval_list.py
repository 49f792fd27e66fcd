"""Calls that wait for a second person, with the buttons that approve or refuse them."""

import streamlit as st

from app.client import ScopedClient
from app.contract.approvals import MAX_REASON, Approval, ApprovedCall
from app.contract.money import format_exact_money
from app.dashboard import navigation
from app.dashboard.api import people_queries
from app.dashboard.api.form_button import CheckedForm, form_button
from app.dashboard.api.write_button import write_button
from app.dashboard.deployment import Deployment
from app.dashboard.failure_panel import failure_panel
from app.dashboard.list_page import load_list_page
from app.dashboard.session_values import form_faults
from app.dashboard.webhooks.secret_display import keep_secret
from components.elements.empty_state import draw_empty_state
from components.elements.form_fields import draw_fault, get_text, read_fields
from components.elements.pagination_bar import draw_pagination_bar
from components.formatting.datetimes import format_local_time, get_reader_zone
from components.formatting.escape_markdown import escape_markdown

PAGE = "approvals-page"
ROWS = 25
RECORDS = {
    "/v1/requirements/": "requirement",
    "/v1/negotiation/": "negotiation",
    "/v1/webhooks/": "webhook",
}
"""The pages of what calls are about, by how their paths begin."""
COLOURS = {"waiting": "orange", "approved": "green", "refused": "red", "expired": "gray"}


def draw_approvals(deployment: Deployment) -> None:
    """Draw the calls, the newest first."""
    with failure_panel("The list of approvals"):
        page = load_list_page(
            PAGE, ROWS, lambda offset: people_queries.load_approvals(deployment, limit=ROWS, offset=offset)
        )
        if not page.data:
            draw_empty_state(
                "Nothing waits for a second person",
                "What your organisation wants approved by two appears here.",
                icon="task_alt",
            )
        for one in page.data:
            _draw_approval(deployment, one)
        draw_pagination_bar(page.pagination, PAGE, "approval")


def _draw_approval(deployment: Deployment, one: Approval) -> None:
    zone = get_reader_zone()
    with st.container(border=True, key=f"approval-{one.id}"):
        amount = "" if one.amount is None else format_exact_money(one.amount, one.currency or "")
        colour = COLOURS.get(one.status, "gray")
        st.markdown(
            f"**{escape_markdown(one.name)}** {escape_markdown(amount)} :{colour}-badge[{one.status}]  \n"
            f"{escape_markdown(one.summary)}"
        )
        _draw_record_link(one)
        st.markdown("\n".join(f"- {escape_markdown(detail)}" for detail in one.details))
        kind = " (API key)" if one.asked_by.kind == "key" else ""
        facts = [f"asked by {one.asked_by.name}{kind} on {format_local_time(one.asked_at, zone)}"]
        if one.status == "waiting":
            facts.append(f"until {format_local_time(one.expires_at, zone)}")
        if one.settled_by is not None:
            facts.append(
                f"{one.status} by {one.settled_by.name} on {format_local_time(one.settled_at, zone)}"
            )
        st.caption(escape_markdown(" · ".join(facts)))
        if one.reason:
            st.caption(f"Why: {escape_markdown(one.reason)}")
        if one.request:
            with st.expander("What was sent"):
                st.json(one.request)
        if one.may_approve or one.may_refuse:
            with st.container(horizontal=True):
                _draw_buttons(deployment, one)


def _draw_record_link(one: Approval) -> None:
    """Draw a link to what the call is about, where that is on record."""
    for start, page in RECORDS.items():
        record_id = one.path.removeprefix(start).partition("/")[0]
        if one.path.startswith(start) and record_id != "inbox":
            navigation.draw_link(page, "What it is about", icon=":material/arrow_forward:", id=record_id)


def _draw_buttons(deployment: Deployment, one: Approval) -> None:
    def approve(client: ScopedClient, idempotency_key: str) -> ApprovedCall:
        return client.approvals.approve(one.id, idempotency_key=idempotency_key)

    def follow(done: ApprovedCall) -> None:
        answer = done.answer or {}
        if isinstance(answer.get("secret"), str):
            keep_secret(answer["id"], answer["secret"])
            navigation.open_page("webhook", id=answer["id"])

    if one.may_approve:
        write_button(
            deployment,
            "Approve",
            name=f"approve-{one.id}",
            operation="POST /v1/approvals/{}/approve",
            what="Approving it",
            write=approve,
            on_success=follow,
            type="primary",
            icon=":material/check:",
        )
    with st.popover("Refuse" if one.may_approve else "Take back", icon=":material/close:"):
        _draw_refusal(deployment, one)


def _draw_refusal(deployment: Deployment, one: Approval) -> None:
    form = f"refuse-{one.id}"
    st.text_area("Why", key=f"{form}/reason", max_chars=MAX_REASON)
    draw_fault(form_faults(form).get().get("reason"))

    def check() -> CheckedForm[str]:
        reason = get_text(read_fields(form, ("reason",)), "reason")
        return CheckedForm(reason or None, {} if reason else {"reason": "Say why, for who asked."})

    form_button(
        deployment,
        "Refuse it" if one.may_approve else "Take it back",
        form=form,
        operation="POST /v1/approvals/{}/refuse",
        check=check,
        send=lambda client, reason, idempotency_key: client.approvals.refuse(
            one.id, reason, idempotency_key=idempotency_key
        ),
        what="Refusing it",
    )
