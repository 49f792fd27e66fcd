"""The description at `/v1/openapi`: everything in it has words, and no tool stumbles over it."""

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from app.client import offered_operations
from app.dashboard.api.interface_operations import find_extensions
from app.service.http.openapi import load_description
from tests.service.examples.description import LINKS, PARAMETERS, build_openapi
from tests.service.examples.glossary import FIELDS

DESCRIPTION = load_description(with_inbox=True)
SCHEMAS: dict[str, Any] = DESCRIPTION["components"]["schemas"]
KEYWORDS = {
    *(
        "$ref",
        "type",
        "format",
        "enum",
        "const",
        "default",
        "title",
        "description",
        "anyOf",
        "oneOf",
        "items",
    ),
    *("discriminator", "properties", "required", "additionalProperties", "minLength", "maxLength", "pattern"),
    *(
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "minItems",
        "maxItems",
        "minProperties",
        "maxProperties",
    ),
    *("contentMediaType", "propertyNames"),
}
"""Of JSON Schema and OpenAPI 3.1, as far as the description uses them."""


def _operations() -> Iterator[tuple[str, dict[str, Any]]]:
    for kind in ("paths", "webhooks"):
        for path, operations in DESCRIPTION[kind].items():
            for method, operation in operations.items():
                yield f"{method} {path}", operation


def _called_operations() -> Iterator[dict[str, Any]]:
    """Those that clients call, not those that call a client."""
    for operations in DESCRIPTION["paths"].values():
        yield from operations.values()


def _resolve(node: dict[str, Any]) -> Any:
    """`node`, or what it refers to."""
    if "$ref" not in node:
        return node
    _, kind, name = node["$ref"].removeprefix("#/").split("/")
    return DESCRIPTION["components"][kind][name]


def _headers(response: dict[str, Any]) -> dict[str, Any]:
    return {name: _resolve(header) for name, header in _resolve(response).get("headers", {}).items()}


@pytest.mark.parametrize("with_inbox", [True, pytest.param(False, marks=pytest.mark.campaign)])
def test_it_is_what_routes_and_contract_say(with_inbox: bool) -> None:
    said = load_description(with_inbox=with_inbox)
    assert said == build_openapi(with_inbox=with_inbox), "record it again: python -m tests.service.examples"


def test_every_property_is_described() -> None:
    assert [
        f"{record}.{field}"
        for record, schema in SCHEMAS.items()
        for field, value in schema.get("properties", {}).items()
        if not value.get("description")
    ] == []


def test_every_operation_record_and_parameter_is_described() -> None:
    silent = [record for record, schema in SCHEMAS.items() if not schema.get("description")]
    for label, operation in _operations():
        silent += [label] if not (operation.get("description") and operation.get("summary")) else []
        silent += [f"{label}: {one['name']}" for one in operation["parameters"] if not one.get("description")]
        silent += [
            f"{label}: {status}"
            for status, response in operation["responses"].items()
            if not _resolve(response).get("description")
        ]
    assert silent == []


def test_every_word_of_the_glossary_is_of_several_records() -> None:
    from_glossary = [
        field
        for schema in SCHEMAS.values()
        for field, value in schema.get("properties", {}).items()
        if value["description"] == FIELDS.get(field)
    ]
    assert {field for field in FIELDS if from_glossary.count(field) < 2} == set()
    parameters = {one["name"] for _, operation in _operations() for one in operation["parameters"]}
    assert parameters >= PARAMETERS.keys()


def test_every_sentence_ends() -> None:
    properties = [one for schema in SCHEMAS.values() for one in schema.get("properties", {}).values()]
    sentences = [*PARAMETERS.values(), *(one["description"] for one in properties)]
    assert {one for one in sentences if not one.endswith(".")} == {"--MM-DD"}


def test_schemas_have_only_keywords_of_json_schema() -> None:
    waiting: list[Any] = [*SCHEMAS.values()]
    for _, operation in _operations():
        waiting += [parameter["schema"] for parameter in operation["parameters"]]
        for content in operation.get("requestBody", {}).get("content", {}).values():
            waiting.append(content["schema"])
    while waiting:
        schema = waiting.pop()
        assert schema.keys() <= KEYWORDS, schema
        waiting += schema.get("properties", {}).values()
        waiting += [*schema.get("anyOf", ()), *schema.get("oneOf", ())]
        waiting += [schema["items"]] if "items" in schema else []


