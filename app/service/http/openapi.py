"""The machine-readable description at `/v1/openapi`: OpenAPI 3.1, from the routes and the contract, with the
words of every field, parameter and tag.

It is published as it was recorded beside the code, since to build it takes longer than to start. Its
examples, requests, answers, errors and events, were recorded from a running service with the sample data
(`uv run --group dev python -m tests.service.examples`).
"""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, cast

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from app.contract.access import (
    END_USER_EMAIL,
    END_USER_IDENTIFIER,
    END_USER_IP,
    END_USER_ORGANISATION,
)
from app.contract.events import EVENTS, Event
from app.contract.glossary import describe_field
from app.contract.problem import Problem
from app.contract.values import MAX_EMAIL_LENGTH
from app.contract.version import VERSION
from app.service.http.operations import EXTENSION_MARK
from app.service.http.request_headers import (
    IDEMPOTENCY_KEY_PATTERN,
    MAX_END_USER_LENGTH,
    MAX_IDEMPOTENCY_KEY_LENGTH,
    MAX_IP_LENGTH,
)
from app.service.http.response_descriptions import (
    ERRORS,
    add_links,
    build_components,
    describe_responses,
    problem_responses,
)

PARAMETERS = {
    **{
        f"{one}Id": f"The {one}, by its id."
        for one in (
            *("agreement", "approval", "comment", "company", "escalation", "event"),
            *("import", "negotiation", "product", "requirement", "scenario", "scope", "webhook"),
        )
    },
    "categoryId": "Only companies of this category or of one below it.",
    "eventType": "Only events of this name.",
    "feedId": "The calendar feed, by its id.",
    "fileId": "The uploaded file, by its id.",
    "keyId": "The API key, by its id.",
    "mailId": "The letter, by its id.",
    "memberId": "The person, by their id.",
    "page": "The number of the page, from 1.",
    "parentCategoryId": "The children of this category instead of the top level.",
    "productFamilyId": "The product family, by its id.",
    "quoteId": "The quote of the requirement, by its id.",
    "quoteNumber": "The sample quote, by its number.",
    "quoted": "What a supplier asks: the total before tax for the whole term.",
    "sortBy": "The field that the list is sorted by.",
    "sortOrder": "Whether the list rises or falls.",
    "source": "Only those of this origin.",
    "status": "Only those in this state.",
    "x-svc-end-user-email": "The e-mail address of the person on whose behalf the call is made.",
    "x-svc-end-user-identifier": "The caller's id of the person on whose behalf the call is made.",
    "x-svc-end-user-ip": "The IPv4 or IPv6 address of that person.",
    "x-svc-end-user-organization-name": "The organisation of that person.",
    "webhook-id": "The id of the event, the same over all attempts.",
    "webhook-timestamp": "When the attempt was made, in seconds since 1970.",
    "webhook-signature": "One signature for each valid secret: `v1,` and base64, with spaces between.",
}

TAGS = [
    {"name": "Other", "description": "The state of the service, what the key may do, and this description."},
    {"name": "Catalog", "description": "Suppliers, their product families and products, by category."},
    {"name": "Overview", "description": "What waits for a person, what changed, spend and savings."},
    {"name": "Search", "description": "Records found by the words of their names and numbers."},
    {"name": "Imports", "description": "Files of purchases, brought in and taken back."},
    {"name": "Files", "description": "Documents that scopes are read from and negotiations refer to."},
    {"name": "Scope", "description": "What is bought, for how long and at what price."},
    {"name": "Pricing", "description": "What a scope should cost, and why."},
    {"name": "Webhooks", "description": "Where events are sent, and the records of their deliveries."},
    {"name": "Sample data", "description": "What is invented for trying things out, and its removal."},
    {"name": "Agreements", "description": "What was agreed, until when, and by when somebody must act."},
    {"name": "Sourcing", "description": "Several quotes of one requirement, and whom to award what."},
    {"name": "People", "description": "Who may use an organisation's data, and who changed what."},
    {"name": "Negotiation", "description": "Negotiations with suppliers, from the strategy to the price."},
]

BEYOND_THE_INTERFACE = (
    "\n\nThis is beyond the shared interface (`x-extension`): another deployment may not have it."
)

PAGE = "One page of a list. Its order is total and stable; past the end `data` is empty."

