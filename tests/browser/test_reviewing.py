"""Reviewing a quote in Chromium: the page with its boxes beside the values, a correction, a confirmation."""

import re
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress

import httpx
import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from tests.browser.conftest import NARROW, WIDE, Dashboard, picture, settled, sign_in
from tests.browser.test_looks import COLOURS, look
from tests.dashboard.seed_data import COMPETITOR
from tests.dashboard.worker_fixture import running_worker, wait_until
from tests.service.documents import pdf_builder

pytestmark = pytest.mark.browser

QUOTE = pdf_builder.quote(
    ["Description", "Qty", "Unit price", "Amount"],
    [["Training day", "1", "200.00", "200.00"], ["Acme Platform Business", "20", "95.00", "1,900.00"]],
    [("Total", "$2,100.00")],
    above=("Acme Cloud Inc.", "QUOTE Q-7", "Date: 4 March 2026"),
    below=("The subscription term is 24 months. It renews automatically.",),
)

CLEAR_QUOTE = pdf_builder.quote(
    ["Description", "Qty", "Unit price", "Amount"],
    [["Acme Platform Business", "20", "190.00", "3,800.00"]],
    [("Total", "$3,800.00")],
    above=("Acme Cloud Inc.", "QUOTE Q-8", "Date: 4 March 2026"),
    below=("The subscription term is 24 months.",),
)
"""It leaves nothing to answer."""


@pytest.fixture
def read(running: Dashboard) -> Iterator[tuple[httpx.Client, str]]:
    """A client with a key of its own, and the scope of a quote that was read."""
    key = running.service.key("Reviewers")
    with (
        httpx.Client(
            base_url=running.service.address, headers={"Authorization": f"Bearer {key}"}, timeout=60
        ) as api,
        running_worker(running.service.settings),
    ):
        made = api.post("/v1/scope/from-document", files={"file": ("quote.pdf", QUOTE)}).json()["scopeId"]

        def status() -> str:
            word: str = api.get(f"/v1/scope/{made}").json()["documentProcessing"]["status"]
            return word

        wait_until(lambda: status() in {"completed", "failed"}, 120)
        assert status() == "completed"
        yield api, made


def review(page: Page, running: Dashboard, read: tuple[httpx.Client, str]) -> Locator:
    """The page of the review; the table of its lines."""
    api, scope = read
    address = f"{running.address}/quote?id={scope}&scope-tab=Purchase"
    sign_in(page, address, api.headers["Authorization"].removeprefix("Bearer "))
    expect(page.get_by_text("2 read, all matched, 1 not a product")).to_be_visible()
    settled(page)
    return page.locator(f".st-key-review-{scope}-lines")


def opened(table: Locator, at: tuple[float, float]) -> Locator:
    """The field in which the cell at a place is changed. A table that is being drawn hears nothing, so it is
    asked again; by keyboard, since a second double click would close what the first one opened late."""
    field = table.page.locator("#portal input")
    for _ in range(10):
        table.locator(".dvn-scroller").click(position={"x": at[0], "y": at[1]})
        table.page.keyboard.press("Enter")
        with suppress(PlaywrightTimeout):
            field.wait_for(timeout=5000)
            return field
    raise AssertionError("The cell never opened")


def choose(page: Page, label: str, name: str) -> None:
    """Choose in a field by what is typed. A page that is drawn anew closes the list, so it is asked again."""
    field, option = page.get_by_role("combobox", name=label), page.get_by_role("option", name=name)
    for _ in range(5):
        field.fill("")
        field.press_sequentially(name)
        with suppress(PlaywrightTimeout):
            return option.click(timeout=3000)
    raise AssertionError("The list never stayed open")


