"""Finding records by words: an extension of the interface, see `/v1/openapi`."""

from typing import Annotated, Literal

from pydantic import Field

from .model import Reply
from .values import Flag, Id, ReplyInstant, open_words

SearchKind = Literal["supplier", "product", "scope", "negotiation", "agreement", "document"]

MIN_SEARCH_LENGTH = 2
MAX_SEARCH_LENGTH = 200
DEFAULT_SEARCH_LIMIT = 5
MAX_SEARCH_LIMIT = 20
"""Of each group."""


class SearchHit(Reply):
    """A record that was found. `detail` tells it from others of the same name: the supplier's domain, or the
    supplier of a product, scope, agreement or document. A document has the id of the scope that it was read
    into, or of the negotiation that it is attached to. `archived` is there where a scope, or that of a
    document, is archived."""

    id: Id = Field(
        description="Its id; of a document that of the scope that it was read into, or of its attachment."
    )
    name: str
    detail: str | None = Field(
        default=None, description="What tells it from others of the same name, such as its supplier."
    )
    created_at: ReplyInstant = None
    scope_id: Id | None = None
    negotiation_id: Id | None = None
    archived: Flag | None = Field(
        default=None, description="`true` where the scope, or that of the document, is archived."
    )


class SearchGroup(Reply):
    """What was found of one kind; `more` says whether there is more of it."""

    kind: Annotated[str, open_words(SearchKind)] = Field(description="Of what kind the records are.")
    hits: list[SearchHit] = Field(description="What was found, the best first.")
    more: bool = Field(description="Whether there is more of this kind.")


class SearchResults(Reply):
    """What was found, by kind. A kind of which nothing was found is left out."""

    groups: list[SearchGroup] = Field(
        default_factory=list[SearchGroup], description="What was found, by kind."
    )