ABOUT = {
    "description": (
        "What a purchase should cost: a catalog of suppliers and products, scopes made by hand or read from a"
        " supplier's quote, price estimates from comparable purchases, negotiations, and an event for"
        " everything that happens in the background.\n\nThe examples were recorded from the sample data; long"
        " lists are shortened in them, and ids, times and secrets replaced."
    ),
    "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
    "contact": {"name": "The operator of this deployment"},
}


def add_words(description: dict[str, Any]) -> None:
    """Describes what the models and routes do not describe themselves, and leaves out what is no keyword of
    JSON Schema."""
    description["info"] |= ABOUT
    description["tags"] = TAGS
    description["servers"] = [{"url": "/", "description": "The address that this description came from."}]
    for schema in description["components"]["schemas"].values():
        schema.setdefault("description", PAGE)
        for field, value in schema.get("properties", {}).items():
            words = describe_field(field)
            if words is not None:
                value.setdefault("description", words)
    for parameter in _find_parameters(description):
        if parameter["name"] in PARAMETERS:
            parameter.setdefault("description", PARAMETERS[parameter["name"]])
        for bound in ("ge", "le", "gt", "lt"):
            parameter["schema"].pop(bound, None)


def _find_parameters(description: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for kind in ("paths", "webhooks"):
        for operations in description[kind].values():
            for operation in operations.values():
                yield from operation["parameters"]


EVERY_OPERATION_STATUSES = (400, 401, 429, 503)
CHANGE_STATUSES = (403, 413)
POST_STATUSES = (*CHANGE_STATUSES, 409, 415, 422)

IDEMPOTENCY_KEY = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": False,
    "description": "The same key, path and body give the stored answer for 24 hours.",
    "schema": {
        "type": "string",
        "pattern": f"^{IDEMPOTENCY_KEY_PATTERN}$",
        "minLength": 1,
        "maxLength": MAX_IDEMPOTENCY_KEY_LENGTH,
    },
}
END_USER_TEXT = {"type": "string", "maxLength": MAX_END_USER_LENGTH}
_NOTHING = {"type": "string", "maxLength": 0}
END_USER_HEADERS: list[dict[str, Any]] = [
    {"name": name, "in": "header", "required": False, "schema": schema}
    for name, schema in (
        (END_USER_IDENTIFIER, END_USER_TEXT),
        (
            END_USER_IP,
            {
                "anyOf": [
                    {"type": "string", "format": "ipv4", "maxLength": MAX_IP_LENGTH},
                    {"type": "string", "format": "ipv6", "maxLength": MAX_IP_LENGTH},
                    _NOTHING,
                ]
            },
        ),
        (
            END_USER_EMAIL,
            {"anyOf": [{"type": "string", "format": "email", "maxLength": MAX_EMAIL_LENGTH}, _NOTHING]},
        ),
        (END_USER_ORGANISATION, END_USER_TEXT),
    )
]
PLAIN_PATHS = ("/v1/webhooks", "/v1/negotiation/start", "/v1/openapi", "/v1/health")
"""Paths that take no end-user headers."""
OPEN_PATHS = ("/v1/openapi", "/v1/health")


FILE_FORM = {
    "type": "object",
    "required": ["file"],
    "properties": {
        "file": {
            "type": "string",
            "format": "binary",
            "contentMediaType": "application/octet-stream",
            "description": "The document. Its name is that of the part.",
        }
    },
}
"""A form with a file. Generators of clients know a file by its format, OpenAPI 3.1 by its media type."""
FILE_ONLY: dict[str, Any] = {
    "requestBody": {"required": True, "content": {"multipart/form-data": {"schema": FILE_FORM}}}
}
"""`openapi_extra` of a route that takes a form with a `file` part and nothing else."""


def json_or_file(schema: type[Any]) -> dict[str, Any]:
    """`openapi_extra` of a route that takes a JSON body or a multipart form with a `file` part."""
    reference = {"$ref": f"#/components/schemas/{schema.__name__}"}
    content = {"application/json": {"schema": reference}, "multipart/form-data": {"schema": FILE_FORM}}
    return {"requestBody": {"required": True, "content": content}}


