"""The dimensions of its product that a line states."""

from decimal import Decimal
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from app.contract.catalog import PricingDimension
from app.service.catalog.line_match import LineMatch
from app.service.catalog.rows import (
    checkbox_dimension,
    make_dependent,
    number_dimension,
    quantity_dimension,
    select_dimension,
    set_impact_known,
)
from app.service.documents.extraction import Extraction
from app.service.scopes.line_dimensions import ReadDimension, read_dimensions
from tests.service.scopes.conftest import build_line

SUITE = "Business Suite"


def make_id(name: str) -> str:
    return str(uuid5(NAMESPACE_URL, name))


DIMENSIONS = [
    quantity_dimension(make_id("users"), "named users"),
    select_dimension(make_id("edition"), "Edition", "edition", ["Business", "Business Plus", "Enterprise"]),
    set_impact_known(select_dimension(make_id("region"), "Region", "region", ["EMEA", "US"]), True),
    set_impact_known(select_dimension(make_id("term"), "Term", "months", ["12 months", "3 years"]), True),
    set_impact_known(select_dimension(make_id("billing"), "Billing", "billing", ["Annual", "Monthly"]), True),
    set_impact_known(select_dimension(make_id("tier"), "Volume", "users", ["1-99", "100-499", "500+"]), True),
    number_dimension(make_id("storage"), "Storage", "GB"),
    checkbox_dimension(make_id("sso"), "Single sign-on", "included"),
    make_dependent(
        checkbox_dimension(make_id("sync"), "Directory sync", "included"), make_id("sso"), "inclusion"
    ),
]

NAMES = ("users", "edition", "region", "term", "billing", "tier", "storage", "sso", "sync")


def read_line(description: str, **values: Any) -> dict[str, ReadDimension]:
    dimensions = [PricingDimension.model_validate(one) for one in DIMENSIONS]
    match = LineMatch("p", SUITE, 100.0, "wording", dimensions, make_id("users"), "Acme")
    document = Extraction(file="q", term_months=36, billing="annual")
    line = build_line(description, **{"unit": "users"} | values)
    names = {make_id(name): name for name in NAMES}
    return {names[one.id]: one for one in read_dimensions(line, match, document)}


def test_every_stated_dimension_is_read_with_its_words() -> None:
    values = read_line(
        "Business Suite Enterprise (EMEA), 50 GB storage, single sign-on", quantity=Decimal(120)
    )
    labels = {key: one.label for key, one in values.items() if one.label}
    assert labels == {
        "edition": "Enterprise",
        "region": "EMEA",
        "term": "3 years",
        "billing": "Annual",
        "tier": "100-499",
        "sso": "yes",
        "sync": "no",
    }
    assert values["users"].value == 120
    assert (values["storage"].value, values["storage"].words) == (50, "50 gb")
    assert values["sso"].words == "single sign-on"
    assert not [one.question for one in values.values() if one.question]


def test_the_product_name_does_not_state_the_edition() -> None:
    edition = read_line("Business Suite")["edition"]
    assert (edition.source, edition.value) == ("unknown", None)
    assert edition.question == "Which edition: Business, Business Plus or Enterprise?"


def test_the_longer_option_wins_and_two_options_raise_a_question() -> None:
    assert read_line("Business Suite Business Plus")["edition"].label == "Business Plus"
    both = read_line("Business Suite EMEA and US")["region"]
    assert both.value is None
    assert both.question == "The line names EMEA and US: which region?"


def test_a_dependent_dimension_raises_no_question_without_its_parent() -> None:
    assert "sync" not in read_line("Business Suite Enterprise EMEA")
