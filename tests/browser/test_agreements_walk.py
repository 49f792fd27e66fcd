"""A new user's year in Chromium: three quotes become agreements, their deadlines show in a calendar, by mail
and by webhook, one is renewed, and the next estimate knows what was agreed."""

import re
import time
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, timedelta
from email.message import Message
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import httpx
import icalendar
import pytest
from playwright.sync_api import BrowserContext, Page, expect

from app.client import ApiClient, ScopedClient
from app.contract.pricing import PricePreview
from app.service.charges.months import add_months
from tests.browser.conftest import picture, settled
from tests.flows.deployment import Deployment, parley_up
from tests.flows.receiver import receiving
from tests.service.background.mail_server import Inbox, MailServer
from tests.service.documents import pdf_builder
from tests.service.pricing.scope_requests import HEADER, row

pytestmark = [pytest.mark.browser, pytest.mark.campaign]

PATIENCE_MS, PATIENCE_SECONDS = 60_000, 60
OWNER = "bea@acme.example"
SOLD = {
    "Fabrikam Software": "Blue Analytics",
    "Contoso Storage": "Red Archive",
    "Tailspin Mail": "Green Mail",
}
USERS, UNIT_PRICE, MONTHS = 10, 100, 12


def write_purchases(path: Path, today: date) -> Path:
    """What six buyers have paid for each product in the last year."""
    lines = [
        row(
            number,
            supplier=supplier,
            product=product,
            price=UNIT_PRICE * 0.8 + number % 5,
            buyer=f"Buyer {number % 6}",
            day=(today - timedelta(15 * (number + 1))).isoformat(),
        )
        for supplier, product in SOLD.items()
        for number in range(24)
    ]
    path.write_text(HEADER + "\n".join(lines), encoding="utf-8")
    return path


def write_quote(path: Path, supplier: str, product: str, start: date) -> Path:
    total = USERS * UNIT_PRICE * MONTHS
    end = add_months(start, MONTHS) - timedelta(1)
    path.write_bytes(
        pdf_builder.quote(
            ["Description", "Users", "Per user and month", "Amount"],
            [[product, str(USERS), f"${UNIT_PRICE}.00", f"${total:,}.00"]],
            [("Total", f"${total:,}.00")],
            above=(supplier, "QUOTE Q-2041", f"Date: {start - timedelta(20):%d %B %Y}"),
            below=(
                f"Subscription term: {start:%d %B %Y} to {end:%d %B %Y} ({MONTHS} months).",
                "The subscription renews automatically for successive terms of 12 months",
                "unless either party gives notice at least 30 days before the end of the term.",
            ),
        )
    )
    return path


@pytest.mark.timeout(900)
def test_three_quotes_become_agreements_that_are_watched_renewed_and_learnt_from(
    tmp_path: Path, window: Callable[..., BrowserContext]
) -> None:
    today = datetime.now(UTC).date()
    expect.set_options(timeout=PATIENCE_MS)
    inbox = Inbox()
    server = MailServer(inbox, hostname="127.0.0.1", port=0)
    server.start()
    settings = {
        "PARLEY_SMTP_URL": f"smtp://127.0.0.1:{server.port}",
        "PARLEY_MAIL_FROM": "Parley <parley@acme.example>",
    }
    try:
        with receiving() as receiver:
            with parley_up(tmp_path / "data", "--empty", settings=settings) as deployment:
                deployment.parley("import", "purchases", str(write_purchases(tmp_path / "paid.csv", today)))
                page = window().new_page()
                page.set_default_timeout(PATIENCE_MS)
                page.goto(deployment.link)
                expect(page.get_by_role("heading", name="Home")).to_be_visible()
                register_webhook(page, deployment, receiver.url)
                agreements = [
                    record_quote(page, deployment, write_quote(tmp_path / f"q{at}.pdf", *each, start))
                    for at, each in enumerate(SOLD.items())
                    # The terms end in 40, 80 and 120 days.
                    for start in [add_months(today + timedelta(40 * (at + 1)), -MONTHS)]
                ]
                with ApiClient(deployment.service, api_key=deployment.new_key()) as parley:
                    check_dates(parley, agreements, page, deployment)
            # What is due is told when a worker starts, and each hour.
            with parley_up(tmp_path / "data", "--empty", settings=settings) as deployment:
                told = receiver.wait_for_word("agreement.notice.approaching", agreements[0])
                assert told.headers["webhook-signature"].startswith("v1,")
                wait_for(lambda: list_reminders(inbox.messages))
                [letter] = list_reminders(inbox.messages)
                assert letter["To"] == OWNER
                page.goto(deployment.link)
                with ApiClient(deployment.service, api_key=deployment.new_key()) as parley:
                    renew(page, deployment, parley, agreements[0], today)
    finally:
        server.stop()


def list_reminders(letters: Sequence[Message]) -> list[Message]:
    """Those of the agreement that is due, without the letters to a new owner."""
    due = (one for one in letters if "needs your decision" in str(one["Subject"]))
    return [one for one in due if "Blue Analytics" in str(one)]


def register_webhook(page: Page, deployment: Deployment, url: str) -> None:
    page.goto(f"{deployment.dashboard}/webhooks?webhooks-tab=Register+a+webhook")
    page.get_by_label("Address").fill(url)
    page.keyboard.press("Tab")
    page.get_by_role("button", name="Register the webhook").click()
    expect(page.get_by_text("whsec_").first).to_be_visible()


