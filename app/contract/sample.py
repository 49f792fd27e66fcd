"""The invented sample data: records beyond the interface, see `/v1/openapi`."""

from .model import Reply
from .values import Date, Number

SAMPLE_QUOTE_PATTERN = r"^Q-[0-9]{4}$"


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
