"""Every page with all its tabs, empty, full and failing, in both themes, at three widths and at 200 % zoom:
nothing for axe to complain about, no text cut, no control under another."""

from collections.abc import Callable, Iterator
from urllib.parse import quote_plus

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.conftest import NARROW, WIDE, Dashboard, picture, settled, sign_in, violations
from tests.browser.full_organisation import fill_organisation
from tests.browser.layout import find_layout_faults
from tests.browser.test_looks import show
from tests.dashboard.conftest import RunningService
from tests.dashboard.seed_data import ACME, PLATFORM, stable_id
from tests.service.tcp_proxy import TcpProxy

pytestmark = [pytest.mark.browser, pytest.mark.campaign, pytest.mark.timeout(3600)]
Window = Callable[..., BrowserContext]

PHONE = 390
WIDTHS = (WIDE, NARROW, WIDE // 2, PHONE)
"""Half of a wide window is what is left of it at 200 %."""
JUDGED = (WIDE, PHONE)
"""The widths at which axe looks: roles, names and colours are the same between them."""

EMPTY_VIEWS = {
    **{
        name: f"/{name}"
        for name in ("imports", "scopes", "estimates", "negotiations", "savings", "agreements", "webhooks")
    },
    "requirements": "/compare",
    "people": "/people",
    "unknown requirement": f"/comparison?id={stable_id('nobody')}",
    "overview": "/",
    "approvals": "/approvals",
    "working days": "/working_days",
    "catalog without match": "/catalog?q=zzzz",
    "no company": "/company",
    "unknown company": f"/company?id={stable_id('nobody')}",
    "not found": "/not_found?address=%2Fnosuchpage",
}

FAILING_VIEWS = {
    **{
        name: f"/{name}"
        for name in ("imports", "scopes", "negotiations", "savings", "agreements", "webhooks", "requirements")
    },
    "overview": "/",
    "company": f"/company?id={ACME}",
    "product": f"/product?id={PLATFORM}",
    **{
        name: f"/{name}?id={ACME}"
        for name in ("scope", "negotiation", "import_file", "webhook", "agreement", "requirement")
    },
    "estimates": f"/estimates?ids={ACME}",
    "several quotes": f"/estimates?ids={ACME},{PLATFORM}",
    "approvals": "/approvals",
    "working days": "/working_days",
    **{tab.lower(): f"/contracts?agreements-tab={quote_plus(tab)}" for tab in ("All", "Benchmark", "Spend")},
    "catalog": "/catalog",
}


def open_tabs(page: Page, name: str) -> Iterator[str]:
    """The name of the view with each of its tabs, once that is open."""
    yield name
    tabs = page.locator(":is([class*='-tab '], .st-key-view) [role=radio]")
    for number in range(1, tabs.count()):
        tab = tabs.nth(number)
        tab.click()
        page.wait_for_timeout(300)
        settled(page)
        yield f"{name}, {tab.inner_text()}"


def find_lasting_faults(page: Page) -> list[str]:
    """The faults of the layout that are still there after three seconds: a busy machine redraws late."""
    for _ in range(6):
        if not find_layout_faults(page):
            return []
        page.wait_for_timeout(500)
    return find_layout_faults(page)


def find_faults(page: Page, name: str) -> dict[str, list[str]]:
    """What is wrong with the page as it stands, by width and colour."""
    found: dict[str, list[str]] = {}
    page.mouse.move(0, 0)  # a control that comes to lie under the pointer shows its help
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        page.wait_for_timeout(1000)  # the sidebar folds away, tables and charts take their new widths
        found[f"{name}, {width}"] = find_lasting_faults(page) + (violations(page) if width in JUDGED else [])
        picture(page, f"{name}-{width}")
        if width in JUDGED:
            page.emulate_media(color_scheme="dark")
            page.wait_for_timeout(300)
            found[f"{name}, {width}, dark"] = violations(page, "color-contrast")
            picture(page, f"{name}-{width}-dark")
            page.emulate_media(color_scheme="light")
    page.set_viewport_size({"width": WIDE, "height": 900})
    return {where: faults for where, faults in found.items() if faults}


def assert_none(found: dict[str, list[str]]) -> None:
    """All of it in the message, a fault once with the places that have it."""
    places: dict[str, list[str]] = {}
    for place, faults in found.items():
        for fault in faults:
            places.setdefault(fault, []).append(place)
    assert not places, "\n".join(f"{fault}\n    {'; '.join(where)}" for fault, where in places.items())


def test_full_pages(running: Dashboard, window: Window) -> None:
    page = window().new_page()
    sign_in(page, running.address, running.service.key("Every state"))
    found: dict[str, list[str]] = {}
    for name, address in fill_organisation(running.service, "Every state").items():
        show(page, running.address + address)
        for view in open_tabs(page, name):
            found |= find_faults(page, view)
    assert_none(found)


def test_empty_pages(running: Dashboard, window: Window) -> None:
    page = window().new_page()
    found = find_faults(show(page, running.address), "sign in")
    sign_in(page, running.address, running.service.key("No state"))
    for name, address in EMPTY_VIEWS.items():
        show(page, running.address + address)
        for view in open_tabs(page, f"empty {name}"):
            found |= find_faults(page, view)
    assert_none(found)


def test_pages_whose_service_is_down(
    address_behind_proxy: str, service: RunningService, proxy: TcpProxy, window: Window
) -> None:
    page = sign_in(window().new_page(), address_behind_proxy, service.key("Cut off"))
    proxy.refuse()
    found: dict[str, list[str]] = {}
    for name, address in FAILING_VIEWS.items():
        page.goto(address_behind_proxy + address)
        expect(page.get_by_role("button", name="Try again").first).to_be_visible()
        found |= find_faults(settled(page), f"failing {name}")
    proxy.accept()
    page.get_by_role("button", name="Try again").first.click()
    expect(page.get_by_role("button", name="Try again")).to_have_count(0)
    assert_none(found)


def test_dialogs(running: Dashboard, window: Window) -> None:
    page = sign_in(window().new_page(), running.address, running.service.key("Dialogs"))
    found: dict[str, list[str]] = {}
    for words in ("", "acme", "no such thing"):
        page.goto(f"{running.address}/catalog")
        settled(page).keyboard.press("Control+K")
        page.get_by_role("dialog").get_by_label("Name or number").fill(words)
        page.wait_for_timeout(1000)
        found |= find_faults(page, f"search dialog {words}")
    assert_none(found)
