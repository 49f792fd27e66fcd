"""The second opinion on documents: whom an organisation asks about what is doubtful, and what was asked."""

from typing import Annotated, ClassVar

from pydantic import Field

from .model import Change, Reply
from .values import WHOLE, Flag, Instant, Text, open_words

DEFAULT_CALLS = 100
"""Calls a day, unless the organisation says otherwise."""
MAX_CALLS = 100_000


class SecondOpinionChange(Change):
    """The body of `PATCH /v1/second-opinion`. A `key` of null removes it. An `address` at another host is
    stated together with the `key` for it, so that no key reaches a host that it was not given for."""

    removable: ClassVar[frozenset[str]] = frozenset({"key"})

    enabled: Flag | None = Field(
        default=None, description="Whether it is asked about what is doubtful in a document."
    )
    address: Annotated[Text, Field(max_length=2000, json_schema_extra={"format": "uri"})] | None = Field(
        default=None, description="The service that is asked: `/chat/completions` is added to it."
    )
    model: Annotated[Text, Field(min_length=1, max_length=200)] | None = Field(
        default=None, description="The model that is asked."
    )
    key: Annotated[Text, Field(min_length=1, max_length=1000, pattern=r"^[!-~]+$")] | None = Field(
        default=None, description="The key that is sent with each call; it is never shown."
    )
    calls_per_day: Annotated[int, Field(ge=0, le=MAX_CALLS), WHOLE] | None = Field(
        default=None, description="How many calls may be made from midnight to midnight, UTC."
    )


class SecondOpinionSettings(Reply):
    """Whom an organisation asks for a second opinion, and how often it may. The key is never shown."""

    enabled: Flag = Field(description="Whether it is asked about what is doubtful in a document.")
    address: str | None = Field(
        default=None, description="The service that is asked: `/chat/completions` is added to it."
    )
    model: str | None = Field(default=None, description="The model that is asked.")
    has_key: Flag = Field(description="Whether a key is sent with each call.")
    calls_per_day: int = Field(description="How many calls may be made from midnight to midnight, UTC.")
    calls_today: int = Field(description="How many calls were made since midnight, UTC.")
    updated_at: Instant | None = None


class SecondOpinion(Reply):
    """What a second opinion was asked about a document: what was sent, to whom and when, and what came of
    it, in sentences. `asked_at` is absent where nothing was sent."""

    status: Annotated[str, open_words("asked", "answered", "failed", "not_asked")] = Field(
        description="Whether it was asked, and whether it answered."
    )
    address: str = Field(description="The service that was asked.")
    model: str = Field(description="The model that was asked.")
    asked_at: Instant | None = Field(
        default=None, description="When it was asked; absent where nothing was sent."
    )
    asked_about: list[str] = Field(description="What was doubtful: names of sums, and `lines`.")
    page_numbers: list[int] = Field(description="The pages whose words were sent.")
    word_count: int = Field(description="How many words were sent.")
    sentences: list[str] = Field(description="What came of it.")
