"""From the overview to a product, as a person goes, by pointer and by keyboard."""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.conftest import NARROW, Dashboard, settled, sign_in, violations
from tests.dashboard.seed_data import ACME

pytestmark = [pytest.mark.browser, pytest.mark.campaign]


@pytest.fixture
def page(running: Dashboard, window: Callable[..., BrowserContext]) -> Page:
    return sign_in(window().new_page(), running.address, running.service.key("Finding"))


def test_one_click_or_key_copies_the_id_of_what_is_shown(
    running: Dashboard, window: Callable[..., BrowserContext]
) -> None:
    context = window()
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = sign_in(context.new_page(), running.address, running.service.key("Finding"))
    page.goto(f"{running.address}/company?id={ACME}")
    page.get_by_role("button", name="Copy id").press("Enter")
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == ACME
    expect(page.get_by_role("button", name="Copy id")).to_be_visible()
    page.evaluate("Object.defineProperty(navigator, 'clipboard', {value: undefined})")  # not encrypted
    page.get_by_role("button", name="Copy id").click()
    expect(page.get_by_role("button", name=ACME)).to_be_visible()


def test_from_the_overview_to_a_product_and_back(page: Page) -> None:
    page.get_by_role("link", name="Catalog").click()
    expect(page.get_by_role("heading", name="Catalog")).to_be_visible()
    page.get_by_label("Name or domain").fill("acme")
    page.keyboard.press("Enter")
    expect(page.get_by_text("1 company", exact=True)).to_be_visible()
    assert "q=acme" in page.url
    page.get_by_role("row", name="Acme Cloud").get_by_role("cell").last.click()  # anywhere in the row
    expect(page.get_by_role("heading", name="Acme Cloud")).to_be_visible()
    assert "/company?id=" in page.url
    page.get_by_role("link", name="Acme Platform").press("Enter")
    expect(page.get_by_role("heading", name="Acme Platform")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("heading", name="Acme Cloud")).to_be_visible()
    page.get_by_role("radio", name="Past purchases").click()
    expect(page.get_by_test_id("stPlotlyChart")).to_be_visible()
    assert "tab=Past" in page.url
    page.go_back()
    expect(page.get_by_role("heading", name="Catalog")).to_be_visible()
    expect(page.get_by_label("Name or domain")).to_have_value("acme")


def test_a_table_offers_no_csv_of_its_own(page: Page, running: Dashboard) -> None:
    """That has one page of the rows, and formulas as they are."""
    page.goto(f"{running.address}/deployment")
    table = page.get_by_test_id("stDataFrame").first
    table.hover()
    toolbar = page.get_by_test_id("stElementToolbar").first
    expect(toolbar.get_by_role("button", name="Search")).to_be_visible()
    expect(toolbar.get_by_role("button", name="Download as CSV")).to_be_hidden()
    expect(toolbar.locator("button[aria-label^='Download as CSV']")).to_have_count(1)


def test_no_request_of_a_page_is_refused(page: Page, running: Dashboard) -> None:
    """Loaded whole at an address of its own, where Streamlit looks for its server beside the page first."""
    refused: list[str] = []
    page.on("response", lambda got: refused.append(f"{got.status} {got.url}") if got.status >= 400 else None)
    page.goto(f"{running.address}/catalog")
    expect(settled(page).get_by_text("1 to 25 of 62 companies")).to_be_visible()
    assert refused == []


def test_an_unknown_address_says_so_and_leads_on(page: Page, running: Dashboard) -> None:
    for address in ("/nosuchpage", "/nosuch/page?id=1"):
        page.goto(running.address + address)
        expect(page.get_by_role("heading", name="Page not found")).to_be_visible()
        expect(page.get_by_text(f"There is no page at {address.partition('?')[0]}")).to_be_visible()
    page.get_by_role("main").get_by_role("link", name="Open Home").click()
    expect(page.get_by_role("heading", name="Home")).to_be_visible()
    expect(page).to_have_title("Home · Parley")
    page.goto(f"{running.address}/company/?id={ACME}")  # one slash too many
    expect(page).to_have_title("Acme Cloud · Parley")
    assert page.url == f"{running.address}/company?id={ACME}"


def test_the_overview_opens_by_its_name(page: Page, running: Dashboard) -> None:
    page.goto(f"{running.address}/overview")
    expect(page.get_by_role("heading", name="Home")).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_no_shortcut_of_the_overview_is_cut_in_a_narrow_window(page: Page) -> None:
    page.set_viewport_size({"width": NARROW, "height": 900})
    link = page.get_by_role("link", name="Register a webhook")
    expect(link).to_be_visible()
    assert link.evaluate(
        "e => [e, ...e.querySelectorAll('*')].every(e => e.scrollWidth <= e.clientWidth + 1)"
    )


def test_paging_is_kept_in_the_address(page: Page, running: Dashboard) -> None:
    page.goto(f"{running.address}/catalog")
    expect(page.get_by_text("1 to 25 of 62 companies")).to_be_visible()
    page.get_by_role("button", name="Page 2").click()
    expect(page.get_by_text("26 to 50 of 62 companies")).to_be_visible()
    assert "companies-page=2" in page.url
    page.reload()
    expect(page.get_by_text("26 to 50 of 62 companies")).to_be_visible()


def test_the_search_is_reached_and_sent_by_keyboard(page: Page, running: Dashboard) -> None:
    page.goto(f"{running.address}/catalog")
    field = page.get_by_label("Name or domain")
    field.focus()
    page.keyboard.type("nothing like this")
    page.keyboard.press("Enter")
    expect(page.get_by_text("No company matches")).to_be_visible()
    page.get_by_role("button", name="Clear filters").press("Enter")
    expect(page.get_by_text("1 to 25 of 62 companies")).to_be_visible()
    expect(field).to_have_value("")


def test_anything_is_found_from_any_page_by_keyboard_alone(page: Page, running: Dashboard) -> None:
    page.goto(f"{running.address}/webhooks")
    settled(page)
    page.keyboard.press("Control+K")
    field = page.get_by_role("dialog").get_by_label("Name or number")
    expect(field).to_be_focused()
    page.keyboard.type("platf acme")
    link = page.get_by_role("dialog").get_by_role("link", name="Acme Platform")
    expect(link).to_be_visible()
    assert violations(page) == []
    page.keyboard.press("Tab")
    while not link.evaluate("e => e === document.activeElement"):
        assert page.evaluate("document.activeElement.tagName") in {"INPUT", "BUTTON", "A"}
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Acme Platform")).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)
