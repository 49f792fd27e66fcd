"""What a JSON column stores of a frozen dataclass. Pure."""

from collections.abc import Mapping
from decimal import Decimal
from functools import cache
from typing import Annotated, Any, ClassVar, Self

from pydantic import ConfigDict, Field, PlainSerializer, TypeAdapter
from pydantic.alias_generators import to_camel

from app.contract.values import json_number

StoredNumber = Annotated[Decimal, PlainSerializer(json_number, return_type=int | float)]
"""A decimal that is stored as a JSON number."""
OMITTED = Field(exclude_if=lambda value: value is None or value == {})
"""Of a field that is left out of the record where there is nothing to state."""


class StoredRecord:
    """A frozen dataclass that a JSON column stores under the names of its fields, in camelCase or as `Field`
    says. A decimal is stored as exact text, since a float in JSON would round it; a `StoredNumber` as a JSON
    number."""

    __slots__ = ()
    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(alias_generator=to_camel)

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Self:
        """Build it from what is stored. Fields that an earlier version did not store have their defaults."""
        return _adapter(cls).validate_python(record)

    def to_record(self) -> dict[str, Any]:
        """Return what is stored; `from_record` reads it again."""
        record: dict[str, Any] = _adapter(type(self)).dump_python(self, mode="json", by_alias=True)
        return record


@cache
def _adapter(kind: type[Any]) -> TypeAdapter[Any]:
    return TypeAdapter(kind)
