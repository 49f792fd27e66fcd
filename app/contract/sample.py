"""The invented sample data: records beyond the interface, see `/v1/openapi`."""

from pydantic import Field

from .model import Reply
from .values import Date, Flag, Id, Number

SAMPLE_QUOTE_PATTERN = r"^Q-[0-9]{4}$"


class SampleData(Reply):
    """What sample data there is: the invented suppliers and their purchases, which everybody sees, and the
    organisation's own records that are sample data, by their ids. `counted` says that it is part of figures
    and counts: only while there is no real data."""

    counted: Flag
    suppliers: int
    purchases: int
    scope_ids: list[Id]
    negotiation_ids: list[Id]
    webhook_ids: list[str]
    requirement_ids: list[Id] = Field(default_factory=list[Id])


class SampleRemoval(Reply):
    """How many records were removed, and in sentences what stays and why."""

    scopes: int
    negotiations: int
    webhooks: int
    files: int
    suppliers: int
    products: int
    purchases: int
    kept: list[str]
    requirements: int = 0


class SampleQuote(Reply):
    """A quote of a sample supplier, dated about today. Its document can be downloaded by its `number`."""

    number: str
    filename: str
    supplier_name: str
    product_names: list[str]
    amount: Number
    currency: str
    quoted_on: Date
    valid_until: Date
