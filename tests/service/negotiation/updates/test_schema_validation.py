"""A payload is validated by its own schema, and no schema delays the service."""

import time
from typing import Any

import pytest

from app.service.http.problems import ApiProblem
from app.service.negotiation.updates.schema_validation import MAX_WAIT_SECONDS, check_payload

ROOM = 10.0
"""Seconds that a busy machine may add; without the bound these would take hours."""


def refused(schema: dict[str, Any], payload: dict[str, Any]) -> ApiProblem:
    with pytest.raises(ApiProblem) as caught:
        check_payload(schema, payload)
    return caught.value


def deep(levels: int) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for _ in range(levels):
        value = {"a": value}
    return value


def doubling(levels: int) -> dict[str, Any]:
    return {
        **{f"d{at}": {"allOf": [{"$ref": f"#/$defs/d{at + 1}"}] * 2} for at in range(levels)},
        f"d{levels}": {"type": "string"},
    }


FITTING: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({}, {"anything": [1, None, {}]}),
    ({"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object"}, {}),
    ({"properties": {"at": {"format": "date-time"}}}, {"at": "2026-11-20T09:30:00Z"}),
    ({"$defs": {"a": {"type": "string"}}, "properties": {"a": {"$ref": "#/$defs/a"}}}, {"a": "x"}),
    ({"$id": "urn:x:1", "$defs": {"a": {}}, "properties": {"a": {"$ref": "urn:x:1#/$defs/a"}}}, {"a": 1}),
    ({"$anchor": "top", "properties": {"next": {"$ref": "#top"}}}, {"next": {"next": {}}}),
    ({"properties": {"at": {"format": "iri"}}}, {"at": "https://exämple.example/ü"}),
]


@pytest.mark.campaign
@pytest.mark.parametrize(("schema", "payload"), FITTING)
def test_a_valid_payload_passes(schema: dict[str, Any], payload: dict[str, Any]) -> None:
    check_payload(schema, payload)


@pytest.mark.campaign
@pytest.mark.parametrize(
    ("schema", "payload", "pointer"),
    [
        ({"required": ["amount"]}, {}, "/payload"),
        ({"properties": {"a/b": {"items": {"type": "string"}}}}, {"a/b": ["x", 1]}, "/payload/a~1b/1"),
        ({"properties": {"at": {"format": "date-time"}}}, {"at": "yesterday"}, "/payload/at"),
        ({"properties": {"to": {"format": "email"}}}, {"to": "nobody"}, "/payload/to"),
        ({"properties": {"on": {"format": "date"}}}, {"on": "2026-02-30"}, "/payload/on"),
        ({"properties": {"at": {"format": "iri"}}}, {"at": "no iri"}, "/payload/at"),
        ({"not": {}}, {}, "/payload"),
    ],
)
def test_an_invalid_payload_is_a_422_with_the_pointer(
    schema: dict[str, Any], payload: dict[str, Any], pointer: str
) -> None:
    problem = refused(schema, payload)
    assert problem.status_code == 422
    assert [wrong.pointer for wrong in problem.errors] == [pointer]


@pytest.mark.parametrize(
    ("schema", "pointer"),
    [
        ({"type": "banana"}, "/schema/type"),
        ({"properties": {"a": {"pattern": "("}}}, "/schema/properties/a/pattern"),
        ({"$schema": "http://json-schema.org/draft-04/schema#"}, "/schema/$schema"),
        ({"$ref": "https://example.com/schema"}, "/schema"),
        ({"$ref": "file:///etc/passwd"}, "/schema"),
        ({"$ref": "#/$defs/missing"}, "/schema"),
        ({"properties": {"unused": {"$ref": "other.json"}}}, "/schema"),
        ({"$ref": "#"}, "/schema"),
        ({"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}, "$ref": "#/$defs/a"}, "/schema"),
    ],
)
def test_an_unsupported_schema_is_a_400(schema: dict[str, Any], pointer: str) -> None:
    problem = refused(schema, {"a": "x"})
    assert problem.status_code == 400
    assert problem.errors[0].pointer == pointer


@pytest.mark.parametrize(
    "schema",
    [
        pytest.param({"properties": {"a": {"pattern": "^(a+)+$"}}}, id="pattern"),
        pytest.param(
            {"patternProperties": {"^(b|b)*c$": {}}}, id="property names", marks=pytest.mark.campaign
        ),
        pytest.param(
            {"$defs": doubling(40), "properties": {"a": {"$ref": "#/$defs/d0"}}},
            id="references that double",
            marks=pytest.mark.campaign,
        ),
    ],
)
def test_a_schema_that_takes_too_long_is_refused_within_the_time_limit(schema: dict[str, Any]) -> None:
    check_payload({}, {})  # the judge is running
    began = time.monotonic()
    problem = refused(schema, {"a": "a" * 50 + "!", "b" * 50: 1})
    assert problem.status_code == 400
    assert "takes longer" in problem.errors[0].detail
    assert time.monotonic() - began < MAX_WAIT_SECONDS + ROOM


@pytest.mark.campaign
def test_a_killed_validator_process_is_replaced() -> None:
    refused({"properties": {"a": {"pattern": "^(a+)+$"}}}, {"a": "a" * 50 + "!"})
    check_payload({"type": "object"}, {})
