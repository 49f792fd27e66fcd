"""Check records against the contract strictly, as generated clients do."""

import re
from typing import Any

from app.contract.model import Wire

_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")


def assert_conforms(model: type[Wire], record: dict[str, Any]) -> None:
    """The record has exactly the model's keys, no null but a dimension's description, and zoned dates."""
    parsed = model.model_validate(record)
    _assert_nothing_unknown(parsed)
    assert parsed.wire() == record
    _assert_instants(record)


def _assert_nothing_unknown(value: object) -> None:
    if isinstance(value, Wire):
        assert not value.model_extra, f"{type(value).__name__} has unknown keys {value.model_extra}"
        for name in type(value).model_fields:
            _assert_nothing_unknown(getattr(value, name))
    elif isinstance(value, list):
        for item in value:  # pyright: ignore[reportUnknownVariableType]
            _assert_nothing_unknown(item)  # pyright: ignore[reportUnknownArgumentType]


def _assert_instants(value: object) -> None:
    if isinstance(value, dict):
        for key, inner in value.items():  # pyright: ignore[reportUnknownVariableType]
            if key in {"lastUpdatedAt", "startDate"}:
                assert isinstance(inner, str)
                assert _MOMENT.fullmatch(inner)
            _assert_instants(inner)  # pyright: ignore[reportUnknownArgumentType]
    elif isinstance(value, list):
        for inner in value:  # pyright: ignore[reportUnknownVariableType]
            _assert_instants(inner)  # pyright: ignore[reportUnknownArgumentType]
