"""The three ways a record of the interface is read."""

from typing import Any

from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel


class Wire(BaseModel):
    """A record in snake_case here and camelCase on the wire. Absent optionals are omitted, never null."""

    model_config = ConfigDict(alias_generator=to_camel, validate_by_name=True, validate_by_alias=True)

    def wire(self) -> dict[str, Any]:
        """The record as it goes over the wire: JSON types only, camelCase, absent optionals left out."""
        return self.model_dump(mode="json", by_alias=True, exclude_none=True)


class Request(Wire):
    """What a caller sends: a key that the interface does not list is refused."""

    model_config = ConfigDict(extra="forbid")


class Part(Wire):
    """An object inside a request: keys that we do not know are kept."""

    model_config = ConfigDict(extra="allow")


class Reply(Wire):
    """What a service answers: unknown keys are kept (`model_extra`), so that a newer service can be read."""

    model_config = ConfigDict(extra="allow")
