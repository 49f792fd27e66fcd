"""Comments on a record, its history, and who looks after it."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import streamlit as st

from app.client import ScopedClient
from app.contract.comments import Comment, CommentedKind, NewComment, Owner
from app.contract.scope_list import ScopeChange
from app.dashboard.api import queries
from app.dashboard.api.write_button import write_button
from app.dashboard.deployment import READ_ONLY_REASON, Deployment
from app.dashboard.kit.filtered_list import Empty, FilteredList
from app.dashboard.kit.form import Form
from app.dashboard.kit.needs import Tab
from components.comments import draw_comments, draw_history, name_kind
from components.elements.form_fields import Field, Fields
from components.formatting import escape_markdown, shorten_text

COMMENTS, HISTORY = "Comments", "History"
ROWS = 20


def list_comment_tabs(
    deployment: Deployment,
    kind: CommentedKind,
    object_id: str,
    draw_origin: Callable[[], object] = lambda: None,
) -> dict[str, Tab]:
    """Return the tabs of comments and history; `draw_origin` says what was before that history."""
    path = queries.COMMENTED_PATHS[kind]
    return {
        COMMENTS: Tab(partial(_draw_comments_tab, deployment, kind, object_id), f"GET {path}/comments"),
        HISTORY: Tab(
            partial(_draw_history_tab, deployment, kind, object_id, draw_origin), f"GET {path}/history"
        ),
    }


def _draw_comments_tab(deployment: Deployment, kind: CommentedKind, object_id: str) -> None:
    FilteredList(
        key="comments-page",
        noun="comment",
        load=partial(queries.load_comments, deployment, kind, object_id),
        rows=ROWS,
        draw_above=lambda page: _draw_form(deployment, kind, object_id, mail_available=page.mail_available),
        draw=lambda page: draw_comments(
            page.data, draw_delete_button=partial(_draw_delete_button, deployment, kind, object_id)
        ),
        empty=Empty(
            "No comments yet", f"Nobody has written anything on this {name_kind(kind)}.", "chat_bubble"
        ),
    ).show()


def _draw_form(deployment: Deployment, kind: CommentedKind, object_id: str, *, mail_available: bool) -> None:
    form = Form(
        deployment,
        f"comment-{object_id}",
        NewComment,
        (
            Field(
                "text",
                "Your comment",
                "The comment must not be blank.",
                kind="area",
                placeholder="Everybody in your organisation can read it.",
                help=READ_ONLY_REASON if deployment.read_only else None,
            ),
        ),
    )
    form.draw(disabled=deployment.read_only)
    if not deployment.read_only:
        st.caption(
            "To name somebody, write @ and their name or address as it is on record. They get one mail."
            if mail_available
            else "This workspace has no mail server: who is named with @ gets no mail."
        )
    form.draw_button(
        "Comment",
        send=lambda client, new, key: client.comments.create(kind, object_id, new.text, idempotency_key=key),
        what="Writing the comment",
        icon="send",
    )


def _draw_delete_button(
    deployment: Deployment, kind: CommentedKind, object_id: str, comment: Comment
) -> None:
    write_button(
        deployment,
        "Delete",
        name=f"delete-{comment.id}",
        what="Deleting the comment",
        write=lambda client, _: client.comments.delete(kind, object_id, comment.id),
        icon="delete",
        type="tertiary",
    )


def _draw_history_tab(
    deployment: Deployment, kind: CommentedKind, object_id: str, draw_origin: Callable[[], object]
) -> None:
    FilteredList(
        key="history-page",
        noun="entry",
        nouns="entries",
        load=partial(queries.load_history, deployment, kind, object_id),
        rows=ROWS,
        draw_above=lambda _: draw_origin(),
        draw=lambda page: draw_history(page.data),
        empty=Empty(
            "Nothing on record", f"Nothing was recorded about this {name_kind(kind)} yet.", "history"
        ),
    ).show()


_LONGEST_NAME = 60


def draw_owners(
    deployment: Deployment, kind: CommentedKind, object_id: str, owners: Sequence[Owner] | None
) -> None:
    """Draw the owners, and behind a click the form of the first of them; the others stay."""
    named = owners or ()
    operation = f"PATCH {queries.COMMENTED_PATHS[kind]}"
    if not queries.has_operation(deployment, operation):
        st.caption(describe_owners(named), width="content")
        return
    others = named[1:]

    def shape(values: Fields) -> dict[str, Any]:
        first = {name: value for name, value in values.items() if value}
        return {"owners": [*([first] if values["name"] else []), *(one.wire() for one in others)]}

    form = Form(
        deployment,
        f"owner-{object_id}",
        ScopeChange,
        (
            Field("name", "Owner", placeholder="Nobody", most=200),
            Field("email", "Owner's email", kind="text", placeholder="name@example.com", most=254),
        ),
        shape=shape,
        check_fields=lambda values: (
            {"name": "Enter the owner's name too."} if values["email"] and not values["name"] else {}
        ),
        record={"name": named[0].name, "email": named[0].email} if named else {},
        changes="owner",
    )

    def send(client: ScopedClient, change: ScopeChange, _: str) -> object:
        resource = client.scopes if kind == "scope" else client.negotiations
        return resource.update(object_id, owners=change.owners or [])

    with form.draw_popover(describe_owners(named), icon="person"):
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
