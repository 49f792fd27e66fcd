"""Journeys by keyboard alone: no pointer, and where the focus is can always be seen."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from app.dashboard.deployment import Deployment
from tests.browser.conftest import Dashboard, settled, sign_in
from tests.browser.full_organisation import QUOTE, fill_organisation
from tests.browser.test_looks import views_of_failures
from tests.dashboard.page_helpers import create_scope, start_unplanned
from tests.dashboard.worker_fixture import running_worker

pytestmark = [pytest.mark.browser, pytest.mark.timeout(900)]
Window = Callable[..., BrowserContext]

FARTHEST = 120
"""How often Tab is pressed at the most."""

_HAS_VISIBLE_FOCUS = """() => {
  if (document.activeElement === document.body) return true; // between the end of the page and its beginning
  // Streamlit draws the ring of a field around what holds it, and that of a choice on its mark.
  for (let e = document.activeElement, up = 0; e && up < 4; e = e.parentElement, up++)
    for (const one of up ? [e] : [e, ...e.querySelectorAll("*")]) {
      const css = getComputedStyle(one);
      const ring = css.outlineStyle !== "none" && parseFloat(css.outlineWidth) > 0;
      const shade = !up && one.matches("[role=spinbutton]") && css.backgroundColor !== "rgba(0, 0, 0, 0)";
      const accent = css.borderTopColor === "rgb(11, 92, 117)";
      if (ring || shade || accent || css.boxShadow !== "none") return true;
    }
  return false;
}"""


class Keyboard:
    """The keys that a person presses, and nothing else."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def type(self, text: str) -> None:
        self.page.keyboard.type(text)

    def reach(self, target: Locator, key: str = "Tab") -> None:
        """Press `key` until `target` has the focus."""
        expect(target.first).to_be_visible()
        settled(self.page)
        for _ in range(FARTHEST):
            if target.first.evaluate("e => e === document.activeElement"):
                return
            self.page.keyboard.press(key)
            stop = self.page.evaluate("document.activeElement.outerHTML.slice(0, 160)")
            try:
                self.page.wait_for_function(_HAS_VISIBLE_FOCUS, timeout=3000)  # colours fade over
            except PlaywrightTimeout:
                raise AssertionError(f"no focus is seen on {stop}") from None
        raise AssertionError(f"{key} never reaches {target}")

    def activate(self, role: str, name: str | re.Pattern[str], key: str = "Enter") -> None:
        """Reach what has the role and the name, and press `key` on it."""
        self.reach(self.page.get_by_role(role, name=name))  # pyright: ignore[reportArgumentType]
        self.press(key)


@pytest.fixture
def keyboard(running: Dashboard, window: Window, request: pytest.FixtureRequest) -> Keyboard:
    key = running.service.key(request.node.name)
    return Keyboard(sign_in(window().new_page(), running.address, key))


def heading(keyboard: Keyboard, name: str) -> Locator:
    return keyboard.page.get_by_role("heading", name=name)


@pytest.mark.campaign
def test_a_product_is_found_and_opened(keyboard: Keyboard) -> None:
    keyboard.activate("link", "Catalog")
    keyboard.reach(keyboard.page.get_by_label("Name or domain"))
    keyboard.type("acme")
    keyboard.press("Enter")
    expect(keyboard.page.get_by_text("1 company", exact=True)).to_be_visible()
    keyboard.activate("link", "Acme Cloud")
    expect(heading(keyboard, "Acme Cloud")).to_be_visible()
    keyboard.activate("link", "Acme Platform")
    expect(heading(keyboard, "Acme Platform")).to_be_visible()


@pytest.mark.campaign
def test_a_popover_takes_the_focus_and_gives_it_back(keyboard: Keyboard, running: Dashboard) -> None:
    key = running.service.key("test_a_popover_takes_the_focus_and_gives_it_back")
    scope = create_scope(Deployment(running.service.address, key))
    keyboard.page.goto(f"{running.address}/quote?id={scope}")
    opener = keyboard.page.get_by_role("button", name="No owner")
    keyboard.reach(opener)
    keyboard.press("Enter")
    expect(keyboard.page.get_by_label("Owner", exact=True)).to_be_focused()
    keyboard.press("Escape")
    expect(opener).to_be_focused()
    opener = keyboard.page.get_by_role("button", name="Rename")
    name = keyboard.page.get_by_role("textbox", name="Name of this quote")
    opener.press("Enter")
    expect(name).to_be_focused()
    name.fill("Desks 2027")
    keyboard.press("Enter")
    expect(heading(keyboard, "Desks 2027")).to_be_visible()
    expect(name).to_have_count(0)
    expect(opener).to_be_focused()


