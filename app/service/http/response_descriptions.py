"""What the description says of responses: the errors that operations share, their headers, and the links from
a created record to the operations that take its id."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from app.contract.problem import MEDIA_TYPE

Responses = dict[int | str, dict[str, Any]]

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
    """An error that many operations have: the name of its component, what it means, and the headers that it
    has beside those of every response."""

    name: str
    meaning: str
    headers: tuple[str, ...] = ()


ERRORS = {
    400: SharedError(
        "BadRequest",
        "A value is out of bounds or of the wrong type, or the body breaks its schema.",
        ("Idempotency-Replayed",),
    ),
    401: SharedError("Unauthorized", "No key, or one that is not known.", ("WWW-Authenticate",)),
    403: SharedError(
        "Forbidden", "The key only reads, lacks the role for this, or works from other networks only."
    ),
    404: SharedError("NotFound", "No such resource for this caller.", ("Idempotency-Replayed",)),
    409: SharedError(
        "Conflict",
        "The current state or a quota refuses this, or the first call with this Idempotency-Key still runs.",
        ("Retry-After",),
    ),
    413: SharedError("ContentTooLarge", "The body is too large."),
    415: SharedError("UnsupportedMediaType", "The content is of none of the accepted types.", ("Accept",)),
    416: SharedError(
        "RangeNotSatisfiable", "None of the requested bytes is in the file.", ("Content-Range",)
    ),
    422: SharedError(
        "UnprocessableContent",
        "Valid, but it cannot be done: nothing can be estimated, or an Idempotency-Key was reused.",
        ("Idempotency-Replayed",),
    ),
    429: SharedError(
        "TooManyRequests",
        "Over the rate limit, or too many calls in flight; `Retry-After` says when to come back.",
        ("Retry-After",),
    ),
    503: SharedError(
        "ServiceUnavailable",
        "The service is busy, or a part of it is down; `Retry-After` says when to come back.",
        ("Retry-After",),
    ),
}
"""The errors, by status."""

RATE_HEADERS = ("RateLimit-Policy", "RateLimit")
CACHE_HEADERS = ("ETag", "Cache-Control", "Vary")
NOT_MODIFIED: Responses = {304: {"description": "What the caller holds is still right (`If-None-Match`)."}}

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


def problem_responses(*statuses: int) -> Responses:
    """Error statuses of a route beyond those that every route has, for its `responses`."""
    return {status: {"$ref": f"#/components/responses/{ERRORS[status].name}"} for status in statuses}


def header_references(*names: str) -> dict[str, dict[str, str]]:
    """The `headers` of a response, by reference."""
    return {name: {"$ref": f"#/components/headers/{_component_name(name)}"} for name in names}


def build_components() -> dict[str, Any]:
    """The responses and headers that operations refer to."""
    return {
        "responses": {error.name: _build_error(status) for status, error in ERRORS.items()},
        "headers": {_component_name(name): header for name, header in HEADERS.items()},
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


def _component_name(name: str) -> str:
    return name.replace("-", "")
