"""The audit log, who changed what: an extension, see `/v1/openapi`."""

from typing import Annotated, Literal

from pydantic import Field

from .model import Reply
from .page import ListQuery
from .values import Id, Instant, ReplyInstant, Text, open_words

MAX_NUMBER = 2**53
"""Of an entry: the greatest that every JSON keeps."""

ActorKind = Literal["person", "key", "command", "service"]
ObjectKind = Literal[
    "approval",
    "product",
    "file",
    "scope",
    "negotiation",
    "agreement",
    "feed",
    "import",
    "requirement",
    "webhook",
    "key",
    "member",
    "session",
    "deployment",
    "settings",
    "sample data",
]


class AuditFilter(ListQuery, total=False):
    """Which entries of the audit log are wanted."""

    actor_id: Annotated[Id | None, Field(description="Only what this key or person did.")]
    actor_kind: Annotated[
        ActorKind | None,
        Field(description="Only what people, keys, commands or the service by itself did: `service`."),
    ]
    action: Annotated[
        Text | None, Field(max_length=60, description="Only this action, by the id of its operation.")
    ]
    object_kind: Annotated[ObjectKind | None, Field(description="Only changes of this kind of thing.")]
    object_id: Annotated[
        Text | None, Field(max_length=200, description="Only changes of this thing, by its id.")
    ]
    since: Annotated[Instant | None, Field(description="Made at or after.")]
    until: Annotated[Instant | None, Field(description="Made before.")]


class AuditQuery(AuditFilter, total=False):
    """The same, from a place on."""

    before: Annotated[
        Id | None, Field(description="Only entries older than this one: `next` of the page before.")
    ]


class AuditListQuery(AuditQuery, total=False):
    """The same, and the other way round, for programs that follow the log."""

    after: Annotated[
        int | None,
        Field(
            ge=0,
            le=MAX_NUMBER,
            description="Only entries with a number above this one, the oldest first: `last` of the answer"
            " before, at first 0.",
        ),
    ]


class Actor(Reply):
    """Who made a change: a person, an API key, the operator at the command line, or the service by itself in
    the background; the last two have no id. `name` is what they were called at that time, and of a person
    what they are called now."""

    kind: Annotated[str, open_words(ActorKind)] = Field(
        description="Whether a person, an API key, a command of the operator or the service by itself did it."
    )
    id: Id | None = Field(
        default=None,
        description="The id of the person or key; absent at the command line and where the service did it.",
    )
    name: str = Field(description="What they were called at that time; a person, what they are called now.")


class AuditedObject(Reply):
    """What was changed. `path` is where it can be read, and is there while it exists."""

    kind: str = Field(description="What kind of thing it is.")
    id: str | None = None
    name: str | None = Field(
        default=None, description="What it was called in the answer; absent where that had no name."
    )
    path: str | None = Field(default=None, description="Where it can be read, while it exists.")


class AuditEntry(Reply):
    """One change, one attempt to sign in, one file or export that was read, or what the service did by
    itself. It names the fields that came, never their values. `asked_by` is whose call the service's work
    began with, where that is certain. Asked for `after` a number, it has its own number and its `hash`: one
    of the entry and of the hash before it, so that nobody changes an entry whose hash is kept elsewhere."""

    id: Id
    at: ReplyInstant = Field(description="When it was done.")
    actor: Actor
    asked_by: Actor | None = Field(
        default=None,
        description="Whose call the work of the service began with; absent where that is not certain.",
    )
    action: str
    summary: str = Field(description="What was done, in words.")
    object: AuditedObject = Field(description="What was changed.")
    fields: list[str] = Field(description="The names of the fields that came with the call.")
    request_id: str = Field(
        description="The id of the request, or of that which asked for the work; else empty."
    )
    number: int | None = Field(
        default=None, description="Its place in the log from 1 on, in the answer to `after`."
    )
    hash: str | None = Field(
        default=None, description="SHA-256 of the entry and of the hash before it, in the answer to `after`."
    )


class AuditPage(Reply):
    """Entries of the audit log, the newest first. The log grows at its start, so a page begins after an entry
    and not at a number; `next` is absent on the last. Asked for `after` a number, the oldest come first, and
    `last` is the number to go on after, also where there are no more entries yet."""

    data: list[AuditEntry] = Field(description="The entries of this page.")
    next: Id | None = Field(
        default=None,
        description="The entry to continue after, as `before` of the next call; absent at the end.",
    )
    last: int | None = Field(
        default=None,
        description="The number to continue after, as `after` of the next call, where that was asked for.",
    )
