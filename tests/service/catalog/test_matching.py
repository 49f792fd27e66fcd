"""Lines of documents and names of suppliers, held against a catalog."""

import pytest

from app.service.catalog.matching import SURE_ALONE, Choice, best_choice, find_company, likeness, match_lines
from app.service.catalog.names import name_key
from app.service.context import Context
from app.service.documents.extraction import Extraction, LineItem
from app.service.ids import new_id
from tests.service.catalog.conftest import SmallCatalog

NOBODY = new_id()
"""An organisation that has nothing of its own."""
CHOICES = [
    Choice("kit-30", "abbott", "Determine HIV Kit, 30 Tests", "d30"),
    Choice("kit-100", "abbott", "Determine HIV Kit, 100 Tests", "d100"),
    Choice("kit-copy", "other", "Rapid Kit", "d100"),
]


def test_an_item_number_of_the_supplier_decides_whatever_the_words_say() -> None:
    line = LineItem(description="Something else", item_id="D-100")
    best = best_choice(line, CHOICES, supplier="abbott", sure=SURE_ALONE)
    assert best is not None
    assert (best.product_id, best.score, best.matched_by) == ("kit-100", 100.0, "item number")


def test_words_in_another_order_find_the_product_and_its_number() -> None:
    line = LineItem(description="HIV Kit DETERMINE - 100 tests")
    best = best_choice(line, CHOICES, supplier=None, sure=SURE_ALONE)
    assert best is not None
    assert best.product_id == "kit-100"


def test_another_number_is_another_article() -> None:
    line = LineItem(description="Determine HIV Kit, 20 Tests")
    assert best_choice(line, CHOICES, supplier="abbott", sure=84.0) is None


def test_what_only_shares_a_word_is_no_match() -> None:
    assert likeness(name_key("Support"), name_key("Premium support for data centres")) < 84
    assert best_choice(LineItem(description="Kit"), CHOICES, supplier=None, sure=84.0) is None


def test_the_place_in_the_document_is_no_item_number() -> None:
    choices = [Choice("one", "a", "Chair", "1")]
    assert best_choice(LineItem(description="Table", item_id="1"), choices, supplier=None, sure=84.0) is None


@pytest.mark.parametrize(
    "asked",
    [
        {"name": "ACME 100 %, GMBH"},
        {"name": "Äcme 100%"},
        {"domain": "https://www.ACME.example/prices"},
        {"name": "unknown", "domain": "acme.example"},
        {"name": "Aecme 100% GmbH"},
    ],
)
def test_a_supplier_is_found_by_domain_or_name(
    context: Context, small: SmallCatalog, asked: dict[str, str]
) -> None:
    with context.database.reading() as connection:
        assert find_company(connection, NOBODY, **asked) == small.acme


@pytest.mark.parametrize("name", ["", "   ", "Quite another company", "Acme 200"])
def test_another_supplier_is_not_found(context: Context, small: SmallCatalog, name: str) -> None:
    with context.database.reading() as connection:
        assert find_company(connection, NOBODY, name=name) is None


def test_lines_of_a_document_meet_the_products_of_its_supplier(context: Context, small: SmallCatalog) -> None:
    document = Extraction(
        file="quote.pdf",
        supplier="Äcme 100% GmbH",
        line_items=(
            LineItem(description="Seats"),
            LineItem(description="seat", item_id="AC1"),
            LineItem(description="Chairs"),
            LineItem(description="Delivery and handling"),
            LineItem(),
        ),
    )
    with context.database.reading() as connection:
        found = match_lines(connection, document, NOBODY)
    assert [match.product_id if match else None for match in found] == [
        small.seats,
        small.seats,
        small.rival,
        None,
        None,
    ]
    assert found[0] is not None
    assert found[0].quantity_dimension_id == found[0].dimensions[0].id