def build_description(app: FastAPI, extra_models: tuple[type[Any], ...]) -> dict[str, Any]:
    """The whole description. `extra_models` are bodies that routes read by themselves."""
    description: dict[str, Any] = get_openapi(
        title="Parley",
        version=VERSION,
        openapi_version="3.1.0",
        summary="What a purchase should cost, help to get that price, and every event on the way.",
        routes=app.routes,
        separate_input_output_schemas=False,
    )
    components = description.setdefault("components", {})
    schemas: dict[str, Any] = components.setdefault("schemas", {})
    for model in (Problem, *EVENTS, *extra_models):
        schema = model.model_json_schema(
            by_alias=True, mode="validation", ref_template="#/components/schemas/{model}"
        )
        for name, inner in schema.pop("$defs", {}).items():
            schemas.setdefault(name, inner)
        schemas.setdefault(schema["title"], schema)
    for unused in ("HTTPValidationError", "ValidationError"):
        schemas.pop(unused, None)
    components |= build_components()
    components["securitySchemes"] = {
        "bearer": {"type": "http", "scheme": "bearer", "description": "An API key."},
        "apiKey": {
            "type": "apiKey",
            "in": "header",
            "name": "X-API-Key",
            "description": "An API key, for clients that cannot send `Authorization`.",
        },
    }
    for path, operations in description["paths"].items():
        for method, operation in operations.items():
            _complete(path, method, operation)
    add_links(description["paths"], schemas)
    description["webhooks"] = {event.event_name: _webhook(event) for event in EVENTS}
    described = cast(dict[str, Any], _without_nulls(description))
    add_words(described)
    _add_examples(described)
    return described


def _complete(path: str, method: str, operation: dict[str, Any]) -> None:
    if EXTENSION_MARK in operation:
        operation["description"] += BEYOND_THE_INTERFACE
    responses: dict[str, Any] = operation["responses"]
    responses.pop("422", None) if _is_framework_error(responses.get("422")) else None
    guarded = path not in OPEN_PATHS
    security: list[dict[str, list[str]]] = [{"bearer": []}, {"apiKey": []}] if guarded else []
    operation["security"] = security
    statuses = (400,)
    if guarded:
        statuses = EVERY_OPERATION_STATUSES + {"get": (), "delete": (403,), "post": POST_STATUSES}.get(
            method, CHANGE_STATUSES
        )
    for status, response in problem_responses(*statuses).items():
        responses.setdefault(str(status), response)
    describe_responses(method, operation, guarded=guarded)
    parameters = operation.setdefault("parameters", [])
    for parameter in parameters:
        _refuse_nul(parameter["schema"])
    if method == "post":
        parameters.append(IDEMPOTENCY_KEY)
    if not path.startswith(PLAIN_PATHS):
        parameters.extend(END_USER_HEADERS)


def _refuse_nul(schema: dict[str, Any]) -> None:
    """Free texts in addresses hold no NUL; `access.guard` refuses it for every route."""
    for alternative in (schema, *schema.get("anyOf", ())):
        if alternative.get("type") == "string" and not alternative.keys() & {"format", "enum", "const"}:
            alternative.setdefault("pattern", "^[^\\u0000]*$")


def _is_framework_error(response: dict[str, Any] | None) -> bool:
    return response is not None and "application/json" in response.get("content", {})


def _webhook(event: type[Event]) -> dict[str, Any]:
    data = {"$ref": f"#/components/schemas/{event.model_json_schema()['title']}"}
    headers = ("webhook-id", "webhook-timestamp", "webhook-signature")
    return {
        "post": {
            "operationId": event.event_name,
            "security": [],
            "summary": event.event_name,
            "description": (
                f"{event.explanation} Signed as Standard Webhooks 1.0 describes; any 2xx answer is a success."
            ),
            "parameters": [
                {"name": header, "in": "header", "required": True, "schema": {"type": "string"}}
                for header in headers
            ],
            "requestBody": {
                "required": True,
                "content": {
                    "application/json": {
                        "schema": {
                            "type": "object",
                            "required": ["eventType", "data"],
                            "properties": {
                                "eventType": {
                                    "const": event.event_name,
                                    "description": "The name of the event.",
                                },
                                "data": {**data, "description": "What happened, by its ids."},
                            },
                        }
                    }
                },
            },
            "responses": {"2XX": {"description": "Received."}},
        }
    }


