"""What a route says of its operation, for the description of the service."""

from typing import Any

from app.service.http.response_descriptions import Responses, problem_responses

EXTENSION_MARK = "x-extension"


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
