"""Lines of documents and names of suppliers are matched with a catalog."""

from collections.abc import Collection

import pytest
import sqlalchemy as sa

from app.service.access.keys import create_key
from app.service.catalog.line_choice import (
    LineWords,
    ProductWording,
    choose_product,
    find_by_item_number,
    similarity,
)
from app.service.catalog.matching import match_document
from app.service.catalog.names import name_key
from app.service.catalog.supplier_match import find_company
from app.service.context import Context
from app.service.database.tables import company, organisation, product
from app.service.documents.extraction import Extraction, LineItem
from tests.service.catalog.conftest import SmallCatalog

pytestmark = pytest.mark.both_stores

CHOICES = [
    ProductWording("kit-30", "abbott", "Determine HIV Kit, 30 Tests", "d30"),
    ProductWording("kit-100", "abbott", "Determine HIV Kit, 100 Tests", "d100"),
    ProductWording("kit-copy", "other", "Rapid Kit", "d100"),
]
EDITIONS = [
    ProductWording("starter", "acme", "Acme Desk Starter", None),
    ProductWording("pro", "acme", "Acme Desk Professional", None),
    ProductWording("vault", "acme", "Acme Vault", None),
]


def no_options(product_id: str) -> Collection[str]:
    return ()


def meant(description: str, choices: list[ProductWording] = EDITIONS) -> str | None:
    best, _ = choose_product(LineWords(description), choices, no_options, ("acme",))
    return best.product_id if best else None


def test_the_suppliers_item_number_decides_whatever_the_description() -> None:
    best = find_by_item_number(LineWords("Something else", "D-100"), CHOICES, "abbott")
    assert best is not None
    assert (best.product_id, best.score, best.matched_by) == ("kit-100", 100.0, "item number")


def test_another_suppliers_item_number_decides_only_with_a_similar_description() -> None:
    choices = [ProductWording("kit", "other", "Determine HIV Kit", "d10077")]
    assert find_by_item_number(LineWords("Oak desk, white", "D-10077"), choices, None) is None
    assert find_by_item_number(LineWords("HIV Kit Determine 1x", "D-10077"), choices, None) is not None


def test_words_in_another_order_match_the_product() -> None:
    assert meant("HIV Kit DETERMINE - 100 tests", CHOICES) == "kit-100"


def test_another_number_is_another_article() -> None:
    assert meant("Determine HIV Kit, 20 Tests", CHOICES) is None


@pytest.mark.parametrize(
    ("description", "product_id"),
    [
        ("Acme Desk Pro", "pro"),
        ("Desk - Professional Edition", "pro"),
        ("Acme Desk Professional, 120 named users, 12 months", "pro"),
        ("Acme Desk (Starter)", "starter"),
        ("Acme Desk Starter licences (10 € pro Nutzer)", "starter"),
        ("Acme Vault", "vault"),
    ],
)
def test_the_edition_decides_between_products_that_are_alike(description: str, product_id: str) -> None:
    assert meant(description) == product_id


@pytest.mark.parametrize(
    "description",
    ["Acme Desk", "Acme Desk Enterprise", "Acme Desk Premium", "Acme Vault Plus", "Acme Vault EMEA",
     "Acme Vault Connector", "Training for Acme Vault"],
)  # fmt: skip
def test_a_description_with_a_word_more_or_less_is_no_match(description: str) -> None:
    assert meant(description) is None


def test_one_shared_word_is_no_match() -> None:
    assert similarity(name_key("Support"), name_key("Premium support for data centres")) < 84
    assert meant("Kit", CHOICES) is None


def test_the_position_in_the_document_is_no_item_number() -> None:
    assert (
        find_by_item_number(LineWords("Table", "1"), [ProductWording("one", "a", "Chair", "1")], None) is None
    )


