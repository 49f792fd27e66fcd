"""The page of estimates: side by side, the quote judged, what is behind it."""

from collections.abc import Callable
from uuid import uuid4

import pytest
from streamlit.testing.v1 import AppTest

from app.dashboard.deployment import Deployment
from app.settings import Settings
from tests.dashboard.conftest import Standing
from tests.dashboard.desk import call, made_scope, said, scope_body
from tests.dashboard.stock import BARE_PRODUCT, identity

OpenPage = Callable[..., AppTest]


@pytest.fixture
def deployment(service: Standing, dashboard_settings: Settings) -> Deployment:
    """An organisation of its own for each test."""
    return Deployment(service.address, service.key(uuid4().hex))


def test_without_a_choice_the_page_leads_to_one(open_page: OpenPage) -> None:
    page = open_page("estimates")
    assert not page.exception
    assert "No scope chosen" in said(page)


def test_a_scope_shows_its_range_and_the_verdict_on_its_quote(
    open_page: OpenPage, deployment: Deployment
) -> None:
    ident = made_scope(deployment)
    page = open_page("estimates", ids=ident)
    assert not page.exception
    assert page.number_input(key=f"quote-{ident}").value == 2100
    estimate = call(deployment, "GET", f"/v1/pricing/advanced/{ident}")["estimate"]
    assert f"USD {estimate['percentile50']:,.2f}".removesuffix(".00") in [m.value for m in page.metric]
    assert any(word in said(page) for word in ("Accept", "Consider", "Negotiate", "Not enough evidence"))


def test_a_typed_quote_is_judged_anew(open_page: OpenPage, deployment: Deployment) -> None:
    ident = made_scope(deployment)
    page = open_page("estimates", ids=ident)
    page.number_input(key=f"quote-{ident}").set_value(900_000.0).run()
    assert not page.exception
    assert "Negotiate" in said(page)


def test_a_quote_in_the_address_is_restored(open_page: OpenPage, deployment: Deployment) -> None:
    ident = made_scope(deployment)
    page = open_page("estimates", ids=ident, **{f"quote-{ident}": "900000"})
    assert page.number_input(key=f"quote-{ident}").value == 900_000
    assert "Negotiate" in said(page)


def test_four_stand_side_by_side_and_a_fifth_does_not(open_page: OpenPage, deployment: Deployment) -> None:
    idents = [made_scope(deployment, users=10 * number) for number in range(1, 6)]
    page = open_page("estimates", ids=",".join(idents))
    assert not page.exception
    assert [box.key for box in page.number_input if box.key] == [f"quote-{ident}" for ident in idents[:4]]
    assert "lowest median" in said(page)


def test_a_scope_without_comparables_is_explained_and_the_others_stand(
    open_page: OpenPage, deployment: Deployment
) -> None:
    lonely = scope_body(product=BARE_PRODUCT, dimension=identity(f"quantity of {BARE_PRODUCT}"))
    unpriced = call(deployment, "POST", "/v1/scope", lonely)["id"]
    ident = made_scope(deployment)
    page = open_page("estimates", ids=f"{unpriced},{ident}")
    assert not page.exception
    assert "No price can be said" in said(page)
    assert page.number_input(key=f"quote-{ident}").value == 2100


def test_an_unknown_scope_is_a_panel_and_the_others_stand(
    open_page: OpenPage, deployment: Deployment
) -> None:
    ident = made_scope(deployment)
    page = open_page("estimates", ids=f"{identity('no such scope')},{ident}")
    assert not page.exception
    assert "is not there" in said(page)
    assert page.number_input(key=f"quote-{ident}").value == 2100


@pytest.mark.parametrize("tab", ["Products", "Similar purchases", "What moved it", "What if"])
def test_every_part_of_the_evidence_has_an_address(
    open_page: OpenPage, deployment: Deployment, tab: str
) -> None:
    page = open_page("estimates", ids=made_scope(deployment), tab=tab)
    assert not page.exception
    assert "failed" not in said(page)


def test_another_quantity_is_asked_about_without_being_stored(
    open_page: OpenPage, deployment: Deployment
) -> None:
    ident = made_scope(deployment)
    page = open_page("estimates", ids=ident, tab="What if")
    page.number_input(key=f"what-if-{ident}").set_value(60.0).run()
    assert not page.exception
    assert any(metric.delta for metric in page.metric)
    assert call(deployment, "GET", "/v1/scope")["pagination"]["total"] == 1
