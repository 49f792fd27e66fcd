"""The tabs "Comments" and "History" of a scope, a negotiation or an agreement."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from app.contract.comments import Comment, CommentedKind, NewComment
from app.dashboard.api import comment_queries, queries
from app.dashboard.api.write_button import write_button
from app.dashboard.deployment import Deployment
from app.dashboard.failure_panel import failure_panel
from app.dashboard.kit.filtered_list import load_list_page
from app.dashboard.kit.form import Field, Form
from app.dashboard.read_only_notice import READ_ONLY_REASON
from components.comments.comment_list import draw_comments
from components.comments.history_list import draw_history
from components.elements.pagination_bar import draw_pagination_bar
from components.formatting.datetimes import get_reader_zone

COMMENTS, HISTORY = "Comments", "History"
ROWS = 20


def list_comment_tabs(
    deployment: Deployment, kind: CommentedKind, object_id: str
) -> dict[str, Callable[[], None]]:
    """Return those of the two tabs that the deployment can fill."""
    path = comment_queries.PATHS[kind]
    drawn = {
        COMMENTS: (f"GET {path}/comments", _draw_comments_tab),
        HISTORY: (f"GET {path}/history", _draw_history_tab),
    }
    return {
        name: partial(draw, deployment, kind, object_id)
        for name, (operation, draw) in drawn.items()
        if queries.has_operation(deployment, operation)
    }


def _draw_comments_tab(deployment: Deployment, kind: CommentedKind, object_id: str) -> None:
    with failure_panel("The comments"):
        page = load_list_page(
            "comments-page",
            ROWS,
            lambda offset: comment_queries.load_comments(
                deployment, kind, object_id, limit=ROWS, offset=offset
            ),
        )
        _draw_form(deployment, kind, object_id, mail_available=page.mail_available)
        draw_comments(
            page.data,
            get_reader_zone(),
            kind=kind,
            draw_delete_button=partial(_draw_delete_button, deployment, kind, object_id),
        )
        if page.pagination.total > ROWS:
            draw_pagination_bar(page.pagination, "comments-page", "comment")


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
        icon=":material/send:",
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
        icon=":material/delete:",
        type="tertiary",
    )


def _draw_history_tab(deployment: Deployment, kind: CommentedKind, object_id: str) -> None:
    with failure_panel("The history"):
        page = load_list_page(
            "history-page",
            ROWS,
            lambda offset: comment_queries.load_history(
                deployment, kind, object_id, limit=ROWS, offset=offset
            ),
        )
        draw_history(page.data, get_reader_zone(), kind=kind)
        if page.pagination.total > ROWS:
            draw_pagination_bar(page.pagination, "history-page", "entry", "entries")
