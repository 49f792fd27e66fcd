"""What the subjects of the interface are made of: methods that describe their calls, and are written once for
callers that wait and for callers that `await`."""

from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from functools import wraps
from importlib import import_module
from typing import Any, Concatenate, Generic, ParamSpec, Protocol, TypeVar, cast, overload

from ...contract.model import Wire
from ..credentials import Credentials
from ..dispatcher import AsyncDispatcher, Dispatcher
from ..paging import Listing
from ..reply import ignore_body, read_as
from ..request import Call

Result = TypeVar("Result")
Record = TypeVar("Record")
Result_co = TypeVar("Result_co", covariant=True)
Parameters = ParamSpec("Parameters")
DispatcherT = TypeVar("DispatcherT", bound=Dispatcher | AsyncDispatcher, covariant=True)


class Resource(Generic[DispatcherT]):
    """The calls of one part of the interface, made by `DispatcherT` as one identity. Every method raises
    ApiError; see `errors`."""

    def __init__(self, dispatcher: DispatcherT, credentials: Credentials) -> None:
        self._dispatcher = dispatcher
        self._credentials = credentials

    @property
    def base_url(self) -> str:
        """The address of the deployment, without a slash at its end."""
        return self._dispatcher.state.base_url

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.base_url}, {self._credentials!r})"


class _Subject:
    """A resource of the type that its attribute is annotated with, imported and made when first used."""

    def __init__(self, module: str | None) -> None:
        self._module = module

    def __set_name__(self, owner: type, name: str) -> None:
        self._owner, self._name = owner, name

    def __get__(self, resource: Any, _: object) -> Any:
        if resource is None:
            return self
        module = import_module(f".{self._module or self._name}", __package__)
        kind = getattr(module, self._owner.__annotations__[self._name].partition("[")[0])
        made = resource.__dict__[self._name] = kind(resource._dispatcher, resource._credentials)
        return made


def subject(module: str | None = None) -> Any:
    """A resource from the module of its name, or from the module that is named."""
    return _Subject(module)


def get(template: str, shape: type[Result], *values: str | int, **options: Any) -> Call[Result]:
    """The call that reads a record of a shape; `options` are those of `Call`."""
    return Call("GET", template, values, read_as(shape), **options)


def post(
    template: str,
    shape: type[Result],
    *values: str | int,
    body: Wire | None = None,
    key: str | None = None,
    **options: Any,
) -> Call[Result]:
    """The call that sends a body, if there is one, with an idempotency key; `options` are those of `Call`."""
    json = None if body is None else body.wire()
    return Call("POST", template, values, read_as(shape), json=json, idempotency_key=key, **options)


def post_only(
    template: str, *values: str | int, body: Wire, key: str | None = None, **options: Any
) -> Call[None]:
    """The call that sends a body, whose answer has none; `options` are those of `Call`."""
    json = body.wire()
    return Call("POST", template, values, ignore_body, json=json, idempotency_key=key, **options)


def put(template: str, shape: type[Result], *values: str | int, body: Wire, **options: Any) -> Call[Result]:
    """The call that puts `body` in the place of what is there; `options` are those of `Call`."""
    return Call("PUT", template, values, read_as(shape), json=body.wire(), **options)


def patch(template: str, shape: type[Result], *values: str | int, body: Wire, **options: Any) -> Call[Result]:
    """The call that changes what `body` names; `options` are those of `Call`."""
    return Call("PATCH", template, values, read_as(shape), json=body.wire(), **options)


def delete(template: str, shape: type[Result], *values: str | int, **options: Any) -> Call[Result]:
    """The call that deletes a record; `options` are those of `Call`."""
    return Call("DELETE", template, values, read_as(shape), **options)


class Operation(Protocol[Parameters, Result_co]):
    """A method that makes a call. It returns the result; that of an asynchronous client, a coroutine."""

    @overload
    def __get__(self, resource: Resource[Dispatcher], owner: object) -> Callable[Parameters, Result_co]: ...
    @overload
    def __get__(
        self, resource: Resource[AsyncDispatcher], owner: object
    ) -> Callable[Parameters, Coroutine[Any, Any, Result_co]]: ...


class Iteration(Protocol[Parameters, Result_co]):
    """A method that walks through a list. It returns an iterator; that of an asynchronous client, an
    asynchronous one."""

    @overload
    def __get__(
        self, resource: Resource[Dispatcher], owner: object
    ) -> Callable[Parameters, Iterator[Result_co]]: ...
    @overload
    def __get__(
        self, resource: Resource[AsyncDispatcher], owner: object
    ) -> Callable[Parameters, AsyncIterator[Result_co]]: ...


def operation(
    describe: Callable[Concatenate[Any, Parameters], Call[Result]],
) -> Operation[Parameters, Result]:
    """A method that makes the call which `describe` returns."""

    @wraps(describe)
    def make(resource: Any, *arguments: Any, **options: Any) -> Any:
        return resource._dispatcher.send(describe(resource, *arguments, **options), resource._credentials)

    return cast(Operation[Parameters, Result], make)


def iteration(
    describe: Callable[Concatenate[Any, Parameters], Listing[Record]],
) -> Iteration[Parameters, Record]:
    """A method that walks through the records which `describe` returns."""

    @wraps(describe)
    def walk(resource: Any, *arguments: Any, **options: Any) -> Any:
        return resource._dispatcher.iterate(describe(resource, *arguments, **options), resource._credentials)

    return cast(Iteration[Parameters, Record], walk)
