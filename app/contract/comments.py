"""Comments on scopes, negotiations and agreements, their histories, and who looks after them. Extensions, see
`/v1/openapi`."""

import re
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, WithJsonSchema

from .model import Part, Reply, Request
from .page import ListPage
from .values import Email, Id, ReplyInstant, Text, open_words

MAX_OWNERS = 20


class Owner(Part):
    """Who looks after something. Who has an e-mail address gets mail about it, where there is a mail
    server."""

    name: Annotated[Text, Field(min_length=1, max_length=200)]
    email: Email | None = None


Owners = Annotated[list[Owner], Field(max_length=MAX_OWNERS)]


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

    text: CommentText = Field(
        description="What to write, as plain text; `@` before a name or an address names somebody."
    )


class NamedPerson(Reply):
    """Somebody whom a comment names, and to whom a mail goes where there is a mail server."""

    name: str = Field(description="The person's name.")
    email: str = Field(description="The address to which the mail goes.")


class Comment(Reply):
    """What somebody wrote on a scope, a negotiation or an agreement. `on_behalf_of` is the end user that the
    call named; `may_delete` says whether the caller may delete it: its author may, and an admin."""

    id: Id
    text: str = Field(description="What was written, as plain text.")
    author: str = Field(description="Who wrote it: the name of the person or API key at that time.")
    author_kind: Annotated[str, open_words("person", "key")] = Field(
        description="Whether a person or an API key wrote it."
    )
    on_behalf_of: str | None = Field(
        default=None, description="On whose behalf: the e-mail address or identifier of the end user."
    )
    created_at: ReplyInstant = Field(description="When it was written.")
    may_delete: bool = Field(description="Whether the caller may delete it.")
    named: list[NamedPerson] = Field(
        default_factory=list[NamedPerson], description="Whom it names by `@` and a name or an e-mail address."
    )


class CommentPage(ListPage[Comment]):
    """A page of comments, the newest first. Without a mail server nobody gets mail about being named."""

    mail_available: bool = Field(default=False, description="Whether this deployment has a mail server.")


class DeletedComment(Reply):
    """The comment that was deleted."""

    id: Id


class HistoryEntry(Reply):
    """Something that was done, as a sentence. `actor_kind` is `background` for what nobody's call did at that
    moment; `comment_id` names the comment that it tells of."""

    at: ReplyInstant = Field(description="When it was done.")
    actor_kind: Annotated[str, open_words("person", "key", "background")] = Field(
        description="Whether a person, an API key or the background did it."
    )
    actor: str | None = Field(
        default=None, description="Who did it: the name of the person or API key at that time."
    )
    text: str = Field(description="What was done, as a sentence.")
    comment_id: Id | None = Field(
        default=None, description="The comment that it tells of, by its id, while it is there."
    )
    operation: str | None = Field(
        default=None, description="The operation by which it was done, such as `scopes.create`."
    )