def _without_nulls(node: Any) -> Any:
    """Absent optionals are omitted, never null: the alternatives that pydantic adds for None go, except where
    null is a value (`x-nullable`)."""
    if isinstance(node, list):
        return [_without_nulls(item) for item in cast(list[Any], node)]
    if not isinstance(node, dict):
        return node
    given = cast(dict[str, Any], node)
    kept = {
        key: _without_nulls(value) for key, value in given.items() if not (key == "default" and value is None)
    }
    alternatives = kept.get("anyOf")
    is_nullable = kept.pop("x-nullable", False)
    if isinstance(alternatives, list) and {"type": "null"} in alternatives and not is_nullable:
        rest = [item for item in cast(list[Any], alternatives) if item != {"type": "null"}]
        del kept["anyOf"]
        kept = {**kept, **rest[0]} if len(rest) == 1 else {**kept, "anyOf": rest}
    return kept


EXAMPLES_FILE = Path(__file__).with_name("examples.json")
_FORM_EXAMPLE = "files.upload"
"""The operation whose form is the example of every form: each has a file and nothing else."""

_Content = dict[str, dict[str, Any]]


def _add_examples(description: dict[str, Any]) -> None:
    """Adds the recorded examples: each once, as a component, which operations refer to."""
    recorded = json.loads(EXAMPLES_FILE.read_text(encoding="utf-8"))
    components = _ExampleComponents()
    operations: dict[str, Any] = recorded["operations"]
    form = operations[_FORM_EXAMPLE]["form"]
    for operation in _list_operations(description["paths"]):
        name = operation["operationId"]
        example = operations.get(name, {})
        _add_to_parameters(operation, example.get("parameters", {}))
        content: _Content = operation.get("requestBody", {}).get("content", {})
        components.add(content, "application/json", f"{name}.request", example.get("request"))
        components.add(content, "multipart/form-data", f"{_FORM_EXAMPLE}.request", form)
        for status, response in operation["responses"].items():
            for media_type in response.get("content", {}):
                answer = example.get("responses", {}).get(status)
                components.add(response["content"], media_type, f"{name}.{status}", answer)
    for status, error in ERRORS.items():
        content = description["components"]["responses"][error.name]["content"]
        components.add(content, next(iter(content)), error.name, recorded["errors"].get(str(status)))
    for operation in _list_operations(description["webhooks"]):
        name = operation["operationId"]
        event = recorded["events"].get(name, {})
        _add_to_parameters(operation, event.get("headers", {}))
        components.add(operation["requestBody"]["content"], "application/json", name, event.get("body"))
    description["components"]["examples"] = components.examples


def _list_operations(paths: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for operations in paths.values():
        yield from operations.values()


def _add_to_parameters(operation: dict[str, Any], values: dict[str, Any]) -> None:
    for parameter in operation["parameters"]:
        if parameter["name"] in values:
            value = values[parameter["name"]]
            is_list: bool = parameter.get("schema", {}).get("type") == "array"
            parameter["example"] = value.split(",") if is_list else value


class _ExampleComponents:
    """The examples by their names as components. Equal ones are one."""

    def __init__(self) -> None:
        self.examples: dict[str, dict[str, Any]] = {}
        self._names: dict[str, str] = {}

    def add(self, content: _Content, media_type: str, name: str, value: Any) -> None:
        """Refers a body of that type, if there is one, to an example, if there is one."""
        if media_type not in content or value is None:
            return
        known = self._names.setdefault(json.dumps(value, sort_keys=True), name)
        self.examples.setdefault(known, {"value": value})
        content[media_type]["examples"] = {"sample": {"$ref": f"#/components/examples/{known}"}}


DESCRIPTION_FILE = Path(__file__).with_name("description.json")
_INBOX = "/inbox"


@cache
def load_description(*, with_inbox: bool) -> dict[str, Any]:
    """Return the OpenAPI description, with or without the built-in inbox."""
    description = json.loads(DESCRIPTION_FILE.read_text(encoding="utf-8"))
    return description if with_inbox else _leave_out_inbox(description)


def _leave_out_inbox(description: dict[str, Any]) -> dict[str, Any]:
    """Leave out the operations of the inbox, and the components to which nothing else refers."""
    paths = {path: one for path, one in description["paths"].items() if not path.endswith(_INBOX)}
    rest = {**description, "paths": paths}
    text = json.dumps(rest, ensure_ascii=False)
    components = {
        kind: {
            name: one
            for name, one in some.items()
            if kind not in ("schemas", "examples") or f'"#/components/{kind}/{name}"' in text
        }
        for kind, some in description["components"].items()
    }
    return {**rest, "components": components}
