"""What a line says by itself: its role, its product's dimensions, its amount for the whole term, its name."""

from decimal import Decimal
from typing import Any
from uuid import NAMESPACE_URL, uuid5

import pytest

from app.contract.catalog import PricingDimension
from app.service.catalog.dimensions import (
    checkbox_dimension,
    make_dependent,
    number_dimension,
    quantity_dimension,
    select_dimension,
)
from app.service.catalog.line_match import LineMatch
from app.service.documents.extraction import Extraction, LineItem
from app.service.scopes.line_dimensions import ReadDimension, read_dimensions
from app.service.scopes.line_roles import classify_line
from app.service.scopes.proposed_entry import propose_entry
from app.service.scopes.units import units_agree
from app.service.scopes.whole_term import compute_whole_term


def line(description: str, **values: Any) -> LineItem:
    given: dict[str, Any] = {"quantity": Decimal(10), "amount": Decimal(100), **values}
    return LineItem(description=description, **given)


@pytest.mark.parametrize(
    "description",
    ["Shipping", "Delivery and handling", "Express delivery", "Versandkosten", "Fracht und Verpackung",
     "Frais de port", "Verzendkosten", "Gastos de envío", "Rounding", "VAT 20%", "Sub-total hardware",
     "Training on site", "Schulung", "Formation des utilisateurs", "Implementatie", "Puesta en marcha",
     "Processing fee", "Pfand"],
)  # fmt: skip
def test_what_costs_and_is_no_product_is_proposed_as_such(description: str) -> None:
    kind = classify_line(line(description), matched=False)
    assert kind.role == "not_product"
    assert kind.reason


@pytest.mark.parametrize(
    "description",
    ["SMS Delivery & Authentication", "Content Delivery Network", "Service Catalog", "Transport Planner",
     "Premium Support", "Tax Engine", "Total Security Suite"],
)  # fmt: skip
def test_a_name_that_only_holds_such_a_word_is_a_product(description: str) -> None:
    assert classify_line(line(description), matched=False).role == "product"


def test_a_service_of_the_catalog_is_a_product_and_a_credit_never_is() -> None:
    assert classify_line(line("Administrator training", unit="day"), matched=True).role == "product"
    assert classify_line(line("Analytics", amount=Decimal(-5)), matched=True).role == "not_product"
    assert classify_line(line("Analytics", optional=True), matched=True).role == "left_aside"
    assert classify_line(LineItem(description="Prices are before tax"), matched=False).role == "not_product"


def test_work_is_told_from_what_is_used_by_the_day() -> None:
    assert classify_line(line("Log ingestion", unit="GB/day"), matched=False).role == "product"
    assert classify_line(line("Architect", unit="day"), matched=False).role == "not_product"


SUITE = "Business Suite"


def ident(name: str) -> str:
    return str(uuid5(NAMESPACE_URL, name))


PARTS = [
    quantity_dimension(ident("users"), "named users"),
    select_dimension(ident("edition"), "Edition", "edition", ["Business", "Business Plus", "Enterprise"]),
    select_dimension(ident("region"), "Region", "region", ["EMEA", "US"], impact_known=True),
    select_dimension(ident("term"), "Term", "months", ["12 months", "3 years"], impact_known=True),
    select_dimension(ident("billing"), "Billing", "billing", ["Annual", "Monthly"], impact_known=True),
    select_dimension(ident("tier"), "Volume", "users", ["1-99", "100-499", "500+"], impact_known=True),
    number_dimension(ident("storage"), "Storage", "GB"),
    checkbox_dimension(ident("sso"), "Single sign-on", "included"),
    make_dependent(
        checkbox_dimension(ident("sync"), "Directory sync", "included"), ident("sso"), "inclusion"
    ),
]

NAMES = ("users", "edition", "region", "term", "billing", "tier", "storage", "sso", "sync")


def read(description: str, **values: Any) -> dict[str, ReadDimension]:
    dimensions = [PricingDimension.model_validate(one) for one in PARTS]
    match = LineMatch("p", SUITE, 100.0, "wording", dimensions, ident("users"), "Acme")
    document = Extraction(file="q", term_months=36, billing="annual")
    found = read_dimensions(line(description, **{"unit": "users"} | values), match, document)
    names = {ident(name): name for name in NAMES}
    return {names[one.id]: one for one in found}


