"""Each page on the real service: full, empty, asked for what is not there, and without our extensions."""

from collections.abc import Callable
from datetime import timedelta
from types import SimpleNamespace
from unittest.mock import patch

import httpx
import pytest
from streamlit.testing.v1 import AppTest

from app.dashboard import navigation
from app.dashboard.api import queries
from app.dashboard.api.cached_read import clear_reads
from app.dashboard.api.interface_operations import INTERFACE_OPERATIONS
from app.dashboard.deployment import Deployment
from app.dashboard.server import configuration
from app.dashboard.signing_in.sessions import COOKIE, SessionEnded, session_store
from app.service.scopes.jobs import extract_document
from app.settings import Settings
from components.formatting import format_date
from tests.dashboard.conftest import OpenPage, RunningService
from tests.dashboard.page_helpers import create_scope, start_unplanned
from tests.dashboard.record_tables import (
    ADDRESS,
    read_column,
    read_headings,
    read_metrics,
    read_record_tables,
)
from tests.dashboard.seed_data import (
    ACME,
    DISCONTINUED,
    NIMBUS,
    NOW,
    PLATFORM,
    PRODUCT_WITHOUT_DETAILS,
    PURCHASES,
    SUPPLIERS,
    WITHOUT_DETAILS,
    stable_id,
)


def words(page: AppTest) -> str:
    """All text of a page, in no particular order."""
    parts = [*page.title, *page.markdown, *page.caption, *page.warning, *page.error]
    return "\n".join([*read_headings(page), *(part.value for part in parts), *read_metrics(page).values()])


def cookie_for(deployment: Deployment) -> str:
    """The cookie of a browser that signs in now."""
    return session_store().exchange_ticket(session_store().start(deployment)[1]) or ""


def identity_of(cookie: str) -> str | None:
    """The address that a browser with this cookie is signed in to."""

    def script() -> None:
        import streamlit as st

        from app.dashboard.signing_in import identity

        found = identity.find_deployment()
        st.text(found.base_url if found else "nobody")

    page = AppTest.from_function(script)
    with patch("streamlit.context", SimpleNamespace(cookies={COOKIE: cookie})):
        text = str(page.run().text[0].value)
    return None if text == "nobody" else text


@pytest.fixture
def without_extensions(monkeypatch: pytest.MonkeyPatch) -> None:
    """A deployment that has the interface and nothing else."""

    def interface_only(_: Deployment) -> frozenset[str]:
        return frozenset(INTERFACE_OPERATIONS)

    monkeypatch.setattr(queries, "load_operations", interface_only)


def test_the_catalog_shows_a_page_of_companies(open_page: OpenPage) -> None:
    page = open_page("catalog")
    [table] = read_record_tables(page)
    assert [row["Company"] for row in table[:2]] == ["Acme Cloud", "Bare Bones Ltd"]
    assert table[0][ADDRESS] == f"company?id={ACME}"
    assert len(table) == 25
    assert f"1 to 25 of {SUPPLIERS + 2} companies" in words(page)
    assert "Sample data" in words(page)


def test_the_address_restores_the_filters_of_the_catalog(open_page: OpenPage) -> None:
    page = open_page("catalog", q="nimbus", order="Z to A")
    assert read_column(page, "Company") == ["Nimbus Works"]
    assert page.text_input(key="q").value == "nimbus"


def test_the_address_restores_the_page_of_the_catalog(open_page: OpenPage) -> None:
    page = open_page("catalog", **{"companies-page": "3"})
    assert len(read_column(page, "Company")) == SUPPLIERS + 2 - 50


@pytest.mark.parametrize("number", ["99", "0", "-1", "x", "²", "9" * 30])
def test_an_address_with_a_page_that_is_none_shows_companies(open_page: OpenPage, number: str) -> None:
    page = open_page("catalog", **{"companies-page": number})
    assert not page.exception
    assert len(read_column(page, "Company")) > 0


def test_a_domain_is_found(open_page: OpenPage) -> None:
    page = open_page("catalog", q="www.Supplier-1.example")
    assert read_column(page, "Company") == ["Nimbus Works"]


