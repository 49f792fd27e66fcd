"""Addresses of before lead to those of today, and what one types leads to what can be begun."""

import pytest
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from app.dashboard import navigation
from app.dashboard.server.middleware import PageAddresses
from app.dashboard.start_actions import ACTIONS, matches


@pytest.mark.parametrize(
    ("before", "today"),
    [
        ("/scopes", "/quotes"),
        ("/scopes?scopes-tab=From+a+form&product=1", "/quotes?scopes-tab=New+request&product=1"),
        ("/agreement?id=7&agreement-tab=Decision", "/contract?id=7&agreement-tab=Decision"),
        (
            "/agreements?agreements-tab=Missing+details",
            "/contracts?agreements-tab=All&agreement-missing=true",
        ),
        ("/requirement/?id=7", "/comparison?id=7"),
        ("/quotes/", "/quotes"),
        ("/nothing", "/not_found?address=%2Fnothing"),
    ],
)
def test_an_address_of_before_leads_to_that_of_today(before: str, today: str) -> None:
    inner = Starlette(routes=[Route("/{path:path}", lambda _: PlainTextResponse("a page"))])
    moved = {"moved": navigation.MOVED, "moved_tabs": navigation.MOVED_TABS}
    app = PageAddresses(inner, dashboard_url="", names=navigation.list_addresses(), **moved)
    client = TestClient(app, headers={"Accept": "text/html", "Sec-Fetch-Mode": "navigate"})
    answer = client.get(before, follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (302, today)
    assert client.get(today, follow_redirects=False).status_code == 200


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("new quote", "New quote"),
        ("import", "Import purchases"),
        ("upl", "New quote"),
        ("add contract", "Add a contract"),
    ],
)
def test_the_search_offers_what_can_be_begun(text: str, first: str) -> None:
    assert next(one.label for one in ACTIONS if matches(one, text)) == first
    assert not any(matches(one, "nothing of it") for one in ACTIONS)
