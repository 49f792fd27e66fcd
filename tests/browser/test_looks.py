"""Every page has a view here. In the campaign each view, with records and without, fits wide and narrow, says
nothing in the console, and axe finds nothing in it, light and dark in turn; a picture of each is kept when
PARLEY_PICTURES is set. `test_every_state` looks at all in both colours."""

from collections.abc import Callable, Iterator
from typing import Literal
from urllib.parse import urlsplit

import httpx
import pytest
import sqlalchemy as sa
from playwright.sync_api import BrowserContext, Page, expect

from app.dashboard.deployment import Deployment
from app.dashboard.navigation import PAGES, START
from app.service.database.tables import organisation
from app.service.imports.jobs import do_import_task
from app.service.webhooks.attempt_writer import FinishedAttempt, record_attempts
from app.service.webhooks.delivery_queue import BatchRequest, load_batches
from app.service.webhooks.sending import Exchange, interpret_failure
from app.service.webhooks.store import change_webhook
from tests.browser.conftest import NARROW, WIDE, Dashboard, picture, settled, sign_in, violations
from tests.dashboard.conftest import RunningService
from tests.dashboard.page_helpers import call_service, create_scope, start_unplanned
from tests.dashboard.seed_data import ACME, PLATFORM, stable_id
from tests.dashboard.sourcing.requirement_factory import add_rate, fill_requirement, state_requirement
from tests.service.running_service import leave_waiting
from tests.service.webhooks.webhook_factory import a_webhook, happen

pytestmark = pytest.mark.browser
Window = Callable[..., BrowserContext]
ORDERS = b"date,vendor,item,price,edition\n2026-01-11,Harbour,Crane,20,gold\nsoon,,Crane,2,gold\n"

VIEWS = {
    "overview": "/",
    "catalog": "/catalog",
    "catalog-without-match": "/catalog?q=zzzz",
    "company": f"/company?id={ACME}",
    "company-purchases": f"/company?id={ACME}&company-tab=Past+purchases",
    "company-missing": f"/company?id={stable_id('nobody')}",
    "product": f"/product?id={PLATFORM}",
    "deployment": "/deployment",
    "not-found": "/not_found?address=%2Fnosuchpage",
    "deployment-calls": "/deployment?deployment-tab=Calls",
    "people": "/people",
    "imports-empty": "/imports",
    "scopes-empty": "/quotes",
    "estimates-empty": "/estimates",
    "negotiations-empty": "/negotiations",
    "savings-empty": "/savings",
    "agreements-empty": "/contracts",
    "webhooks-empty": "/webhooks",
    "requirements-empty": "/compare",
}
"""Pages without a record of the organisation. `views` adds those with one."""

COLOURS: tuple[Literal["light", "dark"], ...] = ("light", "dark")


def show(page: Page, address: str) -> Page:
    page.goto(address)
    page.wait_for_selector("h1, [class*=st-key-failure]")
    return settled(page)


def views_of_purchases(service: RunningService, owner: str) -> dict[str, str]:
    """A scope of that organisation, and a negotiation about it."""
    deployment = Deployment(service.address, service.key(owner))
    scope_id = create_scope(deployment)
    [negotiation_id] = start_unplanned(deployment, scope={"scopeId": scope_id})
    return {"scope": f"/quote?id={scope_id}", "negotiation": f"/negotiation?id={negotiation_id}"}


def views_of_agreements(service: RunningService, owner: str) -> dict[str, str]:
    """An agreement whose dates are known, one of which nothing is, and the list with both."""
    deployment = Deployment(service.address, service.key(owner))
    named = {"name": "Acme Platform for the field teams in the north and south", "companyId": ACME}
    known, unknown = (
        call_service(deployment, "POST", "/v1/agreements", {**named, **terms})["id"]
        for terms in (_RENEWING, {})
    )
    with httpx.Client(
        base_url=service.address, headers={"Authorization": f"Bearer {deployment.api_key}"}
    ) as api:
        leave_waiting(service.context, api, owner, "https://hooks.example.com/a-receiver-of-prices")
    return {
        "agreements": "/contracts",
        "new contract": "/new_contract",
        "settings": "/settings",
        "approvals": "/approvals",
        "working days": "/working_days",
        "agreement": f"/contract?id={known}",
        "agreement with gaps": f"/contract?id={unknown}",
    }


_RENEWING = {
    "termStart": "2026-01-01",
    "termEnd": "2027-12-31",
    "renewalType": "auto_renew",
    "autoRenewalTermMonths": 12,
    "noticePeriod": {"value": 3, "unit": "month"},
    "totalValue": 84_000,
    "currency": "USD",
    "owners": [{"name": "Bea Buyer", "email": "buyer@acme.example"}],
}


def views_of_requirements(service: RunningService, owner: str) -> dict[str, str]:
    """A requirement with quotes, one without, and the list with both."""
    deployment = Deployment(service.address, service.key(owner))
    add_rate(service, owner, "EUR", "USD", 1.0834)
    full = fill_requirement(deployment, 4, 6)
    bare = state_requirement(deployment, "Analytics seats")
    return {
        "requirements": "/compare",
        "requirement": f"/comparison?id={full['id']}",
        "requirement without quotes": f"/comparison?id={bare['id']}",
    }


def views_of_imports(service: RunningService, owner: str) -> dict[str, str]:
    """A file that waits to be confirmed, and the list with it."""
    headers = {"Authorization": f"Bearer {service.key(owner)}"}
    with httpx.Client(base_url=service.address, headers=headers, timeout=60) as api:
        file_id = api.post("/v1/files/upload", files={"file": ("orders.csv", ORDERS)}).json()["id"]
        import_id = api.post("/v1/imports", json={"fileId": file_id}).json()["id"]
    do_import_task(service.context, import_id, "check_import")
    return {"imports": "/imports", "import": f"/import_file?id={import_id}"}


