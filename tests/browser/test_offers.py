"""Offers in Chromium: what is saved leaves the form empty, and a corrected offer is named as it is now."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, expect

from app.dashboard.deployment import Deployment
from tests.browser.conftest import Dashboard, settled, sign_in
from tests.dashboard.page_helpers import start_unplanned

pytestmark = [pytest.mark.browser, pytest.mark.campaign]


def test_a_form_empties_when_it_is_saved_and_an_offer_is_corrected(
    running: Dashboard, window: Callable[..., BrowserContext]
) -> None:
    key = running.service.key("Offers")
    [negotiation] = start_unplanned(Deployment(running.service.address, key))
    page = window().new_page()
    sign_in(page, f"{running.address}/negotiation?id={negotiation}&negotiation-tab=Updates", key)
    amount = page.locator("[class*='st-key-update-'][class*='-amount'] input")
    note = page.get_by_role("textbox", name="Note")
    expect(page.get_by_role("spinbutton", name="Amount *", exact=True)).to_be_visible()
    expect(page.get_by_text("Amount *", exact=True)).to_be_visible()
    amount.fill("66000")
    page.locator("[class*='st-key-update-'][class*='-currency'] input").fill("USD")
    note.fill("by phone")
    note.press("Tab")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("USD 66,000").first).to_be_visible()
    expect(amount).to_have_value("")
    expect(note).to_have_value("")
    page.get_by_text("Correct an offer").click()
    corrected = page.locator("[class*='st-key-correction-'][class*='-amount'] input")
    reason = page.get_by_role("textbox", name="Reason *", exact=True)
    corrected.fill("6600")
    reason.fill("A zero too many")
    reason.press("Tab")
    page.get_by_role("button", name="Save the correction").click()
    expect(page.get_by_text("USD 6,600").first).to_be_visible()
    settled(page)
    expect(corrected).to_have_value("")
    expect(reason).to_have_value("")
    expect(page.get_by_role("combobox", name="Offer")).to_have_value(re.compile(r"USD 6,600, "))
