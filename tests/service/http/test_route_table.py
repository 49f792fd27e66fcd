"""The table of routes finds what trying each route in turn would find, and no other for a path of its own."""

import re

import pytest
from fastapi.routing import APIRoute
from starlette.routing import Match
from starlette.types import Scope

from app.service.http.routing import RouteTable
from app.service.main import ROUTERS

ROUTES = [route for router in ROUTERS for route in router.routes if isinstance(route, APIRoute)]
TABLE = RouteTable(ROUTERS)


def request_for(template: str, method: str) -> Scope:
    return {"type": "http", "method": method, "path": re.sub(r"\{.+?\}", "some-id", template)}


def match_in_turn(scope: Scope) -> tuple[Match, APIRoute | None]:
    """Of the routes with the fewest parameters whose path it is, the one that takes the method."""
    found = [(route.matches(scope)[0], route) for route in ROUTES]
    found = [one for one in found if one[0] is not Match.NONE]
    fewest = min((route.path.count("{") for _, route in found), default=0)
    found = [one for one in found if one[1].path.count("{") == fewest]
    return max(found, key=lambda one: one[0].value, default=(Match.NONE, None))


@pytest.mark.parametrize("method", ["GET", "POST", "PATCH", "DELETE", "TRACE"])
def test_it_finds_the_same_route_for_every_path(method: str) -> None:
    found = 0
    for template in sorted({route.path for route in ROUTES} | {"/v1", "/v1/catalog/none/at/all"}):
        scope = request_for(template, method)
        match, child_scope = TABLE.matches(scope)
        expected, route = match_in_turn(scope)
        assert match is expected
        if route is not None:  # of those that do not take the method, one is as good as another
            taken = child_scope["route"]
            assert taken is route or (match is Match.PARTIAL and taken.path == route.path)
        found += match is not Match.NONE
    assert found > 100
