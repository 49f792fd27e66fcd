"""Calls that wait for a second person, and what an organisation asks a second person for."""

from functools import partial

import streamlit as st

from app.contract.approvals import Approval, ApprovalRules, ApprovalRulesChange, ApprovedCall, RefuseApproval
from app.contract.money import format_exact_money
from app.contract.page import ListPage
from app.dashboard import navigation
from app.dashboard.api import queries
from app.dashboard.api.write_button import write_button
from app.dashboard.deployment import Deployment
from app.dashboard.failure_panel import failure_panel
from app.dashboard.kit.filtered_list import Empty, FilteredList
from app.dashboard.kit.form import Form
from app.dashboard.session_values import WEBHOOK_SECRET
from components.elements.form_fields import Field
from components.formatting import escape_markdown, format_local_time

RECORDS = {"/v1/requirements/": "requirement", "/v1/negotiation/": "negotiation", "/v1/webhooks/": "webhook"}
"""The pages of what calls are about, by how their paths begin."""
COLOURS = {"waiting": "orange", "approved": "green", "refused": "red", "expired": "gray"}


def draw_approvals(deployment: Deployment) -> None:
    """Draw the calls, the newest first."""
    FilteredList(
        key="approvals-page",
        noun="approval",
        load=partial(queries.load_approvals, deployment),
        draw=partial(_draw_page, deployment),
        empty=Empty(
            "Nothing waits for a second person",
            "What your organisation wants approved by two appears here.",
            icon="task_alt",
        ),
    ).show()


def _draw_page(deployment: Deployment, page: ListPage[Approval]) -> None:
    for one in page.data:
        with st.container(border=True, key=f"approval-{one.id}"):
            _draw_call(one)
            if one.may_approve or one.may_refuse:
                with st.container(horizontal=True):
                    _draw_buttons(deployment, one)


def _draw_call(one: Approval) -> None:
    amount = "" if one.amount is None else format_exact_money(one.amount, one.currency or "")
    colour = COLOURS.get(one.status, "gray")
    st.markdown(
        f"**{escape_markdown(one.name)}** {escape_markdown(amount)} :{colour}-badge[{one.status}]  \n"
        f"{escape_markdown(one.summary)}"
    )
    for start, page in RECORDS.items():
        record_id = one.path.removeprefix(start).partition("/")[0]
        if one.path.startswith(start) and record_id != "inbox":
            navigation.draw_link(page, "What it is about", icon="arrow_forward", id=record_id)
    st.markdown("\n".join(f"- {escape_markdown(detail)}" for detail in one.details))
    kind = " (API key)" if one.asked_by.kind == "key" else ""
    facts = [f"asked by {one.asked_by.name}{kind} on {format_local_time(one.asked_at)}"]
    if one.status == "waiting":
        facts.append(f"until {format_local_time(one.expires_at)}")
    if one.settled_by is not None:
        facts.append(f"{one.status} by {one.settled_by.name} on {format_local_time(one.settled_at)}")
    st.caption(escape_markdown(" · ".join(facts)))
    if one.reason:
        st.caption(f"Why: {escape_markdown(one.reason)}")
    if one.request:
        with st.expander("What was sent"):
            st.json(one.request)


def _draw_buttons(deployment: Deployment, one: Approval) -> None:
    def follow(done: ApprovedCall) -> None:
        answer = done.answer or {}
        if isinstance(answer.get("secret"), str):
            WEBHOOK_SECRET.set((answer["id"], answer["secret"]))
            navigation.open_page("webhook", id=answer["id"])

    if one.may_approve:
        write_button(
            deployment,
            "Approve",
            name=f"approve-{one.id}",
            operation="POST /v1/approvals/{}/approve",
            what="Approving it",
            write=lambda client, key: client.approvals.approve(one.id, idempotency_key=key),
            on_success=follow,
            type="primary",
            icon="check",
        )
    with st.popover("Refuse" if one.may_approve else "Take back", icon=":material/close:"):
        form = Form(
            deployment,
            f"refuse-{one.id}",
            RefuseApproval,
            (Field("reason", "Why", "Say why, for who asked.", kind="area"),),
        )
        form.draw()
        form.draw_button(
            "Refuse it" if one.may_approve else "Take it back",
            operation="POST /v1/approvals/{}/refuse",
            send=lambda client, refusal, key: client.approvals.refuse(
                one.id, refusal.reason, idempotency_key=key
            ),
            what="Refusing it",
        )


def draw_rules(deployment: Deployment) -> None:
    """Draw the form of what needs a second person, which takes the role owner."""
    with failure_panel("What needs a second person"):
        rules = queries.load_approval_rules(deployment)
        st.caption(
            "Another person than who asks for it, with the same role, approves it here. API keys ask and"
            " approve nothing. What asks for less than before needs a second owner itself."
        )
        form = make_rules_form(deployment, rules)
        form.draw()
        form.draw_button(
            "Save",
            operation="PATCH /v1/approval-rules",
            send=lambda client, change, _: client.approvals.change_rules(change),
            what="Saving what needs a second person",
            icon="save",
        )


def make_rules_form(deployment: Deployment, rules: ApprovalRules) -> Form[ApprovalRulesChange]:
    """Return the form that changes the rules on record."""
    return Form(
        deployment,
        "approval-rules",
        ApprovalRulesChange,
        (
            Field("awards", "Awards of comparisons"),
            Field("webhooks", "New webhooks, new secrets of webhooks, and their deletion"),
            Field(
                "prices_above",
                f"Agreed prices above ({rules.currency}, before tax)",
                help="A price in another currency counts at the rate of the day, and needs a second person"
                " where there is none. Empty: no price needs one.",
            ),
        ),
        record=dict(rules),
        changes="setting",
    )
