"""What no JSON body may hold, with its place."""

import json

import pytest

from app.service.http.json_values import MAX_DEPTH, find_json_faults


@pytest.mark.parametrize(
    ("body", "pointer", "reason"),
    [
        ('{"a": [1, {"b": 1e400}]}', "/a/1/b", "too large"),
        ('{"a": -1e400}', "/a", "too large"),
        ('{"a": NaN}', "/a", "NaN is no JSON number"),
        ('[-Infinity]', "/0", "-Infinity is no JSON number"),
        ('{"a": %s}' % ("9" * 41), "/a", "more than 40 digits"),
        ('{"a": %s}' % ("9" * 5000), "/a", "more than 40 digits"),
        ('{"a": 0.%s}' % ("9" * 5000), "/a", "more than 40 digits"),
        ("1e400", "", "too large"),
        ('{"a/b~c": "\\u0000"}', "/a~1b~0c", "NUL"),
        ('{"a": {"\\u0000": 1}}', "/a", "name that has a NUL"),
        ('{"a": "\\ud800"}', "/a", "surrogate"),
        ('{"a": ' + "[" * 400 + "]" * 400 + "}", "/a" + "/0" * (MAX_DEPTH - 1), "deeper"),
        ("[" * 100_000 + "]" * 100_000, "", "deeper"),
        ("{", "", "no JSON"),
        ("\xff", "", "no JSON"),
    ],
)  # fmt: skip
def test_a_value_that_cannot_be_stored_is_named_by_its_place(body: str, pointer: str, reason: str) -> None:
    [fault] = find_json_faults(body.encode("latin-1"))
    assert fault.pointer == pointer
    assert reason in fault.detail


def test_what_may_be_stored_has_no_fault() -> None:
    deep = "[" * MAX_DEPTH + "]" * MAX_DEPTH
    for body in (
        deep,
        '{"a": [1, 1.5e300, -0.0, null, true, "\\\\u0000", "\u00e4\U0001f600"]}',
        "1" * 40,
        '""',
    ):
        assert find_json_faults(body.encode()) == []


@pytest.mark.campaign
def test_many_places_under_a_long_name_cost_little() -> None:
    """Pointers of each place would take tens of gigabytes."""
    body = json.dumps({"n" * 500_000: [[] for _ in range(100_000)]})
    assert find_json_faults(body.encode()) == []
