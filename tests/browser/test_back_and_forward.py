"""The browser's Back and Forward over pages, records, tabs and filters.

A path is an address and steps from there. Each step to another page is one step Back; a tab belongs to its
page, which is shown with it when one comes back."""

import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.conftest import Dashboard, settled, sign_in
from tests.browser.full_organisation import fill_organisation
from tests.browser.test_looks import show
from tests.dashboard.seed_data import ACME, PLATFORM

pytestmark = [pytest.mark.browser, pytest.mark.timeout(1800)]
Window = Callable[..., BrowserContext]


@dataclass(frozen=True)
class Step:
    """A click on what has the role and the name; `moves`: it leads to another page."""

    role: Literal["link", "button", "radio"]
    name: str
    moves: bool = True


Path = tuple[str, list[Step]]
"""An address, and steps from there."""


def link(name: str) -> Step:
    return Step("link", name)


def button(name: str) -> Step:
    return Step("button", name)


def tab(name: str) -> Step:
    return Step("radio", name, moves=False)


CORE: Sequence[Path] = (
    ("/", [link("Catalog"), link("Acme Cloud"), tab("Past purchases"), link("Home")]),
    (f"/company?id={ACME}", [link("Acme Platform"), link("Nimbus Desk"), link("Quotes")]),
)
"""Paths that need no record of the organisation."""

PATHS: Sequence[Path] = (
    *CORE,
    ("/", [link("Import purchases"), link("Quotes"), link("Compare"), link("Negotiations"), link("Savings")]),
    ("/", [link("Webhooks"), link("Settings"), link("System status"), link("Home")]),
    ("{scope quote.pdf}", [tab("Evidence"), link("Home")]),
    ("/overview", [link("Compare estimates"), link("Home")]),
    ("/", [link("Import purchases"), link("orders.csv"), link("Catalog")]),
    ("/catalog", [link("Bare Bones Ltd"), link("Catalog"), link("Acme Cloud")]),
    ("/catalog?q=acme", [link("Acme Cloud"), link("Acme Add-on")]),
    ("/catalog?companies-page=2", [link("Supplier 30"), link("Catalog")]),
    (
        f"/company?id={ACME}",
        [tab("Competitors"), link("Nimbus Works"), tab("Past purchases"), link("Savings")],
    ),
    (f"/company?id={ACME}", [tab("Questions"), link("Savings")]),
    (f"/product?id={PLATFORM}", [link("By Acme Cloud"), link("Acme Platform")]),
    (f"/product?id={PLATFORM}", [button("Create a request with this product"), link("Catalog")]),
    ("/product", [button("Open the list"), link("Acme Cloud")]),
    ("/company?id=nonsense", [button("Open the list"), link("Acme Cloud")]),
    ("/nosuchpage", [link("Open Home"), link("Catalog")]),
    ("/quotes", [link("waiting.pdf"), link("Quotes"), tab("New request"), link("Compare")]),
    ("/quotes", [link("unreadable.pdf"), link("Quotes"), tab("New request"), link("Home")]),
    ("{scope}", [tab("Changes"), button("Compare"), link("Quotes")]),
    ("{scope}", [button("Start a negotiation"), link("Quotes")]),
    ("{estimate}", [link("Negotiations"), link("Home")]),
    ("{estimates}", [link("Catalog"), link("Acme Cloud")]),
    ("/negotiations", [tab("All negotiations"), link("Acme Cloud"), tab("Background"), link("Savings")]),
    ("/negotiations", [tab("Start a negotiation"), link("Quotes")]),
    (
        "{negotiation offered}",
        [tab("Background"), link("Negotiations"), tab("All negotiations"), link("Home")],
    ),
    ("{negotiation agreed}", [tab("Background"), link("Savings"), link("Acme Cloud"), link("Savings")]),
    ("/savings", [link("Acme Cloud"), tab("Background"), link("Webhooks")]),
    (
        "/webhooks",
        [link("hooks.example.com"), link("All webhooks"), tab("Register a webhook"), link("Home")],
    ),
    ("{webhook}", [link(", "), link("Deliveries to"), link("Webhooks")]),
    ("{import}", [link("Catalog"), link("Import purchases"), link("orders.csv")]),
    ("/deployment", [tab("Calls"), link("Webhooks"), link("hooks.example.com"), link("Settings")]),
)


def read_place(page: Page) -> str:
    """What the reader sees of where they are: address, title and the open tabs."""
    place: str = page.evaluate(
        """() => JSON.stringify([location.pathname + location.search,
          document.querySelector("h1")?.innerText ?? "",
          [...document.querySelectorAll("[data-testid=stMain] [role=radio][aria-checked=true]")]
            .map(tab => tab.innerText)])"""
    )
    return place


def wait_for_place(page: Page, expected: str) -> str | None:
    """None once the page shows `expected`, else what it shows after some time."""
    end = time.monotonic() + 15
    while (place := read_place(page)) != expected:
        if time.monotonic() > end:
            return place
        page.wait_for_timeout(100)
    return None


def take_step(page: Page, step: Step) -> str:
    """The place after the step."""
    name = re.compile(re.escape(step.name))
    before = page.url
    page.get_by_role(step.role, name=name).first.click()
    if step.moves:
        expect(page).not_to_have_url(before)
    else:
        expect(page.get_by_role("radio", name=name).first).to_have_attribute("aria-checked", "true")
    page.wait_for_timeout(500)
    settled(page)
    page.wait_for_selector("h1")
    return read_place(page)


def walk(page: Page, address: str, steps: Sequence[Step]) -> list[str]:
    """Walk there and back and there again; what was not as expected."""
    show(page, address)
    page.wait_for_timeout(300)
    places = [read_place(page)]
    for step in steps:
        place = take_step(page, step)
        if step.moves:
            places.append(place)
        else:
            places[-1] = place
    faults: list[str] = []
    for way, move, expected in (
        ("Back", page.go_back, reversed(places[:-1])),
        ("Forward", page.go_forward, iter(places[1:])),
    ):
        for place in expected:
            move()
            shown = wait_for_place(page, place)
            if shown:
                return [*faults, f"{way} to {place} shows {shown}"]
    return faults


@pytest.mark.campaign
def test_two_paths(running: Dashboard, window: Window) -> None:
    page = sign_in(window().new_page(), running.address, running.service.key("Walkers"))
    for address, steps in CORE:
        assert walk(page, f"{running.address}{address}", steps) == []


@pytest.fixture(scope="module")
def views(running: Dashboard) -> dict[str, str]:
    return fill_organisation(running.service, "Wanderers")


def name_path(path: Path) -> str:
    address, steps = path
    return " > ".join([address, *(step.name for step in steps)])


@pytest.mark.campaign
@pytest.mark.parametrize(("address", "steps"), PATHS, ids=[name_path(path) for path in PATHS])
def test_a_path(
    running: Dashboard, window: Window, views: dict[str, str], address: str, steps: list[Step]
) -> None:
    start = views[address.strip("{}")] if address.startswith("{") else address
    page = sign_in(window().new_page(), running.address, running.service.key("Wanderers"))
    assert walk(page, f"{running.address}{start}", steps) == []
