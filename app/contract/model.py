"""The base classes of the records of the interface."""

import json
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, model_validator
from pydantic.alias_generators import to_camel

MAX_UNKNOWN_BYTES = 16 * 1024


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
    """An object inside a request. Unknown keys are kept, at most 16 KiB of them as JSON."""

    model_config = ConfigDict(extra="allow")

    @model_validator(mode="after")
    def _check_unknown_keys(self) -> Self:
        if self.model_extra and len(json.dumps(self.model_extra).encode()) > MAX_UNKNOWN_BYTES:
            raise ValueError(f"must not have unknown keys of more than {MAX_UNKNOWN_BYTES:,} bytes as JSON")
        return self


class Reply(Wire):
    """The body of an answer. Unknown keys are kept (`model_extra`), so that answers of a newer service can be
    read."""

    model_config = ConfigDict(extra="allow")
