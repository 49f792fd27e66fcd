"""One scope: what is bought, its versions, what to do with it."""

from collections.abc import Callable
from uuid import uuid4

import pytest
from streamlit.testing.v1 import AppTest

from app.dashboard.api import queries
from app.dashboard.deployment import Deployment
from app.dashboard.scopes.scope_listing import name_scope
from app.settings import Settings
from tests.dashboard.conftest import RunningService
from tests.dashboard.page_helpers import call_service, create_scope, list_tabs, page_text, start_unplanned
from tests.dashboard.record_tables import read_column, read_headings, read_metrics
from tests.dashboard.seed_data import ACME, PLATFORM

OpenPage = Callable[..., AppTest]


@pytest.fixture
def deployment(service: RunningService, dashboard_settings: Settings) -> Deployment:
    """An organisation of its own for each test."""
    return Deployment(service.address, service.key(uuid4().hex))


@pytest.mark.campaign
def test_a_scope_says_what_is_bought(open_page: OpenPage, deployment: Deployment) -> None:
    page = open_page("scope", id=create_scope(deployment, users=35))
    assert not page.exception
    assert "Acme Platform" in page_text(page)
    assert "12 months" in page_text(page)
    assert "quoted USD 2,100" in page_text(page)
    assert "35" in read_metrics(page).values()


def test_versions_link_to_each_other_and_are_compared(open_page: OpenPage, deployment: Deployment) -> None:
    first = create_scope(deployment, users=35)
    second = create_scope(deployment, users=40, previousScopeId=first)
    later = open_page("scope", id=second, **{"scope-tab": "Changes"})
    assert not later.exception
    assert (read_column(later, "Before"), read_column(later, "After")) == (["35"], ["40"])
    earlier = open_page("scope", id=first)
    assert "Replaced" in page_text(earlier)


def test_a_scope_is_renamed_and_what_was_typed_stays_on_an_error(
    open_page: OpenPage, deployment: Deployment
) -> None:
    ident = create_scope(deployment)
    page = open_page("scope", id=ident)
    assert read_headings(page)[0] == "Acme Platform"
    field = f"rename-{ident}/name"
    assert page.text_input(key=field).value == "Acme Platform"
    call_service(deployment, "PATCH", f"/v1/scope/{ident}", {"name": "Named by another"})
    queries.load_scope.clear()
    assert page.run().text_input(key=field).value == "Named by another"
    page.text_input(key=field).set_value("\u200b").run()
    page.button(key=f"rename-{ident}-button").click().run()
    assert "“Name of this quote” must not be blank" in page_text(page)
    assert page.text_input(key=field).value == "\u200b"
    page.text_input(key=field).set_value("Desks *2027*").run()
    page.button(key=f"rename-{ident}-button").click().run()
    assert not page.exception
    assert read_headings(page)[0] == "Desks *2027*"
    assert page.session_state[f"rename-{ident}-popover"] is False
    assert name_scope(queries.load_scope(deployment, ident)).startswith("Desks *2027* (New purchase")
    page.text_input(key=field).set_value(" ").run()
    page.button(key=f"rename-{ident}-button").click().run()
    assert read_headings(page)[0] == "Acme Platform"


@pytest.mark.campaign
def test_a_scope_is_archived_says_so_and_is_restored(open_page: OpenPage, deployment: Deployment) -> None:
    ident = create_scope(deployment)
    page = open_page("scope", id=ident)
    page.button(key=f"archive-{ident}-button").click().run()
    assert not page.exception
    assert "**Archived** since" in page_text(page)
    assert "All quotes are archived" in page_text(open_page("scopes"))
    page.button(key=f"restore-{ident}-button").click().run()
    assert "**Archived** since" not in page_text(page)
    assert read_column(open_page("scopes"), "Quote") == ["Acme Platform"]


def test_what_a_write_may_change_is_read_anew_after_it(open_page: OpenPage, deployment: Deployment) -> None:
    ident = create_scope(deployment)
    reads: list[Callable[[], object]] = [
        lambda: queries.load_advanced_estimate(deployment, ident),
        lambda: queries.load_explanation(deployment, ident),
        lambda: queries.load_product_prices(deployment, PLATFORM),
        lambda: queries.load_all_products(deployment, ACME),
        lambda: queries.load_faqs(deployment, ACME),
    ]
    before = [read() for read in reads]
    open_page("scope", id=ident).button(key=f"archive-{ident}-button").click().run()
    assert not any(read() is answer for read, answer in zip(reads, before, strict=True))


@pytest.mark.campaign
def test_its_price_stands_on_its_page_and_is_compared_with_others(
    open_page: OpenPage, deployment: Deployment
) -> None:
    ident = create_scope(deployment)
    page = open_page("scope", id=ident)
    assert page.number_input(key=f"quote-{ident}").value == 2100
    page.button(key="compare").click().run()
    assert not page.exception
    assert page.query_params["ids"] == ident


def test_another_organisations_scope_is_not_there(
    open_page: OpenPage, deployment: Deployment, service: RunningService
) -> None:
    foreign = create_scope(Deployment(service.address, service.key("Somebody Else")))
    page = open_page("scope", id=foreign)
    assert not page.exception
    assert "was not found" in page_text(page)
    assert " Request " in page_text(page)


def test_an_address_without_a_scope_leads_to_the_list(open_page: OpenPage) -> None:
    page = open_page("scope")
    assert "No quote chosen" in page_text(page)
    page.button(key="to-scopes").click().run()
    assert "All quotes" in list_tabs(page)


def test_a_deployment_that_takes_no_writes_shows_no_dead_buttons(
    open_page: OpenPage, deployment: Deployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    ident = create_scope(deployment)
    monkeypatch.setattr(queries, "load_operations", lambda _: frozenset({"GET /v1/scope/{}"}))
    page = open_page("scope", id=ident)
    assert not page.exception
    assert [button.key for button in page.button] == ["compare"]


def test_what_was_made_of_a_scope_is_offered_and_not_made_twice(
    open_page: OpenPage, deployment: Deployment
) -> None:
    ident = create_scope(deployment)
    [started] = start_unplanned(deployment, scope={"scopeId": ident})
    for page in (open_page("scope", id=ident), open_page("negotiations", scope=ident)):
        assert not page.exception
        assert not {f"next-step-{ident}", f"negotiate-{ident}", "negotiate"} & {
            one.key for one in page.button
        }
        assert "Start the negotiation" not in [one.label for one in page.button]
        page.button(key=f"outcome-{started}").click().run()
        assert page.query_params["id"] == started
    create_scope(deployment, previousScopeId=ident)
    queries.load_scope.clear()
    replaced = open_page("scope", id=ident)
    assert not {"follow-up", "negotiate"} & {one.key for one in replaced.button}
    assert "Open the later version" in [one.proto.label for one in replaced.get("page_link")]