@pytest.mark.campaign
def test_enter_sends_a_form(keyboard: Keyboard, running: Dashboard) -> None:
    page = keyboard.page
    key = running.service.key("test_enter_sends_a_form")
    [one] = start_unplanned(Deployment(running.service.address, key))
    page.goto(f"{running.address}/negotiation?id={one}&negotiation-tab=Updates")
    page.get_by_role("textbox", name="Currency").fill("USD")
    page.get_by_role("spinbutton", name=re.compile("^Amount")).fill("99000")
    expect(page.get_by_text("Press Enter to send")).to_be_visible()
    keyboard.press("Enter")
    expect(page.get_by_text("USD 99,000").first).to_be_visible()
    page.get_by_text("Message", exact=True).click()
    page.get_by_role("textbox", name="From").fill("Kim Lee")
    page.get_by_role("textbox", name="Text").fill("It stands until Friday.")
    keyboard.press("Enter", "Control+Enter")
    expect(page.get_by_text("Kim Lee: It stands until Friday.")).to_be_visible()
    expect(page.get_by_role("spinbutton", name=re.compile("^Amount"))).to_be_empty()  # it begins again


@pytest.mark.campaign
def test_a_quote_becomes_a_price(keyboard: Keyboard, running: Dashboard, tmp_path: Path) -> None:
    file = tmp_path / "quote.pdf"
    file.write_bytes(QUOTE)
    page = keyboard.page
    with running_worker(running.service.settings):
        keyboard.activate("link", "Quotes")
        with page.expect_file_chooser() as chooser:
            keyboard.activate("button", re.compile("Browse files|Upload"))
        chooser.value.set_files(file)
        confirm = page.get_by_role("button", name=re.compile("^Confirm (and see|what was)"))
        expect(confirm).to_be_visible(timeout=120_000)
        keyboard.activate("button", re.compile("^Confirm (and see|what was)"))
        expect(page.get_by_role("link", name="Earlier version")).to_be_visible()
        expect(page.get_by_text("Median").first).to_be_visible()


@pytest.mark.campaign
def test_two_estimates_are_compared(keyboard: Keyboard, running: Dashboard) -> None:
    page = keyboard.page
    fill_organisation(running.service, "test_two_estimates_are_compared")
    page.reload()
    keyboard.activate("link", "Estimates")
    for number in (1, 2):
        keyboard.reach(page.get_by_role("combobox", name="Choose a quote"))
        keyboard.press("ArrowDown", "Enter")
        expect(page.get_by_role("spinbutton", name=re.compile("Quote in"))).to_have_count(number)
        settled(page)
    expect(page.get_by_text("Median").first).to_be_visible()


@pytest.mark.campaign
def test_an_offer_is_recorded_and_decided(keyboard: Keyboard, running: Dashboard) -> None:
    page = keyboard.page
    views = fill_organisation(running.service, "test_an_offer_is_recorded_and_decided")
    page.goto(running.address + views["negotiation pending"])
    keyboard.reach(page.get_by_role("spinbutton", name=re.compile("^Amount")))
    keyboard.type("99000")
    keyboard.activate("button", re.compile("Save"))
    expect(page.get_by_text("USD 99,000").first).to_be_visible()
    expect(page.get_by_role("button", name=re.compile("Counter with"))).to_be_visible()
    keyboard.press("Control+Home")
    keyboard.activate("button", re.compile("Counter with"))
    expect(page.get_by_role("button", name=re.compile("Counter with"))).to_have_count(0)
    expect(page.locator("body")).not_to_be_focused()  # the next field has it


@pytest.mark.campaign
def test_a_failed_delivery_is_sent_again(keyboard: Keyboard, running: Dashboard) -> None:
    page = keyboard.page
    views_of_failures(running.service, "test_a_failed_delivery_is_sent_again")
    page.reload()
    keyboard.activate("link", "Webhooks")
    keyboard.activate("link", re.compile("hooks.example.com"))
    keyboard.activate("link", re.compile(r", \d\d:\d\d:\d\d"))
    expect(heading(keyboard, "Delivery")).to_be_visible()
    keyboard.activate("button", "Send again")
    expect(page.get_by_role("button", name="Send again")).to_be_enabled()
    expect(page.get_by_text("could not")).to_have_count(0)


@pytest.mark.campaign
def test_the_search_dialog_keeps_and_returns_the_focus(keyboard: Keyboard) -> None:
    page = keyboard.page
    field = page.get_by_label("Name or domain")
    keyboard.activate("link", "Catalog")
    keyboard.reach(field)
    keyboard.press("Control+K")
    expect(page.get_by_role("dialog").get_by_label("Name or number")).to_be_focused()
    for _ in range(6):
        keyboard.press("Tab")
        assert page.evaluate("!!document.activeElement.closest('[role=dialog]')")
    keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(field).to_be_focused()
