"""The routes of the service in one table, which skips most of them without the time that matching takes; the
names in a query string; and the arguments of an endpoint that depends on the address of a request alone, read
in a sixth of the time that the framework takes."""

import re
from collections.abc import Callable, Coroutine, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from inspect import iscoroutinefunction
from typing import Any

from fastapi import APIRouter
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute
from pydantic_core import PydanticUndefined
from starlette.datastructures import QueryParams
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.routing import BaseRoute, Match
from starlette.types import Receive, Scope, Send

from app.service.http.problems import ApiProblem, InvalidField


class RouteTable(BaseRoute):
    """The routes of routers, each with how the paths that it matches begin. Those with a fixed part come
    before those with a parameter in its place: `/v1/files/upload` is no `/v1/files/{fileId}`. Matching
    all 145 of the service in turn takes 190 microseconds, this 15."""

    def __init__(self, routers: Iterable[APIRouter]) -> None:
        routes = [route for router in routers for route in router.routes if isinstance(route, APIRoute)]
        routes.sort(key=_parameters)
        self._routes = [(route.path.partition("{")[0], route) for route in routes]

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Find the route that takes the request, else the first that takes its path with another method."""
        path: str = scope["path"]
        found: tuple[Match, Scope] = Match.NONE, {}
        template = ""
        for start, route in self._routes:
            if path.startswith(start) and template in ("", route.path):
                match = route.matches(scope)
                if match[0] is Match.FULL:
                    return match
                if match[0] is Match.PARTIAL:
                    found, template = match, route.path
        return found

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        taken: APIRoute = scope["route"]
        if scope["method"] not in (taken.methods or ()):
            raise HTTPException(405, headers={"Allow": ", ".join(self._allowed_methods(taken.path))})
        await taken.handle(scope, receive, send)

    def _allowed_methods(self, template: str) -> list[str]:
        routes = [route for _, route in self._routes if route.path == template]
        methods = {method for route in routes for method in route.methods or ()}
        return sorted(methods | ({"HEAD"} if "GET" in methods else set()))


def _parameters(route: APIRoute) -> list[bool]:
    return ["{" in part for part in route.path.split("/")]


_BRACKETS = re.compile(r"\[[^\]]*\]?|\]")


@dataclass(frozen=True)
class QueryNames:
    """The query parameters of a route: those that are given once, and those that may be repeated."""

    single: frozenset[str]
    repeated: frozenset[str]

    def check(self, query: QueryParams) -> None:
        """Raises ApiProblem 400 for a single parameter that is given twice, and for an unknown one that
        differs from a known one only by case or brackets. Other unknown ones are ignored."""
        wrong: list[InvalidField] = []
        for name in dict.fromkeys(query):
            if name in self.repeated:
                continue
            if name in self.single:
                if len(query.getlist(name)) > 1:
                    wrong.append(InvalidField(name, "is given more than once"))
            elif meant := self._by_lower_case.get(_BRACKETS.sub("", name).lower()):
                wrong.append(InvalidField(name, f"is not a parameter of this call; it is written {meant}"))
        if wrong:
            raise ApiProblem(400, "The request is not valid.", errors=wrong)

    @cached_property
    def _by_lower_case(self) -> Mapping[str, str]:
        return {name.lower(): name for name in (*self.single, *self.repeated)}


def find_query_names(dependant: Dependant, described: Iterable[Mapping[str, Any]]) -> QueryNames:
    """The parameters that a route and its dependencies read, and those that its description adds because it
    reads them by itself."""
    single: set[str] = set()
    waiting = [dependant]
    while waiting:
        one = waiting.pop()
        single |= {field.alias for field in one.query_params}
        waiting += one.dependencies
    added: dict[str, bool] = {
        one["name"]: one["schema"]["type"] == "array" for one in described if one["in"] == "query"
    }
    repeated = frozenset(name for name, is_list in added.items() if is_list)
    return QueryNames(frozenset(single | added.keys()) - repeated, repeated)


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
