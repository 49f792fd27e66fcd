"""The base classes of the records of the interface."""

from typing import Any

from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel


class Wire(BaseModel):
    """A record with snake_case fields that are camelCase on the wire. Absent optional fields are omitted,
    never null."""

    model_config = ConfigDict(alias_generator=to_camel, validate_by_name=True, validate_by_alias=True)

    def wire(self) -> dict[str, Any]:
        """Return the record as JSON types, with camelCase keys and without absent optional fields."""
        return self.model_dump(mode="json", by_alias=True, exclude_none=True)


class Request(Wire):
    """The body of a request. A key that the interface does not list is refused."""

    model_config = ConfigDict(extra="forbid")


class Part(Wire):
    """An object inside a request. Unknown keys are kept."""

    model_config = ConfigDict(extra="allow")


class Reply(Wire):
    """The body of an answer. Unknown keys are kept (`model_extra`), so that answers of a newer service can be
    read."""

    model_config = ConfigDict(extra="allow")
