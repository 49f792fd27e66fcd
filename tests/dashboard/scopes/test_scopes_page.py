"""The page of scopes: the list, a quote to read, the form."""

from collections.abc import Callable
from datetime import date
from uuid import uuid4

import pytest
from streamlit.testing.v1 import AppTest

from app.dashboard.api import queries
from app.dashboard.deployment import Deployment
from app.dashboard.server import configuration
from app.settings import Settings
from tests.dashboard.conftest import RunningService
from tests.dashboard.page_helpers import create_scope, page_text, start_unplanned, upload_quote
from tests.dashboard.record_tables import read_column, read_metrics
from tests.dashboard.seed_data import PLATFORM, stable_id

OpenPage = Callable[..., AppTest]
USERS = f"scope-form-new/{PLATFORM}/{stable_id('dimension users')}"


@pytest.fixture
def deployment(service: RunningService, dashboard_settings: Settings) -> Deployment:
    """An organisation of its own for each test."""
    return Deployment(service.address, service.key(uuid4().hex))


def test_without_scopes_the_page_says_how_to_make_one(open_page: OpenPage) -> None:
    page = open_page("scopes")
    assert not page.exception
    assert "No quotes yet" in page_text(page)


def test_scopes_are_listed(open_page: OpenPage, deployment: Deployment) -> None:
    create_scope(deployment)
    page = open_page("scopes")
    assert not page.exception
    assert read_column(page, "Quote") == ["Acme Platform"]
    assert read_column(page, "Quoted") == ["USD 2,100"]


def test_scopes_are_found_by_name_and_status_in_the_address(
    open_page: OpenPage, deployment: Deployment
) -> None:
    first, second, third = (create_scope(deployment) for _ in range(3))
    client = queries.client_for(deployment)
    client.scopes.update(first, name="Winter <b>*desks*</b>")
    client.scopes.update(second, archived=True)
    unread = client.scopes.from_upload(b"Supplier,Acme Cloud\n", filename="unread.csv").scope_id
    page = open_page("scopes")  # no worker reads it
    assert read_column(page, "Quote") == ["unread.csv", "Acme Platform", "Winter <b>*desks*</b>"]
    assert read_column(page, "Status") == ["Being read", "Ready", "Ready"]
    assert read_column(page, "Supplier")[1:] == ["Acme Cloud", "Acme Cloud"]
    page.button(key="waiting-reading").click().run()
    assert read_column(page, "Quote") == ["unread.csv"]
    assert page.query_params["scope-status"] == "Being read"
    assert read_column(open_page("scopes", **{"scope-name": "DESKS"}), "Quote") == ["Winter <b>*desks*</b>"]
    archived = open_page("scopes", **{"scope-status": "Archived"})
    assert read_column(archived, "Status") == ["Archived"]
    nothing = open_page("scopes", **{"scope-name": "nothing like it"})
    assert "No quote matches" in page_text(nothing)
    nothing.button(key="scopes-page-clear").click().run()
    assert len(read_column(nothing, "Quote")) == 3
    for each in (first, third, unread):
        client.scopes.update(each, archived=True)
    queries.load_scopes.clear()
    assert "All quotes are archived" in page_text(open_page("scopes"))


def test_a_quote_is_followed_while_it_waits(open_page: OpenPage) -> None:
    page = upload_quote(open_page, "quote.csv", b"Supplier,Acme Cloud\n", "text/csv")  # no worker reads it
    assert not page.exception
    assert page.query_params["id"]
    assert "quote.csv" in page_text(page)
    assert not [button for button in page.button if button.key == "estimate"]


@pytest.mark.campaign
def test_another_source_begins_at_the_first_page(open_page: OpenPage, deployment: Deployment) -> None:
    for _ in range(26):
        create_scope(deployment)
    page = open_page("scopes", **{"scopes-page": "2"})
    assert "26 to 26 of 26 quotes" in page_text(page)
    page.selectbox(key="source").set_value("By hand").run()
    assert not page.exception
    assert "1 to 25 of 26 quotes" in page_text(page)
    assert "scopes-page" not in page.query_params


@pytest.mark.campaign
def test_the_page_of_one_list_is_not_that_of_another(open_page: OpenPage, deployment: Deployment) -> None:
    for _ in range(26):
        create_scope(deployment)
    start_unplanned(deployment, 26)
    page = open_page("scopes", **{"scopes-page": "2"})
    page.switch_page(str(configuration.ROOT / "pages" / "negotiations.py"))
    page.query_params["negotiations-tab"] = "All negotiations"
    page.run()
    assert "1 to 25 of 26 negotiations" in page_text(page)


