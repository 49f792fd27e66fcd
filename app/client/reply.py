"""From an answer to a record of the contract, or to the error that says why not. No I/O here."""

import json
from collections.abc import Callable, Sequence
from http import HTTPStatus
from typing import Any, NoReturn, TypeVar, cast

from pydantic import TypeAdapter, ValidationError

from app.client.credentials import Credentials
from app.client.errors import Answer, RateLimited, UnexpectedReply, class_for
from app.client.redaction import Headers, Secrets
from app.client.request import Call, Outgoing
from app.client.retry import wait_asked_for
from app.contract.problem import Problem

Result = TypeVar("Result")


def record(shape: type[Result]) -> Callable[[Answer], Result]:
    """Reads a body of JSON as `shape`: unknown keys are kept, missing required ones refused."""
    adapter = TypeAdapter(shape)

    def read(answer: Answer) -> Result:
        try:
            return adapter.validate_json(answer.body)
        except ValidationError as error:
            wrong = _what_is_wrong(error)
        # Outside the handler, so that the chain of exceptions does not carry the body's values along.
        raise UnexpectedReply(f"The answer is not what the interface describes: {wrong}")

    return read


def nothing(answer: Answer) -> None:
    """Reads an answer whose body does not matter."""


def _what_is_wrong(error: ValidationError) -> str:
    details = error.errors(include_input=False, include_url=False, include_context=False)
    first = details[0]
    if first["type"] == "json_invalid":
        return "it is no JSON"
    place = "/".join(str(step) for step in first["loc"]) or "the whole"
    more = f" (and {len(details) - 1} more)" if len(details) > 1 else ""
    return f"{place}: {first['msg']}{more}"


def concluded(
    call: Call[Result], sent: Outgoing, answer: Answer, credentials: Credentials, tries: int
) -> Result:
    """What `call` returns for `answer`. Refused or UnexpectedReply when it is no success."""
    good = 200 <= answer.status < 300 or answer.status in call.also_good
    if not good and answer.status >= 400:
        _refuse(sent, answer, credentials, tries)
    wrong = UnexpectedReply(f"The service answered {answer.status}, which this call does not know.")
    if good:
        try:
            return call.read(answer)
        except UnexpectedReply as error:
            wrong = error
        if answer.status >= 400:
            # A status that can carry a report, but here a gateway's page came under it.
            _refuse(sent, answer, credentials, tries)
    elif 300 <= answer.status < 400:
        wrong = UnexpectedReply(f"The service answered with a redirect ({answer.status}); none is followed.")
    wrong.method, wrong.path, wrong.tries, wrong.response = sent.method, sent.path, tries, answer
    wrong.request_id = answer.headers.get("x-request-id", sent.headers["x-request-id"])
    raise wrong


def _refuse(sent: Outgoing, answer: Answer, credentials: Credentials, tries: int) -> NoReturn:
    secrets = credentials.secrets
    body = _json_object(answer.body, secrets)
    problem = _problem(body)
    traced = problem.trace.request_id if problem else None
    error = class_for(answer.status)(
        _words(answer.status, body),
        method=sent.method,
        path=secrets.hidden(sent.path),
        request_id=answer.headers.get("x-request-id") or traced or sent.headers["x-request-id"],
        response=Answer(
            answer.status, _hidden_headers(answer.headers, secrets), _hidden_body(answer.body, secrets)
        ),
        problem=problem,
        tries=tries,
    )
    if isinstance(error, RateLimited):
        error.retry_after = wait_asked_for(answer.headers)
    raise error


def _json_object(body: bytes, secrets: Secrets) -> dict[str, Any]:
    try:
        value = secrets.hidden_in(json.loads(body))
    except (ValueError, RecursionError):
        return {}
    return cast(dict[str, Any], value) if isinstance(value, dict) else {}


def _problem(body: dict[str, Any]) -> Problem | None:
    try:
        return Problem.model_validate(body)
    except ValidationError:
        return None


def _words(status: int, body: dict[str, Any]) -> str:
    """The best sentence of an error body, also of one that is no problem document."""
    sentences: Sequence[object] = [body.get(name) for name in ("detail", "message", "error", "title")]
    for sentence in sentences:
        if isinstance(sentence, str) and sentence.strip():
            return f"{status}: {sentence.strip()[:1000]}"
    try:
        return f"{status}: {HTTPStatus(status).phrase}"
    except ValueError:
        return f"{status}: the service refused"


def _hidden_body(body: bytes, secrets: Secrets) -> bytes:
    return secrets.hidden(body.decode("utf-8", "replace")).encode()


def _hidden_headers(headers: Headers, secrets: Secrets) -> Headers:
    return Headers({name: secrets.hidden(value) for name, value in headers.items()})
