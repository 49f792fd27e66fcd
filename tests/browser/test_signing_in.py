"""Signing in, staying in and getting out, in a real browser."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from app.client import ApiClient
from tests.browser.conftest import Dashboard, settled, sign_in
from tests.dashboard.seed_data import ACME
from tests.dashboard.test_identities import new_scope

pytestmark = [pytest.mark.browser, pytest.mark.campaign]
Window = Callable[..., BrowserContext]


def settled_page(page: Page, address: str) -> Page:
    """`page` at `address`, once its script has run."""
    page.goto(address)
    return settled(page)


def test_a_sign_in_survives_a_refresh_and_a_new_tab(running: Dashboard, window: Window) -> None:
    context = window()
    page = sign_in(context.new_page(), running.address, running.service.key("Refreshing"))
    expect(page.get_by_role("heading", name="Home")).to_be_visible()
    page.reload()
    expect(page.get_by_role("heading", name="Home")).to_be_visible()
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


def test_signing_out_in_one_tab_signs_out_the_others(running: Dashboard, window: Window) -> None:
    """Also one whose page nobody touches: it asks the service by itself every few seconds."""
    context = window()
    page = sign_in(context.new_page(), f"{running.address}/deployment", running.service.key("Tabs"))
    cookie = cookie_of(context)
    following, waiting = context.new_page(), context.new_page()
    settled_page(following, f"{running.address}/negotiations")
    settled_page(waiting, f"{running.address}/catalog")
    with page.expect_response("**/session/forget"):
        page.get_by_role("button", name="Sign out").click()
    expect(following.get_by_role("heading", name="Sign in to Parley")).to_be_visible()
    waiting.get_by_role("link", name="Savings").click()
    expect(waiting.get_by_role("heading", name="Sign in to Parley")).to_be_visible()
    expect(waiting.get_by_text("What you had not saved has to be entered again.")).to_be_visible()
    thief = window()
    give_cookie(thief, running.address, cookie)
    page = settled_page(thief.new_page(), running.address)
    expect(page.get_by_role("heading", name="Sign in to Parley")).to_be_visible()


def cookie_of(context: BrowserContext) -> str:
    """The value of the session cookie, "" when the browser has none."""
    return next((c.get("value", "") for c in context.cookies() if c.get("name") == "parley_session"), "")


def give_cookie(context: BrowserContext, address: str, value: str) -> None:
    context.add_cookies([{"name": "parley_session", "value": value, "url": address}])


def test_a_cookie_from_before_the_sign_in_signs_nobody_in_after(running: Dashboard, window: Window) -> None:
    """Not even a good one, which somebody planted in the browser while its sign-in page was open."""
    attacker = window()
    sign_in(attacker.new_page(), running.address, running.service.key("Attacker"))
    planted = cookie_of(attacker)
    victim = window()
    form = settled_page(victim.new_page(), running.address)
    give_cookie(victim, running.address, planted)
    form.get_by_label("Access key").fill(running.service.key("Victim"))
    with form.expect_response("**/session/remember"):
        form.get_by_role("button", name="Sign in").click()
    settled(form)
    assert cookie_of(victim) not in ("", planted)
    page = settled_page(attacker.new_page(), running.address)
    expect(page.get_by_role("heading", name="Sign in to Parley")).to_be_visible()


def test_an_upload_without_the_cookie_leads_to_the_sign_in_page(
    running: Dashboard, window: Window, tmp_path: Path
) -> None:
    context = window()
    page = sign_in(context.new_page(), running.address, running.service.key("Uploading"))
    settled_page(page, f"{running.address}/quotes")
    quote = tmp_path / "quote.csv"
    quote.write_text("a,b\n1,2\n")
    context.clear_cookies(name="parley_session")
    with page.expect_response("**/_stcore/upload_file/**") as answer:
        page.locator("input[type=file]").set_input_files(quote)
    assert answer.value.status == 401
    expect(page.get_by_role("heading", name="Sign in to Parley")).to_be_visible()


def test_the_link_signs_in_once(running: Dashboard, window: Window) -> None:
    first = window().new_page()
    first.goto(running.link)
    expect(first.get_by_role("heading", name="Home")).to_be_visible()
    assert "link=" not in first.url
    first.reload()
    expect(first.get_by_role("heading", name="Home")).to_be_visible()
    first.get_by_role("link", name="Settings").click()
    expect(first.get_by_role("link", name="People and keys")).to_be_visible()  # the key is an owner's
    second = window().new_page()
    answer = second.goto(running.link)
    assert answer is not None
    assert answer.status == 410
    second.get_by_role("link", name="sign in with an access key").click()
    expect(second.get_by_role("heading", name="Sign in to Parley")).to_be_visible()


def test_two_who_use_one_dashboard_never_meet(running: Dashboard, window: Window) -> None:
    """Each has a scope of its own; the other sees neither its name on the overview nor its record."""
    ann_key, ben_key = running.service.key("Ann's"), running.service.key("Ben's")
    with ApiClient(running.service.address, api_key=ann_key) as client:
        made = client.scopes.create(new_scope(4711))
    ann = sign_in(window().new_page(), running.address, ann_key)
    ben = sign_in(window().new_page(), running.address, ben_key)
    for _ in range(2):
        expect(ann.get_by_role("link", name="Acme Platform")).to_be_visible()
        expect(ben.get_by_text("begin with a quote")).to_be_visible()
        ann.reload()
        ben.reload()
    ann.goto(f"{running.address}/quote?id={made.id}")
    settled(ann)
    expect(ann.get_by_text("was not found")).to_have_count(0)
    ben.goto(f"{running.address}/quote?id={made.id}")
    expect(ben.get_by_text("was not found")).to_be_visible()
