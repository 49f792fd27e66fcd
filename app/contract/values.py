"""The scalars of the wire: how a number, a date, an id and an open word are read and written.

Requests are read strictly, as their JSON Schema says (a number in quotes is no number). Replies are read
leniently: blank and null dates become None, unknown words pass. Both are written in one way.
"""

import json
import math
import re
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Annotated, Any, get_args

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    PlainSerializer,
    StringConstraints,
    WithJsonSchema,
)

UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
"""An id, as texts have it."""
_RFC3339 = re.compile(r"\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d{1,30})?([Zz]|[+-]\d\d:\d\d)", re.ASCII)
_ISO_DATE = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_NUMERIC_TEXT = re.compile(r"[0-9]{1,12}(\.[0-9]{1,12})?")
# Not written where it is used: the union would be made for each number of each record.
_NUMBERS = (int, float, Decimal)


def _uuid_text(value: object) -> str:
    if not isinstance(value, str) or not UUID.fullmatch(value):
        raise ValueError("must be a UUID such as 018f2c5e-7b1a-7c3d-9e4f-5a6b7c8d9e0f")
    return value.lower()


def _json_number(value: object) -> int | Decimal:
    if isinstance(value, bool) or not isinstance(value, _NUMBERS):
        raise ValueError("must be a number")
    if value == 0:
        return 0  # and never the negative zero of floating point
    return Decimal(str(value)) if isinstance(value, float) else value


def _keep_from_vanishing(value: Decimal) -> Decimal:
    if value and abs(value) < SMALLEST_AMOUNT:
        raise ValueError(f"must be at least {SMALLEST_AMOUNT:f} where it is not 0")
    return value


def _json_integer(value: object) -> object:
    number = _json_number(value)
    if not math.isfinite(number) or number % 1:
        raise ValueError("must be a whole number")
    return int(number)


def json_number(value: Decimal) -> int | float:
    """The number as JSON has it: an int where it is whole."""
    return int(value) if value == value.to_integral_value() and abs(value) < 10**15 else float(value)


def _numeric_text(value: str) -> str:
    if not _NUMERIC_TEXT.fullmatch(value):
        raise ValueError('must be a number, or one as digits such as "10" or "2.5"')
    return value


def _json_bool(value: object) -> object:
    if not isinstance(value, bool):
        raise ValueError("must be true or false")
    return value


def _zoned(value: object) -> object:
    if isinstance(value, datetime):
        return value
    if not isinstance(value, str) or not _RFC3339.fullmatch(value):
        raise ValueError("must be a date-time with a zone, such as 2026-11-20T09:30:00Z")
    return value


def _plain_date(value: object) -> object:
    """A date, or the date of a date-time: callers send both."""
    if isinstance(value, date):
        return value
    if isinstance(value, str) and _RFC3339.fullmatch(value):
        return value[:10]
    if not isinstance(value, str) or not _ISO_DATE.fullmatch(value):
        raise ValueError("must be a date such as 2026-11-20")
    return value


def _blank_is_none(value: object) -> object:
    return None if value == "" else value


def wire_instant(value: datetime) -> str:
    """`value` as an ISO 8601 date-time in UTC, milliseconds, ending in Z."""
    moment = value if value.tzinfo is UTC else value.astimezone(UTC)
    return moment.isoformat(timespec="milliseconds").removesuffix("+00:00") + "Z"


def _optional_instant(value: datetime | None) -> str | None:
    return None if value is None else wire_instant(value)


def _in_utc(value: datetime | None) -> datetime | None:
    if value is None:
        return None
    if value.tzinfo is None:
        return value.replace(tzinfo=UTC)
    try:
        return value.astimezone(UTC)
    except OverflowError:
        raise ValueError("must be a date-time of the years 1 to 9999 in UTC") from None


MAX_AMOUNT = Decimal(10) ** 12
"""An amount of this size or more is a mistake, not money."""
SMALLEST_AMOUNT = Decimal(10) ** -12
"""A price, a quantity or a share that is not 0 and below this is a mistake."""
CURRENCY_PATTERN = r"^[A-Z]{3}$"
"""How a currency's code of ISO 4217 is written."""

MAX_ID_LENGTH = 100
"""Of an id that is any text."""

Id = Annotated[str, BeforeValidator(_uuid_text), WithJsonSchema({"type": "string", "format": "uuid"})]
"""A UUID, lower-case text. Refuses any other spelling."""

Number = Annotated[
    Decimal,
    BeforeValidator(_json_number),
    PlainSerializer(json_number, return_type=int | float),
    Field(allow_inf_nan=False),
    WithJsonSchema({"type": "number"}),
]
"""A finite JSON number, a Decimal inside."""

NOT_VANISHING = AfterValidator(_keep_from_vanishing)
"""Refuses a number that is not 0 and closer to it than `SMALLEST_AMOUNT`."""