def test_a_file_is_a_file_for_every_generator() -> None:
    forms = [
        operation["requestBody"]["content"]["multipart/form-data"]["schema"]["properties"]["file"]
        for _, operation in _operations()
        if "multipart/form-data" in operation.get("requestBody", {}).get("content", {})
    ]
    assert len(forms) == 3
    assert all(file["type"] == "string" and file["format"] == "binary" for file in forms)
    assert all(file["contentMediaType"] == "application/octet-stream" for file in forms)


def test_every_operation_has_an_id_of_resource_and_verb() -> None:
    ids = [operation["operationId"] for operation in _called_operations()]
    assert [one for one in ids if not re.fullmatch(r"[a-z][A-Za-z]+\.[a-z][A-Za-z]+", one)] == []
    assert len(set(ids)) == len(ids)


def test_every_operation_has_one_tag_and_every_tag_is_described() -> None:
    tags = [operation["tags"] for operation in _called_operations()]
    assert [one for one in tags if len(one) != 1] == []
    assert {one[0] for one in tags} == {tag["name"] for tag in DESCRIPTION["tags"]}


def test_what_is_beyond_the_interface_is_marked() -> None:
    beyond = {
        f"{method.upper()} {re.sub(r'{[^}]*}', '{}', path)}"
        for path, operations in DESCRIPTION["paths"].items()
        for method, operation in operations.items()
        if operation.get("x-extension")
    }
    assert beyond == find_extensions(offered_operations(DESCRIPTION))
    for operation in _called_operations():
        assert ("x-extension" in operation["description"]) == ("x-extension" in operation)


def test_the_headers_of_responses_are_described() -> None:
    for path, operations in DESCRIPTION["paths"].items():
        for method, operation in operations.items():
            for status, response in operation["responses"].items():
                headers, label = _headers(response), f"{method} {path} {status}"
                assert all(header["description"].endswith(".") for header in headers.values())
                assert headers["X-Request-Id"]["required"], label
                limited = status != "401" if "$ref" in response else bool(operation["security"])
                assert ("RateLimit" in headers) == limited, label
                assert ("Location" in headers) == (status == "201"), label
                if operation["security"]:
                    assert ("Retry-After" in headers) == (status in {"409", "429", "503"}), label
                assert ("ETag" in headers) == ("304" in operation["responses"] and status < "400"), label
                if method == "post" and status < "300":
                    assert "Idempotency-Replayed" in headers, label


def test_every_header_error_and_link_is_in_use() -> None:
    components = DESCRIPTION["components"]
    written = json.dumps(DESCRIPTION)
    for kind in ("headers", "responses", "schemas"):
        assert [one for one in components[kind] if f'"#/components/{kind}/{one}"' not in written] == []
    assert LINKS.keys() <= {operation["operationId"] for operation in _called_operations()}


def test_every_creation_links_to_what_reads_it() -> None:
    operations = {
        operation["operationId"]: path
        for path, operations in DESCRIPTION["paths"].items()
        for operation in operations.values()
    }
    for operation in _called_operations():
        if "201" not in operation["responses"]:
            continue
        links = operation["responses"]["201"]["links"]
        assert links, operation["operationId"]
        for name, link in links.items():
            taken = re.findall(r"{(\w+)}", operations[link["operationId"]])
            assert list(link["parameters"]) == taken, (operation["operationId"], name)


@pytest.mark.campaign
@pytest.mark.timeout(600)
def test_the_linters_find_nothing(tmp_path: Path) -> None:
    npx = shutil.which("npx")
    if npx is None:
        pytest.skip("no npx: the linters come from npm")
    written = tmp_path / "openapi.json"
    written.write_text(json.dumps(DESCRIPTION))
    spectral = tmp_path / "spectral.yaml"
    spectral.write_text('extends: ["spectral:oas"]\n')
    rules = Path(__file__).with_name("redocly.yaml")
    for command in (
        ["@redocly/cli@2.40.0", "lint", "--config", str(rules), str(written)],
        ["@stoplight/spectral-cli@6.16.3", "lint", "-r", str(spectral), "--fail-severity=hint", str(written)],
    ):
        done = subprocess.run(
            [npx, "--yes", *command], capture_output=True, text=True, timeout=280, cwd=tmp_path, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        assert "warning" not in (done.stdout + done.stderr).lower().split("node.js")[0], done.stdout
