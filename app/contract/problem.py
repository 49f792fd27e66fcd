"""Errors on the wire: RFC 9457 problem details, with a trace and the invalid fields."""

from .model import Reply
from .values import Id, ReplyInstant

MEDIA_TYPE = "application/problem+json"


class Place(Reply):
    """One invalid field. `pointer` is a JSON Pointer into the body, or the name of a parameter."""

    pointer: str
    detail: str


class Trace(Reply):
    """When the error happened and the id under which the service logged it."""

    timestamp: ReplyInstant
    request_id: str


class EntryCandidate(Reply):
    """A product, or a company alone, on record that is similar to the requested entry. `why` is a
    sentence."""

    company_id: Id
    product_id: Id | None = None
    name: str
    why: str


class Problem(Reply):
    """The body of every answer of 400 and above. `candidates` are records similar to a new catalog
    entry (409)."""

    type: str
    title: str
    status: int
    detail: str
    instance: str
    trace: Trace
    errors: list[Place] | None = None
    candidates: list[EntryCandidate] | None = None