def test_a_category_filters_and_another_filter_begins_at_the_first_page(open_page: OpenPage) -> None:
    page = open_page("catalog", **{"companies-page": "2"})
    page.selectbox(key="category").select("Software › Security").run()
    assert set(read_column(page, "Category")) == {"Security"}
    assert "1 to 25 of 30 companies" in words(page)


def test_no_match_offers_to_clear_the_filters(open_page: OpenPage) -> None:
    page = open_page("catalog", q="no such supplier")
    assert "No company matches" in words(page)
    page.button(key="companies-page-clear").click().run()
    assert len(read_column(page, "Company")) == 25
    assert page.text_input(key="q").value == ""


def test_a_company_shows_facts_products_and_marks(open_page: OpenPage) -> None:
    page = open_page("company", id=ACME)
    text = words(page)
    for expected in ("Acme Cloud", "30 June", "NASDAQ", "USD 120", "12", "Sample data"):
        assert expected in text
    assert read_column(page, "Product") == ["Acme Platform", "Acme Add-on"]


def test_a_family_filters_the_products(open_page: OpenPage) -> None:
    page = open_page("company", id=ACME)
    page.selectbox(key="family").select("Work Suite").run()
    assert read_column(page, "Product") == ["Acme Platform"]


@pytest.mark.campaign
def test_the_products_of_a_company_are_found_by_name(open_page: OpenPage) -> None:
    page = open_page("company", id=ACME)
    [search] = [field for field in page.text_input if field.label == "Product"]
    search.set_value("add").run()
    assert read_column(page, "Product") == ["Acme Add-on"]
    search.set_value("nothing like this").run()
    assert "No product matches" in words(page)
    page.button(key="products-page-clear").click().run()
    assert read_column(page, "Product") == ["Acme Platform", "Acme Add-on"]


def test_past_purchases_stand_newest_first_and_as_a_chart(open_page: OpenPage) -> None:
    page = open_page("company", id=ACME, **{"company-tab": "Past purchases"})
    table = page.dataframe[0].value
    assert len(table) == 10
    assert table["Quantity"][0] == 10
    assert len(page.get("plotly_chart")) == 1


def test_competitors_are_listed(open_page: OpenPage) -> None:
    page = open_page("company", id=ACME, **{"company-tab": "Competitors (1)"})
    assert read_column(page, "Company") == ["Nimbus Works"]


def test_missing_fields_and_markup_in_names_do_no_harm(open_page: OpenPage) -> None:
    bare, gone = open_page("company", id=WITHOUT_DETAILS), open_page("company", id=DISCONTINUED)
    assert not bare.exception
    assert "Sample data" not in words(bare)
    assert not gone.exception
    assert read_headings(gone)[0] == "Gone <b>Systems</b> *AG*"
    assert "discontinued" in words(gone)


def test_a_product_explains_its_dimensions(open_page: OpenPage) -> None:
    page = open_page("product", id=PLATFORM)
    table = page.table[0].value
    assert list(table["Depends on"]) == ["—", "At most the quantity of Users", "—", "Only with Tier"]
    assert "named users, at least 1" in table["What to enter"][0]
    assert any("<li><b>Audit log</b>" in one.proto.body for one in page.get("html"))
    assert read_column(page, "Product") == ["Nimbus Desk"]


def test_a_product_opens_on_what_it_was_bought_for(open_page: OpenPage) -> None:
    page = open_page("product", id=PLATFORM)
    text = words(page)
    assert "USD per named users and month" in text
    first = format_date((NOW - timedelta(days=40 * (PURCHASES - 1) + 3)).date())
    assert f"Eight in ten of {PURCHASES} purchases from {first} to" in text
    assert read_metrics(page)["Median"] == "USD 7.88"
    assert sum('class="parley-prices"' in one.proto.body for one in page.get("html")) == 1


def test_a_product_of_a_bare_company_is_shown(open_page: OpenPage) -> None:
    page = open_page("product", id=PRODUCT_WITHOUT_DETAILS)
    assert "No purchases of this product are on record." in words(page)
    assert not page.exception
    assert "No competing products listed" in words(page)


