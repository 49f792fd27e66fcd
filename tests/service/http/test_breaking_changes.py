"""The interface takes nothing away from the clients of its last release that the changelog does not name."""

import copy
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.contract.version import VERSION
from app.service.http.openapi import load_description
from tests.service.http.breaking_changes import BreakingChange, find_breaking_changes

Description = dict[str, Any]
ROOT = Path(__file__).parents[3]
HEADING = re.compile(r"^## \[(.+?)\](?: - \d{4}-\d\d-\d\d)?$", re.MULTILINE)


def read_changelog() -> dict[str, str]:
    """The sections by version, the latest first."""
    _, *parts = HEADING.split((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"))
    return dict(zip(parts[::2], parts[1::2], strict=True))


def read_released() -> tuple[str, Description]:
    """The version of the last release, as major and minor, and its description."""
    latest = max((ROOT / "docs").glob("openapi-*.json"), key=_version_of)
    return ".".join(map(str, _version_of(latest))), json.loads(latest.read_text(encoding="utf-8"))


def _version_of(path: Path) -> list[int]:
    return [int(part) for part in path.stem.removeprefix("openapi-").split(".")]


def find_unnamed(changes: list[BreakingChange], changelog: str) -> list[str]:
    """The changes whose place the changelog does not name, in backticks."""
    return [f"`{change.place}`: {change.what}" for change in changes if f"`{change.place}`" not in changelog]


def test_the_last_release_is_described_and_in_the_changelog() -> None:
    sections = read_changelog()
    unreleased, latest, *_ = sections
    assert (unreleased, latest) == ("Unreleased", VERSION)
    version, released = read_released()
    assert VERSION.startswith(f"{version}.")
    assert released["info"]["version"].startswith(f"{version}.")


def test_what_a_client_of_the_last_release_loses_is_named_in_the_changelog() -> None:
    changes = find_breaking_changes(read_released()[1], load_description(with_inbox=True))
    unnamed = find_unnamed(changes, read_changelog()["Unreleased"])
    assert unnamed == [], "name each of these under Unreleased in CHANGELOG.md, or take it back"


def refer_to(name: str) -> Description:
    return {"$ref": f"#/components/schemas/{name}"}


def a_description() -> Description:
    """A description with one operation, in which each kind of change can be made."""
    return {
        "paths": {
            "/things/{id}": {
                "post": {
                    "operationId": "things.change",
                    "parameters": [
                        {"in": "path", "name": "id", "required": True, "schema": {"type": "string"}},
                        {"in": "query", "name": "sort", "schema": {"enum": ["name", "date"]}},
                    ],
                    "requestBody": {"content": {"application/json": {"schema": refer_to("New")}}},
                    "responses": {
                        "200": {
                            "description": "It.",
                            "headers": {"ETag": {"schema": {"type": "string"}}},
                            "content": {"application/json": {"schema": refer_to("Thing")}},
                        },
                        "404": {"$ref": "#/components/responses/NotFound"},
                    },
                }
            }
        },
        "webhooks": {
            "thing.changed": {
                "post": {
                    "requestBody": {
                        "content": {
                            "application/json": {
                                "schema": {
                                    "properties": {"data": refer_to("Thing")},
                                    "required": ["data"],
                                }
                            }
                        }
                    }
                }
            }
        },
        "components": {
            "responses": {"NotFound": {"description": "None.", "content": {"application/problem+json": {}}}},
            "schemas": {
                "New": {
                    "type": "object",
                    "required": ["name"],
                    "properties": {
                        "name": {"type": "string", "maxLength": 100},
                        "amount": {"anyOf": [{"type": "number"}, {"type": "string"}]},
                        "tags": {"type": "array", "items": {"type": "string"}},
                        "inner": refer_to("Inner"),
                    },
                },
                "Inner": {"type": "object", "properties": {"colour": {"enum": ["red", "blue"]}}},
                "Text": {"type": "object", "properties": {"type": {"const": "text"}}},
                "Number": {"type": "object", "properties": {"type": {"const": "number"}}},
                "Thing": {
                    "type": "object",
                    "required": ["id", "state"],
                    "properties": {
                        "id": {"type": "string"},
                        "state": {"type": "string", "enum": ["open", "closed"]},
                        "price": {"type": "number"},
                        "form": {"oneOf": [refer_to("Text"), refer_to("Number")]},
                        "thing": refer_to("Thing"),
                    },
                },
            },
        },
    }


def operation(description: Description) -> Any:
    return description["paths"]["/things/{id}"]["post"]


def properties(description: Description, record: str) -> Any:
    return description["components"]["schemas"][record]["properties"]


def record(description: Description, name: str) -> Any:
    return description["components"]["schemas"][name]


PLACE = "POST /things/{id}"
BREAKING: dict[str, tuple[Callable[[Description], object], list[str]]] = {
    "path removed": (lambda d: d["paths"].clear(), [PLACE]),
    "operation removed": (lambda d: d["paths"]["/things/{id}"].pop("post"), [PLACE]),
    "operation id changed": (lambda d: operation(d).update(operationId="other"), [PLACE]),
    "parameter removed": (lambda d: operation(d)["parameters"].pop(), [f"{PLACE} sort"]),
    "parameter required": (lambda d: operation(d)["parameters"][1].update(required=True), [f"{PLACE} sort"]),
    "required parameter added": (
        lambda d: operation(d)["parameters"].append(
            {"in": "header", "name": "mode", "required": True, "schema": {}}
        ),
        [f"{PLACE} mode"],
    ),
    "value of a parameter removed": (
        lambda d: operation(d)["parameters"][1]["schema"]["enum"].pop(),
        [f"{PLACE} sort"],
    ),
    "body required": (lambda d: operation(d)["requestBody"].update(required=True), [PLACE]),
    "content type of the body removed": (lambda d: operation(d)["requestBody"]["content"].clear(), [PLACE]),
    "status removed": (lambda d: operation(d)["responses"].pop("404"), [f"{PLACE} 404"]),
    "header removed": (
        lambda d: operation(d)["responses"]["200"]["headers"].clear(),
        [f"{PLACE} 200 ETag"],
    ),
    "content type of a response removed": (
        lambda d: operation(d)["responses"]["200"]["content"].clear(),
        [f"{PLACE} 200"],
    ),
    "content type of a shared response removed": (
        lambda d: d["components"]["responses"]["NotFound"]["content"].clear(),
        [f"{PLACE} 404"],
    ),
    "event removed": (lambda d: d["webhooks"].clear(), ["thing.changed"]),
    "property of a request removed": (lambda d: properties(d, "New").pop("tags"), ["New.tags"]),
    "property of a response removed": (lambda d: properties(d, "Thing").pop("price"), ["Thing.price"]),
    "property required": (lambda d: record(d, "New")["required"].append("tags"), ["New.tags"]),
    "required property added": (
        lambda d: (
            properties(d, "New").update(more={"type": "string"}),
            record(d, "New")["required"].append("more"),
        ),
        ["New.more"],
    ),
    "property may be absent": (lambda d: record(d, "Thing")["required"].remove("state"), ["Thing.state"]),
    "type of a request narrower": (
        lambda d: properties(d, "New")["tags"]["items"].update(type="integer"),
        ["New.tags[]"],
    ),
    "alternative of a request removed": (
        lambda d: properties(d, "New").update(amount={"type": "number"}),
        ["New.amount"],
    ),
    "type of a response other": (
        lambda d: properties(d, "Thing")["price"].update(type="string"),
        ["Thing.price"],
    ),
    "type of a response wider": (
        lambda d: properties(d, "Thing")["price"].update(type=["number", "null"]),
        ["Thing.price"],
    ),
    "alternative of a response added": (
        lambda d: properties(d, "Thing")["form"]["oneOf"].append({"type": "string"}),
        ["Thing.form"],
    ),
    "value of a request removed": (
        lambda d: properties(d, "Inner")["colour"]["enum"].remove("red"),
        ["Inner.colour"],
    ),
    "value of a response added": (
        lambda d: properties(d, "Thing")["state"]["enum"].append("lost"),
        ["Thing.state"],
    ),
    "values of a request listed": (lambda d: properties(d, "New")["name"].update(enum=["a"]), ["New.name"]),
    "bound lower": (lambda d: properties(d, "New")["name"].update(maxLength=99), ["New.name"]),
    "bound new": (lambda d: properties(d, "New")["name"].update(minLength=1), ["New.name"]),
    "pattern new": (lambda d: properties(d, "New")["name"].update(pattern="^a"), ["New.name"]),
    "other properties refused": (lambda d: record(d, "New").update(additionalProperties=False), ["New"]),
}
HARMLESS: dict[str, Callable[[Description], object]] = {
    "nothing": lambda d: None,
    "path added": lambda d: d["paths"].update({"/more": {}}),
    "optional parameter added": lambda d: operation(d)["parameters"].append(
        {"in": "query", "name": "more", "schema": {}}
    ),
    "status added": lambda d: operation(d)["responses"].update({"409": {"description": "It exists."}}),
    "property of a request added": lambda d: properties(d, "New").update(more={"type": "string"}),
    "property of a response added": lambda d: properties(d, "Thing").update(more={"type": "string"}),
    "property of a request optional": lambda d: record(d, "New")["required"].clear(),
    "property of a response always there": lambda d: record(d, "Thing")["required"].append("price"),
    "bound higher": lambda d: properties(d, "New")["name"].update(maxLength=101),
    "type of a response narrower": lambda d: properties(d, "Thing")["price"].update(type="integer"),
    "value of a response removed": lambda d: properties(d, "Thing")["state"]["enum"].pop(),
    "words": lambda d: record(d, "Thing").update(description="A thing."),
}


def changed(change: Callable[[Description], object]) -> list[BreakingChange]:
    new = a_description()
    change(new)
    return find_breaking_changes(a_description(), new)


@pytest.mark.parametrize("kind", BREAKING)
def test_a_breaking_change_is_found_and_has_to_be_named(kind: str) -> None:
    change, places = BREAKING[kind]
    found = changed(change)
    assert [one.place for one in found] == places
    assert len(find_unnamed(found, "- Things differ.")) == len(places)
    assert find_unnamed(found, "\n".join(f"- `{place}` is gone." for place in places)) == []


@pytest.mark.parametrize("kind", HARMLESS)
def test_what_breaks_nothing_need_not_be_named(kind: str) -> None:
    assert changed(HARMLESS[kind]) == []


def test_each_operation_and_record_of_the_interface_is_compared() -> None:
    whole = load_description(with_inbox=True)
    assert find_breaking_changes(whole, whole) == []
    without_paths = {**whole, "paths": {}, "webhooks": {}}
    assert len(find_breaking_changes(whole, without_paths)) == len(whole["webhooks"]) + sum(
        len(operations) for operations in whole["paths"].values()
    )
    poorer = copy.deepcopy(whole)
    lost: set[str] = set()
    for name, schema in poorer["components"]["schemas"].items():
        # One that leads to no other record, which would then be compared no more.
        ends = [one for one, value in schema.get("properties", {}).items() if "$ref" not in str(value)]
        if ends:
            del schema["properties"][ends[0]]
            lost.add(f"{name}.{ends[0]}")
    assert len(lost) > 100
    assert lost <= {change.place for change in find_breaking_changes(whole, poorer)}
