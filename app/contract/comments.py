"""Comments on scopes, negotiations and agreements, and their histories. Extensions, see `/v1/openapi`."""

import re
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, WithJsonSchema

from .model import Reply, Request
from .page import ListPage
from .values import Id, ReplyInstant, Text, open_words

CommentedKind = Literal["scope", "negotiation", "agreement"]
"""What comments are written on."""

MAX_COMMENT = 4_000


def _check_text(text: str) -> str:
    if not re.search(r"\S", text):
        raise ValueError("must not be blank")
    return text


CommentText = Annotated[
    Text,
    Field(min_length=1, max_length=MAX_COMMENT),
    AfterValidator(_check_text),
    WithJsonSchema({"type": "string", "minLength": 1, "maxLength": MAX_COMMENT, "pattern": r"\S"}),
]
"""Plain text of one or more lines: what looks like HTML or Markdown in it means nothing."""


class NewComment(Request):
    """The body of `POST …/comments`."""

    text: CommentText


class NamedPerson(Reply):
    """Somebody whom a comment names, and to whom a mail goes where there is a mail server."""

    name: str
    email: str


class Comment(Reply):
    """What somebody wrote on a scope, a negotiation or an agreement. `on_behalf_of` is the end user that the
    call named; `may_delete` says whether the caller may delete it: its author may, and an admin."""

    id: Id
    text: str
    author: str
    author_kind: Annotated[str, open_words("person", "key")]
    on_behalf_of: str | None = None
    created_at: ReplyInstant
    may_delete: bool
    named: list[NamedPerson] = Field(default_factory=list[NamedPerson])


class CommentPage(ListPage[Comment]):
    """A page of comments, the newest first. Without a mail server nobody gets mail about being named."""

    mail_available: bool = False


class DeletedComment(Reply):
    """The comment that was deleted."""

    id: Id


class HistoryEntry(Reply):
    """Something that was done, as a sentence. `actor_kind` is `background` for what nobody's call did at that
    moment; `comment_id` names the comment that it tells of."""

    at: ReplyInstant
    actor_kind: Annotated[str, open_words("person", "key", "background")]
    actor: str | None = None
    text: str
    comment_id: Id | None = None
