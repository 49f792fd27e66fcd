"""The base classes of the records of the interface."""

import json
from typing import TYPE_CHECKING, Any, ClassVar, Self

from pydantic import BaseModel, ConfigDict, ValidationInfo, field_validator, model_validator
from pydantic.alias_generators import to_camel

MAX_UNKNOWN_BYTES = 16 * 1024


class Wire(BaseModel):
    """A record with snake_case fields that are camelCase on the wire. Absent optional fields are omitted,
    never null."""

    if TYPE_CHECKING:
        # Those who make a record are held to its fields: a checker that is told of generated aliases and of
        # unknown keys lets them leave a field out, or misspell one.
        model_config = ConfigDict(extra="forbid", validate_by_name=True, validate_by_alias=True)
    else:
        model_config = ConfigDict(alias_generator=to_camel, validate_by_name=True, validate_by_alias=True)

    def wire(self) -> dict[str, Any]:
        """Return the record as JSON types, with camelCase keys and without absent optional fields."""
        return self.model_dump(mode="json", by_alias=True, exclude_none=True)

    @classmethod
    def build_from(cls, source: object, **others: Any) -> Self:
        """Build the record from what has its fields as attributes, and `others`. Raises AttributeError for a
        field that is neither. Not for a record with a field that is shown once, as a secret: what is stored
        of it would be shown."""
        return cls(
            **{name: getattr(source, name) for name in cls.model_fields if name not in others}, **others
        )


class Request(Wire):
    """The body of a request. A key that the interface does not list is refused."""

    model_config = ConfigDict(extra="forbid")


def _describe_change(schema: dict[str, Any], change: "type[Change]") -> None:
    """A change names something, and `null` is described where it removes what was stated."""
    schema["minProperties"] = 1
    for name in change.removable:
        schema["properties"][to_camel(name)]["x-nullable"] = True


class Change(Request):
    """The body of a PATCH. What is left out stays as it is; `null` removes what was stated, where that may be
    removed."""

    model_config = ConfigDict(json_schema_extra=_describe_change)

    removable: ClassVar[frozenset[str]] = frozenset()
    """The names of the fields that take `null`."""

    @field_validator("*", mode="before")
    @classmethod
    def _check_null(cls, value: object, field: ValidationInfo) -> object:
        if value is None and field.field_name not in cls.removable:
            raise ValueError("must not be null: leave it out, or give a value")
        return value

    @model_validator(mode="after")
    def _check_content(self) -> Self:
        if not self.model_fields_set:
            raise ValueError("must have at least one field")
        return self

    def wire(self) -> dict[str, Any]:
        """Return the keys that were given, those of `null` among them."""
        return self.model_dump(mode="json", by_alias=True, exclude_unset=True)


class Part(Wire):
    """An object inside a request. Unknown keys are kept, at most 16 KiB of them as JSON."""

    if not TYPE_CHECKING:
        model_config = ConfigDict(extra="allow")

    @model_validator(mode="after")
    def _check_unknown_keys(self) -> Self:
        if self.model_extra and len(json.dumps(self.model_extra).encode()) > MAX_UNKNOWN_BYTES:
            raise ValueError(f"must not have unknown keys of more than {MAX_UNKNOWN_BYTES:,} bytes as JSON")
        return self


class Reply(Wire):
    """The body of an answer; it is never changed. Unknown keys are kept (`model_extra`), so that answers of
    a newer service can be read."""

    if TYPE_CHECKING:
        model_config = ConfigDict(frozen=True)
    else:
        model_config = ConfigDict(extra="allow", frozen=True)
