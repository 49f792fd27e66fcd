"""Typed access to the state of an application or of one request."""

from typing import Any, Generic, Protocol, TypeVar, cast

from starlette.datastructures import State

Value = TypeVar("Value")


class HasState(Protocol):
    """A FastAPI application or a request."""

    @property
    def state(self) -> State | Any: ...


class StateKey(Generic[Value]):
    """One named value in the `state` of an application or a request, and its type."""

    def __init__(self, name: str) -> None:
        self._name = name

    def set(self, holder: HasState, value: Value) -> None:
        setattr(holder.state, self._name, value)

    def get(self, holder: HasState) -> Value:
        """The value. AttributeError when it was never set."""
        return cast(Value, getattr(holder.state, self._name))

    def get_or(self, holder: HasState, default: Value) -> Value:
        return cast(Value, getattr(holder.state, self._name, default))
