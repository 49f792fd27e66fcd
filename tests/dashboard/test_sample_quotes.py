"""A sample quote is tried from the overview in one click."""

from collections.abc import Iterator
from uuid import uuid4

import pytest

from app.dashboard.deployment import Deployment
from app.service.database.tables import company
from app.service.sample.quotes import TRIAL_QUOTES
from app.service.sample.suppliers import sample_catalog
from tests.dashboard.conftest import OpenPage, RunningService
from tests.dashboard.page_helpers import call_service, page_text


@pytest.fixture
def with_sample_supplier(service: RunningService) -> Iterator[None]:
    """The supplier of the first sample quote is in the catalog, and no other."""
    [plan, *_] = TRIAL_QUOTES.values()
    suppliers = {one.row["name"]: one.row for one in sample_catalog("USD").suppliers}
    row = suppliers[plan.supplier] | {"category_id": None}
    with service.context.database.writing() as connection:
        connection.execute(company.insert().values(**row))
    yield
    with service.context.database.writing() as connection:
        connection.execute(company.delete().where(company.c.id == row["id"]))


@pytest.mark.usefixtures("with_sample_supplier")
def test_a_sample_quote_is_read_at_one_click_and_once(open_page: OpenPage, service: RunningService) -> None:
    newcomer = Deployment(service.address, service.key(uuid4().hex))
    page = open_page("overview", signed_in_to=newcomer)
    assert "begin with a quote" in page_text(page)
    assert [str(getattr(one, "label", "")) for one in page.get("download_button")] == ["Download it"] * 2
    opened = page.button(key="sample-quote-first-step-button").click().run()
    assert not opened.exception
    scope = call_service(newcomer, "GET", f"/v1/scope/{opened.query_params['id']}")
    assert scope["documentProcessing"]["filename"].startswith("Brenesse-Works-")
    assert call_service(newcomer, "GET", "/v1/sample")["scopeIds"] == [scope["id"]], "marked as sample data"
    again = (
        open_page("overview", signed_in_to=newcomer).button(key="sample-quote-shortcut-button").click().run()
    )
    assert again.query_params["id"] == scope["id"], "it was read before"


def test_without_sample_suppliers_none_is_offered(open_page: OpenPage) -> None:
    assert not [one for one in open_page("overview").button if one.label == "Try a sample quote"]
