"""Which lines are products, and which are costs, credits or options."""

from decimal import Decimal

import pytest

from app.service.documents.extraction import LineItem
from app.service.scopes.line_roles import classify_line
from tests.service.scopes.conftest import build_line


@pytest.mark.parametrize(
    "description",
    ["Shipping", "Delivery and handling", "Express delivery", "Versandkosten", "Fracht und Verpackung",
     "Frais de port", "Verzendkosten", "Gastos de envío", "Rounding", "VAT 20%", "Sub-total hardware",
     "Training on site", "Schulung", "Formation des utilisateurs", "Implementatie", "Puesta en marcha",
     "Processing fee", "Pfand"],
)  # fmt: skip
def test_a_cost_that_is_no_product_gets_that_role(description: str) -> None:
    kind = classify_line(build_line(description), matched=False)
    assert kind.role == "not_product"
    assert kind.reason


@pytest.mark.parametrize(
    "description",
    ["SMS Delivery & Authentication", "Content Delivery Network", "Service Catalog", "Transport Planner",
     "Premium Support", "Tax Engine", "Total Security Suite"],
)  # fmt: skip
def test_a_product_whose_name_contains_such_a_word_stays_a_product(description: str) -> None:
    assert classify_line(build_line(description), matched=False).role == "product"


def test_a_matched_service_is_a_product_and_a_credit_never_is() -> None:
    assert classify_line(build_line("Administrator training", unit="day"), matched=True).role == "product"
    assert classify_line(build_line("Analytics", amount=Decimal(-5)), matched=True).role == "not_product"
    assert classify_line(build_line("Analytics", optional=True), matched=True).role == "left_aside"
    assert classify_line(LineItem(description="Prices are before tax"), matched=False).role == "not_product"


def test_work_by_the_day_is_no_product_but_usage_by_the_day_is() -> None:
    assert classify_line(build_line("Log ingestion", unit="GB/day"), matched=False).role == "product"
    assert classify_line(build_line("Architect", unit="day"), matched=False).role == "not_product"
