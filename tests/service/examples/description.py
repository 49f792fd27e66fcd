"""Builds the description at `/v1/openapi` from the routes and the contract, with the words of every field,
parameter, response and tag, the links from a created record to the operations that take its id, and the
recorded examples of requests, answers, errors and events."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
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
from app.contract.negotiation import AttachFile
from app.contract.problem import MEDIA_TYPE, Problem
from app.contract.scope import NewScopeFromDocument
from app.contract.values import MAX_EMAIL_LENGTH
from app.contract.version import VERSION
from app.service.http.openapi import EXAMPLES_FILE
from app.service.http.operations import (
    ERROR_NAMES,
    EXTENSION_MARK,
    header_references,
    name_component,
    problem_responses,
)
from app.service.http.request_headers import (
    IDEMPOTENCY_KEY_PATTERN,
    MAX_END_USER_LENGTH,
    MAX_IDEMPOTENCY_KEY_LENGTH,
    MAX_IP_LENGTH,
)
from app.service.main import list_routers
from tests.service.examples.glossary import describe_field

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


def build_openapi(*, with_inbox: bool) -> dict[str, Any]:
    """Build the OpenAPI description, with or without the built-in inbox, as it is recorded for
    `load_description`."""
    app = FastAPI()
    for router in list_routers(with_inbox):
        app.include_router(router)
    return _build_description(app, (NewScopeFromDocument, AttachFile))


def _build_description(app: FastAPI, extra_models: tuple[type[Any], ...]) -> dict[str, Any]:
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
    for status in ERRORS:
        name = ERROR_NAMES[status]
        content = description["components"]["responses"][name]["content"]
        components.add(content, next(iter(content)), name, recorded["errors"].get(str(status)))
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


_TEXT = {"type": "string"}
_SECONDS = {"type": "integer", "minimum": 0}

HEADERS: dict[str, dict[str, Any]] = {
    "X-Request-Id": {
        "description": "The id of the call, for the log: the caller's own, else a new one.",
        "required": True,
        "schema": _TEXT,
    },
    "RateLimit-Policy": {
        "description": "The limit of a key: `q` requests in a window of `w` seconds. Absent without one.",
        "schema": _TEXT,
    },
    "RateLimit": {
        "description": "What is left of the limit: `r` requests in a window that ends in `t` seconds.",
        "schema": _TEXT,
    },
    "Retry-After": {"description": "The seconds after which to try again.", "schema": _SECONDS},
    "Location": {
        "description": "The path at which the new record, or what it names, can be read.",
        "required": True,
        "schema": {**_TEXT, "format": "uri-reference"},
    },
    "Idempotency-Replayed": {
        "description": "`true` on the stored response to an earlier call with this Idempotency-Key.",
        "schema": {**_TEXT, "const": "true"},
    },
    "ETag": {
        "description": "The tag of this content, for `If-None-Match`.",
        "required": True,
        "schema": _TEXT,
    },
    "Cache-Control": {"description": "Who may keep this response, and how long.", "schema": _TEXT},
    "Vary": {"description": "The request headers that the response depends on.", "schema": _TEXT},
    "Link": {"description": 'The next page as `<path>; rel="next"`, where there is one.', "schema": _TEXT},
    "Content-Disposition": {"description": "The name of the file, always as a download.", "schema": _TEXT},
    "Content-Range": {"description": "Which bytes these are, and how many there are.", "schema": _TEXT},
    "WWW-Authenticate": {"description": "How to send a key.", "required": True, "schema": _TEXT},
    "Accept": {"description": "The types of content that are taken.", "schema": _TEXT},
}
"""Response headers by name. The names of the components are those without hyphens."""

UNDESCRIBED = "Successful Response"
"""What the framework says of a response."""
SUCCESSES = {"200": "Success.", "201": "Created.", "204": "Success, without content."}


@dataclass(frozen=True)
class SharedError:
    """An error that many operations have: what it means, and the headers that it has beside those of every
    response."""

    meaning: str
    headers: tuple[str, ...] = ()


ERRORS = {
    400: SharedError(
        "A value is out of bounds or of the wrong type, or the body breaks its schema.",
        ("Idempotency-Replayed",),
    ),
    401: SharedError("No key, or one that is not known.", ("WWW-Authenticate",)),
    403: SharedError("The key only reads, lacks the role for this, or works from other networks only."),
    404: SharedError("No such resource for this caller.", ("Idempotency-Replayed",)),
    409: SharedError(
        "The current state or a quota refuses this, or the first call with this Idempotency-Key still runs.",
        ("Retry-After",),
    ),
    413: SharedError("The body is too large."),
    415: SharedError("The content is of none of the accepted types.", ("Accept",)),
    416: SharedError("None of the requested bytes is in the file.", ("Content-Range",)),
    422: SharedError(
        "Valid, but it cannot be done: nothing can be estimated, or an Idempotency-Key was reused.",
        ("Idempotency-Replayed",),
    ),
    429: SharedError(
        "Over the rate limit, or too many calls in flight; `Retry-After` says when to come back.",
        ("Retry-After",),
    ),
    503: SharedError(
        "The service is busy, or a part of it is down; `Retry-After` says when to come back.",
        ("Retry-After",),
    ),
}
"""The errors, by status."""

RATE_HEADERS = ("RateLimit-Policy", "RateLimit")
CACHE_HEADERS = ("ETag", "Cache-Control", "Vary")

LINKS: Mapping[str, Sequence[str]] = {
    **{
        f"{kind}Comments.create": [f"{kind}Comments.delete"] for kind in ("scope", "negotiation", "agreement")
    },
    "agreements.createFromDocument": ["agreements.read"],
    "agreements.create": ["agreements.read", "agreementOccurrences.list"],
    "agreementRenewals.create": ["negotiations.read", "scopes.read"],
    "calendarFeeds.create": ["calendarFeeds.revoke"],
    "catalogEntries.create": ["products.read", "companies.read"],
    "keys.create": ["keys.revoke"],
    "requirements.create": ["requirements.read", "requirements.matrix"],
    "requirements.addQuote": ["requirements.matrix", "requirements.updateQuote", "requirements.removeQuote"],
    "agentCalls.record": ["agentCalls.list"],
    "requirements.createScenario": ["requirements.readScenario"],
    "requirements.award": ["requirements.readScenario"],
    "files.upload": ["files.download"],
    "imports.create": ["imports.read", "imports.confirm"],
    "scopes.create": ["scopes.read", "basicEstimates.read", "advancedEstimates.read", "explanations.read"],
    "scopes.createFromDocument": ["scopes.read", "scopeDocuments.read"],
    "scopeDocuments.confirm": ["scopes.read", "advancedEstimates.read"],
    "webhooks.create": ["webhooks.read", "events.list"],
    "webhooks.test": ["events.read", "attempts.list"],
    "inboxes.create": ["webhooks.read", "inboxes.read"],
    "negotiations.start": ["negotiations.read", "timelines.read", "escalations.list"],
    "attachments.create": ["files.download"],
}
"""The operations that take the id of what another created, by its operation id."""


def build_components() -> dict[str, Any]:
    """The responses and headers that operations refer to."""
    return {
        "responses": {ERROR_NAMES[status]: _build_error(status) for status in ERRORS},
        "headers": {name_component(name): header for name, header in HEADERS.items()},
    }


def describe_responses(method: str, operation: dict[str, Any], *, guarded: bool) -> None:
    """Adds to an operation's responses the headers that they have."""
    responses: dict[str, Any] = operation["responses"]
    cacheable = "304" in responses
    for status, response in responses.items():
        if "$ref" in response:
            responses[status] = {"$ref": response["$ref"]}
            continue
        if response["description"] == UNDESCRIBED:
            response["description"] = SUCCESSES[status]
        names = ["X-Request-Id", *(RATE_HEADERS if guarded else ())]
        names += CACHE_HEADERS if cacheable else ()
        if (
            method == "get"
            and status == "200"
            and not cacheable
            and "application/json" in response["content"]
        ):
            names.append("Vary")
        if status == "201":
            names.append("Location")
        if method == "post":
            names.append("Idempotency-Replayed")
        response["headers"] = header_references(*names) | response.get("headers", {})


def add_links(paths: Mapping[str, Mapping[str, Any]], schemas: Mapping[str, Any]) -> None:
    """Adds the links to follow. A parameter of the other operation is the value of that name in the answer,
    or in the own path where that only leads to the new record; else it is the id of this record."""
    operations = {one["operationId"]: (path, one) for path, of in paths.items() for one in of.values()}
    for name, targets in LINKS.items():
        if name not in operations:
            continue
        path, operation = operations[name]
        response = operation["responses"]["201"]
        shape = response["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
        for target in targets:
            wanted = re.findall(r"{(\w+)}", operations[target][0])
            parameters = {
                one: f"$response.body#/{one}"
                if one in schemas[shape]["properties"]
                else f"$request.path.{one}"
                if len(wanted) > 1 and f"{{{one}}}" in path
                else "$response.body#/id"
                for one in wanted
            }
            links = response.setdefault("links", {})
            links[target] = {"operationId": target, "parameters": parameters}


def _build_error(status: int) -> dict[str, Any]:
    error = ERRORS[status]
    rated = () if status == 401 else RATE_HEADERS
    return {
        "description": error.meaning,
        "headers": header_references("X-Request-Id", *rated, *error.headers),
        "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
    }
