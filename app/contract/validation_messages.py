"""What is wrong with a value, in our own words: no sentence of the validation library reaches anybody."""

import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from .money import format_count

Context = Mapping[str, Any]

_EXPONENT = re.compile(r"\dE-\d", re.IGNORECASE)

_TYPES = {
    "string": "a text",
    "int": "a whole number",
    "float": "a number",
    "decimal": "a number",
    "bool": "true or false",
    "dict": "an object",
    "mapping": "an object",
    "model": "an object",
    "model_attributes": "an object",
    "dataclass": "an object",
    "list": "a list",
    "tuple": "a list",
    "set": "a list",
    "iterable": "a list",
    "date": "a date such as 2026-11-20",
    "date_from_datetime": "a date such as 2026-11-20",
    "datetime": "a date-time with a zone, such as 2026-11-20T09:30:00Z",
    "datetime_from_date": "a date-time with a zone, such as 2026-11-20T09:30:00Z",
    "uuid": "a UUID such as 018f2c5e-7b1a-7c3d-9e4f-5a6b7c8d9e0f",
    "url": "an address",
    "json": "JSON",
}
"""What a value must be, by the first part of the error's type."""

_SENTENCES: dict[str, Callable[[Context], str]] = {
    "missing": lambda _: "is required",
    "extra_forbidden": lambda _: "is not a field of this call",
    "invalid_key": lambda _: "is not a field of this call",
    "finite_number": lambda _: "must be a finite number",
    "int_from_float": lambda _: "must be a whole number",
    "int_parsing_size": lambda _: "is too large a number",
    "greater_than": lambda bound: f"must be more than {_name_bound(bound['gt'])}",
    "greater_than_equal": lambda bound: f"must be at least {_name_bound(bound['ge'])}",
    "less_than": lambda bound: f"must be less than {_name_bound(bound['lt'])}",
    "less_than_equal": lambda bound: f"must be at most {_name_bound(bound['le'])}",
    "multiple_of": lambda bound: f"must be a multiple of {bound['multiple_of']}",
    "too_short": lambda bound: f"must have at least {format_count(bound['min_length'], 'entry', 'entries')}",
    "too_long": lambda bound: f"must have at most {format_count(bound['max_length'], 'entry', 'entries')}",
    "string_too_short": lambda bound: f"must have at least {format_count(bound['min_length'], 'character')}",
    "string_too_long": lambda bound: f"must have at most {format_count(bound['max_length'], 'character')}",
    "string_pattern_mismatch": lambda bound: f"must have the form {bound['pattern']}",
    "string_unicode": lambda _: "must be a text in UTF-8",
    "literal_error": lambda bound: f"must be {bound['expected']}",
    "enum": lambda bound: f"must be {bound['expected']}",
    "union_tag_invalid": lambda bound: f"must have as {bound['discriminator']} {bound['expected_tags']}",
    "union_tag_not_found": lambda bound: f"must have {bound['discriminator']}",
    "none_required": lambda _: "must be left out",
    "timezone_naive": lambda _: "must have no zone",
    "timezone_aware": lambda _: "must have a zone",
    "date_from_datetime_inexact": lambda _: "must be a date such as 2026-11-20",
}


def _name_bound(bound: object) -> str:
    """A bound as digits, which pydantic hands on as `Decimal('5')` where another check stands around it."""
    digits = str(bound).removeprefix("Decimal('").removesuffix("')")
    return f"{Decimal(digits):f}" if _EXPONENT.search(digits) else digits


def describe_fault(error: ErrorDetails) -> str:
    """What is wrong in one place, as the end of a sentence whose subject is the place: `is required`. A check
    of the contract says it itself."""
    kind, context = error["type"], error.get("ctx", {})
    if isinstance(own := context.get("error"), ValueError):
        return str(own)
    if kind in _SENTENCES:
        return _SENTENCES[kind](context)
    shape = _TYPES.get(kind.removesuffix("_type").removesuffix("_parsing"))
    return f"must be {shape}" if shape else "is not valid"


def describe_faults(error: ValidationError) -> str:
    """Everything that is wrong, each with its place."""
    return "; ".join(
        f"{'/'.join(map(str, one['loc'])) or 'the whole'} {describe_fault(one)}"
        for one in error.errors(include_url=False, include_input=False)
    )