@pytest.mark.campaign
@pytest.mark.parametrize("name", ["company", "product"])
@pytest.mark.parametrize("asked", [stable_id("nobody"), "nonsense", "../../v1/health", "."])
def test_an_unknown_id_says_so_and_leads_to_the_list(open_page: OpenPage, name: str, asked: str) -> None:
    page = open_page(name, id=asked)
    assert not page.exception
    assert read_headings(page)[0] == f"This {name} was not found"
    assert " Request " in words(page) or asked == "."
    page.button(key="to-catalog").click().run()
    assert read_headings(page)[0] == "Catalog"


@pytest.mark.parametrize(
    "page_name", ["agreement", "import_file", "negotiation", "requirement", "scope", "webhook"]
)
def test_every_record_that_is_not_found_names_the_request(open_page: OpenPage, page_name: str) -> None:
    page = open_page(page_name, id=stable_id("nobody"))
    assert not page.exception
    assert read_headings(page)[0].endswith("was not found")
    assert " Request " in words(page)


@pytest.mark.campaign
@pytest.mark.parametrize("name", ["company", "product"])
def test_an_address_without_an_id_leads_to_the_catalog(open_page: OpenPage, name: str) -> None:
    page = open_page(name)
    page.button(key="to-catalog").click().run()
    assert read_headings(page)[0] == "Catalog"


def test_the_deployment_page_tells_health_interface_and_calls(open_page: OpenPage) -> None:
    page = open_page("deployment")
    assert "Version" in words(page)
    assert len(read_column(page, "Operation")) >= len(INTERFACE_OPERATIONS)
    assert "/v1/openapi" in read_column(open_page("deployment", **{"deployment-tab": "Calls"}), "Path")


def test_signing_out_ends_at_the_sign_in_page(open_page: OpenPage) -> None:
    page = open_page("deployment")
    page.button(key="sign-out").click().run()
    assert page.title[0].value == "Sign in to Parley"
    assert "parley.deployment" not in page.session_state


def test_a_session_that_ended_elsewhere_ends_on_the_next_run_and_makes_no_call(open_page: OpenPage) -> None:
    page = open_page("catalog")
    deployment: Deployment = page.session_state["parley.deployment"]
    session_store().end(deployment)
    with pytest.raises(SessionEnded):  # what is made for a download runs outside of a page
        queries.client_for(deployment)
    page.run()
    assert page.title[0].value == "Sign in to Parley"
    assert "signed out" in page.info[0].value


@pytest.mark.usefixtures("without_extensions")
def test_the_overview_without_a_search_finds_a_supplier(open_page: OpenPage) -> None:
    page = open_page("overview")
    page.text_input(key="wanted").set_value("nimbus")
    next(button for button in page.button if button.label == "Search the catalog").click().run()
    assert read_headings(page)[0] == "Catalog"


@pytest.mark.campaign
def test_the_overview_of_a_service_that_is_down_is_one_panel(open_page: OpenPage) -> None:
    page = open_page("overview", signed_in_to=Deployment("http://127.0.0.1:9", "parley_x"))
    assert not page.exception
    assert words(page).count("The service cannot be reached") == 1
    assert "Find anything" not in {button.label for button in page.button}


@pytest.mark.campaign
def test_the_overview_counts_what_waits_and_leads_to_it(open_page: OpenPage, service: RunningService) -> None:
    owner = Deployment(service.address, service.key("Waiting"))
    create_scope(owner)
    start_unplanned(owner)
    page = open_page("overview", signed_in_to=owner)
    assert "Nothing waits for you" in words(page)
    assert "In the past 7 days" in words(page)
    uploaded = httpx.post(
        f"{owner.base_url}/v1/scope/from-document",
        files={"file": ("Quote.csv", b"description,amount\nOak,10\n")},
        headers={"Authorization": f"Bearer {owner.api_key}"},
    )
    extract_document(service.context, uploaded.json()["scopeId"])
    clear_reads()
    page.run()
    assert "**Quotes to review** · 1" in words(page)


