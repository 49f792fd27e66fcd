"""Scopes in a list: what they are called, from whom they are bought and how far they are. An extension, see
`/v1/openapi`."""

import re
from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    StringConstraints,
    WithJsonSchema,
)

from .comments import Owner, Owners
from .model import Change, Reply
from .page import ListPage, ListQuery
from .scope import DocumentStatus, Scope, ScopeSource
from .values import Flag, Id, ReplyInstant, open_words

ScopeStatus = Literal["reading", "unreadable", "review", "ready", "in_negotiation", "agreed", "replaced"]
"""How far a scope is: its document is being read, could not be read, or was read and waits for a person; it
can be estimated; it is negotiated, or agreed; or a later version took its place."""

WAITING_STATUSES: tuple[Literal["review", "unreadable", "reading"], ...] = ("review", "unreadable", "reading")
"""What waits: the document of such a scope was not dealt with yet, unless the scope is archived."""

MAX_SCOPE_NAME = 200

_HIDDEN = r"\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069"
"""Control characters, breaks of lines, and what turns the direction of the text around it."""
_BLANK = r"\s\u00ad\u200b-\u200f\u2060\ufeff"
SCOPE_NAME_PATTERN = f"^[^{_HIDDEN}]*[^{_HIDDEN}{_BLANK}][^{_HIDDEN}]*$"
_NAME = re.compile(SCOPE_NAME_PATTERN)


def _check_name(name: str) -> str:
    if _NAME.fullmatch(name):
        return name
    if re.search(f"[{_HIDDEN}]", name):
        raise ValueError("must not hold line breaks, control characters or marks that turn the text around")
    raise ValueError("must not be blank")


def _read_flag(value: object) -> object:
    if isinstance(value, bool):
        return value
    if value not in {"true", "false"}:
        raise ValueError("must be true or false")
    return value == "true"


ScopeName = Annotated[
    str,
    StringConstraints(strict=True, strip_whitespace=True, max_length=MAX_SCOPE_NAME),
    AfterValidator(_check_name),
    WithJsonSchema(
        {"type": "string", "minLength": 1, "maxLength": MAX_SCOPE_NAME, "pattern": SCOPE_NAME_PATTERN}
    ),
]
"""One line of text that can be seen, in any script; spaces around it are dropped."""


class ScopeQuery(ListQuery, total=False):
    """Which scopes are listed. `status` is that of the scope, or how far the reading of its document is
    (`pending`, `processing`, `completed`, `failed`)."""

    name: Annotated[
        str | None,
        Field(
            max_length=500,
            description="Part of the scope's name, or of its supplier's or document's, in any case.",
        ),
    ]
    source: ScopeSource | None
    status: Annotated[
        ScopeStatus | DocumentStatus | None,
        Field(description="Only those in this state, or whose document is in it."),
    ]
    company_id: Annotated[Id | None, Field(description="Only those of this supplier.")]
    archived: Annotated[
        Annotated[bool, BeforeValidator(_read_flag)] | None,
        Field(description="Only those that are archived, or that are not; both by default."),
    ]
    document_sha256: Annotated[
        str | None,
        Field(
            min_length=64,
            max_length=64,
            pattern="^[0-9a-f]*$",
            description="The SHA-256 of the document's content, in hexadecimal digits.",
        ),
    ]
    ids: Sequence[str] | None


class ScopeSupplier(Reply):
    """Who sells what a scope describes: as the catalog has it, or as the document says."""

    company_id: Id | None = Field(
        default=None, description="The company of the catalog, by its id, where it is one."
    )
    name: str


class ListedScope(Scope):
    """A scope with what the interface's scope does not state: its name, as a person gave it or made of its
    supplier and products, its status, its supplier, the currency of its amounts, and since when it is
    archived."""

    name: str | None = Field(
        default=None,
        description="What it is called: the name that it was given, or one of its supplier and products.",
    )
    status: Annotated[str, open_words(ScopeStatus)] | None = Field(
        default=None, description="How far it is, from the reading of its document to an agreed price."
    )
    supplier: ScopeSupplier | None = Field(
        default=None, description="Who sells it: as the catalog has it, or as the document says."
    )
    currency: str | None = None
    owners: list[Owner] | None = None
    archived_at: ReplyInstant = Field(
        default=None, description="Since when it is archived; absent where it is not."
    )
    negotiation_id: Id | None = Field(
        default=None, description="The newest negotiation of it that was not cancelled, by its id."
    )
    agreement_id: Id | None = Field(default=None, description="The agreement made of it, by its id.")
    requirement_id: Id | None = Field(
        default=None, description="The newest requirement that it is a quote for, by its id."
    )


class ScopeStatusCount(Reply):
    """How many scopes have a status."""

    status: Annotated[str, open_words(ScopeStatus)]
    total: int = Field(description="How many scopes have it.")


class ScopePage(ListPage[ListedScope]):
    """A page of scopes, newest first. `statuses` counts all that match the query whatever their status;
    one that no scope has is left out."""

    statuses: list[ScopeStatusCount] = Field(
        default_factory=list[ScopeStatusCount],
        description="How many scopes have each status, of all that match the query whatever their status.",
    )


class ScopeChange(Change):
    """The body of `PATCH /v1/scope/{scopeId}`: a new name, whether the scope is archived, its owners, or
    several of them. What is left out stays as it is; a name of `null` gives back the one made of supplier and
    products."""

    removable = frozenset({"name", "owners"})

    name: ScopeName | None = Field(
        default=None, description="The new name, one line of text; `null` for the one made of its products."
    )
    archived: Flag | None = Field(default=None, description="Whether it is archived.")
    owners: Owners | None = None