@pytest.fixture
def buyer(context: Context) -> str:
    """The id of an organisation."""
    with context.database.writing() as connection:
        create_key(connection, name="t", organisation_name="Buyer", role="owner", now=context.clock())
        ident: str = connection.execute(sa.select(organisation.c.id)).scalar_one()
    return ident


@pytest.mark.parametrize(
    "criteria",
    [
        {"name": "ACME 100 %, GMBH"},
        {"name": "Äcme 100%"},
        {"domain": "https://www.ACME.example/prices"},
        {"name": "unknown", "domain": "acme.example"},
        {"name": "Aecme 100% GmbH"},
    ],
)
def test_a_supplier_is_found_by_domain_or_name(
    context: Context, small: SmallCatalog, buyer: str, criteria: dict[str, str]
) -> None:
    with context.database.reading() as connection:
        assert find_company(connection, buyer, **criteria) == small.acme


@pytest.mark.parametrize("name", ["", "   ", "Quite another company", "Acme 200"])
def test_another_supplier_is_not_found(context: Context, small: SmallCatalog, buyer: str, name: str) -> None:
    with context.database.reading() as connection:
        assert find_company(connection, buyer, name=name) is None


def test_a_sample_supplier_is_found_by_its_exact_name_only(
    context: Context, small: SmallCatalog, buyer: str
) -> None:
    with context.database.writing() as connection:
        connection.execute(company.update().where(company.c.id == small.zenith).values(sample=True))
        assert find_company(connection, buyer, name="Zenith Soft Ltd") == small.zenith
        assert find_company(connection, buyer, name="Zenit Soft") is None
        copy = dict(connection.execute(sa.select(company).where(company.c.id == small.zenith)).one()._mapping)
        real = "018f2c5e-7b1a-7c3d-9e4f-5a6b7c8d9e0f"
        connection.execute(company.insert().values({**copy, "id": real, "sample": False, "domain": ""}))
        assert find_company(connection, buyer, name="Zenith Soft Ltd") == real


def test_another_organisations_entries_are_never_matched(
    context: Context, small: SmallCatalog, buyer: str
) -> None:
    with context.database.writing() as connection:
        create_key(connection, name="t", organisation_name="Other", role="owner", now=context.clock())
        other = connection.execute(
            sa.select(organisation.c.id).where(organisation.c.id != buyer)
        ).scalar_one()
        connection.execute(company.update().where(company.c.id == small.acme).values(organisation_id=other))
        connection.execute(
            product.update().where(product.c.company_id == small.acme).values(organisation_id=other)
        )
    document = quote(LineItem(description="Seats", item_id="AC-1"))
    with context.database.reading() as connection:
        assert find_company(connection, buyer, name="Äcme 100%") is None
        matched = match_document(connection, document, buyer)
        assert matched.supplier.candidates == []
        assert matched.lines[0].match is None
        assert matched.lines[0].candidates == []
        assert match_document(connection, document, other).lines[0].match is not None


def quote(*lines: LineItem) -> Extraction:
    return Extraction(file="quote.pdf", supplier="Äcme 100% GmbH", line_items=lines)


def test_lines_of_a_document_match_the_products_of_its_supplier(
    context: Context, small: SmallCatalog, buyer: str
) -> None:
    document = quote(
        LineItem(description="Seats"),
        LineItem(description="seat", item_id="AC1"),
        LineItem(description="Chairs"),
        LineItem(description="Delivery and handling"),
        LineItem(),
    )
    with context.database.reading() as connection:
        matched = [line.match for line in match_document(connection, document, buyer).lines]
        whole = match_document(connection, document, buyer)
    assert [match.product_id if match else None for match in matched] == [
        small.seats,
        small.seats,
        None,
        None,
        None,
    ]
    assert matched[0] is not None
    assert matched[0].quantity_dimension_id == matched[0].dimensions[0].id
    [chairs] = whole.lines[2].candidates
    assert chairs.product_id == small.competing_product
    assert "does not name" in chairs.why, "another supplier's product is offered, never taken"
