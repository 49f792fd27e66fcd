"""What every subject of the client is: calls made over one line as one identity."""

from typing import TypeVar

from app.client.credentials import Credentials
from app.client.dispatcher import Line
from app.client.request import Call

Result = TypeVar("Result")


class Resource:
    """Calls of one subject. Errors of every method: ApiError, see `app.client.errors`."""

    def __init__(self, line: Line, credentials: Credentials) -> None:
        self._line = line
        self._credentials = credentials

    def _ask(self, call: Call[Result]) -> Result:
        return self._line.ask(call, self._credentials)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._line.base_url}, {self._credentials!r})"
