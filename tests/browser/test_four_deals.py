"""Four deals of a new user in Chromium, from the dropped file to the record: the figures that the test
computed itself stand on every page that shows them."""

import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from app.client import ApiClient
from app.contract.money import format_money
from tests.browser.conftest import settled
from tests.flows.deployment import Deployment, parley_up
from tests.flows.walks.cases import Walk
from tests.flows.walks.deal_layouts import DEAL_LAYOUTS
from tests.flows.walks.deals import DEALS
from tests.flows.walks.market import write_purchases
from tests.flows.walks.term_deals import TERM_DEALS

pytestmark = [pytest.mark.browser, pytest.mark.campaign]

PATIENCE_MS = 60_000
TODAY = datetime.now(UTC).date()
LOWERED = Decimal("0.95")
"""What the last offer is of the first."""
WALKS = [
    next(one for one in (*DEALS, *TERM_DEALS) if one.name == name)
    for name in (
        "a ramp of three years",
        "a reseller's workbook of three years",
        "a renewal of three years beside the price until now",
        "a price in a sentence",
    )
]


@dataclass(frozen=True)
class Deal:
    """A deal on its way: what was asked at first, and what it was agreed at."""

    walk: Walk
    asked: Decimal
    agreed: Decimal

    @classmethod
    def of(cls, walk: Walk) -> "Deal":
        asked = Decimal(str(walk.paid))
        return cls(walk, asked, Decimal(round(asked * LOWERED)))


def _shown(amount: Decimal) -> re.Pattern[str]:
    """The amount as pages show it, with or without the cents."""
    return re.compile(re.escape(format_money(amount, "USD")) + r"(?![\d,])")


@pytest.mark.timeout(600)
def test_four_deals_have_the_same_figures_on_every_page(
    tmp_path: Path, window: Callable[..., BrowserContext]
) -> None:
    write_purchases(tmp_path / "paid.csv", TODAY)
    with parley_up(tmp_path / "data", "--empty") as deployment:
        deployment.parley("import", "purchases", str(tmp_path / "paid.csv"))
        page = window().new_page()
        page.set_default_timeout(PATIENCE_MS)
        expect.set_options(timeout=PATIENCE_MS)
        page.goto(deployment.link)
        expect(page.get_by_role("heading", name="Home")).to_be_visible()
        deals = [Deal.of(walk) for walk in WALKS]
        with ApiClient(deployment.service, api_key=deployment.new_key()) as parley:
            for at, deal in enumerate(deals):
                quote = _confirm(page, deployment, deal, _draw(tmp_path, deal.walk, at))
                _check_quote(page, parley, deal, quote)
                _agree(page, deal)
                _check_contract(page, parley, deployment, deal)
        _check_sums(page, deployment, deals)


def _draw(folder: Path, walk: Walk, at: int) -> Path:
    name, draw = DEAL_LAYOUTS[walk.layout]
    path = folder / f"{at}-{name}"
    path.write_bytes(draw(replace(walk.printed, number=f"Q-{70 + at}", day=TODAY - timedelta(5))))
    return path


def _confirm(page: Page, deployment: Deployment, deal: Deal, file: Path) -> str:
    """Drop the file and confirm what was read; the id of the quote."""
    page.goto(f"{deployment.dashboard}/quotes")
    page.locator("input[type=file]").set_input_files(file)
    page.get_by_role("button", name=re.compile("^Confirm (and see|what was)")).click()
    expect(page.get_by_role("link", name="Earlier version")).to_be_visible()
    settled(page)
    return page.url.split("id=")[1]


def _check_quote(page: Page, parley: ApiClient, deal: Deal, quote: str) -> None:
    """Total and lines, and a verdict that the market of the test confirms."""
    for amount in (deal.asked, *_list_amounts(deal.walk)):
        expect(page.get_by_text(_shown(amount)).first).to_be_visible()
    verdict = parley.pricing.explanation(quote).verdict
    assert verdict is not None
    assert verdict.word == ("negotiate" if deal.walk.ratio > 1.25 else "consider")


def _list_amounts(walk: Walk) -> Iterator[Decimal]:
    return (Decimal(str(one.line.amount(walk.months))) for one in walk.lines)


def _agree(page: Page, deal: Deal) -> None:
    """Start the negotiation with the button that names what to ask for; log a lower offer, and accept it."""
    page.get_by_role("button", name=re.compile("Ask for USD")).first.click()
    page.get_by_label("Your name").fill("A. Buyer")
    page.get_by_label("Your email").fill("buyer@example.com")
    page.keyboard.press("Tab")
    page.get_by_role("button", name="Start the negotiation").click()
    expect(page.get_by_text(re.compile("Counter with USD")).first).to_be_visible()
    expect(page.get_by_text(_shown(deal.asked)).first).to_be_visible()
    page.locator("[class*='st-key-update-'][class*='-amount'] input").fill(str(deal.agreed))
    page.keyboard.press("Tab")
    page.get_by_role("button", name="Save", exact=True).click()
    page.get_by_role("button", name=re.compile(f"Accept {_shown(deal.agreed).pattern}")).click()
    page.get_by_role("button", name=re.compile(f"Record {_shown(deal.agreed).pattern}")).click()
    expect(page.get_by_text(re.compile("negotiation is complete")).first).to_be_visible()


def _check_contract(page: Page, parley: ApiClient, deployment: Deployment, deal: Deal) -> None:
    """The contract that was made of the negotiation, which a worker does."""
    negotiation = page.url.split("id=")[1].split("&")[0]
    deadline = time.monotonic() + PATIENCE_MS / 1000
    while not (made := [one for one in parley.agreements.iter() if one.negotiation_id == negotiation]):
        assert time.monotonic() < deadline, "no contract was made"
        time.sleep(0.2)
    [contract] = made
    assert contract.total_value == deal.agreed
    page.goto(f"{deployment.dashboard}/contract?id={contract.id}")
    expect(page.get_by_role("radio", name="Agreed")).to_be_visible()
    expect(page.get_by_text(_shown(deal.agreed)).first).to_be_visible()


def _check_sums(page: Page, deployment: Deployment, deals: Sequence[Deal]) -> None:
    """Savings and Home: each deal, and what was saved in all."""
    saved = sum((one.asked - one.agreed for one in deals), Decimal(0))
    page.goto(f"{deployment.dashboard}/savings")
    for deal in deals:
        for amount in (deal.asked, deal.agreed, deal.asked - deal.agreed):
            expect(page.get_by_text(_shown(amount)).first).to_be_visible()
    expect(page.get_by_text(_shown(saved)).first).to_be_visible()
    for where in ("", "negotiations"):
        page.goto(f"{deployment.dashboard}/{where}")
        expect(page.get_by_text(_shown(saved)).first).to_be_visible()
