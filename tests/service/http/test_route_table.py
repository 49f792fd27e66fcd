"""The table of routes finds what trying each route in turn would find."""

import re

import pytest
from fastapi.routing import APIRoute
from starlette.routing import Match
from starlette.types import Scope

from app.service.http.route_table import RouteTable
from app.service.main import ROUTERS

ROUTES = [route for router in ROUTERS for route in router.routes if isinstance(route, APIRoute)]
TABLE = RouteTable(ROUTERS)


def request_for(template: str, method: str) -> Scope:
    return {"type": "http", "method": method, "path": re.sub(r"\{.+?\}", "some-id", template)}


def match_in_turn(scope: Scope) -> tuple[Match, APIRoute | None]:
    for wanted in (Match.FULL, Match.PARTIAL):
        for route in ROUTES:
            if route.matches(scope)[0] is wanted:
                return wanted, route
    return Match.NONE, None


@pytest.mark.parametrize("method", ["GET", "POST", "PATCH", "DELETE", "TRACE"])
def test_it_finds_the_same_route_for_every_path(method: str) -> None:
    found = 0
    for template in sorted({route.path for route in ROUTES} | {"/v1", "/v1/catalog/none/at/all"}):
        scope = request_for(template, method)
        match, child_scope = TABLE.matches(scope)
        assert (match, child_scope.get("route")) == match_in_turn(scope)
        found += match is not Match.NONE
    assert found > 100