@pytest.mark.campaign
def test_a_page_past_the_end_of_a_list_is_its_last_page(open_page: OpenPage, deployment: Deployment) -> None:
    for _ in range(26):
        create_scope(deployment)
    start_unplanned(deployment)
    scopes = open_page("scopes", **{"scopes-page": "9"})
    assert "26 to 26 of 26 quotes" in page_text(scopes)
    assert "26 to 26 of 26 quotes" in page_text(scopes.run())
    assert "51 to 62 of 62 companies" in page_text(open_page("catalog", **{"companies-page": "9"}))
    negotiations = open_page(
        "negotiations", **{"negotiations-tab": "All negotiations", "negotiations-page": "9"}
    )
    assert "1 negotiation" in page_text(negotiations)


def test_a_product_of_the_address_opens_its_form(open_page: OpenPage) -> None:
    page = open_page("scopes", product=PLATFORM)
    assert not page.exception
    assert page.number_input(key=USERS).value == 10


@pytest.mark.campaign
def test_a_form_becomes_a_scope_and_opens_it(open_page: OpenPage) -> None:
    page = open_page("scopes", product=PLATFORM)
    page.number_input(key=USERS).set_value(35).run()
    page.button(key="scope-form-new-button").click().run()
    assert not page.exception
    assert page.query_params["id"], page_text(page)
    assert "35" in read_metrics(page).values()
    assert "12 months" not in page_text(page), "nobody has said for how long"


def test_what_is_missing_is_said_at_its_field_and_nothing_is_sent(open_page: OpenPage) -> None:
    page = open_page("scopes", product=PLATFORM)
    page.number_input(key=USERS).set_value(None).run()
    page.button(key="scope-form-new-button").click().run()
    assert "This field is required" in page_text(page)
    assert "id" not in page.query_params


def test_what_was_typed_is_there_after_a_reload_and_a_product_that_is_added_brings_its_fields(
    open_page: OpenPage,
) -> None:
    page = open_page("scopes", product=PLATFORM)
    page.number_input(key=USERS).set_value(35).run()
    page.number_input(key="scope-form-new/final_price").set_value(1999.5).run()
    page = open_page("scopes", product=PLATFORM)
    assert page.number_input(key=USERS).value == 35
    assert page.number_input(key="scope-form-new/final_price").value == 1999.5
    page.button(key=f"put-back-{PLATFORM}").click().run()
    assert not page.exception
    page.query_params["product"] = PLATFORM
    page.run()
    assert page.number_input(key="scope-form-new/final_price").value == 1999.5
    page.button(key="scope-form-new-discard").click().run()
    assert not page.exception
    assert page.number_input(key=USERS).value == 10


def test_an_unknown_product_leaves_the_rest_of_the_form(open_page: OpenPage) -> None:
    page = open_page("scopes", product=f"{stable_id('no such product')},{PLATFORM}")
    assert not page.exception
    assert "was not found" in page_text(page)
    assert page.number_input(key=USERS).value == 10


@pytest.mark.parametrize("supplier", ["acme", ""])
def test_products_are_found_by_name_of_one_supplier_or_of_all(open_page: OpenPage, supplier: str) -> None:
    page = open_page("scopes", **{"scopes-tab": "New request"})
    page.text_input(key="form/supplier-name").set_value(supplier).run()
    [search] = [field for field in page.text_input if field.label == "Product"]
    search.set_value("platf").run()
    [choice] = [field for field in page.selectbox if field.label == "Choose a product"]
    assert choice.options == ["Acme Platform" if supplier else "Acme Platform (Acme Cloud)"]
    choice.set_value(PLATFORM).run()
    assert not page.exception
    assert page.query_params["product"] == PLATFORM
    assert page.number_input(key=USERS).value == 10


def test_a_follow_up_starts_from_what_it_follows(open_page: OpenPage, deployment: Deployment) -> None:
    term = {"termLength": 12, "purchaseType": "renewal", "startDate": "2027-02-01"}
    before = create_scope(deployment, users=77, scopeTerms=[term])
    page = open_page("scopes", follows=before)
    field = USERS.replace("scope-form-new", f"scope-form-{before}")
    assert page.number_input(key=field).value == 77
    assert page.date_input[0].value == date(2027, 2, 1)
    page.button(key=f"scope-form-{before}-button").click().run()
    assert not page.exception
    assert page.query_params["id"] != before, page_text(page)
    assert "Renewal, 12 months, from 1 Feb 2027" in page_text(page)


@pytest.mark.parametrize("tab", ["All quotes", "New request"])
def test_every_tab_has_an_address(open_page: OpenPage, tab: str) -> None:
    page = open_page("scopes", **{"scopes-tab": tab})
    assert not page.exception
