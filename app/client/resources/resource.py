"""The base of the client's resources: calls to one deployment as one identity."""

from typing import TypeVar

from ..credentials import Credentials
from ..dispatcher import Dispatcher
from ..request import Call

Result = TypeVar("Result")


class Resource:
    """The calls of one part of the interface. Every method raises ApiError; see `errors`."""

    def __init__(self, dispatcher: Dispatcher, credentials: Credentials) -> None:
        self._dispatcher = dispatcher
        self._credentials = credentials

    def _ask(self, call: Call[Result]) -> Result:
        return self._dispatcher.send(call, self._credentials)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._dispatcher.base_url}, {self._credentials!r})"