def record_quote(page: Page, deployment: Deployment, quote: Path) -> str:
    """Drop a quote, confirm what was read and put it on record; the id of the agreement."""
    page.goto(f"{deployment.dashboard}/quotes")
    page.locator("input[type=file]").set_input_files(quote)
    page.get_by_role("button", name=re.compile("^Confirm (and see|what was)")).click()
    expect(page.get_by_role("link", name="Earlier version")).to_be_visible()
    picture(settled(page), f"walk-{quote.stem}-price")
    page.get_by_role("button", name="Save contract").click()
    expect(page.get_by_role("radio", name="Agreed")).to_be_visible()
    settled(page)
    picture(page, f"walk-{quote.stem}")
    page.get_by_role("radio", name="Change").click()
    page.get_by_label("Owner", exact=True).fill("Bea Buyer")
    page.get_by_label("Owner's email").fill(OWNER)
    page.keyboard.press("Tab")
    page.get_by_role("button", name="Save the changes").click()
    settled(page)  # who leaves the form at once is told that it was not saved
    page.get_by_role("radio", name="Agreed").click()
    expect(page.get_by_text("Not known")).to_have_count(0)
    return parse_qs(urlsplit(page.url).query)["id"][0]


def check_dates(parley: ApiClient, agreements: list[str], page: Page, deployment: Deployment) -> None:
    """The deadline of each is thirty days before its term ends, and stands in the calendar."""
    records = [parley.agreements.get(one) for one in agreements]
    for one in records:
        assert one.missing == []
        assert one.term_end is not None
        assert one.notice_deadline is not None
        assert 0 <= (one.term_end - timedelta(30) - one.notice_deadline).days <= 4, "on a working day"
    page.goto(f"{deployment.dashboard}/contracts")
    page.get_by_text("In your calendar").click()
    page.get_by_role("button", name="Make an address").click()
    address = page.locator("code", has_text="renewals.ics").inner_text()
    picture(settled(page), "walk-calendar")
    calendar = icalendar.Calendar.from_ical(httpx.get(address).raise_for_status().text)
    days = {event.decoded("DTSTART"): str(event["SUMMARY"]) for event in calendar.walk("VEVENT")}
    assert {one.notice_deadline for one in records} <= days.keys()


def renew(page: Page, deployment: Deployment, parley: ApiClient, agreement_id: str, today: date) -> None:
    """Renew the agreement at a lower price, and estimate its product anew."""
    yesterday = today - timedelta(1)
    page.goto(f"{deployment.dashboard}/contract?id={agreement_id}")
    page.get_by_role("button", name=re.compile(r"Renew(:|$)")).click()
    expect(page.get_by_role("radio", name="Updates")).to_be_visible()
    picture(settled(page), "walk-negotiation")
    page.locator("[class*='st-key-update-'][class*='-amount'] input").fill("11400")
    page.keyboard.press("Tab")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("USD 11,400").first).to_be_visible()
    page.get_by_text("Agreed price", exact=True).click()
    expect(page.locator("[class*='st-key-update-'][class*='-amount'] input")).to_have_value("")
    page.locator("[class*='st-key-update-'][class*='-amount'] input").fill("9500")
    page.get_by_role("spinbutton", name="year, Signed on").press_sequentially(f"{yesterday:%Y%m%d}")
    page.keyboard.press("Escape")  # the calendar beside the field
    page.keyboard.press("Tab")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text(re.compile("negotiation is complete")).first).to_be_visible()
    wait_for(lambda: parley.agreements.get(agreement_id).next_agreement_id)
    before = parley.agreements.get(agreement_id)
    assert before.stage == "will_renew"
    after = parley.agreements.get(before.next_agreement_id or "")
    assert before.term_end is not None
    assert after.term_start == before.term_end + timedelta(1)
    assert after.total_value == 9_500
    wait_for(lambda: is_learned(parley, after.id))
    [line] = parley.renewals.purchases(after.id).data
    assert line.purchase is not None
    assert before.scope_id is not None
    [term] = parley.scopes.get(before.scope_id).product_terms
    bought = {
        "productId": term.product_id,
        "pricingDimensions": [{"id": one.id, "value": one.value} for one in term.pricing_dimensions],
    }
    renewal = {"termLength": MONTHS, "purchaseType": "renewal"}
    asked = PricePreview.model_validate({"scopeTerms": [renewal], "productTerms": [bought]})
    priced = parley.pricing.preview(asked)
    assert line.purchase.id in {one.id for one in priced.products[0].comparables if one.own}
    page.goto(f"{deployment.dashboard}/estimates?ids={before.scope_id}")
    expect(page.locator(".parley-prices").first).to_be_visible()
    picture(settled(page), "walk-next-estimate")
    page.goto(f"{deployment.dashboard}/contracts?agreements-tab=Benchmark")
    picture(settled(page), "walk-market")


def is_learned(parley: ScopedClient, agreement_id: str) -> bool:
    return all(line.state == "learned" for line in parley.renewals.purchases(agreement_id).data)


def wait_for(holds: Callable[[], object]) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not holds():
        assert time.monotonic() < deadline, "the worker has not done it"
        time.sleep(0.2)