def views_of_failures(service: RunningService, owner: str) -> dict[str, str]:
    """A webhook of that organisation whose deliveries timed out, and one of them."""
    context = service.context
    now = context.clock()
    with context.database.reading() as connection:
        owner_id = connection.scalar(sa.select(organisation.c.id).where(organisation.c.name == owner))
    webhook_id, _ = a_webhook(
        context, "https://hooks.example.com/a/rather/long/path/to/it?token=abc", owner_id
    )
    event_id = happen(context, webhook_id, 3)[0]
    with context.database.writing() as connection:
        change_webhook(connection, webhook_id, worker_id=webhook_id)
        [batch] = load_batches(
            connection,
            context.vault,
            [BatchRequest(webhook_id, 3)],
            worker_id=webhook_id,
            now=context.clock(),
        )
        sent = Exchange(
            now, 15_000, {"content-type": "application/json"}, None, interpret_failure(TimeoutError())
        )
        finished = [FinishedAttempt(one, sent, now, None) for one in batch.deliveries]
        record_attempts(connection, finished, worker_id=webhook_id)
    return {
        "webhook": f"/webhook?id={webhook_id}",
        "webhooks": "/webhooks",
        "webhook-delivery": f"/webhook?id={webhook_id}&event={event_id}",
    }


def look(page: Page, name: str, colour: Literal["light", "dark"]) -> list[str]:
    """What axe finds on the page in a colour."""
    page.emulate_media(color_scheme=colour)
    expect(page.get_by_test_id("stApp")).to_have_css("color-scheme", colour)
    page.wait_for_timeout(250)  # colours fade over
    picture(page, f"{name}-{colour}")
    return violations(page)


def views_of_records(service: RunningService, owner: str) -> Iterator[tuple[str, str]]:
    for make in (
        views_of_failures,
        views_of_purchases,
        views_of_imports,
        views_of_agreements,
        views_of_requirements,
    ):
        yield from make(service, owner).items()


def views(service: RunningService, owner: str) -> Iterator[tuple[str, str]]:
    """Every view, those with records of the organisation behind the empty ones."""
    yield from VIEWS.items()
    yield from views_of_records(service, owner)


def name_page(path: str) -> str:
    return urlsplit(path).path.strip("/")


def test_every_page_has_a_view(service: RunningService) -> None:
    service.key("All views")  # makes the organisation
    shown = {name_page(path) for _, path in views(service, "All views")}
    assert shown - {""} == {entry.path for entry in PAGES} - {START.path}


@pytest.mark.campaign
def test_every_view_is_accessible_and_fits(running: Dashboard, window: Window) -> None:
    page = window().new_page()
    console: list[str] = []
    page.on("console", lambda message: console.append(message.text) if message.type == "error" else None)
    refused: list[str] = []
    page.on("response", lambda one: refused.append(f"{one.status} {one.url}") if one.status >= 400 else None)
    found = {"sign-in": look(show(page, running.address), "sign-in", "dark")}
    sign_in(page, running.address, running.service.key("Looks"))
    for number, (name, path) in enumerate(views(running.service, "Looks")):
        found[name] = look(show(page, running.address + path), name, COLOURS[number % 2])
        if name in {"webhook", "webhooks"}:
            expect(page.get_by_text("timed out").or_(page.locator("canvas")).first).to_be_visible()
        page.set_viewport_size({"width": NARROW, "height": 900})
        picture(page, f"{name}-narrow")
        spare = page.evaluate("document.documentElement.clientWidth - document.documentElement.scrollWidth")
        assert spare >= 0, f"{name} is wider than a narrow window"
        page.set_viewport_size({"width": WIDE, "height": 900})
    assert {view: wrong for view, wrong in found.items() if wrong} == {}
    assert refused == []
    assert console == []


@pytest.mark.campaign
def test_the_interface_is_read_and_tried_in_the_browser(service: RunningService, window: Window) -> None:
    page = window().new_page()
    calls: list[str] = []
    complaints: list[str] = []
    page.on("request", lambda request: calls.append(request.url))
    page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
    page.goto(f"{service.address}/docs")
    page.get_by_role("button", name="Authorize").first.click()
    page.get_by_label("auth-bearer-value").fill(service.key("Reader"))
    page.get_by_role("button", name="Apply credentials").first.click()
    page.get_by_role("button", name="Close").first.click()
    # Operations are drawn as one scrolls to them.
    page.get_by_placeholder("Filter by tag or path").fill("/catalog/companies")
    page.locator(".opblock-summary-control", has_text="List companies").click()
    operation = page.locator(".opblock.is-open")
    operation.get_by_placeholder("name", exact=True).fill("acme")
    operation.get_by_role("button", name="Execute").click()
    answer = operation.locator(".live-responses-table")
    expect(answer.locator(".response-col_status").last).to_contain_text("200")
    expect(answer).to_contain_text(ACME)
    backgrounds = {"light": "rgba(0, 0, 0, 0)", "dark": "rgb(28, 32, 34)"}
    for colour, width in zip(COLOURS, (WIDE, NARROW), strict=True):
        page.emulate_media(color_scheme=colour)
        page.set_viewport_size({"width": width, "height": 900})
        expect(page.locator("html")).to_have_css("background-color", backgrounds[colour])
        assert page.evaluate("document.documentElement.scrollWidth") == width
        picture(page, f"reference-{colour}")
    hosts = {urlsplit(url).netloc for url in calls if not url.startswith("data:")}
    assert hosts == {urlsplit(service.address).netloc}
    assert complaints == []
