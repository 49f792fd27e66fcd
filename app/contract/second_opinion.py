"""The second opinion on documents: whom an organisation asks about what is doubtful, and what was asked."""

from typing import Annotated, ClassVar

from pydantic import Field

from .model import Change, Reply
from .values import Flag, Instant, Text, open_words

DEFAULT_CALLS = 100
"""Calls a day, unless the organisation says otherwise."""
MAX_CALLS = 100_000


class SecondOpinionChange(Change):
    """The body of `PATCH /v1/second-opinion`. A `key` of null removes it. An `address` at another host is
    stated together with the `key` for it, so that no key reaches a host that it was not given for."""

    removable: ClassVar[frozenset[str]] = frozenset({"key"})

    enabled: Flag | None = None
    address: Annotated[Text, Field(max_length=2000, json_schema_extra={"format": "uri"})] | None = None
    model: Annotated[Text, Field(min_length=1, max_length=200)] | None = None
    key: Annotated[Text, Field(min_length=1, max_length=1000, pattern=r"^[!-~]+$")] | None = None
    calls_per_day: Annotated[int, Field(ge=0, le=MAX_CALLS)] | None = None


class SecondOpinionSettings(Reply):
    """Whom an organisation asks for a second opinion, and how often it may. The key is never shown."""

    enabled: Flag
    address: str | None = None
    model: str | None = None
    has_key: Flag
    calls_per_day: int
    calls_today: int
    updated_at: Instant | None = None


class SecondOpinion(Reply):
    """What a second opinion was asked about a document: what was sent, to whom and when, and what came of
    it, in sentences. `asked_at` is absent where nothing was sent."""

    status: Annotated[str, open_words("asked", "answered", "failed", "not_asked")]
    address: str
    model: str
    asked_at: Instant | None = None
    asked_about: list[str]
    page_numbers: list[int]
    word_count: int
    sentences: list[str]
