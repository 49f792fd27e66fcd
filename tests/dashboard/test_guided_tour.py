"""The guided path leads through the sample data, page by page, and can be left at any point."""

from streamlit.testing.v1 import AppTest

from app.dashboard.api.cached_read import clear_reads
from app.dashboard.deployment import Deployment
from app.service.access.keys import create_key
from tests.dashboard.conftest import OpenPage, RunningService
from tests.dashboard.page_helpers import call_service, create_scope, page_text
from tests.dashboard.record_tables import read_headings


def _walked(page: AppTest, key: str) -> AppTest:
    page = page.button(key=key).click().run()
    assert not page.exception
    return page


def test_the_path_leads_from_page_to_page_and_home_again(
    service: RunningService, open_page: OpenPage
) -> None:
    own = Deployment(service.address, service.key("Toured"))
    with service.context.database.writing() as connection:
        key = create_key(
            connection,
            name="story",
            organisation_name="Toured",
            role="owner",
            sample=True,
            now=service.context.clock(),
        )[1]
    sample = Deployment(service.address, key)
    scope = create_scope(sample)
    webhook = {"url": "https://example.com/hook", "events": ["scope.extracted"]}
    webhook_id = call_service(sample, "POST", "/v1/webhooks", webhook)["id"]
    clear_reads()
    page = _walked(open_page("overview", signed_in_to=own), "tour-begin")
    assert page.query_params["id"] == scope
    assert "1 of 2: A quote and its verdict." in page_text(page)
    page = _walked(page, "tour-next")
    assert page.query_params["id"] == webhook_id
    assert "2 of 2: Every event." in page_text(page)
    page = _walked(page, "tour-back")
    assert page.query_params["id"] == scope
    left = _walked(page, "tour-leave")
    assert "1 of 2" not in page_text(left)
    page = _walked(_walked(open_page("overview", signed_in_to=own), "tour-begin"), "tour-next")
    page = _walked(page, "tour-finish")
    assert read_headings(page)[0] == "Home"
    assert page.button(key="tour-begin").label == "Show me around"


def test_real_data_ends_the_path(service: RunningService, open_page: OpenPage) -> None:
    own = Deployment(service.address, service.key("Own and real"))
    create_scope(own)
    page = open_page("overview", signed_in_to=own)
    assert not page.exception
    assert all(one.key != "tour-begin" for one in page.button)
