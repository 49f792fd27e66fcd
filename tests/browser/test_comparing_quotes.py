"""A requirement and a quote entered by hand, in the editors of a real browser."""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.conftest import Dashboard, picture, settled, sign_in

pytestmark = [pytest.mark.browser, pytest.mark.campaign]
FIRST_ROW = 52


def edit(page: Page, at: tuple[float, float], *texts: str) -> None:
    """Write into a cell of the page's editor, and into those right of it."""
    scroller = page.get_by_test_id("stDataFrame").last.locator(".dvn-scroller")
    scroller.click(position={"x": at[0], "y": at[1]})
    for text in texts:
        page.keyboard.press("Enter")
        expect(page.locator("#portal").locator("input, textarea").first).to_be_visible()
        page.wait_for_timeout(400)  # it takes the focus a moment after it is seen
        page.keyboard.type(text, delay=30)
        page.keyboard.press("Tab")
        page.wait_for_timeout(1200)  # a table tells its changes a moment after they were made
        settled(page)


def test_a_requirement_and_a_quote_are_entered_and_compared(
    running: Dashboard, window: Callable[..., BrowserContext]
) -> None:
    page = sign_in(window().new_page(), running.address, running.service.key("Comparing"))
    page.goto(f"{running.address}/compare?requirements-tab=New+comparison")
    settled(page)
    page.get_by_text("State what is needed, line by line").click()
    page.wait_for_timeout(1000)
    fields = {"Name": "Tools", "Currency to compare in": "USD", "Months of the term": "24"}
    for label, text in fields.items():
        page.get_by_label(f"{label} *").fill(text)
        page.keyboard.press("Tab")
    settled(page)
    edit(page, (150, FIRST_ROW), "Analytics seats", "10", "seats")
    picture(page, "new-requirement")
    page.get_by_role("button", name="New comparison").click()
    expect(page.get_by_role("heading", name="Tools")).to_be_visible()
    settled(page)
    page.get_by_label("Supplier *").fill("Northgate")
    page.keyboard.press("Tab")
    settled(page)
    edit(page, (300, FIRST_ROW), "95.5", "each year")
    picture(page, "new-quote")
    page.get_by_role("button", name="Add the quote").click()
    expect(page.get_by_text("1 line, 1 quote")).to_be_visible()
    page.get_by_role("radio", name="Compare").click()
    expect(page.locator(".parley-quotes tfoot .main td.ranked")).to_contain_text("1,910.00")
