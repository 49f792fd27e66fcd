"""What the components of the catalog say in words."""

from decimal import Decimal
from typing import Any

import pytest

from app.contract.catalog import LearningDataSample, NumberField, PriceRange, PricingDimension, SelectField
from components.catalog import (
    describe_dependency,
    describe_field,
    describe_range,
    describe_selection,
    explain_missing_range,
    format_price_range,
    format_year_end,
)
from components.deployment import get_status_style
from components.elements.page_header import is_sample, shorten_identifier
from components.estimates.similar_purchases import describe_purchases, make_purchase_figure
from components.formatting import format_count, format_date
from tests.components.catalog.fixtures import make_product_prices

USERS = "018f2c5e-7b1a-7c3d-9e4f-5a6b7c8d9e0f"


def field(**changes: Any) -> NumberField:
    record = {"type": "number", "label": "users", "readonly": False, "required": True, **changes}
    return NumberField.model_validate(record)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({}, "A number, in users."),
        ({"min": 0}, "A number, in users."),
        ({"min": 5}, "A number, in users, at least 5."),
        ({"max": 5000}, "A number, in users, at most 5,000."),
        ({"min": 5, "max": 10}, "A number, in users, 5 to 10."),
        ({"step": 5, "defaultValue": 0}, "A number, in users, in steps of 5; default 0."),
    ],
)
def test_a_number_field_says_its_bounds(changes: dict[str, Any], said: str) -> None:
    assert describe_field(field(**changes)) == said


def test_a_long_choice_is_cut_short() -> None:
    options = [{"label": f"Edition {n}", "value": str(n)} for n in range(20)]
    select = SelectField.model_validate(
        {
            "type": "select",
            "label": "edition",
            "readonly": False,
            "required": False,
            "defaultValue": "3",
            "options": options,
        }
    )
    said = describe_field(select)
    assert said.startswith("One of 20 choices: Edition 0, ")
    assert said.endswith("and 14 more; default Edition 3.")


@pytest.mark.parametrize(
    ("depends_on", "said"),
    [
        ({}, ""),
        ({"dependsOnDimensionId": USERS, "dependency": "quantity"}, "At most the quantity of Users"),
        ({"dependsOnDimensionId": USERS, "dependency": "inclusion"}, "Only with Users"),
        ({"dependsOnDimensionId": USERS, "dependency": "newer"}, "Depends on Users (newer)"),
        ({"dependsOnDimensionId": USERS.replace("0", "1")}, "Depends on another dimension"),
    ],
)
def test_a_dependency_is_said_in_words(depends_on: dict[str, str], said: str) -> None:
    dimension = PricingDimension.model_validate(
        {
            "id": USERS.replace("5", "6"),
            "name": "Storage",
            "description": None,
            "priceImpactKnown": False,
            "formField": field().wire(),
            "dependsOn": depends_on,
        }
    )
    assert describe_dependency(dimension, {USERS: "Users"}) == said


@pytest.mark.parametrize(
    ("text", "said"),
    [("--06-30", "30 June"), ("--02-29", "29 February"), ("--13-01", r"\-\-13\-01"), ("June", "June")],
)
def test_a_fiscal_year_end_is_a_day_of_the_year(text: str, said: str) -> None:
    assert format_year_end(text) == said


def test_a_price_range_names_its_currency_with_each_amount() -> None:
    prices = PriceRange(min=Decimal(20), max=Decimal(1400), currency="EUR")
    assert format_price_range(prices) == "EUR 20 to EUR 1,400"
    assert format_price_range(prices.model_copy(update={"max": Decimal(20)})) == "EUR 20"
    assert format_price_range(None) == "—"


@pytest.mark.parametrize(
    ("domain", "description", "sample"),
    [
        ("acme.example", "Sample data.", True),
        ("ACME.EXAMPLE.", "A sample.", True),
        ("acme.example", "A real one.", False),
        ("acme.example", None, True),
        ("acme.com", "Sample data.", False),
        ("", None, False),
        (None, None, False),
        ("notexample", "Sample", False),
    ],
)
def test_sample_data_is_told_by_domain_and_description(
    domain: str | None, description: str | None, sample: bool
) -> None:
    assert is_sample(domain, description) is sample


def sample(number: int, **changes: Any) -> LearningDataSample:
    record = {
        "id": f"s{number}",
        "startDate": f"2026-0{number}-01T00:00:00.000Z",
        "termMonths": 12,
        "negotiatedPrice": 100 * number,
        "productNames": ["Platform"],
        "primaryDimensionName": "Users",
        "primaryDimensionValue": number,
        "numberOfOtherDimensions": 0,
    }
    return LearningDataSample.model_validate(record | changes)


def test_the_scatter_has_a_trace_for_each_kind_and_logarithms_where_they_help() -> None:
    near = [sample(1), sample(2)]
    far = [*near, sample(3, negotiatedPrice=1_000_000, productNames=["Suite", "Add-on"])]
    assert make_purchase_figure(near, "USD")["layout"]["yaxis"]["type"] == "linear"
    figure = make_purchase_figure(far, "USD")
    assert figure["layout"]["yaxis"]["type"] == "log"
    assert [trace["name"] for trace in figure["data"]] == ["Platform", "Suite, Add-on"]
    assert (
        describe_purchases(far, "USD") == "3 purchases from USD 100 to USD 1,000,000, price against quantity"
    )


def test_a_scatter_of_free_purchases_needs_no_logarithm() -> None:
    figure = make_purchase_figure([sample(1, negotiatedPrice=0), sample(2, negotiatedPrice=10_000)], "")
    assert figure["layout"]["yaxis"]["type"] == "linear"


def test_counts_numbers_and_days() -> None:
    assert (format_count(1, "company", "companies"), format_count(1200, "product")) == (
        "1 company",
        "1,200 products",
    )
    assert [format_date(v) for v in (None, "", "2026-03-01T00:00:00Z", "soon")] == [
        "—",
        "—",
        "1 Mar 2026",
        "soon",
    ]


def test_a_status_that_we_do_not_know_is_grey() -> None:
    assert get_status_style("ok")[0] == "green"
    assert get_status_style("resting")[0] == "gray"


def test_an_id_is_short_by_its_end() -> None:
    assert shorten_identifier(USERS) == "…7c8d9e0f"
    assert shorten_identifier("id") == "id"


def test_a_range_names_its_evidence_and_a_thin_one_its_reason() -> None:
    prices = make_product_prices()
    assert describe_range(prices.ranges[0], "USD") == (
        "Eight in ten of 214 purchases (12 of them yours) from 3 Mar 2025 to 5 Jun 2026 cost between"
        " USD 35.99 and USD 50.19. All editions and quantities together."
    )
    assert describe_selection(prices) == [
        "223 of 240 purchases of this product on record are compared.",
        "15 were paid in another currency and have no exchange rate to USD.",
    ]
    thin = prices.model_copy(
        update={"ranges": prices.ranges[2:], "purchases_on_record": 2, "not_converted": 0}
    )
    assert explain_missing_range(thin) == "Fewer than 5 purchases. On record: 2 purchases."