Amount = Annotated[
    Number,
    Field(ge=0, lt=MAX_AMOUNT),
    NOT_VANISHING,
    WithJsonSchema({"type": "number", "minimum": 0, "exclusiveMaximum": 10**12}),
]
"""Money, 0 or from 10^-12 to below 10^12, in the currency that stands beside it."""

Percentage = Annotated[
    Number,
    Field(ge=0, le=100),
    NOT_VANISHING,
    WithJsonSchema({"type": "number", "minimum": 0, "maximum": 100}),
]
"""0, or from 10^-12 to 100."""

Quantity = Amount
"""How much of something: 0, or from 10^-12 to below 10^12."""

Positive = Annotated[Quantity, Field(gt=0)]
"""From 10^-12 to below 10^12."""

NumericText = Annotated[
    str,
    StringConstraints(strict=True, max_length=25),
    AfterValidator(_numeric_text),
    WithJsonSchema({"type": "string", "pattern": f"^{_NUMERIC_TEXT.pattern}$", "maxLength": 25}),
]
"""A number as the digits of a text, as the values of a select's options are: 0 or more and below 10^12."""

Months = Annotated[int, Field(ge=1, le=1200), BeforeValidator(_json_integer)]
"""A term of 1 to 1200 months; 12.0 is whole, as JSON Schema has it."""

WHOLE = BeforeValidator(_json_integer)
"""Takes a whole number; 12.0 is one, as JSON Schema has it. It stands behind the bounds of the number."""

Flag = Annotated[bool, BeforeValidator(_json_bool)]

Text = Annotated[str, StringConstraints(strict=True)]

Name = Annotated[str, StringConstraints(strict=True, min_length=1, max_length=500)]

Instant = Annotated[
    datetime,
    BeforeValidator(_zoned),
    AfterValidator(_in_utc),
    PlainSerializer(wire_instant, return_type=str),
    WithJsonSchema({"type": "string", "format": "date-time"}),
]
"""A date-time of a request: its zone is required. UTC inside."""

Date = Annotated[date, BeforeValidator(_plain_date), WithJsonSchema({"type": "string", "format": "date"})]

ReplyInstant = Annotated[
    datetime | None,
    BeforeValidator(_blank_is_none),
    AfterValidator(_in_utc),
    PlainSerializer(_optional_instant, return_type=str | None),
    WithJsonSchema({"type": "string", "format": "date-time"}),
]
"""A date-time of a reply; a deployment may send null or an empty string, both are read as None."""

RecordInstant = Annotated[ReplyInstant, WithJsonSchema({"type": "string"})]
"""A date-time of a delivery's record: an empty string on the wire while there is none (None here)."""

CurrencyCode = Annotated[str, StringConstraints(strict=True, max_length=3, pattern=CURRENCY_PATTERN)]
"""ISO 4217."""


def max_bytes(limit: int) -> AfterValidator:
    """Refuses an object that takes more bytes as JSON: the bound of objects of any content."""

    def check(value: dict[str, Any]) -> dict[str, Any]:
        if len(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()) > limit:
            raise ValueError(f"must not be larger than {limit:,} bytes as JSON")
        return value

    return AfterValidator(check)


def open_words(*words: Any) -> Any:
    """A string of a reply that should be one of `words` or of a Literal, documented as such; a newer word
    passes."""
    known = [word for one in words for word in get_args(one) or (one,)]
    return WithJsonSchema({"type": "string", "enum": known})


# A rule of our own and no library, because all who install the client would have to install it too.
MAX_EMAIL_LENGTH = 254
_NAME = r"[\w!#$%&'*+/=?^`{|}~\u00a1-\U0010ffff-]+"
_LETTER = r"[0-9A-Za-z\u00a1-\U0010ffff]"
_LABEL = rf"{_LETTER}(?:(?:{_LETTER}|-){{0,61}}{_LETTER})?"
_ADDRESS = re.compile(rf"{_NAME}(?:\.{_NAME})*@(?:{_LABEL}\.)+(?![0-9]+$){_LABEL}")


def is_email_address(text: str) -> bool:
    """Whether this is one plain address (RFC 5321) whose domain has a dot. Letters of all scripts may stand
    in it (RFC 6531); quoted names, IP addresses and names of persons may not."""
    return len(text) <= MAX_EMAIL_LENGTH and text.isprintable() and _ADDRESS.fullmatch(text) is not None


def _check_email_address(text: str) -> str:
    if not is_email_address(text):
        raise ValueError("must be an e-mail address such as buyer@example.com")
    return text


Email = Annotated[
    str,
    Field(max_length=MAX_EMAIL_LENGTH),
    AfterValidator(_check_email_address),
    WithJsonSchema({"type": "string", "format": "email", "maxLength": MAX_EMAIL_LENGTH}),
]
