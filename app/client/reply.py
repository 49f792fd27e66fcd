"""Turns an answer into a record of the contract, or into an error. No I/O."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from http import HTTPStatus
from typing import Any, NoReturn, TypeVar, cast

from pydantic import TypeAdapter, ValidationError

from ..contract.problem import Problem
from ..contract.validation_messages import describe_fault
from .credentials import Credentials
from .errors import Answer, RateLimited, UnexpectedReply, class_for
from .redaction import Headers, Secrets
from .request import Call, OutgoingRequest
from .retry import parse_retry_after

Result = TypeVar("Result")


def read_as(shape: type[Result]) -> Callable[[Answer], Result]:
    """A function that reads a JSON body as `shape`. It keeps unknown keys; UnexpectedReply for missing
    required ones."""

    def read(answer: Answer) -> Result:
        try:
            return _adapter(shape).validate_json(answer.body)
        except ValidationError as error:
            wrong = _describe_invalid(error)
        # Outside the handler, so that the chain of exceptions does not carry the body's values along.
        raise UnexpectedReply(f"The answer is not what the interface describes: {wrong}")

    return read


@dataclass(frozen=True, slots=True)
class FileContent:
    """The bytes of a file that the service sends, with the type and name that it gives them."""

    content: bytes = field(repr=False)
    mime_type: str
    filename: str | None


@cache
def _adapter(shape: Any) -> TypeAdapter[Any]:
    """Built when it is first needed, because building all of them takes longer than the first call."""
    return TypeAdapter(shape)


def ignore_body(answer: Answer) -> None:
    """Read an answer whose body does not matter."""


def _describe_invalid(error: ValidationError) -> str:
    details = error.errors(include_input=False, include_url=False)
    first = details[0]
    if first["type"] == "json_invalid":
        return "it is no JSON"
    place = "/".join(str(step) for step in first["loc"]) or "the whole"
    more = f" (and {len(details) - 1} more)" if len(details) > 1 else ""
    return f"{place} {describe_fault(first)}{more}"


def read_reply(
    call: Call[Result], sent: OutgoingRequest, answer: Answer, credentials: Credentials, tries: int
) -> Result:
    """The result of `call` for this answer. Refused or UnexpectedReply when it is no success."""
    good = 200 <= answer.status < 300 or answer.status in call.accepted_statuses
    if not good and answer.status >= 400:
        _raise_refusal(sent, answer, credentials, tries)
    wrong = UnexpectedReply(f"The service answered {answer.status}, which this call does not expect.")
    if good:
        try:
            return call.read(answer)
        except UnexpectedReply as error:
            wrong = error
        if answer.status >= 400:
            # The status can carry a report, but this body is not one: it may be a gateway's page.
            _raise_refusal(sent, answer, credentials, tries)
    elif 300 <= answer.status < 400:
        wrong = UnexpectedReply(f"The service answered with a redirect ({answer.status}); none is followed.")
    wrong.method, wrong.path, wrong.tries, wrong.response = sent.method, sent.path, tries, answer
    wrong.request_id = answer.headers.get("x-request-id", sent.headers["x-request-id"])
    raise wrong


def _raise_refusal(sent: OutgoingRequest, answer: Answer, credentials: Credentials, tries: int) -> NoReturn:
    secrets = credentials.secrets
    body = _json_object(answer.body, secrets)
    problem = _problem(body)
    traced = problem.trace.request_id if problem else None
    error = class_for(answer.status)(
        _error_sentence(answer.status, body),
        method=sent.method,
        path=secrets.redact(sent.path),
        request_id=answer.headers.get("x-request-id") or traced or sent.headers["x-request-id"],
        response=Answer(
            answer.status,
            Headers({name: secrets.redact(value) for name, value in answer.headers.items()}),
            secrets.redact(answer.body.decode("utf-8", "replace")).encode(),
        ),
        problem=problem,
        tries=tries,
    )
    if isinstance(error, RateLimited):
        error.retry_after = parse_retry_after(answer.headers)
    raise error


def _json_object(body: bytes, secrets: Secrets) -> dict[str, Any]:
    try:
        value = secrets.redact_json(json.loads(body))
    except (ValueError, RecursionError):
        return {}
    return cast(dict[str, Any], value) if isinstance(value, dict) else {}


def _problem(body: dict[str, Any]) -> Problem | None:
    try:
        return Problem.model_validate(body)
    except ValidationError:
        return None


def _error_sentence(status: int, body: dict[str, Any]) -> str:
    """The status with the best sentence of an error body, which may be no problem document."""
    sentences: Sequence[object] = [body.get(name) for name in ("detail", "message", "error", "title")]
    for sentence in sentences:
        if isinstance(sentence, str) and sentence.strip():
            return f"{status}: {sentence.strip()[:1000]}"
    try:
        return f"{status}: {HTTPStatus(status).phrase}"
    except ValueError:
        return f"{status}: the service refused"