@pytest.mark.campaign
def test_a_quantity_is_corrected_and_confirmed(
    running: Dashboard, read: tuple[httpx.Client, str], window: Callable[..., BrowserContext]
) -> None:
    page = window().new_page()
    table = review(page, running, read)
    opened(table, at=(500, 82)).fill("25")  # the quantity of the matched line, in the second row
    page.keyboard.press("Enter")
    page.wait_for_timeout(500)  # a table tells its changes a moment after they were made
    settled(page)
    page.get_by_role("button", name="Confirm and see the price").click()
    expect(page.get_by_role("link", name="Earlier version")).to_be_visible()
    api, scope = read
    made = api.get(f"/v1/scope/{api.get(f'/v1/scope/{scope}').json()['nextScopeId']}").json()
    page.get_by_role("radio", name="Changes").click()
    settled(page)
    assert [one["value"] for one in made["productTerms"][0]["pricingDimensions"]] == [25, "2"]
    assert made["scopeTerms"][0]["termLength"] == 24
    picture(page, "review-changes")


@pytest.mark.campaign
def test_a_line_takes_a_product_of_another_supplier_that_is_looked_up(
    running: Dashboard, read: tuple[httpx.Client, str], window: Callable[..., BrowserContext]
) -> None:
    page = window().new_page()
    table = review(page, running, read)
    page.get_by_text("Find the product of a line in the catalog").click()
    page.get_by_label("Supplier", exact=True).fill("Nimbus")
    expect(page.get_by_role("combobox", name="Choose a supplier")).to_have_value(
        "Nimbus Works"
    )  # the only one
    page.get_by_label("Product", exact=True).last.fill("desk")
    page.wait_for_timeout(1000)  # what is typed is sent a moment later, and the choice is drawn anew
    settled(page)
    choose(page, "Choose a product", "Nimbus Desk")
    settled(page)
    picture(page, "review-another")
    expect(table.get_by_role("gridcell", name=COMPETITOR, include_hidden=True)).to_be_attached()


@pytest.mark.campaign
def test_a_review_is_accessible_and_fits(
    running: Dashboard, read: tuple[httpx.Client, str], window: Callable[..., BrowserContext]
) -> None:
    page = window().new_page()
    review(page, running, read)
    found: dict[str, list[str]] = {}
    for width, colour in zip((WIDE, NARROW), COLOURS, strict=True):
        page.set_viewport_size({"width": width, "height": 900})
        page.wait_for_timeout(300)
        found[colour] = look(page, f"review-{width}", colour)
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    assert not any(found.values()), found


def test_a_dropped_quote_shows_its_verdict_without_a_click(
    running: Dashboard, read: tuple[httpx.Client, str], window: Callable[..., BrowserContext]
) -> None:
    page = window().new_page()
    page.add_init_script("window.clicks = 0; addEventListener('click', () => { clicks += 1 }, true)")
    api, _ = read
    address = f"{running.address}/quotes"
    sign_in(page, address, api.headers["Authorization"].removeprefix("Bearer "))
    field = page.locator("input[type=file]")
    before, begin = page.evaluate("clicks"), time.monotonic()
    field.set_input_files({"name": "clear.pdf", "mimeType": "application/pdf", "buffer": CLEAR_QUOTE})
    expect(page.get_by_text(re.compile("^(Accept|Ask for|Compare it)")).first).to_be_visible()
    seconds = time.monotonic() - begin
    clicks = page.evaluate("clicks") - before
    sys.stdout.write(f"from a dropped quote to the verdict: {clicks} clicks, {seconds:.1f} s\n")
    assert clicks == 0
    expect(page.get_by_role("button", name="Confirm what was read")).to_be_visible()
    assert seconds < 60
    picture(page, "verdict-of-a-drop")


@pytest.mark.campaign
@pytest.mark.parametrize("onward", ["Start a negotiation", "Create a follow-up"])
def test_one_step_back_is_the_scope_again(
    running: Dashboard, read: tuple[httpx.Client, str], window: Callable[..., BrowserContext], onward: str
) -> None:
    """The pages after it open on a tab that is not their first: that must not get between."""
    page = window().new_page()
    api, scope = read
    address = f"{running.address}/quote?id={scope}"
    sign_in(page, address, api.headers["Authorization"].removeprefix("Bearer "))
    settled(page)
    page.get_by_role("button", name=onward).click()
    expect(page.get_by_role("button", name=onward)).to_be_hidden()
    settled(page)
    page.go_back()
    expect(page.get_by_role("button", name=onward)).to_be_visible()
    assert page.url == address
