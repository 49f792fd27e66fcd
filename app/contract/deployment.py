"""A deployment: its base address, its health report, and its invented sample data, a record beyond the
interface (see `/v1/openapi`)."""

from typing import Annotated
from urllib.parse import urlsplit

from pydantic import Field

from .model import Reply
from .values import Date, Flag, Id, Number, ReplyInstant, open_words


def parse_base_url(text: str) -> str:
    """Parse a base address; it loses a slash and one `/v1` at its end, as people copy it from other APIs.

    ValueError unless it is an http(s) address without credentials, query and fragment.
    """
    parts = urlsplit(text.strip())
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError("the base address must be like https://parley.example.com")
    if parts.username is not None or parts.password is not None or parts.query or parts.fragment:
        raise ValueError("the base address must hold no credentials, query or fragment")
    path = parts.path.rstrip("/").removesuffix("/v1").rstrip("/")
    return f"{parts.scheme}://{parts.netloc}{path}"


Status = Annotated[str, open_words("ok", "degraded", "error")]


class ServiceHealth(Reply):
    """One part of the deployment, such as the database or the worker."""

    name: str = Field(description="The name of the part.")
    status: Status


class HealthReport(Reply):
    """The state of the whole deployment and of each part. The HTTP status is 503 when `status` is `error`."""

    status: Status = Field(description="The state of the whole.")
    timestamp: ReplyInstant
    version: str = Field(description="The version of the service.")
    services: list[ServiceHealth] = Field(description="The parts of the service.")


SAMPLE_QUOTE_PATTERN = r"^Q-[0-9]{4}$"


class SampleData(Reply):
    """What sample data there is: the invented suppliers and their purchases, which everybody sees, and the
    organisation's own records that are sample data, by their ids. `counted` says that it is part of figures
    and counts: only while there is no real data."""

    counted: Flag = Field(
        description="Whether it is part of figures and counts: only while there is no real data."
    )
    suppliers: int = Field(description="How many suppliers are invented.")
    purchases: int = Field(description="How many purchases of invented suppliers are on record.")
    scope_ids: list[Id] = Field(
        description="The scopes of the organisation that are sample data, by their ids."
    )
    negotiation_ids: list[Id] = Field(
        description="The negotiations of the organisation that are sample data, by their ids."
    )
    webhook_ids: list[str] = Field(
        description="The webhooks of the organisation that are sample data, by their ids."
    )
    requirement_ids: list[Id] = Field(
        default_factory=list[Id],
        description="The requirements of the organisation that are sample data, by their ids.",
    )
    agreement_ids: list[Id] = Field(
        default_factory=list[Id],
        description="The agreements of the organisation that are sample data, by their ids.",
    )


class SampleRemoval(Reply):
    """How many records were removed, and in sentences what stays and why."""

    scopes: int = Field(description="How many scopes were removed.")
    negotiations: int = Field(description="How many negotiations were removed.")
    webhooks: int = Field(description="How many webhooks were removed.")
    files: int = Field(description="How many files were removed.")
    suppliers: int = Field(description="How many suppliers were removed.")
    products: int = Field(description="How many products were removed.")
    purchases: int = Field(description="How many purchases were removed.")
    kept: list[str] = Field(description="What stays and why, in sentences.")
    requirements: int = Field(default=0, description="How many requirements were removed.")


class SampleQuote(Reply):
    """A quote of a sample supplier, dated about today. Its document can be downloaded by its `number`."""

    number: str = Field(description="The number of the quote.")
    filename: str
    supplier_name: str = Field(description="The supplier that made the quote.")
    product_names: list[str]
    amount: Number
    currency: str
    quoted_on: Date
    valid_until: Date = Field(description="The last day on which the quote can be accepted.")
