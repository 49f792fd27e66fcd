"""The arguments of an endpoint that depends on the address of a request alone, read in a sixth of the time
that the framework takes."""

from collections.abc import Callable, Coroutine, Mapping
from inspect import iscoroutinefunction
from typing import Any

from fastapi.dependencies.models import Dependant
from pydantic_core import PydanticUndefined
from starlette.requests import Request


class InvalidArgument(Exception):
    """A parameter is missing or not valid. The framework's own reading says which and why."""


class EndpointArguments:
    """Reads the arguments of an endpoint or dependency: parameters of path and query, the request, and what
    coroutines make of these. Raises TypeError for one that takes anything else."""

    def __init__(self, dependant: Dependant) -> None:
        if dependant.header_params or dependant.cookie_params or dependant.body_params:
            raise TypeError(f"{dependant.call} depends on more than the address of a request")
        self._dependencies = [_read_dependency(one) for one in dependant.dependencies]
        self._path_parameters = dependant.path_params
        self._query_parameters = dependant.query_params
        self._request_name = dependant.request_param_name

    async def read(self, request: Request) -> dict[str, Any]:
        """Return the arguments by name. Raises InvalidArgument, and what a dependency raises."""
        arguments = {name: await read(request) for name, read in self._dependencies}
        given: Mapping[str, str]
        for given, parameters in (
            (request.path_params, self._path_parameters),
            (request.query_params, self._query_parameters),
        ):
            for parameter in parameters:
                text = given.get(parameter.alias)
                value, errors = (parameter.default, None) if text is None else parameter.validate(text)
                if errors or value is PydanticUndefined:
                    raise InvalidArgument
                arguments[parameter.name] = value
        if self._request_name is not None:
            arguments[self._request_name] = request
        return arguments


def _read_dependency(dependant: Dependant) -> tuple[str, Callable[[Request], Coroutine[Any, Any, Any]]]:
    call, arguments = dependant.call, EndpointArguments(dependant)
    if dependant.name is None or call is None or not iscoroutinefunction(call):
        raise TypeError(f"{call} is no argument that a coroutine returns")

    async def read(request: Request) -> Any:
        return await call(**await arguments.read(request))

    return dependant.name, read
