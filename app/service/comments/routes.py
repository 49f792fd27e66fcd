"""The routes of comments and histories: the same for scopes, negotiations and agreements."""

from typing import Annotated

from fastapi import APIRouter, Path
from starlette.responses import Response

from app.contract.comments import (
    Comment,
    CommentedKind,
    CommentPage,
    DeletedComment,
    HistoryEntry,
    NewComment,
)
from app.contract.page import ListPage, Pagination
from app.contract.values import Id
from app.service.access.guard import CallerDep, GuardedRoute
from app.service.comments.history import load_history
from app.service.comments.objects import require_object
from app.service.comments.store import add_comment, delete_comment, load_comments
from app.service.http.dependencies import ContextDep
from app.service.http.operations import extension
from app.service.http.query_parameters import PageDep, page_response
from app.service.http.responses import created_response, json_response

CommentId = Annotated[Id, Path(alias="commentId")]


def _make_router(kind: CommentedKind, name: str, prefix: str, tag: str) -> APIRouter:
    """Make the routes of one kind of object; `name` is the kind with its article."""
    router = APIRouter(prefix=prefix, tags=[tag], route_class=GuardedRoute)
    parameter = f"{kind}Id"

    @router.get(
        f"/{{{parameter}}}/comments",
        **extension(f"{kind}Comments.list", f"List the comments on {name}", CommentPage, 404),
    )
    def comments(
        object_id: Annotated[Id, Path(alias=parameter)], context: ContextDep, caller: CallerDep, page: PageDep
    ) -> Response:
        """List what people wrote, the newest first."""
        with context.database.reading() as connection:
            subject = require_object(connection, caller.organisation_id, kind, object_id, to_change=False)
            total, found = load_comments(connection, subject, caller, page)
        place = Pagination(total=total, limit=page.limit, offset=page.offset)
        return json_response(
            CommentPage(data=[*found], pagination=place, mail_available=context.settings.smtp_url is not None)
        )

    @router.post(
        f"/{{{parameter}}}/comments",
        **extension(f"{kind}Comments.create", f"Comment on {name}", Comment, 404, status_code=201),
    )
    def create(
        object_id: Annotated[Id, Path(alias=parameter)],
        body: NewComment,
        context: ContextDep,
        caller: CallerDep,
    ) -> Response:
        """Write a comment, which everybody in the organisation can read. It is plain text. `@` before the
        name or address of somebody on record (a member, an owner, who leads a negotiation) sends them a mail,
        where there is a mail server."""
        with context.database.writing() as connection:
            subject = require_object(connection, caller.organisation_id, kind, object_id, to_change=True)
            made = add_comment(connection, context, subject, caller, body.text)
        return created_response(made, f"{prefix}/{object_id}/comments")

    @router.delete(
        f"/{{{parameter}}}/comments/{{commentId}}",
        **extension(f"{kind}Comments.delete", f"Delete a comment on {name}", DeletedComment, 404),
    )
    def delete(
        object_id: Annotated[Id, Path(alias=parameter)],
        comment_id: CommentId,
        context: ContextDep,
        caller: CallerDep,
    ) -> Response:
        """Delete a comment with its text. Its author may, and an admin; the history goes on saying that there
        was one."""
        with context.database.writing() as connection:
            subject = require_object(connection, caller.organisation_id, kind, object_id, to_change=True)
            delete_comment(connection, subject, caller, comment_id, context.clock())
        return json_response(DeletedComment(id=comment_id))

    @router.get(
        f"/{{{parameter}}}/history",
        **extension(f"{kind}Histories.list", f"List what was done to {name}", ListPage[HistoryEntry], 404),
    )
    def history(
        object_id: Annotated[Id, Path(alias=parameter)], context: ContextDep, caller: CallerDep, page: PageDep
    ) -> Response:
        """List who did what and when, the newest first: changes, comments, and what was done in the
        background. Changes are known from the day on which this deployment began to record them."""
        with context.database.reading() as connection:
            subject = require_object(connection, caller.organisation_id, kind, object_id, to_change=False)
            total, found = load_history(connection, subject, page)
        return page_response([*found], total, page)

    return router


ROUTERS = (
    _make_router("scope", "a scope", "/v1/scope", "Scope"),
    _make_router("negotiation", "a negotiation", "/v1/negotiation", "Negotiation"),
    _make_router("agreement", "an agreement", "/v1/agreements", "Agreements"),
)
