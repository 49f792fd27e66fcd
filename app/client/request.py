"""A call of the interface, and the request that it becomes. No I/O."""

import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from pathlib import Path
from typing import Any, Generic, Literal, TypeVar, cast
from urllib.parse import quote, urlencode

from pydantic.alias_generators import to_camel

from ..contract.values import wire_instant
from .credentials import Credentials
from .errors import Answer, Unsendable
from .redaction import Headers

Result = TypeVar("Result")
Converted = TypeVar("Converted")

Method = Literal["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]

# Which credentials an endpoint accepts.
Identity = Literal["end user", "key", "nobody"]

QueryValue = str | int | bool | None
Query = Mapping[str, QueryValue]


@dataclass(frozen=True, slots=True)
class Upload:
    """A file to send: its content, or a path that is opened again for each try."""

    content: bytes | Path = field(repr=False)
    filename: str
    mime_type: str = "application/octet-stream"


@dataclass(frozen=True, slots=True)
class Call(Generic[Result]):
    """One call of one endpoint. `values` fill the `{}` of `template`, `read` turns the answer into the
    result, `accepted_statuses` are successes beside 2xx, and `caches_body` says that answers are cached by
    their ETags."""

    method: Method
    template: str
    values: tuple[str | int, ...]
    read: Callable[[Answer], Result] = field(repr=False)
    query: Query = field(default_factory=dict[str, QueryValue], repr=False)
    json: Any = field(default=None, repr=False)
    upload: Upload | None = None
    form: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    headers: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    idempotency_key: str | None = field(default=None, repr=False)
    identity: Identity = "end user"
    accept: str = "application/json"
    accepted_statuses: frozenset[int] = frozenset()
    caches_body: bool = False

    @property
    def path(self) -> str:
        return escape_path(self.template, self.values)

    def then(self, convert: Callable[[Result], Converted]) -> "Call[Converted]":
        """The same call, whose result is converted."""

        def read(answer: Answer) -> Converted:
            return convert(self.read(answer))

        return cast("Call[Converted]", replace(self, read=read))


@dataclass(frozen=True, slots=True)
class OutgoingRequest:
    """A request that is ready to be sent, once for each try."""

    method: Method
    path: str
    url: str = field(repr=False)
    headers: Headers
    json: Any = field(default=None, repr=False)
    upload: Upload | None = None
    form: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)


def escape_path(template: str, values: tuple[str | int, ...]) -> str:
    """The path with each `{}` of `template` replaced by an escaped value.

    Unsendable for an empty value or a dot segment: escaping does not help, because a proxy between client and
    service may decode and resolve them.
    """
    pieces = template.split("{}")
    path = pieces[0]
    for value, piece in zip(values, pieces[1:], strict=True):
        text = str(value)
        if text.strip() in ("", ".", ".."):
            raise Unsendable(f"{text!r} cannot be an id in {template}")
        path += quote(text, safe="") + piece
    return path


def list_query(query: Mapping[str, object], limit: int | None, offset: int | None) -> Query:
    """The query of a list, with its names and values in the wire's form. ValueError for a time without a
    zone."""
    parameters = {to_camel(name): _query_value(value) for name, value in query.items()}
    return {**parameters, "limit": limit, "offset": offset}


def _query_value(value: object) -> QueryValue:
    match value:
        case None | str() | int():
            return value
        case datetime():
            return format_instant(value)
        case date():
            return value.isoformat()
        case Sequence():
            # Form style, not exploded: one value with commas between.
            return ",".join(map(str, cast(Sequence[object], value)))
        case _:
            raise TypeError(f"{value!r} is no value of a query")


def format_instant(moment: datetime) -> str:
    """The moment in the wire's form. ValueError for one without a zone."""
    if moment.tzinfo is None:
        raise ValueError("a moment needs a time zone")
    return wire_instant(moment)


def encode_query(query: Query) -> str:
    """The query string, without what is None, and with flags as true and false."""
    words = {True: "true", False: "false"}
    pairs = [
        (name, words[value] if isinstance(value, bool) else str(value))
        for name, value in query.items()
        if value is not None
    ]
    # Commas stay as they are: `ids` is form style, not exploded, and its separators are part of the syntax.
    return urlencode(pairs, quote_via=quote, safe=",")


def build_request(call: Call[Any], base_url: str, credentials: Credentials) -> OutgoingRequest:
    """Build the request of `call` to the deployment at `base_url`, made as `credentials`."""
    path = call.path
    query = encode_query(call.query)
    headers = Headers({"accept": call.accept, "x-request-id": uuid.uuid4().hex, **call.headers})
    if call.identity != "nobody" and credentials.api_key:
        headers["authorization"] = f"Bearer {credentials.api_key}"
    if call.identity == "end user" and credentials.end_user:
        headers.update(credentials.end_user.headers())
    if call.method == "POST":
        headers["idempotency-key"] = call.idempotency_key or str(uuid.uuid4())
    return OutgoingRequest(
        method=call.method,
        path=path,
        url=f"{base_url}{path}{'?' + query if query else ''}",
        headers=headers,
        json=call.json,
        upload=call.upload,
        form=call.form,
    )
