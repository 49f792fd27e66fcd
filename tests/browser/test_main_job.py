"""The main job in Chromium: what a stranger does with a quote in hand and five minutes."""

import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from app.client import ApiClient
from tests.browser.conftest import settled
from tests.flows.deployment import parley_up
from tests.flows.estimable_product import find_estimable_product, take_real_purchases
from tests.flows.receiver import receiving
from tests.shared_material import shared

pytestmark = [pytest.mark.browser, pytest.mark.campaign]

PATIENCE_MS = 60_000


@pytest.mark.timeout(300)
def test_from_a_quote_to_a_delivery_in_the_browser(
    tmp_path: Path, window: Callable[..., BrowserContext]
) -> None:
    purchases = take_real_purchases(tmp_path)
    quote = shared("data/documents/files/en-sliced-invoice.pdf")
    with parley_up(tmp_path / "data", "--empty") as deployment, receiving() as receiver:
        deployment.parley("import", "purchases", str(purchases))
        page = window().new_page()
        page.set_default_timeout(PATIENCE_MS)
        expect.set_options(timeout=PATIENCE_MS)

        page.goto(deployment.link)
        expect(page.get_by_role("heading", name="Home")).to_be_visible()
        hook = _register(page, deployment.dashboard, receiver.url)

        page.goto(f"{deployment.dashboard}/quotes")
        page.locator("input[type=file]").set_input_files(quote)
        told = receiver.wait_for_word("scope.extracted", '"completed"')
        assert told.headers["webhook-signature"].startswith("v1,")
        expect(page.get_by_text("en-sliced-invoice.pdf").first).to_be_visible()
        expect(page.get_by_text("1 read, 1 not matched")).to_be_visible()

        with ApiClient(deployment.service, api_key=deployment.new_key()) as parley:
            product_id = find_estimable_product(parley).id
        page.goto(f"{deployment.dashboard}/quotes?product={product_id}")
        page.get_by_label(re.compile("^Quantity")).first.fill("100")
        page.keyboard.press("Tab")
        settled(page)
        page.get_by_role("button", name="Create the request").click()
        expect(page.locator(".parley-prices").first).to_be_visible()
        scope = page.url
        with ApiClient(deployment.service, api_key=deployment.new_key()) as parley:
            dearest = parley.pricing.advanced(parse_qs(urlsplit(scope).query)["id"][0]).estimate.percentile90
        page.get_by_role("spinbutton", name="Quote in USD").fill(f"{float(dearest) * 1.15:.0f}")
        page.keyboard.press("Tab")
        page.mouse.move(0, 0)
        # Nothing of the like was bought for ten years: a quote of today is not judged by that.
        expect(page.get_by_text("No verdict.").first).to_be_visible()
        page.get_by_role("radio", name="Evidence").click()
        page.locator(".st-key-download-popover button").click()
        with page.expect_download() as taken:
            page.get_by_role("button", name="Download evidence report").click()
        assert "<b>No verdict.</b>" in taken.value.path().read_text(encoding="utf-8")

        page.goto(scope)
        page.get_by_role("button", name="Start a negotiation").click()
        page.get_by_label("Your name").fill("A. Buyer")
        page.get_by_label("Your email").fill("buyer@example.com")
        page.keyboard.press("Tab")
        page.get_by_role("button", name="Start the negotiation").click()
        receiver.wait_for_word("negotiation.summary.updated", '"pending"')
        expect(page.get_by_text("No figures yet.")).to_be_hidden()

        page.goto(hook)
        expect(page.get_by_text("succeeded").or_(page.get_by_text("Delivered")).first).to_be_visible()


def _register(page: Page, dashboard: str, url: str) -> str:
    """Registers the receiver for every event; the address of its page."""
    page.goto(f"{dashboard}/webhooks?webhooks-tab=Register+a+webhook")
    page.get_by_label("Address").fill(url)
    page.keyboard.press("Tab")
    page.get_by_role("button", name="Register the webhook").click()
    expect(page.get_by_text("whsec_").first).to_be_visible()
    return page.url