def test_all_that_a_line_says_is_read_with_its_words() -> None:
    found = read("Business Suite Enterprise (EMEA), 50 GB storage, single sign-on", quantity=Decimal(120))
    labels = {key: one.label for key, one in found.items() if one.label}
    assert labels == {
        "edition": "Enterprise",
        "region": "EMEA",
        "term": "3 years",
        "billing": "Annual",
        "tier": "100-499",
        "sso": "yes",
        "sync": "no",
    }
    assert found["users"].value == 120
    assert (found["storage"].value, found["storage"].words) == (50, "50 gb")
    assert found["sso"].words == "single sign-on"
    assert not [one.question for one in found.values() if one.question]


def test_the_name_of_a_product_does_not_say_its_edition() -> None:
    edition = read("Business Suite")["edition"]
    assert (edition.source, edition.value) == ("unknown", None)
    assert edition.question == "Which edition: Business, Business Plus or Enterprise?"


def test_the_longer_option_is_meant_and_two_are_asked() -> None:
    assert read("Business Suite Business Plus")["edition"].label == "Business Plus"
    both = read("Business Suite EMEA and US")["region"]
    assert both.value is None
    assert both.question == "The line names EMEA and US: which region?"


def test_what_hangs_on_another_is_not_asked_without_it() -> None:
    assert "sync" not in read("Business Suite Enterprise EMEA")


@pytest.mark.parametrize(
    ("one", "other", "agree"),
    [
        ("seats", "user", True),
        ("Nutzer", "named users", True),
        ("employee / month", "employees", True),
        ("each", "user", True),
        ("H87", "user", True),
        (None, "user", True),
        ("pack", "user", False),
        ("host", "user", False),
        ("GB/day", "user", False),
    ],
)
def test_units_are_compared_by_what_they_count(one: str | None, other: str, agree: bool) -> None:
    assert units_agree(one, other) is agree


@pytest.mark.parametrize(
    ("months", "periods", "term", "factors"),
    [
        (36, [12], 36, [3]),
        (12, [1], 12, [12]),
        (36, [12, 12], 36, [1, 1]),  # the same product for each year of a ramp
        (12, [7], 12, [1]),  # the rest of a term
        (None, [1], 1, [1]),
        (None, [None], 12, [1]),
    ],
)
def test_amounts_are_those_of_the_whole_term(
    months: int | None, periods: list[int | None], term: int, factors: list[int]
) -> None:
    lines = tuple(line("Analytics", period_months=period) for period in periods)
    document = Extraction(file="q", term_months=months, line_items=lines, net_total=Decimal(100 * len(lines)))
    whole = compute_whole_term(document, [True] * len(lines))
    assert (whole.months, list(whole.factors)) == (term, factors)
    assert whole.net_total(document) == sum(100 * factor for factor in factors)


@pytest.mark.parametrize(
    ("description", "name", "edition"),
    [
        ("Brightmoor Sales - Growth Edition", "Brightmoor Sales", "Growth"),
        ("Desk Pro", "Desk Pro", None),
        ("Desk (Team)", "Desk", "Team"),
        ("Desk, Enterprise, 120 named users, 12 months", "Desk", "Enterprise"),
        ("Kestrel Business Plan", "Kestrel", "Business"),
        ("Standard Success Plan", "Standard Success Plan", None),
        ("Managed PostgreSQL 8 vCPU", "Managed PostgreSQL 8 vCPU", None),
        ("Light Agent Pack (50)", "Light Agent Pack (50)", None),
        (
            "Pflasterfläche vorbereiten, Planum herstellen",
            "Pflasterfläche vorbereiten, Planum herstellen",
            None,
        ),
        ("25 x Desk", "Desk", None),
    ],
)
def test_an_entry_is_proposed_without_what_is_only_this_purchases(
    description: str, name: str, edition: str | None
) -> None:
    proposed = propose_entry(line(description))
    assert proposed is not None
    assert proposed.name == name
    assert [one.option for one in proposed.dimensions] == ([edition] if edition else [])
