"""Who looks after a scope or a negotiation: shown to all, changed by who may."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from app.client import ScopedClient
from app.contract.comments import CommentedKind
from app.contract.owners import Owner
from app.contract.scope_list import ScopeChange
from app.dashboard.api import comment_queries, queries
from app.dashboard.deployment import Deployment
from app.dashboard.kit.form import Field, Form
from components.elements.form_fields import Fields
from components.formatting.escape_markdown import escape_markdown
from components.formatting.shortening import shorten_text

_LONGEST_NAME = 60


def draw_owners(
    deployment: Deployment, kind: CommentedKind, object_id: str, owners: Sequence[Owner] | None
) -> None:
    """Draw the owners, and behind a click the form of the first of them; the others stay."""
    named = owners or ()
    operation = f"PATCH {comment_queries.PATHS[kind]}"
    if not queries.has_operation(deployment, operation):
        st.caption(describe_owners(named), width="content")
        return
    others = named[1:]
    form = Form(
        deployment,
        f"owner-{object_id}",
        ScopeChange,
        (
            Field("name", "Owner", placeholder="Nobody", most=200),
            Field("email", "Owner's email", kind="text", placeholder="name@example.com", most=254),
        ),
        shape=lambda values: {"owners": [*_name_first(values), *(one.wire() for one in others)]},
        check_fields=lambda values: (
            {"name": "Enter the owner's name too."} if values["email"] and not values["name"] else {}
        ),
        record={"name": named[0].name, "email": named[0].email} if named else {},
        changes="owner",
    )

    def send(client: ScopedClient, change: ScopeChange, _: str) -> object:
        resource = client.scopes if kind == "scope" else client.negotiations
        return resource.update(object_id, owners=change.owners or [])

    with form.draw_popover(describe_owners(named), icon=":material/person:"):
        form.draw()
        if others:
            names = ", ".join(owner.name for owner in others)
            st.caption(f"Besides: {escape_markdown(names)}. They stay.")
        st.caption("Who is named gets one mail, where there is an address and a mail server.")
        form.draw_button("Save the owner", send=send, what="Naming the owner", operation=operation)


def describe_owners(owners: Sequence[Owner]) -> str:
    """Return `Owner: Bea Buyer and 1 more` in Markdown."""
    if not owners:
        return "No owner"
    others = f" and {len(owners) - 1} more" if len(owners) > 1 else ""
    return f"Owner: {escape_markdown(shorten_text(owners[0].name, _LONGEST_NAME))}{others}"


def _name_first(values: Fields) -> list[dict[str, Any]]:
    if not values["name"]:
        return []
    return [{name: value for name, value in values.items() if value}]
