"""The people who sign in with the identity provider."""

import streamlit as st

from app.client import ScopedClient
from app.contract.people import Member
from app.dashboard.api import people_queries, queries
from app.dashboard.api.write_button import write_button
from app.dashboard.deployment import Deployment
from app.dashboard.failure_panel import failure_panel
from app.dashboard.list_page import load_list_page
from components.elements.empty_state import draw_empty_state
from components.elements.pagination_bar import draw_pagination_bar
from components.formatting.counts import format_count
from components.formatting.datetimes import format_local_time, get_reader_zone
from components.formatting.escape_markdown import escape_markdown

PAGE = "members-page"
ROWS = 25


def draw_members(deployment: Deployment) -> None:
    """Draw each person with role, last sign-in and sessions."""
    st.caption(
        "Roles come from the groups of your identity provider at each sign-in. To change one, change the"
        " groups there; it counts from the next sign-in on."
    )
    with failure_panel("The list of people"):
        page = load_list_page(
            PAGE, ROWS, lambda offset: people_queries.load_members(deployment, limit=ROWS, offset=offset)
        )
        if not page.data:
            draw_empty_state(
                "Nobody has signed in yet",
                "People appear here once they signed in with the identity provider. API keys are in the next"
                " tab.",
                icon="group",
            )
            return
        for member in page.data:
            _draw_member(deployment, member)
        draw_pagination_bar(page.pagination, PAGE, "person", "people")


def _draw_member(deployment: Deployment, member: Member) -> None:
    signed_in = (
        f"last sign-in {format_local_time(member.signed_in_at, get_reader_zone())}"
        if member.signed_in_at
        else "last sign-in not known"
    )
    with (
        st.container(border=True, key=f"member-{member.id}"),
        st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"),
    ):
        address = f" {escape_markdown(member.email)} ·" if member.email else ""
        st.markdown(
            f"**{escape_markdown(member.name)}** :gray-badge[{member.role}]  \n"
            f"{address} {signed_in} · {format_count(member.sessions, 'session')}",
            width="content",
        )
        if member.sessions:
            _draw_sign_out(deployment, member)
        if queries.has_operation(deployment, "POST /v1/members/{}/erase"):
            _draw_erasure(deployment, member)


def _draw_erasure(deployment: Deployment, member: Member) -> None:
    with st.popover("Erase", icon=":material/person_remove:", key=f"erase-{member.id}"):
        st.markdown(
            f"Replace {escape_markdown(member.name)} by a pseudonym everywhere, and end their access? Nothing"
            " brings the name back but a backup. What documents and imported files say stays."
        )
        write_button(
            deployment,
            "Erase this person",
            name=f"erase-member-{member.id}",
            operation="POST /v1/members/{}/erase",
            what="Erasing the person",
            write=lambda client, key: client.members.erase(member.id, idempotency_key=key),
            type="primary",
        )


def _draw_sign_out(deployment: Deployment, member: Member) -> None:
    def sign_out(client: ScopedClient, _: str) -> object:
        return client.members.sign_out(member.id)

    with st.popover("Sign out everywhere", icon=":material/logout:", key=f"sign-out-{member.id}"):
        st.markdown(
            f"Sign {escape_markdown(member.name)} out of every browser? They may sign in again, as long as"
            " the identity provider lets them."
        )
        write_button(
            deployment,
            "Sign them out",
            name=f"sign-out-member-{member.id}",
            operation="DELETE /v1/members/{}/sessions",
            what="Signing the person out",
            write=sign_out,
            type="primary",
        )
