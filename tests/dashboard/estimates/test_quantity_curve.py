"""The price of a unit at other quantities, as the estimates of purchases of those quantities."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any
from uuid import uuid4

import pytest
from streamlit.testing.v1 import AppTest

from app.contract.catalog import NumberField
from app.contract.scope import Scope
from app.dashboard.api import queries
from app.dashboard.deployment import Deployment
from app.dashboard.estimates.estimate_evidence import choose_quantities, load_quantity_curve
from app.dashboard.estimates.scope_estimates import load_changed_estimate, load_estimate
from app.settings import Settings
from components.estimates.what_if import QuantityCurve
from tests.dashboard.conftest import RunningService
from tests.dashboard.page_helpers import call_service, create_scope, page_text, scope_body

OpenPage = Callable[..., AppTest]


@pytest.fixture
def deployment(service: RunningService, dashboard_settings: Settings) -> Deployment:
    """An organisation of its own for each test."""
    return Deployment(service.address, service.key(uuid4().hex))


def load_curve(deployment: Deployment, ident: str, at: int = 0) -> QuantityCurve | str:
    scope = Scope.model_validate(call_service(deployment, "GET", f"/v1/scope/{ident}"))
    product = queries.load_product(deployment, scope.product_terms[at].product_id)
    return load_quantity_curve(deployment, scope, at, product)


@pytest.mark.campaign
def test_each_point_is_the_estimate_of_a_scope_of_that_quantity(deployment: Deployment) -> None:
    curve = load_curve(deployment, create_scope(deployment, users=50))
    assert isinstance(curve, QuantityCurve)
    quantities = [point.quantity for point in curve.points]
    assert quantities == sorted(quantities)
    assert curve.present.quantity == 50
    assert len(quantities) > 2
    for point in (curve.points[0], curve.present, curve.points[-1]):
        ident = create_scope(deployment, users=int(point.quantity))
        estimate = call_service(deployment, "GET", f"/v1/pricing/advanced/{ident}")["estimate"]
        [explained] = call_service(deployment, "GET", f"/v1/pricing/explanation/{ident}")["products"]
        assert float(point.median) == pytest.approx(explained["unitPrice"])
        of_whole = estimate["percentile25"] / estimate["percentile50"]
        assert float(point.low / point.median) == pytest.approx(of_whole, rel=1e-3)


def test_nothing_is_told_beyond_what_was_bought(deployment: Deployment) -> None:
    ident = create_scope(deployment, users=50)
    curve = load_curve(deployment, ident)
    assert isinstance(curve, QuantityCurve)
    [explained] = call_service(deployment, "GET", f"/v1/pricing/explanation/{ident}")["products"]
    bought = [one["quantity"] for one in explained["comparables"]]
    others = [float(point.quantity) for point in curve.points if point is not curve.present]
    assert min(others) >= 0.95 * min(bought)
    assert max(others) <= 1.05 * max(bought)


def test_the_page_draws_it_when_it_is_asked_for(open_page: OpenPage, deployment: Deployment) -> None:
    twice = scope_body(50)
    twice["productTerms"] = [*twice["productTerms"], *scope_body(40)["productTerms"]]  # type: ignore[misc]
    ident = call_service(deployment, "POST", "/v1/scope", twice)["id"]
    page = open_page("estimates", ids=ident, **{"estimates-tab": "What if"})
    assert "Each quantity is estimated by itself" not in page_text(page)
    page.toggle(key=f"quantities-{ident}").set_value(True).run()
    assert not page.exception
    assert "At 50: USD" in page_text(page).replace("\\", "")
    page.selectbox(key=f"quantities-product-{ident}").set_value(1).run()
    assert not page.exception
    assert "At 40: USD" in page_text(page).replace("\\", "")
    assert call_service(deployment, "GET", "/v1/scope")["pagination"]["total"] == 1


def make_field(**limits: int) -> NumberField:
    return NumberField.model_validate(
        {"type": "number", "label": "Users", "readonly": False, "required": True, **limits}
    )


def test_quantities_lie_evenly_by_ratio_between_those_bought() -> None:
    chosen = choose_quantities([Decimal(10), Decimal(1000), Decimal(40)], Decimal(100))
    assert chosen == [10, 22, 46, 220, 460, 1000]


@pytest.mark.parametrize(
    ("bought", "present", "limits", "chosen"),
    [
        ([], 5, {}, []),
        ([5], 5, {}, []),
        ([5], 7, {}, [5]),
        ([10, 100], 50, {"step": 25}, [25, 75, 100]),
        ([10, 100], 50, {"max": 60}, [10, 15, 22, 32]),
        ([10, 100], 50, {"min": 30}, [30, 32, 68, 100]),
        ([Decimal("0.2"), Decimal("0.4")], 3, {}, [1]),
    ],
)
def test_quantities_are_such_that_the_field_takes(
    bought: list[Decimal | int], present: int, limits: dict[str, int], chosen: list[int]
) -> None:
    known = [Decimal(quantity) for quantity in bought]
    assert choose_quantities(known, Decimal(present), make_field(**limits)) == chosen


def test_a_product_that_is_bought_for_a_part_of_the_term_is_estimated_for_that(
    deployment: Deployment,
) -> None:
    body: Any = scope_body()
    [term] = body["productTerms"]
    for part in ({"firstMonth": 6, "months": 6}, {"startDate": "2027-01-01", "endDate": "2027-06-30"}):
        scope = queries.load_scope(deployment, create_scope(deployment, productTerms=[{**term, **part}]))
        before = load_estimate(deployment, scope.id)
        changed = load_changed_estimate(deployment, scope)
        assert not isinstance(before, str)
        assert not isinstance(changed, str)
        assert before.estimate.percentile50 == changed.estimate.percentile50, part


def test_the_curve_of_a_product_is_for_the_part_of_the_term_that_it_is_bought_for(
    deployment: Deployment,
) -> None:
    body: Any = scope_body(50)
    [bought] = body["productTerms"]
    terms = [{**bought, "firstMonth": 24, "months": 12}, bought]
    ident = create_scope(
        deployment,
        scopeTerms=[{"termLength": 36, "purchaseType": "new_purchase"}],
        productTerms=terms,
    )
    explained = call_service(deployment, "GET", f"/v1/pricing/explanation/{ident}")["products"]
    assert explained[0]["unitPrice"] != explained[1]["unitPrice"]
    for at, product in enumerate(explained):
        curve = load_curve(deployment, ident, at)
        assert isinstance(curve, QuantityCurve)
        assert float(curve.present.median) == pytest.approx(product["unitPrice"])