@pytest.mark.usefixtures("without_extensions")
def test_the_overview_works_without_our_extensions(open_page: OpenPage) -> None:
    page = open_page("overview")
    assert not page.exception
    assert "Recent quotes" not in words(page)


@pytest.mark.usefixtures("without_extensions")
@pytest.mark.parametrize("name", ["catalog", "deployment"])
def test_pages_work_without_our_extensions(open_page: OpenPage, name: str) -> None:
    assert not open_page(name).exception


def test_a_key_that_was_revoked_leads_to_a_new_sign_in(open_page: OpenPage, service: RunningService) -> None:
    page = open_page("company", signed_in_to=Deployment(service.address, "parley_revoked"), id=NIMBUS)
    assert "requires signing in again" in words(page)
    next(button for button in page.button if button.label == "Sign in again").click().run()
    assert page.title[0].value == "Sign in to Parley"
    assert "no longer knows" in page.info[0].value


def test_a_service_that_is_down_is_a_panel_and_trying_again_helps(
    open_page: OpenPage, service: RunningService, monkeypatch: pytest.MonkeyPatch
) -> None:
    nowhere = Deployment("http://127.0.0.1:9", "parley_x")
    page = open_page("catalog", signed_in_to=nowhere, q="kept")
    assert "The service cannot be reached" in words(page)
    assert page.text_input(key="q").value == "kept"
    page.session_state["parley.deployment"] = session_store().start(
        Deployment(service.address, service.key())
    )[0]
    next(button for button in page.button if button.label == "Try again").click().run()
    assert "No company matches" in words(page)


def test_deployments_are_named_by_their_base_addresses_with_or_without_the_version(
    service: RunningService, dashboard_settings: Settings, open_page: OpenPage
) -> None:
    configuration.set_settings(
        Settings(data_dir=dashboard_settings.data_dir, deployments=(f"{service.address}/v1/",))
    )
    page = open_page("overview", signed_in_to=None)
    assert page.selectbox(key="sign-in-address").options == [service.address]


def test_the_sign_in_page_keeps_what_was_typed_when_it_is_refused(
    open_page: Callable[..., AppTest], service: RunningService
) -> None:
    page = open_page("overview", signed_in_to=None)
    assert page.selectbox(key="sign-in-address").options == [service.address]
    page.text_input(key="sign-in-key").set_value("parley_wrong")
    page.text_input(key="sign-in-end-user").set_value("ann")
    page.button[0].click().run()
    assert "does not know this key" in page.error[0].value
    assert "Request `" in page.error[0].value
    assert page.text_input(key="sign-in-end-user").value == "ann"
    page.text_input(key="sign-in-key").set_value(service.key())
    page.button[0].click().run()
    assert read_headings(page)[0] == "Home"
    assert page.session_state["parley.deployment"].end_user == "ann"


@pytest.mark.parametrize("typed", ["", "   ", "schlüssel", "two\nlines"])
def test_a_key_that_cannot_be_sent_is_refused_in_words(open_page: OpenPage, typed: str) -> None:
    page = open_page("overview", signed_in_to=None)
    page.text_input(key="sign-in-key").set_value(typed)
    page.button[0].click().run()
    assert not page.exception
    assert page.error[0].value


def test_a_session_of_an_address_that_is_no_longer_listed_is_over(
    service: RunningService, dashboard_settings: Settings
) -> None:
    assert identity_of(cookie_for(Deployment("http://elsewhere.example", service.key()))) is None
    assert identity_of(cookie_for(Deployment(service.address, "key"))) == service.address


def test_the_address_stays_through_signing_in(open_page: OpenPage, service: RunningService) -> None:
    page = open_page("company", signed_in_to=None, id=ACME)
    assert page.title[0].value == "Sign in to Parley"
    page.text_input(key="sign-in-key").set_value(service.key())
    page.button[0].click().run()
    assert read_headings(page)[0] == "Acme Cloud"


def test_every_page_is_registered_by_a_file_that_is_there() -> None:
    names = {entry.name for entry in navigation.PAGES}
    files = {file.stem for file in (configuration.ROOT / "pages").glob("*.py")}
    assert names == files - {"__init__"}
