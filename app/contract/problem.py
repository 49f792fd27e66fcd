"""Errors on the wire: RFC 9457 problem details, with a trace and the invalid fields."""

from pydantic import Field

from .model import Reply
from .values import Id, ReplyInstant

MEDIA_TYPE = "application/problem+json"


class Place(Reply):
    """One invalid field. `pointer` is a JSON Pointer into the body, or the name of a parameter."""

    pointer: str = Field(description="A JSON Pointer into the body, or the name of a parameter or header.")
    detail: str = Field(description="What happened or is wrong, in words.")


class Trace(Reply):
    """When the error happened and the id under which the service logged it."""

    timestamp: ReplyInstant = Field(description="When the error happened.")
    request_id: str = Field(description="The id of the request, under which the service logged it.")


class EntryCandidate(Reply):
    """A product, or a company alone, on record that is similar to the requested entry. `why` is a
    sentence."""

    company_id: Id
    product_id: Id | None = None
    name: str = Field(description="The name of the product, or of the company.")
    why: str = Field(description="Why it may be the same, in a sentence.")


class Problem(Reply):
    """The body of every answer of 400 and above. `candidates` are records similar to a new catalog
    entry (409), and `approval_id` names what waits for a second person (409)."""

    type: str = Field(description="`about:blank`: the status says what kind of problem it is.")
    title: str = Field(description="The phrase of the status.")
    status: int = Field(description="The status of the answer.")
    detail: str = Field(
        description="What is wrong and what can be done, in words; it names the first invalid fields."
    )
    instance: str = Field(description="The path that was called.")
    trace: Trace = Field(description="When it happened and the id of the request.")
    errors: list[Place] | None = Field(
        default=None, description="The invalid fields with their places, the first 100 of them."
    )
    candidates: list[EntryCandidate] | None = Field(
        default=None, description="Entries on record that a new one may be (409)."
    )
    approval_id: Id | None = Field(
        default=None, description="The approval that the call waits for, which another person gives (409)."
    )
