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
     "Processing fee", "Pfand",
     "Spese di trasporto", "Spedizione e imballo", "Arrotondamento", "IVA al 22%", "Formazione degli utenti",
     "Consulenza", "Spese di incasso", "Configurazione una tantum",
     "Portes de envio", "Frete", "Custos de transporte e embalagem", "Arredondamento", "Formação inicial",
     "Instalação", "Taxa administrativa"],
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


@pytest.mark.parametrize("unit", ["giornata", "ore", "progetto", "jornada", "horas", "projeto"])
def test_work_by_the_day_is_known_in_italian_and_portuguese(unit: str) -> None:
    assert classify_line(build_line("Analytics", unit=unit), matched=False).role == "not_product"


@pytest.mark.parametrize(
    ("description", "recurring"),
    [("Abbonamento Analytics", True), ("Canone una tantum", False), ("Analytics, canone mensile", True),
     ("Subscrição Analytics", True), ("Manutenção anual", True), ("Pagamento único", False)],
)  # fmt: skip
def test_what_is_paid_for_a_period_is_known_in_italian_and_portuguese(
    description: str, recurring: bool
) -> None:
    assert classify_line(build_line(description), matched=False).recurring is recurring
