"""What a route says of its operation, for the description of the service."""

from typing import Any

EXTENSION_MARK = "x-extension"

Responses = dict[int | str, dict[str, Any]]

ERROR_NAMES = {
    400: "BadRequest",
    401: "Unauthorized",
    403: "Forbidden",
    404: "NotFound",
    409: "Conflict",
    413: "ContentTooLarge",
    415: "UnsupportedMediaType",
    416: "RangeNotSatisfiable",
    422: "UnprocessableContent",
    429: "TooManyRequests",
    503: "ServiceUnavailable",
}
"""The components of the errors that many operations share, by status."""

NOT_MODIFIED: Responses = {304: {"description": "What the caller holds is still right (`If-None-Match`)."}}


def problem_responses(*statuses: int) -> Responses:
    """Error statuses of a route beyond those that every route has, for its `responses`."""
    return {status: {"$ref": f"#/components/responses/{ERROR_NAMES[status]}"} for status in statuses}


def header_references(*names: str) -> dict[str, dict[str, str]]:
    return {name: {"$ref": f"#/components/headers/{name_component(name)}"} for name in names}


def name_component(name: str) -> str:
    """The name of a header as a component."""
    return name.replace("-", "")


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


def operation(
    operation_id: str,
    summary: str,
    shape: Any = None,
    *errors: int,
    responses: Responses | None = None,
    **more: Any,
) -> dict[str, Any]:
    """Return the arguments of a route: the shape of its answer, the error statuses beyond those that every
    route has, and what is said of other responses; `more` are other arguments of a route."""
    described = problem_responses(*errors) | (responses or {})
    return {
        "operation_id": operation_id,
        "summary": summary,
        "response_model": shape,
        "responses": described,
        **more,
    }


def extension(
    operation_id: str,
    summary: str,
    shape: Any = None,
    *errors: int,
    openapi_extra: dict[str, Any] | None = None,
    **more: Any,
) -> dict[str, Any]:
    """Return those of an addition of ours, which another deployment may lack."""
    marked = {EXTENSION_MARK: True, **(openapi_extra or {})}
    return operation(operation_id, summary, shape, *errors, openapi_extra=marked, **more)
