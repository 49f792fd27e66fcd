"""Signing in, staying in and getting out, in a real browser."""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, expect

from app.client import ApiClient
from tests.browser.conftest import Dashboard, settled, sign_in
from tests.dashboard.seed_data import ACME
from tests.dashboard.test_identities import new_scope

pytestmark = pytest.mark.browser
Window = Callable[..., BrowserContext]


def test_a_sign_in_survives_a_refresh_and_a_new_tab(running: Dashboard, window: Window) -> None:
    context = window()
    page = sign_in(context.new_page(), running.address, running.service.key("Refreshing"))
    expect(page.get_by_role("heading", name="Overview")).to_be_visible()
    page.reload()
    expect(page.get_by_role("heading", name="Overview")).to_be_visible()
    tab = context.new_page()
    tab.goto(f"{running.address}/company?id={ACME}")
    expect(tab.get_by_role("heading", name="Acme Cloud")).to_be_visible()


def test_no_script_can_read_the_cookie(running: Dashboard, window: Window) -> None:
    context = window()
    page = sign_in(context.new_page(), running.address, running.service.key("Cookie"))
    assert "parley_session" not in page.evaluate("document.cookie")
    cookie = next(c for c in context.cookies() if c.get("name") == "parley_session")
    assert (cookie.get("httpOnly"), cookie.get("sameSite")) == (True, "Lax")


def test_signing_out_lasts(running: Dashboard, window: Window) -> None:
    context = window()
    page = sign_in(context.new_page(), f"{running.address}/deployment", running.service.key("Leaving"))
    with page.expect_response("**/session/forget"):
        page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("heading", name="Sign in to Parley")).to_be_visible()
    page.reload()
    expect(page.get_by_role("heading", name="Sign in to Parley")).to_be_visible()
    assert not [c for c in context.cookies() if c.get("name") == "parley_session"]


def test_the_link_signs_in_once(running: Dashboard, window: Window) -> None:
    first = window().new_page()
    first.goto(running.link)
    expect(first.get_by_role("heading", name="Overview")).to_be_visible()
    assert "link=" not in first.url
    first.reload()
    expect(first.get_by_role("heading", name="Overview")).to_be_visible()
    second = window().new_page()
    answer = second.goto(running.link)
    assert answer is not None
    assert answer.status == 410
    second.get_by_role("link", name="sign in with an API key").click()
    expect(second.get_by_role("heading", name="Sign in to Parley")).to_be_visible()


def test_two_who_use_one_dashboard_never_meet(running: Dashboard, window: Window) -> None:
    """Each has a scope of its own; the other sees neither its name on the overview nor its record."""
    ann_key, ben_key = running.service.key("Ann's"), running.service.key("Ben's")
    with ApiClient(running.service.address, api_key=ann_key) as client:
        made = client.scopes.create(new_scope(4711))
    ann = sign_in(window().new_page(), running.address, ann_key)
    ben = sign_in(window().new_page(), running.address, ben_key)
    for _ in range(2):
        expect(ann.get_by_test_id("stDataFrame")).to_be_visible()
        expect(ben.get_by_text("No scopes yet")).to_be_visible()
        ann.reload()
        ben.reload()
    ann.goto(f"{running.address}/scope?id={made.id}")
    settled(ann)
    expect(ann.get_by_text("was not found")).to_have_count(0)
    ben.goto(f"{running.address}/scope?id={made.id}")
    expect(ben.get_by_text("was not found")).to_be_visible()
